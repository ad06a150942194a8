#!/usr/bin/env python3
"""Checks that the documents hold together.

usage: documents.py ROOT

Documents are the .md files of ROOT itself, docs/ and proto/. Reported, one per
line:
- a link, to a file or a heading, that leads nowhere;
- a document, or a picture in docs/, that no chain of links reaches from
  README.md or docs/README.md;
- a path of this repository, in backquotes, that does not exist, unless it has a
  NAME to fill in;
- a document that a comment or a message of the code names and that does not exist;
- an event kind that is not in its group in docs/use/plugin-options.md;
- a version that is not the code's: of the program, what it writes and speaks
  (architecture's table of them) and the Clangs. What holds "since" a version is
  history and may differ.
"""

import os
import re
import sys

ROOTS = ("README.md", "docs/README.md")
PICTURES = (".svg", ".png")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)", re.S)
TOP = r"(?:docs|plugin|proto|runtime|test|utils|\.ci)/"
# `runtime/read/Trace` names Trace.h and Trace.cpp.
OURS = re.compile(r"`(%s[\w./+-]*)`" % TOP)
MENTION = re.compile(r"\b(?:docs|proto)/[\w/-]+\.(?:md|svg|png)\b")
ENDINGS = ("", ".h", ".cpp", ".py")
# Rows of architecture's "Versions of things", beside those that prose names as well.
TABLE = ("the program", "index format", "collector protocol", "session file", "JSON schema", "store schema", "store schema of a server", "MCP", "LSP")


def read(Root, Name):
    with open(os.path.join(Root, Name), encoding="utf-8") as File:
        return File.read()


def files(Root, Endings):
    Found = [N for N in os.listdir(Root) if N.endswith(Endings)]
    for Top in ("docs", "proto"):
        for Folder, _, Names in os.walk(os.path.join(Root, Top)):
            Path = os.path.relpath(Folder, Root)
            Found += [os.path.join(Path, N) for N in Names if N.endswith(Endings)]
    return sorted(Found)


def without_code(Text):
    """The text with the contents of code blocks blanked, line by line."""
    Lines, Fence = [], ""
    for Line in Text.splitlines():
        Mark = re.match(r"\s*(```+)", Line)
        if Mark and (not Fence or Mark.group(1) == Fence):
            Fence = "" if Fence else Mark.group(1)
            Line = ""
        Lines.append("" if Fence or Line.startswith("    ") else Line)
    return "\n".join(Lines)


def anchors(Text):
    """The headings as GitHub makes anchors of them."""
    Found = set()
    for Title in re.findall(r"^#+ +(.*?) *$", Text, re.M):
        Title = LINK.sub(lambda M: M.group(0)[1 : M.group(0).index("]")], Title)
        Slug = re.sub(r"[^\w\- ]", "", Title.lower()).replace(" ", "-")
        Number, Name = 0, Slug
        while Name in Found:
            Number += 1
            Name = "%s-%d" % (Slug, Number)
        Found.add(Name)
    return Found


def line_of(Text, Offset):
    return Text.count("\n", 0, Offset) + 1


def check_links(Root, Documents):
    Texts = {D: without_code(read(Root, D)) for D in Documents}
    Targets = {}
    for Name, Text in Texts.items():
        Targets[Name] = set()
        for Match in LINK.finditer(re.sub(r"`[^`\n]*`", lambda M: "`" * len(M.group(0)), Text)):
            Link = Match.group(1)
            if re.match(r"[a-z]+:", Link):
                continue
            Path, _, Anchor = Link.partition("#")
            Target = os.path.normpath(os.path.join(os.path.dirname(Name), Path)) if Path else Name
            Targets[Name].add(Target)
            Where = "%s:%d: " % (Name, line_of(Text, Match.start()))
            if not os.path.exists(os.path.join(Root, Target)):
                yield Where + "%s does not exist" % Link
            elif Anchor and Anchor not in anchors(Texts.get(Target, "")):
                yield Where + "%s has no heading #%s" % (Target, Anchor)
    Reached, Next = set(), [R for R in ROOTS if R in Texts]
    while Next:
        Name = Next.pop()
        if Name not in Reached:
            Reached.add(Name)
            Next += Targets.get(Name, ())
    for Name in Documents + files(Root, PICTURES):
        if Name not in Reached:
            yield "%s: no link leads to it from %s" % (Name, " or ".join(ROOTS))


def check_paths(Root, Documents):
    for Name in Documents:
        Text = without_code(read(Root, Name))
        for Match in OURS.finditer(Text):
            Path = os.path.join(Root, Match.group(1))
            if "NAME" not in Path and not any(os.path.exists(Path + Ending) for Ending in ENDINGS):
                yield "%s:%d: there is no %s" % (
                    Name,
                    line_of(Text, Match.start()),
                    Match.group(1),
                )


def check_mentions(Root, _):
    for Top in ("plugin", "runtime", "utils", "test"):
        for Folder, Folders, Names in os.walk(os.path.join(Root, Top)):
            Folders.sort()
            for Name in sorted(Names):
                Path = os.path.relpath(os.path.join(Folder, Name), Root)
                if Path.startswith("test/layering/") or Name.endswith(PICTURES):
                    continue  # plants wrong documents
                with open(os.path.join(Root, Path), encoding="utf-8", errors="replace") as File:
                    Text = File.read()
                for Match in MENTION.finditer(Text):
                    if not os.path.exists(os.path.join(Root, Match.group(0))):
                        yield "%s:%d: there is no %s" % (Path, line_of(Text, Match.start()), Match.group(0))


