/**
 * The tables of `summary`: sorted by a click on a column, filtered by a regular
 * expression. Rows appear as many at a time as a person scrolls; the sum below
 * is of all that the filter leaves.
 */
const Table = (() => {
  const byId = (id) => document.getElementById(id);
  const RowsAtATime = 200;
  const labels = { template: "template", specialization: "specialization", class: "class", namespace: "namespace",
    library: "library", kind: "kind of work", file: "file that asks", directory: "directory that asks",
    line: "line that asks", header: "header", "user-frame": "line of your code", function: "function",
    constraint: "concept or constrained template", candidate: "candidate of overload resolution" };
  /**
   * isSum: rows add up. isMinor: left out on narrow screens. What most readers look at comes before the name.
   */
  const withChange = (c) => [c,
    ...(c.key === "self" ? [{ key: "change", label: "change", of: "self", isDiff: true, isSum: true }, { key: "percent", label: "%", of: "self" }] : []),
    ...(c.key === "count" ? [{ key: "countChange", label: "count change", of: "count", isDiff: true, isSum: true }] : [])];
  const isBeforeName = (c) => ["self", "inclusive", "count"].includes(c.key);
  const numbers = Data.json.columns.map((c) => ({ ...c, isMinor: c.rank === 0 || c.rank >= 8 }))
    .sort((a, b) => (a.rank || 99) - (b.rank || 99));
  const costColumns = [
    ...numbers.filter(isBeforeName).flatMap(withChange),
    { key: "name", label: "name", isText: true },
    ...numbers.filter((c) => !isBeforeName(c)),
    { key: "kind", label: "kind", isText: true, isMinor: true },
  ].filter((c) => Data.hasOld || !c.isDiff);
  /** Of steps that a check, or the try of a candidate, took. */
  const stepLabels = { checks: "checks", substitutions: "substitutions", requirements: "requirements", normalizations: "normalizations",
    explicit: "explicit", deduced: "deduced", default_arguments: "default arguments", prior: "prior", defined: "defined" };
  /** Without those that have nothing in any row. */
  const filled = new Map();
  function columnsOf(table) {
    if (!filled.has(table.by)) {
      const rows = Data.rows(table.by), isKept = (c) => c.isText || c.isDiff || ["self", "percent", "inclusive"].includes(c.key);
      const isAbove = (c, row) => row.get(c.of ?? c.key) > 0 || (Data.hasOld && !table.isOfNew && row.get("old " + c.key) > 0);
      filled.set(table.by, allColumnsOf(table).filter((c) => isKept(c) || rows.some((row) => isAbove(c, row))));
    }
    return filled.get(table.by);
  }
  function allColumnsOf(table) {
    if (!table.isOfNew) return costColumns;
    return [
      { key: "inclusive", label: "inclusive" },
      { key: "self", label: "self", isSum: true },
      { key: "percent", label: "%", of: "self" },
      ...table.counts.map((key) => ({ key, label: stepLabels[key], isSum: true, isMinor: true })),
      { key: "ast", label: "AST", isSum: true, isMinor: true },
      { key: "name", label: "name", isText: true },
    ];
  }
  let columns = costColumns;
  let by = "template", sort = { key: "self", isDown: true }, limit = RowsAtATime, rows = [];

  const old = (row, column) => row.get("old " + column);
  function value(row, column) {
    if (column.key === "name") return row.name;
    if (column.key === "kind") return Data.text(row.get("kind"));
    if (column.isDiff) return row.get(column.of) - old(row, column.of);
    return row.get(column.of ?? column.key);
  }
  function written(row, column) {
    if (column.isText) return value(row, column);
    if (row.isOthers && !column.isSum && column.key !== "percent") return "";
    if (column.isDiff) {
      const change = Format.change(column.of, old(row, column.of), row.get(column.of));
      return column.of === "self" && row.get("isNoise") ? "~" : change;
    }
    if (column.key === "percent") return Format.percent(row.get("self"), Data.json.build.total);
    return Format.of[column.key](row.get(column.key));
  }
  const hasChanged = (row) => row.get("isNew") || row.get("isGone") || row.get("count") !== old(row, "count") ||
    row.get("memoized") !== old(row, "memoized") || !row.get("isNoise");

  /** Rows by the filter and in order; ties in the order of the data. */
  function choose() {
    const status = byId("table-status");
    let matches;
    try {
      matches = Data.pattern(byId("table-filter").value);
    } catch {
      status.textContent = "This is not a regular expression.";
      return;
    }
    const onlyChanged = byId("table-changed").checked && !Data.tables.get(by).isOfNew;
    const all = Data.rows(by);
    columns = columnsOf(Data.tables.get(by));
    if (!columns.some((c) => c.key === sort.key)) sort = { key: "self", isDown: true };
    const column = columns.find((c) => c.key === sort.key);
    rows = all.filter((row) => (!matches || matches.test(row.name)) && (!onlyChanged || hasChanged(row)))
      .map((row, index) => ({ row, index, value: value(row, column) }))
      .sort((a, b) => (a.value < b.value ? -1 : a.value > b.value ? 1 : 0) * (sort.isDown ? -1 : 1) || a.index - b.index)
      .map((r) => r.row);
    const table = Data.tables.get(by);
    status.textContent = `${Format.grouped(rows.length)} of ${Format.grouped(all.length)} rows` +
      (table.otherRows > 0 ? `; the ${Format.grouped(table.otherRows)} smallest ones are summed in one` : "") +
      (table.isOfNew ? "; a trace does not have what came of it" + (Data.hasOld ? "; of the new build" : "")
        : Data.hasOld ? `; + has appeared, − is gone, ~ is within the noise` : "") + ".";
    render();
  }

  function render() {
    const table = d3.select(byId("table"));
    table.selectAll("caption").data([0]).join("caption").attr("class", "skip").text("Cost by " + labels[by]);
    table.selectAll("thead").data([0]).join("thead").selectAll("tr").data([0]).join("tr")
      .selectAll("th").data(columns, (c) => c.key).join((enter) => {
        const th = enter.append("th").attr("scope", "col");
        th.append("button").on("click", sortBy);
        return th;
      })
      .attr("class", (c) => (c.isText ? "text" : "") + (c.isMinor ? " minor" : ""))
      .attr("data-key", (c) => c.key)
      .attr("aria-sort", (c) => (c.key !== sort.key ? "none" : sort.isDown ? "descending" : "ascending"))
      .attr("title", (c) => c.help ?? null)
      .select("button")
      .text((c) => (c.key === "name" ? labels[by] : c.label) + (c.key !== sort.key ? "" : sort.isDown ? " ↓" : " ↑"));
    table.selectAll("tbody").data([0]).join("tbody").selectAll("tr").data(rows.slice(0, limit)).join("tr")
      .attr("class", (row) => (row.isOthers ? "others" : row.get("fixed") ? "fixed" : ""))
      .each(function (row) { fill(this, row); });
    const sum = (column) => rows.reduce((total, row) => total + value(row, column), 0);
    table.selectAll("tfoot").data([0]).join("tfoot").selectAll("tr").data([0]).join("tr")
      .selectAll("td").data(columns, (c) => c.key).join("td")
      .attr("class", (c) => (c.isText ? "text" : "") + (c.isMinor ? " minor" : "") + (c.key === "name" ? " name" : ""))
      .attr("data-key", (c) => c.key)
      .text((c) => {
        if (c.key === "name") return `sum of ${Format.grouped(rows.length)} rows`;
        if (c.key === "percent") return Format.percent(sum(c), Data.json.build.total);
        if (!c.isSum) return "";
        return c.isDiff ? Format.change(c.of, 0, sum(c)) : Format.of[c.key](sum(c));
      });
    const more = byId("table-more");
    more.hidden = rows.length <= limit;
    more.textContent = `Show ${Format.grouped(Math.min(RowsAtATime, rows.length - limit))} more of ${Format.grouped(rows.length)}`;
  }

  function fill(element, row) {
    d3.select(element).selectAll("td").data(columns, (c) => c.key).join("td").each(function (column) {
      this.className = (column.isText ? "text" : "") + (column.isMinor ? " minor" : "");
      this.dataset.key = column.key;
      const text = written(row, column);
      if (column.isDiff) {
        const change = row.get("isNoise") && column.of === "self" ? 0 : value(row, column);
        this.className += change > 0 ? " grew" : change < 0 ? " shrank" : " noise";
      }
      if (column.key !== "name") {
        this.textContent = text;
        return;
      }
      this.className += " name";
      const mark = !Data.hasOld || row.isOthers || row.table.isOfNew ? "" : row.get("isNew") ? "+ " : row.get("isGone") ? "− " : "";
      if (row.isOthers) {
        this.textContent = text;
        return;
      }
      const button = document.createElement("button");
      button.className = "link";
      button.append(...Labels.breakable(mark + text));
      button.addEventListener("click", () => {
        Detail.showRow(row);
        State.step();
      });
      this.replaceChildren(button);
    });
  }

  function sortBy(column) {
    sort = { key: column.key, isDown: sort.key === column.key ? !sort.isDown : !column.isText };
    limit = RowsAtATime;
    choose();
    State.step();
  }

  function show(newBy) {
    by = newBy;
    byId("table-by").value = by;
    limit = RowsAtATime;
    choose();
  }

  /** From elsewhere, which says what is there: whatever was chosen before hides none of it. */
  function showFiltered(newBy, pattern) {
    byId("table-changed").checked = false;
    byId("table-filter").value = pattern;
    show(newBy);
  }
  /** For who was shown the row elsewhere: it is there to be seen. */
  function reveal(row) {
    showFiltered(row.table.by, "");
    const at = rows.findIndex((each) => each.index === row.index);
    if (at >= limit) {
      limit = at + 1;
      render();
    }
    Detail.showRow(row);
    Main.open("table");
    byId("table").tBodies[0].rows[at]?.scrollIntoView({ block: "center" });
  }

  /** On paper nobody asks for more. */
  let limitBefore = limit;
  function beforePrint() {
    limitBefore = limit;
    limit = rows.length;
    render();
  }
  function afterPrint() {
    limit = limitBefore;
    render();
  }

  function start() {
    Data.options(byId("table-by"), [...Data.tables.keys()].map((k) => [k, labels[k]]));
    byId("table-changed-label").hidden = !Data.hasOld;
    byId("table-by").addEventListener("change", (e) => {
      show(e.target.value);
      State.step();
    });
    byId("table-filter").addEventListener("input", () => {
      limit = RowsAtATime;
      choose();
      State.replace();
    });
    byId("table-changed").addEventListener("change", () => {
      choose();
      State.step();
    });
    byId("table-more").addEventListener("click", () => { limit += RowsAtATime; render(); });
    show(by);
  }

  const state = () => ({ by, sort: (sort.isDown ? "-" : "") + sort.key, filter: byId("table-filter").value,
    changed: Data.hasOld && byId("table-changed").checked });
  function restore(all) {
    const wanted = all.get("sort") ?? "-self", table = Data.tables.get(State.choice(all.get("by"), [...Data.tables.keys()]));
    const key = State.choice(wanted.replace(/^-/, ""), columnsOf(table).map((c) => c.key));
    sort = { key, isDown: wanted.startsWith("-") };
    byId("table-filter").value = all.get("filter") ?? "";
    byId("table-changed").checked = all.get("changed") === "true";
    show(table.by);
  }

  return startedWhenAsked({ start, showFiltered, reveal, beforePrint, afterPrint, state, restore, labels, searchBox: byId("table-filter"),
    escape: () => { byId("table-filter").value = ""; choose(); } });
})();
