// The extension: it starts the language server of the dicescript command, runs files,
// and shows reports beside them.

const vscode = require("vscode");
const { execFile } = require("node:child_process");
const { LanguageClient, TransportKind } = require("vscode-languageclient/node");
const { commandOf, missing, reportArguments, runLine } = require("./command.js");

const languages = ["dicescript", "dicescript-document", "anydice", "markdown"];

let client;

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("dicescript.run", run),
    vscode.commands.registerCommand("dicescript.report", report),
    vscode.commands.registerCommand("dicescript.restart", restart),
    vscode.workspace.onDidChangeConfiguration((change) => {
      if (change.affectsConfiguration("dicescript")) restart();
    }),
    vscode.workspace.onDidSaveTextDocument(refresh),
  );
  await start();
}

async function deactivate() {
  await client?.stop();
}

function setting(name) {
  return vscode.workspace.getConfiguration("dicescript").get(name);
}

// start starts the language server, or says what to do when there is none.
async function start() {
  const command = commandOf(setting("path"));
  const version = await answer(command, ["version"]);
  if (version.error) {
    explainMissing(command, version.error); // nobody has to answer before the rest works
    return;
  }
  client = new LanguageClient(
    "dicescript",
    "dicescript",
    { command, args: ["lsp"], transport: TransportKind.stdio },
    {
      documentSelector: languages.flatMap((language) => ["file", "untitled"].map((scheme) => ({ language, scheme }))),
      middleware: {
        provideCodeLenses: (document, token, next) => (setting("results") ? next(document, token) : []),
      },
    },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    explainMissing(command, error);
  }
}

async function restart() {
  const old = client;
  client = undefined;
  await old?.stop().catch(() => {});
  await start();
}

// explainMissing tells a person where the command is looked for, and leads to the setting.
async function explainMissing(command, error) {
  const choice = await vscode.window.showErrorMessage(missing(command, error), "Open the Setting");
  if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "dicescript.path");
}

// answer runs the command to its end.
function answer(command, args, options = {}) {
  return new Promise((resolve) => {
    execFile(command, args, { maxBuffer: 64 << 20, timeout: 60_000, ...options }, (error, stdout, stderr) => resolve({ error, stdout, stderr }));
  });
}

// current is the file in front, saved.
async function current() {
  const document = vscode.window.activeTextEditor?.document;
  if (!document || !languages.includes(document.languageId)) {
    vscode.window.showInformationMessage("dicescript: open a recipe first");
    return undefined;
  }
  if (document.isUntitled || !(await document.save())) {
    vscode.window.showInformationMessage("dicescript: save the recipe first");
    return undefined;
  }
  return document;
}

let terminal;

// run runs the file in front in a terminal.
async function run() {
  const document = await current();
  if (!document) return;
  if (!terminal || terminal.exitStatus !== undefined) terminal = vscode.window.createTerminal("dicescript");
  terminal.show(true);
  terminal.sendText(runLine(commandOf(setting("path")), document.uri.fsPath, vscode.env.shell));
}

const reports = new Map(); // panels by the files that they show

// report shows the report of the file in front beside it, anew whenever it is saved.
async function report() {
  const document = await current();
  if (!document) return;
  const file = document.uri.fsPath;
  let panel = reports.get(file);
  if (!panel) {
    panel = vscode.window.createWebviewPanel(
      "dicescript.report",
      "Report",
      { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true },
      { enableScripts: false, localResourceRoots: [] },
    );
    panel.onDidDispose(() => reports.delete(file));
    reports.set(file, panel);
  }
  await fill(panel, file);
}

async function refresh(document) {
  const panel = reports.get(document.uri.fsPath);
  if (panel) await fill(panel, document.uri.fsPath);
}

async function fill(panel, file) {
  const command = commandOf(setting("path"));
  const { error, stdout, stderr } = await answer(command, reportArguments(file));
  if (error?.code === "ENOENT") return explainMissing(command, error);
  panel.title = "Report: " + file.split(/[\\/]/).pop();
  panel.webview.html = error && !stdout ? `<pre>${escaped(stderr || String(error))}</pre>` : stdout;
}

function escaped(text) {
  return text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
}

module.exports = { activate, deactivate };
