// What the engine is asked, and what it answers. These are the shapes of the
// JSON that package web/engine/answer reads and writes.

/** A value of an input. A whole number beyond 2^53 is text. */
export type Value = boolean | number | string;

/** A text with what it stands on: all that decides its result. */
export interface Recipe {
  /** Its file name. One that ends in .star is never read as a document. */
  name: string;
  text: string;
  /** Texts beside it by their names, which `load("./name")` finds. */
  files?: Record<string, string>;
  inputs?: Record<string, Value>;
}

/** Whose turn it is after an error. */
export type Kind =
  | "syntax" | "name" | "runtime" | "limit" | "deadline" | "cancelled" | "module" | "input" | "internal";

/** One call that was active when a run failed. */
export interface Frame {
  function?: string;
  file: string;
  line: number;
  column: number;
}

/** An error with its place in the text. */
export interface Mistake {
  kind: Kind;
  message: string;
  file?: string;
  /** From 1. */
  line?: number;
  /** From 1, in characters (code points). */
  column?: number;
  /** The line of text. */
  source?: string;
  /** The calls that were active, outermost first. */
  frames?: Frame[];
}

/** An input of a recipe. */
export interface Param {
  name: string;
  type: "bool" | "int" | "float" | "string";
  default: Value;
  help?: string;
  min?: number;
  max?: number;
  choices?: Value[];
  line?: number;
}

/** What a run used of its limits. */
export interface Usage {
  steps: number;
  work: number;
  cells: number;
  outcomes: number;
  bytes: number;
  text_bytes: number;
  elements: number;
  entries: number;
  name_bytes: number;
  int_bits: number;
  depth: number;
  outputs: number;
  output_bytes: number;
  title_bytes: number;
  print_bytes: number;
  source_bytes: number;
  loads: number;
}

/** An exact fraction, and the float that is nearest to it. */
export interface Exact {
  exact: string;
  value: number;
}

/** One output of a run, as the command's `--format json` writes it. */
export interface Output {
  title: string;
  kind: "DieRoll" | "Prob" | "Number" | "Outcomes" | "ProbTable" | "Grid" | "Comparison" | "Plan" | "Text" | string;
  /** Of a Prob or a Number. */
  exact?: string;
  value?: number;
  /** The true chances are within this of the given ones; 0 is exact. */
  error?: number;
  /** Of a DieRoll. */
  mean?: Exact;
  variance?: Exact;
  sd?: number;
  /** Of a DieRoll or of Outcomes. */
  pmf?: ({ outcome: number | string | unknown[]; at_least?: Exact; at_most?: Exact } & Exact)[];
  /** Of Outcomes: whether the labels stand on a scale, from worst to best. */
  ordered?: boolean;
  /** Of a ProbTable: its rows. Of a Grid: the labels of its rows. */
  rows?: unknown[];
  cols?: unknown[];
  corner?: string;
  cells?: (Exact & { error: number })[][];
  /** Of a Comparison. */
  rolls?: unknown[];
  text?: string;
  /** Of a Text: its value with the types of what that leaves open, where it does. */
  typed?: unknown;
}

/** An exact chance in words, and the float that is nearest to it. */
export interface Chance {
  /** Without the sign. */
  percent: string;
  /** As tables print it. */
  fraction: string;
  /** The whole fraction, unless it is very long or not exact. */
  exact?: string;
  value: number;
}

/** A roll for a chart: its points in rising order. */
export interface Series {
  name?: string;
  mean?: string;
  meanAt?: number;
  sd?: string;
  /** Least outcome, lower quartile, median, upper quartile, greatest outcome. */
  five?: [number, number, number, number, number];
  low: number[];
  /** The last outcome of each point; absent when points are single outcomes. */
  high?: number[];
  exactly: number[];
  atLeast: number[];
  atMost: number[];
  /** Exactly, at least and at most of each point in words, when these are few. */
  words?: [Chance, Chance, Chance][];
}

/** One chance with a label. */
export interface Bar {
  label: string;
  share: number;
  exactly: Chance;
  atLeast?: Chance;
  atMost?: Chance;
}

/** The cells of a grid. */
export interface Heat {
  corner?: string;
  rows: string[];
  cols: string[];
  values: number[][];
  /** The values in words, when they are few; others are probed. */
  cells?: Chance[][];
  prob: boolean;
}

/** An output as a chart needs it. */
export interface View {
  title: string;
  kind: string;
  line?: number;
  series?: Series[];
  bars?: Bar[];
  whole?: boolean;
  heat?: Heat;
}

/** The answer to `run`. */
export interface RunAnswer {
  ok: boolean;
  mistakes: Mistake[];
  params: Param[];
  inputs: { name: string; value: Value }[];
  usage: Usage;
  printed?: string;
  millis: number;
  document: boolean;
  report?: { outputs: Output[] };
  views?: View[];
  html?: string;
}

/** The answer to `compile`. */
export interface CompileAnswer {
  ok: boolean;
  mistakes: Mistake[];
  params: Param[];
  document: boolean;
}

/** What may be written at a place. */
export interface Completion {
  /** Where what it replaces begins, in UTF-16 units. */
  from: number;
  options: Option[];
}

/** One word of a completion. */
export interface Option {
  label: string;
  type: "function" | "method" | "property" | "variable" | "parameter" | "keyword" | "module" | "label";
  detail?: string;
  doc?: string;
}

/** What a name means. */
export interface Doc {
  Name: string;
  Receiver: string;
  Signature: string;
  Text: string;
  Example: string;
  Result: string;
}

/** An explanation of what is at a place: a function by its documentation, anything else by a text. */
export interface Hover {
  from: number;
  to: number;
  docs: Doc[];
  text?: string;
  /** The chances of dice, as text in lines. */
  chart?: string;
}

/** How the function is called whose arguments are being written. */
export interface Signature {
  text: string;
  doc?: string;
  parameters: { text: string; doc?: string }[];
  /** The parameter at the place, -1 for none. */
  active: number;
}

/** Something that is wrong with a text, or likely to be. */
export interface Remark {
  from: number;
  to: number;
  /** The text runs all the same. */
  warning: boolean;
  message: string;
  /** What may be meant instead, the likeliest first. */
  fixes?: Replacement[];
}

/** Puts a text in the place of another one. Places count UTF-16 units, as strings do. */
export interface Replacement {
  from: number;
  to: number;
  text: string;
}

/** What came up. */
export interface Rolled {
  text: string;
  /** What was thrown, die by die: those that are struck out were not kept. */
  dice?: string;
  note?: string;
}

/** An entry of the reference. */
export interface Topic {
  name: string;
  group: string;
  signature: string;
  text: string;
  errors?: string;
  example?: string;
  result?: string;
  of?: string[];
  module?: string;
}

/** A bundled module. */
export interface Module {
  name: string;
  doc: string;
  text: string;
  /** A document about it, with examples that run. */
  page: string;
}

/** What an engine is. */
export interface About {
  formats: string[];
  methods: string[];
  anydice: boolean;
}

/** The formats of reports. */
export type Format = "text" | "markdown" | "json" | "csv" | "html" | "svg";
