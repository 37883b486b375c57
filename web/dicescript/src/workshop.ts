// A workshop is a worker with an engine in it. It answers one question after the
// other. Nothing interrupts an engine that computes, so a question that takes too
// long is ended by ending its worker; the next question gets a new one.

import type { Mistake } from "./answers.js";
import { DicescriptError, plainError } from "./error.js";

/** A worker as a workshop needs it, in browsers and in Node. */
export interface Hands {
  post(message: unknown): void;
  /** Called once, before anything is posted. */
  listen(message: (data: FromWorker) => void, broken: (why: string) => void): void;
  end(): void;
  /** Whether the worker keeps the process alive. */
  hold?(busy: boolean): void;
}

/** What a worker says. */
export type FromWorker =
  | { ready: true; module?: WebAssembly.Module }
  | { answer: string; id: number; memory: number }
  | { printed: string }
  | { ended: string };

/** What may be said about one question. */
export interface Asking {
  signal?: AbortSignal;
  /** Milliseconds after which its worker is ended; without it, it may take any time. */
  end?: number;
  /** Called with what the recipe prints, while it runs. */
  print?: (text: string) => void;
}

interface Question {
  id: number;
  method: string;
  args: string;
  asking: Asking;
  resolve(value: unknown): void;
  reject(why: unknown): void;
  timer?: ReturnType<typeof setTimeout>;
  drop?: () => void;
}

/** Above so many bytes an engine is replaced when it is idle: its memory only grows. */
const muchMemory = 768 * 1024 * 1024;

export class Workshop {
  private hands: Hands | undefined;
  private isReady = false;
  private waiting: Question[] = [];
  private current: Question | undefined;
  private nextId = 1;
  private closed = false;
  private readonly whenReady: Promise<void>;
  private firstReady!: () => void;
  private neverReady!: (why: unknown) => void;

  /** hire makes a worker; it is given the compiled engine when there is one. */
  constructor(private readonly hire: (module?: WebAssembly.Module) => Hands, private module?: WebAssembly.Module) {
    this.whenReady = new Promise((resolve, reject) => {
      this.firstReady = resolve;
      this.neverReady = reject;
    });
    this.whenReady.catch(() => {});
    this.start();
  }

  /** Resolves when the engine can be asked. */
  ready(): Promise<void> {
    return this.whenReady;
  }

  /** The compiled engine, for other workshops; it is there once the engine is ready. */
  compiled(): WebAssembly.Module | undefined {
    return this.module;
  }

  /** Whether it has nothing to do. */
  get idle(): boolean {
    return this.isReady && !this.current && this.waiting.length === 0;
  }

  /** Asks a question. */
  ask<Answer>(method: string, args: unknown, asking: Asking = {}): Promise<Answer> {
    return new Promise<Answer>((resolve, reject) => {
      // What can't be written is refused before it has a place in the queue.
      const text = written(args);
      if (this.closed) return reject(plainError("cancelled", "the engine has been closed"));
      if (asking.signal?.aborted) return reject(asking.signal.reason);
      const q: Question = { id: this.nextId++, method, args: text, asking, resolve: resolve as (v: unknown) => void, reject };
      const aborted = () => this.abandon(q, asking.signal?.reason);
      asking.signal?.addEventListener("abort", aborted, { once: true });
      q.drop = () => asking.signal?.removeEventListener("abort", aborted);
      this.waiting.push(q);
      this.next();
    });
  }

  /** Ends the worker. Questions that are open are refused. */
  close(): void {
    this.closed = true;
    this.hands?.end();
    this.hands = undefined;
    const open = this.current ? [this.current, ...this.waiting] : this.waiting;
    this.current = undefined;
    this.waiting = [];
    for (const q of open) this.settle(q, () => q.reject(plainError("cancelled", "the engine has been closed")));
  }

  private start(): void {
    this.isReady = false;
    const hands = this.hire(this.module);
    this.hands = hands;
    hands.listen(
      (data) => this.hands === hands && this.hear(data),
      (why) => this.hands === hands && this.broke(why),
    );
  }

  private hear(data: FromWorker): void {
    if ("ready" in data) {
      this.module ??= data.module;
      this.isReady = true;
      this.hands?.hold?.(false);
      this.firstReady();
      this.next();
    } else if ("printed" in data) {
      this.print(data.printed);
    } else if ("ended" in data) {
      this.broke(data.ended);
    } else if (this.current?.id === data.id) {
      const q = this.current;
      this.current = undefined;
      this.settle(q, () => answer(q, data.answer));
      if (data.memory > muchMemory) this.replace();
      else this.next();
    }
  }

  /** Hands on what a recipe prints. What the receiver throws ends that run alone. */
  private print(text: string): void {
    const q = this.current;
    try {
      q?.asking.print?.(text);
    } catch (why) {
      if (q) this.abandon(q, why);
    }
  }

  private next(): void {
    if (!this.isReady || this.current) return;
    const q = this.waiting.shift();
    this.hands?.hold?.(q !== undefined);
    if (!q) return;
    this.current = q;
    if (q.asking.end !== undefined) {
      q.timer = setTimeout(() => this.abandon(q, plainError("deadline", "the time for this run is used up")), q.asking.end);
    }
    this.hands?.post({ id: q.id, method: q.method, args: q.args });
  }

  /** Gives up a question; when it is being answered, its worker goes. */
  private abandon(q: Question, why: unknown): void {
    if (this.current === q) {
      this.current = undefined;
      this.settle(q, () => q.reject(why));
      this.replace();
      return;
    }
    const i = this.waiting.indexOf(q);
    if (i < 0) return;
    this.waiting.splice(i, 1);
    this.settle(q, () => q.reject(why));
  }

  private replace(): void {
    this.hands?.end();
    if (!this.closed) this.start();
  }

  /** The worker has ended by itself: out of memory, or it could not be started. */
  private broke(why: string): void {
    const started = this.isReady;
    const error = plainError("internal", why);
    const q = this.current;
    this.current = undefined;
    if (q) this.settle(q, () => q.reject(error));
    if (started) return this.replace();
    this.hands?.end();
    this.hands = undefined;
    this.closed = true;
    this.neverReady(error);
    for (const w of this.waiting) this.settle(w, () => w.reject(error));
    this.waiting = [];
  }

  private settle(q: Question, how: () => void): void {
    clearTimeout(q.timer);
    q.drop?.();
    how();
  }
}

/** The arguments of a question as the engine reads them. */
function written(args: unknown): string {
  try {
    return JSON.stringify(args ?? {});
  } catch (why) {
    throw plainError("input", `JSON can't write this: ${why instanceof Error ? why.message : why}`);
  }
}

function answer(q: Question, text: string): void {
  const got = JSON.parse(text) as { result?: unknown; error?: Mistake };
  if (got.error) q.reject(new DicescriptError([got.error]));
  else q.resolve(got.result);
}
