#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page on a phone: phone_test.py SERVER SOURCE_FOLDER

A server serves its page, and a headless Chromium of the size of a phone, upright and sideways, with a notch and with fingers in
place of a mouse, opens it: from the title into a match of its own, by a link into that of the server, where a finger runs, jumps
and shoots, and the phone's keyboard writes a chat line. The display stays on, a link is copied, a gamepad plays, and the live page
shows the match by the same pictures. With DEADFALL_PICTURES it leaves pictures in that folder.
"""
import json
import os
import re
import sys
import tempfile
import urllib.parse
import urllib.request

from browser import DRAWN_IN_SOFTWARE, HeadlessBrowser, build_page, invitation
from processes import LOOPBACK, Server, check, wait_for

SERVER, SOURCE = sys.argv[1:3]
# The size, and what its notch and bar cover; both as phones have them.
PHONES = {"upright": (390, 844, {"top": 47, "left": 0, "right": 0, "bottom": 34}),
          "sideways": (844, 390, {"top": 0, "left": 47, "right": 47, "bottom": 21})}
CANVAS = {"upright": (360, 640), "sideways": (640, 360)}  # of the menus
# Items of the menus on their canvas.
PLAY_NOW = {"upright": (180, 200), "sideways": (143, 122)}
COPY_X = {"upright": 180, "sideways": 244}
# Notes what the page asks of its browser.
SPY = """
  window.asked = {fullscreen: 0, wakeLock: 0, copied: ""};
  Element.prototype.requestFullscreen = function() { asked.fullscreen++; return Promise.resolve(); };
  if (navigator.wakeLock)
    navigator.wakeLock.request = async () => { asked.wakeLock++; return {addEventListener() {}, async release() { asked.wakeLock = -1; }}; };
  if (navigator.clipboard)
    navigator.clipboard.writeText = async (text) => { asked.copied = text; };
"""
# A standard gamepad that presses its first button.
GAMEPAD = """
  (() => {
    const button = (down) => ({pressed: down, touched: down, value: down ? 1 : 0});
    const pad = {id: "Standard Gamepad", index: 0, connected: true, mapping: "standard", timestamp: performance.now(), axes: [0, 0, 0, 0],
                 buttons: Array.from({length: 17}, () => button(false))};
    navigator.getGamepads = () => [pad];
    dispatchEvent(Object.assign(new Event("gamepadconnected"), {gamepad: pad}));
    window.padPress = (number, down) => { pad.buttons[number] = button(down); pad.timestamp = performance.now(); };
  })()
"""


class Phone(HeadlessBrowser):
    """Fingers are given in units of the window."""

    def __init__(self, folder, held):
        super().__init__(os.path.join(folder, held), *DRAWN_IN_SOFTWARE)
        self.held = held
        self.width, self.height, self.covered = PHONES[held]
        self.ask("Emulation.setDeviceMetricsOverride", width=self.width, height=self.height, deviceScaleFactor=2, mobile=True)
        self.ask("Emulation.setTouchEmulationEnabled", enabled=True, maxTouchPoints=5)
        self.ask("Emulation.setSafeAreaInsetsOverride", insets=self.covered)
        self.ask("Page.addScriptToEvaluateOnNewDocument", source=SPY)

    def open(self, url):
        self.events.clear()
        self.ask("Page.navigate", url="about:blank")
        self.ask("Page.navigate", url=url)

    def log(self):
        lines = [event["params"]["args"][0].get("value", "") for event in self.events
                 if event.get("method") == "Runtime.consoleAPICalled" and event["params"]["args"]]
        return "\n".join(str(line) for line in lines)

    def wait_for(self, text):
        def logged():
            self.watch(0.1)
            return re.search(text, self.log(), re.M)
        try:
            wait_for(logged, f"the page logs {text}", 120)
        except SystemExit:
            self.keep("failed")
            print(self.log()[-3000:], [event for event in self.complaints() if event["method"] != "Runtime.consoleAPICalled"][-5:])
            raise

    def fingers(self, kind, *points):
        self.ask("Input.dispatchTouchEvent", type=kind, touchPoints=[{"x": x, "y": y, "id": number} for number, x, y in points])

    def tap(self, x, y):
        self.fingers("touchStart", (0, x, y))
        self.watch(0.1)
        self.fingers("touchEnd")
        self.watch(0.4)

    def tap_menu(self, x, y):
        """Taps a place of a menu's canvas. Its picture lies in the middle of what the notch leaves."""
        columns, rows = CANVAS[self.held]
        width, height = self.width - self.covered["left"] - self.covered["right"], self.height - self.covered["top"]
        scale = min(width / columns, height / rows)
        left = self.covered["left"] + (width - scale * columns) / 2
        self.tap(left + x * scale, self.covered["top"] + (height - scale * rows) / 2 + y * scale)

    def keep(self, name):
        if os.environ.get("DEADFALL_PICTURES"):
            self.picture(os.path.join(os.environ["DEADFALL_PICTURES"], f"phone-{self.held}-{name}.png"))


