-- Drives Neovim as a person would: nvim --headless --clean -u dicescript.lua -c 'luafile test.lua'
-- in a folder of its own, with dicescript in PATH. It ends with 0, or with 1 and what
-- went wrong.

local failures = 0

local function check(what, good, got)
  if not good then
    failures = failures + 1
    io.stderr:write("FAILED " .. what .. ": got " .. vim.inspect(got) .. "\n")
  else
    io.stderr:write("ok     " .. what .. "\n")
  end
end

local function wait_for(what, condition)
  local good = vim.wait(20000, condition, 20)
  check(what, good, "nothing for 20 seconds")
  return good
end

local function keys(text)
  vim.api.nvim_feedkeys(vim.api.nvim_replace_termcodes(text, true, false, true), "tx", false)
end

local function lines() return vim.api.nvim_buf_get_lines(0, 0, -1, false) end

local function messages()
  local found = {}
  for _, d in ipairs(vim.diagnostic.get(0)) do table.insert(found, d.message) end
  return found
end

local function ask(method, more)
  local params = vim.tbl_extend("force", vim.lsp.util.make_position_params(0, "utf-16"), more or {})
  local answers = vim.lsp.buf_request_sync(0, method, params, 20000) or {}
  for _, answer in pairs(answers) do
    if answer.result then return answer.result end
    if answer.err then return answer.err end
    if answer.error then return answer.error end
  end
end

vim.o.virtualedit = "onemore" -- so that the cursor stands behind a word, as when typing
vim.lsp.set_log_level("debug")
vim.fn.writefile({ "def bonus(level):", "    return level // 2" }, "house.star")
vim.fn.writefile({
  "load(\"./house.star\", \"bonus\")",
  "", "attack=2d6", "# 🎲 é",
  "output(\"🎲é\", explod(attack)+bonus(3))",
}, "attack.star")

vim.cmd("edit attack.star")
check("filetype", vim.bo.filetype == "dicescript", vim.bo.filetype)
local function attached() return #vim.lsp.buf_get_clients(0) > 0 end
if vim.lsp.get_clients then attached = function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 end end
wait_for("attach", attached)
wait_for("diagnostics on opening", function() return messages()[1] == "undefined: explod; did you mean explode?" end)
local d = vim.diagnostic.get(0)[1]
check("their place, in bytes", d.lnum == 4 and vim.fn.getline(5):sub(d.col + 1, d.end_col) == "explod", d)

-- A code action does what the error says.
vim.fn.cursor(5, d.col + 2)
local actions = ask("textDocument/codeAction", {
  range = { start = { line = 4, character = 15 }, ["end"] = { line = 4, character = 15 } }, context = { diagnostics = {} },
})
check("code action", actions and actions[1] and actions[1].title == "Write explode", actions)
vim.lsp.util.apply_workspace_edit(actions[1].edit, "utf-16")
check("its edit", vim.fn.getline(5) == "output(\"🎲é\", explode(attack)+bonus(3))", lines())
wait_for("no diagnostics after it", function() return #messages() == 0 end)

-- Typing.
keys("Goattack.p_at_l<Esc>")
wait_for("a warning while typing", function() return (messages()[1] or ""):match("not used") end)
vim.fn.cursor(6, 99)
local offered = ask("textDocument/completion")
check("completion", offered and offered.items and #offered.items == 1 and offered.items[1].label == "p_at_least", offered)
vim.lsp.util.apply_text_edits({ offered.items[1].textEdit }, 0, "utf-16")
check("completion puts the word in", vim.fn.getline(6) == "attack.p_at_least", lines())
vim.cmd("6,$delete")

-- Help.
vim.fn.cursor(3, 8)
local hover = ask("textDocument/hover")
check("hover", hover and hover.contents and hover.contents.value:match("^2d6: mean 7.000, 2 to 12"), hover)
vim.lsp.buf.hover()
wait_for("its window", function() return #vim.api.nvim_list_wins() > 1 end)
for _, w in ipairs(vim.api.nvim_list_wins()) do
  if vim.api.nvim_win_get_config(w).relative ~= "" then vim.api.nvim_win_close(w, true) end
end

-- Definition.
vim.fn.cursor(5, vim.fn.getline(5):find("bonus") + 1)
vim.lsp.buf.definition()
wait_for("definition", function() return vim.fn.expand("%:t") == "house.star" and vim.fn.line(".") == 1 end)
vim.cmd("buffer attack.star")

-- Renaming, with an edit in another file.
vim.cmd("buffer house.star")
wait_for("attach to the module", attached)
vim.fn.cursor(1, 6)
vim.lsp.buf.rename("extra")
wait_for("rename", function() return vim.fn.getline(1) == "def extra(level):" end)
vim.cmd("buffer attack.star")
wait_for("rename elsewhere", function() return vim.fn.getline(1) == "load(\"./house.star\", bonus=\"extra\")" end)
wait_for("nothing is wrong then", function() return #messages() == 0 end)

-- Formatting.
if vim.lsp.buf.format then vim.lsp.buf.format({ async = false, timeout_ms = 20000 }) else vim.lsp.buf.formatting_sync({}, 20000) end
check("format", vim.deep_equal(lines(), {
  "load(\"./house.star\", bonus = \"extra\")", "", "attack = 2d6", "", "# 🎲 é",
  "output(\"🎲é\", explode(attack) + bonus(3))",
}), lines())

-- Lenses. The change of the other file is sent a moment later.
wait_for("code lens with its result", function()
  local lenses = ask("textDocument/codeLens")
  local lens = lenses and #lenses == 1 and ask("codeLens/resolve", lenses[1])
  return lens and lens.command and lens.command.title:match("^mean 9%.361, .*3 to 37$")
end)

-- References, symbols.
vim.fn.cursor(3, 1)
local found = ask("textDocument/references", { context = { includeDeclaration = true } })
check("references", found and #found == 2, found)
local symbols = ask("textDocument/documentSymbol")
check("symbols", symbols and #symbols == 2, symbols)

-- A document and an AnyDice program.
vim.fn.writefile({ "# Rules", "", "```dice", "output(explod(d6))", "```" }, "campaign.md")
vim.cmd("edit! campaign.md")
wait_for("a document", function() return messages()[1] == "undefined: explod; did you mean explode?" end)
vim.fn.writefile({ "output 1d6 +" }, "old.anydice")
vim.cmd("edit! old.anydice")
wait_for("an AnyDice program", function() return #messages() == 1 end)

-- The end: servers leave when they are asked to, and the log has no error.
local clients = vim.lsp.get_active_clients and vim.lsp.get_active_clients() or vim.lsp.get_clients()
for _, c in ipairs(clients) do c.stop() end
wait_for("the servers leave", function()
  for _, c in ipairs(clients) do if not c.is_stopped() then return false end end
  return true
end)
for _, line in ipairs(vim.fn.readfile(vim.lsp.get_log_path())) do
  if line:match("^%[ERROR%]") or line:match("^%[WARN%]") then check("log", false, line) end
end
io.stderr:write(failures == 0 and "Neovim is content\n" or (failures .. " failures\n"))
vim.cmd(failures == 0 and "qall!" or "cquit 1")
