"""A client of the Language Server Protocol, as small as a test needs it."""

import json
import os
import subprocess
import time


def frame(Text):
    return b"Content-Length: %d\r\n\r\n%s" % (len(Text), Text)


class Client:
    """Starts a server, and says `initialize` unless Options are None."""

    def __init__(self, Tool, *Words, Folder=".", Options=(), Can=None):
        self.Process = subprocess.Popen([Tool, "lsp", *Words], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.Id = 0
        self.Others = []  # what came that answers nothing
        if Options is not None:
            Params = {"rootUri": "file://" + Folder, "capabilities": Can if Can is not None else CAN_HINTS,
                      "initializationOptions": dict(Options)}
            self.Initialized = self.ask("initialize", Params)
            self.tell("initialized", {})

    def send(self, Bytes):
        self.Process.stdin.write(Bytes)
        self.Process.stdin.flush()

    def tell(self, Method, Params=None):
        self.send(frame(json.dumps({"jsonrpc": "2.0", "method": Method, "params": Params}).encode()))

    def receive(self):
        """The next message; None: there is none."""
        Length = None
        while True:
            Line = self.Process.stdout.readline()
            if not Line:
                return None
            if Line == b"\r\n":
                return json.loads(self.Process.stdout.read(Length))
            Length = int(Line.removeprefix(b"Content-Length: "))

    def refused(self):
        """The code of the next error."""
        while "error" not in (Message := self.receive()):
            self.Others.append(Message)
        return Message["error"]["code"]

    def answer(self, Id):
        while True:
            Message = self.receive()
            if Message is None or ("method" not in Message and Message["id"] == Id):
                return Message
            self.Others.append(Message)

    def ask(self, Method, Params=None):
        """The result, or the error with its code."""
        self.Id += 1
        self.send(frame(json.dumps(
            {"jsonrpc": "2.0", "id": self.Id, "method": Method, "params": Params}).encode()))
        Answer = self.answer(self.Id)
        return Answer["result"] if "result" in Answer else Answer["error"]

    def open(self, Path, Text=None):
        if Text is None:
            with open(Path, encoding="utf-8") as File:
                Text = File.read()
        self.tell("textDocument/didOpen", {"textDocument": {
            "uri": "file://" + Path, "languageId": "cpp", "version": 1, "text": Text}})

    def change(self, Path, Text):
        self.tell("textDocument/didChange", {
            "textDocument": {"uri": "file://" + Path, "version": 2}, "contentChanges": [{"text": Text}]})

    def hints(self, Path, First=0, Last=10**6):
        """Each as (line, character, label)."""
        return [(H["position"]["line"], H["position"]["character"], H["label"]) for H in self.ask(
            "textDocument/inlayHint",
            {"textDocument": {"uri": "file://" + Path},
             "range": {"start": {"line": First, "character": 0}, "end": {"line": Last, "character": 0}}})]

    def lenses(self, Path):
        """Each as (line, title)."""
        return [(L["range"]["start"]["line"], L["command"]["title"]) for L in self.ask(
            "textDocument/codeLens", {"textDocument": {"uri": "file://" + Path}})]

    def hover(self, Path, Line):
        Answer = self.ask("textDocument/hover", {
            "textDocument": {"uri": "file://" + Path}, "position": {"line": Line, "character": 0}})
        return Answer and Answer["contents"]["value"]

    def configure(self, **Settings):
        self.tell("workspace/didChangeConfiguration", {"settings": {"instantrace": Settings}})

    def pulled(self, Path):
        """The diagnostics of a file."""
        return self.ask("textDocument/diagnostic", {"textDocument": {"uri": "file://" + Path}})["items"]

    def actions(self, Path, First=0, Last=10**6, **Context):
        return self.ask("textDocument/codeAction", {
            "textDocument": {"uri": "file://" + Path}, "context": dict(Context, diagnostics=[]),
            "range": {"start": {"line": First, "character": 0}, "end": {"line": Last, "character": 0}}})

    def wait_for(self, Ready, PauseSeconds=0.1, MostSeconds=600):
        """What Ready() gives when there is something: a new session and advice take their time."""
        End = time.monotonic() + MostSeconds
        while time.monotonic() < End:
            Found = Ready()
            if Found:
                return Found
            time.sleep(PauseSeconds)
        raise AssertionError(self.Others)

    def logged(self):
        return [M["params"]["message"] for M in self.Others if M.get("method") == "window/logMessage"]

    def end(self):
        """Its exit code."""
        assert self.ask("shutdown") is None
        self.tell("exit")
        return self.Process.wait()


CAN_HINTS = {"textDocument": {"inlayHint": {}}, "workspace": {
    "inlayHint": {"refreshSupport": True}, "codeLens": {"refreshSupport": True}}}

UNIT_TEXT = '#include "costly.h"\n#include <vec>\n\nint One;\nf<int> Two; // π 🙂\n'
HEADER_TEXT = "#pragma once\n\nf<char> Header;\n"


def make_session(Tool, Folder, Session="session", Units=(("a.cpp", 620), ("b.cpp", 720)), State="ended"):
    """Traces of the units, whose f<int> ends at so many ms; sources that are older. A server that looks meanwhile
    finds it running, as one that is being recorded."""
    Inputs = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(Inputs, "unit.textproto"), encoding="utf-8") as File:
        Trace = File.read()
    os.makedirs(os.path.join(Folder, Session), exist_ok=True)
    write_state(Folder, Session, "running")
    for Name, Text in [(U, UNIT_TEXT) for U, _ in Units] + [("costly.h", HEADER_TEXT)]:
        write_old(os.path.join(Folder, Name), Text)
    for Unit, EndMs in Units:
        Text = Trace.replace("UNIT", Unit).replace("FOLDER", Folder).replace("BUSY", str(EndMs * 10**6))
        subprocess.run([Tool, "assemble", "-", "-o", os.path.join(Folder, Session, Unit + ".itrace")],
                       input=Text.encode(), check=True)
    write_state(Folder, Session, State)


def write_state(Folder, Session, State):
    Path = os.path.join(Folder, Session, "session.json")
    with open(Path + ".new", "w", encoding="utf-8") as File:
        json.dump({"format": "instantrace session", "version": 1, "state": State, "working_directory": Folder,
                   "pid": os.getpid(), "machine": {"host": os.uname().nodename}}, File)
    os.replace(Path + ".new", Path)


def write_old(Path, Text):
    """A file of 2020, before the compiles."""
    with open(Path, "w", encoding="utf-8") as File:
        File.write(Text)
    os.utime(Path, (1577836800, 1577836800))
