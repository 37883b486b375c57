// The worker of browsers. It gets the compiled engine, or fetches and compiles
// it and hands it back for the workers after it.

import "./wasm_exec.js";
import { fetchEngine } from "./fetch.js";
import { start } from "./inside.js";
import type { FromWorker } from "./workshop.js";

const scope = self as unknown as {
  postMessage(message: FromWorker): void;
  onmessage: ((event: MessageEvent) => void) | null;
};

scope.onmessage = async (event: MessageEvent<{ module?: WebAssembly.Module; engine?: string }>) => {
  try {
    const module = event.data.module ?? (await fetchEngine(event.data.engine));
    const respond = await start(module, (message) => scope.postMessage(message));
    scope.onmessage = (e) => respond(e.data);
    scope.postMessage(event.data.module ? { ready: true } : { ready: true, module });
  } catch (why) {
    scope.postMessage({ ended: `the engine could not be started: ${why instanceof Error ? why.message : why}` });
  }
};
