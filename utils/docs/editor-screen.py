#!/usr/bin/env python3
"""Prints what Neovim shows of a project with sins (test/tool/record/Inputs/sins.py): costs at
lines, a hint below them, and the table of a line. Needs nvim and tmux.

usage: editor-screen.py CLANG     with `instantrace` in PATH
"""

import os
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "test", "tool", "record", "Inputs"))
sys.dont_write_bytecode = True

from sins import plant  # noqa: E402

STEPS = """
vim.o.number, vim.o.laststatus, vim.o.ruler, vim.o.showcmd, vim.o.shortmess = true, 0, false, false, "aoOtTIF"
vim.diagnostic.config({ virtual_text = false, signs = true })
local Id = vim.lsp.start_client({ cmd = { "instantrace", "lsp" }, root_dir = vim.fn.getcwd() })
vim.lsp.buf_attach_client(0, Id)
vim.wait(60000, function() return vim.lsp.get_client_by_id(Id).initialized end, 20)
vim.lsp.codelens.refresh()
vim.fn.cursor(LINE, 1)
vim.defer_fn(vim.lsp.buf.hover, 3000)
"""


def screen(Folder, Source, Line, Text):
    """The lines of a terminal with Neovim, once they have the text."""
    with open(os.path.join(Folder, "steps.lua"), "w") as File:
        File.write(STEPS.replace("LINE", str(Line)))
    Environment = dict(os.environ, HOME=Folder, XDG_STATE_HOME=Folder, XDG_CACHE_HOME=Folder, LANG="C.UTF-8")

    def tmux(*Words):
        return subprocess.run(["tmux", "-S", os.path.join(Folder, "socket"), *Words], cwd=Folder, env=Environment,
                              stdout=subprocess.PIPE, text=True, check=True).stdout

    tmux("new-session", "-d", "-x", "96", "-y", "26", "nvim -u NONE -i NONE -S steps.lua " + Source)
    try:
        for _ in range(600):
            Shown = tmux("capture-pane", "-p")
            if Text in Shown:
                return Shown
            time.sleep(0.1)
        sys.exit("it does not show '%s':\n%s" % (Text, Shown))
    finally:
        tmux("kill-server")


def main():
    with tempfile.TemporaryDirectory() as Folder:
        plant(Folder, sys.argv[1])
        subprocess.run(["instantrace", "record", "-q", "-o", "session", "--", "sh", "build.sh"], cwd=Folder, check=True)
        Lines = [Line.rstrip() for Line in screen(Folder, "unit5.cpp", 3, "what it asks for").splitlines()]
        print("\n".join(Line for Line in Lines if Line not in ("", "~")))


if __name__ == "__main__":
    main()
