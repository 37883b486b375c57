// Undoing brotli with tiny-brotli-dec-wasm, which the build puts beside this file.

interface Decoder {
  dec(input: Uint8Array, outputSize: number): Uint8Array;
  lastInputOffset(): number;
  result(): number;
  free(): void;
}

const error = 0;
const success = 1;
const atOnce = 1 << 20;

/** Decompresses brotli. */
export async function unbrotli(bytes: Uint8Array): Promise<Uint8Array> {
  const { default: Brotli } = (await import("./tiny-brotli-dec-wasm.js" as string)) as {
    default: { create(): Promise<Decoder> | Decoder };
  };
  const decoder = await Brotli.create();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let done = 0; decoder.result() !== success || done === 0; ) {
    const part = decoder.dec(bytes.subarray(done, done + atOnce), atOnce);
    if (decoder.result() === error) throw new Error("the engine is damaged: it is no brotli");
    if (part.length === 0 && decoder.lastInputOffset() === 0) throw new Error("the engine is damaged: it is cut off");
    parts.push(part);
    size += part.length;
    done += decoder.lastInputOffset();
  }
  decoder.free();
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
