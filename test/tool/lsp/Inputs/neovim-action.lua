-- Opens table.h with our server, applies the code action of its second line, and writes all files.
local function run()
  vim.cmd("edit table.h")
  local Id = vim.lsp.start_client({ cmd = { "instantrace", "lsp" }, root_dir = vim.fn.getcwd() })
  vim.lsp.buf_attach_client(0, Id)
  local Client = vim.lsp.get_client_by_id(Id)
  vim.wait(20000, function() return Client.initialized end, 20)
  vim.fn.cursor(2, 1)
  local Action
  vim.wait(600000, function()
    local Params = vim.lsp.util.make_range_params()
    Params.context = { diagnostics = {} }
    local Answers = vim.lsp.buf_request_sync(0, "textDocument/codeAction", Params, 20000)
    Action = Answers[Id].result[1]
    return Action ~= nil
  end, 200)
  vim.lsp.util.apply_workspace_edit(Action.edit, Client.offset_encoding)
  vim.cmd("silent wall")
  io.stdout:write("applied " .. Action.title .. "\n")
end

local IsDone, Why = pcall(run)
if not IsDone then
  io.stdout:write(Why .. "\n")
end
vim.cmd(IsDone and "qall!" or "cquit!")
