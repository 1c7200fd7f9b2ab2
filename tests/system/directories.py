# SPDX-License-Identifier: MIT
"""Directories and servers that announce themselves to them, for tests on loopback. The script's first arguments are
DEADFALL_DIRECTORY DEADFALL_SERVER."""
import http.client
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import urllib.error
import urllib.request

from processes import LOOPBACK, PATIENCE_S, Server, check, read_json, run

DIRECTORY, SERVER = sys.argv[1:3]
# What the rules of directories take, in milliseconds.
LIFE_MS = 60000    # ANNOUNCEMENT_LIFE_MS: until a server that says nothing is gone
PERIOD_MS = 20000  # ANNOUNCEMENT_PERIOD_MS
LIST_MS = 1000     # at least between two lists of a directory
STILL_MS = 10000   # at most, so that nobody takes it for old
SWEEP_MS = 1000    # between two looks for servers that are gone
ROUND_MS = 20      # between two looks of a directory at all that it does
folder = tempfile.TemporaryDirectory()


def path(name):
    os.makedirs(folder.name, exist_ok=True)
    return os.path.join(folder.name, name)


def openssl(*words):
    run("openssl", *words)


def make_certificates(name):
    """A folder as Kubernetes mounts it: an authority, and a certificate for both sides."""
    home = path(name)
    os.mkdir(home)
    file = lambda end: os.path.join(home, end)  # noqa: E731
    with open(file("names"), "w", encoding="ascii") as names:
        names.write("subjectAltName=IP:127.0.0.1\n")
    openssl("req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={name}", "-keyout", file("ca.key"),
            "-out", file("ca.crt"))
    openssl("req", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=127.0.0.1", "-keyout", file("tls.key"), "-out", file("tls.csr"))
    openssl("x509", "-req", "-in", file("tls.csr"), "-CA", file("ca.crt"), "-CAkey", file("ca.key"), "-CAcreateserial", "-days", "2",
            "-extfile", file("names"), "-out", file("tls.crt"))
    return home


class Directory:
    def __init__(self, name, *arguments):
        self.log_path, self.pages = path(name + ".log"), path(name + ".pages")
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([DIRECTORY, "--listen", "127.0.0.1:0", "--listen", "[::1]:0", "--state-dir",
                                             path(name), "--publish", self.pages, *arguments],
                                            text=True, stdout=subprocess.PIPE, stderr=log)
        ready = re.match(r"ready: http (\d+) (\d+)(?: \d+)* key=(\w{32})$", self.process.stdout.readline())
        check(ready, "the directory is ready")
        self.ports, self.key = [int(ready[1]), int(ready[2])], ready[3]

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def urls(self):
        return [f"http://127.0.0.1:{self.ports[0]}", f"http://[::1]:{self.ports[1]}"]

    def get(self, page, family=0):
        try:
            with urllib.request.urlopen(self.urls()[family] + page, timeout=PATIENCE_S) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def post(self, page, body, **headers):
        """Returns the status of an answer, and its bytes."""
        connection = http.client.HTTPConnection(LOOPBACK, self.ports[0], timeout=PATIENCE_S)
        connection.request("POST", page, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.read()

    def servers(self):
        status, text = self.get("/servers.json")
        check(status == 200, "there is a list")
        return {server["key"]: server for server in json.loads(text)["servers"]}

    def knows(self, *servers):
        return set(self.servers()) == {server.key for server in servers}

    def file(self):
        return read_json(os.path.join(self.pages, "servers.json"))

    def metric(self, name):
        return int(re.search(rf"^deadfall_directory_{re.escape(name)} (\d+)$", self.get("/metrics")[1], re.M)[1])

    def end(self):
        self.process.terminate()
        check(self.process.wait(PATIENCE_S) == 0, f"a directory ends well\n{self.log()}")


class Announced(Server):
    """A server that announces itself."""

    def __init__(self, name, *arguments, bind="0.0.0.0"):
        super().__init__(SERVER, "--name", name, "--metrics", "127.0.0.1:0", "--run-empty", *arguments, folder=path(name),
                         log_path=path(name + ".log"), bind=bind)

    def announcements(self):
        return self.status()["announcements"]


class Site(http.server.ThreadingHTTPServer):
    """A web server on loopback that answers as a function of path, body and headers: (status, bytes)."""
    daemon_threads = True

    def __init__(self, answer):
        site = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):  # noqa: the name that http.server wants
                body = self.rfile.read(int(self.headers["Content-Length"]))
                site.bodies.append(body)
                status, text = answer(self.path, body, self.headers)
                try:
                    self.send_response(status)
                    self.send_header("Content-Length", str(len(text)))
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:
                    pass  # nobody wants so much, or waits any more

            def log_message(self, *_):
                pass

        super().__init__((LOOPBACK, 0), Handler)
        self.bodies, self.scheme = [], "http"

    def start(self):
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def url(self):
        return f"{self.scheme}://{LOOPBACK}:{self.server_port}"

    def handle_error(self, *_):
        pass  # a handshake that is refused


def announce_to(*urls):
    return [word for url in urls for word in ("--announce", url)]
