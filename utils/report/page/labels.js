/**
 * What of a name is written where there is little room: its last component
 * first, since most names of a trace begin alike; then its arguments; then, if
 * there is room left, what it is in, without what the box around is in as well.
 */
const Labels = (() => {
  const symbol = /^operator(?:<=>|<<=?|>>=?|->\*?|<=|>=|<|>|\(\))/;

  /** At separators outside of brackets. */
  function split(name, separator) {
    const parts = [""];
    let depth = 0;
    for (let at = 0; at < name.length; ++at) {
      const operator = name.startsWith("operator", at) ? symbol.exec(name.slice(at, at + 13)) : null;
      if (operator) {
        parts[parts.length - 1] += operator[0];
        at += operator[0].length - 1;
        continue;
      }
      if ("<([{".includes(name[at])) ++depth;
      else if (">)]}".includes(name[at])) --depth;
      if (depth === 0 && name.startsWith(separator, at)) {
        parts.push("");
        at += separator.length - 1;
      } else parts[parts.length - 1] += name[at];
    }
    return parts;
  }

  /** Names of scopes may have `::` within brackets. */
  const scopes = (name) => split(name, "::");

  /** Where the arguments of a last component begin; -1: it has none. */
  function argumentsAt(part) {
    if (part.startsWith("(")) return -1;
    return part.indexOf("<", symbol.exec(part)?.[0].length ?? 0);
  }

  /** "std::vector<int, std::allocator<int>>" as "vector<int, allocator>". */
  function brief(name) {
    const all = scopes(name), last = all[all.length - 1], at = argumentsAt(last);
    if (at < 1 || !last.endsWith(">")) return last;
    return last.slice(0, at) + "<" + split(last.slice(at + 1, -1), ",").map((g) => {
      const parts = scopes(g.trim()), inner = parts[parts.length - 1], inside = argumentsAt(inner);
      return inside > 0 ? inner.slice(0, inside) : inner;
    }).join(", ") + ">";
  }

  /** At most that long, if anything is that short: what is cut, the box cuts. */
  function short(name, characters, around) {
    if (name.length <= characters) return name;
    // Of what has no name, the file says where it is.
    name = name.replace(/ at [^()]*\/(?=[^/()]*\))/g, " at ");
    if (name.length <= characters) return name;
    const all = scopes(name), last = all[all.length - 1], at = argumentsAt(last);
    let label = at > 0 ? last.slice(0, at) : last;
    for (const fuller of [brief(name), last]) if (fuller.length <= characters) label = fuller;
    const outer = around === undefined ? [] : scopes(around);
    let same = 0;
    while (same < all.length - 1 && all[same] === outer[same]) ++same;
    let scope = "";
    for (let from = all.length - 2; from >= same; --from) {
      const more = all.slice(from, -1).join("::");
      if (label.length + more.length + 3 > characters) break;
      scope = ` · ${more}`;
    }
    return label + scope;
  }

  /** Of a path: its end says more than its begin. */
  const file = (path) => path.replace(/^.*\/(?=[^/])/, "");

  /** The same text, which is broken between the parts of a name if anywhere. */
  const breakable = (name) => name.split(/(?<=::|,|<|\/)/).flatMap((part, at) => (at === 0 ? [part] : [document.createElement("wbr"), part]));

  /** For screen readers, who ask for what they see: a label, and what it means. */
  const spoken = (label, whole) => (whole.includes(label) ? whole : `${label}: ${whole}`);

  return { breakable, spoken, scopes, brief, short, file };
})();
