// Undoing brotli with tiny-brotli-dec-wasm, which the build puts beside this file.

interface Decoder {
  dec(input: Uint8Array, outputSize: number): Uint8Array;
  lastInputOffset(): number;
  result(): number;
  free(): void;
}

const error = 0;
const success = 1;
const needsInput = 2;
const atOnce = 1 << 18;

/** Decompresses brotli piece by piece, so that who reads it works while the rest comes. */
export function unbrotli(packed: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  const input = packed.getReader();
  let decoder: Decoder;
  let chunk: Uint8Array = new Uint8Array();
  let hungry = true;
  return new ReadableStream<Uint8Array>({
    async start() {
      const { default: Brotli } = (await import("./tiny-brotli-dec-wasm.js" as string)) as {
        default: { create(): Promise<Decoder> | Decoder };
      };
      decoder = await Brotli.create();
    },
    async pull(output) {
      for (let given = false; !given; ) {
        if (hungry) {
          const next = await input.read();
          if (next.done) throw new Error("the engine is damaged: it is cut off");
          chunk = next.value;
        }
        const part = decoder.dec(chunk, atOnce);
        const result = decoder.result();
        if (result === error) throw new Error("the engine is damaged: it is no brotli");
        chunk = chunk.subarray(decoder.lastInputOffset());
        hungry = result === needsInput;
        given = part.length > 0;
        if (given) output.enqueue(part);
        if (result === success) {
          decoder.free();
          output.close();
          return;
        }
      }
    },
    cancel: (why) => input.cancel(why),
  });
}
