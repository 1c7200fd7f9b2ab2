#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A directory and a server on two machines, which are network namespaces, with public addresses of IPv4 and IPv6.

  directory_network_test.py DEADFALL_DIRECTORY DEADFALL_SERVER

It needs namespaces of its own; elsewhere it is skipped. DEADFALL_TEST_LONG=1 also cuts the line and waits for a minute.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import urllib.request

from processes import check, wait_for

DIRECTORY, SERVER = sys.argv[1:3]
SKIPPED = 77
# Here is the directory, at .1 and ::1; beside it, in the namespace of a process, the server, at .2 and ::2.
LINE = """
set -e
ip link set lo up
ip link add here type veth peer name there netns "$1"
ip addr add 203.0.113.1/24 dev here
ip addr add 2001:db8::1/64 dev here nodad
ip link set here up
nsenter -t "$1" -n sh -ec '
  ip link set lo up
  ip addr add 203.0.113.2/24 dev there
  ip addr add 2001:db8::2/64 dev there nodad
  ip link set there up'
"""


def in_own_namespace():
    return subprocess.run(["unshare", "--net", "--map-root-user", sys.executable, __file__, DIRECTORY, SERVER, "inside"],
                          check=False).returncode


def listed():
    with urllib.request.urlopen("http://203.0.113.1:27480/servers.json", timeout=10) as answer:
        return {server["key"]: server["addresses"] for server in json.load(answer)["servers"]}


class Machine:
    """The other machine."""

    def __init__(self):
        self.process = subprocess.Popen(["unshare", "--net", "sleep", "600"])
        own = os.readlink("/proc/self/ns/net")
        while os.readlink(f"/proc/{self.process.pid}/ns/net") == own:
            time.sleep(0.02)
        subprocess.run(["sh", "-c", LINE, "sh", str(self.process.pid)], check=True)

    def words(self, *words):
        return ["nsenter", "-t", str(self.process.pid), "-n", *words]

    def server(self, folder, *arguments):
        path = os.path.join(folder, "log")
        with open(path, "w", encoding="utf-8") as log:
            process = subprocess.Popen(
                self.words(SERVER, "--port", "0", "--state-dir", folder, "--announce", "http://203.0.113.1:27480", "--announce",
                           "http://[2001:db8::1]:27480/", *arguments), text=True, stdout=subprocess.PIPE, stderr=log)
        ready = re.match(r"ready: udp \S+:(\d+) .*key=(\w{32})$", process.stdout.readline())
        check(ready, "the server is ready")
        return process, ready[1], ready[2], path


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def inside():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("directory", "open", "closed"):
            os.mkdir(os.path.join(folder, name), 0o700)
        machine = Machine()
        directory = subprocess.Popen([DIRECTORY, "--state-dir", os.path.join(folder, "directory")], text=True,
                                     stdout=subprocess.PIPE)
        check(directory.stdout.readline().startswith("ready: http 27480 27480 "), "the directory listens on both")
        begun = time.monotonic()
        _, port, key, _ = machine.server(os.path.join(folder, "open"))
        wait_for(lambda: listed().get(key) == [f"203.0.113.2:{port}", f"[2001:db8::2]:{port}"],
                 lambda: f"a new server is listed over both families: {listed()}")
        print(f"listed over both after {time.monotonic() - begun:.1f} s")
        # What a firewall does: nothing of UDP gets out over IPv6, and HTTP does.
        subprocess.run(machine.words("ip", "-6", "rule", "add", "pref", "1", "ipproto", "udp", "blackhole"), check=True)
        _, shut, shut_key, log = machine.server(os.path.join(folder, "closed"))
        wanted = f"it is not reachable from outside over IPv6 at [2001:db8::2]:{shut}; open UDP port {shut}"
        wait_for(lambda: wanted in read(log), "the server says what to do")
        check(listed()[shut_key] == [f"203.0.113.2:{shut}"], "it is listed over IPv4 alone")
        wait_for(lambda: listed()[key] == [f"203.0.113.2:{port}"], lambda: f"the other one is no longer listed over IPv6: {listed()}")
        if os.environ.get("DEADFALL_TEST_LONG") != "1":
            return
        # The line is cut: nobody says goodbye.
        subprocess.run(["ip", "link", "set", "here", "down"], check=True)
        subprocess.run(["ip", "addr", "add", "203.0.113.1/32", "dev", "lo"], check=True)
        cut = time.monotonic()
        wait_for(lambda: listed() == {}, lambda: f"both are gone: {listed()}", 75)
        print(f"gone {time.monotonic() - cut:.0f} s after the line was cut")


if sys.argv[3:] == ["inside"]:
    inside()
elif subprocess.run(["unshare", "--net", "--map-root-user", "ip", "-6", "rule", "add", "pref", "1", "ipproto", "udp", "blackhole"],
                    stderr=subprocess.DEVNULL, check=False).returncode != 0:
    print("there are no network namespaces with rules here: skipped")
    sys.exit(SKIPPED)
else:
    sys.exit(in_own_namespace())
