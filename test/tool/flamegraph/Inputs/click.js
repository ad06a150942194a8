// Runs the script of a flame graph on stand-ins for the elements of its page.
"use strict";
const { script, width, boxes } = JSON.parse(require("fs").readFileSync(process.argv[2], "utf8"));

class Stand {
  constructor(text) {
    Object.assign(this, { textContent: text ?? "", style: {}, attributes: {}, handlers: {}, dataset: {}, inside: {} });
    this.classList = { toggle() {} };
  }
  setAttribute(name, value) { this.attributes[name] = value; }
  addEventListener(name, handler) { this.handlers[name] = handler; }
  querySelector(name) { return this.inside[name]; }
}
const page = { width }, ids = {}, keys = {};
const frames = boxes.map(({ x, w, y, title }) => {
  const g = new Stand();
  g.dataset = { x, w, y };
  g.inside = { title: new Stand(title), rect: new Stand(), text: new Stand() };
  return g;
});
for (const id of ["matched", "reset", "search"]) ids[id] = new Stand();
let answer = "";
new Function("document", "addEventListener", "prompt", script)(
  { documentElement: { dataset: page }, querySelectorAll: () => frames, getElementById: (id) => ids[id] },
  (name, handler) => (keys[name] = handler),
  () => answer,
);

const name = (g) => g.inside.title.textContent.split("\n")[0];
const shown = () => frames.filter((g) => g.style.display !== "none").map(name).join(" ");
const box = (wanted) => frames.find((g) => name(g) === wanted);
const size = (wanted) => Math.round(box(wanted).inside.rect.attributes.width + 0.3);
console.log(`shown: ${shown()}`);
box("A").handlers.click();
console.log(`click A: ${shown()}`);
console.log(`width of A ${size("A")}, of C ${size("C")}`);
keys.keydown({ key: "Escape" });
console.log(`escape: ${shown()}`);
for (answer of ["^[CD]$", "("]) {
  ids.search.handlers.click();
  console.log(`search ${answer}: ${ids.matched.textContent}`);
}
