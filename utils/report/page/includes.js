/**
 * Which file includes which, as a tree that is folded and opened. Several
 * #includes of one file in another are one row, and so are, if wanted, the same
 * ways in all compiles.
 */
const Includes = (() => {
  const byId = (id) => document.getElementById(id);
  const tree = Data.json.includes, list = byId("includes"), status = byId("includes-status");
  const RowsAtATime = 100;
  const inside = tree.outer.map(() => []), roots = [];
  tree.outer.forEach((outer, at) => (outer === 0 ? roots : inside[outer - 1]).push(at));
  let isMerged = true, top = null, opened = new Set(), limits = new Map(), rows = [], current = "", chosen = null;

  const sum = (column, members) => members.reduce((total, at) => total + tree[column][at], 0);
  /** Some nodes as one row: the same file over the same way. */
  function group(outer, label, members) {
    const made = { outer, label, members, level: outer ? outer.level + 1 : 1, key: outer ? `${outer.key}\n${label}` : label,
      inclusive: sum("inclusive", members), count: sum("count", members), folded: sum("folded", members) };
    if (made.folded > 0) made.label = `(${Format.grouped(made.folded)} others)`;
    return made;
  }
  function groupsOf(outer, nodes) {
    const by = new Map();
    for (const at of nodes) {
      const name = tree.folded[at] > 0 ? "" : Data.text(tree.name[at]);
      if (!by.has(name)) by.set(name, []);
      by.get(name).push(at);
    }
    return [...by].map(([name, members]) => group(outer, name, members))
      .sort((a, b) => b.inclusive - a.inclusive || (a.label < b.label ? -1 : 1));
  }
  function childrenOf(of) {
    of.children ??= groupsOf(of, of.members.flatMap((at) => inside[at]));
    return of.children;
  }
  /** Of the file itself: without what it includes. */
  const ownOf = (of) => of.inclusive - childrenOf(of).reduce((total, child) => total + child.inclusive, 0);

  /** Of all compiles together. */
  const isWhole = (row) => isMerged && roots.length > 1 && row === top[0];

  function build() {
    const all = groupsOf(null, roots);
    top = isMerged && roots.length > 1 ? [group(null, "all compiles", roots)] : all;
    opened = new Set(top.length === 1 ? [top[0].key] : []);
    limits = new Map();
    current = top[0]?.key ?? "";
    render();
  }

  /** What is to be seen, in order. */
  function visible() {
    const shown = [];
    const visit = (groups, key, level) => {
      const limit = limits.get(key) ?? RowsAtATime;
      for (const each of groups.slice(0, limit)) {
        shown.push(each);
        if (opened.has(each.key)) visit(childrenOf(each), each.key, level + 1);
      }
      if (groups.length > limit) shown.push({ isMore: true, of: key, key: `${key}\n…`, level, label: `show more of ${Format.grouped(groups.length)}` });
    };
    visit(top, "", 1);
    return shown;
  }

  function render() {
    rows = visible();
    const whole = top.reduce((total, each) => total + each.inclusive, 0);
    if (!rows.some((row) => row.key === current)) current = rows[0]?.key ?? "";
    d3.select(list).selectAll(".include").data(rows, (row) => row.key).join((enter) => {
      const made = enter.append("div").attr("class", "include").attr("role", "treeitem");
      for (const name of ["time", "part", "own", "times", "file"]) made.append("span").attr("class", name);
      return made;
    }).each(function (row) {
      const cells = this.children, hasInside = !row.isMore && childrenOf(row).length > 0;
      const texts = row.isMore ? ["", "", "", ""] : [Format.time(row.inclusive), Format.percent(row.inclusive, whole),
        row.folded > 0 ? "" : Format.time(ownOf(row)), Format.grouped(row.count) + " ×"];
      texts.forEach((text, at) => { cells[at].textContent = text; });
      const mark = hasInside ? (opened.has(row.key) ? "▾ " : "▸ ") : "  ";
      cells[4].textContent = mark + row.label;
      cells[4].style.paddingLeft = Math.min(row.level - 1, 24) * 0.8 + "rem";
      this.title = row.label;
      this.setAttribute("aria-level", row.level);
      if (hasInside) this.setAttribute("aria-expanded", opened.has(row.key));
      else this.removeAttribute("aria-expanded");
      this.tabIndex = row.key === current ? 0 : -1;
      this.classList.toggle("chosen", row.key === chosen);
    }).order();
    status.textContent = rows.length === 0 ? "No file was read that the traces know of."
      : `${Format.time(whole)} in reading files, each with what it includes and what that instantiated meanwhile` +
        (Data.hasOld ? "; of the new build." : ".");
  }

  function toggle(row) {
    if (opened.has(row.key)) opened.delete(row.key);
    else if (childrenOf(row).length > 0) opened.add(row.key);
  }

  function activate(row) {
    current = row.key;
    if (row.isMore) {
      limits.set(row.of, (limits.get(row.of) ?? RowsAtATime) + RowsAtATime);
      render();
      focusOn(current);
      return;
    }
    toggle(row);
    chosen = row.key;
    render();
    focusOn(row.key);
    explain(row);
    State.step();
  }

  function explain(row) {
    if (isWhole(row)) return Detail.empty();
    const header = row.folded > 0 ? null : Data.named("header", row.label);
    if (header) Detail.showRow(header);
    else Detail.showFile(row.label, [["inclusive", Format.time(row.inclusive)], ["read", `${Format.grouped(row.count)} ×`]]);
  }

  const elementOf = (key) => [...list.children].find((e) => d3.select(e).datum().key === key);
  function focusOn(key) {
    const before = elementOf(current), now = elementOf(key) ?? list.firstElementChild;
    if (before) before.tabIndex = -1;
    if (!now) return;
    current = d3.select(now).datum().key;
    now.tabIndex = 0;
    now.focus();
  }

  /** As trees are used: right opens and goes in, left closes and goes out. */
  function move(event) {
    const element = event.target.closest(".include");
    if (!element || event.ctrlKey || event.metaKey) return;
    const row = d3.select(element).datum(), at = rows.findIndex((each) => each.key === row.key);
    const isOpen = opened.has(row.key);
    const acts = {
      ArrowDown: () => focusOn((rows[at + 1] ?? row).key), ArrowUp: () => focusOn((rows[at - 1] ?? row).key),
      Home: () => focusOn(rows[0].key), End: () => focusOn(rows[rows.length - 1].key),
      Enter: () => activate(row), " ": () => activate(row),
      ArrowRight: () => {
        if (row.isMore) return;
        if (isOpen) focusOn((rows[at + 1] ?? row).key);
        else { toggle(row); render(); focusOn(row.key); }
      },
      ArrowLeft: () => {
        if (isOpen) { toggle(row); render(); focusOn(row.key); }
        else focusOn(row.isMore ? row.of : (row.outer ?? row).key);
      },
    };
    if (!acts[event.key]) return;
    event.preventDefault();
    acts[event.key]();
  }

  /** Opens the way over these nodes, the last of which is shown. */
  function openWay(end) {
    const way = [];
    for (let at = end + 1; at !== 0; at = tree.outer[at - 1]) way.unshift(at - 1);
    let groups = top, found = null;
    if (isWhole(top[0])) { // the main files, of which the way has one, are that row
      found = top[0];
      groups = childrenOf(found);
      way.shift();
    }
    for (const at of way) {
      if (found) opened.add(found.key);
      const position = groups.findIndex((each) => each.members.includes(at));
      const outer = found?.key ?? "";
      limits.set(outer, Math.max(limits.get(outer) ?? RowsAtATime, position + 1));
      found = groups[position];
      groups = childrenOf(found);
    }
    chosen = current = found.key;
    render();
    return found;
  }

  /** Where the file takes longest; false: it is not in the tree. */
  function reveal(name) {
    let best = -1;
    tree.name.forEach((number, at) => {
      if (tree.folded[at] === 0 && Data.text(number) === name && (best < 0 || tree.inclusive[at] > tree.inclusive[best])) best = at;
    });
    if (best < 0) return false;
    explain(openWay(best));
    elementOf(current)?.scrollIntoView({ block: "center" });
    return true;
  }

  function start() {
    byId("includes-merged-label").hidden = roots.length < 2;
    byId("includes-merged").addEventListener("change", (e) => {
      isMerged = e.target.checked;
      build();
      State.step();
    });
    byId("includes-fold").addEventListener("click", fold);
    list.addEventListener("click", (e) => {
      const element = e.target.closest(".include");
      if (element) activate(d3.select(element).datum());
    });
    list.addEventListener("keydown", move);
    build();
  }
  function fold() {
    chosen = null;
    build();
    State.step();
  }

  function state() {
    const row = rows.find((each) => each.key === chosen);
    return { apart: !isMerged, to: row?.members ? row.members[0] : "" };
  }
  function restore(all) {
    isMerged = all.get("apart") !== "true";
    byId("includes-merged").checked = isMerged;
    chosen = null;
    build();
    const to = State.number(all.get("to"), tree.name.length);
    if (to !== null && tree.folded[to] === 0) openWay(to);
  }

  return startedWhenAsked({ start, render, reveal, has: (number) => tree.name.includes(number), state, restore, escape: fold });
})();
