// chdb.js PACKAGE FOLDER [NAME=VALUE...]: the HTTP interface of ClickHouse, in front of the engine
// that is in the npm package chdb. It prints the port that it listens at.
//
// The engine has no server. So a statement is what a server would make of the
// request: rows of an INSERT and of a table beside a question come from a file,
// and an answer goes into one, since the engine gives texts as UTF-8, which
// names need not be. Neither users nor readonly are there; NAME=VALUE is a setting,
// as of the profile of a user, and those of a request are of that request alone.
const fs = require("fs");
const http = require("http");
const path = require("path");
const zlib = require("zlib");

const [Package, Folder, ...Profile] = process.argv.slice(2);
const Engine = require(path.resolve(Package));
const Connection = Engine.CreateConnection(path.join(Folder, "data"));
const run = (Sql) => Engine.QueryWithConnection(Connection, Sql, "TSV");
let LastFile = 0;
const quoted = (Text) => "'" + Text.replace(/['\\]/g, "\\$&") + "'";
const OfProfile = new Map(Profile.map((Each) => [Each.replace(/=.*/s, ""), quoted(Each.replace(/^[^=]*=/, ""))]));
for (const [Name, Value] of OfProfile) run(`SET ${Name} = ${Value}`);
// What is in an address and no setting, or one of those that servers alone have.
const NoSettings = /^(database|query|wait_end_of_query|buffer_size|readonly|.*_structure|.*_format)$/;

function file(Bytes) {
  const Name = path.join(Folder, "file" + ++LastFile);
  if (Bytes) fs.writeFileSync(Name, Bytes);
  return Name;
}

// The one part of a form.
function partOf(Request, Body) {
  const Boundary = /boundary=(.*)$/.exec(Request.headers["content-type"])[1];
  const Begin = Body.indexOf("\r\n\r\n") + 4;
  return Body.subarray(Begin, Body.lastIndexOf("\r\n--" + Boundary));
}

function answer(Request, Body) {
  const Given = new URL(Request.url, "http://localhost").searchParams;
  const Settings = [...Given].filter(([Name]) => !NoSettings.test(Name));
  for (const [Name, Value] of Settings) run(`SET ${Name} = ${quoted(Value)}`);
  try {
    return answerWith(Given, Request, Body);
  } finally {
    for (const [Name] of Settings) run(`SET ${Name} = ${OfProfile.get(Name) ?? "DEFAULT"}`);
  }
}

function answerWith(Given, Request, Body) {
  if (Request.headers["content-encoding"] === "gzip") Body = zlib.gunzipSync(Body);
  run("USE " + (Given.get("database") || "default"));
  const Insert = /^(INSERT INTO .*) FORMAT RowBinary$/s.exec(Given.get("query") || "");
  if (Insert) {
    const Rows = file(Body);
    run(`${Insert[1]} FROM INFILE '${Rows}' FORMAT RowBinary`);
    fs.unlinkSync(Rows);
    return "";
  }
  const Beside = [...Given.keys()].filter((K) => K.endsWith("_structure")).map((K) => K.slice(0, -10));
  for (const Name of Beside) {
    run(`CREATE TEMPORARY TABLE ${Name} (${Given.get(Name + "_structure")})`);
    const Rows = partOf(Request, Body);
    if (!Rows.length) continue;
    const Into = file(Rows);
    run(`INSERT INTO ${Name} FROM INFILE '${Into}' FORMAT RowBinary`);
    fs.unlinkSync(Into);
  }
  try {
    const Sql = Given.get("query") || Body.toString();
    const Select = /^(.*)\nFORMAT TabSeparatedWithNamesAndTypes$/s.exec(Sql);
    if (!Select) return run(Sql);
    const Rows = file();
    run(`${Select[1]}\nINTO OUTFILE '${Rows}' FORMAT TabSeparatedWithNamesAndTypes`);
    const Bytes = fs.readFileSync(Rows);
    fs.unlinkSync(Rows);
    return Bytes;
  } finally {
    for (const Name of Beside) run(`DROP TABLE ${Name}`);
  }
}

const Listener = http.createServer((Request, Reply) => {
  const Pieces = [];
  Request.on("data", (Piece) => Pieces.push(Piece));
  Request.on("end", () => {
    try {
      Reply.end(answer(Request, Buffer.concat(Pieces)));
    } catch (E) {
      Reply.statusCode = 500;
      Reply.end(String(E.message).replace(/^.*?(?=Code: )/s, ""));
    }
  });
});
Listener.listen(0, "127.0.0.1", () => console.log(Listener.address().port));
