"""What names.py has measured, as Markdown tables."""

import re
import statistics

TARGET_EACH, TARGET_PACKS = 5, 50


def lines(Major, Measurements):
    if not Measurements:
        return
    yield from times(Major, Measurements)
    yield from sizes(Major, Measurements)
    yield from memory(Major, Measurements)
    yield from leaves(Major, Measurements)


def ratio_cell(M, Contestant):
    """How many times as long as building the names."""
    Ratio = M.median(Contestant, "ns") / M.median("build", "build_ns")
    if not M.is_stopped(Contestant):
        return "%.1f" % Ratio
    Wanted = M.contest["begins"] + (M.contest["hits"] if Contestant.endswith("hits") else 0)
    Part = M.median(Contestant, "printed") / Wanted
    Seconds = M.median(Contestant, "ns") / 1e9
    return "> %.1f (stopped after %.0f s, %.0f %% done)" % (Ratio, Seconds, 100 * Part)


def each_ratios(M):
    """Per round: printing each entity once, by building all names."""
    return [R["print_each"]["ns"] / R["build"]["build_ns"] for R in M.contest["rounds"]]


def times(Major, Measurements):
    yield "### Clang %d: time to name all entities" % Major
    yield ""
    yield (
        "| file | entities | begins | memoized hits | mean bytes of a name | building, ms | ns per entity | and writing, ms"
        " | printing each once, ms | : building (min..max) | printing at each begin : building"
        " | and at each hit : building |"
    )
    yield "|---|" + "---:|" * 11
    Medians = []
    for M in Measurements:
        Entities, Build = M.contest["entities"], M.median("build", "build_ns")
        if not Entities:
            continue
        Each = each_ratios(M)
        Medians.append(statistics.median(Each))
        Cells = [
            "%d" % Entities,
            "%d" % M.contest["begins"],
            "%d" % M.contest["hits"],
            "%.0f" % (M.contest["printed_text_bytes"] / Entities),
            "%.1f" % (Build / 1e6),
            "%.0f" % (Build / Entities),
            "%.1f" % (M.median("build", "write_ns") / 1e6),
            "%.1f" % (M.median("print_each", "ns") / 1e6),
            "%.1f (%.1f..%.1f)" % (Medians[-1], min(Each), max(Each)),
            ratio_cell(M, "print_begins"),
            ratio_cell(M, "print_begins_and_hits"),
        ]
        yield "| %s | %s |" % (M.file, " | ".join(Cells))
    Overall = statistics.median(Medians) if Medians else 0
    yield "| **median of the files** | %s| **%.1f** | | |" % ("| " * 8, Overall)
    yield ""
    Fast = [F for F, R in zip((M.file for M in Measurements if M.contest["entities"]), Medians) if R >= TARGET_PACKS]
    yield "At least %d times as fast as printing each once: %s; in the median of the files %.1f times (target %d)." % (
        TARGET_PACKS,
        ", ".join(Fast) or "no file",
        Overall,
        TARGET_EACH,
    )
    yield ""


def sizes(Major, Measurements):
    yield "### Clang %d: bytes of the names, in kB" % Major
    yield ""
    yield (
        "| file | distinct names | longest | flat | flat, zstd | Templight's rule | zstd | dictionary | zstd"
        " | in the trace, with paths | flat : dictionary | larger than |"
    )
    yield "|---|" + "---:|" * 10 + "---|"
    for M in Measurements:
        B = M.bytes
        Keys = ["flat_bytes", "flat_zstd_bytes", "templight_bytes", "templight_zstd_bytes", "ours_bytes", "ours_zstd_bytes"]
        Cells = ["%d" % B["distinct"], "%.1f" % (B["longest_bytes"] / 1e3)]
        Cells += ["%.1f" % (B[K] / 1e3) for K in Keys]
        Cells.append("%.1f" % (M.trace_bytes / 1e3))
        Cells.append("%.1f" % (B["flat_bytes"] / B["ours_bytes"]))
        Cells.append(", ".join(lost_against(B)) or "none")
        yield "| %s | %s |" % (M.file, " | ".join(Cells))
    yield ""


def lost_against(B):
    """What our dictionary is not smaller than: raw with raw, zstd with zstd, and
    raw with zstd'd flat names."""
    Pairs = [
        ("flat", "ours_bytes", "flat_bytes"),
        ("Templight", "ours_bytes", "templight_bytes"),
        ("flat, both zstd", "ours_zstd_bytes", "flat_zstd_bytes"),
        ("Templight, both zstd", "ours_zstd_bytes", "templight_zstd_bytes"),
        ("zstd'd flat", "ours_bytes", "flat_zstd_bytes"),
    ]
    return [Name for Name, Ours, Theirs in Pairs if B[Ours] >= B[Theirs]]


def memory(Major, Measurements):
    yield "### Clang %d: memory, and the cost of finding a known name" % Major
    yield ""
    yield (
        "| file | entities | entries | held, MB | by the table, MB | held bytes per entity | known entity, ns: as met | hot | cold"
        " | hash of the text, ns | printing, ns per begin |"
    )
    yield "|---|" + "---:|" * 10
    for M in Measurements:
        C = M.contest
        Lookups = C["lookups"]
        if not C["entities"]:
            continue
        Cells = [
            "%d" % C["entities"],
            "%d" % C["entries"],
            "%.2f" % (C["held_bytes"] / 1e6),
            "%.2f" % (C["table_bytes"] / 1e6),
            "%.0f" % (C["held_bytes"] / C["entities"]),
            "%.1f" % Lookups["as_met_ns"],
            "%.1f" % Lookups["hot_ns"],
            "%.1f" % Lookups["cold_ns"],
            "%.0f" % Lookups["text_ns"],
            "%.0f" % (M.median("print_begins", "ns") / M.median("print_begins", "printed")),
        ]
        yield "| %s | %s |" % (M.file, " | ".join(Cells))
    yield ""


def find_one(M, Pattern):
    """What one line of check-names says; docs/design/names.md has their form."""
    Found = [re.fullmatch(Pattern, L) for L in M.check_lines]
    (Line,) = [F for F in Found if F]
    return Line


def leaves(Major, Measurements):
    yield "### Clang %d: what is left to Clang to print" % Major
    yield ""
    yield "| file | entities | differences | with a leaf | share, % | leaves by kind |"
    yield "|---|---:|---:|---:|---:|---|"
    for M in Measurements:
        Last = find_one(M, r"(\d+) entities, (\d+) differences")
        Entities = int(Last.group(1))
        With = int(find_one(M, r"entities with leaves: (\d+)").group(1))
        Kinds = [re.fullmatch(r"leaves: (.*): (\d+)", L) for L in M.check_lines]
        Kinds = sorted(((int(K.group(2)), K.group(1)) for K in Kinds if K), reverse=True)
        Cells = ["%d" % Entities, Last.group(2), "%d" % With]
        Cells.append("%.2f" % (100 * With / Entities) if Entities else "-")
        Cells.append(", ".join("%s %d" % (Kind, Count) for Count, Kind in Kinds) or "none")
        yield "| %s | %s |" % (M.file, " | ".join(Cells))
    yield ""
