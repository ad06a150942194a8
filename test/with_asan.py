"""Tests of the tool that run with AddressSanitizer and UBSan as well, which make each
start of it take ten times as long.

Unit tests run the same readers, analyses and renderers there. Of the tool, what is
given damaged, hostile or very large input, what has processes and files beside itself,
and something of each command. lit counts the others as unsupported there.
"""

REASON = "not under asan: unit tests have the tool's parts there, and others its commands"

# Folders and files below test/tool.
WITH = (
    # What somebody else may have made.
    "assemble/errors.test",
    "assemble/records-that-are-wrong.test",
    "command-line/bad-inputs.test",
    "command-line/usage-errors.test",
    "command-line/wrong-kinds-of-file.test",
    "compact/damage.test",
    "critical-path/hostile-times.test",
    "dump/name-bombs.test",
    "export/hostile-names.test",
    "headers/damaged-traces.test",
    "hostile/chain-of-names.test",
    "hostile/deep-rows.test",
    "hostile/each-call-fails.test",
    "hostile/include-chains.test",
    "hostile/known-frames.test",
    "hostile/long-names.test",
    "hostile/long-paths.test",
    "hostile/long-recursion.test",
    "hostile/many-scopes.test",
    "hostile/memory.test",
    "hostile/nested-ways.test",
    "hostile/open-quotes.test",
    "index/errors.test",
    "index/incomplete.test",
    "lsp/code-action-at-end.test",
    "lsp/hostile-messages.test",
    "names/bombs.test",
    "query/errors.test",
    "recover/",
    "replay/hostile.test",
    "report/hostile-names.test",
    "stored/",
    "store/source-without-utf8.test",
    "terminal/hostile-everywhere.test",
    "time-trace/damage-is-refused.test",
    "verify/",
    # Processes, threads and files beside it.
    "attach/static-buffer.test",
    "collect/",
    "export/appears-when-complete.test",
    "merge/merge-and-split.test",
    "record/exit-codes.test",
    "record/screen.test",
    "report/one-file.test",
    "summary/threads-change-nothing.test",
    # Each command, on what is as it should be.
    "advise/records.test",
    "analyses/invariants.test",
    "annotate/hand-computed.test",
    "budget/checked-in-budget.test",
    "clean/",
    "constraints/hand-computed.test",
    "critical-path/wall-time.test",
    "depth/",
    "diff/two-traces.test",
    "doctor/",
    "dump/text.test",
    "export/limits-fold.test",
    "filters/partition.test",
    "flamegraph/boxes-add-up.test",
    "index/answers.test",
    "index/stored-version-1.0.test",
    "overloads/hand-computed.test",
    "query/tables.test",
    "duplicates/",
    "replay/moves.test",
    "replay/breakpoints.test",
    "store/file.test",
    "summary/by-header.test",
    "tree/adds-up.test",
    "why/late-body.test",
)


def reason(Path):
    """Why the test at Path, seen from test/, does not run there; None if it does."""
    Name = Path.removeprefix("tool/")
    Runs = any(Name == With or (With.endswith("/") and Name.startswith(With)) for With in WITH)
    return None if Runs else REASON
