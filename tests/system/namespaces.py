# SPDX-License-Identifier: MIT
"""Networks and mounts of tests alone, and machines beside them, which are network namespaces."""
import os
import subprocess
import sys

from processes import skip, wait_for

INSIDE = "INSIDE_OF_TEST"


def go_inside(*attempt, mounts=False):
    """Goes on where only this test sees its network (and mounts), and is root. Where that cannot be, or the attempt fails there, the
    test is skipped."""
    alone = ["unshare", "--net", *(["--mount"] if mounts else []), "--map-root-user"]
    if os.environ.get(INSIDE):
        return
    try:
        failed = subprocess.run([*alone, *(attempt or ["true"])], stderr=subprocess.DEVNULL, check=False).returncode
    except FileNotFoundError:
        failed = True
    if failed:
        skip(f"there are no namespaces here in which this works: {' '.join(attempt)}")
    sys.exit(subprocess.run([*alone, sys.executable, *sys.argv], env={**os.environ, INSIDE: "1"}, check=False).returncode)


class Machine:
    """A network namespace, as long as a process in it lives."""

    def __init__(self):
        self.process = subprocess.Popen(["unshare", "--net", "sleep", "600"])
        self.pid = str(self.process.pid)
        own = os.readlink("/proc/self/ns/net")
        wait_for(lambda: os.readlink(f"/proc/{self.pid}/ns/net") != own, "a machine has a network of its own", every_s=0.02)

    def words(self, *words):
        return ["nsenter", "-t", self.pid, "-n", *words]
