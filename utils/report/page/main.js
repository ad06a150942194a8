/**
 * Shows the views, and has what is above all of them: the head of the page, the
 * tabs, the keys.
 */
const Main = (() => {
  const byId = (id) => document.getElementById(id);
  const views = { overview: Overview, timeline: Timeline, flame: Flame, treemap: Treemap, includes: Includes, source: Source, table: Table };
  let opened = "overview";

  /** After a choice of the reader's, who can go back. */
  function open(name) {
    show(name);
    State.step();
  }

  function show(name) {
    opened = name;
    for (const view of Object.keys(views)) {
      const isIt = view === name, tab = byId("tab-" + view);
      tab.setAttribute("aria-selected", isIt);
      tab.tabIndex = isIt ? 0 : -1;
      byId("view-" + view).hidden = !isIt;
    }
    Detail.place(name !== "overview");
    views[name].start();
    views[name].render?.();
  }

  function head() {
    const { build, old, title, source, version } = Data.json;
    const notes = [...Data.json.notes];
    if (source && source.shown < source.costly)
      notes.push(`source: of ${Format.grouped(source.costly)} lines that cost, the ${Format.grouped(source.shown)} costliest are in the page`);
    const date = Data.json.realtime === 0 ? "" : new Date(Data.json.realtime).toISOString().slice(0, 16).replace("T", " ") + " UTC";
    const origin = [Data.json.command, date].filter((text) => text !== "").join(", ");
    document.title = [title, origin].filter((text) => text !== "").join(", ") + " – Instantrace";
    byId("origin").textContent = origin;
    byId("made-by").textContent = `Made by instantrace ${version}.`;
    // A path is broken behind a slash, if anywhere.
    byId("title").replaceChildren(...title.split(/(?<=\/)/).flatMap((part) => [part, document.createElement("wbr")]));
    const units = build.compiles === 1 ? "1 unit" : `${Format.grouped(build.compiles)} units`;
    const own = (side) => Format.time(side.total - side.parts.profiler);
    byId("subtitle").textContent = `${own(build)} of compile time in ${units}` +
      (Data.json.wall > 0 ? ` (${Format.time(Data.json.wall)} wall)` : "") + (old ? `, before ${own(old)}` : "") + ".";
    byId("notes").hidden = notes.length === 0;
    byId("notes").querySelector("summary").textContent = `What is missing or folded (${Format.grouped(notes.length)})`;
    d3.select("#notes ul").selectAll("li").data(notes).join("li").text((note) => note);
  }

  function tabKey(event) {
    const names = Object.keys(views).filter((name) => !byId("tab-" + name).hidden), step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    open(names[(names.indexOf(opened) + step + names.length) % names.length]);
    byId("tab-" + opened).focus();
  }

  function key(event) {
    const isTyping = event.target.matches("input, select, textarea");
    if (event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      (views[opened].searchBox ?? Find.box).focus();
    } else if (event.key === "g" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      Find.box.focus();
    } else if (event.key === "Escape") {
      if (isTyping) {
        if (event.target.type === "search") {
          event.target.value = "";
          event.target.dispatchEvent(new Event("input"));
        }
        event.target.blur();
      } else views[opened].escape();
    } else if (!isTyping && !event.ctrlKey && !event.metaKey && !event.altKey) views[opened].key?.(event);
  }

  /** On paper nothing can be opened. */
  function beforePrint() {
    for (const folded of document.querySelectorAll("details:not([open])")) {
      folded.open = true;
      folded.dataset.wasFolded = "";
    }
    views[opened].beforePrint?.();
  }
  function afterPrint() {
    for (const unfolded of document.querySelectorAll("details[data-was-folded]")) {
      unfolded.open = false;
      delete unfolded.dataset.wasFolded;
    }
    views[opened].afterPrint?.();
  }

  head();
  // One compile has no others to be beside.
  byId("tab-timeline").hidden = Data.json.timeline.name.length + Data.json.timeline.otherUnits < 2;
  Detail.empty();
  Find.start();
  for (const name of Object.keys(views)) byId("tab-" + name).addEventListener("click", () => open(name));
  byId("views").addEventListener("keydown", tabKey);
  addEventListener("keydown", key);
  // A way to elsewhere in the page is no state of it.
  document.querySelector("a.skip").addEventListener("click", (event) => {
    event.preventDefault();
    byId("tab-" + opened).focus();
  });
  addEventListener("beforeprint", beforePrint);
  addEventListener("afterprint", afterPrint);
  return { open, show, views, opened: () => opened };
})();
State.start(Main.views);
