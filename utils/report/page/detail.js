/**
 * What is known of one row or box: its numbers, who asked for it, the source
 * around it. Everything is set as text.
 */
const Detail = (() => {
  const panel = document.getElementById("detail");

  /** An element with text and children. */
  function element(tag, className, text, ...children) {
    const made = document.createElement(tag);
    if (className) made.className = className;
    if (text) made.textContent = text;
    made.append(...children);
    return made;
  }

  function numbers(pairs) {
    const list = element("dl");
    for (const [label, text] of pairs) list.append(element("dt", "", label), element("dd", "", text));
    return list;
  }

  function show(...parts) {
    panel.replaceChildren(...parts);
    panel.scrollTop = 0;
  }

  function empty() {
    show(element("h2", "", "Details"), element("p", "", "Click a box or a name to see who asked for it."));
  }

  const withOld = (text, column, before, after) =>
    Data.hasOld ? `${text} (${Format.change(column, before, after)})` : text;

  function rowNumbers(row) {
    const total = Data.json.build.total;
    const old = (column) => (Data.hasOld ? row.get("old" + column[0].toUpperCase() + column.slice(1)) : 0);
    return numbers(["self", "inclusive", "requested", "count", "definitions", "memoized", "ast", "elided"]
      .filter((column) => row.get(column) > 0 || old(column) > 0)
      .map((column) => {
        let text = Format.of[column](row.get(column));
        if (column === "self") text += `, ${Format.percent(row.get(column), total)} of all`;
        return [column === "ast" ? "AST" : column, withOld(text, column, old(column), row.get(column))];
      }));
  }

  function flameButton(name) {
    const button = element("button", "", "Find in the flame graph");
    button.addEventListener("click", () => {
      Flame.searchFor(name);
      Main.open("flame");
    });
    return button;
  }

  function showRow(row) {
    const by = row.table.by, parts = [element("h2", "", row.name), element("p", "place", Table.labels[by])];
    if (row.isOthers) parts.push(element("p", "", "The rows that are too small to be in this page, as one."));
    parts.push(rowNumbers(row));
    if (by === "specialization") parts.push(flameButton(row.name));
    show(...parts);
  }

  function showFrame(frame) {
    const parts = [element("h2", "", frame.name)];
    if (frame.kind) parts.push(element("p", "place", frame.kind));
    if (frame.folded > 0) parts.push(element("p", "", "Paths that are too small to be in this page, as one box."));
    parts.push(numbers(frame.values.flatMap((v) => {
      const column = v.metric.key, label = v.metric.label;
      return [[label, withOld(`${Format.of[column](v.inclusive)}, ${Format.percent(v.inclusive, v.whole)} of all`, column, v.oldInclusive, v.inclusive)],
        ["… here", withOld(Format.of[column](v.own), column, v.oldOwn, v.own)]];
    })));
    if (frame.path.length > 0) {
      const path = element("ol", "path");
      for (const name of frame.path) path.append(element("li", "", name));
      parts.push(element("h3", "", "Inside"), path);
    }
    show(...parts);
  }

  return { showRow, showFrame, empty };
})();
