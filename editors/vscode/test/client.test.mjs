// Talks to the language server as the client library of Visual Studio Code does:
// node --test test/client.test.mjs, with the command in DICESCRIPT or found by itself.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const protocol = require("vscode-languageserver-protocol/node");
const { commandOf, missing, reportArguments, runLine } = require("../src/command.js");

const dicescript = process.env.DICESCRIPT ?? "dicescript";

// start starts a server in a folder of its own, with these files.
async function start(t, files) {
  const folder = mkdtempSync(join(tmpdir(), "dicescript-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const child = spawn(dicescript, ["lsp", "--stdio"], { env: { ...process.env, XDG_CACHE_HOME: join(folder, "cache") } });
  let logged = "";
  child.stderr.on("data", (text) => (logged += text));
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(child.stdout),
    new protocol.StreamMessageWriter(child.stdin),
  );
  const problems = [];
  connection.onError(([error]) => problems.push(error));
  connection.onUnhandledNotification((message) => problems.push(message));
  const registered = new Promise((resolve) => connection.onRequest(protocol.RegistrationRequest.type, (params) => void resolve(params)));
  const waiting = new Map(); // by URI and version
  const published = new Map();
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
    const key = `${params.uri} ${params.version}`;
    published.set(key, params.diagnostics);
    waiting.get(key)?.(params.diagnostics);
  });
  connection.listen();
  const server = {
    connection,
    registered,
    uri: (name) => pathToFileURL(join(folder, name)).href,
    diagnostics: (uri, version) =>
      published.get(`${uri} ${version}`) ?? new Promise((resolve) => waiting.set(`${uri} ${version}`, resolve)),
    open: (uri, languageId, text) =>
      connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, { textDocument: { uri, languageId, version: 1, text } }),
    change: (uri, version, ...contentChanges) =>
      connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, { textDocument: { uri, version }, contentChanges }),
    ask: (type, params, token) => connection.sendRequest(type, params, token),
  };
  server.initialized = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(folder).href,
    workspaceFolders: [{ uri: pathToFileURL(folder).href, name: "recipes" }],
    capabilities: {
      workspace: { didChangeWatchedFiles: { dynamicRegistration: true } },
      textDocument: { documentSymbol: { hierarchicalDocumentSymbolSupport: true } },
    },
  });
  await connection.sendNotification(protocol.InitializedNotification.type, {});
  t.after(async () => {
    const ended = new Promise((resolve) => child.once("exit", resolve));
    await connection.sendRequest(protocol.ShutdownRequest.type);
    await connection.sendNotification(protocol.ExitNotification.type);
    assert.equal(await ended, 0, "the exit code");
    connection.dispose();
    rmSync(folder, { recursive: true });
    assert.equal(logged, "", "what the server logs");
    assert.deepEqual(problems, []);
  });
  return server;
}

const at = (uri, line, character) => ({ textDocument: { uri }, position: { line, character } });
const range = (a, b, c, d) => ({ start: { line: a, character: b }, end: { line: c, character: d } });

