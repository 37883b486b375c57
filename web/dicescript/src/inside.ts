// What is inside a worker: the engine, and the way questions reach it.

import type { FromWorker } from "./workshop.js";

/** Go's own class, which wasm_exec.js defines. */
interface Go {
  importObject: WebAssembly.Imports;
  run(instance: WebAssembly.Instance): Promise<void>;
}

/** What the engine and its worker have in common, by global names. */
interface Shared {
  Go: new () => Go;
  dicescriptReady?: () => void;
  dicescriptPrint?: (text: string) => void;
  dicescriptCall?: (method: string, args: string) => string;
}

const shared = globalThis as unknown as Shared;

/** Starts the engine. It returns the function that answers a message. */
export async function start(
  module: WebAssembly.Module,
  say: (message: FromWorker) => void,
): Promise<(message: { id: number; method: string; args: string }) => void> {
  const go = new shared.Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  const memory = Object.values(instance.exports).find((e) => e instanceof WebAssembly.Memory) as WebAssembly.Memory;
  shared.dicescriptPrint = (printed) => say({ printed });
  await new Promise<void>((resolve, reject) => {
    shared.dicescriptReady = resolve;
    go.run(instance).then(
      () => {
        say({ ended: "the engine has ended: it may have needed more memory than there is" });
        reject(new Error("the engine has ended"));
      },
      reject,
    );
  });
  return ({ id, method, args }) => {
    const answer = shared.dicescriptCall!(method, args);
    if (answer !== undefined) say({ id, answer, memory: memory.buffer.byteLength });
  };
}
