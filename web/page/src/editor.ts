// The editor: CodeMirror with what the engine knows of the language.

import { type Completion as Word, type CompletionContext, type CompletionResult, acceptCompletion, autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentLess, indentMore } from "@codemirror/commands";
import { bracketMatching, indentOnInput } from "@codemirror/language";
import { type Diagnostic, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, searchKeymap } from "@codemirror/search";
import { Compartment, EditorState, type Extension, StateEffect, StateField, Transaction } from "@codemirror/state";
import { EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, highlightSpecialChars, hoverTooltip, keymap, lineNumbers, showTooltip, type Tooltip } from "@codemirror/view";
import type { Completion, Doc, Hover, Mistake, Remark, Replacement, Signature } from "dicescript";
import { h } from "./dom.js";
import { type Sort, languageFor } from "./language.js";

export interface EditorHooks {
  /** The text has been changed; whole says that it has been replaced by pasting. */
  change(text: string, whole: boolean): void;
  run(): void;
  save(): void;
  complete(text: string, offset: number): Promise<Completion>;
  hover(text: string, offset: number): Promise<Hover | null>;
  signature(text: string, offset: number): Promise<Signature | null>;
}

export class Editor {
  private readonly view: EditorView;
  private readonly language = new Compartment();
  private sort: Sort | undefined;
  private quiet = false;
  /** How often a call has been asked about: an answer that comes after Escape is for nobody. */
  private asked = 0;
  private readonly extensions: Extension;

  constructor(parent: HTMLElement, hooks: EditorHooks) {
    this.extensions = [
      lineNumbers(),
      highlightActiveLineGutter(),
      highlightSpecialChars(),
      history(),
      drawSelection(),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightSelectionMatches(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ "aria-label": "Text of the recipe", autocapitalize: "off", autocorrect: "off", spellcheck: "false" }),
      autocompletion({ override: [completionSource(hooks)], icons: false, activateOnTypingDelay: 60 }),
      hoverTooltip((view, pos) => hoverAt(hooks, view, pos), { hoverTime: 250 }),
      signatureField,
      this.language.of([]),
      keymap.of([
        { key: "Mod-Enter", run: () => (hooks.run(), true) },
        { key: "Mod-s", run: () => (hooks.save(), true) },
        { key: "Tab", run: (view) => acceptCompletion(view) || indentMore(view), shift: indentLess },
        { key: "Escape", run: (view) => (this.asked++, view.dispatch({ effects: showSignature.of(null) }), false) }, // and what else it does
        { key: "F1", run: (view) => this.explain(view, hooks) },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.updateListener.of((update) => {
        if (update.docChanged || update.selectionSet) this.callAt(hooks, update.docChanged && !this.quiet);
        if (!update.docChanged || this.quiet) return;
        const text = update.state.doc.toString();
        let inserted = 0;
        update.changes.iterChanges((_, __, from, to) => (inserted += to - from));
        const pasted = update.transactions.some((t) => t.isUserEvent("input.paste"));
        hooks.change(text, pasted && inserted >= text.trimEnd().length);
      }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ extensions: this.extensions }) });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  /** Shows another file. What was done before belongs to the one before, and cannot be undone here. */
  open(text: string): void {
    this.view.setState(EditorState.create({ doc: text, extensions: this.extensions }));
    this.sort = undefined;
  }

  /** Shows what the same file has become elsewhere. That is nothing which was done here, and cannot be undone here. */
  show(text: string): void {
    const now = this.text;
    if (text === now) return;
    let from = 0;
    while (from < now.length && now[from] === text[from]) from++;
    let end = 0;
    while (end < Math.min(now.length, text.length) - from && now.at(-1 - end) === text.at(-1 - end)) end++;
    this.quiet = true;
    this.view.dispatch({ changes: { from, to: now.length - end, insert: text.slice(from, text.length - end) }, annotations: Transaction.addToHistory.of(false) });
    this.quiet = false;
  }

  /** Says what the text is, for colours. */
  is(sort: Sort): void {
    if (sort === this.sort) return;
    this.sort = sort;
    this.view.dispatch({ effects: this.language.reconfigure(languageFor(sort)) });
  }

