// What the tests of the page share: a server of files as any host has one, and
// Chromium with nothing in it.

import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { dirname, extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium } from "playwright-core";

export const dist = join(dirname(fileURLToPath(import.meta.url)), "../dist");

const types = { ".json": "application/json", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml", ".wasm": "application/wasm", ".webmanifest": "application/manifest+json" };

/** Serves a folder; counts what it sends. */
export async function host(folder = dist, { prefix = "/" } = {}) {
  const sent = [];
  const server = createServer((request, response) => {
    const path = new URL(request.url, "http://x").pathname;
    if (path === "/favicon.ico") return void response.writeHead(204).end();
    const relative = path.startsWith(prefix) ? path.slice(prefix.length) : "\0";
    const file = join(folder, normalize("/" + (relative === "" ? "index.html" : relative)));
    if (relative.includes("\0") || !existsSync(file) || !statSync(file).isFile()) {
      response.writeHead(404).end();
      return;
    }
    const body = readFileSync(file);
    sent.push({ path, size: body.length });
    response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream", "Cache-Control": "no-cache" }).end(body);
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}${prefix}`, sent, close: () => (server.closeAllConnections(), new Promise((r) => server.close(r))) };
}

const executable = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find(existsSync);
const flags = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/**
 * A browser of its own profile. Pages that it opens are watched: an error on the
 * console, or a request to anywhere else, is remembered in `trouble`.
 */
export async function browse(url, options = {}) {
  const profile = mkdtempSync(join(tmpdir(), "dicescript-page-"));
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: executable, headless: true, args: flags, viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options,
  });
  const trouble = [];
  const allowed = new URL(url).origin;
  const watch = (page) => {
    page.on("console", (m) => m.type() === "error" && trouble.push(`console: ${m.text()}`));
    page.on("pageerror", (e) => trouble.push(`error: ${e.message}`));
  };
  context.on("request", (r) => {
    if (/^https?:/.test(r.url()) && new URL(r.url()).origin !== allowed) trouble.push(`request: ${r.url()}`);
  });
  context.on("page", watch);
  context.pages().forEach(watch);
  context.setDefaultTimeout(Number(process.env.PATIENCE ?? 300_000));
  return { context, trouble, page: context.pages()[0], close: async () => (await context.close(), rmSync(profile, { recursive: true, force: true })) };
}

/** Waits until the page has run what it shows. */
export async function settled(page) {
  await page.waitForFunction(() => document.documentElement.dataset.ran > 0 && document.querySelector("#progress").hidden);
}

/** Replaces the text of the editor as a person does, and waits for its results. */
export async function write(page, text) {
  const before = await page.evaluate(() => Number(document.documentElement.dataset.ran ?? 0));
  await page.locator(".cm-content").click();
  await page.keyboard.press("ControlOrMeta+a");
  if (text.length > 400) await paste(page, text);
  else await page.keyboard.insertText(text);
  await page.waitForFunction((n) => Number(document.documentElement.dataset.ran) > n, before);
  await settled(page);
}

/** Pastes a text. */
export async function paste(page, text) {
  await page.evaluate((text) => {
    const data = new DataTransfer();
    data.setData("text/plain", text);
    document.querySelector(".cm-content").dispatchEvent(new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true }));
  }, text);
}
