#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shared by tests with real processes: the one server, bots and their report, and the one way to wait.

A test that imports it leaves no process behind: whether the test ends by a failed check, an exception or SIGTERM, its
processes end with it, and theirs too. Tests in other languages run under it: processes.py COMMAND [ARGUMENT]...
"""
import atexit
import contextlib
import copy
import ctypes
import json
import multiprocessing
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

LOOPBACK = "127.0.0.1"
PAGE = ("--metrics", f"{LOOPBACK}:0")  # a live page, at a port of its own
PATIENCE_S = 600  # until a wait is given up, to say what did not come; in a scene of virtual time
REDIS = ("redis-server", "--save", "", "--jemalloc-bg-thread", "no")  # a scene cannot know a thread that the allocator begins
UNTIL_ENDED_S = 3600  # of bots that the test ends: they outlast every wait of it
TICK_MS, LOOK_MS = 1000 / 60, 1000 / 240  # of a server, and how often clients look

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
    """What must hold; a function says why it does not."""
    if not condition:
        sys.exit(f"FAILED: {what() if callable(what) else what}")


def skip(why):
    """Ends a test that cannot be done here, as ctest has it."""
    print(f"skipped: {why}")
    sys.exit(77)


def need(*tools, kind=None):
    """Skips a test without these programs; `kind` is the one of scripts/test that installs them."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        skip(f"there is no {', '.join(missing)}" + (f"; `scripts/test --packages {kind}` installs it" if kind else ""))


