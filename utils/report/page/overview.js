/**
 * The first screen: where the time went, what cost the most of it, what to do
 * about it, and what changed. Everything leads to the table that has it.
 */
const Overview = (() => {
  const byId = (id) => document.getElementById(id);
  const Most = 10;
  const { build, old } = Data.json;
  // The profiler's own time is no part of what the compile takes.
  const total = build.total - build.parts.profiler;
  const parts = [
    { key: "system-headers", label: "system headers", by: "header" },
    { key: "libraries", label: "headers of libraries", by: "library" },
    { key: "instantiating", label: "templates", by: "template" },
    { key: "constant-evaluation", label: "constant evaluation", by: "template" },
    { key: "own-files", label: "your own files", by: "header" },
    { key: "code-generation", label: "generating code", by: Data.tables.has("function") ? "function" : "kind" },
    { key: "other", label: "not attributed", by: "kind" },
  ];
  const percent = (ns) => Format.percent(ns, total);

  /** An element that has a text and does something. */
  function button(className, text, does) {
    const made = document.createElement("button");
    made.className = className;
    made.textContent = text;
    made.addEventListener("click", does);
    return made;
  }

  function openTable(by, row) {
    if (row) return Table.reveal(row);
    Table.showFiltered(by, "");
    Main.open("table");
  }

  function whereTimeWent() {
    const bar = byId("parts-bar");
    for (const part of parts) {
      const ns = build.parts[part.key];
      if (ns === 0 && !(old?.parts[part.key] > 0)) continue;
      const piece = document.createElement("div");
      piece.className = "part " + part.key;
      piece.style.width = (100 * ns) / Math.max(total, 1) + "%";
      piece.append(Object.assign(document.createElement("span"), { textContent: `${part.label} ${percent(ns)}` }));
      bar.append(piece);
      const line = document.createElement("li"), name = button("link", part.label, () => openTable(part.by)), swatch = document.createElement("span");
      swatch.className = "swatch " + part.key;
      name.prepend(swatch);
      const cells = [Format.time(ns), percent(ns)];
      if (old) cells.push(Format.change("self", old.parts[part.key], ns));
      line.append(name, ...cells.map((text) => Object.assign(document.createElement("span"), { textContent: text })));
      byId("parts").append(line);
    }
  }

  /** Items with bars: [{label, whole, note, ns, go, more}]. */
  function fill(list, items) {
    if (items.length === 0) list.append(Object.assign(document.createElement("li"), { textContent: "There is none." }));
    for (const { label, whole, note, ns, go, more } of items) {
      const item = document.createElement("li"), bar = document.createElement("span"), text = document.createElement("span");
      bar.className = "bar";
      bar.style.width = (100 * ns) / Math.max(...items.map((each) => each.ns)) + "%";
      text.className = "value";
      text.textContent = `${Format.time(ns)}, ${percent(ns)}${note ?? ""}`;
      const name = button("link", label, go);
      name.title = whole;
      name.setAttribute("aria-label", Labels.spoken(label, whole));
      item.append(bar, name, text);
      if (more) item.append(Object.assign(document.createElement("code"), { textContent: more, title: more }));
      list.append(item);
    }
  }

  function costliestTemplates() {
    const rows = Data.rows("template").filter((row) => !row.isOthers && !row.get("fixed") && row.get("self") > 0)
      .sort((a, b) => b.get("self") - a.get("self") || a.index - b.index).slice(0, Most);
    fill(byId("top-template"), rows.map((row) => ({ label: Labels.short(row.name, 70), whole: row.name, ns: row.get("self"),
      go: () => openTable("template", row) })));
  }

  /** Without those that do little but include the next one: what is included by one file alone, for most of its time. */
  function costliestHeaders() {
    const tree = Data.json.includes;
    const outerOf = (row) => {
      const all = new Set(row.table.includes[row.index].chains.map((end) => tree.outer[end - 1]).map((at) => (at === 0 ? "" : Data.text(tree.name[at - 1]))));
      return all.size === 1 && row.table.includes[row.index].others === 0 ? [...all][0] : "";
    };
    // Known where the page has all ways to it.
    const timesOf = (row) => (row.table.includes[row.index].others > 0 ? 0 : row.table.includes[row.index].chains.reduce((sum, end) => sum + tree.count[end - 1], 0));
    // What nothing includes is no header.
    const rows = Data.rows("header").filter((row) => !row.isOthers && !row.get("fixed") && row.get("inclusive") > 0 && row.table.includes[row.index].chains.length > 0)
      .sort((a, b) => b.get("inclusive") - a.get("inclusive") || a.index - b.index);
    const inclusive = new Map(rows.map((row) => [row.name, row.get("inclusive")]));
    const shown = rows.filter((row) => !(row.get("inclusive") > 0.9 * (inclusive.get(outerOf(row)) ?? Infinity))).slice(0, Most);
    fill(byId("top-header"), shown.map((row) => ({ label: tailOf(row.name), whole: row.name, ns: row.get("inclusive"),
      note: timesOf(row) > 1 ? `, read ${Format.grouped(timesOf(row))} ×` : "", go: () => openTable("header", row) })));
  }

  function openLine(line) {
    const colon = line.name.lastIndexOf(":"), path = line.name.slice(0, colon);
    if (Source.has(path)) return Source.show(path, Number(line.name.slice(colon + 1)));
    return openTable("user-frame", Data.named("user-frame", line.name));
  }
  function costliestLines() {
    fill(byId("top-line"), Data.json.lines.filter((line, at) => at === 0 || line.time >= total / 100).map((line) => ({
      label: tailOf(line.place) + (line.others > 0 ? ` +${line.others}` : ""), whole: line.name, ns: line.time, more: line.text,
      note: build.compiles > 1 ? `, ${Format.grouped(line.units)} ${line.units === 1 ? "unit" : "units"}` : "", go: () => openLine(line) })));
  }

  function touches() {
    byId("touches-part").hidden = Data.json.touches.length === 0;
    fill(byId("touches"), Data.json.touches.map((touch) => ({ label: tailOf(touch.name), whole: touch.name, ns: touch.time,
      note: `, ${Format.grouped(touch.units)} ${touch.units === 1 ? "unit" : "units"}` +
        (touch.commits > 0 ? `; ${Format.time(touch.week)} a week by ${Format.grouped(touch.commits)} ${touch.commits === 1 ? "commit" : "commits"}` : ""),
      go: () => openTable("header", Data.named("header", touch.path)) })));
  }

  const tailOf = (path) => (path.length <= 30 ? path : "…/" + path.split("/").slice(-2).join("/"));

  function advice() {
    const list = byId("advice"), all = Data.json.advice;
    for (const a of all) {
      const item = document.createElement("li"), more = document.createElement("details"), head = document.createElement("summary");
      head.append(a.text, Object.assign(document.createElement("span"), { className: "value",
        textContent: `saves about ${Format.time(a.saving)}, ${percent(a.saving)}` }));
      more.open = list.childElementCount === 0;
      head.title = a.name;
      const line = (text, tag = "p") => more.append(Object.assign(document.createElement(tag), { textContent: text }));
      more.append(head);
      line(`${a.name}${a.place === "" ? "" : ` at ${a.place}`}: from ${Format.time(a.least)} to ${Format.time(a.most)}.`);
      if (a.tried !== "") line(`Tried ${a.tried}.`);
      if (a.correction !== "") line(`Trials: ${a.correction}.`);
      line(a.action);
      if (a.snippet !== "") line(a.snippet, "pre");
      const row = ["template", "specialization", "header", "class"].map((by) => Data.named(by, a.name)).find((r) => r);
      if (row) more.append(button("", "Its row in the tables", () => openTable(row.table.by, row)));
      item.append(more);
      list.append(item);
    }
    const [first] = Data.json.lines;
    byId("advice-rest").textContent = all.length === 0 ? "No suggestion saves more than 1 %." +
      (first ? ` Most expensive line: ${first.place}${first.text === "" ? "" : ", " + first.text}, ${percent(first.time)}.` : "") :
      (Data.json.otherAdvice > 0 ? `${Format.grouped(Data.json.otherAdvice)} more: instantrace advise -n 0. ` : "") +
      "Savings are estimates; those of different kinds may be of the same work.";
  }

  function changes() {
    byId("changes-part").hidden = !old;
    if (!old) return;
    const list = byId("changes");
    const change = (row) => row.get("self") - row.get("old self");
    const rows = ["template", "header"].flatMap((by) => Data.rows(by))
      .filter((row) => !row.isOthers && !row.get("fixed") && !row.get("isNoise") && change(row) !== 0)
      .sort((a, b) => Math.abs(change(b)) - Math.abs(change(a)) || (a.name < b.name ? -1 : 1)).slice(0, Most);
    byId("changes-whole").textContent = `${Format.time(old.total)} before, ${Format.time(build.total)} now: ` +
      Format.change("self", old.total, build.total) + "." + (rows.length === 0 ? " No row differs by more than the noise." : "") +
      " Times vary from run to run, counts do not.";
    for (const row of rows) {
      const item = document.createElement("li"), text = document.createElement("span");
      text.className = "value " + (change(row) > 0 ? "grew" : "shrank");
      text.textContent = Format.change("self", row.get("old self"), row.get("self")) +
        (row.get("isNew") ? ", new" : row.get("isGone") ? ", gone" : "");
      const name = button("link", row.table.by === "header" ? tailOf(row.name) : Labels.short(row.name, 60), () => openTable(row.table.by, row));
      name.title = row.name;
      item.append(name, text);
      list.append(item);
    }
  }

  function start() {
    whereTimeWent();
    costliestTemplates();
    costliestHeaders();
    costliestLines();
    advice();
    touches();
    changes();
    for (const link of document.querySelectorAll("#view-overview [data-by]"))
      link.addEventListener("click", () => openTable(link.dataset.by));
  }

  return startedWhenAsked({ start, escape: () => {} });
})();
