/**
 * Exact dice chances in browsers. See the README.
 *
 * @packageDocumentation
 */
import { Engine } from "./engine.js";
import { type FromWorker, type Hands, Workshop } from "./workshop.js";

export * from "./answers.js";
export { DicescriptError } from "./error.js";
export * from "./engine.js";
export { Workshop, type Asking } from "./workshop.js";

export interface LoadOptions {
  /** Where the engine is, when it is not beside this module. */
  engine?: string;
  /** An engine that has been compiled already: `other.workshop.compiled()`. */
  module?: WebAssembly.Module;
}

/** Starts an engine in a worker and waits until it can be asked. */
export async function load(options: LoadOptions = {}): Promise<Engine> {
  const engine = new Engine(new Workshop((module) => hire(options, module), options.module));
  await engine.workshop.ready();
  return engine;
}

function hire(options: LoadOptions, module?: WebAssembly.Module): Hands {
  const worker = new Worker(new URL("./browser-worker.js", import.meta.url), { type: "module", name: "dicescript" });
  return {
    post: (message) => worker.postMessage(message),
    listen(message, broken) {
      worker.onmessage = (event: MessageEvent<FromWorker>) => message(event.data);
      worker.onerror = (event) => {
        event.preventDefault?.();
        broken(`the engine has ended: ${event.message || "its worker could not be started"}`);
      };
      worker.postMessage({ module, engine: options.engine });
    },
    end: () => worker.terminate(),
  };
}
