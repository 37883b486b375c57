// The page: a text on one side, what it means on the other.

import type { Completion, Hover, Mistake, Param, Recipe, Remark, RunAnswer, Signature, Value } from "dicescript";
import { type Backend, ServedBackend, WorkerBackend } from "./backend.js";
import { notice } from "./dialog.js";
import { byId, h } from "./dom.js";
import { openDownload } from "./download.js";
import { Editor, inWords } from "./editor.js";
import { openFiles } from "./files.js";
import { Inputs } from "./inputs.js";
import { Library, type Page, openLearn } from "./learn.js";
import { looksLikeAnyDice, looksLikeDocument, sortOf } from "./language.js";
import { fromFragment } from "./link.js";
import { fitPrint } from "./print.js";
import { openReference } from "./reference.js";
import { Route } from "./route.js";
import { Results } from "./results.js";
import { openRoll } from "./rolling.js";
import { Runner } from "./runner.js";
import { FolderStore } from "./folder.js";
import { openShare } from "./share.js";
import { startRecipe, startWelcome } from "./start.js";
import { BrowserStore, type Sheet, type Store, freeName } from "./store.js";
import "./style.css";
import { startTheme } from "./theme.js";
import { startDivider } from "./divider.js";

const served = document.querySelector<HTMLMetaElement>('meta[name="dicescript-folder"]')?.content;
const embedded = new URLSearchParams(location.search).has("embed");

class App {
  private readonly backend: Backend = served === undefined ? new WorkerBackend() : new ServedBackend();
  private readonly store: Store;
  private readonly library = new Library(this.backend);
  private readonly editor: Editor;
  private readonly results: Results;
  private readonly runner: Runner;
  private readonly inputs: Inputs;
  private sheet: Sheet = startSheet();
  /** Whether the text is a file of the store: what only was looked at is not kept. */
  private owned = false;
  /** The inputs of the recipe, as far as they are known: others are kept for when they come back. */
  private params: Param[] | undefined;
  private shown: () => void = () => {};
  /** Resolves when something has been run, well or not. */
  readonly firstResult = new Promise<void>((resolve) => (this.shown = resolve));
  private readonly route = new Route(() => void this.arrive());

  constructor(store: Store) {
    this.store = store;
    this.results = new Results({
      backend: this.backend,
      download: (place) => openDownload(this.backend, this.recipe(), this.results.views, place),
      go: (line) => this.editor.go(line, 1),
      again: () => this.runner.run(),
    });
    this.runner = new Runner(this.backend, {
      recipe: () => this.recipe(),
      show: () => ({ summary: "exactly", exactly: "exactly", atLeast: "at-least", atMost: "at-most" })[this.results.look.show],
      done: (answer, recipe, took) => this.done(answer, recipe, took),
      failed: (why) => this.failed(why),
      stopped: () => this.say("Stopped"),
    });
    this.inputs = new Inputs(byId<HTMLFormElement>("inputs"), (name, value) => this.setInput(name, value));
    this.editor = new Editor(byId("editor"), {
      change: (text, whole) => this.edited(text, whole),
      run: () => this.runner.run(),
      save: () => notice(served === undefined ? "Kept in this browser as you type." : "Saved to the folder as you type."),
      complete: (text, offset) => this.backend.ask<Completion>("complete", { ...this.recipe(), text, offset }),
      hover: (text, offset) => this.backend.ask<Hover | null>("hover", { ...this.recipe(), text, offset }),
      signature: (text, offset) => this.backend.ask<Signature | null>("signature", { ...this.recipe(), text, offset }),
    });
    store.onTrouble = (why) => notice(why);
    store.onChange = (name) => this.changedOutside(name);
    this.listen();
  }

  async start(): Promise<void> {
    this.say("Loading the engine…");
    await this.arrive();
    this.backend.ready.catch((why: unknown) => this.failed(why));
  }

  /** Opens what the entry of the history names: a file, a shared recipe, a page of the library, or the start recipe. */
  private async arrive(): Promise<void> {
    const { file, start, tried } = this.route.place;
    const sheet = file === undefined ? undefined : this.store.read(file);
    if (sheet) return this.open(sheet, true);
    if (tried) return this.open({ ...tried, inputs: {}, at: 0 }, false);
    if (start) return this.open(startSheet(), false);
    if (await this.fromAddress()) return;
    const name = (this.store.last && this.store.read(this.store.last) ? this.store.last : undefined) ?? (served === undefined ? undefined : this.store.names()[0]);
    if (name === undefined) {
      this.route.amend({ ...this.route.place, start: true }, "");
      return this.open(startSheet(), false);
    }
    this.route.amend({ file: name }, "");
    this.open(this.store.read(name)!, true);
  }

