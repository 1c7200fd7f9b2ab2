#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What programs leave behind: no core dump, and no file with secrets that others can read; a scene. secrets_test.py SERVER BOTS

They run as carelessly as possible: core dumps are allowed without limit, and the umask is 0.
"""
import os
import resource
import signal
import subprocess
import sys
import tempfile
import time

from processes import Server, check, skip, wait_for, write

SERVER, BOTS = (os.path.abspath(path) for path in sys.argv[1:3])
# What is there already, for all to read and write, as an older version or somebody's copy may have left it.
LEFT = ("records.db", "records.db-wal", "lock")


def be_careless():
    _, hard = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (hard, hard))
    os.umask(0)


def dies_without_a_core(process, folder, name):
    """Ends it as a fault would. The kernel says whether it has dumped a core, wherever that went."""
    os.kill(process.pid, signal.SIGABRT)
    _, status = os.waitpid(process.pid, 0)
    check(os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGABRT, f"{name} was aborted: {status}")
    check(not os.WCOREDUMP(status), f"{name} left no core dump")
    check(not [file for file in os.listdir(folder) if "core" in file], f"no core file of {name}")


def files_are_private(folder):
    found = 0
    for place, _, names in os.walk(folder):
        for name in names:
            mode = os.stat(os.path.join(place, name)).st_mode & 0o777
            check(mode & ~0o600 == 0, f"{name} has mode {mode:o}, not 600")
            found += 1
    check(found >= 2, f"{found} files were made")


def main():
    if resource.getrlimit(resource.RLIMIT_CORE)[1] == 0:
        skip("core dumps are forbidden here")
    with tempfile.TemporaryDirectory() as folder:
        state = os.path.join(folder, "state")
        os.mkdir(state)
        for name in LEFT:
            write(os.path.join(state, name), "")
            os.chmod(os.path.join(state, name), 0o666)
        server = Server(SERVER, folder=state, log_path=os.path.join(folder, "log"), cwd=folder, preexec_fn=be_careless)
        bots = subprocess.Popen([BOTS, "--server", f"{server.place}#{server.key}", "--count", "2"], cwd=folder, preexec_fn=be_careless,
                                stdout=subprocess.DEVNULL)
        wait_for(lambda: server.count(" joins at slot ") == 2 and os.path.exists(os.path.join(state, "records.db")), "the load-test clients play")
        time.sleep(5)
        files_are_private(state)
        dies_without_a_core(bots, folder, "the load tester")
        dies_without_a_core(server.process, folder, "the server")


main()
