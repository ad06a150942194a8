/**
 * The timeline: when each compile ran, in as many lanes as ran at once, and the
 * critical path, which is what the end of the build waited for.
 */
const Timeline = (() => {
  const byId = (id) => document.getElementById(id);
  const line = Data.json.timeline, area = byId("timeline"), status = byId("timeline-status");
  const LaneHeight = 20, Zooms = [1, 2, 4, 8, 16, 32, 64];
  let zoom = 1, current = 0;

  const nameOf = (at) => Data.text(line.name[at]);
  const endOf = (at) => line.begin[at] + line.time[at];
  const share = (ns) => (line.wall === 0 ? 0 : (100 * ns) / line.wall);
  function explain(at) {
    const path = line.isCritical[at] ? `, on the critical path, ${Format.time(line.wait[at])} after the one before` : "";
    return `${nameOf(at)}, ${Format.time(line.time[at])} from ${Format.time(line.begin[at])}${path}`;
  }

  /** How many ran, over the time. */
  function drawCurve() {
    const parts = line.busyOfPart.length, width = line.wall / parts, most = Math.max(1, line.mostAtOnce);
    const points = line.busyOfPart.map((busy, at) => [at, width === 0 ? 0 : busy / width]);
    byId("timeline-curve").setAttribute("viewBox", `0 0 ${parts} ${most}`);
    byId("timeline-curve").setAttribute("aria-label", `Compiles at once over the time: at most ${Format.grouped(line.mostAtOnce)}, ` +
      `${average()} on average`);
    byId("timeline-curve").firstElementChild.setAttribute("d", `M0 ${most}` +
      points.map(([at, level]) => `L${at} ${most - level}L${at + 1} ${most - level}`).join("") + `L${parts} ${most}Z`);
  }
  /** Every 1, 2 or 5 units of time, so that there are about ten on a screen. */
  function drawAxis() {
    const most = 8 * zoom, power = 10 ** Math.floor(Math.log10(Math.max(line.wall / most, 1)));
    const step = [1, 2, 5, 10].map((n) => n * power).find((n) => line.wall / n <= most);
    const ticks = [];
    for (let ns = 0; ns === 0 || ns < line.wall - 0.3 * step; ns += step) ticks.push(ns); // the last label needs room
    d3.select(byId("timeline-axis")).selectAll("span").data(ticks).join("span").style("left", (ns) => share(ns) + "%")
      .text((ns) => (ns === 0 ? "0" : Format.time(ns)));
  }
  const average = () => (line.wall === 0 ? 0 : line.busy / line.wall).toFixed(1);

  function render() {
    const lanes = 1 + line.lane.reduce((most, lane) => Math.max(most, lane), 0);
    area.style.height = lanes * LaneHeight + "px";
    byId("timeline-wide").style.width = 100 * zoom + "%";
    const pixels = area.clientWidth || 800;
    d3.select(area).selectAll(".box").data(line.name.map((_, at) => at)).join("button").attr("class", "box")
      .each(function (at) {
        this.style.left = share(line.begin[at]) + "%";
        this.style.width = share(line.time[at]) + "%";
        this.style.top = line.lane[at] * LaneHeight + "px";
        this.title = explain(at);
        this.textContent = (share(line.time[at]) * pixels) / 100 < 24 ? "" : Labels.file(nameOf(at));
        this.setAttribute("aria-label", Labels.spoken(this.textContent, this.title));
        this.style.setProperty("--code", Math.min(100, (100 * line.code[at]) / Math.max(line.time[at], 1)) + "%");
        this.classList.toggle("critical", Boolean(line.isCritical[at]));
        this.dataset.at = at;
        this.tabIndex = at === current ? 0 : -1;
      });
    drawAxis();
    byId("timeline-out").disabled = zoom === Zooms[0];
    byId("timeline-in").disabled = zoom === Zooms[Zooms.length - 1];
  }

  function say() {
    if (!line.hasTimes) {
      status.textContent = "The traces do not say when the compiles began.";
      return;
    }
    const count = line.name.length + line.otherUnits;
    status.textContent = `${Format.grouped(count)} ${count === 1 ? "compile" : "compiles"} in ${Format.time(line.wall)}, ` +
      `at most ${Format.grouped(line.mostAtOnce)} at once, ${average()} on average; none for ${Format.time(line.idle)}.` +
      (line.otherUnits > 0 ? ` ${Format.grouped(line.otherUnits)} short ones, ${Format.time(line.otherTime)} together, are not drawn.` : "");
  }

  /** For who would rather read it. */
  function listPath() {
    const path = line.name.map((_, at) => at).filter((at) => line.isCritical[at]);
    const busy = path.reduce((sum, at) => sum + line.time[at], 0);
    byId("timeline-path-text").textContent = `${Format.time(busy)} of compiles on it` +
      (path.length === line.criticalUnits ? `, ${Format.time(line.wall - busy)} of waiting` : "") +
      (path.length < line.criticalUnits ? `; the ${Format.grouped(path.length)} longest of ${Format.grouped(line.criticalUnits)} are here` : "") + ".";
    d3.select(byId("timeline-path")).selectAll("tr").data(path).join("tr").each(function (at) {
      const name = document.createElement("th"), link = document.createElement("button");
      name.scope = "row";
      link.className = "link";
      link.textContent = nameOf(at);
      link.addEventListener("click", () => select(at));
      name.append(link);
      this.append(...[line.begin[at], line.wait[at], line.time[at]].map((ns) =>
        Object.assign(document.createElement("td"), { textContent: Format.time(ns) })), name);
    });
  }

  function select(at) {
    explainUnit(at);
    focusOn(at);
    State.step();
  }

  function explainUnit(at) {
    const beside = line.name.reduce((sum, _, other) =>
      sum + (other !== at && line.begin[other] < endOf(at) && endOf(other) > line.begin[at] ? 1 : 0), 0);
    Detail.showUnit({ at, name: nameOf(at), pairs: [
      ["begins at", Format.time(line.begin[at])], ["takes", `${Format.time(line.time[at])}, ${Format.percent(line.time[at], line.wall)} of the build`],
      ["ends at", Format.time(endOf(at))], ["generating code", `${Format.time(line.code[at])} on a processor`], ["beside it", `${Format.grouped(beside)} others, for some of the time`],
      ["critical path", line.isCritical[at] ? `on it, ${Format.time(line.wait[at])} after the one before` : "not on it"]] });
  }

  function focusOn(at) {
    const before = area.querySelector(`[data-at="${current}"]`), now = area.querySelector(`[data-at="${at}"]`);
    if (before) before.tabIndex = -1;
    current = at;
    now.tabIndex = 0;
    now.focus();
  }

  /** Beside in the lane, or the nearest one in the lane above or below. */
  function move(event) {
    const element = event.target.closest(".box");
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
    if (!element || !step) return;
    event.preventDefault();
    const at = Number(element.dataset.at), middle = (n) => line.begin[n] + line.time[n] / 2;
    let best = null;
    line.name.forEach((_, other) => {
      const isCandidate = step[0] === 0
        ? line.lane[other] === line.lane[at] && Math.sign(line.begin[other] - line.begin[at]) === step[1]
        : line.lane[other] === line.lane[at] + step[0];
      const away = Math.abs(middle(other) - middle(at));
      if (isCandidate && (best === null || away < Math.abs(middle(best) - middle(at)))) best = other;
    });
    if (best !== null) focusOn(best);
  }

  function zoomTo(wanted) {
    zoom = wanted;
    render();
    State.step();
  }

  function start() {
    for (const part of document.querySelectorAll("#view-timeline .timed")) part.hidden = !line.hasTimes;
    say();
    if (!line.hasTimes) return;
    drawCurve();
    listPath();
    byId("timeline-in").addEventListener("click", () => zoomTo(Zooms[Zooms.indexOf(zoom) + 1] ?? zoom));
    byId("timeline-out").addEventListener("click", () => zoomTo(Zooms[Zooms.indexOf(zoom) - 1] ?? zoom));
    area.addEventListener("click", (e) => {
      const element = e.target.closest(".box");
      if (element) select(Number(element.dataset.at));
    });
    area.addEventListener("keydown", move);
  }

  const state = () => ({ zoom: zoom === 1 ? "" : zoom });
  function restore(all) {
    zoom = Number(State.choice(all.get("zoom"), Zooms.map(String)));
  }
  function restoreDetail(at) {
    if (at < line.name.length) explainUnit(at);
  }

  return startedWhenAsked({ start, select, render: () => line.hasTimes && render(), state, restore, restoreDetail, escape: () => line.hasTimes && zoomTo(1) });
})();
