// Exact dice chances in Node: the same as in browsers, on a thread of its own.

import { Worker } from "node:worker_threads";
import type { LoadOptions } from "./browser.js";
import { Engine } from "./engine.js";
import { type FromWorker, type Hands, Workshop } from "./workshop.js";

export * from "./answers.js";
export { DicescriptError } from "./error.js";
export * from "./engine.js";
export { Workshop, type Asking } from "./workshop.js";
export type { LoadOptions } from "./browser.js";

/**
 * Starts an engine on a thread and waits until it can be asked. An engine that
 * has nothing to do does not keep the process alive.
 */
export async function load(options: LoadOptions = {}): Promise<Engine> {
  const engine = new Engine(new Workshop((module) => hire(options, module), options.module));
  await engine.workshop.ready();
  return engine;
}

function hire(options: LoadOptions, module?: WebAssembly.Module): Hands {
  const worker = new Worker(new URL("./node-worker.js", import.meta.url), { workerData: { module, engine: options.engine } });
  return {
    post: (message) => worker.postMessage(message),
    listen(message, broken) {
      worker.on("message", (data: FromWorker) => message(data));
      worker.on("error", (why) => broken(`the engine has ended: ${why instanceof Error ? why.message : String(why)}`));
      worker.on("exit", () => broken("the engine has ended"));
    },
    end: () => void worker.terminate(),
    hold: (busy) => (busy ? worker.ref() : worker.unref()),
  };
}
