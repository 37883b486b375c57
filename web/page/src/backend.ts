// Who answers: an engine in a worker, or the command behind `dicescript serve`.

import { DicescriptError, type Mistake, load, type Engine } from "dicescript";

/** Milliseconds that a run may take: twenty seconds, unless the page's own html says data-timeout. */
export function timeout(): number {
  return Number(document.documentElement.dataset.timeout) || 20_000;
}

export interface Asking {
  signal?: AbortSignal;
  print?: (text: string) => void;
}

export interface Backend {
  /** Resolves when it can be asked. */
  ready: Promise<void>;
  /** Runs a recipe; a later run ends an earlier one. */
  run<T>(method: string, args: object, asking?: Asking): Promise<T>;
  /** Asks something quick, also while a recipe runs. */
  ask<T>(method: string, args: object, asking?: Asking): Promise<T>;
}

/** Milliseconds beyond the timeout after which a worker is ended. */
const grace = 1000;

/**
 * Two engines: while one runs, the other one tells what the pointer asks. When a
 * run has to be ended its worker goes, and the other one takes over at once.
 */
export class WorkerBackend implements Backend {
  readonly ready: Promise<void>;
  private runner!: Engine;
  private helper: Promise<Engine> | undefined;

  constructor() {
    this.ready = load().then((engine) => {
      this.runner = engine;
    });
  }

  async run<T>(method: string, args: object, asking: Asking = {}): Promise<T> {
    await this.ready;
    const engine = this.runner;
    const done = new AbortController();
    const swap = () => void this.swap(engine);
    asking.signal?.addEventListener("abort", swap, { once: true, signal: done.signal });
    try {
      return await engine.workshop.ask<T>(method, { ...args, timeout: timeout() }, { ...asking, end: timeout() + grace });
    } finally {
      done.abort();
      this.second();
    }
  }

  async ask<T>(method: string, args: object, asking: Asking = {}): Promise<T> {
    await this.ready;
    const engine = this.runner.workshop.idle ? this.runner : await this.second();
    return engine.workshop.ask<T>(method, args, { ...asking, end: timeout() + grace });
  }

  /** The second engine, which starts when it is first wanted. */
  private second(): Promise<Engine> {
    const module = this.runner.workshop.compiled();
    this.helper ??= load(module ? { module } : {});
    return this.helper;
  }

  /** Makes the second engine the one that runs. */
  private async swap(from: Engine): Promise<void> {
    const other = await this.second();
    if (this.runner !== from || !other.workshop.idle) return;
    this.runner = other;
    this.helper = Promise.resolve(from);
  }
}

/** The command, by requests to where the page came from. */
export class ServedBackend implements Backend {
  readonly ready = Promise.resolve();

  run<T>(method: string, args: object, asking: Asking = {}): Promise<T> {
    return this.ask<T>(method, { ...args, timeout: timeout() }, asking);
  }

  async ask<T>(method: string, args: object, asking: Asking = {}): Promise<T> {
    const response = await fetch(`./api/call/${method}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(args),
      ...(asking.signal && { signal: asking.signal }),
    });
    if (!response.ok) throw new Error(`dicescript serve answers ${response.status}: ${await response.text()}`);
    const got = (await response.json()) as { result: T; error?: Mistake };
    if (got.error) throw new DicescriptError([got.error]);
    return got.result;
  }
}
