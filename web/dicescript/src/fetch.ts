// Fetching the engine. It comes compressed by brotli, so that every host, however
// simple, sends little; browsers that cannot undo brotli themselves get a small
// decoder. A host that has undone the compression already is fine, too. What has come
// is decompressed and compiled while the rest is on its way.

import { unbrotli } from "./unbrotli.js";

/** Fetches and compiles the engine. */
export async function fetchEngine(url?: string): Promise<WebAssembly.Module> {
  const response = await fetch(url ?? new URL("./engine.wasm.br", import.meta.url));
  if (!response.ok || !response.body) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const [start, bytes] = await peeked(response.body, magic.length);
  const engine = magic.every((byte, i) => start[i] === byte) ? bytes : decompressed(bytes);
  let damage: unknown; // which the browser would report in words of its own
  const told = noting(engine, (why) => (damage = why));
  try {
    return await WebAssembly.compileStreaming(new Response(told as BodyInit, { headers: { "Content-Type": "application/wasm" } }));
  } catch (why) {
    throw damage ?? why;
  }
}

function decompressed(packed: ReadableStream<Uint8Array>): ReadableStream<Uint8Array> {
  let native: DecompressionStream;
  try {
    native = new DecompressionStream("brotli" as CompressionFormat);
  } catch {
    return unbrotli(packed);
  }
  return packed.pipeThrough(native as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
}

/** The same stream; what goes wrong with it is told. */
function noting(stream: ReadableStream<Uint8Array>, tell: (why: unknown) => void): ReadableStream<Uint8Array> {
  const input = stream.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(output) {
      try {
        const next = await input.read();
        if (next.done) output.close();
        else output.enqueue(next.value);
      } catch (why) {
        tell(why);
        throw why;
      }
    },
    cancel: (why) => input.cancel(why),
  });
}

/** How WebAssembly begins. */
const magic = [0, 0x61, 0x73, 0x6d];

/** The first n bytes of a stream, or all that there are, and a stream of all its bytes. */
async function peeked(stream: ReadableStream<Uint8Array>, n: number): Promise<[Uint8Array, ReadableStream<Uint8Array>]> {
  const input = stream.getReader();
  const parts: Uint8Array[] = [];
  const start: number[] = [];
  while (start.length < n) {
    const next = await input.read();
    if (next.done) break;
    parts.push(next.value);
    start.push(...next.value.subarray(0, n - start.length));
  }
  const all = new ReadableStream<Uint8Array>({
    async pull(output) {
      const part = parts.shift() ?? (await input.read()).value;
      if (part) output.enqueue(part);
      else output.close();
    },
    cancel: (why) => input.cancel(why),
  });
  return [new Uint8Array(start), all];
}
