// Loads a trace into Perfetto's own trace processor and prints the answers to
// queries, a line per row, columns separated by ` | `.
//
// usage: node trace-processor.js FOLDER-OF-THE-NPM-PACKAGE TRACE SQL...
//
// The package has the trace processor as WebAssembly, with the script that
// Perfetto's page runs in a worker around it. That script is run here, with the
// module given to it instead of fetched; we speak to it as the page does, in
// messages of protos/perfetto/trace_processor/trace_processor.proto.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [Package, TracePath, ...Queries] = process.argv.slice(2);
const Folder = path.join(Package, "assets", "trace-processor");
let Script = fs.readFileSync(path.join(Folder, "engine_bundle.node.js"), "utf8");
function replaceOnce(Found, By) {
  if (Script.split(Found).length !== 2) throw new Error(`the script has not one '${Found}'`);
  Script = Script.replace(Found, By);
}
// The module is the 32-bit one, whatever this Node can do.
replaceOnce("this.useMemory64 = hasMemory64Support();", "this.useMemory64 = false;");
replaceOnce("locateFile: (s) => s,", "locateFile: (s) => s, wasmBinary: self.module,");

// Protobuf, as far as it is needed: varints and what has a length.
function varint(Value) {
  const Bytes = [];
  for (Value = BigInt(Value); Value >= 128n; Value >>= 7n) Bytes.push(Number(Value & 127n) | 128);
  return Buffer.from([...Bytes, Number(Value)]);
}
const field = (No, Bytes) => Buffer.concat([varint(No * 8 + 2), varint(Bytes.length), Bytes]);
const number = (No, Value) => Buffer.concat([varint(No * 8), varint(Value)]);
function* varints(Bytes) {
  for (let At = 0; At < Bytes.length; ) {
    let Value = 0n;
    for (let Shift = 0n; ; Shift += 7n) {
      const Byte = Bytes[At++];
      Value |= BigInt(Byte & 127) << Shift;
      if (Byte < 128) break;
    }
    yield [BigInt.asIntN(64, Value), At];
  }
}
function* fields(Bytes) {
  for (let At = 0; At < Bytes.length; ) {
    let [[Tag, Length]] = [varints(Bytes.subarray(At)).next().value];
    At += Length;
    if ((Tag & 7n) === 1n) At += 8;
    else {
      const [Value, Size] = varints(Bytes.subarray(At)).next().value;
      At += Size;
      if ((Tag & 7n) === 0n) yield [Number(Tag >> 3n), Value];
      else {
        yield [Number(Tag >> 3n), Bytes.subarray(At, At + Number(Value))];
        At += Number(Value);
      }
    }
  }
}
const all = (Bytes, No) => [...fields(Bytes)].filter(([N]) => N === No).map(([, V]) => V);

const Replies = [];
const Port = { postMessage: (Data) => Replies.push(Buffer.from(Data)) };
const Worker = { module: fs.readFileSync(path.join(Folder, "trace_processor.wasm")), location: { href: "" } };
Worker.WorkerGlobalScope = Object;
const Context = vm.createContext({
  ...Worker, self: Worker, console: { log() {}, warn() {}, error() {} },
  // What WebAssembly throws is of our TypeError.
  WebAssembly, TypeError, TextDecoder, TextEncoder, setTimeout, performance, crypto, URL, Uint8Array, Buffer,
});
vm.runInContext(Script, Context);
Worker.onmessage({ data: Port });

let Sequence = 0;
// TraceProcessorRpc: seq 1, request 2, and the argument of the request.
function call(Request, Argument) {
  Replies.length = 0;
  const Rpc = Buffer.concat([number(1, Sequence++), number(2, Request), Argument]);
  Port.onmessage({ data: new Context.Uint8Array(field(1, Rpc)) });
  return Replies.flatMap((Reply) => all(Reply, 1));
}

// QueryResult: column_names 1, error 2, batch 3. CellsBatch: cells 1 (null 1,
// varint 2, float64 3, string 4), varint_cells 2, float64_cells 3, string_cells 5.
function query(Sql) {
  const Columns = [], Cells = [];
  for (const Rpc of call(3, field(103, field(1, Buffer.from(Sql)))))
    for (const Result of all(Rpc, 203)) {
      for (const Failure of all(Result, 2)) throw new Error(`${Sql}: ${Failure}`);
      Columns.push(...all(Result, 1));
      for (const Batch of all(Result, 3)) {
        const Integers = all(Batch, 2).flatMap((B) => [...varints(B)].map(([V]) => V));
        const Floats = Buffer.concat(all(Batch, 3));
        const Strings = all(Batch, 5).map(String).join("").split("\0");
        let Float = 0;
        for (const [Type] of all(Batch, 1).flatMap((B) => [...varints(B)]))
          Cells.push(Type === 1n ? "[NULL]" : Type === 2n ? Integers.shift() : Type === 3n ? Floats.readDoubleLE(8 * Float++) : Strings.shift());
      }
    }
  for (let At = 0; At < Cells.length; At += Columns.length) console.log(Cells.slice(At, At + Columns.length).join(" | "));
}

// The module says when it is ready, a moment after it was compiled.
setTimeout(() => {
  try {
    const Bytes = fs.readFileSync(TracePath);
    for (let At = 0; At < Bytes.length; At += 1 << 24)
      for (const Rpc of call(1, field(101, Bytes.subarray(At, At + (1 << 24)))))
        for (const Result of all(Rpc, 201)) for (const Failure of all(Result, 2)) throw new Error(`${TracePath}: ${Failure}`);
    call(2, Buffer.alloc(0));
    Queries.forEach(query);
  } catch (E) {
    console.error(E.message.slice(0, 2000));
    process.exitCode = 1;
  }
}, 500);
