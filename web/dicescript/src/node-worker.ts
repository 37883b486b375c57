// The worker of Node.

import { readFile } from "node:fs/promises";
import { parentPort, workerData } from "node:worker_threads";
import { brotliDecompressSync } from "node:zlib";
import "./wasm_exec.js";
import { start } from "./inside.js";
import type { FromWorker } from "./workshop.js";

const say = (message: FromWorker) => parentPort!.postMessage(message);

try {
  const { module: given, engine } = workerData as { module?: WebAssembly.Module; engine?: string };
  const module = given ?? (await WebAssembly.compile(brotliDecompressSync(await readFile(engine ?? new URL("./engine.wasm.br", import.meta.url))) as BufferSource));
  const respond = await start(module, say);
  parentPort!.on("message", respond);
  say(given ? { ready: true } : { ready: true, module });
} catch (why) {
  say({ ended: `the engine could not be started: ${why instanceof Error ? why.message : why}` });
}
