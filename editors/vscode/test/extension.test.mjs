// Loads the built extension with as much of an editor as it needs: npm run build, then
// node --test test/extension.test.mjs, with the command in DICESCRIPT or found by itself.

import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";

const require = createRequire(import.meta.url);
const dicescript = process.env.DICESCRIPT ?? "dicescript";

// editor is the part of vscode that the extension uses; any other name is a class,
// for the client library to extend.
function editor(settings) {
  const said = { errors: [], informed: [], executed: [], commands: {}, panels: [], terminal: [] };
  const nothing = { dispose() {} };
  const known = {
    commands: {
      registerCommand: (name, run) => ((said.commands[name] = run), nothing),
      executeCommand: async (...args) => void said.executed.push(args),
    },
    workspace: {
      getConfiguration: () => ({ get: (name) => settings[name] }),
      onDidChangeConfiguration: () => nothing,
      onDidSaveTextDocument: () => nothing,
    },
    window: {
      showErrorMessage: async (text, choice) => (said.errors.push(text), choice),
      showInformationMessage: async (text) => void said.informed.push(text),
      createTerminal: () => ({ show() {}, sendText: (text) => said.terminal.push(text), exitStatus: undefined }),
      createWebviewPanel: (...args) => {
        const panel = { args, webview: { html: "" }, onDidDispose: () => nothing };
        said.panels.push(panel);
        return panel;
      },
    },
    env: { shell: "/bin/sh" },
    ViewColumn: { Beside: -2 },
    version: "1.82.0",
  };
  const vscode = new Proxy(known, { get: (has, name) => has[name] ?? (has[name] = class {}) });
  return { vscode, said };
}

// activated is the extension in such an editor.
async function activated(settings, document) {
  const { vscode, said } = editor(settings);
  vscode.window.activeTextEditor = document && { document };
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  try {
    delete require.cache[require.resolve("../dist/extension.js")];
    const extension = require("../dist/extension.js");
    await extension.activate({ subscriptions: [] });
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    Module._load = load;
  }
  return said;
}

test("without the command, a person is told what to do", async () => {
  const said = await activated({ path: "/nowhere/dicescript", results: true });
  assert.equal(said.errors.length, 1);
  assert.match(said.errors[0], /there is no command \/nowhere\/dicescript.*dicescript\.path/);
  assert.deepEqual(said.executed, [["workbench.action.openSettings", "dicescript.path"]]);
});

test("a file is run, and its report shown beside", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "dicescript-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "a recipe.star");
  writeFileSync(file, 'output("Attack", 2d6)\n');
  const document = { languageId: "dicescript", isUntitled: false, save: async () => true, uri: { fsPath: file } };
  const said = await activated({ path: "/nowhere/dicescript" }, document);
  await said.commands["dicescript.run"]();
  assert.deepEqual(said.terminal, [`/nowhere/dicescript run -- '${file}'`]);

  const settings = { path: "/nowhere/dicescript" };
  const again = await activated(settings, document);
  settings.path = dicescript;
  await again.commands["dicescript.report"]();
  assert.equal(again.panels.length, 1);
  assert.equal(again.panels[0].args[3].enableScripts, false);
  assert.match(again.panels[0].webview.html, /<svg[\s\S]*Attack|Attack[\s\S]*<svg/);
  writeFileSync(file, "output(\n");
  await again.commands["dicescript.report"]();
  assert.match(again.panels[0].webview.html, /^<pre>.*a recipe\.star:1:/);
});
