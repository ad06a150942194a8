"""Log-log curves as an SVG picture, with nothing but the standard library."""

import html
import math

WIDTH, HEIGHT = 460, 360
LEFT, RIGHT, TOP, BOTTOM = 62, 14, 34, 44
COLORS = ["#0072b2", "#56b4e9", "#009e73", "#d55e00", "#e69f00"]
FONT = 'font-family="sans-serif" font-size="%d" fill="#222"'


class Curve:
    def __init__(self, Name, Points):
        self.name = Name
        self.points = [(X, Y) for X, Y in Points if X > 0 and Y > 0]

    def means(self):
        """Of the logarithms."""
        Logs = [(math.log(X), math.log(Y)) for X, Y in self.points]
        return tuple(sum(Values) / len(Logs) for Values in zip(*Logs))

    def slope(self):
        """Of the straight line that fits best: the exponent of growth."""
        Xs = [math.log(X) for X, _ in self.points]
        Ys = [math.log(Y) for _, Y in self.points]
        MeanX, MeanY = self.means()
        Spread = sum((X - MeanX) ** 2 for X in Xs)
        return sum((X - MeanX) * (Y - MeanY) for X, Y in zip(Xs, Ys)) / Spread

    def fit(self, Value):
        """Where that line is."""
        MeanX, MeanY = self.means()
        return math.exp(MeanY + self.slope() * (math.log(Value) - MeanX))


def short(Value):
    for Unit, Suffix in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if Value >= Unit:
            return "%.3g%s" % (Value / Unit, Suffix)
    return "%g" % Value


class Panel:
    """One diagram; X is to have few values, each of which gets a tick."""

    def __init__(self, Title, XTitle, Curves, Offset, HasFits):
        self.title, self.x_title, self.curves, self.offset = Title, XTitle, Curves, Offset
        self.has_fits = HasFits
        Xs = [X for C in Curves for X, _ in C.points]
        Ys = [Y for C in Curves for _, Y in C.points]
        self.ticks = sorted(set(Xs))
        self.x_range = math.log10(min(Xs)), math.log10(max(Xs))
        self.y_range = math.floor(math.log10(min(Ys))), math.ceil(math.log10(max(Ys)))

    def x(self, Value):
        Low, High = self.x_range
        Inside = WIDTH - LEFT - RIGHT
        return self.offset + LEFT + (math.log10(Value) - Low) / (High - Low) * Inside

    def y(self, Value):
        Low, High = self.y_range
        Inside = HEIGHT - TOP - BOTTOM
        return HEIGHT - BOTTOM - (math.log10(Value) - Low) / (High - Low) * Inside

    def lines(self):
        Right, Bottom = self.offset + WIDTH - RIGHT, HEIGHT - BOTTOM
        Left = self.offset + LEFT
        yield text(Left, 20, self.title, 14, "start")
        for Power in range(self.y_range[0], self.y_range[1] + 1):
            Y = self.y(10**Power)
            yield '<path d="M%.1f %.1fH%.1f" stroke="#ddd"/>' % (Left, Y, Right)
            yield text(Left - 6, Y + 4, short(10**Power), 11, "end")
        for Tick in self.ticks:
            X = self.x(Tick)
            yield '<path d="M%.1f %.1fV%.1f" stroke="#ddd"/>' % (X, TOP, Bottom)
            # What is at the edge has no room on its other side.
            yield text(X, Bottom + 16, short(Tick), 11, "end" if X > Right - 1 else "middle")
        yield text((Left + Right) / 2, Bottom + 34, self.x_title, 12, "middle")
        for Number, C in enumerate(self.curves):
            Color = COLORS[Number % len(COLORS)]
            Path = "L".join("%.1f %.1f" % (self.x(X), self.y(Y)) for X, Y in C.points)
            yield '<path d="M%s" fill="none" stroke="%s" stroke-width="2"/>' % (Path, Color)
            if self.has_fits:
                Ends = "L".join("%.1f %.1f" % (self.x(X), self.y(C.fit(X))) for X in (self.ticks[0], self.ticks[-1]))
                yield '<path d="M%s" stroke="%s" stroke-dasharray="4 4"/>' % (Ends, Color)
            for X, Y in C.points:
                yield '<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>' % (self.x(X), self.y(Y), Color)
            Y = TOP + 14 + 16 * Number
            yield '<path d="M%.1f %.1fh18" stroke="%s" stroke-width="3"/>' % (Left + 8, Y - 4, Color)
            yield text(Left + 32, Y, "%s: slope %.2f" % (C.name, C.slope()), 11, "start")


def text(X, Y, Text, Size, Anchor):
    return '<text x="%.1f" y="%.1f" text-anchor="%s" %s>%s</text>' % (X, Y, Anchor, FONT % Size, html.escape(Text))


def picture(Panels, HasFits=False):
    """Panels: triples of title, title of the X axis, and curves. HasFits: with the
    straight lines whose slopes are given."""
    Total = WIDTH * len(Panels)
    Lines = [
        '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">' % (Total, HEIGHT, Total, HEIGHT),
        '<rect width="%d" height="%d" fill="#fff"/>' % (Total, HEIGHT),
    ]
    for Number, (Title, XTitle, Curves) in enumerate(Panels):
        Lines += Panel(Title, XTitle, Curves, Number * WIDTH, HasFits).lines()
    return "\n".join(Lines + ["</svg>"]) + "\n"
