// The API for programs: compile once, run many times.

import type {
  About, CompileAnswer, Completion, Format, Hover, Mistake, Module, Output, Param, Recipe, Remark, Rolled, RunAnswer, Signature, Topic, Usage, Value,
} from "./answers.js";
import { DicescriptError, plainError } from "./error.js";
import type { Workshop } from "./workshop.js";

/** Milliseconds beyond its timeout that a run may take before its worker is ended. */
const grace = 1500;
const defaultTimeout = 10_000;

export interface CompileOptions {
  /** Texts beside the recipe by their names, which `load("./name")` finds. */
  files?: Record<string, string>;
  signal?: AbortSignal;
}

/** Values of a recipe's params by their names. */
export type Inputs = Record<string, Value | bigint | undefined>;

export interface RunOptions {
  /** Values of the recipe's params. One that is undefined is left out. */
  inputs?: Inputs;
  /** Milliseconds, from 1 on; 10 000 by default. */
  timeout?: number;
  signal?: AbortSignal;
  /** Called with what the recipe prints, while it runs. */
  print?: (text: string) => void;
}

export interface RollOptions {
  /** How many times; 1 by default, at most 1000. */
  count?: number;
  /** The same dice every time, for the same whole number. */
  seed?: number;
  signal?: AbortSignal;
}

export interface RenderOptions {
  /** "playground" prints tables as published recipes show them. */
  style?: "exact" | "playground";
  /** "all" lists every outcome of a long table. */
  rows?: "all";
  /** Places of outputs, from 0; without them, all. */
  places?: number[];
  /** Set the results into the document they belong to, as html or markdown. */
  weave?: boolean;
  signal?: AbortSignal;
}

/** What a run gave. */
export interface Result {
  outputs: Output[];
  /** The values that the inputs had. */
  inputs: Record<string, Value>;
  usage: Usage;
  /** What the recipe printed. */
  printed: string;
  /** What the result was made of. The same recipe always gives the same result. */
  recipe: Recipe;
}

/** The error of a run that failed, with what it had put out before. */
export class RunError extends DicescriptError {
  constructor(mistakes: Mistake[], readonly result: Result) {
    super(mistakes);
  }
}

/** An engine in a worker of its own. */
export class Engine {
  /** @internal */
  constructor(readonly workshop: Workshop) {}

  /** Compiles a recipe. A text that is no recipe is a {@link DicescriptError}. */
  async compile(name: string, text: string, options: CompileOptions = {}): Promise<Program> {
    const recipe: Recipe = { name, text, ...(options.files && { files: options.files }) };
    const got = await this.workshop.ask<CompileAnswer>("compile", recipe, asking(options));
    if (!got.ok) throw new DicescriptError(got.mistakes);
    return new Program(this, recipe, got.params, got.document);
  }

  /** All mistakes of a text, without running it. */
  async check(name: string, text: string, options: CompileOptions = {}): Promise<Mistake[]> {
    const recipe: Recipe = { name, text, ...(options.files && { files: options.files }) };
    return (await this.workshop.ask<CompileAnswer>("compile", recipe, asking(options))).mistakes;
  }

  /** Renders a result. */
  render(result: Result, format: Format, options: RenderOptions = {}): Promise<string> {
    const { signal, ...rest } = options;
    return this.workshop.ask<string>("render", { ...result.recipe, format, ...rest }, asking({ signal }));
  }

  /** What may be written at a place of a text, in UTF-16 units. */
  complete(name: string, text: string, offset: number, options: CompileOptions = {}): Promise<Completion> {
    return this.workshop.ask<Completion>("complete", { name, text, offset, ...(options.files && { files: options.files }) }, asking(options));
  }

  /** What is at a place of a text; null where there is nothing to explain. */
  hover(name: string, text: string, offset: number, options: CompileOptions = {}): Promise<Hover | null> {
    return this.workshop.ask<Hover | null>("hover", { name, text, offset, ...(options.files && { files: options.files }) }, asking(options));
  }

  /** How the function is called whose arguments are being written at a place; null where there is none. */
  signature(name: string, text: string, offset: number, options: CompileOptions = {}): Promise<Signature | null> {
    return this.workshop.ask<Signature | null>("signature", { name, text, offset, ...(options.files && { files: options.files }) }, asking(options));
  }

