import { readFileSync, readdirSync } from "node:fs";
import { createHash } from "node:crypto";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";

const here = dirname(fileURLToPath(import.meta.url));
const examples = join(here, "../../examples");

/** The texts of examples/, as a module that is fetched when they are wanted. */
function library() {
  const name = "virtual:library";
  const load = (folder, shelf) =>
    readdirSync(join(examples, folder))
      .filter((file) => /\.(md|star)$/.test(file) && file !== "README.md")
      .sort()
      .map((file) => {
        const text = readFileSync(join(examples, folder, file), "utf8");
        const heading = /\.md$/.test(file) ? text.match(/^# (.*)$/m)?.[1] : undefined;
        const game = folder === "atlas" ? text.match(/^- Game: (.*)$/m)?.[1] : undefined;
        const title = game ? `${game}: ${heading}` : heading;
        return { shelf, name: file, path: join(folder, file), title: title ?? file, text };
      });
  return {
    name: "library",
    resolveId: (id) => (id === name ? "\0" + name : undefined),
    load: (id) =>
      id === "\0" + name
        ? `export default ${JSON.stringify([...load("tutorial", "Tutorial"), ...load("cookbook", "Cookbook"), ...load("atlas", "Atlas: games and questions"), ...load("", "Games and guides")])}`
        : undefined,
  };
}

/** Whose work the page is made of: that of its own parts, and that of the engine. */
const licences = ["LICENSES.md", "NOTICE"];

function engineNotice() {
  return {
    name: "engine-notice",
    apply: "build",
    generateBundle() {
      this.emitFile({ type: "asset", fileName: "NOTICE", source: readFileSync(join(here, "../dicescript/NOTICE"), "utf8") });
    },
  };
}

/** The list of all files, for the service worker. Their names change with what they hold. */
function offline() {
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = ["./", ...Object.keys(bundle).filter((f) => f !== "index.html" && !licences.includes(f) && !f.endsWith(".map")), "icon.svg", "manifest.webmanifest"];
      const hash = createHash("sha256");
      for (const part of Object.values(bundle)) hash.update(part.type === "chunk" ? part.code : part.source);
      const worker = readFileSync(join(here, "src/offline-worker.js"), "utf8")
        .replace("__FILES__", JSON.stringify([...new Set(files)]))
        .replace("__VERSION__", JSON.stringify(hash.digest("hex").slice(0, 16)));
      this.emitFile({ type: "asset", fileName: "offline-worker.js", source: worker });
    },
  };
}

export default defineConfig({
  root: here,
  base: "./", // it may be hosted in any folder
  plugins: [library(), engineNotice(), offline()],
  worker: { format: "es" },
  build: {
    target: "es2022",
    assetsInlineLimit: 0, // data: is not allowed by the page's policy
    modulePreload: { polyfill: false },
    license: { fileName: "LICENSES.md" },
    chunkSizeWarningLimit: 1000,
  },
});
