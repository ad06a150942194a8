/**
 * The first screen: where the time went, what cost the most of it, what to do
 * about it, and what changed. Everything leads to the table that has it.
 */
const Overview = (() => {
  const byId = (id) => document.getElementById(id);
  const Most = 10;
  const { build, old } = Data.json;
  const parts = [
    { key: "own-files", label: "parsing own files", by: "header" },
    { key: "system-headers", label: "parsing system headers", by: "header" },
    { key: "libraries", label: "parsing headers of libraries", by: "library" },
    { key: "instantiating", label: "instantiating templates", by: "template" },
    { key: "code-generation", label: "code generation", by: Data.tables.has("function") ? "function" : "kind" },
    { key: "profiler", label: "Instantrace itself", by: "kind" },
    { key: "other", label: "other", by: "kind" },
  ];

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
      const share = Format.percent(ns, build.total);
      const piece = document.createElement("div");
      piece.className = "part " + part.key;
      piece.style.width = (100 * ns) / Math.max(build.total, 1) + "%";
      piece.title = `${part.label}: ${Format.time(ns)}, ${share}`;
      bar.append(piece);
      const line = document.createElement("tr");
      const swatch = document.createElement("span");
      swatch.className = "swatch " + part.key;
      const name = document.createElement("th");
      name.scope = "row";
      name.append(swatch, button("link", part.label, () => openTable(part.by)));
      const cells = [Format.time(ns), share];
      if (old) cells.push(Format.change("self", old.parts[part.key], ns));
      line.append(name, ...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
      byId("parts").append(line);
    }
  }

  /** The rows of a table with the most of a column, as bars. */
  function costliest(list, by, label, isWanted) {
    const rows = Data.rows(by).filter((row) => !row.isOthers && !row.get("fixed") && row.get("self") > 0 && isWanted(row))
      .sort((a, b) => b.get("self") - a.get("self") || a.index - b.index).slice(0, Most);
    if (rows.length === 0) list.append(Object.assign(document.createElement("li"), { textContent: "There is none." }));
    for (const row of rows) {
      const item = document.createElement("li"), value = row.get("self");
      const bar = document.createElement("span");
      bar.className = "bar";
      bar.style.width = (100 * value) / rows[0].get("self") + "%";
      const text = document.createElement("span");
      text.className = "value";
      text.textContent = `${Format.time(value)}, ${Format.percent(value, build.total)}`;
      const name = button("link", label(row.name), () => openTable(by, row));
      name.title = row.name;
      name.setAttribute("aria-label", Labels.spoken(name.textContent, row.name));
      item.append(bar, name, text);
      list.append(item);
    }
  }

  const tailOf = (path) => (path.length <= 44 ? path : "…/" + path.split("/").slice(-2).join("/"));

  function advice() {
    const list = byId("advice"), all = Data.json.advice;
    for (const a of all) {
      const item = document.createElement("li"), more = document.createElement("details"), head = document.createElement("summary");
      head.textContent = `${a.kind}: ${Labels.short(a.name, 60)}, saves about ${Format.time(a.saving)} (${Format.percent(a.saving, build.total)})`;
      head.title = a.name;
      const line = (text, tag = "p") => more.append(Object.assign(document.createElement(tag), { textContent: text }));
      more.append(head);
      line(`${a.name}${a.place === "" ? "" : ` at ${a.place}`}: from ${Format.time(a.least)} to ${Format.time(a.most)}.`);
      line(a.action);
      if (a.snippet !== "") line(a.snippet, "pre");
      const row = ["template", "specialization", "header", "class"].map((by) => Data.named(by, a.name)).find((r) => r);
      if (row) more.append(button("", "Its row in the tables", () => openTable(row.table.by, row)));
      item.append(more);
      list.append(item);
    }
    byId("advice-rest").textContent = all.length === 0 ? "Nothing would save 1 % of the time." :
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
      " Wall times vary from run to run, counts do not.";
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
    costliest(byId("top-template"), "template", (name) => Labels.short(name, 46), () => true);
    // What nothing includes is no header.
    costliest(byId("top-header"), "header", tailOf, (row) => row.table.includes[row.index].chains.length > 0);
    costliest(byId("top-line"), "user-frame", tailOf, () => true);
    advice();
    changes();
    for (const link of document.querySelectorAll("#view-overview [data-by]"))
      link.addEventListener("click", () => openTable(link.dataset.by));
  }

  return startedWhenAsked({ start, escape: () => {} });
})();
