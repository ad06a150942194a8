/**
 * The report's data, as utils/report/ReportJson.cpp wrote it, and what several
 * views need of it. Texts are only ever set as text: they are whatever the
 * compiled code is called.
 */
const Data = (() => {
  const json = JSON.parse(document.getElementById("data").textContent);
  const hasOld = Boolean(json.old);
  const text = (number) => json.texts[number];
  /** Of the numbers of costs. */
  const units = new Map(json.columns.map((c) => [c.key, c.unit]));

  /** The metrics of pictures. */
  const metrics = [
    { key: "self", old: "old self", label: "time" },
    { key: "count", old: "old count", label: "count" },
    { key: "ast", old: "old ast", label: "memory (AST)" },
  ];

  const tables = new Map(json.tables.map((t) => [t.by, t]));
  // Of the new build alone, and without chains; otherwise a table like the others.
  for (const table of json.checks) {
    const none = (value) => table.name.map(() => value);
    tables.set(table.by, { ...table, isOfNew: true, fixed: none(0), kind: none(0), chains: none([]) });
  }

  /** A row of a table as an object that views hand around. */
  function row(table, index) {
    return { table, index, name: text(table.name[index]), get: (column) => table[column][index] };
  }

  /** The rows of a table and, last, the sum of those that are folded. */
  function rows(by) {
    const table = tables.get(by);
    const all = table.name.map((_, index) => row(table, index));
    if (table.otherRows > 0) {
      const sums = { fixed: 1, kind: 0, isNew: 0, isGone: 0, isNoise: 0 };
      for (const [column, value] of Object.entries(table.others)) sums[column] = value;
      for (const [column, value] of Object.entries(table.oldOthers ?? {}))
        sums["old " + column] = value;
      all.push({ table, index: -1, isOthers: true, get: (column) => sums[column],
        name: `(${Format.grouped(table.otherRows)} others)` });
    }
    return all;
  }

  const indexes = new Map();
  /** The row with this name, or null. */
  function find(by, nameNumber) {
    if (!indexes.has(by)) {
      const table = tables.get(by);
      indexes.set(by, new Map(table.name.map((name, index) => [name, index])));
    }
    const index = indexes.get(by).get(nameNumber);
    return index === undefined ? null : row(tables.get(by), index);
  }

  const byName = new Map();
  /** The row with this text as its name, or null. */
  function named(by, name) {
    if (!tables.has(by)) return null;
    if (!byName.has(by)) byName.set(by, new Map(tables.get(by).name.map((n, index) => [text(n), index])));
    const index = byName.get(by).get(name);
    return index === undefined ? null : row(tables.get(by), index);
  }

  /** Kinds of work as they are coloured; the colours are in report.css. */
  const groups = [
    { key: "instantiating", label: "instantiation" },
    { key: "substituting", label: "substitution, default arguments" },
    { key: "constraint", label: "constraints" },
    { key: "file", label: "reading files" },
    { key: "code-generation", label: "code generation" },
    { key: "phase", label: "other work, and sums" },
    { key: "profiler", label: "Instantrace" },
  ];
  const groupKeys = { Instantiation: "instantiating", Constraint: "constraint", Phase: "phase", File: "file",
    Line: "file", Backend: "code-generation", Memoization: "instantiating" };
  /** The key of the group of a kind of events. */
  function groupOf(kind) {
    if (kind === "Profiling") return "profiler";
    if (kind === "CodeGeneration") return "code-generation";
    if (!Object.hasOwn(json.groups, kind)) return "phase";
    return groupKeys[json.groups[kind]] ?? "substituting";
  }
  const isTemplateWork = (kind) => ["instantiating", "substituting", "constraint"].includes(groupOf(kind));

  /** A number in [0, n) that is the same for a name in every picture. */
  function hash(name, n) {
    let value = 2166136261;
    for (let i = 0; i < name.length; ++i) value = Math.imul(value ^ name.charCodeAt(i), 16777619);
    return ((value ^ (value >>> 15)) >>> 0) % n;
  }

  /** Colours a box: by its name, or by how it changed. */
  function paint(element, name, isOther, before, after, group) {
    element.classList.toggle("other", isOther && !hasOld && !group);
    if (group && !hasOld) {
      element.dataset.group = isOther ? "phase" : group;
      return;
    }
    if (hasOld) {
      const ratio = Math.max(before, after) === 0 ? 0 : (after - before) / Math.max(before, after);
      element.style.setProperty("--hue", ratio > 0 ? 4 : 215);
      element.style.setProperty("--full", Math.round(Math.abs(ratio) * 85) + "%");
    } else element.style.setProperty("--hue", 12 + hash(name, 44));
  }

  /** A text as an expression that matches it alone. */
  const literal = (text) => text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  /** A regular expression for what was typed, null for nothing; throws. */
  const pattern = (typed) => (typed === "" ? null : new RegExp(typed, "i"));

  /** Fills a <select> with [value, label] pairs. */
  function options(select, pairs) {
    d3.select(select).selectAll("option").data(pairs).join("option")
      .attr("value", (p) => p[0]).text((p) => p[1]);
  }

  return { json, hasOld, text, units, metrics, tables, row, rows, find, named, groups, groupOf, isTemplateWork, hash, paint, pattern, literal, options };
})();
