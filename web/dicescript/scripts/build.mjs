// Builds the package: the engine by Go, the rest by TypeScript. What is not ours
// is taken from where it is installed, with its licence in NOTICE.

import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, constants } from "node:zlib";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const root = join(here, "../..");
const dist = join(here, "dist");
const require = createRequire(import.meta.url);

const env = { ...process.env, PATH: [process.env.PATH, "/usr/local/go/bin"].join(delimiter) };
const go = (...args) => execFileSync("go", args, { cwd: root, env, encoding: "utf8", maxBuffer: 1 << 26 }).trim();

mkdirSync(dist, { recursive: true });

// The types and the code.
for (const file of readdirSync(dist)) if (/\.(js|d\.ts)$/.test(file)) rmSync(join(dist, file));
const goroot = go("env", "GOROOT");
copyFileSync(join(goroot, "lib/wasm/wasm_exec.js"), join(dist, "wasm_exec.js"));
const brotli = dirname(require.resolve("tiny-brotli-dec-wasm"));
copyFileSync(join(brotli, "tiny-brotli-dec-wasm.mjs"), join(dist, "tiny-brotli-dec-wasm.js"));
copyFileSync(join(brotli, "tiny-brotli-dec-wasm.wasm"), join(dist, "tiny-brotli-dec-wasm.wasm"));
execFileSync(process.execPath, [require.resolve("typescript/package.json").replace("package.json", "bin/tsc"), "-p", here], { stdio: "inherit" });

// The engine. Compressing takes longer than building, so it is only done anew
// for another engine.
mkdirSync(join(here, "build"), { recursive: true });
const wasm = join(here, "build/engine.wasm"); // outside of what is published
const before = existsSync(wasm) ? readFileSync(wasm) : undefined;
// What is not called in inner loops is built without inlining, which makes the
// engine 4 % smaller where it counts, compressed.
const cold = [
  "github.com/...", "go.starlark.net/syntax", "go.starlark.net/resolve", "go.starlark.net/starlarkstruct", "go.starlark.net/lib/...",
  "dicescript/lang", "dicescript/lang/anydice", "dicescript/lang/report", "dicescript/lang/assist/...", "dicescript/lang/syntax",
  "dicescript/lang/notation", "dicescript/lang/throw", "dicescript/web/engine/...",
  "dicescript/builtins", "dicescript/builtins/suggest",
  "image/...", "crypto/...", "compress/...", "html", "bufio", "path/...", "regexp/...", "encoding/...", "time", "fmt", "net/...", "os", "log", "reflect",
  "context", "embed", "hash/...", "internal/bisect", "internal/godebug", "internal/poll", "internal/strconv", "io/...", "math/rand/...", "sort", "strconv", "syscall", "unique", "weak",
].map((pattern) => `-gcflags=${pattern}=-l`);
execFileSync("go", ["build", "-trimpath", "-ldflags=-s -w", ...cold, "-o", wasm, "./web/engine"], {
  cwd: root, env: { ...env, GOOS: "js", GOARCH: "wasm", GOFLAGS: "-buildvcs=false" }, stdio: "inherit",
});
const engine = readFileSync(wasm);
const packed = join(dist, "engine.wasm.br");
const level = Number(process.env.BROTLI ?? 11); // a low one is for those who build often
const levelFile = join(here, "build/brotli-level");
const levelBefore = existsSync(levelFile) ? Number(readFileSync(levelFile, "utf8")) : undefined;
if (!existsSync(packed) || !before?.equals(engine) || levelBefore !== level) {
  writeFileSync(levelFile, String(level));
  writeFileSync(packed, brotliCompressSync(engine, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: level,
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: engine.length,
    },
  }));
}

// The licences.
copyFileSync(join(root, "LICENSE"), join(here, "LICENSE"));
const goEnv = { ...env, GOOS: "js", GOARCH: "wasm" };
const modules = execFileSync("go", ["list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}} {{.Dir}}{{end}}{{end}}", "./web/engine"], { cwd: root, env: goEnv, encoding: "utf8" })
  .split("\n").filter(Boolean);
const notices = [["The Go programming language", join(goroot, "LICENSE")]];
for (const line of [...new Set(modules)].sort()) {
  const [path, dir] = line.split(" ");
  notices.push([path, join(dir, readdirSync(dir).find((f) => /^licen[cs]e/i.test(f)))]);
}
notices.push(["tiny-brotli-dec-wasm", join(dirname(brotli), "LICENSE.MIT")]);
const notice = ["This package holds parts of other works, under these licences."];
for (const [name, file] of notices) {
  if (!existsSync(file)) throw new Error(`${name}: there is no ${file}`);
  notice.push(`\n${"=".repeat(72)}\n${name}\n${"=".repeat(72)}\n\n${readFileSync(file, "utf8").trim()}`);
}
writeFileSync(join(here, "NOTICE"), notice.join("\n") + "\n");

console.log(`engine: ${megabytes(statSync(wasm).size)} MB, ${megabytes(statSync(packed).size)} MB by brotli`);

function megabytes(n) {
  return (n / 1e6).toFixed(2);
}
