"""What hooks.py has measured, as Markdown tables, and which targets are met."""

import statistics

DIFFERENCE_TARGET, SPECIALIZATIONS_TARGET = 0.02, 0.99


def lines(Options, Cells, Failures):
    for Major in Options.clang:
        Own = [C for C in Cells if C.clang == Major]
        if not Own:
            continue
        yield from times(Major, Own)
        yield from counts(Major, Own)
        if not Options.no_cpu:
            yield from cpu(Major, Own, Options.hook)
    if Cells and not Options.noise:
        yield from targets(Options, Cells)
    for Text in Failures:
        yield "Not measured: %s." % Text


def percent(Values, Digits=1, Signed=False):
    """Median, and the range when it is seen."""
    Form = "%%%s.%df" % ("+" if Signed else "", Digits)
    Texts = [Form % (100 * V) for V in (statistics.median(Values), min(Values), max(Values))]
    return Texts[0] if Texts[1] == Texts[2] else "%s (%s..%s)" % tuple(Texts)


def order(C, Measure, Top):
    """How many of the first are shared, and how many places are wrong."""
    Shared = C.median(Measure, Top, "share") * C.median(Measure, Top, "compared")
    return "%d of %d; %d" % (round(Shared), C.median(Measure, Top, "compared"), C.median(Measure, Top, "violations"))


def times(Major, Cells):
    yield "### Clang %d: times of template sets" % Major
    yield ""
    yield (
        "| file | sets | inclusive: sum, ms | difference, % | of instantiations alone, % | bias, % | top 20: shared; violations | top 50"
        " | self: sum, ms | difference, % | of instantiations alone, % | bias, % | top 20 | top 50 |"
    )
    yield "|---|" + "---:|" * 13
    for C in Cells:
        Row = [C.file, "%d" % C.median("sets")]
        for Measure in ("inclusive", "self"):
            Row.append("%.1f" % (C.median(Measure, "callback_ns") / 1e6))
            Row.append(percent(C.values(Measure, "difference")))
            Row.append(percent(C.values(Measure, "instantiations", "difference")))
            Row.append(percent(C.values(Measure, "bias"), Signed=True))
            Row += [order(C, Measure, Top) for Top in ("top_20", "top_50")]
        yield "| " + " | ".join(Row) + " |"
    for Name, Pick in (("median", statistics.median), ("largest", max)):
        Row = ["**%s**" % Name, ""]
        for Measure in ("inclusive", "self"):
            Row.append("")
            for Path in (["difference"], ["instantiations", "difference"]):
                Row.append("%.1f" % (100 * Pick([C.median(Measure, *Path) for C in Cells])))
            Row += [""] * 3
        yield "| " + " | ".join(Row) + " |"
    yield ""


def counts(Major, Cells):
    yield "### Clang %d: what was seen" % Major
    yield ""
    yield (
        "| file | specializations | timed, % | counted, % | both, % | definitions | seen, % | late bodies asked for"
        " | same who asked, % | one outside it, % | events: callback | observer | memoized hits: callback | observer |"
    )
    yield "|---|" + "---:|" * 13
    for C in Cells:
        All, Asked = C.median("specializations", "callback"), C.median("requested", "entities")
        Part = lambda Of, *Path: "%.2f" % (100 * C.median(*Path) / Of) if Of else "-"
        Row = [
            C.file,
            "%d" % All,
            Part(All, "specializations", "timed"),
            Part(All, "specializations", "counted"),
            "%.2f" % (100 * C.median("specializations", "share")),
            "%d" % C.median("specializations", "definitions", "callback"),
            "%.2f" % (100 * C.median("specializations", "definitions", "share")),
            "%d" % Asked,
            Part(Asked, "requested", "same"),
            Part(Asked, "requested", "outer"),
        ]
        Row += ["%d" % C.median(Hook, Key) for Key in ("events", "memoized_hits") for Hook in ("callback", "observer")]
        yield "| " + " | ".join(Row) + " |"
    yield ""


def cpu(Major, Cells, Other):
    yield "### Clang %d: CPU time as a ratio to no plugin, median (min..max), and traces" % Major
    yield ""
    Head = "| file | no plugin, s | callback | %s | %s : callback" % (Other, Other)
    yield Head + " | of the smallest | trace, MB: callback | %s |" % Other
    yield "|---|" + "---:|" * 7
    Columns = [("callback", "no plugin"), (Other, "no plugin"), (Other, "callback")]
    Medians = [[] for _ in Columns]
    for C in Cells:
        Row = [C.file, "%.2f" % statistics.median(C.cpu["no plugin"])]
        for Column, Into in zip(Columns, Medians):
            Ratios = C.ratios(*Column)
            Into.append(statistics.median(Ratios))
            Row.append("%.3f (%.3f..%.3f)" % (Into[-1], min(Ratios), max(Ratios)))
        # Others on the machine only ever add to a time.
        Row.append("%.3f" % (min(C.cpu[Other]) / min(C.cpu["callback"])))
        Row += ["%.2f" % (C.trace_bytes[Hook] / 1e6) for Hook in ("callback", Other)]
        yield "| " + " | ".join(Row) + " |"
    Row = ["%.3f (%.3f..%.3f)" % (statistics.median(M), min(M), max(M)) for M in Medians]
    yield "| **median of the files** | | %s | | | |" % " | ".join(Row)
    yield ""


def targets(Options, Cells):
    """Each target, in how many cells it is met, and where it is missed by what."""
    Checks = [
        (
            "inclusive difference at most %.0f %%" % (100 * DIFFERENCE_TARGET),
            lambda C: C.median("inclusive", "difference"),
            lambda V: V <= DIFFERENCE_TARGET,
            lambda V: "%.2f %%" % (100 * V),
        ),
        (
            "the same of instantiations alone",
            lambda C: C.median("inclusive", "instantiations", "difference"),
            lambda V: V <= DIFFERENCE_TARGET,
            lambda V: "%.2f %%" % (100 * V),
        ),
        (
            "top 20 by inclusive time identical up to ties",
            lambda C: C.median("inclusive", "top_20", "violations"),
            lambda V: V == 0,
            lambda V: "%d" % V,
        ),
        (
            "at least %.0f %% of specializations counted" % (100 * SPECIALIZATIONS_TARGET),
            lambda C: C.median("specializations", "share"),
            lambda V: V >= SPECIALIZATIONS_TARGET,
            lambda V: "%.2f %%" % (100 * V),
        ),
    ]
    if not Options.no_cpu:
        Checks.append(
            (
                "CPU at most that of the callback",
                lambda C: statistics.median(C.ratios(Options.hook, "callback")),
                lambda V: V <= 1,
                lambda V: "%.3f" % V,
            )
        )
    for Name, Value, IsMet, Show in Checks:
        Missed = [(C, Value(C)) for C in Cells if not IsMet(Value(C))]
        Text = ", ".join("%s %d (%s)" % (C.file, C.clang, Show(V)) for C, V in Missed)
        yield "Target: %s: met in %d of %d%s  " % (
            Name,
            len(Cells) - len(Missed),
            len(Cells),
            "; missed in " + Text if Missed else "",
        )
    yield ""
