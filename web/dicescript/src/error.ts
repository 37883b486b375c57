import type { Frame, Kind, Mistake } from "./answers.js";

/** Why a recipe could not be compiled or run, with the place in its text. */
export class DicescriptError extends Error {
  override readonly name = "DicescriptError";
  readonly kind: Kind;
  /** "" when the error has no place. */
  readonly file: string;
  /** From 1; 0 when the error has no place. */
  readonly line: number;
  /** From 1, in characters. */
  readonly column: number;
  /** The line of text. */
  readonly source: string;
  /** The calls that were active, outermost first. */
  readonly frames: Frame[];
  /** All that is wrong with the text; this error is the first. */
  readonly mistakes: Mistake[];

  constructor(mistakes: Mistake[]) {
    const first: Mistake = mistakes[0] ?? { kind: "internal", message: "the engine gave no reason" };
    const place = first.line ? `${first.file}:${first.line}:${first.column}: ` : "";
    super(place + first.message);
    this.kind = first.kind;
    this.file = first.file ?? "";
    this.line = first.line ?? 0;
    this.column = first.column ?? 0;
    this.source = first.source ?? "";
    this.frames = first.frames ?? [];
    this.mistakes = mistakes.length > 0 ? mistakes : [first];
  }
}

/** An error that is not about a place in a text. */
export function plainError(kind: Kind, message: string): DicescriptError {
  return new DicescriptError([{ kind, message }]);
}