def check_groups(Root, _):
    """The rows `group` | kinds are those of EventKinds.def."""
    Code, Said = {}, {}
    Row = r'^X\(\w+, \d+,\s*"([a-z0-9-]+)",\s*(\w+)\)'
    for Kind, Group in re.findall(Row, read(Root, "runtime/format/EventKinds.def"), re.M):
        Name = re.sub(r"(?<!^)([A-Z])", r"-\1", Group).lower()
        Code.setdefault(Name, set()).add(Kind)
    Page = "docs/use/plugin-options.md"
    Table = re.search(r"^\| group \|.*\n\|-.*\n((?:\|.*\n)*)", read(Root, Page), re.M)
    for Line in Table.group(1).splitlines() if Table else ():
        Name, *Kinds = re.findall(r"`([^`]*)`", Line)
        Said[Name] = set(Kinds)
    for Name in sorted(set(Code) | set(Said)):
        for Kind in sorted(Code.get(Name, set()) ^ Said.get(Name, set())):
            yield "%s: %s and EventKinds.def differ in whether %s is in it" % (Page, Name, Kind)


def one(Root, Name, Pattern):
    Match = re.search(Pattern, read(Root, Name))
    if not Match:
        raise SystemExit("%s has nothing like %s" % (Name, Pattern))
    return Match.group(1)


def last_migration(Root, Folder):
    Names = [N for N in os.listdir(os.path.join(Root, Folder)) if N.endswith(".sql")]
    return str(int(max(Names)[:4]))


def code_versions(Root):
    Format = [
        one(Root, "runtime/format/Record.h", r"Format%s = (\d+);" % Part)
        for Part in ("Major", "Minor")
    ]
    return {
        "program": one(Root, "CMakeLists.txt", r"project\(instantrace VERSION (\d+\.\d+\.\d+)"),
        "trace format": ".".join(Format),
        "index format": ".".join(
            one(Root, "runtime/index/IndexFormat.h", r"Index%s = (\d+);" % Part) for Part in ("Major", "Minor")
        ),
        "shared-memory layout": one(Root, "runtime/shm/SharedMemoryAbi.h", r"SharedMemoryAbiVersion = (\d+);"),
        "collector protocol": one(Root, "runtime/shm/CollectorLink.h", r"CollectorProtocolVersion = (\d+);"),
        "session file": one(Root, "utils/session/SessionFolder.cpp", r'number\("version", (\d+)\)'),
        "JSON schema": one(Root, "utils/render/JsonText.h", r"JsonSchemaVersion = (\d+);"),
        "store schema": last_migration(Root, "utils/store/schema"),
        "store schema of a server": last_migration(Root, "utils/store/schema/clickhouse"),
        "MCP": " ".join(one(Root, "utils/mcp/McpServer.cpp", r"(?s)Revisions\[\] = \{(.*?)\};").replace('"', "").split()),
        "LSP": one(Root, "utils/lsp/LspServer.h", r"Language Server Protocol, ([\d.]+)"),
        "Clangs": re.findall(r"^\d+", read(Root, "plugin/clang-majors.txt"), re.M),
        "Debian 12's Clangs": re.findall(r"^\d+$", read(Root, "plugin/clang-majors.txt"), re.M),
        "other Clangs": re.findall(r"^(\d+) ", read(Root, "plugin/clang-majors.txt"), re.M),
    }


def check_versions(Root, Documents):
    Code = code_versions(Root)
    Oldest, Newest = Code["Clangs"][0], Code["Clangs"][-1]
    Said = (
        ("program", r"(?<!-)\binstantrace[ -](\d+\.\d+\.\d+)"),
        *((What.removeprefix("the "), r"\| %s \| ([^|]+?) \|" % What) for What in TABLE),
        ("trace format", r"(?i)\btrace format (?:\| )?(?:version )?(\d+\.\d+)"),
        ("shared-memory layout", r"(?i)\bshared-memory layout (?:\| )?(?:version )?(\d+)"),
    )
    Counts = dict.fromkeys(Code, 0)
    for Name in Documents:
        Text = read(Root, Name)
        if Name == "CHANGELOG.md":  # what was said of older versions stays
            Text = "\n## ".join(Text.split("\n## ")[:2])
        Claims = [
            (Match, What, Match.group(1))
            for What, Pattern in Said
            for Match in re.finditer(Pattern, Text)
            if not re.search(r"(?i)since\s+$", Text[: Match.start()])
        ]
        # A list of four majors or more with the oldest or newest is all of them.
        for Match in re.finditer(r"\b\d\d(?:,\s\d\d){2,}(?:,?\s(?:and|or)\s\d\d)?(?![\d.])", Text):
            Majors = re.findall(r"\d\d", Match.group(0))
            if len(Majors) > 3 and (Oldest in Majors or Newest in Majors):
                Parts = ("Debian 12's Clangs", "other Clangs")
                Claims.append((Match, next((P for P in Parts if Code[P] == Majors), "Clangs"), Majors))
        for Match, What, Value in Claims:
            Counts[What] += 1
            if Value != Code[What]:
                Shown = (Value, Code[What])
                if What == "Clangs":
                    Shown = (", ".join(Value), ", ".join(Code[What]))
                yield "%s:%d: %s: %s, the code has %s" % (
                    (Name, line_of(Text, Match.start()), What) + Shown
                )
    for What in Code:
        if Counts[What] == 0:
            yield "no document says the version: %s" % What


def main(Root):
    Documents = files(Root, (".md",))
    Found = [
        Problem
        for Check in (check_links, check_paths, check_mentions, check_groups, check_versions)
        for Problem in Check(Root, Documents)
    ]
    for Problem in Found:
        print(Problem)
    print("%d documents read, %d problems" % (len(Documents), len(Found)))
    return 1 if Found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
