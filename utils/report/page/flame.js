/**
 * The flame graph: call paths, merged, as boxes as wide as their part of the
 * whole, outermost at the top. Boxes too narrow to be seen are one box with
 * their neighbours, which says how many they are; a box that one other fills is
 * one with it. Compiles of a build are merged as one, unless that is turned off.
 */
const Flame = (() => {
  const byId = (id) => document.getElementById(id);
  const area = byId("flame"), status = byId("flame-status");
  const RowHeight = 18, NarrowPixels = 1.5, MainFiles = "(the files themselves)";
  /** What boxes are in: what was being worked on, or who requested it. */
  const nests = Data.json.requested ? ["around", "requested"] : ["around"], trees = new Map();
  const hasMany = Data.json.build.compiles > 1;
  let nest = "around", isOne = hasMany, { flame, nodes, sums } = tree();
  let metric = Data.metrics[0], side = "new", root = null, focus = null, found = null, current = null;

  function treeOf(json) {
    const all = json.parent.map((parent, id) => ({ id, parent, children: [] }));
    for (const node of all.slice(1)) all[node.parent].children.push(node);
    return { flame: json, nodes: all, sums: new Map() };
  }
  /** By the name that it has in addresses. */
  function treeName() {
    return (nest === "around" ? "flame" : nest) + (isOne ? "-one" : "");
  }
  function tree() {
    const name = treeName(), json = Data.json[name.replace(/-one$/, "")];
    if (!trees.has(name)) trees.set(name, treeOf(isOne ? merged(json) : json));
    return trees.get(name);
  }

  /** The same without the level of compiles, and with one box for what is below each of them. */
  function merged(json) {
    const columns = Data.metrics.flatMap((m) => (Data.hasOld ? [m.key, m.old] : [m.key]));
    const one = { others: json.others, parent: [], name: [], kind: [], folded: [] }, numberOf = [], byKey = new Map(), compileOf = [];
    for (const column of columns) one[column] = [];
    // Names of main files differ as those of compiles do.
    const itself = Data.json.texts.indexOf(MainFiles) >= 0 ? Data.json.texts.indexOf(MainFiles) : Data.json.texts.push(MainFiles) - 1;
    json.parent.forEach((parent, id) => {
      const isCompile = id > 0 && parent === 0 && json.folded[id] === 0 && Data.text(json.kind[id]) === "";
      compileOf[id] = isCompile ? Labels.file(Data.text(json.name[id])) : compileOf[parent];
      const isMain = !isCompile && Data.groupOf(Data.text(json.kind[id])) === "file" && Labels.file(Data.text(json.name[id])) === compileOf[id];
      const name = isMain ? itself : json.name[id], outer = id === 0 ? 0 : numberOf[parent];
      const key = [outer, name, json.kind[id], json.folded[id] > 0].join();
      let number = id === 0 || isCompile ? 0 : byKey.get(key);
      if (number === undefined || id === 0) {
        number = one.parent.push(outer) - 1;
        byKey.set(key, number);
        one.name.push(name);
        one.kind.push(json.kind[id]);
        one.folded.push(0);
        for (const column of columns) one[column].push(0);
      }
      numberOf[id] = number;
      one.folded[number] += json.folded[id];
      for (const column of columns) one[column][number] += json[column][id];
    });
    return one;
  }

  function nestBy(wanted, wantsOne) {
    nest = wanted;
    isOne = hasMany && wantsOne;
    ({ flame, nodes, sums } = tree());
    byId("flame-nest").value = nest;
    byId("flame-one").checked = isOne;
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

  /** A node, and what fills it alone, and what fills that. */
  function chainFrom(node, stop) {
    const chain = [node];
    for (let inner = node.children?.[0]; inner && inner !== stop && inner.value > 0 && inner.value >= 0.995 * node.value && flame.folded[inner.data.id] === 0;
      inner = inner.children?.[0]) chain.push(inner);
    return chain;
  }

  /** What is to be seen: around the focus, and inside it as far as it is wide. */
  function boxes(pixels) {
    const list = [];
    const scale = focus.x1 - focus.x0, above = focus.ancestors().slice(1).reverse();
    let first = 0;
    for (let at = 0; at < above.length; ++first) {
      const chain = chainFrom(above[at], focus);
      list.push({ node: above[at], chain, depth: first, left: 0, width: 1, isAround: true });
      at += chain.length;
    }
    const queue = scale > 0 ? [[focus, first]] : [];
    for (let at = 0; at < queue.length; ++at) {
      const [n, depth] = queue[at], chain = chainFrom(n), inner = chain[chain.length - 1];
      list.push({ node: n, chain, depth, left: (n.x0 - focus.x0) / scale, width: (n.x1 - n.x0) / scale });
      let narrow = 0, from = 0, value = 0;
      for (const child of inner.children ?? []) {
        const width = (child.x1 - child.x0) / scale;
        if (width * pixels >= NarrowPixels) queue.push([child, depth + 1]);
        else if (child.value > 0) {
          if (narrow++ === 0) from = (child.x0 - focus.x0) / scale;
          value += child.value;
        }
      }
      const width = root.value > 0 ? (value / root.value) / scale : 0;
      if (narrow > 0 && width * pixels >= NarrowPixels)
        list.push({ node: inner, depth: depth + 1, left: from, width, narrow, value });
    }
    return list;
  }

  const labelOf = (box) => (box.narrow ? `(${Format.grouped(box.narrow)} narrow ones)` : nameOf(box.node.data.id));
  const CharacterPixels = 7.3;
  /** As much of the name as the box has room for, and what differs first. */
  function shortLabel(box, pixels) {
    const whole = labelOf(box), last = box.chain?.[box.chain.length - 1];
    const chained = last && last !== box.node ? `${whole} › ${nameOf(last.data.id)}` : whole;
    if (chained.length * CharacterPixels < box.width * pixels - 7) return chained;
    if (box.narrow || box.node.depth === 0 || flame.folded[box.node.data.id] > 0) return whole;
    const room = Math.floor((box.width * pixels - 7) / CharacterPixels);
    if (!Data.isTemplateWork(kindOf(box.node.data.id))) return whole.length <= room ? whole : Labels.file(whole);
    return Labels.short(whole, room, box.node.parent ? nameOf(box.node.parent.data.id) : undefined);
  }
  function explain(box) {
    const value = box.narrow ? box.value : box.node.value, id = box.node.data.id;
    const names = (box.chain ?? []).slice(1, 8).map((n) => " › " + nameOf(n.data.id)).join("");
    let text = `${labelOf(box)}${names}, ${valueText(value)}, ${Format.percent(value, root.value)}`;
    if (!box.narrow && kindOf(id)) text += `, ${kindOf(id)}`;
    if (Data.hasOld && !box.narrow)
      text += `, ${Format.change(metric.key, inclusive(metric.old)[id], inclusive(metric.key)[id])}`;
    return text;
  }

  const boxOf = new Map(); // by node, the box that is drawn for it
  function render() {
    // Read once: a width that is asked for between changes lays the page out.
    const pixels = area.clientWidth || 800;
    const list = boxes(pixels), key = (box) => box.node.data.id + (box.narrow ? "n" : "");
    boxOf.clear();
    for (const box of list)
      for (const n of box.narrow ? [] : box.chain) boxOf.set(n.data.id, key(box));
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
        this.classList.toggle("hit", !box.narrow && found !== null && box.chain.some((n) => found.has(n.data.id)));
        const kind = kindOf(box.chain?.[box.chain.length - 1].data.id ?? id);
        const isOther = Boolean(box.narrow) || id === 0 || flame.folded[id] > 0 || kind === "";
        Data.paint(this, labelOf(box), isOther,
          Data.hasOld ? inclusive(metric.old)[id] : 0, inclusive(metric.key)[id], Data.groupOf(kind));
      });
    const stays = current && area.querySelector(`[data-id="${current}"]`);
    setCurrent(stays ? current : String(boxOf.get(focus.data.id) ?? focus.data.id));
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
    Detail.showFrame({ tree: treeName(), id, name: nameOf(id), kind: kindOf(id), folded: flame.folded[id], values, path, row });
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
    else if (event.key === "ArrowDown") next = box.narrow ? null : box.chain[box.chain.length - 1].children?.[0];
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
    const shownNext = next && boxOf.get(next.data.id);
    if (shownNext) setCurrent(shownNext)?.focus();
  }

  function legend() {
    byId("flame-legend").textContent = (Data.hasOld
      ? "Red grew, blue shrank, grey is as it was; what is gone is in the old build."
      : (flame.others > 0 ? `${Format.grouped(flame.others)} small paths are folded into “(N others)”.` : "Nothing is folded.")) +
      (nest === "around" ? "" : " Bodies that came late are in what asked for them.");
  }

  function start() {
    Data.options(byId("flame-metric"), Data.metrics.map((m) => [m.key, m.label]));
    byId("flame-nest-label").hidden = nests.length < 2;
    byId("flame-one-label").hidden = !hasMany;
    for (const control of [byId("flame-nest"), byId("flame-one")])
      control.addEventListener("change", () => {
        nestBy(byId("flame-nest").value, byId("flame-one").checked);
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
    // A compile is a box only where they are apart.
    if (isOne && Data.json.flame.parent.some((parent, id) => id > 0 && parent === 0 && Data.text(Data.json.flame.name[id]) === name)) {
      nestBy(nest, false);
      layout();
    }
    mark("^" + Data.literal(name) + "$");
  }
  function mark(pattern) {
    byId("flame-search").value = pattern;
    focus = root;
    search();
    render();
  }

  const state = () => ({ metric: metric.key, nest: nest === "around" ? "" : nest, apart: hasMany && !isOne, side: Data.hasOld ? side : "", zoom: focus === root ? "" : focus.data.id,
    search: byId("flame-search").value });
  const nodeOf = (id) => root.descendants().find((n) => n.data.id === id);
  function restore(all) {
    metric = Data.metrics.find((m) => m.key === State.choice(all.get("metric"), Data.metrics.map((m) => m.key)));
    side = Data.hasOld ? State.choice(all.get("side"), ["new", "old"]) : "new";
    byId("flame-metric").value = metric.key;
    byId("flame-side").value = side;
    byId("flame-search").value = all.get("search") ?? "";
    nestBy(State.choice(all.get("nest"), nests), all.get("apart") !== "true");
    layout();
    const id = State.number(all.get("zoom"), nodes.length);
    if (id !== null) focus = nodeOf(id);
    render();
  }
  /** What a link says of the details. */
  function restoreDetail(id, tree) {
    const wantsOne = tree.endsWith("-one"), named = tree.replace(/-one$/, ""), wanted = named === "flame" ? "around" : named;
    if (!nests.includes(wanted)) return;
    if (wanted !== nest || wantsOne !== isOne) {
      nestBy(wanted, wantsOne);
      layout();
    }
    if (id < nodes.length) explainNode(nodeOf(id));
  }

  return startedWhenAsked({ start, searchFor, mark, state, restore, restoreDetail, escape: () => zoom(root), searchBox: byId("flame-search"), render });
})();
