/**
 * Source with what its lines cost in the margin: the lines that are in the page,
 * file by file, the costliest first, and from one costly line to the next.
 */
const Source = (() => {
  const byId = (id) => document.getElementById(id);
  const source = Data.json.source;
  /** What is shown of a line at first: in files of others nothing is caused. */
  const worth = (file, at) => file[file.main][at];
  const files = (source?.files ?? []).map((file) => ({ ...file, main: file.caused.some((ns) => ns > 0) ? "caused" : "inclusive" })).map((file) => ({
    ...file,
    costly: file.line.map((_, at) => at).filter((at) => worth(file, at) > 0),
    most: file.line.reduce((most, _, at) => Math.max(most, worth(file, at)), 0),
  })).sort((a, b) => b.most - a.most || (a.path < b.path ? -1 : 1));
  const byPath = new Map(files.map((file) => [file.path, file]));
  let file = files[0] ?? null, here = 0; // which of the costly lines
  let found = null; // the number of a line that was looked for, and need not cost

  const cell = (tag, className, text) => Object.assign(document.createElement(tag), { className, textContent: text });

  /** The lines of a file in the page, all or those around one of them; null if there are none. */
  function table(of, marked, around) {
    const shown = of.line.map((_, at) => at).filter((at) => !around || Math.abs(of.line[at] - marked) <= around);
    if (shown.length === 0) return null;
    const made = cell("table", "source", ""), head = made.createTHead().insertRow(), body = made.createTBody();
    const less = (column) => (column === of.main ? "number" : "number more");
    for (const label of ["caused", "inclusive", "count", "line", "source"])
      head.append(Object.assign(cell("th", label === "source" ? "" : label === "line" ? "number" : less(label), label), { scope: "col" }));
    let last = null;
    for (const at of shown) {
      const line = of.line[at];
      if (last !== null && line !== last + 1) {
        const gap = body.insertRow();
        gap.append(Object.assign(cell("td", "number", "⋮"), { colSpan: 5 }));
      }
      last = line;
      const row = body.insertRow();
      row.className = line === marked ? "here" : "";
      const number = (column, write) => cell("td", less(column), of[column][at] > 0 ? write(of[column][at]) : "");
      row.append(number("caused", Format.time), number("inclusive", Format.time), number("count", Format.grouped),
        cell("td", "number", String(line)), cell("td", "", of.text[at]));
      if (worth(of, at) > 0) row.querySelector("td:not(.more)").style.setProperty("--share", (100 * worth(of, at)) / of.most + "%");
    }
    return made;
  }

  function say() {
    if (!source) return "The page has no sources: it was made with --no-sources.";
    if (!file) return "No line of a file that costs could be read when the page was made.";
    const place = `${file.path}, file ${files.indexOf(file) + 1} of ${files.length}`;
    if (file.costly.length === 0) return place + ".";
    const at = file.costly[here];
    return `${place}: line ${file.line[at]}, ${here + 1} of ${file.costly.length} that cost: ${Format.time(file.caused[at])} caused, ` +
      `${Format.time(file.inclusive[at])} inclusive, ${Format.grouped(file.count[at])} ×.`;
  }

  function render() {
    byId("source-status").textContent = say();
    for (const control of document.querySelectorAll("#view-source .controls")) control.hidden = !file;
    if (!file) return;
    const index = files.indexOf(file);
    byId("source-file").value = String(index);
    byId("source-file-back").disabled = index === 0;
    byId("source-file-next").disabled = index === files.length - 1;
    byId("source-back").disabled = here === 0;
    byId("source-next").disabled = here >= file.costly.length - 1;
    byId("source-problem").textContent = file.problem ?? "";
    const lines = table(file, found ?? file.line[file.costly[here]]);
    byId("source-lines").replaceChildren(...(lines ? [lines] : []));
    byId("source-lines").querySelector(".here")?.scrollIntoView({ block: "nearest" });
  }

  /** Its costliest line, or the costly one next to `line`. */
  function choose(of, line) {
    const distance = (at) => (line === undefined ? -worth(of, at) : Math.abs(of.line[at] - line));
    file = of;
    found = line !== undefined && of.line.includes(line) ? line : null;
    here = of.costly.reduce((best, at, i) => (distance(at) < distance(of.costly[best]) ? i : best), 0);
  }

  function toFile(step) {
    const next = files[files.indexOf(file) + step];
    if (!next) return;
    choose(next);
    render();
    State.step();
  }
  function toLine(step) {
    if (!file || file.costly.length === 0) return;
    // From a line that was looked for, to the next one that costs.
    const isNext = found !== null && Math.sign(file.line[file.costly[here]] - found) === step, to = isNext ? here : here + step;
    if (to < 0 || to >= file.costly.length) return;
    here = to;
    found = null;
    render();
    State.step();
  }

  /** For who was shown a place elsewhere. */
  function show(path, line) {
    choose(byPath.get(path), line);
    Main.open("source");
  }

  function key(event) {
    if (event.key === "n" || event.key === "p") toLine(event.key === "n" ? 1 : -1);
  }

  function start() {
    Data.options(byId("source-file"), files.map((f, index) => [index, f.path]));
    if (file) choose(file);
    byId("source-file").addEventListener("change", (event) => {
      choose(files[Number(event.target.value)]);
      render();
      State.step();
    });
    byId("source-file-back").addEventListener("click", () => toFile(-1));
    byId("source-file-next").addEventListener("click", () => toFile(1));
    byId("source-more").addEventListener("change", () => byId("view-source").classList.toggle("more-shown", byId("source-more").checked));
    byId("source-back").addEventListener("click", () => toLine(-1));
    byId("source-next").addEventListener("click", () => toLine(1));
  }

  const state = () => (file ? { file: files.indexOf(file), line: found ?? file.line[file.costly[here]] } : {});
  function restore(all) {
    const index = State.number(all.get("file"), files.length);
    const line = State.number(all.get("line"), 2 ** 32);
    if (index !== null) choose(files[index], line ?? undefined);
    else if (files.length > 0) choose(files[0]);
  }

  return startedWhenAsked({ start, render, show, table, has: (path) => byPath.has(path), get: (path) => byPath.get(path), hasAny: Boolean(source),
    key, state, restore, escape: () => {} });
})();
