// Running as people type: the newest text is what counts. A run that is still
// short is waited for; one that takes longer is ended when a newer text comes.

import type { Recipe, RunAnswer } from "dicescript";
import { type Backend, timeout } from "./backend.js";
import { byId } from "./dom.js";

/** Milliseconds after which a run is ended when there is a newer text. */
const patience = 120;
/** Milliseconds after which the progress of a run is shown. */
const showAfter = 300;

export interface RunnerHooks {
  recipe(): Recipe;
  /** Which chances the tables of reports have. */
  show(): string;
  done(answer: RunAnswer, recipe: Recipe, took: number): void;
  failed(why: unknown): void;
  stopped(): void;
}

interface Running {
  abort: AbortController;
  began: number;
  stale: boolean;
}

export class Runner {
  private running: Running | undefined;
  private wanted = false;
  private patient: ReturnType<typeof setTimeout> | undefined;
  private readonly bar = byId("progress");
  private ticking: ReturnType<typeof setInterval> | undefined;

  constructor(private readonly backend: Backend, private readonly hooks: RunnerHooks) {
    byId("stop").addEventListener("click", () => this.stop());
  }

  /** Runs the recipe as it is now. */
  run(): void {
    this.wanted = true;
    if (!this.running) {
      void this.next();
      return;
    }
    this.running.stale = true;
    clearTimeout(this.patient);
    this.patient = setTimeout(() => this.running?.stale && this.running.abort.abort(), Math.max(0, patience - (performance.now() - this.running.began)));
  }

  /** Ends what is running, and does not begin anew. */
  stop(): void {
    this.wanted = false;
    this.running?.abort.abort();
  }

  private async next(): Promise<void> {
    this.running = { abort: new AbortController(), began: performance.now(), stale: false };
    await this.backend.ready.catch(() => {}); // the run says why
    while (this.wanted) {
      this.wanted = false;
      const running: Running = { abort: new AbortController(), began: performance.now(), stale: false };
      this.running = running;
      this.show(running);
      const recipe = this.hooks.recipe();
      try {
        const answer = await this.backend.run<RunAnswer>("run", { ...recipe, page: true, show: this.hooks.show() }, { signal: running.abort.signal });
        if (!this.wanted || !running.stale) this.hooks.done(answer, recipe, performance.now() - running.began);
      } catch (why) {
        if (!running.abort.signal.aborted) this.hooks.failed(why);
        else if (!this.wanted) this.hooks.stopped();
      }
      clearTimeout(this.patient);
      this.running = undefined;
      this.hide();
    }
  }

  private show(running: Running): void {
    clearInterval(this.ticking);
    const fill = this.bar.querySelector<HTMLElement>(".fill")!;
    const words = this.bar.querySelector<HTMLElement>(".words")!;
    this.ticking = setInterval(() => {
      const took = performance.now() - running.began;
      if (took < showAfter) return;
      this.bar.hidden = false;
      fill.style.width = `${Math.min(100, (100 * took) / timeout())}%`;
      words.textContent = `Running for ${(took / 1000).toFixed(1)} of at most ${timeout() / 1000} s`;
    }, 100);
  }

  private hide(): void {
    clearInterval(this.ticking);
    this.bar.hidden = true;
  }
}
