#!/usr/bin/env python3
"""Whether a store on a replicated cluster answers as a file does, whichever server is asked.

usage: replicated.py [--builds N] [--clang CLANG] [--tool PATH] [--folder DIR]

Two shards of two replicas each are four of Debian's clickhouse-server, on loopback, in
folders of their own, behind one ZooKeeper, of Debian's `zookeeper`, which needs Java:
only `utils/dev bench replicated` installs these. The tables are made by the first `store add
--cluster`, ON CLUSTER. Builds are added through one server after another; when all
replicas have caught up, each question is asked of each server and of the file. While
builds are added, one question is asked of each replica again and again: an answer that
no whole number of builds has is told as *partial*. Then a replica is ended, a build is
added without it, and when it is back it has to have that build.

Prints Markdown; exits with 1 when an answer differs.
"""

import argparse
import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path[:0] = [os.path.join(ROOT, "test", "tool", "store", "Inputs")]

import clickhouse  # noqa: E402
from builds import builds, questions  # noqa: E402
from stored import check, store  # noqa: E402

ZOO = """dataDir=%(folder)s/data
clientPort=%(port)d
clientPortAddress=127.0.0.1
admin.enableServer=false
"""
MORE = """<zookeeper><node><host>127.0.0.1</host><port>%(zoo)d</port></node></zookeeper>
<macros><shard>%(shard)d</shard><replica>%(replica)d</replica></macros>
<interserver_http_port>%(inter)d</interserver_http_port><interserver_http_host>127.0.0.1</interserver_http_host>
<distributed_ddl><path>/clickhouse/ddl</path></distributed_ddl>
<remote_servers><four>%(shards)s</four></remote_servers>
"""
CLUSTER = ["--cluster", "four"]


class ZooKeeper:
    def __init__(self, Folder):
        self.Port = clickhouse.free_port()
        os.makedirs(Folder + "/data")
        with open(Folder + "/zoo.cfg", "w") as File:
            File.write(ZOO % {"folder": Folder, "port": self.Port})
        Jars = ":".join(os.path.join("/usr/share/java", J) for J in sorted(os.listdir("/usr/share/java")) if J.endswith(".jar"))
        self.Process = subprocess.Popen(
            ["java", "-Xmx512m", "-cp", Jars, "org.apache.zookeeper.server.quorum.QuorumPeerMain", Folder + "/zoo.cfg"],
            stdout=open(Folder + "/log", "w"), stderr=subprocess.STDOUT)
        # A server that finds it before it answers gives up its queue of statements.
        End = time.monotonic() + 60
        while "Mode: standalone" not in self.said():
            check(self.Process.poll() is None and time.monotonic() < End, "no ZooKeeper, see", Folder + "/log")
            time.sleep(0.1)

    def said(self):
        try:
            with socket.create_connection(("127.0.0.1", self.Port), timeout=5) as S:
                S.sendall(b"srvr")
                return S.makefile().read()
        except OSError:
            return ""

    def end(self):
        self.Process.kill()
        self.Process.wait()


