vim.api.nvim_create_autocmd({ "BufRead", "BufNewFile" }, { pattern = { "*.star", "*.dice", "*.anydice" }, callback = function(a)
  vim.bo[a.buf].filetype = a.file:match("anydice$") or "dicescript"
end })
vim.api.nvim_create_autocmd("FileType", { pattern = { "dicescript", "anydice", "markdown" }, callback = function(a)
  if a.match == "dicescript" then vim.bo[a.buf].syntax, vim.bo[a.buf].commentstring = "python", "# %s" end
  local server = { name = "dicescript", cmd = { "dicescript", "lsp" }, root_dir = vim.fn.getcwd() }
  if vim.lsp.start then vim.lsp.start(server, { bufnr = a.buf }) else
    Dicescript = Dicescript or vim.lsp.start_client(server); vim.lsp.buf_attach_client(a.buf, Dicescript)
  end
end })
