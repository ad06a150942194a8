/**
 * Numbers as people read them, the same way as the tool's tables: three digits
 * and a unit; thousands in groups.
 */
const Format = (() => {
  const grouped = d3.format(",");

  /** Three digits of a number, as the tool writes them: of what it is rounded to. */
  function three(value) {
    return value < 9.995 ? value.toFixed(2) : value < 99.95 ? value.toFixed(1) : value.toFixed(0);
  }

  function withUnit(value, steps, last) {
    for (const [from, unit] of steps)
      if (value >= from * 0.9995) return three(value / from) + " " + unit;
    return value + " " + last;
  }

  const time = (ns) => withUnit(ns, [[1e9, "s"], [1e6, "ms"], [1e3, "µs"]], "ns");
  const size = (bytes) => withUnit(bytes, [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"]], "B");
  const percent = (part, whole) => (whole === 0 ? "-" : ((100 * part) / whole).toFixed(1) + " %");

  const byUnit = { count: grouped, time, size, estimate: (ns) => (ns === 0 ? "" : "~" + time(ns)) };
  /** How a column or metric of this name is written: a number of costs by its unit, steps of checks as counts. */
  const of = new Proxy({}, { get: (_, key) => byUnit[Data.units.get(key) ?? "count"] });

  /** "+1.2 ms", "-3", "=" */
  function change(column, before, after) {
    const by = after - before;
    return by === 0 ? "=" : (by > 0 ? "+" : "−") + of[column](Math.abs(by));
  }

  return { time, size, percent, grouped, of, change };
})();