def start(Servers, Folder, Zoo):
    Ports = [(clickhouse.free_port(), clickhouse.free_port()) for _ in range(4)]
    Shards = "".join("<shard><internal_replication>true</internal_replication>%s</shard>" % "".join(
        "<replica><host>127.0.0.1</host><port>%d</port></replica>" % Tcp for _, Tcp in Ports[I : I + 2]) for I in (0, 2))
    for I, P in enumerate(Ports):
        Servers.append(clickhouse.Server("%s/server%d" % (Folder, I), MORE % {
            "zoo": Zoo.Port, "shard": I // 2, "replica": I % 2, "inter": clickhouse.free_port(), "shards": Shards}, Ports=P))


def caught_up(Servers):
    """Seconds until no replica has anything to fetch."""
    Began = time.monotonic()
    # Of a table without an entry in its log both are 0.
    while any(S.post("SELECT sum(queue_size) + sum(log_max_index >= log_pointer AND log_max_index + log_pointer > 0) "
                     "FROM system.replicas").strip() != "0"
              for S in Servers):
        check(time.monotonic() - Began < 120, "a replica does not catch up")
        time.sleep(0.05)
    return time.monotonic() - Began


class Watcher(threading.Thread):
    """What a server says of the sums of all builds, as often as it answers."""

    def __init__(self, Url):
        super().__init__(daemon=True)
        self.Url, self.Seen, self.Failed, self.Runs = Url, set(), 0, True
        self.start()

    def run(self):
        while self.Runs:
            Rows = hottest(self.Url)
            self.Failed += Rows is None
            if Rows is not None:
                self.Seen.add(Rows)


def hottest(To):
    """Its rows: what else an answer has is asked after them."""
    Said = store("ask", "hottest", "-n", "0", "--json", "--to=" + To)
    return json.dumps(json.loads(Said.stdout)["rows"]) if Said.returncode == 0 else None


def compare(Servers, Main):
    Asked, Until = 0, time.monotonic() + 60
    Places = [Main, *(S.Url for S in Servers)]
    numbers = lambda To: [(B["build"], B["commit_id"]) for B in json.loads(store("list", "--json", "--to=" + To).stdout)]
    check(all(numbers(P) == numbers(Main) for P in Places), "numbers of builds", *map(numbers, Places))
    for Question in questions(list(reversed(json.loads(store("list", "--json", "--to=" + Main).stdout)))):
        while True:
            Said = [store("ask", *Question, "--json", "--to=" + To) for To in Places]
            if len({S.stdout for S in Said}) == 1:
                break
            check(time.monotonic() < Until, Question, *[(S.stdout[:500], S.stderr) for S in Said])
        Asked += 1
    return Asked


def measure(Options, Folder):
    Sessions = builds("repo", Options.clang, Options.builds)
    Main = Folder + "/file.db"
    Zoo = ZooKeeper(Folder + "/zoo")
    Servers, States = [], set()
    try:
        start(Servers, Folder, Zoo)
        Added = store("add", "--to=" + Servers[0].Url, *CLUSTER, Sessions[0])
        check(Added.returncode == 0, "the first build", Added)
        store("add", "--to=" + Main, Sessions[0])
        caught_up(Servers)
        Watchers = [Watcher(S.Url) for S in Servers]
        for I, Session in enumerate(Sessions[1:-1]):
            States.add(hottest(Main))
            Added = store("add", "--to=" + Servers[I % 4].Url, Session)
            check(Added.returncode == 0, Added)
            store("add", "--to=" + Main, Session)
        States.add(hottest(Main))
        Lag = caught_up(Servers)
        for W in Watchers:
            W.Runs = False
            W.join()
        Partial = [len(W.Seen - States) for W in Watchers]
        print("| | |\n|---|---:|")
        print("| builds added through four servers | %d |" % (len(Sessions) - 1))
        print("| replicas caught up after | %.2f s |" % Lag)
        print("| answers seen while adding, by server | %s |" % ", ".join(str(len(W.Seen)) for W in Watchers))
        print("| of these partial | %s |" % ", ".join(map(str, Partial)))
        print("| questions that failed meanwhile | %s |" % ", ".join(str(W.Failed) for W in Watchers))
        print("| questions with the file's answer on every server | %d |" % compare(Servers, Main))
        # Without one replica of the second shard.
        Servers[3].end()
        Added = store("add", "--to=" + Servers[0].Url, Sessions[-1])
        check(Added.returncode == 0, "without a replica", Added)
        store("add", "--to=" + Main, Sessions[-1])
        caught_up(Servers[:3])
        print("| the same, while a replica is ended | %d |" % compare(Servers[:3], Main))
        Servers[3].start()
        print("| it had caught up after | %.2f s |" % caught_up(Servers))
        print("| the same, on all of them | %d |" % compare(Servers, Main))
        for Server in Servers:
            Found = store("check", "--to=" + Server.Url)
            check(Found.returncode == 0 and Found.stdout.endswith("sound\n"), Found)
        Pruned = [store("prune", "--before=2026-09-24", "--to=" + To, *More) for To, More in ((Main, []), (Servers[1].Url, CLUSTER))]
        check(all(P.returncode == 0 for P in Pruned), Pruned)
        caught_up(Servers)
        print("| the same, after a prune | %d |" % compare(Servers, Main))
    finally:
        for Server in Servers:
            if Server.Process.poll() is None:
                Server.end()
        Zoo.end()


def main():
    Parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    Parser.add_argument("--builds", type=int, default=8)
    Parser.add_argument("--clang", default="clang++-22")
    Parser.add_argument("--tool", default=os.path.join(ROOT, "build", "bin", "instantrace"))
    Parser.add_argument("--folder", help="where to work (default: one of its own, which is removed)")
    Options = Parser.parse_args()
    Folder = os.path.abspath(Options.folder or tempfile.mkdtemp(prefix="instantrace-replicated-"))
    os.environ["PATH"] = os.path.dirname(os.path.abspath(Options.tool)) + ":" + os.environ["PATH"]
    os.makedirs(Folder, exist_ok=True)
    os.chdir(Folder)
    os.environ["XDG_DATA_HOME"] = Folder + "/data"
    try:
        measure(Options, Folder)
    finally:
        if not Options.folder:
            shutil.rmtree(Folder)


if __name__ == "__main__":
    main()
