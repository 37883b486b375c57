// The dialog of files: open, make, rename, delete.

import { openDialog } from "./dialog.js";
import { h, icon, icons } from "./dom.js";
import type { Store } from "./store.js";

export interface FileHooks {
  open(name: string): void;
  create(name: string, text?: string): void;
  rename(to: string): void;
  remove(name: string): void;
  current(): string;
  /** Whether the open text is a file that can be renamed. */
  owned(): boolean;
}

export function openFiles(store: Store, hooks: FileHooks): void {
  const list = h("ul", { class: "files" });
  const name = h("input", { type: "text", value: hooks.current(), "aria-label": "Name of this file", spellcheck: false });
  const rename = h("form", { class: "rename", onsubmit: (e: Event) => {
    e.preventDefault();
    const to = name.value.trim();
    if (to !== "" && to !== hooks.current()) hooks.rename(to);
    dialog.close();
  } }, name, h("button", {}, hooks.owned() ? "Rename" : "Keep as a file"));
  const fresh = h(
    "div",
    { class: "fresh" },
    ...[["New recipe", "recipe.star"], ["New document", "document.md"], ["New AnyDice program", "program.anydice"]].map(([label, file]) =>
      h("button", { type: "button", onclick: () => (dialog.close(), hooks.create(file!)) }, label!),
    ),
  );
  const upload = h("input", { type: "file", accept: ".star,.dice,.md,.anydice,.txt", "aria-label": "Open a file of this computer", onchange: () => void load() });
  const dialog = openDialog("Files", "narrow", rename, fresh, list, h("p", { class: "soft" }, store.where), h("label", { class: "upload" }, "Open a file of this computer ", upload));
  show();

  function show(): void {
    const names = store.names();
    list.replaceChildren(
      ...names.map((n) =>
        h(
          "li",
          {},
          h("button", { type: "button", class: "open" + (n === hooks.current() && hooks.owned() ? " current" : ""), onclick: () => (dialog.close(), hooks.open(n)) }, n),
          h("button", { type: "button", class: "icon", "aria-label": `Delete ${n}`, onclick: () => {
            if (confirm(`Delete ${n}? It cannot be brought back.`)) {
              hooks.remove(n);
              show();
            }
          } }, icon(icons.close)),
        ),
      ),
    );
    if (names.length === 0) list.append(h("li", { class: "soft" }, "No files yet: what you write becomes one."));
  }

  async function load(): Promise<void> {
    const file = upload.files?.[0];
    if (!file) return;
    const text = await file.text();
    dialog.close();
    hooks.create(file.name, text);
  }
}
