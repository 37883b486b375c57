// What the extension says to the command and about it, apart from the editor.

const os = require("node:os");
const path = require("node:path");

// commandOf is the command that the setting names; ~ is the home folder.
function commandOf(setting) {
  const text = (setting || "").trim() || "dicescript";
  return text === "~" || /^~[\\/]/.test(text) ? path.join(os.homedir(), text.slice(1)) : text;
}

// missing is what a person is told when the command can't be started.
function missing(command, error) {
  if (error && error.code === "ENOENT") {
    return `dicescript: there is no command ${command}. Build it (go build ./cmd/dicescript), and put it where commands are found or say in the setting dicescript.path where it is.`;
  }
  if (error && error.code === "EACCES") return `dicescript: ${command} is no command that can be started. The setting dicescript.path says where it is.`;
  return `dicescript: ${command} could not be started: ${error && error.message ? error.message : error}`;
}

// reportArguments have the report of a file printed as a page.
function reportArguments(file) {
  return ["run", "--format", "html", "--", file];
}

// runLine is the line of a shell that runs a file.
function runLine(command, file, shell = "") {
  if (/(powershell|pwsh)(\.exe)?$/i.test(shell)) return "& " + [command, "run", "--", file].map((word) => `'${word.replaceAll("'", "''")}'`).join(" ");
  if (/cmd\.exe$/i.test(shell)) return [command, "run", "--", file].map((word) => `"${word}"`).join(" ");
  return [command, "run", "--", file].map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`)).join(" ");
}

module.exports = { commandOf, missing, reportArguments, runLine };
