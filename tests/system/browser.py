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
import urllib.request

from processes import LOOPBACK, wait_for

INVITATION = re.compile(r"deadfall://\S+?:\d+(#[a-z2-7]{32}\.[\w-]{43})")


class Files(http.server.SimpleHTTPRequestHandler):
    def end_headers(self):  # pages of other web servers may read them
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()

    def log_message(self, *_):
        pass


class Browser:
    """What the page logs is read from its standard error. With tabs, it is a window in which the page can be hidden."""

    def __init__(self, folder, url, tabs=False):
        read, write = os.pipe()
        self.screen = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "1280x720x24"], pass_fds=[write],
                                       stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as display:
            self.environment = dict(os.environ, DISPLAY=":" + display.readline().strip())
        self.profile, self.log_path = os.path.join(folder, "profile"), os.path.join(folder, "browser.log")
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["chromium", "--no-sandbox", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader",
                 "--no-first-run", "--window-position=0,0", "--window-size=1280,720", f"--user-data-dir={self.profile}",
                 "--enable-logging=stderr", *(["--remote-debugging-port=0", url] if tabs else [f"--app={url}"])],
                env=self.environment, stdout=log, stderr=log)

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return "\n".join(re.findall(r'CONSOLE.*?\] "(.*)", source:', log.read()))

    def press(self, key, seconds=0.3):
        for word in ("keydown", "keyup"):
            subprocess.run(["xdotool", word, key], env=self.environment, check=True)
            time.sleep(seconds)

    def wait_for(self, text, seconds=120, what=None):
        """Waits until the log has what the expression says. Returns how often."""
        wait_for(lambda: re.search(text, self.log()), seconds, what or f"the page logs {text}")
        return len(re.findall(text, self.log()))

    def choose(self, screen, *keys):
        """Presses keys, the last of which opens a screen of the menus."""
        count = len(re.findall(f"screen {screen}$", self.log(), re.M))
        for key in keys:
            self.press(key)
        wait_for(lambda: len(re.findall(f"screen {screen}$", self.log(), re.M)) > count, 60, f"the screen {screen}")

    def hide(self):
        """Opens another tab before the page. Returns what show() needs."""
        with open(os.path.join(self.profile, "DevToolsActivePort"), encoding="ascii") as file:
            port = int(file.readline())
        request = urllib.request.Request(f"http://{LOOPBACK}:{port}/json/new?about:blank", method="PUT")
        with urllib.request.urlopen(request, timeout=30) as answer:
            tab = re.search(r'"id": "(\w+)"', answer.read().decode())[1]
        return f"http://{LOOPBACK}:{port}/json/close/{tab}"

    def show(self, hidden):
        with urllib.request.urlopen(hidden, timeout=30):
            pass

    def picture(self, path):
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "x11grab", "-video_size", "1280x720", "-i",
                        self.environment["DISPLAY"], "-frames:v", "1", path], check=True, timeout=60)

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
