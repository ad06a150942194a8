#!/usr/bin/env bash
# A job of continuous integration: records a build, stores it, compares it with the
# latest build of the base branch, and fails over budget.
#
# usage: store-build.sh STORE BASE SUMMARY BUDGET -- BUILD...
#
#   STORE    the file that builds are kept in, from one job to the next
#   BASE     what to compare with: a branch, a commit, or #BUILD
#   SUMMARY  the file that Markdown is added to, such as $GITHUB_STEP_SUMMARY
#   BUDGET   bounds that the build must keep, as for `instantrace budget`
#   BUILD... the build; it must compile everything, so start from a clean tree
#
# INSTANTRACE_GROWTH is how many percent more the instantiations of the units that
# both builds have may be (default 2). Counts do not depend on how busy the machine
# is; times are shown, and fail nothing.
#
# Exit code: that of the build if it fails, 3 over budget or growth, 2 for wrong
# arguments, 1 for anything else, 0 when all is well. A base that is not in the
# store yet is said, and is no failure.
set -euo pipefail

if [[ $# -lt 6 || $5 != -- ]]; then
  sed -n 's/^# \(usage: .*\)/\1/p' "$0" >&2
  exit 2
fi
Store=$1 Base=$2 Summary=$3 Budget=$4
shift 5
Growth=${INSTANTRACE_GROWTH:-2}
if ! [[ $Growth =~ ^[0-9]+$ ]]; then
  echo "INSTANTRACE_GROWTH: found '$Growth', expected a whole number of percent" >&2
  exit 2
fi

Session=$(mktemp -d "${TMPDIR:-/tmp}/instantrace-ci-XXXXXX")
trap 'rm -rf "$Session"' EXIT
instantrace record -q -o "$Session/session" -- "$@"
Added=$(instantrace store add --to="$Store" "$Session/session")
Build=$(sed -n 's/.*: build \(#[0-9]*\).*/\1/p; s/.*there already, build \(#[0-9]*\)$/\1/p' <<<"$Added" | head -n 1)

Code=0
{
  echo "### Templates in this build"
  echo
  instantrace budget --markdown "$Budget" "$Session/session" || Code=$?
  echo
} >>"$Summary"
((Code == 0 || Code == 3)) || exit "$Code"

if ! Answer=$(instantrace store ask regression --to="$Store" --json --base="$Base" --head="$Build" 2>"$Session/error"); then
  if ! grep -q "found no build of" "$Session/error"; then
    cat "$Session/error" >&2
    exit 1
  fi
  echo "No build of \`${Base//\`/}\` to compare with yet." >>"$Summary"
  exit "$Code"
fi
# Python reads JSON wherever CI runs; it prints Markdown, and 3 as its exit code over
# the growth.
python3 - "$Growth" >>"$Summary" <<'END' 3<<<"$Answer" || { Grown=$?; ((Grown == 3)) && Code=3 || exit 1; }
import json
import sys

Growth = int(sys.argv[1])
Answer = json.load(open(3))


def text(Value):
    """Of a name, in a cell: nobody's Markdown or HTML."""
    Escaped = str(Value).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return "".join("\\" + C if C in "\\`*_{}[]()#+-.!|~@:" else C for C in Escaped)


def table(Rows, *Columns):
    print("| " + " | ".join(Columns) + " |\n|" + "---|" * len(Columns))
    for Row in Rows[:20]:
        print("| " + " | ".join(text(Row[C]) for C in Columns) + " |")
    print()


Rows = Answer["rows"]
if len(Rows) < 2:
    print("Nothing in common with the base to compare.")
    sys.exit(0)
Old, New = Rows[0]["value"], Rows[-1]["value"]
Percent = 100.0 * (New - Old) / Old if Old else (100.0 if New else 0.0)
IsOver = New > Old and (New - Old) * 100 > Growth * Old
print("**%d instantiations, %+d (%+.1f %%) against the base%s**, in %d units that both have.\n"
      % (New, New - Old, Percent, ": more than %d %%" % Growth if IsOver else "", Rows[-1]["common_units"]))
for Detail in Answer["details"]:
    if not Detail["rows"]:
        continue
    print(text(Detail["title"]).capitalize() + ":\n")
    if Detail["title"] == "steps":
        table(Detail["rows"], "commit_id", "author", "before", "after", "change")
    else:
        table(Detail["rows"], "name", "count_change")
for Missing in Answer["missing"]:
    print("- missing: " + text(Missing))
sys.exit(3 if IsOver else 0)
END
exit "$Code"
