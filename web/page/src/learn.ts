// The library: tutorial, cookbook, atlas, games, and a page for each bundled module. Each
// opens as a document that runs; a change makes it a file of one's own.

import type { Module } from "dicescript";
import type { Backend } from "./backend.js";
import { openDialog } from "./dialog.js";
import { freshId, h } from "./dom.js";

export interface Page {
  shelf: string;
  name: string;
  /** Its name in links: "tutorial/01-one-die.md". */
  path: string;
  title: string;
  text: string;
}

export class Library {
  private all: Promise<Page[]> | undefined;

  constructor(private readonly backend: Backend) {}

  /** Everything that can be opened. */
  pages(): Promise<Page[]> {
    this.all ??= this.load();
    this.all.catch(() => (this.all = undefined));
    return this.all;
  }

  /** The page of a path; it may leave out the folder. */
  async find(path: string): Promise<Page | undefined> {
    const pages = await this.pages();
    return pages.find((p) => p.path === path) ?? pages.find((p) => p.path.endsWith("/" + path)) ?? pages.find((p) => p.name === path.split("/").at(-1));
  }

  private async load(): Promise<Page[]> {
    const [{ default: files }, modules] = await Promise.all([import("virtual:library"), this.backend.ask<Module[]>("modules", {})]);
    const pages = modules.map((m): Page => ({ shelf: "Modules", name: m.name.replace(/\.star$/, ".md"), path: "modules/" + m.name, title: `${m.name}: ${m.doc.split("\n")[0]!.replace(/\.$/, "")}`, text: m.page }));
    return [...files, ...pages];
  }
}

/** Opens the dialog of the library. */
export async function openLearn(library: Library, open: (page: Page) => void): Promise<void> {
  const id = freshId();
  const search = h("input", { id, type: "search", autofocus: true, autocomplete: "off", placeholder: "advantage, glitch, sneak attack, Risk…" });
  const list = h("div", { class: "shelves" }, "Loading…");
  const dialog = openDialog("Learn", "wide", h("div", { class: "field" }, h("label", { for: id }, "Find"), search), list);
  const pages = await library.pages().catch((why: unknown) => {
    list.textContent = `The library could not be loaded: ${why instanceof Error ? why.message : why}`;
    return [];
  });
  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = pages.filter((p) => words.every((w) => (p.title + " " + p.name + " " + p.text).toLowerCase().includes(w)));
    const shelves = [...new Set(found.map((p) => p.shelf))].map((shelf) =>
      h("section", {}, h("h3", {}, shelf), h("ul", {}, ...found.filter((p) => p.shelf === shelf).map((p) => h("li", {}, h("a", { href: "#open=" + p.path, onclick: (e: Event) => (e.preventDefault(), dialog.close(), open(p)) }, p.title))))),
    );
    list.replaceChildren(...(shelves.length > 0 ? shelves : pages.length > 0 ? [h("p", {}, "Nothing has these words.")] : [...list.childNodes]));
  };
  search.addEventListener("input", show);
  show();
}
