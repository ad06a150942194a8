/**
 * The treemap: own cost of files in their folders, or of namespaces in theirs,
 * as areas. A click goes into a box that has others inside.
 */
const Treemap = (() => {
  const byId = (id) => document.getElementById(id);
  const area = byId("treemap"), status = byId("treemap-status");
  const LevelsShown = 6, SmallestPixels = 3, OpenPixels = 40;
  const keys = [
    { by: "file", label: "folder and file", split: splitPath, join: "/" },
    { by: "namespace", label: "namespace", split: Labels.scopes, join: "::" },
  ];
  let metric = Data.metrics[0], key = keys[0], root = null, focus = null;

  /** Darker: one by one more expensive. */
  const heats = [[0, "less than 10 µs for each"], [1e4, "10 µs"], [1e5, "100 µs"], [1e6, "1 ms and more"]];
  function heatOf(row) {
    const each = row.get("self") / Math.max(row.get("count"), 1);
    return heats.filter(([from]) => each >= from).length - 1;
  }
  function legend() {
    if (Data.hasOld) byId("treemap-legend").textContent = "Red grew, blue shrank, grey is as it was.";
    else
      heats.forEach(([, label], heat) => {
        const swatch = document.createElement("span");
        swatch.className = "swatch";
        swatch.dataset.heat = heat;
        byId("treemap-legend").append(swatch, label + " ");
      });
  }

  function splitPath(path) {
    const parts = path.split("/");
    if (parts[0] === "") parts.splice(0, 2, "/" + parts[1]);
    return parts;
  }

  function build() {
    const top = { name: "all", path: "", children: new Map(), row: null };
    for (const row of Data.rows(key.by)) {
      let node = top;
      for (const part of row.get("fixed") ? [row.name] : key.split(row.name)) {
        if (!node.children.has(part))
          node.children.set(part, { name: part, path: node === top ? part : node.path + key.join + part,
            children: new Map(), row: null });
        node = node.children.get(part);
      }
      node.row = row;
    }
    // A namespace has a cost of its own beside those in it.
    const settle = (node) => {
      const children = [...node.children.values()].map(settle);
      if (children.length > 0 && node.row) {
        children.push({ name: node.name, path: node.path, row: node.row, children: [] });
        node.row = null;
      }
      // Folders with nothing but one folder are one box.
      if (children.length === 1 && !node.row && node !== top) {
        const only = children[0];
        return { ...only, name: node.name + key.join + only.name };
      }
      return { ...node, children };
    };
    root = d3.hierarchy(settle(top), (n) => n.children)
      .sum((n) => (n.row ? n.row.get(metric.key) : 0))
      .sort((a, b) => b.value - a.value || (a.data.path < b.data.path ? -1 : 1));
    focus = root;
    render();
  }

  function render() {
    const width = area.clientWidth, height = area.clientHeight;
    if (width === 0) return; // not in sight
    const part = (pixels, whole) => (100 * pixels) / whole + "%"; // paper is of another width
    const place = d3.treemap().size([width, height]).paddingTop((n) => (n.children ? 18 : 0)).paddingInner(1).round(true);
    const copy = place(focus.copy().sum((n) => (n.row ? n.row.get(metric.key) : 0)).sort((a, b) => b.value - a.value || (a.data.path < b.data.path ? -1 : 1)));
    // What is too small for others inside it is one box.
    const isClosed = (n) => n !== null && n.depth > 0 && (n.x1 - n.x0 < OpenPixels || n.y1 - n.y0 < OpenPixels || isClosed(n.parent));
    let small = 0;
    const list = [];
    copy.each((n) => {
      if (n.depth > LevelsShown || n.value === 0 || isClosed(n.parent)) return;
      if (n.x1 - n.x0 < SmallestPixels || n.y1 - n.y0 < SmallestPixels) ++small;
      else list.push(n);
    });
    d3.select(area).selectAll(".box").data(list, (n) => n.data.path + (n.children ? "/" : "")).join((enter) => enter.append("div").attr("class", "box").attr("role", "treeitem"))
      .each(function (n) {
        this.style.left = part(n.x0, width);
        this.style.top = part(n.y0, height);
        this.style.width = part(n.x1 - n.x0, width);
        this.style.height = part(n.y1 - n.y0, height);
        this.textContent = n.data.name;
        this.title = `${n.data.path || "all"}, ${Format.of[metric.key](n.value)}, ${Format.percent(n.value, root.value)}`;
        this.setAttribute("aria-label", this.title);
        this.setAttribute("aria-level", n.depth + 1);
        this.tabIndex = n.depth === 0 ? 0 : -1;
        const row = n.data.row;
        Data.paint(this, n.data.path, Boolean(row && row.get("fixed")), row && Data.hasOld ? row.get(metric.old) : 0, row ? row.get(metric.key) : 0);
        // How a folder changed is in its parts.
        this.classList.toggle("folder", Boolean(n.children));
        if (n.children && Data.hasOld) this.style.setProperty("--full", "0%");
        if (row && !Data.hasOld && !row.get("fixed")) this.dataset.heat = heatOf(row);
        else delete this.dataset.heat;
      }).order();
    status.textContent = root.value === 0 ? `Nothing has ${metric.label}.`
      : `${focus.data.path || "All"}: ${Format.of[metric.key](focus.value)}, ${Format.percent(focus.value, root.value)}` +
        (small > 0 ? `. ${Format.grouped(small)} boxes are too small to be drawn.` : ".");
  }

  /** The node of the whole that a drawn one is a copy of. */
  function original(drawn) {
    let node = focus;
    for (const step of drawn.ancestors().reverse().slice(1)) node = node.children.find((c) => c.data === step.data);
    return node;
  }

  function activate(element) {
    const drawn = d3.select(element).datum(), node = original(drawn);
    if (node.data.row) Detail.showRow(node.data.row);
    if (node.children) {
      focus = node;
      render();
      area.querySelector(".box")?.focus();
    }
    State.step();
  }

  function up() {
    if (focus.parent) focus = focus.parent;
    render();
    State.step();
  }

  function move(event) {
    const element = event.target.closest(".box");
    if (!element) return;
    const all = [...area.querySelectorAll(".box")];
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      const next = all[all.indexOf(element) + step];
      if (!next) return;
      element.tabIndex = -1;
      next.tabIndex = 0;
      next.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      activate(element);
    }
  }

  function start() {
    Data.options(byId("treemap-metric"), Data.metrics.map((m) => [m.key, m.label]));
    Data.options(byId("treemap-by"), keys.map((k) => [k.by, k.label]));
    byId("treemap-metric").addEventListener("change", (e) => {
      metric = Data.metrics.find((m) => m.key === e.target.value);
      build();
      State.step();
    });
    byId("treemap-by").addEventListener("change", (e) => {
      key = keys.find((k) => k.by === e.target.value);
      build();
      State.step();
    });
    byId("treemap-up").addEventListener("click", up);
    area.addEventListener("click", (e) => {
      const element = e.target.closest(".box");
      if (element) activate(element);
    });
    area.addEventListener("keydown", move);
    legend();
    new ResizeObserver(() => requestAnimationFrame(render)).observe(area.parentElement);
    build();
  }

  const state = () => ({ by: key.by, metric: metric.key, zoom: focus === root ? "" : focus.data.path });
  function restore(all) {
    metric = Data.metrics.find((m) => m.key === State.choice(all.get("metric"), Data.metrics.map((m) => m.key)));
    key = keys.find((k) => k.by === State.choice(all.get("by"), keys.map((k) => k.by)));
    byId("treemap-metric").value = metric.key;
    byId("treemap-by").value = key.by;
    build();
    const path = all.get("zoom");
    if (path) root.each((n) => { if (n.children && n.data.path === path) focus = n; });
    render();
  }

  return startedWhenAsked({ start, escape: up, render, state, restore });
})();
