/**
 * One box that searches everything: rows of all tables, boxes of the flame
 * graph, files, lines of source, compiles, advice. What is found leads to where it is.
 */
const Find = (() => {
  const byId = (id) => document.getElementById(id);
  const box = byId("find"), results = byId("find-results"), status = byId("find-status");
  const ShownOfEach = 5;

  /** What was typed as a regular expression or, if it is none, as it is. */
  function patternOf(typed) {
    try {
      return Data.pattern(typed);
    } catch {
      return Data.pattern(Data.literal(typed));
    }
  }

  /** {label, count, items: [{text, note, go}], all} of each place that has something. */
  function found(typed) {
    const matches = patternOf(typed), numbers = new Set();
    Data.json.texts.forEach((text, number) => { if (text !== "" && matches.test(text)) numbers.add(number); });
    const groups = [];
    const add = (label, items, all) => { if (items.length > 0) groups.push({ label, count: items.length, items: items.slice(0, ShownOfEach), all }); };
    for (const [by, table] of Data.tables) {
      const rows = [];
      table.name.forEach((number, index) => { if (numbers.has(number)) rows.push(Data.row(table, index)); });
      rows.sort((a, b) => b.get("inclusive") - a.get("inclusive"));
      add(Table.labels[by], rows.map((row) => ({ text: row.name, note: Format.time(row.get("inclusive")) + " inclusive", go: () => openRow(row) })),
        () => openTable(by, typed));
    }
    const boxes = Data.json.flame.name.filter((number) => numbers.has(number)).length;
    if (boxes > 0) groups.push({ label: "flame graph", count: boxes, items: [{ text: `${Format.grouped(boxes)} boxes are marked`, note: "", go: () => openFlame(typed) }] });
    const read = new Map();
    Data.json.includes.name.forEach((number, at) => {
      if (numbers.has(number) && Data.json.includes.folded[at] === 0) read.set(number, Math.max(read.get(number) ?? 0, Data.json.includes.inclusive[at]));
    });
    add("file that was read", [...read].sort((a, b) => b[1] - a[1]).map(([number, ns]) =>
      ({ text: Data.text(number), note: Format.time(ns), go: () => openInclude(Data.text(number)) })));
    add("source in the page", (Data.json.source?.files ?? []).filter((file) => matches.test(file.path))
      .map((file) => ({ text: file.path, note: `${Format.grouped(file.line.length)} lines`, go: () => Source.show(file.path) })));
    const lines = [];
    for (const file of Data.json.source?.files ?? [])
      file.text.forEach((text, at) => {
        if (matches.test(text)) lines.push({ text: text.trim(), note: `${Labels.file(file.path)}:${file.line[at]}`, go: () => Source.show(file.path, file.line[at]) });
      });
    add("line of source", lines);
    const line = Data.json.timeline, units = line.name.map((_, at) => at).filter((at) => line.name.length > 1 && numbers.has(line.name[at]));
    add("compile", units.map((at) => ({ text: Data.text(line.name[at]), note: Format.time(line.time[at]), go: () => openUnit(at) })));
    const advice = Data.json.advice.map((each, at) => at).filter((at) => matches.test(Data.json.advice[at].name) || matches.test(Data.json.advice[at].text) || matches.test(Data.json.advice[at].kind));
    add("advice", advice.map((at) => ({ text: Data.json.advice[at].text,
      note: Format.time(Data.json.advice[at].saving), go: () => openAdvice(at) })));
    return groups;
  }

  function openRow(row) {
    Table.reveal(row);
  }
  function openTable(by, typed) {
    Table.showFiltered(by, patternOf(typed).source);
    Main.open("table");
  }
  function openFlame(typed) {
    Flame.mark(patternOf(typed).source);
    Main.open("flame");
  }
  function openInclude(name) {
    Main.show("includes");
    Includes.reveal(name);
    Main.open("includes");
  }
  function openUnit(at) {
    Main.open("timeline");
    Timeline.select(at);
  }
  function openAdvice(at) {
    Main.open("overview");
    const details = document.querySelectorAll("#advice details")[at];
    details.open = true;
    details.querySelector("summary").focus();
  }

  function button(className, text, go) {
    const made = document.createElement("button");
    made.className = className;
    made.textContent = text;
    made.addEventListener("click", () => {
      close();
      go();
    });
    return made;
  }

  function render() {
    const typed = box.value.trim();
    results.replaceChildren();
    results.hidden = typed === "";
    status.textContent = "";
    if (typed === "") return;
    const groups = found(typed);
    for (const group of groups) {
      const head = document.createElement("h2"), list = document.createElement("ul");
      head.textContent = `${group.label}: ${Format.grouped(group.count)}`;
      for (const item of group.items) {
        const line = document.createElement("li"), note = document.createElement("span");
        note.className = "value";
        note.textContent = item.note;
        line.append(button("link", item.text, item.go), note);
        list.append(line);
      }
      results.append(head, list);
      if (group.count > group.items.length && group.all) results.append(button("", `All ${Format.grouped(group.count)} in the table`, group.all));
    }
    const count = groups.reduce((sum, group) => sum + group.count, 0);
    status.textContent = count === 0 ? "Nothing in this page has that." : `${Format.grouped(count)} found.`;
    if (count === 0) results.hidden = true;
  }
  function close() {
    results.hidden = true;
  }

  function start() {
    box.addEventListener("input", render);
    box.addEventListener("focus", () => { if (box.value.trim() !== "" && results.childElementCount > 0) results.hidden = false; });
    box.addEventListener("keydown", (event) => {
      if (event.key !== "ArrowDown" && event.key !== "Enter") return;
      event.preventDefault();
      results.querySelector("button")?.focus();
    });
    results.addEventListener("keydown", (event) => {
      const all = [...results.querySelectorAll("button")], step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (event.key === "Escape") {
        event.stopPropagation();
        close();
        box.focus();
        close();
      }
      if (!step) return;
      event.preventDefault();
      (all[all.indexOf(document.activeElement) + step] ?? box).focus();
    });
    document.addEventListener("click", (event) => { if (!event.target.closest("#find-part")) close(); });
  }

  return { start, box };
})();
