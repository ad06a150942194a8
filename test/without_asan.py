"""Tests of the tool that add nothing with AddressSanitizer and UBSan, which make each
start of it take ten times as long: what they look at is not the tool, and what the tool
does for them another test has it do.

lit counts them as unsupported there, with the reason.
"""

PAGE = "what a browser shows is the page's own doing; others have it made"
SHELL = "what a shell does is not the tool's doing"
SERVER = "what a server answers is not the tool's doing; another asks it the same"
WORDS = "what is compared are words"

# A file below test/tool, and why.
WITHOUT = {
    "completion/bash.test": SHELL,
    "completion/fish.test": SHELL,
    "completion/zsh.test": SHELL,
    "command-line/page-of-commands-is-current.test": WORDS,
    "report/colours-tell-kinds-apart.test": PAGE,
    "report/first-screen-answers.test": PAGE,
    "report/flame-graph-zooms.test": PAGE,
    "report/folds-and-says-so.test": PAGE,
    "report/keyboard-alone.test": PAGE,
    "report/labels-say-what-differs.test": PAGE,
    "report/links-and-back.test": PAGE,
    "report/narrow-and-dark.test": PAGE,
    "report/nothing-for-axe.test": PAGE,
    "report/shows-the-backend.test": PAGE,
    "report/treemap-goes-in.test": PAGE,
    "store/clickhouse-cluster.test": SERVER,
    "store/clickhouse-disk.test": SERVER,
    "store/clickhouse-now.test": SERVER,
    "terminal/color-everywhere.test": WORDS,
}


def reason(Path):
    """Why the test at Path, seen from test/, does not run there; None if it does."""
    Why = WITHOUT.get(Path.removeprefix("tool/"))
    return Why and "not under asan: " + Why
