#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A server shows its invitation as a QR code where stdout is a terminal, or where --qr-code asks for it. A reader of codes
reads the link of the log from what the terminal shows.

  terminal_code_test.py DEADFALL_SERVER

Runs in a network namespace of its own, with an address that is not loopback; skipped where there are none, or no zbarimg.
"""
import os
import pty
import re
import subprocess
import sys
import tempfile

from namespaces import go_inside
from processes import PATIENCE_S, check, need, read_text, wait_for

SERVER = sys.argv[1]
PIXELS = 6
COLOURS, PLAIN = "\x1b[38;5;16;48;5;231m", "\x1b[0m"
BLOCKS = {" ": (255, 255), "\u2580": (0, 255), "\u2584": (255, 0), "\u2588": (0, 0)}  # the upper and the lower half


def picture_of(shown, path):
    """Paints what a terminal would. Returns how many lines of a code there are."""
    lines = [line[len(COLOURS):-len(PLAIN)] for line in shown.splitlines() if line.startswith(COLOURS) and line.endswith(PLAIN)]
    rows = [[BLOCKS[character][half] for character in line] for line in lines for half in range(2)]
    with open(path, "wb") as picture:
        picture.write(b"P5 %d %d 255\n" % (PIXELS * len(rows[0]) if rows else 0, PIXELS * len(rows)))
        for row in rows:
            picture.write(bytes(pixel for pixel in row for _ in range(PIXELS)) * PIXELS)
    return len(lines)


class Run:
    """A server, its stdout a terminal or a pipe, until its log has the invitation."""

    def __init__(self, folder, *options, terminal):
        self.log_path = os.path.join(folder, "log")
        read, write = pty.openpty() if terminal else os.pipe()
        with open(self.log_path, "w", encoding="utf-8") as log:
            server = subprocess.Popen([SERVER, "--port", "0", "--state-dir", os.path.join(folder, "state"), *options], stdout=write, stderr=log)
        self.shown = b""
        os.close(write)
        self.link = wait_for(lambda: re.search(r"deadfall://[^ ;,\s]+", self.log()), lambda: f"the log has a link:\n{self.log()}")[0]
        server.terminate()
        while server.poll() is None or not hasattr(self, "is_read"):
            try:
                more = os.read(read, 65536)
            except OSError:  # a terminal that nobody writes to any more
                more = b""
            self.shown += more
            if not more:
                self.is_read = True
                server.wait(PATIENCE_S)
        os.close(read)
        check(server.returncode == 0, f"the server ends well:\n{self.log()}")

    def log(self):
        return read_text(self.log_path)


def main():
    need("zbarimg")
    go_inside("ip", "link", "set", "lo", "up")
    subprocess.run("ip link set lo up && ip addr add 192.0.2.7/32 dev lo", shell=True, check=True)
    with tempfile.TemporaryDirectory() as folder:
        picture = os.path.join(folder, "code.pgm")
        rows = ((["--bind", "192.0.2.7"], True, True), (["--bind", "192.0.2.7"], False, False),
                (["--bind", "192.0.2.7", "--qr-code", "off"], True, False), (["--bind", "192.0.2.7", "--qr-code", "on"], False, True),
                (["--bind", "127.0.0.1", "--qr-code", "on"], True, False))  # nobody else can join
        for options, terminal, has_code in rows:
            run = Run(folder, *options, terminal=terminal)
            lines = picture_of(run.shown.decode(), picture)
            check((lines > 0) == has_code, f"{options}, terminal {terminal}: {lines} lines of a code")
            if not has_code:
                continue
            read = subprocess.run(["zbarimg", "--raw", "-q", picture], text=True, capture_output=True, check=False).stdout.strip()
            check(read == run.link, f"the code says {read!r}, the log {run.link!r}")
            print(f"{lines} lines: {read}", flush=True)


main()
