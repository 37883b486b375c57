// Sharing: a link that holds the whole recipe with its inputs, and a frame that
// shows its results in another page.

import { notice, openDialog } from "./dialog.js";
import { freshId, h } from "./dom.js";
import { type Linked, toFragment } from "./link.js";

/** Links longer than this are cut by some chats and mail programs. */
const longLink = 8000;

export async function openShare(linked: Linked): Promise<void> {
  const fragment = await toFragment(linked);
  const here = location.origin + location.pathname;
  const url = `${here}#${fragment}`;
  const frame = `<iframe src="${here}?embed#${fragment}" title="${escaped(linked.name)}" width="640" height="480" loading="lazy"></iframe>`;
  openDialog(
    "Share",
    "narrow",
    h("p", {}, "The link holds the whole recipe with its inputs. It is sent to nobody: what follows the # stays in the browser of whoever opens it."),
    field("Link", url),
    url.length > longLink ? h("p", { class: "warn" }, `The link has ${url.length} characters, which some chats cut off. Download the recipe instead.`) : "",
    field("To embed the results in a page", frame),
  );
}

function field(label: string, value: string): HTMLElement {
  const id = freshId();
  const box = h("textarea", { id, readOnly: true, rows: 3, value, onfocus: () => box.select() });
  const copy = h("button", { type: "button", onclick: () => void navigator.clipboard.writeText(value).then(() => notice("Copied."), () => box.select()) }, "Copy");
  copy.setAttribute("aria-label", `Copy: ${label}`);
  return h("div", { class: "field" }, h("label", { for: id }, label), box, copy);
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]!);
}