  /** Opens what the address names: a shared recipe, or a page of the library. */
  private async fromAddress(): Promise<boolean> {
    try {
      const linked = await fromFragment(location.hash);
      if (linked) {
        this.open({ ...linked, at: 0 }, false);
        return true;
      }
    } catch (why) {
      notice(`This link is damaged: ${why instanceof Error ? why.message : why}`);
      return false;
    }
    const path = /^#open=([\w./-]+)$/.exec(location.hash)?.[1];
    if (!path) return false;
    const page = await this.library.find(path).catch(() => undefined);
    if (page) this.look(page);
    else notice(`The library has no page ${path}.`);
    return page !== undefined;
  }

  private listen(): void {
    byId("files").addEventListener("click", () =>
      openFiles(this.store, {
        open: (name) => this.openFile(name),
        create: (name, text) => this.create(name, text ?? ""),
        rename: (to) => this.rename(to),
        remove: (name) => this.remove(name),
        current: () => this.sheet.name,
        owned: () => this.owned,
      }),
    );
    byId("learn").addEventListener("click", () => void openLearn(this.library, (page) => this.openPage(page)));
    byId("reference").addEventListener("click", () => void openReference(this.backend, (name, text) => {
      this.attempt(name, text);
    }));
    startWelcome(byId("welcome"), { attempt: (name, text) => this.attempt(name, text) });
    byId("roll").addEventListener("click", () => openRoll(this.backend));
    byId("download").addEventListener("click", () => openDownload(this.backend, this.recipe(), this.results.views, undefined));
    byId("share").addEventListener("click", () => void openShare(this.sheet));
    document.querySelector(".brand")!.addEventListener("click", (e) => {
      e.preventDefault();
      this.toStart();
    });
    byId("results").addEventListener("click", (e) => {
      const path = (e.target as HTMLElement).closest<HTMLElement>("[data-library]")?.dataset["library"];
      if (!path) return;
      e.preventDefault();
      void this.library.find(path.replace(/^(\.\.?\/)+/, "")).then((page) => (page ? this.openPage(page) : notice(`The library has no page ${path}.`)));
    });
  }

