#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A directory and a server on two machines, which are network namespaces, with public addresses of IPv4 and IPv6.

  directory_network_test.py DEADFALL_DIRECTORY DEADFALL_SERVER

It needs namespaces of its own; elsewhere it is skipped.
"""
import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request

from namespaces import Machine, go_inside
from processes import Directory, PATIENCE_S, Server, check, ms_until, wait_for

DIRECTORY, SERVER = sys.argv[1:3]
LIFE_MS, PERIOD_MS = 60000, 20000  # ANNOUNCEMENT_LIFE_MS, ANNOUNCEMENT_PERIOD_MS
LATE_MS = 2000  # with a look and a list of the directory
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


def listed():
    with urllib.request.urlopen("http://203.0.113.1:27480/servers.json", timeout=PATIENCE_S) as answer:
        return {server["key"]: server["addresses"] for server in json.load(answer)["servers"]}


def main():
    go_inside("ip", "-6", "rule", "add", "pref", "1", "ipproto", "udp", "blackhole")
    with tempfile.TemporaryDirectory() as folder:
        for name in ("directory", "open", "closed"):
            os.mkdir(os.path.join(folder, name), 0o700)
        machine = Machine()  # the other one
        subprocess.run(["sh", "-c", LINE, "sh", machine.pid], check=True)

        def start(name):
            return Server(SERVER, "--announce", "http://203.0.113.1:27480", "--announce", "http://[2001:db8::1]:27480/",
                          folder=os.path.join(folder, name), bind="0.0.0.0", prefix=machine.words())

        check(Directory(DIRECTORY, os.path.join(folder, "directory"), listen=()).ports == [27480, 27480], "the directory listens on both")
        server = start("open")
        port, key = server.port, server.key
        wait_for(lambda: listed().get(key) == [f"203.0.113.2:{port}", f"[2001:db8::2]:{port}"],
                 lambda: f"a new server is listed over both families: {listed()}")
        # What a firewall does: nothing of UDP gets out over IPv6, and HTTP does.
        subprocess.run(machine.words("ip", "-6", "rule", "add", "pref", "1", "ipproto", "udp", "blackhole"), check=True)
        closed = start("closed")
        shut = closed.port
        closed.said(re.escape(f"it is not reachable from outside over IPv6 at [2001:db8::2]:{shut}; open UDP port {shut}"))
        check(listed()[closed.key] == [f"203.0.113.2:{shut}"], "it is listed over IPv4 alone")
        wait_for(lambda: listed()[key] == [f"203.0.113.2:{port}"], lambda: f"the other one is no longer listed over IPv6: {listed()}")
        # The line is cut: nobody says goodbye.
        subprocess.run(["ip", "link", "set", "here", "down"], check=True)
        subprocess.run(["ip", "addr", "add", "203.0.113.1/32", "dev", "lo"], check=True)
        gone_ms = ms_until(lambda: listed() == {}, lambda: f"both are gone: {listed()}", LIFE_MS - PERIOD_MS - 1)
        check(LIFE_MS - PERIOD_MS <= gone_ms <= LIFE_MS + LATE_MS, f"a life after each has said something: {gone_ms} ms")


main()
