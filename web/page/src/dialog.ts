// Dialogs: the browser's own, so that focus, Escape and what is behind them are
// as people and screen readers know them.

import { freshId, h, icon, icons } from "./dom.js";

/** Opens a dialog with a title; it goes when it is closed. */
export function openDialog(title: string, shape: string, ...content: (HTMLElement | string)[]): HTMLDialogElement {
  const id = freshId();
  const close = h("button", { type: "button", class: "icon", "aria-label": "Close", onclick: () => dialog.close() }, icon(icons.close));
  const dialog = h("dialog", { class: shape, "aria-labelledby": id }, h("header", {}, h("h2", { id }, title), close), h("div", { class: "dialog-body" }, ...content));
  dialog.addEventListener("close", () => dialog.remove());
  dialog.addEventListener("click", (e) => e.target === dialog && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/** Shows a line for a moment, and to screen readers. */
export function notice(text: string): void {
  const bar = h("div", { class: "notice", role: "status" });
  document.body.append(bar);
  bar.textContent = text;
  setTimeout(() => bar.remove(), 6000);
}