def places(phone, is_playing):
    """Where touch_controls.c puts its controls, in units of the window: above them, if the phone is upright, is the picture."""
    thumb = min(phone.width, phone.height) * 2 / 13
    right, bottom, top = phone.width - phone.covered["right"], phone.height - phone.covered["bottom"], phone.covered["top"]
    upright = phone.held == "upright"
    if upright:
        top += phone.width * 400 / 360 if is_playing else 0  # the square picture of an arena
        bottom -= (bottom - top - thumb * 2.6) / 3
    low = {"jump": (0.8, 0.85), "shoot": (2.0, 0.7), "dash": (1.25, 1.9)}
    high = {"pause": (0.42, 0.42), "chat": (0.42, 1.22), "emotes": (0.42, 2.02)}
    found = {name: (right - x * thumb, bottom - y * thumb) for name, (x, y) in low.items()}
    found |= {name: (right - (y if upright else x) * thumb, top + (x if upright else y) * thumb) for name, (x, y) in high.items()}
    found["stick"] = (phone.covered["left"] + 1.5 * thumb, bottom - 1.3 * thumb)
    return found


def repeat(phone, action, event, what):
    """A player who is dead or in the air does not do it, so a finger tries again."""
    count = len(re.findall(event, phone.log()))
    for _ in range(60):
        action()
        phone.watch(0.3)
        if len(re.findall(event, phone.log())) > count:
            return
    phone.keep("failed")
    check(False, f"{what}\n{phone.log()[-2000:]}")


def shoot(phone, place):
    phone.fingers("touchStart", (1, *place["shoot"]))
    phone.watch(0.5)
    phone.fingers("touchEnd")


def it_plays_alone(phone, url):
    phone.open(f"{url}?log-level=debug&name=Ada")
    phone.wait_for("screen title")
    phone.watch(2)
    phone.keep("title")
    phone.tap_menu(*PLAY_NOW[phone.held])
    check(phone.value("asked.fullscreen") == 1, "the first touch asks for the whole display")
    phone.wait_for("joined as player")
    phone.wait_for("screen match$")
    place = places(phone, True)
    repeat(phone, lambda: phone.tap(*place["jump"]), r"event jump .*\(you\)", "a finger makes the player jump")
    repeat(phone, lambda: shoot(phone, place), r"event shoot .*\(you\)", "a finger shoots")
    phone.keep("alone")
    check(phone.value("asked.wakeLock") > 0, "the display stays on")
    phone.tap(*place["pause"])
    phone.wait_for("screen pause$")
    wait_for(lambda: phone.value("asked.wakeLock") == -1, "and may go dark in a menu")
    phone.keep("pause")


def own_player(metrics):
    """The first frame of the live page has where all players are."""
    with urllib.request.urlopen(f"http://{LOOPBACK}:{metrics}/events", timeout=30) as frames:
        frame = json.loads(frames.readline().decode().removeprefix("data: "))
    return next(player for player in frame["match"]["players"] if player["name"] == "Ada")


def it_runs_where_the_stick_is_pushed(phone, place, metrics):
    x, y = place["stick"]
    for _ in range(20):
        before = own_player(metrics)
        phone.fingers("touchStart", (0, x, y))
        phone.fingers("touchMove", (0, x + 60, y))
        phone.watch(0.8)
        now = own_player(metrics)
        phone.fingers("touchMove", (0, x - 60, y))
        phone.watch(0.8)
        back = own_player(metrics)
        phone.keep("runs")
        phone.fingers("touchEnd")
        if now["facing"] == 1 and now["box"][0] > before["box"][0] and back["facing"] == -1 and back["box"][0] < now["box"][0]:
            return
    check(False, f"the player runs where the stick is pushed: {before} {now} {back}")


