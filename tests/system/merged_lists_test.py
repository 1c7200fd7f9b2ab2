#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Lists of two directories, merged as clients do it, while one of them dies and a plain web server keeps its list.

  merged_lists_test.py DEADFALL_DIRECTORY DEADFALL_SERVER MERGE_LISTS
"""
import json
import signal
import sys
import urllib.request

from directories import ROUND_MS, STILL_MS, Announced, Directory, announce_to, path
from processes import LOOPBACK, PATIENCE_S, check, ms_until, read_text, run, wait_for, write
from sites import Site

MERGE = sys.argv[3]


def download(url, name):
    with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
        write(path(name), answer.read().decode())
    return path(name)


def merge(*sources):
    done = run(MERGE, *sources, code=None)
    # A server is there once for each place that directories have seen, the newest first.
    return {row["key"]: row for row in reversed(json.loads(done.stdout))}, done


def main():
    one, two = Directory("one"), Directory("two")
    both = Announced("Both", *announce_to(one.urls()[0], two.urls()[1]))
    only = [Announced(f"Only {directory.key[:4]}", *announce_to(directory.urls()[0]), bind=LOOPBACK) for directory in (one, two)]
    wait_for(lambda: len(one.servers()) == len(two.servers()) == 2, "each directory lists its servers")
    lists = [download(directory.urls()[0] + "/servers.json", f"list{i}") for i, directory in enumerate((one, two))]
    servers, done = merge(f"{lists[0]}#{one.key}", f"{lists[1]}#{two.key}")
    check(done.returncode == 0 and set(servers) == {both.key, only[0].key, only[1].key}, f"each server is there once: {servers}")
    servers, done = merge(f"{lists[0]}#{two.key}", lists[1])
    check(done.returncode == 1 and "another key" in done.stderr and set(servers) == {both.key, only[1].key},
          f"a list of somebody else is left out: {done.stderr}")
    mirror = Site(one.pages).url  # which knows nothing of directories
    one.process.send_signal(signal.SIGKILL)
    one.process.wait()
    last = one.file()["made_s"]
    newer_ms = ms_until(lambda: two.file()["made_s"] > last, "the other directory makes a newer list")
    check(newer_ms <= STILL_MS + ROUND_MS, f"though nothing has changed: after {newer_ms} ms")
    servers, done = merge(f"{download(mirror + '/servers.json', 'mirrored')}#{one.key}",
                          f"{download(two.urls()[0] + '/servers.json', 'list1')}#{two.key}")
    check(done.returncode == 0 and len(servers) == 3, "the list of a dead directory can still be read")
    check(servers[both.key]["made_s"] > last == servers[only[0].key]["made_s"], f"the newer one counts: {servers}")
    check(servers[both.key]["addresses"] == ["", f"[::1]:{both.port}"], "with the addresses that it has seen")
    text = read_text(path("mirrored"))
    write(path("mirrored"), text.replace("Only", "Evil"))
    servers, done = merge(path("mirrored"), path("list1"))
    check("signature" in done.stderr and len(servers) == 2, "a mirror can change nothing")
    for server in (both, *only):
        server.end()
    two.end()


main()
