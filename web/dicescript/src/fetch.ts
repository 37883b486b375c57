// Fetching the engine. It comes compressed by brotli, so that every host, however
// simple, sends little; browsers that cannot undo brotli themselves get a small
// decoder. A host that has undone the compression already is fine, too.

import { unbrotli } from "./unbrotli.js";

/** Fetches and compiles the engine. */
export async function fetchEngine(url?: string): Promise<WebAssembly.Module> {
  const response = await fetch(url ?? new URL("./engine.wasm.br", import.meta.url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status} ${response.statusText}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  return WebAssembly.compile(isWasm(bytes) ? (bytes as BufferSource) : ((await decompressed(bytes)) as BufferSource));
}

function isWasm(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0x61 && bytes[2] === 0x73 && bytes[3] === 0x6d;
}

async function decompressed(bytes: Uint8Array): Promise<Uint8Array> {
  let native: DecompressionStream;
  try {
    native = new DecompressionStream("brotli" as CompressionFormat);
  } catch {
    return unbrotli(bytes);
  }
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(native as unknown as ReadableWritablePair<Uint8Array, Uint8Array>);
  return new Uint8Array(await new Response(stream as ReadableStream).arrayBuffer());
}
