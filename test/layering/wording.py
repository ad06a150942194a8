#!/usr/bin/env python3
"""Finds habits of English that CONTRIBUTING.md ("Words that people read") rules out,
and names in code that do not say what they hold.

usage: wording.py ROOT

Read are the string literals of utils/ and plugin/, neighbours as one text, and the
paragraphs of README.md, CONTRIBUTING.md and docs/ outside code blocks; of code in C++
the names.
"""

import glob
import os
import re
import sys

from documents import files, line_of, read, without_code

HABITS = (
    r"(?:^|[.:;!?] |\n)Of (?!course)[a-z]",
    r"\b(?:is|are|was|were|be) (?:told|said)\b(?! (?:to|in|apart|from)\b)",
    r"\banew\b",
    r"\bwhat [^.\n]{0,60}\bhangs on\b",
    r"\bnot there without it\b",
    r"\bsay it again\b",
)
# As whole names: a preposition or a participle is no noun.
NO_NOUNS = re.compile(r"\b(?:Of|At|By|From|To|Told|Noted|Gone|Begun|Here)\b")
CODE = ("plugin", "runtime", "utils", "test/unit", "test/fuzz", "test/stress")
LITERAL = r'R"\((?:.|\n)*?\)"|"(?:[^"\\\n]|\\.)*"'
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/|('(?:[^'\\\n]|\\.)+')|(%s)" % LITERAL, re.S)


def strings(Code):
    """(offset, text) of each literal, with those that stand beside it."""
    Code = COMMENT.sub(lambda M: M.group(2) or " " * len(M.group(0)), Code)
    for Found in re.finditer(r"(?:(?:%s)\s*)+" % LITERAL, Code):
        Parts = [P[3:-2] if P[0] == "R" else P[1:-1] for P in re.findall(LITERAL, Found.group(0))]
        yield Found.start(), "".join(Parts).replace("\\n", "\n")


def texts(Root):
    for Name in files(Root, (".md",)):
        if Name != "CHANGELOG.md":  # what was written stays
            Blank = lambda M: re.sub(r"[^\n]", "`", M.group(0))
            yield Name, [(0, re.sub(r"`[^`\n]*`|(?s:<!--.*?-->)", Blank, without_code(read(Root, Name))))]
    for Top in ("utils", "plugin"):
        for Path in sorted(glob.glob(os.path.join(Root, Top, "**", "*.*"), recursive=True)):
            if Path.endswith((".cpp", ".h", ".def")):
                Code = read(Root, os.path.relpath(Path, Root))
                yield os.path.relpath(Path, Root), [(line_of(Code, At), Text) for At, Text in strings(Code)]


def no_nouns(Root):
    """(file, line, name) of each in code, which is what is neither comment nor literal."""
    Blank = lambda M: re.sub(r"[^\n]", " ", M.group(0))
    for Folder in CODE:
        for Path in sorted(glob.glob(os.path.join(Root, Folder, "**", "*.*"), recursive=True)):
            if Path.endswith((".cpp", ".h")):
                Code = COMMENT.sub(Blank, read(Root, os.path.relpath(Path, Root)))
                for Name in NO_NOUNS.finditer(Code):
                    yield os.path.relpath(Path, Root), line_of(Code, Name.start()), Name.group(0)


def main(Root):
    Found = 0
    for File, LineNo, Name in no_nouns(Root):
        print("%s:%d: the name %s does not say what it holds" % (File, LineNo, Name))
        Found += 1
    for Name, Parts in texts(Root):
        for LineNo, Text in Parts:
            for Habit in HABITS:
                for Match in re.finditer(Habit, Text):
                    Where = LineNo or line_of(Text, Match.start() + 1)
                    print("%s:%d: %s" % (Name, Where, " ".join(Text[Match.start() : Match.end() + 40].split())))
                    Found += 1
    print("%d problems of wording" % Found)
    return 1 if Found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