def press_key(phone, key, code):
    for kind in ("keyDown", "keyUp"):
        phone.ask("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code)


def it_writes_by_the_phones_keyboard(phone, place, server):
    """On a busy machine the page may have to connect again, and then says nothing."""
    for _ in range(6):
        check(phone.value("document.activeElement.id") != "keyboard", "no keyboard is open")
        phone.tap(*place["chat"])
        wait_for(lambda: phone.value("document.activeElement.id") == "keyboard", "the field with the keyboard has the focus")
        phone.ask("Input.insertText", text="hellp")
        press_key(phone, "Backspace", 8)
        phone.ask("Input.imeSetComposition", text="\u00e4", selectionStart=1, selectionEnd=1)
        phone.ask("Input.insertText", text="o \u00fc")  # takes the place of what was composed
        phone.watch(1)
        phone.keep("chat")
        press_key(phone, "Enter", 13)
        phone.watch(5)
        wait_for(lambda: phone.value("document.activeElement.id") != "keyboard", "the keyboard closes")
        if re.search("Ada.*: hello \u00fc", server.log()):
            return
        phone.watch(10)
    check(False, f"the server gets the line:\n{server.log()[-1000:]}")


def it_copies_a_link(phone, url, link):
    phone.open(f"{url}?log-level=debug&name=Ada&screen=invite#{link}")
    phone.wait_for("screen invite$")
    phone.watch(1)
    for y in range(60, 300, 14):  # the only thing in the panel that can be tapped; rows are higher for fingers
        phone.tap_menu(COPY_X[phone.held], y)
        if phone.value("asked.copied"):
            break
    phone.keep("invite")
    check(urllib.parse.unquote(f"invitation {url}#{link} ") in phone.log(), "so does what is shown, as text and as code")
    check(phone.value("asked.copied") == urllib.parse.unquote(f"{url}#{link}"), f"the link opens the page: {phone.value('asked.copied')}")


def it_plays_by_a_gamepad(phone):
    phone.value(GAMEPAD)

    def press():
        for is_down in ("true", "false"):
            phone.value(f"padPress(0, {is_down})")
            phone.watch(0.2)
    repeat(phone, press, r"event jump .*\(you\)", "a gamepad makes the player jump")


def it_joins_by_a_link(phone, url, link, metrics, server):
    phone.open(f"{url}?log-level=debug&name=Ada#{link}")
    phone.wait_for("joined as player")
    place = places(phone, True)
    repeat(phone, lambda: phone.tap(*place["jump"]), r"event jump .*\(you\)", "a finger makes the player jump")
    it_runs_where_the_stick_is_pushed(phone, place, metrics)
    it_writes_by_the_phones_keyboard(phone, place, server)
    it_plays_by_a_gamepad(phone)
    it_copies_a_link(phone, url, link)


def the_live_page_has_the_same_pictures(phone, metrics):
    phone.open(f"http://{LOOPBACK}:{metrics}/")
    phone.wait_until('document.getElementById("viewer").src.endsWith("play/#watch=live/")', "the live page shows the viewer")
    phone.watch(15)
    phone.keep("live")
    inside = 'document.getElementById("viewer").contentDocument'
    check(phone.value(f'{inside}.getElementById("status").hidden'), "the viewer in it runs")
    check(phone.value('document.getElementById("arena").hidden'), "in place of the plain picture")


def nothing_is_refused(phone):
    found = [event for event in phone.complaints() if event["method"] == "Runtime.exceptionThrown"
             or event["method"] == "Log.entryAdded" and event["params"]["entry"]["level"] == "error"]
    check(not found, f"the browser refuses nothing: {found[-3:]}")


def main():
    page = build_page(SOURCE)
    with tempfile.TemporaryDirectory() as folder:
        options = ("--page", f"{LOOPBACK}:0", "--page-folder", page, "--web", "--run-empty", "--print-invitations", "--bots", "2",
                   "--publish", os.path.join(folder, "live"), "--metrics", f"{LOOPBACK}:0")
        with Server(SERVER, *options) as server:
            port = int(re.search(r"page for browsers on port (\d+)", server.log())[1])
            metrics = int(re.search(r"live page on port (\d+)", server.log())[1])
            link = invitation(server, server.port)
            for held in PHONES:
                phone = Phone(folder, held)
                it_plays_alone(phone, f"http://{LOOPBACK}:{port}/")
                nothing_is_refused(phone)
                it_joins_by_a_link(phone, f"http://{LOOPBACK}:{port}/", link, metrics, server)
                nothing_is_refused(phone)
                the_live_page_has_the_same_pictures(phone, metrics)
                nothing_is_refused(phone)
                phone.close()
                print(f"a phone that is held {held} plays")


main()