  /** What is wrong with a text, or, when it is right, what is likely a mistake all the same. */
  remarks(name: string, text: string, options: CompileOptions = {}): Promise<Remark[]> {
    return this.workshop.ask<Remark[]>("remarks", { name, text, ...(options.files && { files: options.files }) }, asking(options));
  }

  /** Really rolls notation such as 4d6kh3 + 2, or an expression. */
  roll(expr: string, options: RollOptions = {}): Promise<Rolled[]> {
    const { count = 1, seed } = options;
    return this.workshop.ask<Rolled[]>("roll", { name: "roll", text: "", expr, count, ...(seed !== undefined && { seed }) }, asking(options));
  }

  /** Everything that has a name in the language. */
  reference(): Promise<Topic[]> {
    return this.workshop.ask<Topic[]>("reference", {});
  }

  /** The bundled modules with their texts. */
  modules(): Promise<Module[]> {
    return this.workshop.ask<Module[]>("modules", {});
  }

  /** What the engine can do. */
  about(): Promise<About> {
    return this.workshop.ask<About>("about", {});
  }

  /** Ends the worker. */
  close(): void {
    this.workshop.close();
  }
}

/** A compiled recipe. */
export class Program {
  /** @internal */
  constructor(
    private readonly engine: Engine,
    private readonly recipe: Recipe,
    /** The inputs of the recipe, in the order of its text. */
    readonly params: Param[],
    /** Whether it is a document with prose. */
    readonly document: boolean,
  ) {}

  get name(): string {
    return this.recipe.name;
  }

  /**
   * Runs the recipe. A failure is a {@link RunError}, which has the outputs that
   * came before. A run that passes its timeout or is aborted is ended.
   */
  async run(options: RunOptions = {}): Promise<Result> {
    const { timeout = defaultTimeout } = options;
    const recipe: Recipe = { ...this.recipe, inputs: values(options.inputs) };
    const got = await this.engine.workshop.ask<RunAnswer>("run", { ...recipe, timeout }, asking(options, timeout));
    const result: Result = {
      outputs: got.report?.outputs ?? [],
      inputs: Object.fromEntries(got.inputs.map((i) => [i.name, i.value])),
      usage: got.usage,
      printed: got.printed ?? "",
      recipe,
    };
    if (!got.ok) throw new RunError(got.mistakes, result);
    return result;
  }

  /** Really rolls one of the outputs, by its place from 0. */
  async roll(place: number, options: RollOptions & { inputs?: Inputs } = {}): Promise<Rolled[]> {
    const { count = 1, seed } = options;
    const inputs = values(options.inputs);
    return this.engine.workshop.ask<Rolled[]>("roll", { ...this.recipe, inputs, place, count, ...(seed !== undefined && { seed }) }, asking(options));
  }
}

/** Inputs as JSON has them: a bigint is written as text, which the engine reads for a number. */
function values(inputs?: Inputs): Record<string, Value> {
  const given = Object.entries(inputs ?? {}).filter(([, v]) => v !== undefined);
  return Object.fromEntries(given.map(([name, v]) => [name, value(name, v)]));
}

function value(name: string, v: unknown): Value {
  switch (typeof v) {
    case "bigint":
      return v.toString();
    case "boolean":
    case "string":
      return v;
    case "number":
      if (Number.isFinite(v)) return v;
      throw plainError("input", `${name}: got ${v}, want a number`);
  }
  throw plainError("input", `${name}: got ${described(v)}, want a boolean, a number or a string`);
}

function described(v: unknown): string {
  if (v === null) return "null";
  if (Array.isArray(v)) return "a list";
  return typeof v === "object" ? "an object" : `a ${typeof v}`;
}

/** The longest time that timers of JavaScript have, in milliseconds. */
const longestTimeout = 2 ** 31 - 1 - grace;

function asking(options: { signal?: AbortSignal | undefined; print?: (text: string) => void }, timeout = defaultTimeout) {
  if (!(timeout >= 1 && timeout <= longestTimeout)) {
    throw plainError("input", `timeout: got ${timeout}, want milliseconds from 1 to ${longestTimeout}`);
  }
  return {
    end: timeout + grace,
    ...(options.signal && { signal: options.signal }),
    ...(options.print && { print: options.print }),
  };
}
