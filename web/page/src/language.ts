// Highlighting: recipes, documents with recipes in their fences, and programs of
// AnyDice. What a word means is for the engine; here it only gets a colour.

import { HighlightStyle, StreamLanguage, type StringStream, indentService, indentUnit, syntaxHighlighting } from "@codemirror/language";
import type { Extension } from "@codemirror/state";
import { tags } from "@lezer/highlight";

interface State {
  /** The fence that is open, of a document. */
  fence: string;
  /** Whether the fence is code. */
  code: boolean;
  /** The quotes of the string that goes on over the line. */
  quotes: string;
  /** The last word was def. */
  defines: boolean;
}

const keywords = new Set("and break continue def elif else for if in lambda load not or pass return while".split(" "));
const atoms = new Set(["True", "False", "None"]);
const dice = /^(\d+[dD]([%]|[fF]\b|\d+)|[dD]\d+)((kh|kl|dh|dl|KH|KL|DH|DL)\d*)?(?!\w)/;
const range = /^-?\d*\.\.-?\d+|^-?\d+\.\.(?!\.)/;

function code(stream: StringStream, state: State): string | null {
  if (state.quotes) return string(stream, state);
  if (stream.eatSpace()) return null;
  if (stream.match(/^#.*/)) return "comment";
  const open = stream.match(/^[rb]?("""|'''|"|')/) as RegExpMatchArray | null;
  if (open) {
    state.quotes = open[1] ?? '"';
    return string(stream, state);
  }
  if (stream.match(dice)) return "dice";
  if (stream.match(range)) return "dice";
  if (stream.match(/^(0[xXoObB])?[\d.]+([eE][+-]?\d+)?/)) return "number";
  const word = stream.match(/^[\p{L}_][\p{L}\p{N}_]*/u) as RegExpMatchArray | null;
  if (word) {
    const name = word[0];
    const defined = state.defines;
    state.defines = name === "def";
    if (defined) return "definition";
    if (keywords.has(name)) return "keyword";
    if (atoms.has(name)) return "atom";
    if (stream.match(/^\s*\(/, false)) return "call";
    if (stream.match(/^\s*=(?!=)/, false)) return "name";
    return "variable";
  }
  stream.next();
  return null;
}

function string(stream: StringStream, state: State): string {
  const quotes = state.quotes;
  while (!stream.eol()) {
    if (stream.match(quotes)) {
      state.quotes = "";
      return "string";
    }
    if (stream.next() === "\\") stream.next();
  }
  if (quotes.length === 1) state.quotes = "";
  return "string";
}

/** One line of prose, or the line of a fence. */
function prose(stream: StringStream, state: State): string | null {
  if (stream.sol()) {
    const fence = stream.match(/^(`{3,}|~{3,})(.*)$/) as RegExpMatchArray | null;
    if (fence && (state.fence === "" || (fence[1]!.startsWith(state.fence) && fence[2]!.trim() === ""))) {
      const opens = state.fence === "";
      state.fence = opens ? fence[1]! : "";
      state.code = opens && fence[1]!.startsWith("`") && ["", "dice"].includes(fence[2]!.trim());
      return "fence";
    }
    if (state.fence === "" && stream.match(/^#{1,6}\s.*/)) return "heading";
    if (state.fence === "" && stream.match(/^\s*([-*+]|\d+\.)\s/)) return "list";
    if (state.fence === "" && stream.match(/^>/)) return "list";
  }
  if (state.fence !== "") {
    stream.skipToEnd();
    return "result";
  }
  if (stream.match(/^`[^`]*`/)) return "quoted";
  if (stream.match(/^\*\*[^*]+\*\*/)) return "strong";
  if (stream.match(/^\[[^\]]*\]\([^)]*\)/)) return "link";
  stream.next();
  stream.eatWhile(/[^`*[]/);
  return "prose";
}

const anydiceWords = new Set("output named function if else loop over result set to print position order base explode depth maximum highest lowest".split(" "));

function anydice(stream: StringStream, state: State): string | null {
  if (state.quotes) {
    if (stream.skipTo("\\")) {
      stream.next();
      state.quotes = "";
    } else stream.skipToEnd();
    return "comment";
  }
  if (stream.eatSpace()) return null;
  if (stream.match("\\")) {
    state.quotes = "\\";
    return anydice(stream, state) ?? "comment";
  }
  if (stream.match(/^"[^"]*"?/)) return "string";
  if (stream.match(/^\d*d(\d+|(?=[{[(A-Z]))/)) return "dice";
  if (stream.match(/^\d+(\.\.-?\d+)?/)) return "number";
  if (stream.match(/^[A-Z][A-Z_]*/)) return "name";
  const word = stream.match(/^[a-z]+/) as RegExpMatchArray | null;
  if (word) return anydiceWords.has(word[0]) ? "keyword" : "variable";
  stream.next();
  return null;
}

/** A line after one that opens a block or a bracket stands further in. */
const indentation = indentService.of((context, pos) => {
  const { from } = context.lineAt(pos, -1);
  if (from === 0) return 0;
  const above = context.state.doc.lineAt(from - 1).text;
  const indent = /^\s*/.exec(above)![0].length;
  return /[:({[]\s*(#.*)?$/.test(above) ? indent + context.unit : indent;
});

const tokenTable = {
  dice: tags.special(tags.number),
  call: tags.function(tags.variableName),
  definition: tags.definition(tags.function(tags.variableName)),
  name: tags.definition(tags.variableName),
  fence: tags.processingInstruction,
  result: tags.meta,
  prose: tags.content,
  quoted: tags.monospace,
  strong: tags.strong,
  link: tags.link,
  list: tags.list,
  heading: tags.heading,
};

function mode(token: (stream: StringStream, state: State) => string | null, comments: string) {
  return StreamLanguage.define<State>({
    startState: () => ({ fence: "", code: false, quotes: "", defines: false }),
    copyState: (state) => ({ ...state }),
    token,
    blankLine: (state) => {
      if (state.quotes.length === 1 && comments === "#") state.quotes = "";
    },
    languageData: { commentTokens: { line: comments }, closeBrackets: { brackets: ["(", "[", "{", '"'] } },
    tokenTable,
  });
}

const star = mode(code, "#");
const document = mode((stream, state) => {
  if (state.fence !== "" && state.code && !(stream.sol() && stream.match(/^`{3,}\s*$/, false))) return code(stream, state);
  state.quotes = "";
  return prose(stream, state);
}, "#");
const program = mode(anydice, "\\");

/** What a file is. */
export type Sort = "recipe" | "document" | "anydice";

export function sortOf(name: string, text: string): Sort {
  if (name.endsWith(".anydice")) return "anydice";
  return !name.endsWith(".star") && /^```+\s*(dice)?\s*$/m.test(text) ? "document" : "recipe";
}

/** Whether a text is prose with recipes in its fences, whatever it is called. */
export function looksLikeDocument(text: string): boolean {
  return sortOf("", text) === "document";
}

/** Whether a text is meant for AnyDice: its outputs have no parentheses. */
export function looksLikeAnyDice(text: string): boolean {
  const outputs = text.match(/^[ \t]*output\b(?!\s*\().*$/gm) ?? [];
  return outputs.length > 0 && !/^\s*(def|load|from|import)\b|^\s*output\s*\(/m.test(text) && !/^```/m.test(text);
}

const style = HighlightStyle.define([
  { tag: tags.keyword, class: "t-keyword" },
  { tag: tags.atom, class: "t-atom" },
  { tag: tags.number, class: "t-number" },
  { tag: tags.special(tags.number), class: "t-dice" },
  { tag: tags.string, class: "t-string" },
  { tag: tags.comment, class: "t-comment" },
  { tag: tags.function(tags.variableName), class: "t-call" },
  { tag: tags.definition(tags.variableName), class: "t-name" },
  { tag: tags.definition(tags.function(tags.variableName)), class: "t-definition" },
  { tag: tags.heading, class: "t-heading" },
  { tag: tags.content, class: "t-prose" },
  { tag: tags.processingInstruction, class: "t-fence" },
  { tag: tags.meta, class: "t-result" },
  { tag: tags.monospace, class: "t-quoted" },
  { tag: tags.strong, class: "t-strong" },
  { tag: tags.link, class: "t-link" },
  { tag: tags.list, class: "t-list" },
]);

export function languageFor(sort: Sort): Extension {
  return [{ recipe: star, document, anydice: program }[sort], indentUnit.of("    "), indentation, syntaxHighlighting(style)];
}
