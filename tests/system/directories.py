# SPDX-License-Identifier: MIT
"""Directories and servers that announce themselves to them, for tests on loopback. The script's first arguments are
DEADFALL_DIRECTORY DEADFALL_SERVER."""
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

from processes import check

DIRECTORY, SERVER = sys.argv[1:3]
folder = tempfile.TemporaryDirectory()


def path(name):
    os.makedirs(folder.name, exist_ok=True)
    return os.path.join(folder.name, name)


def openssl(*words):
    subprocess.run(["openssl", *words], check=True, capture_output=True, timeout=60)


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

    def urls(self):
        return [f"http://127.0.0.1:{self.ports[0]}", f"http://[::1]:{self.ports[1]}"]

    def get(self, page, family=0):
        try:
            with urllib.request.urlopen(self.urls()[family] + page, timeout=10) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def servers(self):
        status, text = self.get("/servers.json")
        check(status == 200, "there is a list")
        return {server["key"]: server for server in json.loads(text)["servers"]}

    def file(self):
        with open(os.path.join(self.pages, "servers.json"), encoding="utf-8") as file:
            return json.load(file)

    def metric(self, name):
        return int(re.search(rf"^deadfall_directory_{re.escape(name)} (\d+)$", self.get("/metrics")[1], re.M)[1])


class Announced:
    """A server that announces itself."""

    def __init__(self, name, *arguments, bind="0.0.0.0"):
        self.log_path = path(name + ".log")
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen([SERVER, "--port", "0", "--bind", bind, "--state-dir", path(name), "--name", name,
                                             "--metrics", "127.0.0.1:0", "--run-empty", *arguments],
                                            text=True, stdout=subprocess.PIPE, stderr=log)
        ready = re.match(r"ready: udp \S+:(\d+) .*key=(\w{32})$", self.process.stdout.readline())
        check(ready, f"{name} is ready")
        self.port, self.key = int(ready[1]), ready[2]

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def announcements(self):
        page = re.search(r"live page on port (\d+)", self.log())[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{page}/status.json", timeout=10) as answer:
            return json.load(answer)["announcements"]

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        self.process.wait(20)


def announce_to(*urls):
    return [word for url in urls for word in ("--announce", url)]
