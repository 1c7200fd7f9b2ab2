#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A system test leaves no process behind, however it ends. The test that is ended here has a child that is stopped, one that
ignores SIGTERM, and an orphan in its own session.
"""
import os
import re
import signal
import subprocess
import sys
import tempfile

from processes import PATIENCE_S, check, wait_for

HERE = os.path.dirname(os.path.abspath(__file__))
MARK = f"PROCESSES_TEST=of {os.getpid()}"
IN_PYTHON = f"""
import os, signal, subprocess, sys, time
sys.path.insert(0, {HERE!r})
from processes import check
stopped = subprocess.Popen(["sleep", "60"])
os.kill(stopped.pid, signal.SIGSTOP)
subprocess.Popen(["sh", "-c", "trap '' TERM; sleep 60; sleep 60"])
subprocess.run(["sh", "-c", "setsid sleep 60 & exit 0"])
time.sleep(0.3)
print("ready", flush=True)
"""
IN_SHELL = """
folder=$1
trap 'rmdir "$folder"' EXIT
mkdir "$folder"
sleep 60 &
setsid sh -c "trap '' TERM; sleep 60; sleep 60" &
sleep 0.3
echo ready
"""


def alive():
    """Returns the ids of processes with the mark in their environment."""
    found = []
    for name in os.listdir("/proc"):
        try:
            if name.isdigit() and MARK.encode() in open(f"/proc/{name}/environ", "rb").read():
                found.append(int(name))
        except OSError:
            pass
    return found


def ends(what, command, by=None):
    """Starts the test, ends it with a signal if it does not end by itself, and looks for processes that are left."""
    name, _, value = MARK.partition("=")
    test = subprocess.Popen(command, env={**os.environ, name: value}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))  # this test may run where it is ignored
    check(test.stdout.readline() == "ready\n", f"{what}: the test starts its processes")
    if by:
        check(len(alive()) >= 4, f"{what}: the processes run: {alive()}")
        test.send_signal(by)
    check(test.wait(PATIENCE_S) != 0, f"{what}: the test fails")
    check(not alive(), f"{what}: left {[open(f'/proc/{pid}/cmdline').read() for pid in alive()]}")
    print(f"{what}: no process is left")


ends("a failed check", [sys.executable, "-c", IN_PYTHON + "check(False, 'planted')"])
ends("an exception", [sys.executable, "-c", IN_PYTHON + "raise OSError('planted')"])
ends("SIGTERM", [sys.executable, "-c", IN_PYTHON + "time.sleep(60)"], by=signal.SIGTERM)
ends("SIGINT", [sys.executable, "-c", IN_PYTHON + "time.sleep(60)"], by=signal.SIGINT)
with tempfile.TemporaryDirectory() as outer:
    inner, alone = os.path.join(outer, "inner"), os.path.join(HERE, "processes.py")
    ends("a script that fails", [alone, "bash", "-c", IN_SHELL + "exit 1", "bash", inner])
    ends("a script and SIGTERM", [alone, "bash", "-c", IN_SHELL + "sleep 60; exit 1", "bash", inner], by=signal.SIGTERM)
    wait_for(lambda: not os.path.exists(inner), "a script that gets SIGTERM removes its folder")

with open(os.path.join(HERE, "CMakeLists.txt"), encoding="utf-8") as file:
    registered = file.read()
with open(os.path.join(HERE, "../kinds/kinds.toml"), encoding="utf-8") as file:
    in_kinds = file.read()  # where all processes end with a namespace of their own
for name in sorted(os.listdir(HERE)):
    with open(os.path.join(HERE, name), encoding="utf-8") if "." in name else open(os.devnull, encoding="utf-8") as file:
        text = file.read()
    starts = name.endswith(".py") and name != "processes.py" and re.search(r"\b(subprocess|multiprocessing|pty|os\.fork)\b", text)
    check(not starts or re.search(r"(?m)^(import|from) processes", text), f"{name} imports processes")
    check(not name.endswith(".sh") or re.search(rf"COMMAND \${{alone}} \${{CMAKE_CURRENT_SOURCE_DIR}}/{re.escape(name)}|deadfall_scene\(\S+ {re.escape(name)} ", registered) or
          f"tests/system/{name}" in in_kinds, f"{name} runs under processes.py, or in a kind")
