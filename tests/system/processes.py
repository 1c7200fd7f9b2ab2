#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared by tests with real processes: a server with its own state directory, bots, and their report.

A test that imports it leaves no process behind: whether the test ends by a failed check, an exception or SIGTERM, its
processes end with it, and theirs too. Tests in other languages run under it: processes.py COMMAND [ARGUMENT]...
"""
import atexit
import ctypes
import json
import multiprocessing
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import urllib.request

LOOPBACK = "127.0.0.1"
PATIENCE_S = 90  # for what comes in the end, on however busy a machine: how soon it comes is for benches to say
UNTIL_ENDED_S = 3600  # of bots that the test ends: they outlast every wait of it


PR_SET_CHILD_SUBREAPER = 36


def parents():
    """Returns the parents of all running processes, by id."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as stat:
                    state, parent = stat.read().rsplit(")", 1)[1].split()[:2]
            except OSError:
                continue  # it has just ended
            if state not in "ZX":
                found[int(name)] = int(parent)
    return found


def descendants(pid):
    """Returns the ids of all running descendants of a process. Orphans are children of the test (see arm)."""
    children = {}
    for child, parent in parents().items():
        children.setdefault(parent, []).append(child)
    found = list(children.get(pid, []))
    for child in found:
        found += children.get(child, [])
    return found


def end_all():
    """Ends all descendants, including those started meanwhile: with SIGTERM, so that scripts clean up, then with SIGKILL."""
    asked, begun = set(), time.monotonic()
    while (left := descendants(os.getpid())) and time.monotonic() - begun < 10:
        for pid in left:
            late = time.monotonic() - begun > 1
            if late or pid not in asked:
                asked.add(pid)
                try:
                    os.kill(pid, signal.SIGKILL if late else signal.SIGTERM)
                except ProcessLookupError:
                    pass
        time.sleep(0.02)


def arm():
    """From here on this process ends with all its descendants. A process whose parent has ended becomes its child."""
    armed = os.getpid()
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)

    def ended(number, _frame):
        if os.getpid() != armed:  # a fork of this process
            os._exit(128 + number)
        sys.exit(f"FAILED: ended by {signal.Signals(number).name}")

    signal.signal(signal.SIGTERM, ended)
    atexit.register(lambda: os.getpid() == armed and end_all())


arm()


def check(condition, what):
    if not condition:
        sys.exit(f"FAILED: {what}")


def end_tree(process, how=signal.SIGTERM):
    """Ends a process, and then its descendants: those of a browser write to its profile for a while without it."""
    tree = descendants(process.pid)
    process.send_signal(how)
    process.wait(20)
    for pid in tree:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_for(lambda: not parents().keys() & set(tree), "all processes have ended")


def launch(program, folder, log_path, *arguments, environment=None):
    """Starts a server with its state in the folder. Returns its process and port; its log is appended to the file."""
    with open(log_path, "a", encoding="utf-8") as log:
        process = subprocess.Popen([program, "--port", "0", "--bind", LOOPBACK, "--state-dir", folder, *arguments], text=True,
                                   stdout=subprocess.PIPE, stderr=log, env={**os.environ, **(environment or {})})
    ready = re.match(r"ready: udp \S+:(\d+) ", process.stdout.readline())
    with open(log_path, encoding="utf-8") as log:
        check(ready, f"the server prints its port\n{log.read()}")
    return process, int(ready[1])


class OperatedServer:
    """A server in a folder that earlier servers may have used, and commands to it."""

    def __init__(self, program, admin, folder, *arguments, log_folder=None, environment=None):
        self.admin, self.path = admin, os.path.join(folder, "admin.sock")
        self.log_path = os.path.join(log_folder or folder, "log")
        self.process, port = launch(program, folder, self.log_path, *arguments, environment=environment)
        self.place = f"{LOOPBACK}:{port}"

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def ask(self, *words):
        return subprocess.run([self.admin, self.path, *words], capture_output=True, text=True, timeout=20)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.process.wait(20)


class Server:
    """A running server, which ends with its with block."""

    def __init__(self, program, *arguments):
        self.folder = tempfile.TemporaryDirectory()
        self.log_path = os.path.join(self.folder.name, "log")
        self.process, self.port = launch(program, self.folder.name, self.log_path, "--log-level", "debug", *arguments)

    def log(self):
        with open(self.log_path, encoding="utf-8") as log:
            return log.read()

    def count(self, words):
        return self.log().count(words)

    def resident_kib(self):
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return int(re.search(r"RssAnon:\s+(\d+)", status.read())[1])

    def status(self):
        """Returns the status from the live page; the server needs --metrics 127.0.0.1:0."""
        page = re.search(r"live page on port (\d+)", self.log())[1]
        with urllib.request.urlopen(f"http://{LOOPBACK}:{page}/status.json", timeout=10) as answer:
            return json.load(answer)

    def match(self):
        """Returns the status of the match in that."""
        return self.status()["match"]

    def cpu_s(self):
        with open(f"/proc/{self.process.pid}/schedstat", encoding="ascii") as stat:
            return int(stat.read().split()[0]) / 1e9

    def child(self):
        """Returns the id of a process that it has started; None while there is none. Any thread may have started it."""
        tasks = f"/proc/{self.process.pid}/task"
        for task in os.listdir(tasks):
            try:
                with open(f"{tasks}/{task}/children", encoding="ascii") as file:
                    children = file.read().split()
            except OSError:
                continue  # that thread has just ended
            if children:
                return int(children[0])
        return None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.terminate()
        self.process.wait(10)
        self.folder.cleanup()


class Bots:
    """Running bots. report() waits until their time is over, and end() does not."""

    def __init__(self, program, place, count, *arguments, seconds=UNTIL_ENDED_S):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "out.json")
        self.process = subprocess.Popen([program, "--server", str(place), "--count", str(count), "--duration", f"{seconds}s",
                                         "--json", self.path, *arguments], text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)

    def report(self, patience_s=120):
        text = self.process.communicate(timeout=patience_s)[0]
        check(os.path.exists(self.path), f"the bots write a report\n{text}")
        with open(self.path, encoding="utf-8") as file:
            return json.load(file)

    def end(self):
        self.process.terminate()
        return self.report()


def run_at_once(parts):
    """Runs functions at once, each in a process. Fails with the names of those that fail."""
    running = [multiprocessing.Process(target=part, name=part.__name__) for part in parts]
    for process in running:
        process.start()
    for process in running:
        process.join()
    check(all(process.exitcode == 0 for process in running),
          ", ".join(process.name for process in running if process.exitcode != 0))


def wait_for(condition, what, seconds=PATIENCE_S):
    """Waits until a condition holds, and returns its value. Another limit is for where a fault would only make it later. What
    is waited for may be a function, which says what there is in the end."""
    end = time.monotonic() + seconds
    while not (found := condition()):
        if time.monotonic() >= end:
            check(False, f"{what() if callable(what) else what} within {seconds} s")
        time.sleep(0.05)
    return found


if __name__ == "__main__":
    sys.exit(subprocess.Popen(sys.argv[1:]).wait())  # not call() or with: they would end the command before end_all does
