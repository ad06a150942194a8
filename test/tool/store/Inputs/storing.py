"""What a store on a server does over its life, whichever engine is behind it: how long
builds are kept, migrations."""

import json
import os
import re
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.error import HTTPError
from urllib.parse import parse_qs, urlsplit
from urllib.request import Request, urlopen

from builds import BUDGET
from replays import replay
from stored import check, fails, store, traces

DAY = 86400 * 10**9


def both(Main, Url, *Words):
    """What a file and the server say, which is the same."""
    Said = [store(*Words, "--to=" + To) for To in (Main, Url)]
    check(Said[0].stdout == Said[1].stdout and Said[0].returncode == Said[1].returncode == 0, Words, *Said)
    return Said[0].stdout


def is_sound(Url):
    Found = store("check", "--to=" + Url)
    check(Found.returncode == 0 and Found.stdout.endswith("sound\n"), Found)


def whole(Server, Sessions):
    """Builds that all cost the same, so that an answer says by itself whether it is of whole ones: while three add and one
    prunes."""
    Url = Server.Url.replace("/builds", "/whole")
    post = lambda Sql: Server.post(Sql, "whole")
    at = lambda I: 1_790_000_000 * 10**9 + I * DAY // 24
    Alike = [replay(Sessions[1], "alike/%d" % I, at(I), branch="main") for I in range(136)]
    check(store("add", "--to=" + Url, *Alike[:64]).returncode == 0, "the first")
    Of = {R["name"]: R for R in json.loads(store("ask", "hottest", "--json", "-n", "0", "--to=" + Url).stdout)["rows"]}
    check(all(R["builds"] == 64 and R["count"] % 64 == 0 for R in Of.values()) and len(Of) > 3, Of)
    Quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
    Adders = [subprocess.Popen(["instantrace", "store", "add", "--to=" + Url, *Alike[64 + 24 * A : 88 + 24 * A]], **Quiet) for A in range(3)]
    Ended, Failed = threading.Event(), []

    def go_on(Each):
        try:
            I = 0
            while not Ended.is_set():
                Each(I)
                I += 1
        except BaseException as E:
            Failed.append(E)

    def prune(I):
        Before = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(at(min(I, 20)) // 10**9 + 60))
        Done = store("prune", "--before=" + Before, "--to=" + Url)
        check(Done.returncode == 0 and "taken out" in Done.stdout, Done)

    Others = [threading.Thread(target=go_on, args=(prune,))]
    for Each in Others:
        Each.start()
    def said(*Words):
        # Builds may go faster than a slow machine asks, which is an error that says so; they end.
        while True:
            Said = store(*Words, "--to=" + Url)
            if "replaced or taken out while it was asked" not in Said.stderr:
                check(Said.returncode == 0, Words, Said)
                return Said.stdout

    Seen = set()
    try:
        while True:
            IsLast = all(A.poll() is not None for A in Adders)
            for Question in (["hottest"], ["trend", "--name=sum<$>"], ["hottest"], ["machines"], ["hottest"], ["budget", "--budget=count >= 1"],
                             ["hottest"], ["duplicates"]):
                Said = json.loads(said("ask", *Question, "--json", "-n", "0"))
                N, Rows = Said["builds"], Said["rows"]
                if Question[0] == "hottest":
                    Seen.add(N)
                    check({R["name"]: (R["builds"], R["count"], R["units"]) for R in Rows} ==
                          {Name: (N, R["count"] // 64 * N, R["units"] // 64 * N) for Name, R in Of.items()}, "of %d builds" % N, Rows)
                elif Question[0] == "trend":
                    check([R["count"] for R in Rows] == [Of["sum<$>"]["count"] // 64] * N, "of %d builds" % N, Rows)
                elif Question[0] == "machines":
                    check([R["builds"] for R in Rows] == [N], "of %d builds" % N, Rows)
                else:
                    check((Rows == []) == (Question[0] == "budget"), Question, Rows)
            check(said("check").endswith("sound\n"), "of whole builds")
            if IsLast:
                break
    finally:
        Ended.set()
        for Each in Others:
            Each.join()
        Ends = [A.poll() for A in Adders]
        for A in Adders:
            A.kill()
    check(not Failed and Ends == [0, 0, 0], Failed, Ends, [A.stderr.read() for A in Adders])
    check(len(Seen) > 4, "answers of many states", Seen)
    is_sound(Url)


def forwarding(Server, Hook):
    """The port of one that forwards to the server: Hook is given each statement, and what forwards it; what it returns, a status
    and a body, is answered, or for nothing what the server says."""

    class Forwarding(BaseHTTPRequestHandler):
        def do_POST(self):
            Body = self.rfile.read(int(self.headers["Content-Length"]))
            Headers = {H: V for H, V in self.headers.items() if H.lower() not in ("host", "connection")}
            Sql = parse_qs(urlsplit(self.path).query).get("query", [Body.decode(errors="replace")])[0]

            def forward():
                try:
                    with urlopen(Request("http://127.0.0.1:%d%s" % (Server.Port, self.path), Body, Headers)) as Reply:
                        return Reply.status, Reply.read()
                except HTTPError as E:
                    return E.code, E.read()

            Status, Reply = Hook(Sql, forward) or forward()
            self.send_response(Status)
            self.send_header("Content-Length", str(len(Reply)))
            self.end_headers()
            self.wfile.write(Reply)

        def log_message(self, *_):
            pass

    Proxy = ThreadingHTTPServer(("127.0.0.1", 0), Forwarding)
    Proxy.daemon_threads = True
    threading.Thread(target=Proxy.serve_forever, daemon=True).start()
    return Proxy.server_address[1]


def at_another_time(Server, Seconds):
    """The port of one that forwards to the server, whose clock is so far ahead of what it is."""

    def ahead(Sql, forward):
        Status, Reply = forward()
        if Sql.startswith("SELECT toInt64(toUInt32(now()))"):
            Reply = re.sub(rb"(\d+)\n$", lambda M: b"%d\n" % (int(M[1]) + Seconds), Reply)
        return Status, Reply

    return forwarding(Server, ahead)


def meanwhile(Server, Sessions):
    """What others do between two requests of one who asks, adds or prunes."""
    Now = time.time_ns()
    at = lambda Name, Days, I=0: replay(Sessions[0], "meanwhile/" + Name, Now - Days * DAY + I * 10**9, branch="main")
    to = lambda Name, Port=Server.Port: "--to=clickhouse://127.0.0.1:%d/%s" % (Port, Name)

    def added(Said):
        check(Said.returncode == 0, Said)

    # A build is replaced before each request of who asks: there is one, always.
    Of = at("replaced", 20)
    Trace = traces(Of)[0]
    added(store("add", to("replaced"), Of))
    Turn = {"At": 0, "Seen": 1}

    def change():
        os.rename(*((Trace, "aside") if os.path.exists(Trace) else ("aside", Trace)))
        added(store("add", "--replace", to("replaced"), Of))

    def replace(Sql, forward):
        Turn["Seen"] += 1
        if Turn["Seen"] == Turn["At"]:
            change()

    There = forwarding(Server, replace)
    while Turn["Seen"] >= Turn["At"]:
        Turn.update(At=Turn["At"] + 1, Seen=0)
        Said = store("ask", "hottest", "--json", to("replaced", There))
        check(Said.returncode == 0 and json.loads(Said.stdout)["builds"] == 1, Turn, Said)
    check(Turn["At"] > 6, "requests", Turn)

    # What fails since a build was replaced is asked again, too.
    Failed = []

    def fail(Sql, forward):
        if "build_costs" in Sql and not Failed:
            Failed.append(Sql)
            change()
            return 500, b"Code: 47, e.displayText() = DB::Exception: what there is of two"

    Said = store("ask", "hottest", "--json", to("replaced", forwarding(Server, fail)))
    check(Failed and Said.returncode == 0 and json.loads(Said.stdout)["builds"] == 1, Said)

    # Two take one number, and who took it last is told nothing when it asks for that, or is ended.
    for Attempts, Code in ("2", 0), ("1", 1):
        Name, Left = "number" + Attempts, ["add", "fail"]
        One, Other = at(Name + "one", 20), at(Name + "other", 20, 1)

        def take(Sql, forward):
            if Sql.startswith("INSERT INTO build_versions") and "add" in Left:
                Left.remove("add")
                added(store("add", to(Name), Other))
            if "FROM builds WHERE id = " in Sql and "add" not in Left and "fail" in Left:
                Left.remove("fail")
                return 503, b"busy"

        Done = store("add", to(Name, forwarding(Server, take)), One, env={**os.environ, "INSTANTRACE_STORE_ATTEMPTS": Attempts})
        check(Done.returncode == Code and not Left, Done, Left)
        added(store("add", to(Name), One))
        is_sound(to(Name)[5:])
        check(len(json.loads(store("list", "--json", to(Name)).stdout)) == 2, Name)

    # Prune is held when it has hidden builds, has asked what it takes out, or would say it, until one is sent but for what makes it count, and
    # that until prune is done.
    for Name, Days, Asked in ("hidden", 100, "INSERT INTO build_versions"), ("unused", 1, "SELECT DISTINCT toString(build_key) AS key"), (
            "deletion", 1, "costs DELETE WHERE"):
        added(store("add", to(Name), at(Name + "old", 100)))
        Held, Sent, Done, Said = threading.Event(), threading.Event(), threading.Event(), []

        def hold(Sql, forward):
            if Asked in Sql and not Held.is_set():
                Reply = None if Sql.startswith("ALTER") else forward()
                Held.set()
                check(Sent.wait(60), "nothing was sent")
                return Reply

        def wait(Sql, forward):
            if Sql.startswith("INSERT INTO build_versions") and not Sent.is_set():
                Sent.set()
                check(Done.wait(60), "no end of prune")

        def prune():
            Said.append(store("prune", "--before=30d", to(Name, forwarding(Server, hold))))
            Done.set()

        Pruner = threading.Thread(target=prune)
        Pruner.start()
        check(Held.wait(60), "nothing is pruned", Name)
        Added = store("add", to(Name, forwarding(Server, wait)), at(Name + "new", Days, 1))
        Pruner.join()
        check(Added.returncode == 0 and Said[0].returncode == 0, Name, Added, Said)
        is_sound(to(Name)[5:])
        check([B["units"] for B in json.loads(store("list", "--json", to(Name)).stdout)] == [2], Name)
        check(len(json.loads(store("ask", "hottest", "--json", to(Name)).stdout)["rows"]) > 3, Name)


def renamed(Server, Sessions):
    """Columns of other names than those that were asked for are an error of every question that uses them."""
    Url = Server.Url.replace("/builds", "/renamed")
    check(store("add", "--to=" + Url, *Sessions).returncode == 0, "added")

    def rename(Sql, forward):
        Status, Reply = forward()
        if " AS value" in Sql or " AS units" in Sql:
            Names, _, Rest = Reply.partition(b"\n")
            Reply = b"\t".join(b"c%d" % I for I in range(Names.count(b"\t") + 1)) + b"\n" + Rest
        return Status, Reply

    There = Url.replace(":%d/" % Server.Port, ":%d/" % forwarding(Server, rename))
    for Question in ["budget", "--budget=" + BUDGET], ["trend", "--name=sum<$>"], ["regression"]:
        fails(1, There + ": found columns c0, c1, ", "ask", *Question, "--to=" + There)


def keeping(Server, Sessions, HasTtl):
    Url, Main = Server.Url.replace("/builds", "/keeping"), "keeping.db"
    post = lambda Sql: Server.post(Sql, "keeping")
    Now = time.time_ns()
    # By machines whose clock is wrong, as well: in 2060, 2122, 2175 and 2259.
    Aged = {Days: replay(Sessions[0], "aged/%d" % Days, Now - Days * DAY) for Days in (500, 400, 20, 10, -12000, -35000, -54000, -85000)}
    for To in Main, Url:
        check(store("add", "--to=" + To, *Aged.values()).returncode == 0, To)
    Schema = store("schema", "--to=" + Url).stdout
    Told = [L[3:-1] for L in Schema.splitlines() if L.startswith("-- ALTER TABLE ")]
    check(len(Told) == 6 and all(L.endswith(" MODIFY TTL toDate(least(toUInt32(toUInt16(begun)) + 187, 49000))") for L in Told), Told)
    is_sound(Url)
    check(len(json.loads(both(Main, Url, "list", "--json"))) == 8, "all of them")
    # That they are kept no longer is enough: they are in no answer, whatever rows there are.
    post("INSERT INTO keeping (at_ns, days, since) VALUES (1, 180, '1970-01-01')")
    store("prune", "--before=180d", "--to=" + Main)
    same = lambda: [both(Main, Url, "ask", *Q, "--json", "-n", "0") for Q in
                    (["hottest"], ["slowest"], ["machines"], ["trend", "--name=sum<$>"], ["budget", "--budget=count <= 1"], ["regression"])]
    same()
    check(len(json.loads(both(Main, Url, "list", "--json"))) == 6, "all but two of them")
    is_sound(Url)
    rows = lambda Table: int(post("SELECT uniqExact(build_key) FROM " + Table))
    Tables = "build_versions", "uploads", "compiles", "costs", "build_costs"
    check([rows(T) for T in Tables] == [8] * 5, "their rows are there")
    # What is that old is not taken in.
    Added = store("add", "--to=" + Url, Aged[500], replay(Sessions[1], "aged/200", Now - 200 * DAY))
    check(Added.returncode == 0 and Added.stdout.count("older than what the store keeps, left out") == 2, Added)
    if HasTtl:
        # The server takes rows out by itself, one table after the other.
        for Each in Told:
            post(Each)
        for Table in "costs", "uploads", "build_costs", "compiles", "build_versions":
            post("OPTIMIZE TABLE %s FINAL" % Table)
            check(rows(Table) == 6, Table, rows(Table))
            same()
            is_sound(Url)
    else:
        Pruned = store("prune", "--to=" + Url)
        check(Pruned.returncode == 0 and Pruned.stdout.startswith("2 builds taken out"), Pruned)
        check([rows(T) for T in Tables[1:]] == [6] * 4, "their rows are gone")
        same()
        is_sound(Url)
    # More than a day of a server holds, or a number.
    for Days in "3651", "44700", "65536", "18446744073709551615":
        fails(2, "--keep: found %s days, expected at most 3650, or 0 for ever" % format(int(Days), ","), "prune", "--keep=" + Days, "--to=" + Url)
    for Days in "18446744073709551616", "-1", "1e3", "15d":
        fails(2, "--keep", "prune", "--keep=" + Days, "--to=" + Url)
    # What a clock says that is wrong is not done for ever.
    for Days, Words in (2, ["--keep=15"]), (-2, ["--keep=15"]), (4000, ["--before=1d"]), (-4000, ["--before=2026-01-01"]):
        There = "clickhouse://127.0.0.1:%d/keeping" % at_another_time(Server, Days * 86400)
        Shown = [time.strftime("%Y-%m-%d", time.gmtime(time.time() + D * 86400)) for D in (Days, 0)]
        Found = store("prune", *Words, "--to=" + There)
        Added = store("add", "--to=" + There, Sessions[1])
        for Said in Found, Added:
            check(Said.returncode == 1 and re.search("found %s ..:.. .UTC. by the server's clock and %s ..:.. by this machine's, expected less "
                  "than a day between them" % tuple(Shown), Said.stderr) and not Found.stdout, Said)
    check(post("SELECT count() FROM keeping") == "1\n" and len(json.loads(both(Main, Url, "list", "--json"))) == 6, "nothing of it was done")
    There = "clickhouse://127.0.0.1:%d/keeping" % at_another_time(Server, 3600)
    check(store("prune", "--before=2000-01-01", "--to=" + There).returncode == 0, "an hour")
    # What counts is what was said last, also behind one whose clock was ahead.
    post("INSERT INTO keeping (at_ns, days, since) VALUES (%d, 180, '1970-01-01')" % (Now + 5000 * DAY))
    Pruned = store("prune", "--keep=15", "--to=" + Url)
    check(Pruned.returncode == 0 and ("1 build taken out" in Pruned.stdout) and "builds are kept for 15 days" in Pruned.stdout and
          ("7 days later" in Pruned.stdout) == HasTtl and ("has no TTL" in Pruned.stdout) != HasTtl, Pruned)
    store("prune", "--before=15d", "--to=" + Main)
    same()
    ttl = lambda Table: post("SELECT create_table_query FROM system.tables WHERE database = 'keeping' AND name = '%s'" % Table).partition(" TTL ")[2]
    if HasTtl:
        check("(begun)) + 22, 49000))" in ttl("costs"), ttl("costs"))
        for Table in Tables:
            post("OPTIMIZE TABLE %s FINAL" % Table)
        check([rows(T) for T in Tables[1:]] == [5] * 4, "those of tomorrow are there")
        same()
        # One who said that it is for ever was interrupted: some tables have no TTL.
        post("ALTER TABLE costs REMOVE TTL")
        post("ALTER TABLE uploads REMOVE TTL")
    # What was once too old stays so.
    Kept = store("prune", "--keep=0", "--to=" + Url)
    check(Kept.returncode == 0 and "builds are kept for ever" in Kept.stdout, Kept)
    same()
    for Table in "costs", "compiles":
        check(("(begun)) + 49000, 49000))" in ttl(Table)) == HasTtl, "until 2104", ttl(Table))
    Kept = store("prune", "--keep=0", "--to=" + Url)
    check(Kept.returncode == 0 and "builds are kept for ever" in Kept.stdout, "again", Kept)
    same()
    check(len(json.loads(both(Main, Url, "list", "--json"))) == 5, "those of tomorrow are there")
    Added = store("add", "--to=" + Url, Aged[20])
    check("older than what the store keeps, left out" in Added.stdout, Added)
    fails(2, "--keep: found a file, %s, expected a server" % Main, "prune", "--keep=15", "--to=" + Main)
    fails(2, "store prune: found no --before, expected one", "prune", "--to=" + Main)


def migrating(Server, Sessions):
    """A store of version 1, whose builds are there."""
    Url, Main = Server.Url.replace("/builds", "/older"), "older.db"
    post = lambda Sql: Server.post(Sql, "older")
    for To in Main, Url:
        check(store("add", "--to=" + To, *Sessions[:2]).returncode == 0, To)
    Names = set(post("SELECT name FROM system.tables WHERE database = 'older'").split())
    First = store("schema", "--to=" + Url).stdout.split("-- Migration 0002")[0]
    statement = lambda Begin: First[First.index(Begin) :].split(";\n")[0]
    for Name in "builds", "schema_version", "kept_since", "stored_builds", "keeping":
        post("DROP TABLE " + Name)
    for Name in "builds", "schema_version":
        post(statement("CREATE VIEW IF NOT EXISTS %s AS" % Name))
    check(post("SELECT version FROM schema_version") == "1\n", "version 1")
    for Words in ["list"], ["ask", "hottest"], ["check"]:
        fails(1, Url + ": found a store of version 1, expected version 2, to which the next instantrace store add brings it",
              *Words, "--to=" + Url)
    # Four bring it up to date at once.
    Adders = [subprocess.Popen(["instantrace", "store", "add", "--to=" + Url, Sessions[0], Sessions[2 + I]], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True) for I in range(4)]
    for Adder in Adders:
        Out, Err = Adder.communicate()
        check(Adder.returncode == 0 and "there already, build #1" in Out, Out, Err)
    check(post("SELECT version FROM schema_version") == "2\n", "version 2")
    check(set(post("SELECT name FROM system.tables WHERE database = 'older'").split()) == Names, "all of it")
    check("kept_since" in post("SHOW CREATE TABLE builds"), "the newest view")
    store("add", "--to=" + Main, *Sessions[2:6])
    for Question in ["hottest"], ["slowest"], ["blame"]:
        Said = [json.loads(store("ask", *Question, "--json", "-n", "0", "--to=" + To).stdout) for To in (Main, Url)]
        for Rows in Said:
            for Row in Rows["rows"]:  # numbers are of the order of adding
                Row.pop("build", None), Row.pop("previous", None)
        check(Said[0]["rows"] == Said[1]["rows"], Question, *Said)
    is_sound(Url)
    # One that ended in the middle of it.
    for Name in "builds", "schema_version", "keeping":
        post("DROP TABLE " + Name)
        Added = store("add", "--to=" + Url, Sessions[0])
        check(Added.returncode == 0 and "there already, build #1" in Added.stdout, Name, Added)
        is_sound(Url)
    # What is of a cluster, or not, is not made otherwise.
    post("DROP TABLE schema_version")
    fails(2, "found a store of one server, expected no --cluster", "add", "--cluster=pair", "--unreplicated", Sessions[0], "--to=" + Url)
    for Version in 3, 99:
        post("DROP TABLE IF EXISTS schema_version")
        post("CREATE VIEW schema_version AS SELECT toUInt32(%d) AS version" % Version)
        for Words in ["list"], ["add", Sessions[0]], ["prune", "--before=1d"]:
            fails(1, "found a store of version %d, expected one up to 2, which this tool knows" % Version, *Words, "--to=" + Url)
