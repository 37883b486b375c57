// The reference: everything that has a name, to search in, with examples to try.

import type { Topic } from "dicescript";
import type { Backend } from "./backend.js";
import { openDialog } from "./dialog.js";
import { freshId, h } from "./dom.js";

/** Opens the dialog; attempt opens an example as a recipe. */
export async function openReference(backend: Backend, attempt: (name: string, text: string) => void): Promise<void> {
  const id = freshId();
  const search = h("input", { id, type: "search", autofocus: true, autocomplete: "off", placeholder: "keep highest, explode, p_ge…" });
  const count = h("p", { class: "count", role: "status" });
  const list = h("div", { class: "topics" }, "Loading…");
  const dialog = openDialog("Reference", "wide", h("div", { class: "field" }, h("label", { for: id }, "Find"), search), count, list);
  let topics: Topic[];
  try {
    topics = await backend.ask<Topic[]>("reference", {});
  } catch (why) {
    list.textContent = why instanceof Error ? why.message : String(why);
    return;
  }
  const show = () => {
    const found = ranked(topics, search.value);
    count.textContent = found.length === 1 ? "1 entry" : `${found.length} entries`;
    list.replaceChildren(...found.map((t) => card(t, () => (dialog.close(), attempt(t.name + ".star", runnable(t))))));
    list.scrollTop = 0;
  };
  search.addEventListener("input", show);
  show();
}

/** The topics that have all the words, those whose name has them first. */
export function ranked(topics: Topic[], query: string): Topic[] {
  const words = query.toLowerCase().split(/[\s.()]+/).filter(Boolean);
  if (words.length === 0) return topics;
  const score = (t: Topic) => {
    let sum = 0;
    for (const w of words) {
      const name = t.name.toLowerCase();
      if (name === w) sum += 100;
      else if (name.startsWith(w)) sum += 40;
      else if (name.includes(w)) sum += 20;
      else if ((t.group + " " + (t.of ?? []).join(" ")).toLowerCase().includes(w)) sum += 6;
      else if ((t.text + " " + t.signature).toLowerCase().includes(w)) sum += 3;
      else return 0;
    }
    return sum;
  };
  return topics
    .map((t) => ({ t, points: score(t) }))
    .filter(({ points }) => points > 0)
    .sort((a, b) => b.points - a.points)
    .map(({ t }) => t);
}

function card(t: Topic, attempt: () => void): HTMLElement {
  const of = t.of?.length ? ` of ${t.of.join(", ")}` : t.module ? ` in ${t.module}` : "";
  return h(
    "article",
    { class: "doc" },
    h("h3", {}, h("code", {}, t.signature), h("small", {}, of)),
    h("p", {}, t.text),
    t.errors ? h("p", { class: "soft" }, "An error: " + t.errors) : null,
    t.example ? h("pre", { tabIndex: 0 }, t.example + (t.result ? "\n# " + t.result.replaceAll("\n", "\n# ") : "")) : null,
    t.example ? h("button", { type: "button", class: "quiet", "aria-label": `Try ${t.name}`, onclick: attempt }, "Try it") : null,
  );
}

/** An example as a recipe: its last line is what it shows. */
function runnable(t: Topic): string {
  const lines = t.example!.trimEnd().split("\n");
  const last = lines.pop()!;
  const load = t.module ? `load("${t.module}", "${t.name}")\n` : "";
  const code = last.replace(/\s+#.*$/, "");
  const shown = /^(output\(|\s|def |for |if |load\(|\w+\s*=[^=])/.test(code) ? code : `output(${code})`;
  return load + [...lines, shown].join("\n") + "\n";
}
