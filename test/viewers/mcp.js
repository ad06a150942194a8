// mcp.js FOLDER CALLS COMMAND...: starts COMMAND as a server of the Model Context Protocol, by the
// protocol's own client, whose packages are in FOLDER; makes the calls that the file CALLS lists,
// [method, parameters], and prints each result as a line of JSON. With MCP_REVISION the client is
// the one that has this revision of the protocol, and takes no other.
const fs = require("fs");
const path = require("path");
const { createRequire } = require("module");

const [Folder, Calls, Command, ...Arguments] = process.argv.slice(2);
const from = createRequire(path.resolve(Folder, "package.json"));
const Revision = process.env.MCP_REVISION;
const { Client } = from(Revision ? "@modelcontextprotocol/client" : "@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = from("@modelcontextprotocol/" + (Revision ? "client/stdio" : "sdk/client/stdio.js"));

async function main() {
  const Agent = new Client({ name: "test", version: "1" }, Revision ? { versionNegotiation: { mode: { pin: Revision } } } : {});
  await Agent.connect(new StdioClientTransport({ command: Command, args: Arguments, env: process.env }));
  console.log(JSON.stringify([Agent.getServerVersion(), Agent.getServerCapabilities()]));
  for (const [Method, Parameters] of JSON.parse(fs.readFileSync(Calls)))
    console.log(JSON.stringify(await Agent[Method](Parameters)));
  await Agent.close();
}
main().catch((Failed) => {
  console.error(Failed);
  process.exit(1);
});
