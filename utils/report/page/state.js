/**
 * What is shown, in the address behind `#`, so that links can be passed on and
 * the browser goes back: `#view=table&by=header&filter=boost`. Whatever
 * somebody wrote there is only ever compared with what the page has.
 */
const State = (() => {
  let views = {}, restoring = false;

  /** A whole number below `limit`; null for anything else. */
  function number(text, limit) {
    const value = /^\d+$/.test(text ?? "") ? Number(text) : NaN;
    return value < limit ? value : null;
  }
  /** The text if it is one of those, otherwise the first of them. */
  const choice = (text, all) => (all.includes(text) ? text : all[0]);

  function written() {
    const all = new URLSearchParams({ view: Main.opened() });
    for (const part of [views[Main.opened()].state?.() ?? {}, Detail.state()])
      for (const [key, value] of Object.entries(part))
        if (value !== null && value !== undefined && value !== "" && value !== false) all.set(key, value);
    return "#" + all;
  }

  /** After something was chosen: a step that one can go back. */
  function step() {
    if (restoring || location.hash === written()) return;
    history.pushState(null, "", written());
  }
  /** After something was typed: the same step, elsewhere. */
  function replace() {
    if (!restoring && location.hash !== written()) history.replaceState(null, "", written());
  }

  function restore() {
    const all = new URLSearchParams(location.hash.slice(1));
    restoring = true;
    try {
      const view = choice(all.get("view"), Object.keys(views).filter((name) => !document.getElementById("tab-" + name).hidden));
      views[view].restore?.(all);
      Main.show(view);
      Detail.restore(all);
    } finally {
      restoring = false;
    }
  }

  function start(all) {
    views = all;
    addEventListener("popstate", restore);
    restore();
  }

  return { start, step, replace, number, choice };
})();

/**
 * A view that starts when it is first shown, or asked for anything: the first
 * screen waits for none that nobody has opened.
 */
function startedWhenAsked(view) {
  let isStarted = false;
  function start() {
    if (isStarted) return;
    isStarted = true;
    view.start();
  }
  const asked = (does) => (...words) => {
    start();
    return does(...words);
  };
  const parts = Object.entries(view).map(([name, part]) => [name, typeof part === "function" ? asked(part) : part]);
  return { ...Object.fromEntries(parts), start };
}
