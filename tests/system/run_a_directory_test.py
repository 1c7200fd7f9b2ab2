#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The commands of "Run a directory" do what the page says, on a machine of their own, which is a network namespace.

  run_a_directory_test.py README.md DEADFALL_DIRECTORY DEADFALL_SERVER

It needs redis-server, curl and namespaces; elsewhere it is skipped.
"""
import os
import re
import subprocess
import sys
import tempfile

from processes import PATIENCE_S, check, need, read_json, skip

ALONE = ["unshare", "--net", "--map-root-user"]


def run(commands, folder):
    programs = {os.path.dirname(os.path.abspath(program)) for program in sys.argv[2:4]}
    environment = {**os.environ, "HOME": folder, "PATH": ":".join([*programs, os.environ["PATH"]])}
    for name in ("XDG_STATE_HOME", "STATE_DIRECTORY"):
        environment.pop(name, None)
    with open(os.path.join(folder, "log"), "w+", encoding="utf-8") as log:
        done = subprocess.run([*ALONE, "bash", "-e", "-c", "ip link set lo up\n" + commands + "\nkill $(jobs -p)\nwait"], cwd=folder,
                              env=environment, text=True, stdout=subprocess.PIPE, stderr=log, check=False, timeout=PATIENCE_S)
        log.seek(0)
        check(done.returncode in (0, 143), f"the commands work\n{commands}\n{done.stdout}\n{log.read()}")
    return done.stdout


def section(page):
    with open(page, encoding="utf-8") as file:
        text = re.search(r"^## Run a directory\n(.*?)^## ", file.read(), re.M | re.S)[1]
    return re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S)


def place_on(port, text):
    return re.search(rf"^127\.0\.0\.1:{port}#[a-z2-7]{{32}}$", text, re.M)


def main():
    need("redis-server", "curl")
    if subprocess.run([*ALONE, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        skip("there are no namespaces here")
    first, second = section(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        text = run(first, folder)
        check(place_on(27440, text), f"there is a place: {text}")
        check(len(read_json(os.path.join(folder, "public/servers.json"))["servers"]) == 1, "the list is a file, too")
        check('"deadfall":"servers 1"' in text and '\ndeadfall_directory_listed{family="ipv4"} 1\n' in text, "and pages")
    with tempfile.TemporaryDirectory() as folder:
        check(place_on(27441, run(second, folder)), "the other directory has a place")
        with open(os.path.join(folder, "one/directory.key"), "rb") as one, open(os.path.join(folder, "two/directory.key"), "rb") as two:
            check(one.read() == two.read(), "both have one key")


main()
