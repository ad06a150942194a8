/**
 * The flame graph: call paths, merged, as boxes as wide as their part of the
 * whole, outermost at the top. Boxes too narrow to be seen are one box with
 * their neighbours, which says how many they are.
 */
const Flame = (() => {
  const byId = (id) => document.getElementById(id);
  const area = byId("flame"), status = byId("flame-status");
  const RowHeight = 18, NarrowPixels = 1.5;
  /** What boxes are in: what was being worked on, or who requested it. */
  const trees = new Map([["around", treeOf(Data.json.flame)]]);
  if (Data.json.requested) trees.set("requested", treeOf(Data.json.requested));
  let nest = "around", { flame, nodes, sums } = trees.get(nest);
  let metric = Data.metrics[0], side = "new", root = null, focus = null, found = null, current = null;

  function treeOf(json) {
    const all = json.parent.map((parent, id) => ({ id, parent, children: [] }));
    for (const node of all.slice(1)) all[node.parent].children.push(node);
    return { flame: json, nodes: all, sums: new Map() };
  }
  function nestBy(wanted) {
    nest = wanted;
    ({ flame, nodes, sums } = trees.get(nest));
    byId("flame-nest").value = nest;
    focus = null;
    legend();
  }

  const kindOf = (id) => Data.text(flame.kind[id]);
  function nameOf(id) {
    if (id === 0) return "all";
    if (flame.folded[id] > 0) return `(${Format.grouped(flame.folded[id])} others)`;
    return Data.text(flame.name[id]);
  }

  /** Sums of subtrees, by node, of a column of own values. */
  function inclusive(column) {
    if (!sums.has(column)) {
      const values = flame[column].slice();
      for (let id = values.length - 1; id > 0; --id) values[flame.parent[id]] += values[id];
      sums.set(column, values);
    }
    return sums.get(column);
  }
  const shown = () => (side === "old" ? metric.old : metric.key);
  const valueText = (value) => Format.of[metric.key](value);

  /** Lays everything out anew: after another metric or build. */
  function layout() {
    const column = flame[shown()], names = new Map();
    const name = (id) => names.get(id) ?? names.set(id, nameOf(id)).get(id);
    const hierarchy = d3.hierarchy(nodes[0], (n) => n.children)
      .sum((n) => column[n.id])
      .sort((a, b) => b.value - a.value || (name(a.data.id) < name(b.data.id) ? -1 : 1));
    root = d3.partition()(hierarchy);
    const id = focus ? focus.data.id : 0;
    focus = root;
    root.each((n) => { if (n.data.id === id) focus = n; });
    current = null;
    search();
    render();
  }

  /** What is to be seen: around the focus, and inside it as far as it is wide. */
  function boxes(pixels) {
    const list = [];
    const scale = focus.x1 - focus.x0;
    for (const n of focus.ancestors().slice(1).reverse())
      list.push({ node: n, depth: n.depth, left: 0, width: 1, isAround: true });
    const queue = scale > 0 ? [focus] : [];
    for (let at = 0; at < queue.length; ++at) {
      const n = queue[at];
      list.push({ node: n, depth: n.depth, left: (n.x0 - focus.x0) / scale, width: (n.x1 - n.x0) / scale });
      let narrow = 0, from = 0, value = 0;
      for (const child of n.children ?? []) {
        const width = (child.x1 - child.x0) / scale;
        if (width * pixels >= NarrowPixels) queue.push(child);
        else if (child.value > 0) {
          if (narrow++ === 0) from = (child.x0 - focus.x0) / scale;
          value += child.value;
        }
      }
      const width = root.value > 0 ? (value / root.value) / scale : 0;
      if (narrow > 0 && width * pixels >= NarrowPixels)
        list.push({ node: n, depth: n.depth + 1, left: from, width, narrow, value });
    }
    return list;
  }

  const labelOf = (box) => (box.narrow ? `(${Format.grouped(box.narrow)} narrow ones)` : nameOf(box.node.data.id));
  const CharacterPixels = 7.3;
  /** As much of the name as the box has room for, and what differs first. */
  function shortLabel(box, pixels) {
    const whole = labelOf(box);
    if (box.narrow || box.node.depth === 0 || flame.folded[box.node.data.id] > 0) return whole;
    const room = Math.floor((box.width * pixels - 7) / CharacterPixels);
    if (!Data.isTemplateWork(kindOf(box.node.data.id))) return whole.length <= room ? whole : Labels.file(whole);
    return Labels.short(whole, room, box.node.parent ? nameOf(box.node.parent.data.id) : undefined);
  }
  function explain(box) {
    const value = box.narrow ? box.value : box.node.value, id = box.node.data.id;
    let text = `${labelOf(box)}, ${valueText(value)}, ${Format.percent(value, root.value)}`;
    if (!box.narrow && kindOf(id)) text += `, ${kindOf(id)}`;
    if (Data.hasOld && !box.narrow)
      text += `, ${Format.change(metric.key, inclusive(metric.old)[id], inclusive(metric.key)[id])}`;
    return text;
  }

  function render() {
    // Read once: a width that is asked for between changes lays the page out.
    const pixels = area.clientWidth || 800;
    const list = boxes(pixels);
    const key = (box) => box.node.data.id + (box.narrow ? "n" : "");
    area.style.height = (1 + list.reduce((most, b) => Math.max(most, b.depth), 0)) * RowHeight + "px";
    d3.select(area).selectAll(".box").data(list, key).join((enter) => enter.append("div").attr("class", "box").attr("role", "treeitem"))
      .each(function (box) {
        const id = box.node.data.id;
        this.style.left = box.left * 100 + "%";
        this.style.width = box.width * 100 + "%";
        this.style.top = box.depth * RowHeight + "px";
        this.textContent = shortLabel(box, pixels);
        this.title = explain(box);
        this.setAttribute("aria-label", Labels.spoken(this.textContent, this.title));
        this.setAttribute("aria-level", box.depth + 1);
        this.dataset.id = key(box);
        this.tabIndex = -1;
        this.classList.toggle("around", Boolean(box.isAround));
        this.classList.toggle("thin", box.width * pixels < 24);
        this.classList.toggle("hit", !box.narrow && found !== null && found.has(id));
        const isOther = Boolean(box.narrow) || id === 0 || flame.folded[id] > 0 || kindOf(id) === "";
        Data.paint(this, labelOf(box), isOther,
          Data.hasOld ? inclusive(metric.old)[id] : 0, inclusive(metric.key)[id], Data.groupOf(kindOf(id)));
      });
    const stays = current && area.querySelector(`[data-id="${current}"]`);
    setCurrent(stays ? current : String(focus.data.id));
    say();
  }

  function setCurrent(id) {
    const before = current && area.querySelector(`[data-id="${current}"]`);
    if (before) before.tabIndex = -1;
    current = id;
    const now = area.querySelector(`[data-id="${current}"]`);
    if (now) now.tabIndex = 0;
    return now;
  }

  function say() {
    if (root.value === 0) {
      status.textContent = `Nothing has ${metric.label}.`;
      return;
    }
    let text = focus === root ? `All: ${valueText(root.value)}` : explain({ node: focus });
    if (found !== null) text += `. Search: ${found.text}`;
    status.textContent = text;
  }

  /** Marks what matches; a match inside another one counts once. */
  function search() {
    const typed = byId("flame-search").value;
    found = null;
    let matches;
    try {
      matches = Data.pattern(typed);
    } catch {
      found = new Set();
      found.text = "this is not a regular expression";
    }
    if (matches) {
      found = new Set();
      let value = 0;
      const visit = [[root, false]];
      while (visit.length > 0) {
        const [node, isInside] = visit.pop();
        const id = node.data.id;
        const isHit = id !== 0 && flame.folded[id] === 0 && matches.test(nameOf(id));
        if (isHit) found.add(id);
        if (isHit && !isInside) value += node.value;
        for (const child of node.children ?? []) visit.push([child, isInside || isHit]);
      }
      found.text = `${Format.grouped(found.size)} boxes match, ${Format.percent(value, root.value)} of ${metric.label}`;
    }
  }

  function zoom(node) {
    focus = node;
    current = null;
    render();
    State.step();
  }

  function select(box) {
    focus = box.node;
    current = null;
    render();
    explainNode(box.node);
    State.step();
  }

  function explainNode(node) {
    const id = node.data.id;
    const values = Data.metrics.map((m) => ({ metric: m, own: flame[m.key][id], inclusive: inclusive(m.key)[id],
      oldOwn: Data.hasOld ? flame[m.old][id] : 0, oldInclusive: Data.hasOld ? inclusive(m.old)[id] : 0,
      whole: inclusive(m.key)[0] }));
    const path = node.ancestors().slice(1, -1).map((n) => nameOf(n.data.id));
    const row = id === 0 || flame.folded[id] > 0 ? null : Data.find("specialization", flame.name[id]);
    Detail.showFrame({ tree: nest === "around" ? "flame" : nest, id, name: nameOf(id), kind: kindOf(id), folded: flame.folded[id], values, path, row });
  }

  /** Arrows: down into the largest inside, up, and to the boxes beside. */
  function move(event) {
    const element = event.target.closest(".box");
    if (!element) return;
    const box = d3.select(element).datum();
    let next = null;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      select(box);
      setCurrent(element.dataset.id)?.focus();
      return;
    }
    if (event.key === "ArrowUp") next = box.narrow ? box.node : box.node.parent;
    else if (event.key === "ArrowDown") next = box.narrow ? null : box.node.children?.[0];
    else if (event.key === "Home") next = root;
    else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      const row = d3.select(area).selectAll(".box").data().filter((b) => b.depth === box.depth)
        .sort((a, b) => a.left - b.left);
      const beside = row[row.indexOf(box) + (event.key === "ArrowLeft" ? -1 : 1)];
      event.preventDefault();
      if (beside) setCurrent(beside.node.data.id + (beside.narrow ? "n" : ""))?.focus();
      return;
    } else return;
    event.preventDefault();
    const shownNext = next && area.querySelector(`[data-id="${next.data.id}"]`);
    if (shownNext) setCurrent(String(next.data.id)).focus();
  }

  function legend() {
    byId("flame-legend").textContent = (Data.hasOld
      ? "Red grew, blue shrank, grey is as it was; what is gone is in the old build."
      : (flame.others > 0 ? `${Format.grouped(flame.others)} small paths are folded into “(N others)”.` : "Nothing is folded.")) +
      (nest === "around" ? "" : " Bodies that came late are in what asked for them.");
  }

  function start() {
    Data.options(byId("flame-metric"), Data.metrics.map((m) => [m.key, m.label]));
    byId("flame-nest-label").hidden = trees.size < 2;
    byId("flame-nest").addEventListener("change", (e) => {
      nestBy(e.target.value);
      layout();
      State.step();
    });
    Data.options(byId("flame-side"), [["new", "new"], ["old", "old"]]);
    byId("flame-side-label").hidden = !Data.hasOld;
    legend();
    byId("flame-metric").addEventListener("change", (e) => {
      metric = Data.metrics.find((m) => m.key === e.target.value);
      layout();
      State.step();
    });
    byId("flame-side").addEventListener("change", (e) => { side = e.target.value; layout(); State.step(); });
    byId("flame-search").addEventListener("input", () => { search(); render(); State.replace(); });
    byId("flame-reset").addEventListener("click", () => zoom(root));
    area.addEventListener("click", (e) => {
      const element = e.target.closest(".box");
      if (element) select(d3.select(element).datum());
    });
    area.addEventListener("keydown", move);
    new ResizeObserver(() => requestAnimationFrame(render)).observe(area.parentElement);
    layout();
    if (!Data.hasOld)
      for (const group of Data.groups) {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.dataset.group = group.key;
        byId("flame-kinds").append(swatch, group.label + " ");
      }
  }

  /** Searches for a name, from another view. */
  function searchFor(name) {
    mark("^" + Data.literal(name) + "$");
  }
  function mark(pattern) {
    byId("flame-search").value = pattern;
    focus = root;
    search();
    render();
  }

  const state = () => ({ metric: metric.key, nest: nest === "around" ? "" : nest, side: Data.hasOld ? side : "", zoom: focus === root ? "" : focus.data.id,
    search: byId("flame-search").value });
  const nodeOf = (id) => root.descendants().find((n) => n.data.id === id);
  function restore(all) {
    metric = Data.metrics.find((m) => m.key === State.choice(all.get("metric"), Data.metrics.map((m) => m.key)));
    side = Data.hasOld ? State.choice(all.get("side"), ["new", "old"]) : "new";
    byId("flame-metric").value = metric.key;
    byId("flame-side").value = side;
    byId("flame-search").value = all.get("search") ?? "";
    nestBy(State.choice(all.get("nest"), [...trees.keys()]));
    layout();
    const id = State.number(all.get("zoom"), nodes.length);
    if (id !== null) focus = nodeOf(id);
    render();
  }
  /** What a link says of the details. */
  function restoreDetail(id, tree) {
    const wanted = tree === "flame" ? "around" : tree;
    if (!trees.has(wanted)) return;
    if (wanted !== nest) {
      nestBy(wanted);
      layout();
    }
    if (id < nodes.length) explainNode(nodeOf(id));
  }

  return startedWhenAsked({ start, searchFor, mark, state, restore, restoreDetail, escape: () => zoom(root), searchBox: byId("flame-search"), render });
})();
