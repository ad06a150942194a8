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

  let shown = null; // what State remembers: [kind of thing, its number]
  let isPlaced = false;
  /** It takes room when there is something to say. */
  function place(isView = isPlaced) {
    isPlaced = isView;
    panel.hidden = !isPlaced || panel.childElementCount === 0;
    document.getElementById("main").classList.toggle("whole", panel.hidden);
  }
  function show(...parts) {
    const close = element("button", "close", "Close");
    close.addEventListener("click", () => {
      empty();
      State.step();
    });
    panel.replaceChildren(close, ...parts);
    panel.scrollTop = 0;
    place();
  }

  function empty() {
    shown = null;
    panel.replaceChildren();
    place();
  }

  const withOld = (text, column, before, after) =>
    Data.hasOld ? `${text} (${Format.change(column, before, after)})` : text;

  function rowNumbers(row) {
    const total = Data.json.build.total;
    const isOfNew = Boolean(row.table.isOfNew);
    const old = (column) => (Data.hasOld && !isOfNew ? row.get("old " + column) : 0);
    const columns = isOfNew ? ["inclusive", "self", ...row.table.counts, "ast"]
      : ["self", "inclusive", "requested", "count", "definitions", "memoized", "ast", "elided"];
    return numbers(columns
      .filter((column) => row.get(column) > 0 || old(column) > 0)
      .map((column) => {
        let text = Format.of[column](row.get(column));
        if (column === "self") text += `, ${Format.percent(row.get(column), total)} of all`;
        const label = column === "ast" ? "AST" : column.replaceAll("_", " ");
        return [label, isOfNew ? text : withOld(text, column, old(column), row.get(column))];
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

  function rowButton(label, row) {
    const button = element("button", "", label);
    button.addEventListener("click", () => {
      Table.reveal(row);
    });
    return button;
  }

  const frames = Data.json.frames;
  const LinesAround = 8;

  /** "dir/a.h:12" as its parts; null for what is no line. */
  function parsePlace(place) {
    const colon = place.lastIndexOf(":");
    const line = Number(place.slice(colon + 1));
    return colon > 0 && Number.isInteger(line) ? { path: place.slice(0, colon), line } : null;
  }

  /** The lines of a file that are in the page, all or around one of them. */
  function excerpt(path, around) {
    const file = Source.get(path);
    if (!Source.hasAny) return element("p", "place", "The page has no sources: it was made with --no-sources.");
    if (!file) return element("p", "place", `${path} is not in the page: other lines cost more.`);
    const part = element("div"), lines = Source.table(file, around, around === undefined ? 0 : LinesAround);
    if (file.problem) part.append(element("p", "place", `${path}: ${file.problem}`));
    if (lines) {
      lines.tabIndex = 0; // it scrolls
      const button = element("button", "", "Open in the source");
      button.addEventListener("click", () => Source.show(path, around));
      part.append(lines, button);
    } else if (!file.problem) return element("p", "place", "The line is not in the page: others cost more.");
    return part;
  }

  function placeButton(place, target) {
    const at = parsePlace(place);
    if (!at || !Source.has(at.path)) return element("span", "place", " " + place);
    const button = element("button", "link", place);
    button.addEventListener("click", () => showSource(target, place));
    return element("span", "place", " ", button);
  }

  function showSource(target, place) {
    const at = parsePlace(place);
    target.replaceChildren(element("h3", "", `Source at ${place}`), excerpt(at.path, at.line));
  }

  /** Who asked for what is in a row, as `why` says it. */
  function whyParts(row) {
    const chains = row.table.chains[row.index], target = element("div");
    target.id = "source";
    if (chains.length === 0) return [];
    const list = element("div");
    list.id = "chains";
    let first = null;
    for (const chain of chains) {
      if (!Array.isArray(chain)) continue; // how many others there are
      const [node, count, memoized, self, inclusive] = chain;
      const numbersText = `${Format.time(inclusive)} inclusive, ${Format.time(self)} self, ${Format.grouped(count)} ×` +
        (memoized > 0 ? `, ${Format.grouped(memoized)} uses again` : "");
      const part = element("div", "chain", "", element("div", "", numbersText));
      if (node === 0) {
        part.firstChild.textContent = `(${Format.grouped(chains[chains.length - 1])} other chains) ${numbersText}`;
        list.append(part);
        continue;
      }
      const steps = element("ol", "frames");
      for (let at = node; at !== 0; at = frames.outer[at - 1]) {
        const place = Data.text(frames.place[at - 1]);
        const name = (frames.isInclusion[at - 1] ? "#include " : "") + Data.text(frames.name[at - 1]) + (frames.isLate[at - 1] ? " (late)" : "");
        steps.append(element("li", "", at === node ? name : "← " + name, placeButton(place, target)));
        if (frames.outer[at - 1] === 0 && first === null && parsePlace(place)) first = place;
      }
      part.append(steps);
      list.append(part);
    }
    if (first !== null && Source.hasAny) showSource(target, first);
    return [element("h3", "", "Who asked for it"), list, target];
  }

  const MostSteps = 256;
  /** "a.cpp:1 → b.h:3": from the file that was compiled inwards. */
  function wayOf(end) {
    const tree = Data.json.includes, steps = [];
    for (let at = end - 1; tree.outer[at] !== 0; at = tree.outer[at] - 1) {
      if (steps.length === MostSteps) {
        steps.push("…");
        break;
      }
      const line = tree.line[at];
      steps.push(Data.text(tree.name[tree.outer[at] - 1]) + (line === 0 ? "" : `:${line}`));
    }
    return steps.reverse().join(" → ");
  }
  function includeParts(row) {
    const { chains, others } = row.table.includes[row.index], tree = Data.json.includes;
    if (chains.length === 0) return [];
    const list = element("ul", "path"), button = element("button", "", "Find among the includes");
    for (const end of chains)
      list.append(element("li", "", `${Format.grouped(tree.count[end - 1])} ×, ${Format.time(tree.inclusive[end - 1])}: ${wayOf(end)}`));
    if (others > 0) list.append(element("li", "", `and over ${Format.grouped(others)} other chains`));
    button.addEventListener("click", () => {
      Main.show("includes");
      Includes.reveal(row.name);
      Main.open("includes");
    });
    return [element("h3", "", "How it is included"), list, button];
  }

  /** A file that is in no table. */
  function showFile(path, pairs) {
    shown = null;
    show(element("h2", "", path), element("p", "place", "file"), numbers(pairs), element("h3", "", "Lines that cost"), excerpt(path));
  }

  function sourceParts(row) {
    const at = parsePlace(row.name);
    if (row.table.by === "line" || row.table.by === "user-frame")
      return at ? [element("h3", "", "Source"), excerpt(at.path, at.line)] : [];
    return [element("h3", "", "Lines that cost"), excerpt(row.name)];
  }

  function showRow(row) {
    shown = [row.table.by, row.index];
    const by = row.table.by, parts = [element("h2", "", "", ...Labels.breakable(row.name)), element("p", "place", Table.labels[by])];
    if (row.isOthers) {
      show(...parts, element("p", "", "The rows that are too small to be in this page, as one."), rowNumbers(row));
      return;
    }
    parts.push(rowNumbers(row));
    const template = row.table.isOfNew ? Data.named("template", row.name) : null;
    if (template) parts.push(rowButton("Its row among the templates", template));
    if (by === "specialization") parts.push(flameButton(row.name));
    if (row.table.includes) parts.push(...includeParts(row));
    const isPlace = ["file", "header", "line", "user-frame"].includes(by) && !row.get("fixed");
    if (isPlace) parts.push(...sourceParts(row));
    const why = whyParts(row);
    if (isPlace && why.length > 0) why[0].textContent = "What it asks for, and why";
    parts.push(...why);
    show(...parts);
  }

  function showFrame(frame) {
    shown = [frame.tree, frame.id];
    const parts = [element("h2", "", "", ...Labels.breakable(frame.name))];
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
    if (frame.row) parts.push(...whyParts(frame.row));
    else if (frame.name !== "all" && frame.folded === 0 && Data.isTemplateWork(frame.kind))
      parts.push(element("p", "place", "It is too small for chains in this page; `instantrace why` has them."));
    show(...parts);
  }

  function showUnit(unit) {
    shown = ["unit", unit.at];
    show(element("h2", "", unit.name), element("p", "place", "compile"), numbers(unit.pairs), flameButton(unit.name));
  }

  const state = () => ({ shown: shown === null || shown[1] < 0 ? "" : shown.join(":") });
  const limits = { flame: Data.json.flame.name.length, requested: Data.json.requested?.name.length ?? 0,
    unit: Data.json.timeline.name.length };
  function restore(all) {
    const [by, text] = (all.get("shown") ?? "").split(":"), table = Data.tables.get(by);
    const index = State.number(text, table ? table.name.length : limits[by.replace(/-one$/, "")]);
    if (index !== null && table) showRow(Data.row(table, index));
    else if (index !== null && ["flame", "requested"].includes(by.replace(/-one$/, ""))) Flame.restoreDetail(index, by);
    else if (index !== null && by === "unit") Timeline.restoreDetail(index);
    else empty();
  }

  return { showRow, showFrame, showUnit, showFile, empty, place, state, restore };
})();
