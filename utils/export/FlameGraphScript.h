/// \file
/// What a flame graph does when it is clicked, as the script in the SVG.
///
/// Flow: [FlameGraphScript] -> FlameGraph -> SVG -> browser
///
/// Each frame is <g class="f"> with its left edge and width in parts of the
/// whole in data-x and data-w, its level in data-y and its whole text in
/// <title>. The script only moves and hides what is there, so without it the
/// picture is still right.
#pragma once

namespace instantrace {

/// Inside CDATA: no `]]>` in it.
inline constexpr const char *FlameGraphScript = R"js(
"use strict";
const svg = document.documentElement;
const width = Number(svg.dataset.width);
const frames = [...document.querySelectorAll("g.f")];
const matched = document.getElementById("matched");
const reset = document.getElementById("reset");
const text = (g) => g.querySelector("title").textContent;
const number = (g, key) => Number(g.dataset[key]);

// Shows the part of the whole from `left` on that is `part` wide; frames below
// the level of `to` are around it and keep the whole width.
function zoom(to) {
  const left = to ? number(to, "x") : 0, part = to ? number(to, "w") : 1;
  const level = to ? number(to, "y") : 0, end = left + part, slack = part * 1e-9;
  for (const g of frames) {
    const x = number(g, "x"), w = number(g, "w");
    const around = number(g, "y") < level && x <= left + slack && x + w >= end - slack;
    const inside = number(g, "y") >= level && x >= left - slack && x + w <= end + slack;
    g.style.display = around || inside ? "" : "none";
    if (!around && !inside) continue;
    const from = around ? 0 : (x - left) / part * width;
    const size = around ? width : w / part * width;
    const rect = g.querySelector("rect");
    rect.setAttribute("x", from);
    rect.setAttribute("width", Math.max(size - 0.3, 0.1));
    rect.style.opacity = around ? 0.6 : "";
    const label = g.querySelector("text");
    label.setAttribute("x", from + 3);
    const room = Math.floor((size - 6) / 6.6), name = g.dataset.n ?? text(g).split("\n")[0];
    label.textContent = room < 3 ? "" : name.length <= room ? name : name.slice(0, room - 1) + "…";
  }
  reset.style.display = to ? "" : "none";
}

// Marks what matches, and says how much of the whole that is; a match inside
// another one counts once.
function search(pattern) {
  let found;
  try {
    found = new RegExp(pattern, "i");
  } catch (e) {
    matched.textContent = "not a regular expression: " + pattern;
    return;
  }
  const parts = [];
  for (const g of frames) {
    const hit = pattern !== "" && found.test(text(g).split("\n")[0]);
    g.classList.toggle("hit", hit);
    if (hit) parts.push([number(g, "x"), number(g, "x") + number(g, "w")]);
  }
  parts.sort((a, b) => a[0] - b[0]);
  let sum = 0, reached = 0;
  for (const [from, to] of parts) {
    if (to > reached) sum += to - Math.max(from, reached);
    reached = Math.max(reached, to);
  }
  matched.textContent = pattern === "" ? "" : `${parts.length} match ${pattern}: ${(sum * 100).toFixed(1)} %`;
}

const ask = () => {
  const pattern = prompt("Search names (regular expression):", "");
  if (pattern !== null) search(pattern);
};
for (const g of frames) {
  g.addEventListener("click", () => zoom(g));
  g.addEventListener("keydown", (e) => {
    if (e.key === "Enter") zoom(g);
  });
}
reset.addEventListener("click", () => zoom(null));
document.getElementById("search").addEventListener("click", ask);
addEventListener("keydown", (e) => {
  if (e.key === "Escape") zoom(null);
  if (e.key === "/" || ((e.ctrlKey || e.metaKey) && e.key === "f")) {
    e.preventDefault();
    ask();
  }
});
zoom(null);
)js";

} // namespace instantrace