  /** Underlines mistakes. */
  mark(mistakes: Mistake[], file: string): void {
    const doc = this.view.state.doc;
    const marks: Diagnostic[] = [];
    for (const m of mistakes) {
      if (!m.line || m.line > doc.lines || (m.file && m.file !== file)) continue;
      const from = this.offset(m.line, m.column ?? 1);
      const rest = doc.sliceString(from, doc.line(m.line).to);
      const word = /^([\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]+)/u.exec(rest)?.[0].length ?? 0;
      const to = Math.min(from + Math.max(word, 1), doc.length);
      marks.push({ from: from === to ? Math.max(0, from - 1) : from, to, severity: "error", message: m.message });
    }
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Underlines what is likely a mistake. */
  remark(remarks: Remark[]): void {
    const end = this.view.state.doc.length;
    const marks = remarks.map((r): Diagnostic => ({ from: Math.min(r.from, end), to: Math.min(Math.max(r.to, r.from + 1), end), severity: r.warning ? "warning" : "error", message: r.message, actions: (r.fixes ?? []).map((fix) => ({ name: inWords(fix), apply: () => this.apply(fix) })) }));
    this.view.dispatch(setDiagnostics(this.view.state, marks));
  }

  /** Does what a mistake suggests. */
  apply(fix: Replacement): void {
    const end = this.view.state.doc.length;
    if (fix.to > end) return;
    this.view.dispatch({ changes: { from: fix.from, to: fix.to, insert: fix.text }, userEvent: "input.fix" });
    this.view.focus();
  }

  /** The number of the line that an offset is in. */
  lineOf(offset: number): number {
    return this.view.state.doc.lineAt(Math.min(offset, this.view.state.doc.length)).number;
  }

  /** Puts the cursor at an offset. */
  goTo(offset: number): void {
    this.view.dispatch({ selection: { anchor: Math.min(offset, this.view.state.doc.length) }, scrollIntoView: true });
    this.view.focus();
  }

  /** Shows how the function is called whose arguments are being written. It opens while one types, and stays while the cursor is in the call. */
  private callAt(hooks: EditorHooks, typed: boolean): void {
    const shown = this.view.state.field(signatureField, false) ?? null;
    if (!typed && !shown) return;
    const state = this.view.state;
    const asked = ++this.asked;
    void hooks.signature(state.doc.toString(), state.selection.main.head).then(
      (found) => {
        if (asked !== this.asked || this.view.state.doc !== state.doc || this.view.state.selection.main.head !== state.selection.main.head) return;
        if (!found && !this.view.state.field(signatureField, false)) return;
        this.view.dispatch({ effects: showSignature.of(found && { pos: state.selection.main.head, above: true, create: () => ({ dom: signatureCard(found) }) }) });
      },
      () => undefined,
    );
  }

  /** Puts the cursor at a line and column, which counts characters. */
  go(line: number, column: number): void {
    const at = this.offset(Math.min(line, this.view.state.doc.lines), column);
    this.view.dispatch({ selection: { anchor: at }, scrollIntoView: true });
    this.view.focus();
  }

  focus(): void {
    this.view.focus();
  }

  private offset(line: number, column: number): number {
    const { from, to, text } = this.view.state.doc.line(line);
    const before = [...text].slice(0, column - 1).join("");
    return Math.min(from + before.length, to);
  }

  /** Explains what is at the cursor, for those who do not point. */
  private explain(view: EditorView, hooks: EditorHooks): boolean {
    void hooks.hover(this.text, view.state.selection.main.head).then((found) => {
      const status = document.getElementById("status");
      if (found && status) status.textContent = found.text?.split("\n")[0] ?? found.docs.map((d) => `${d.Signature}: ${d.Text.split("\n")[0]}`).join(" · ");
    });
    return true;
  }
}

function completionSource(hooks: EditorHooks) {
  return async (context: CompletionContext): Promise<CompletionResult | null> => {
    const before = context.matchBefore(/[\p{L}_][\p{L}\p{N}_]*|\.|load\(\s*"[^"]*/u);
    if (!context.explicit && !before) return null;
    const found = await hooks.complete(context.state.doc.toString(), context.pos).catch(() => null);
    if (!found || found.options.length === 0) return null;
    return {
      from: found.from,
      options: found.options.map(
        (o): Word => ({
          label: o.label,
          type: o.type,
          ...(o.detail && { detail: o.detail.length > 34 ? o.detail.slice(0, 33) + "…" : o.detail }),
          ...(o.doc && { info: () => h("div", { class: "word-doc" }, o.doc!.split("\n\n")[0]!) }),
          boost: o.type === "variable" ? 2 : o.type === "keyword" ? -1 : 0,
        }),
      ),
      validFor: /^[\p{L}\p{N}_]*$/u,
    };
  };
}

async function hoverAt(hooks: EditorHooks, view: EditorView, pos: number): Promise<Tooltip | null> {
  const found = await hooks.hover(view.state.doc.toString(), pos).catch(() => null);
  if (!found) return null;
  return {
    pos: found.from,
    end: found.to,
    above: true,
    create: () => ({ dom: h("div", { class: "hover" }, ...found.docs.map(docCard), found.text ? h("p", {}, found.text) : null, found.chart ? h("pre", { class: "dice" }, found.chart) : null) }),
  };
}

const showSignature = StateEffect.define<Tooltip | null>();

const signatureField = StateField.define<Tooltip | null>({
  create: () => null,
  update(shown, transaction) {
    for (const effect of transaction.effects) if (effect.is(showSignature)) return effect.value;
    return shown;
  },
  provide: (field) => showTooltip.from(field),
});

/** The parameters of a call, with the one that is being written set off. */
function signatureCard(s: Signature): HTMLElement {
  const active = s.parameters[s.active];
  const at = active ? s.text.indexOf(active.text, s.text.indexOf("(")) : -1;
  return h(
    "div",
    { class: "call" },
    at < 0 ? h("code", {}, s.text) : h("code", {}, s.text.slice(0, at), h("b", {}, active!.text), s.text.slice(at + active!.text.length)),
    active?.doc ? h("p", {}, active.doc) : null,
  );
}

/** What a name means, as a card. */
export function docCard(doc: Doc): HTMLElement {
  return h(
    "article",
    { class: "doc" },
    h("code", { class: "signature" }, doc.Signature),
    doc.Receiver ? h("small", {}, " of " + doc.Receiver) : null,
    h("p", {}, doc.Text),
    doc.Example ? h("pre", {}, doc.Example + (doc.Result ? "\n# " + doc.Result.replaceAll("\n", "\n# ") : "")) : null,
  );
}

/** What a fix does. */
export function inWords(fix: Replacement): string {
  return `Write ${fix.text.trim()}`;
}
