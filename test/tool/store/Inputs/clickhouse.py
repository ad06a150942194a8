"""Servers of ClickHouse on loopback, each in a folder of its own."""

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request

from stored import check

CONFIG = """<yandex>
<logger><level>%(level)s</level><log>%(folder)s/log</log><errorlog>%(folder)s/errors</errorlog><size>10M</size><count>1</count></logger>
<http_port>%(http)d</http_port><tcp_port>%(tcp)d</tcp_port><listen_host>127.0.0.1</listen_host>
<path>%(data)s/data/</path><tmp_path>%(data)s/tmp/</tmp_path>
<user_files_path>%(data)s/files/</user_files_path><format_schema_path>%(data)s/schemas/</format_schema_path>
<users_config>%(folder)s/users.xml</users_config><default_profile>default</default_profile><default_database>default</default_database>
<mark_cache_size>67108864</mark_cache_size><uncompressed_cache_size>0</uncompressed_cache_size>
%(more)s</yandex>
"""
# As docs/use/store.md has it: one who adds, one who may only ask.
USERS = """<yandex>
<profiles><default><max_threads>2</max_threads></default><readonly><readonly>1</readonly></readonly></profiles>
<users>
<default><password></password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default>
<writer><password>the writer's "secret" &amp; \\ one</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></writer>
<reader><password>read</password><networks><ip>127.0.0.1</ip></networks><profile>readonly</profile><quota>default</quota></reader>
</users>
<quotas><default></default></quotas>
</yandex>
"""
PASSWORD = "the writer's \"secret\" & \\ one"


def free_port():
    with socket.socket() as S:
        S.bind(("127.0.0.1", 0))
        return S.getsockname()[1]


def encrypted(Folder):
    """A port for TLS, and what a configuration has for it."""
    os.makedirs(Folder)
    Folder, Port = os.path.abspath(Folder), free_port()
    Done = subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30", "-subj", "/CN=127.0.0.1",
                           "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", Folder + "/key.pem", "-out", Folder + "/cert.pem"],
                          capture_output=True)
    check(Done.returncode == 0, Done.stderr)
    return Port, """<https_port>%d</https_port><openSSL><server><certificateFile>%s/cert.pem</certificateFile>
<privateKeyFile>%s/key.pem</privateKeyFile><verificationMode>none</verificationMode></server></openSSL>""" % (Port, Folder, Folder)


class Server:
    def __init__(self, Folder, More="", Data=None, Prefix=(), Ports=None, Level="warning"):
        """Prefix: words before the command that runs it."""
        self.Folder = os.path.abspath(Folder)
        self.Port, self.TcpPort = Ports or (free_port(), free_port())
        self.Prefix = list(Prefix)
        self.Url = "clickhouse://127.0.0.1:%d/builds" % self.Port
        os.makedirs(self.Folder, exist_ok=True)
        with open(self.Folder + "/config.xml", "w") as File:
            File.write(CONFIG % {"folder": self.Folder, "data": Data or self.Folder, "http": self.Port,
                                 "tcp": self.TcpPort, "more": More, "level": Level})
        with open(self.Folder + "/users.xml", "w") as File:
            File.write(USERS)
        self.start()

    def start(self):
        self.Process = subprocess.Popen(
            [*self.Prefix, "clickhouse-server", "--config-file=" + self.Folder + "/config.xml"],
            cwd=self.Folder, stdout=open(self.Folder + "/out", "a"), stderr=subprocess.STDOUT)
        End = time.monotonic() + 60
        while True:
            check(self.Process.poll() is None and time.monotonic() < End, "no server", self.said())
            try:
                return self.post("SELECT 1")
            except OSError:
                time.sleep(0.05)

    def said(self):
        return "".join(open(self.Folder + "/" + F).read()[-3000:] for F in ("out", "errors") if os.path.exists(self.Folder + "/" + F))

    def post(self, Sql, Database=None, User=None):
        Given = {K: V for K, V in (("database", Database), ("user", User)) if V}
        Url = "http://127.0.0.1:%d/?" % self.Port + urllib.parse.urlencode(Given)
        try:
            return urllib.request.urlopen(Url, Sql.encode(), timeout=1800).read().decode()
        except urllib.error.HTTPError as E:
            check(False, Sql, E.read().decode())

    def end(self, Signal=signal.SIGTERM):
        self.Process.send_signal(Signal)
        self.Process.wait()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.Process.poll() is None:
            self.end(signal.SIGKILL)


class Chdb(Server):
    """The current engine, behind test/viewers/chdb.js."""

    def __init__(self, Folder, Command, Profile=()):
        """Profile: settings, each NAME=VALUE."""
        self.Folder = os.path.abspath(Folder)
        os.makedirs(self.Folder, exist_ok=True)
        self.Process = subprocess.Popen([*Command.split(), self.Folder, *Profile], stdout=subprocess.PIPE, text=True)
        self.Port = int(self.Process.stdout.readline())
        self.Url = "clickhouse://127.0.0.1:%d/builds" % self.Port
