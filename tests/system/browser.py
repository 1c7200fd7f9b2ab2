# SPDX-License-Identifier: MIT
"""Chromium in a screen of its own or without one, the page for it, and what it needs to join a server."""
import base64
import json
import os
import re
import select
import shutil
import signal
import subprocess
import time
import urllib.parse
import urllib.request

from processes import LOOPBACK, check, end_tree, need, skip, wait_for
from sites import Quiet
from window import press, x_server

COMPLAINTS = ("Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled")
INVITATION = re.compile(r"deadfall://\S+?:\d+(#[a-z2-7]{32}\.[\w-]{43})")


EX_UNAVAILABLE = 69


def run(*words, **more):
    done = subprocess.run(words, text=True, capture_output=True, check=False, **more)
    return done.returncode, done.stdout + done.stderr


def build_page(source):
    """Builds the page, with its libraries. Returns its folder."""
    libraries = os.path.join(source, "build/portable")
    need("emcc", "node", "chromium", "Xvfb", "xdotool", kind="page")
    code, output = run(os.path.join(source, "shared/packages/portable/libraries.sh"), "browser", libraries)
    if code == EX_UNAVAILABLE or code != 0 and "Failed to fetch" in output:
        skip(f"no sources, or no tools: {output[-500:]}")
    check(code == 0, output[-4000:])
    for words in (["--preset", "browser"], ["--build", "--preset", "browser", "-j2"]):
        code, output = run("cmake", *words, cwd=source)
        check(code == 0, f"cmake {' '.join(words)}\n{output[-4000:]}")
    return os.path.join(source, "build/browser/bin")


class Files(Quiet):
    def end_headers(self):  # pages of other web servers may read them
        self.send_header("Access-Control-Allow-Origin", "*")
        super().end_headers()


DRAWN_IN_SOFTWARE = ("--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader")


class Browser:
    """What the page logs is read from its standard error. With tabs, it is a window in which the page can be hidden."""

    def __init__(self, folder, url, tabs=False, size="1280,720"):
        self.screen, display = x_server()
        self.size, self.environment = size, {**os.environ, "DISPLAY": display}
        self.profile, self.log_path = os.path.join(folder, "profile"), os.path.join(folder, "browser.log")
        with open(self.log_path, "a", encoding="utf-8") as log:
            self.process = subprocess.Popen(
                ["chromium", "--no-sandbox", *DRAWN_IN_SOFTWARE,
                 "--no-first-run", "--window-position=0,0", f"--window-size={size}", f"--user-data-dir={self.profile}",
                 "--enable-logging=stderr", *(["--remote-debugging-port=0", url] if tabs else [f"--app={url}"])],
                env=self.environment, stdout=log, stderr=log)

    def log(self):
        with open(self.log_path, encoding="utf-8", errors="replace") as log:
            return "\n".join(re.findall(r'CONSOLE.*?\] "(.*)", source:', log.read()))

    def press(self, key, seconds=0.3):
        press(self.environment, key, held_s=seconds)

    def count(self, text):
        """Returns how often the log has what the expression says."""
        return len(re.findall(text, self.log(), re.M))

    def wait_for(self, text):
        """Waits until the log has what the expression says. Returns how often."""
        wait_for(lambda: self.count(text), f"the page logs {text}")
        return self.count(text)

    def press_for(self, text, *keys):
        """Presses keys, the last of which makes the page log what the expression says. A window that has just opened may miss a key."""
        def comes():
            nonlocal keys
            for key in keys:
                self.press(key)
            keys = keys[-1:]
            return any(self.count(text) > before or time.sleep(0.1) for _ in range(120))

        before = self.count(text)
        wait_for(comes, f"keys, and the page logs {text}")

    def choose(self, screen, *keys):
        """Presses keys, the last of which opens a screen of the menus."""
        self.press_for(f"screen {screen}$", *keys)

    def take_keyboard(self, screen, *keys):
        """Leaves a screen of the menus for the title, and comes back with these keys. A window that has just opened may miss a key;
        from then on this one does not."""
        self.choose("title", "Escape")
        self.choose(screen, *keys)

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
        subprocess.run(["ffmpeg", "-loglevel", "error", "-y", "-f", "x11grab", "-video_size", self.size.replace(",", "x"), "-i",
                        self.environment["DISPLAY"], "-frames:v", "1", path], check=True, timeout=60)

    def close(self):
        for process in (self.process, self.screen):
            end_tree(process)


class HeadlessBrowser:
    """A headless Chromium, driven over two pipes: messages of its DevTools protocol, each with a zero byte behind it."""

    def __init__(self, folder, *options):
        to_browser, self.to_browser = os.pipe()
        self.from_browser, from_browser = os.pipe()
        command = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", command, shutil.which("chromium"), "--headless", "--no-sandbox", "--remote-debugging-pipe",
             f"--user-data-dir={folder}", *(options or ["--disable-gpu"]), "about:blank"],
            pass_fds=(to_browser, from_browser), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer, self.number, self.events, self.session = b"", 0, [], None
        pages = [target for target in self.ask("Target.getTargets")["targetInfos"] if target["type"] == "page"]
        self.session = self.ask("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Log", "Runtime", "Page", "Accessibility"):
            self.ask(domain + ".enable")

    def read(self, seconds):
        """Returns the next message, or None after this time."""
        while b"\0" not in self.buffer:
            if not select.select([self.from_browser], [], [], seconds)[0]:
                return None
            self.buffer += os.read(self.from_browser, 1 << 20)
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def ask(self, method, **arguments):
        self.number += 1
        message = {"id": self.number, "method": method, "params": arguments}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to_browser, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.read(300)
            check(answer is not None, f"the browser answers to {method}")
            if answer.get("id") == self.number:
                check("result" in answer, f"{method}: {answer}")
                return answer["result"]
            self.events.append(answer)

    def watch(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            event = self.read(left)
            if event:
                self.events.append(event)

    def value(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def wait_until(self, expression, what):
        wait_for(lambda: self.value(expression) or self.watch(0.1), what)

    def complaints(self):
        return [event for event in self.events if event.get("method") in COMPLAINTS]

    def picture(self, path):
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.ask("Page.captureScreenshot")["data"]))

    def close(self):
        end_tree(self.process, signal.SIGKILL)
        os.close(self.to_browser)
        os.close(self.from_browser)


def invitation(server, port):
    """What stands behind the # of the page, to join a server at a port of this machine."""
    wait_for(lambda: INVITATION.search(server.log()), "an invitation for browsers")
    return urllib.parse.quote(f"{LOOPBACK}:{port}{INVITATION.search(server.log())[1]}", safe=":#.")
