// Opens a file with the importer of speedscope, as its page does, and prints
// what it understood: each profile, then its frames by name, as
//   profile NAME UNIT TOTAL
//   frame NAME self N total N [FILE:LINE]
//
// usage: node speedscope.js FOLDER-OF-THE-NPM-PACKAGE FILE
//
// The package has the importer only inside the bundle of its page. So the bundle
// is run up to where the page begins, and the module that the page imports with
// is taken from there. What is not as expected is an error.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [Package, File] = process.argv.slice(2);
const Release = path.join(Package, "dist", "release");
const Bundles = fs.readdirSync(Release).filter((N) => /^speedscope-.*\.js$/.test(N));
if (Bundles.length !== 1) throw new Error(`${Release}: found ${Bundles.length} bundles, expected 1`);
const Bundle = fs.readFileSync(path.join(Release, Bundles[0]), "utf8");
const Page = /var \w+=Promise\.resolve\(\)\.then\(\(\)=>\((\w+)\(\),(\w+)\)\);/.exec(Bundle);
if (!Page) throw new Error(`${Bundles[0]}: found no import of the importer`);
const Log = [];
const Context = vm.createContext({
  console: { ...console, log: (...T) => Log.push(T.join(" ")), warn: (...T) => Log.push(T.join(" ")) },
  TextDecoder, TextEncoder, Uint8Array, setTimeout, performance,
  window: { location: { hash: "", protocol: "file:" }, localStorage: {} },
  matchMedia: () => ({ matches: false }), self: {},
});
vm.runInContext(`${Bundle.slice(0, Page.index)};globalThis.importer=(${Page[1]}(),${Page[2]})})();`, Context);

(async () => {
  const Bytes = new Uint8Array(fs.readFileSync(File));
  const Group = File.endsWith(".gz")
    ? await Context.importer.importProfilesFromArrayBuffer(path.basename(File), Bytes.buffer)
    : await Context.importer.importProfileGroupFromText(path.basename(File), Buffer.from(Bytes).toString("utf8"));
  if (!Group) throw new Error(`${File}: speedscope does not know this format`);
  for (const Line of Log) console.log(`log ${Line}`);
  for (const Profile of Group.profiles) {
    console.log(`profile ${Profile.getName()} ${Profile.getWeightUnit()} ${Profile.getTotalWeight()}`);
    const Frames = [];
    Profile.forEachFrame((F) => Frames.push(F));
    Frames.sort((A, B) => (A.name < B.name ? -1 : A.name > B.name ? 1 : 0));
    for (const F of Frames) {
      const Place = F.file ? ` ${F.file}:${F.line}` : "";
      console.log(`frame ${F.name} self ${F.getSelfWeight()} total ${F.getTotalWeight()}${Place}`);
    }
  }
})().catch((E) => {
  console.error(`${File}: ${E.message}`);
  process.exit(1);
});
