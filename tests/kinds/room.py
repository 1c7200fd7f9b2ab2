# SPDX-License-Identifier: MIT
"""Where a kind runs: a folder with the files that it has declared, and nothing else of the checkout.

While it runs, the folder lies over the checkout, in a mount namespace of its own: an undeclared file is not there, by whatever path,
and compilers see the same paths as in other builds, so ccache has what those have built. Its processes end with it. Where no namespace
can be made (a container without rights), the kind runs in the folder itself: then only a path that leads out of it on purpose would
find more.
"""
import functools
import os
import shutil
import signal
import subprocess
import threading
import time

OVER_THE_CHECKOUT = 'mount --bind "$1" "$2" && cd "$2" && shift 2 && exec "$@"'
NAMESPACE = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
STOPPED = 124  # as timeout(1) has it


@functools.cache
def namespace():
    """The words that begin a namespace here; none if that cannot be done."""
    for words in (NAMESPACE, [*NAMESPACE, "--user", "--map-current-user", "--keep-caps"]):
        if shutil.which("unshare") and subprocess.run([*words, "mount", "--bind", "/tmp", "/tmp"], capture_output=True, check=False).returncode == 0:
            return words
    return []


def fill(folder, contents):
    """Makes a folder of files anew: a map from each path to its mode and bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    for path, (mode, content) in contents.items():
        path = os.path.join(folder, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if mode == "120000":
            os.symlink(content, path)
            continue
        with open(path, "wb") as file:
            file.write(content)
        os.chmod(path, int(mode[-3:], 8))


def run(script, folder, checkout, environment, log, deadline):
    """Runs a script of bash in the room. Prints and logs what it says. Returns its exit code, STOPPED after the deadline, and its lines."""
    words = ["bash", "-c", script]
    if namespace():
        words = [*namespace(), "sh", "-c", OVER_THE_CHECKOUT, "sh", folder, checkout, *words]
    environment = {**environment, "GIT_CEILING_DIRECTORIES": os.path.dirname(folder)}
    return run_words(words, folder, environment, log, deadline)


def run_words(words, folder, environment, log, deadline):
    lines = []
    with subprocess.Popen(words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          errors="replace", start_new_session=True) as process, open(log, "a", encoding="utf-8") as file:
        late = threading.Event()

        def stop():
            late.set()
            os.killpg(process.pid, signal.SIGKILL)
        timer = threading.Timer(min(max(0, deadline - time.monotonic()), threading.TIMEOUT_MAX), stop)
        timer.start()
        try:
            for line in process.stdout:
                print(line, end="", flush=True)
                file.write(line)
                lines.append(line.rstrip("\n"))
            code = process.wait()
        finally:
            timer.cancel()
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
    return (STOPPED if late.is_set() else code), lines