  /** The recipe as it is asked about: with the files that it may load. */
  private recipe(): Recipe {
    const { name, text, inputs } = this.sheet;
    const files: Record<string, string> = {};
    if (/load\(\s*["']\.\//.test(text)) {
      const folder = name.slice(0, name.lastIndexOf("/") + 1);
      for (const file of this.store.names()) {
        if (file !== name && file.startsWith(folder) && file.endsWith(".star")) files[file.slice(folder.length)] = this.store.read(file)?.text ?? "";
      }
    }
    const fitting = Object.entries(inputs).filter(([input, value]) => !this.params || this.params.some((p) => p.name === input && suits(p, value)));
    return { name, text, inputs: Object.fromEntries(fitting), ...(Object.keys(files).length > 0 && { files }) };
  }

  private open(sheet: Sheet, owned: boolean): void {
    this.sheet = { ...sheet, inputs: { ...sheet.inputs, ...(owned ? {} : this.route.place.inputs) } };
    this.owned = owned;
    this.params = undefined;
    if (owned) this.store.last = sheet.name;
    this.results.clear();
    byId("offer").hidden = true;
    this.named();
    this.editor.open(sheet.text);
    this.editor.is(sortOf(sheet.name, sheet.text));
    this.runner.run();
  }

  private openFile(name: string): void {
    const sheet = this.store.read(name);
    if (!sheet) return notice(`There is no file ${name}.`);
    this.route.visit({ file: name });
    this.open(sheet, true);
  }

  /** Opens a text to look at, which becomes a file when it is changed. */
  private attempt(name: string, text: string): void {
    this.route.visit({ tried: { name, text } });
    this.open({ name, text, inputs: {}, at: 0 }, false);
  }

  private toStart(): void {
    this.route.visit({ start: true });
    this.open(startSheet(), false);
  }

  private openPage(page: Page): void {
    this.route.visit({}, "open=" + page.path);
    this.look(page);
  }

  private look(page: Page): void {
    this.open({ name: page.name, text: page.text, inputs: {}, at: 0 }, false);
    byId("results").parentElement!.scrollTop = 0;
  }

  private create(wanted: string, text: string): void {
    const sheet = { name: freeName(this.store, wanted), text, inputs: {}, at: Date.now() };
    this.store.write(sheet);
    this.openFile(sheet.name);
    this.editor.focus();
  }

  /** Gives the text another name. What can be undone stays. */
  private rename(wanted: string): void {
    const from = this.sheet.name;
    const owned = this.owned;
    this.sheet.name = freeName(this.store, wanted);
    this.owned = true;
    this.keep();
    if (owned) this.store.remove(from);
    this.store.last = this.sheet.name;
    if (owned) this.route.amend({ file: this.sheet.name }, "");
    else this.route.visit({ file: this.sheet.name });
    this.named();
    this.editor.is(sortOf(this.sheet.name, this.sheet.text));
    this.runner.run();
  }

  private remove(name: string): void {
    this.store.remove(name);
    if (name !== this.sheet.name || !this.owned) return;
    const next = this.store.names()[0];
    if (next) this.openFile(next);
    else this.toStart();
  }

  private edited(text: string, whole: boolean): void {
    this.sheet.text = text;
    this.own();
    byId("offer").hidden = true;
    if (whole) this.recognise(text);
    else if (looksLikeAnyDice(text) && sortOf(this.sheet.name, text) === "recipe") this.offerAnyDice();
    this.editor.is(sortOf(this.sheet.name, text));
    this.keep();
    this.runner.run();
  }

  /** Makes what was only looked at a file of one's own. */
  private own(): void {
    if (this.owned) return;
    this.sheet.name = freeName(this.store, this.sheet.name);
    this.owned = true;
    this.store.last = this.sheet.name;
    this.route.visit({ file: this.sheet.name });
    this.named();
  }

  private keep(): void {
    this.sheet.at = Date.now();
    this.store.write(this.sheet);
  }

  /** Gives a text that was pasted as a whole the name of what it is: a recipe, a document or a program of AnyDice. */
  private recognise(text: string): void {
    const is = looksLikeAnyDice(text) ? "anydice" : looksLikeDocument(text) ? "document" : "recipe";
    const ending = { anydice: ".anydice", document: ".md", recipe: ".star" }[is];
    if (this.sheet.name.endsWith(ending) || (is === "recipe" && !/\.(md|anydice)$/.test(this.sheet.name))) return;
    if (is === "anydice") return this.asAnyDice();
    this.rename(this.sheet.name.replace(/\.\w+$/, "") + ending);
    notice(is === "document" ? "This is a document: its recipes run, and what they give stands under them." : "This is a recipe: it runs as one, because its name ends in .star.");
  }

  /** Treats the text as a program of AnyDice, which its name says. */
  private asAnyDice(): void {
    byId("offer").hidden = true;
    this.rename(this.sheet.name.replace(/\.\w+$/, "") + ".anydice");
    notice("This is an AnyDice program: it runs as one, because its name ends in .anydice.");
  }

  private offerAnyDice(): void {
    const offer = byId("offer");
    offer.replaceChildren("This looks like an AnyDice program. ", h("button", { type: "button", onclick: () => this.asAnyDice() }, "Run it as one"));
    offer.hidden = false;
  }

  private setInput(name: string, value: Value | undefined): void {
    if (value === undefined) delete this.sheet.inputs[name];
    else this.sheet.inputs[name] = value;
    if (this.owned) this.keep();
    else this.route.amend({ ...this.route.place, inputs: this.sheet.inputs });
    this.runner.run();
  }

  private changedOutside(name: string): void {
    if (name !== this.sheet.name || !this.owned) {
      if (/load\(\s*["']\.\//.test(this.sheet.text)) this.runner.run();
      return;
    }
    const sheet = this.store.read(name);
    if (!sheet || sheet.text === this.sheet.text) return;
    this.sheet = sheet;
    this.editor.show(sheet.text);
    this.runner.run();
  }

  private named(): void {
    byId("file-name").textContent = this.sheet.name;
    document.title = `${this.sheet.name} · dicescript`;
    const { start, tried } = this.route.place;
    byId("welcome").hidden = this.owned || embedded || !(start || tried);
  }

  private done(answer: RunAnswer, recipe: Recipe, took: number): void {
    if (recipe.name !== this.sheet.name) return;
    const compiled = answer.ok || !answer.mistakes.some((m) => m.kind === "syntax" || m.kind === "name" || m.kind === "module");
    if (compiled) this.params = answer.params;
    if (answer.mistakes[0]?.kind === "input" && JSON.stringify(this.recipe().inputs) !== JSON.stringify(recipe.inputs)) {
      this.runner.run(); // without the inputs that the recipe no longer has
      return;
    }
    const inputs = Object.fromEntries(answer.inputs.map((i) => [i.name, i.value]));
    if (compiled) this.inputs.show(answer.params, { ...inputs, ...recipe.inputs });
    if (answer.ok || (answer.views ?? []).length > 0 || this.results.views.length === 0) this.results.show(answer, recipe);
    else this.results.stale();
    this.printed(answer.printed ?? "");
    this.mistakes(answer.mistakes);
    if (answer.ok || !compiled) void this.remarks();
    const n = answer.views?.length ?? 0;
    this.say(answer.ok ? `${n} ${n === 1 ? "result" : "results"} in ${took < 10 ? took.toFixed(1) : Math.round(took)} ms` : `${answer.mistakes.length} ${answer.mistakes.length === 1 ? "mistake" : "mistakes"}`);
    this.ran();
  }

  private failed(why: unknown): void {
    const mistake: Mistake = { kind: "internal", message: why instanceof Error ? why.message : String(why) };
    this.mistakes([mistake]);
    this.results.stale();
    this.say("Failed");
    this.ran();
  }

  /** Notes that a run is over. */
  private ran(): void {
    const root = document.documentElement;
    root.dataset["ran"] = String(Number(root.dataset["ran"] ?? 0) + 1);
    this.shown();
  }

  private mistakes(all: Mistake[]): void {
    const file = this.sheet.name;
    this.editor.mark(all, file);
    byId("mistakes").replaceChildren(
      ...all.map((m) => {
        const here = m.line && (!m.file || m.file === file);
        const place = m.line ? (here ? `Line ${m.line}` : `${m.file}:${m.line}`) : "";
        const text = h("span", {}, m.message);
        return here && !embedded
          ? h("button", { type: "button", class: "mistake", onclick: () => this.editor.go(m.line!, m.column ?? 1) }, h("b", {}, place), text)
          : h("p", { class: "mistake" }, place ? h("b", {}, place) : null, text);
      }),
    );
  }

  /** Shows what is likely a mistake in a text that runs, and what may be written instead of mistakes. */
  private async remarks(): Promise<void> {
    const text = this.editor.text;
    const all = await this.backend.ask<Remark[]>("remarks", this.recipe()).catch(() => []);
    if (text !== this.editor.text) return;
    if (all.length === 0) return;
    this.editor.remark(all);
    const box = byId("mistakes");
    const shown = [...box.children];
    for (const r of all) {
      const place = `Line ${this.editor.lineOf(r.from)}`;
      let at = shown.find((e) => e.firstElementChild?.textContent === place && e.lastElementChild?.textContent === r.message);
      if (!at) {
        at = h("button", { type: "button", class: "remark", onclick: () => this.editor.goTo(r.from) }, h("b", {}, place), h("span", {}, r.message));
        box.append(at);
      }
      at.after(...(r.fixes ?? []).map((fix) => h("button", { type: "button", class: "fix", onclick: () => this.editor.apply(fix) }, inWords(fix))));
    }
  }

  private printed(text: string): void {
    const box = byId<HTMLDetailsElement>("printed");
    box.hidden = text === "";
    box.querySelector("pre")!.textContent = text;
  }

  private say(text: string): void {
    byId("status").textContent = text;
  }
}

function startSheet(): Sheet {
  return { name: "attack.star", text: startRecipe, inputs: {}, at: 0 };
}

/** Whether a value is one that a parameter takes. */
function suits(p: Param, value: Value): boolean {
  if (p.choices) return p.choices.includes(value);
  if (typeof value === "number" && ((p.min !== undefined && value < p.min) || (p.max !== undefined && value > p.max))) return false;
  const wanted = { bool: "boolean", int: "number", float: "number", string: "string" }[p.type];
  return typeof value === wanted && (p.type !== "int" || Number.isInteger(value));
}

async function begin(): Promise<void> {
  startTheme();
  startDivider();
  fitPrint();
  document.documentElement.classList.toggle("embed", embedded);
  const store = served === undefined ? new BrowserStore() : await FolderStore.open(served);
  const app = new App(store);
  await app.start();
  if (embedded) {
    byId("results").before(byId("mistakes"));
    const open = h("a", { class: "open-full", target: "_blank", rel: "noopener" }, "Open in dicescript");
    open.href = location.pathname + location.hash;
    document.querySelector(".read")!.append(open);
  }
  if (served === undefined && "serviceWorker" in navigator && window.isSecureContext) {
    // After the first result: until then the network is for what it needs.
    await app.firstResult;
    setTimeout(() => void navigator.serviceWorker.register("./offline-worker.js").catch(() => {}), 500);
  }
}


void begin();
