// Taking results away: as pictures, tables and data. All of them come from the
// engine's reports; a PNG is the SVG, drawn.

import type { Format, Recipe, View } from "dicescript";
import type { Backend } from "./backend.js";
import { notice, openDialog } from "./dialog.js";
import { freshId, h } from "./dom.js";

const kinds: { ending: string; format: Format; type: string; about: string }[] = [
  { ending: "svg", format: "svg", type: "image/svg+xml", about: "Charts, sharp at any size" },
  { ending: "png", format: "svg", type: "image/png", about: "Charts, for chats and slides" },
  { ending: "csv", format: "csv", type: "text/csv", about: "A table for spreadsheets" },
  { ending: "md", format: "markdown", type: "text/markdown", about: "Markdown tables" },
  { ending: "json", format: "json", type: "application/json", about: "Exact data for programs" },
  { ending: "html", format: "html", type: "text/html", about: "A page that stands alone" },
];

/** Opens the dialog. */
export function openDownload(backend: Backend, recipe: Recipe, views: View[], place: number | undefined): void {
  const id = freshId();
  const which = h("select", { id }, h("option", { value: "" }, "All results"), ...views.map((v, i) => h("option", { value: String(i), selected: i === place }, v.title)));
  const stem = recipe.name.replace(/\.[a-z]+$/, "");
  const get = (format: Format) => {
    const places = which.value === "" ? undefined : [Number(which.value)];
    return backend.ask<string>("render", { ...recipe, format, ...(places ? { places } : { weave: true }) });
  };
  const buttons = kinds.map((k) =>
    h("button", { type: "button", class: "choice", onclick: () => void deliver(k.ending, async () => {
      const text = await get(k.format);
      return k.ending === "png" ? png(text) : new Blob([text], { type: k.type + ";charset=utf-8" });
    }) }, h("b", {}, k.ending.toUpperCase()), h("span", {}, k.about)),
  );
  const copy = h("button", { type: "button", class: "choice", onclick: () => void get("markdown").then((text) => navigator.clipboard.writeText(text)).then(() => notice("Copied as Markdown."), failed) }, h("b", {}, "Copy"), h("span", {}, "Markdown, to the clipboard"));
  const text = h("button", { type: "button", class: "choice", onclick: () => void deliver("", async () => new Blob([recipe.text], { type: "text/plain;charset=utf-8" })) }, h("b", {}, "Recipe"), h("span", {}, "The text itself"));
  openDialog("Download", "narrow", h("div", { class: "field" }, h("label", { for: id }, "What"), which), h("div", { class: "choices" }, ...buttons, copy, text));

  async function deliver(ending: string, make: () => Promise<Blob>): Promise<void> {
    try {
      const url = URL.createObjectURL(await make());
      const name = ending === "" ? recipe.name : `${stem}.${ending}`;
      h("a", { href: url, download: name }).click();
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
    } catch (why) {
      failed(why);
    }
  }
}

function failed(why: unknown): void {
  notice(why instanceof Error ? why.message : String(why));
}

const scale = 2;

/** Draws a picture. */
async function png(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    if (image.naturalWidth === 0) throw new Error("there is no chart to draw");
    const canvas = h("canvas", { width: image.naturalWidth * scale, height: image.naturalHeight * scale });
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((resolve, reject) => canvas.toBlob((b) => (b ? resolve(b) : reject(new Error("the picture is too large"))), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}
