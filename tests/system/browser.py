# SPDX-License-Identifier: MIT
"""Chromium in a screen of its own, and what it needs to join a server."""
import functools
import http.server
import os
import re
import subprocess
import threading
import time
import urllib.parse

from processes import LOOPBACK, wait_for

INVITATION = re.compile(r"deadfall://\S+?:\d+(#[a-z2-7]{32}\.[\w-]{43})")


class Files(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


class Browser:
    """What the page logs is read from its standard error."""

    def __init__(self, folder, url):
        read, write = os.pipe()
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24"], pass_fds=[write],
                                       stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as display:
            self.environment = dict(os.environ, DISPLAY=":" + display.readline().strip())
        self.log_path = os.path.join(folder, "browser.log")
        with open(self.log_path, "w", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["chromium", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                 "--no-first-run", "--window-position=0,0", "--window-size=1280,720", f"--user-data-dir={folder}/profile",
                 "--enable-logging=stderr", f"--app={url}"], env=self.environment, stdout=log, stderr=log)

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return "\n".join(re.findall(r'CONSOLE.*?\] "(.*)", source:', log.read()))

    def press(self, key, seconds=0.3):
        for word in ("keydown", "keyup"):
            subprocess.run(["xdotool", word, key], env=self.environment, check=True)
            time.sleep(seconds)

    def close(self):
        for process in (self.process, self.screen):
            if process.poll() is None:
                process.terminate()
                process.wait(20)


def site(folder):
    """A web server for the files of a folder."""
    pages = http.server.ThreadingHTTPServer((LOOPBACK, 0), functools.partial(Files, directory=folder))
    threading.Thread(target=pages.serve_forever, daemon=True).start()
    return pages


def invitation(server, port):
    """What stands behind the # of the page, to join a server at a port of this machine."""
    wait_for(lambda: INVITATION.search(server.log()), 20, "an invitation for browsers")
    return urllib.parse.quote(f"{LOOPBACK}:{port}{INVITATION.search(server.log())[1]}", safe=":#.")