test("a recipe", async (t) => {
  const s = await start(t, { "house.star": "def bonus(level):\n    return level // 2\n" });
  assert.equal(s.initialized.serverInfo.name, "dicescript");
  assert.equal(s.initialized.capabilities.positionEncoding, "utf-16");
  assert.equal((await s.registered).registrations[0].method, "workspace/didChangeWatchedFiles");

  const uri = s.uri("a 🎲.star");
  const text = 'load("./house.star", "bonus")\nattack=2d6\noutput("🎲é", explod(attack)+bonus(3))\n';
  await s.open(uri, "dicescript", text);
  const [error] = await s.diagnostics(uri, 1);
  assert.equal(error.message, "undefined: explod; did you mean explode?");
  assert.deepEqual(error.range, range(2, 14, 2, 20));

  const [action] = await s.ask(protocol.CodeActionRequest.type, { textDocument: { uri }, range: error.range, context: { diagnostics: [error] } });
  const [edit] = action.edit.changes[uri];
  await s.change(uri, 2, { range: edit.range, text: edit.newText });
  assert.deepEqual(await s.diagnostics(uri, 2), []);

  const hover = await s.ask(protocol.HoverRequest.type, at(uri, 1, 8));
  assert.match(hover.contents.value, /^2d6: mean 7\.000, 2 to 12/);
  const definition = await s.ask(protocol.DefinitionRequest.type, at(uri, 2, 32));
  assert.deepEqual(definition, { uri: s.uri("house.star"), range: range(0, 4, 0, 9) });
  const references = await s.ask(protocol.ReferencesRequest.type, { ...at(uri, 2, 32), context: { includeDeclaration: true } });
  assert.deepEqual(references.map((r) => r.uri.split("/").pop()), ["a%20%F0%9F%8E%B2.star", "a%20%F0%9F%8E%B2.star", "house.star"]);
  const help = await s.ask(protocol.SignatureHelpRequest.type, at(uri, 2, 23));
  assert.equal(help.signatures[help.activeSignature].label, "explode(roll, max_depth=2, on=None)");
  const symbols = await s.ask(protocol.DocumentSymbolRequest.type, { textDocument: { uri } });
  assert.deepEqual(symbols.map((x) => x.name), ["attack", "🎲é"]);

  const [lens] = await s.ask(protocol.CodeLensRequest.type, { textDocument: { uri } });
  assert.match((await s.ask(protocol.CodeLensResolveRequest.type, lens)).command.title, /^mean 9\.361, .*3 to 37$/);
  const tokens = await s.ask(protocol.SemanticTokensRequest.type, { textDocument: { uri } });
  assert.equal(tokens.data.length % 5, 0);
  assert.deepEqual(tokens.data.slice(0, 5), [1, 7, 3, 0, 2]);
  const folds = await s.ask(protocol.FoldingRangeRequest.type, { textDocument: { uri } });
  assert.deepEqual(folds, []);
  const renamed = await s.ask(protocol.RenameRequest.type, { ...at(uri, 1, 0), newName: "roll_of_it" });
  assert.equal(renamed.changes[uri].length, 2);
  await assert.rejects(s.ask(protocol.RenameRequest.type, { ...at(uri, 1, 0), newName: "d6" }), /not a name/);

  const edits = await s.ask(protocol.DocumentFormattingRequest.type, { textDocument: { uri }, options: { tabSize: 4, insertSpaces: true } });
  assert.deepEqual(edits, [{ range: range(1, 0, 3, 0), newText: '\nattack = 2d6\noutput("🎲é", explode(attack) + bonus(3))\n' }]);

  await s.change(uri, 3, { range: range(3, 0, 3, 0), text: "attack.p_at_l" });
  const completion = await s.ask(protocol.CompletionRequest.type, at(uri, 3, 13));
  assert.deepEqual(completion.items.map((i) => i.label), ["p_at_least"]);
  assert.deepEqual(completion.items[0].textEdit.range, range(3, 7, 3, 13));
});

test("a question can be cancelled, and old texts are given up", async (t) => {
  const s = await start(t, {});
  const uri = s.uri("endless.star");
  await s.open(uri, "dicescript", "n = 0\nwhile True:\n    n = n\noutput(n)\n");
  const [lens] = await s.ask(protocol.CodeLensRequest.type, { textDocument: { uri } });
  const cancel = new protocol.CancellationTokenSource();
  const answer = s.ask(protocol.CodeLensResolveRequest.type, lens, cancel.token);
  cancel.cancel();
  await assert.rejects(answer, (error) => error.code === protocol.LSPErrorCodes.RequestCancelled);
  const old = s.ask(protocol.CodeLensResolveRequest.type, lens);
  await s.change(uri, 2, { text: "output(1)\n" });
  await assert.rejects(old, (error) => error.code === protocol.LSPErrorCodes.ContentModified);
  assert.deepEqual(await s.diagnostics(uri, 2), []);
});

test("a document and an AnyDice program", async (t) => {
  const s = await start(t, {});
  const rules = s.uri("campaign.md");
  await s.open(rules, "markdown", "# Rules 🎲\n\n```dice\noutput(explod(d6))\n```\n");
  assert.deepEqual((await s.diagnostics(rules, 1)).map((d) => d.range), [range(3, 7, 3, 13)]);
  const readme = s.uri("README.md");
  await s.open(readme, "markdown", "# Read me\n\n```\nmake\n```\n");
  assert.deepEqual(await s.diagnostics(readme, 1), []);
  const old = s.uri("old.anydice");
  await s.open(old, "anydice", "output 1d6 +\n");
  assert.equal((await s.diagnostics(old, 1)).length, 1);
  const folds = await s.ask(protocol.FoldingRangeRequest.type, { textDocument: { uri: rules } });
  assert.deepEqual(folds, [{ startLine: 2, endLine: 4 }]);
});

test("what the extension says", () => {
  assert.match(missing("dicescript", { code: "ENOENT" }), /there is no command dicescript.*dicescript\.path/);
  assert.match(missing("/etc/passwd", { code: "EACCES" }), /no command that can be started/);
  assert.match(missing("x", new Error("boom")), /boom/);
  assert.equal(commandOf("  "), "dicescript");
  assert.ok(!commandOf("~/bin/dicescript").startsWith("~"));
  assert.deepEqual(reportArguments("-a.star"), ["run", "--format", "html", "--", "-a.star"]);
  assert.equal(runLine("dicescript", "/home/it's/a.star"), `dicescript run -- '/home/it'\\''s/a.star'`);
  assert.equal(runLine("dicescript", "C:\\my dice\\a.star", "C:\\Windows\\cmd.exe"), `"dicescript" "run" "--" "C:\\my dice\\a.star"`);
  assert.equal(runLine("dicescript", "it's.star", "pwsh"), "& 'dicescript' 'run' '--' 'it''s.star'");
});