def fill(folder):
    """Leaves no room on a disk. Returns what takes it."""
    path = os.path.join(folder, "filler")
    with open(path, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(bytes(4096))
    return path


def on_a_small_disk(part, size):
    """Runs this test again, and there the part instead of all else, with a disk of this size that nobody else sees."""
    inside = os.environ.get("DEADFALL_TEST_DISK")
    if inside:
        run("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", inside)
        part(inside)
        sys.exit(0)

    def on_its_own():
        with tempfile.TemporaryDirectory() as folder:
            run("unshare", "--mount", "--map-root-user", sys.executable, *sys.argv, env={**os.environ, "DEADFALL_TEST_DISK": folder},
                capture_output=False)
    on_its_own.__name__ = part.__name__
    return on_its_own


def end_tree(process, how=signal.SIGTERM):
    """Ends a process, and then its descendants: those of a browser write to its profile for a while without it."""
    tree = descendants(process.pid)
    process.send_signal(how)
    process.wait(PATIENCE_S)
    for pid in tree:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    wait_for(lambda: not parents().keys() & set(tree), "all processes have ended")


def free_port():
    """A port of TCP that nobody has now."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return probe.getsockname()[1]


def run(*words, code=0, **options):
    """Runs a program to its end. Returns what it did: its exit code must be `code`, unless that is None."""
    options = {"capture_output": True, "text": True, "timeout": PATIENCE_S, **options}
    done = subprocess.run([str(word) for word in words], check=False, **options)
    check(code is None or done.returncode == code, f"{words} must exit with {code}: {done}")
    return done


def write(path, text, mode=0o600):
    """Writes a file that, unlike most, only its owner may read."""
    with open(path, "w", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, mode)) as file:
        file.write(text)


def read_text(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def read_json(path):
    return json.loads(read_text(path))


class Server:
    """A running server, and what an operator asks it. Its state is in `folder`, which earlier servers may have used; without
    one, in a folder that goes with its `with` block. Its log is appended to log_path, and its words follow those of `prefix`, by
    which it starts elsewhere; `popen` goes to subprocess.Popen."""

    def __init__(self, program, *arguments, folder=None, admin=None, log_path=None, environment=None, port=0, bind=LOOPBACK, prefix=(), **popen):
        self.temporary = None if folder else tempfile.TemporaryDirectory()
        self.folder = str(folder or self.temporary.name)
        self.command = (program, arguments, {"folder": self.folder, "admin": admin, "environment": environment, "bind": bind, "prefix": prefix, **popen})
        self.admin, self.path = admin, os.path.join(self.folder, "admin.sock")
        self.log_path = log_path or os.path.join(self.folder, "log")
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.log_begin = log.tell()
            self.process = subprocess.Popen([*prefix, program, "--port", str(port), "--bind", bind, "--state-dir", self.folder, *arguments],
                                            text=True, stdout=subprocess.PIPE, stderr=log, env={**os.environ, **(environment or {})}, **popen)
        ready = re.match(r"ready: udp (\S+):(\d+) .* key=([a-z2-7]{32})$", self.process.stdout.readline())
        check(ready, lambda: f"the server prints its port\n{self.log()}")
        self.port, self.key = int(ready[2]), ready[3]
        self.place = f"{LOOPBACK}:{self.port}"

    def again(self, *more):
        """Returns the next server with the same command at the same port, as a service manager starts it."""
        program, arguments, options = self.command
        after = copy.copy(self)
        Server.__init__(after, program, *arguments, *more, **options, log_path=self.log_path, port=self.port)
        after.temporary = self.temporary
        return after

    def log(self):
        """What this server and those before it in its folder have logged."""
        return read_text(self.log_path)

    def count(self, words):
        return self.log().count(words)

    def said(self, pattern):
        """Waits until this server has logged what a pattern fits. Returns the last match."""
        def search():
            with open(self.log_path, encoding="utf-8") as log:
                log.seek(self.log_begin)
                return list(re.finditer(pattern, log.read()))
        return wait_for(search, lambda: f"the log says '{pattern}'\n{self.log()}")[-1]

    def ask(self, *words):
        """Runs a command of an operator, whatever becomes of it."""
        return run(self.admin, self.path, *words, code=None)

    def order(self, *words, code=0):
        """Runs a command of an operator that must end with this code. Returns its answer."""
        return run(self.admin, self.path, *words, code=code).stdout

    def joined(self, count):
        """Waits until so many have joined."""
        wait_for(lambda: self.count(" joins at slot ") == count, lambda: f"{count} join: {self.log()}")

    def told(self, words):
        """Whether the answer to `status` has these words."""
        return words in self.ask("status").stdout

    def tick(self):
        return int(re.search(r"tick (\d+)", self.order("status"))[1])

    def page(self, path):
        """Returns a page; the server needs --metrics 127.0.0.1:0."""
        port = self.said(r"live page on port (\d+)")[1]
        with urllib.request.urlopen(f"http://{LOOPBACK}:{port}{path}", timeout=PATIENCE_S) as answer:
            return answer.read().decode()

    def metric(self, name):
        return float(re.search(rf"^{re.escape(name)} (\S+)", self.page("/metrics"), re.M)[1])

    def status(self):
        return json.loads(self.page("/status.json"))

    def match(self):
        return self.status()["match"]

    def resident_kib(self):
        return resident_kib(self.process.pid)

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

    def end(self, how=signal.SIGTERM):
        """Ends it. Returns its exit code."""
        self.process.send_signal(how)
        return self.process.wait(PATIENCE_S)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.end()
        if self.temporary:
            self.temporary.cleanup()


class Directory:
    """A running directory, with its state in a folder, which earlier ones may have used."""

    def __init__(self, program, folder, *arguments, listen=(f"{LOOPBACK}:0",), log=subprocess.DEVNULL, prefix=()):
        self.process = subprocess.Popen([*prefix, program, *(word for place in listen for word in ("--listen", place)), "--state-dir", folder,
                                         *arguments], text=True, stdout=subprocess.PIPE, stderr=log)
        ready = re.match(r"ready: http ([\d ]+) key=(\w{32})$", self.process.stdout.readline())
        check(ready, "the directory is ready")
        self.ports, self.key = [int(port) for port in ready[1].split()[:2]], ready[2]
        self.url = f"http://{listen[0].rsplit(':', 1)[0] if listen else LOOPBACK}:{self.ports[0]}"

    def lists(self, *keys):
        """Whether the servers with these keys are in its list."""
        with urllib.request.urlopen(f"{self.url}/servers.json", timeout=PATIENCE_S) as answer:
            return {server["key"] for server in json.load(answer)["servers"]} >= set(keys)

    def log(self):
        """What it has logged, if that is kept."""
        return ""

    def end(self):
        self.process.terminate()
        check(self.process.wait(PATIENCE_S) == 0, lambda: f"a directory ends well\n{self.log()}")


def resident_kib(pid):
    with open(f"/proc/{pid}/status", encoding="ascii") as status:
        return int(re.search(r"RssAnon:\s+(\d+)", status.read())[1])


class Bots:
    """Running bots. report() waits until their time is over, and end() does not."""

    def __init__(self, program, place, count, *arguments, seconds=UNTIL_ENDED_S):
        self.folder = tempfile.TemporaryDirectory()
        self.path, self.text = os.path.join(self.folder.name, "out.json"), ""
        self.process = subprocess.Popen([program, "--server", str(getattr(place, "place", place)), "--count", str(count), "--duration",
                                         f"{seconds}s", "--json", self.path, *arguments], text=True, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT)

    def report(self, patience_s=PATIENCE_S):
        self.text += self.process.communicate(timeout=patience_s)[0]
        check(os.path.exists(self.path), f"the bots write a report\n{self.text}")
        return read_json(self.path)

    def end(self, how=signal.SIGTERM):
        self.process.send_signal(how)
        return self.report()


def in_a_folder(part):
    """The part with a folder of its own, which goes with it; it says its name in the end."""
    def run_part():
        with tempfile.TemporaryDirectory() as folder:
            part(folder)
        print(part.__name__.replace("_", " "), flush=True)
    run_part.__name__ = part.__name__
    return run_part


def run_at_once(parts):
    """Runs functions at once, each in a process; in a scene one after another: time costs nothing there, and each
    thread that waits makes all turns dearer. Fails with the names of those that fail."""
    running = [multiprocessing.Process(target=part, name=part.__name__) for part in parts]
    for process in running:
        process.start()
        if "STAGE" in os.environ:
            process.join()
    for process in running:
        process.join()
    check(all(process.exitcode == 0 for process in running),
          ", ".join(process.name for process in running if process.exitcode != 0))


def wait_for(condition, what, _seconds=None, *, every_s=0.05):
    """Waits until a condition holds, and returns its value. What is waited for may be a function, which says what there is in
    the end: that a wait ends at all is a diagnosis."""
    end = time.monotonic() + PATIENCE_S
    while not (found := condition()):
        if time.monotonic() >= end:
            check(False, f"{what() if callable(what) else what} within {PATIENCE_S} s")
        time.sleep(every_s)
    return found


def ms_until(condition, what, not_before_ms=0):
    """Waits, and returns after how many milliseconds the condition held: in a scene exactly. It must not hold before a time,
    until which nobody looks."""
    begun = time.monotonic()
    time.sleep(not_before_ms / 1000)
    check(not (not_before_ms and condition()), f"{what() if callable(what) else what}, but not before {not_before_ms} ms")
    wait_for(condition, what, every_s=0.001)
    return round((time.monotonic() - begun) * 1000)


if __name__ == "__main__":
    sys.exit(subprocess.Popen(sys.argv[1:]).wait())  # not call() or with: they would end the command before end_all does
