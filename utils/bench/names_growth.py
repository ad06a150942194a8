"""Packs that grow: f<0>, f<0, 1>, ..., f<0, ..., N - 1>, and the same growing at
the front, as real C++ whose names are measured like those of any other file."""

import os

import names_plot

SIZES = [125, 250, 500, 1000, 2000, 4000]
ENDS = ["back", "front"]
# Bytes and times that are compared, with the label of their curve.
OURS, THEIRS = "Instantrace", "printed by Clang"


class GrowingUnit:
    """As run.Unit: a file to compile and how."""

    def __init__(self, Folder, End, Size):
        self.name = "%d packs growing at the %s" % (Size, End)
        self.end, self.size = End, Size
        self.path = os.path.join(Folder, "growing_%s_%d.cpp" % (End, Size))
        self.flags = ["-w", "-std=c++17"]
        with open(self.path, "w", encoding="utf-8") as File:
            File.write(source(End, Size))


def source(End, Size):
    Lines = ["template <int... I> struct f {};"]
    if End == "back":
        Lines.append("template <class T, T... I> using Make = f<I...>;")
        Each = "static_assert(sizeof(__make_integer_seq<Make, int, %d>) == 1);"
        Lines += [Each % (K + 1) for K in range(Size)]
    else:
        # Clang has no reversed sequence built in, and computing one takes it
        # minutes. The function has names that grow as well: grow<1, 0>.
        Lines.append("template <int J, int... I> f<J, I...> grow(f<I...>);")
        Lines.append("using f0 = f<>;")
        Each = "using f%d = decltype(grow<%d>(f%d()));\nstatic_assert(sizeof(f%d) == 1);"
        Lines += [Each % (K + 1, K, K, K + 1) for K in range(Size)]
    return "\n".join(Lines) + "\n"


def curve(Rows, End, Label, Value):
    return names_plot.Curve(
        "%s, growing at the %s" % (Label, End),
        [(Size, Value(M)) for (Size, RowEnd), M in sorted(Rows.items()) if RowEnd == End],
    )


def panels(Rows):
    """Rows: (size, end) -> measurement (names.Measurement)."""
    Bytes = [curve(Rows, End, OURS, lambda M: M.bytes["ours_bytes"]) for End in ENDS]
    Bytes += [curve(Rows, "back", "Templight's rule", lambda M: M.bytes["templight_bytes"])]
    Bytes += [curve(Rows, End, "flat", lambda M: M.bytes["flat_bytes"]) for End in ENDS]
    Times = [curve(Rows, End, OURS, lambda M: M.median("build", "build_ns") / 1e6) for End in ENDS]
    Times += [curve(Rows, End, THEIRS, lambda M: M.median("print_each", "ns") / 1e6) for End in ENDS]
    return [("Bytes of all names", "N", Bytes), ("CPU time of naming, ms", "N", Times)]


def lines(Rows):
    """The Markdown table, and the exponents."""
    yield "### Packs that grow"
    yield ""
    yield (
        "| f of 1 to N arguments | growing at | dictionary, kB | Templight's rule, kB | flat, kB | flat : ours"
        " | naming, ms | printing, ms |"
    )
    yield "|---:|---|" + "---:|" * 6
    for (Size, End), M in sorted(Rows.items()):
        Ours, Flat = M.bytes["ours_bytes"], M.bytes["flat_bytes"]
        yield "| %d | %s | %.0f | %.0f | %.0f | %.0f | %.2f | %.2f |" % (
            Size,
            End,
            Ours / 1e3,
            M.bytes["templight_bytes"] / 1e3,
            Flat / 1e3,
            Flat / Ours,
            M.median("build", "build_ns") / 1e6,
            M.median("print_each", "ns") / 1e6,
        )
    yield ""
    for Title, _, Curves in panels(Rows):
        yield "Exponents (%s): %s.  " % (
            Title,
            "; ".join("%s %.2f" % (C.name, C.slope()) for C in Curves),
        )
    yield ""
