-- Opens a.cpp with our server, and prints what it shows; then with a line more.
local function say(Text)
  io.stdout:write(Text .. "\n")
end

local function run()
  local Ended
  vim.cmd("edit a.cpp")
  local Id = vim.lsp.start_client({
    cmd = { "instantrace", "lsp" },
    root_dir = vim.fn.getcwd(),
    on_exit = function(Code) Ended = Code end,
  })
  vim.lsp.buf_attach_client(0, Id)
  local Client = vim.lsp.get_client_by_id(Id)
  vim.wait(20000, function() return Client.initialized end, 20)
  say("encoding " .. Client.offset_encoding)

  local function showLenses(FirstLine)
    vim.lsp.codelens.refresh()
    local function first()
      local Lens = vim.lsp.codelens.get(0)[1]
      return Lens and Lens.range.start.line + 1
    end
    vim.wait(20000, function() return first() == FirstLine end, 20)
    for _, Lens in ipairs(vim.lsp.codelens.get(0)) do
      say(Lens.range.start.line + 1 .. " " .. Lens.command.title)
    end
  end

  showLenses(1)
  vim.fn.cursor(5, 1)
  local Answers = vim.lsp.buf_request_sync(0, "textDocument/hover", vim.lsp.util.make_position_params(), 20000)
  say(Answers[Id].result.contents.value)

  vim.fn.append(0, "// New.")
  say("moved")
  showLenses(2)

  local Page
  vim.lsp.handlers["window/showMessage"] = function(_, Shown) Page = Shown.message end
  vim.lsp.buf.execute_command({ command = "instantrace.report" })
  vim.wait(600000, function() return Page end, 20)
  say(Page)

  vim.lsp.stop_client(Id)
  vim.wait(20000, function() return Ended ~= nil end, 20)
  say("ended " .. Ended)
end

local IsDone, Why = pcall(run)
if not IsDone then
  say(Why)
end
vim.cmd(IsDone and "qall!" or "cquit!")
