# SPDX-License-Identifier: MIT
"""A stand-in for Agones: its sidecar, with the game server that it keeps, and the allocation of game servers.

It does what pkg/sdkserver of Agones 1.49 does, also where that is odd: labels and annotations get the prefix
agones.dev/sdk-; int64 are strings; a health check without a body is 400, an unknown path 404, what a list refuses 500;
states take effect a moment later; changes of a list are batched, and a value that is added and removed in one batch stays.
"""
import contextlib
import copy
import datetime
import itertools
import json
import re
import socket
import threading
import time

from processes import wait_for

PREFIX = "agones.dev/sdk-"
FLEET = "agones.dev/fleet"
ALLOCATED = "agones.dev/last-allocated"
BATCH_S = 0.3
STATE_S = 0.1


class Refused(Exception):
    """An answer other than 200."""

    def __init__(self, status, code, message):
        super().__init__(message)
        self.status, self.body = status, {"code": code, "message": message, "details": []}


def answer(body, status="200 OK", version="1.0"):
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    return (f"HTTP/{version} {status}\r\nContent-Type: application/json\r\nContent-Length: {len(text)}\r\n\r\n"
            .encode() + text)


class Sidecar:
    """Listens on loopback. `fault(number, call)` may return an HTTP status for a call in place of its effect; `script` maps
    a call to an answer: bytes, or a function of the connection."""

    def __init__(self, port=0, state="Scheduled", address="203.0.113.7", lists=("players",), fault=None, script=None):
        self.calls, self.watchers, self.lock, self.numbers = [], [], threading.RLock(), itertools.count()
        self.fault, self.script = fault, script or {}
        self.state, self.address, self.labels, self.annotations = state, address, {}, {}
        self.lists = {name: {"capacity": 16, "values": []} for name in lists}
        self.batches = {}
        self.listener = socket.create_server(("127.0.0.1", port))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.serve, daemon=True).start()

    # The game server.

    def game_server(self):
        lists = {name: {**row, "capacity": str(row["capacity"])} for name, row in self.lists.items()}
        return {"object_meta": {"name": "deadfall-x", "namespace": "default", "uid": "1", "resource_version": "1",
                                "generation": "1", "creation_timestamp": "1", "deletion_timestamp": "0",
                                "annotations": dict(self.annotations), "labels": dict(self.labels)},
                "spec": {"health": {"disabled": False, "period_seconds": 4, "failure_threshold": 3,
                                    "initial_delay_seconds": 5}},
                "status": {"state": self.state, "address": self.address, "addresses": [],
                           "ports": [{"name": "game", "port": 7123}] if self.address else [], "players": None,
                           "counters": {}, "lists": lists}}

    def changed(self):
        """Sends an event to all who watch."""
        line = json.dumps({"result": self.game_server()}).encode() + b"\n"
        for connection in list(self.watchers):
            try:
                connection.sendall(line)
            except OSError:
                self.watchers.remove(connection)

    def later(self, seconds, change):
        def run():
            with self.lock:
                change()
                self.changed()
        threading.Timer(seconds, run).start()

    def set_state(self, state):
        if self.state in ("Shutdown", "Unhealthy") or (state == "Ready" and self.state != "RequestReady"):
            return
        self.state = state
        if state == "Allocated":
            self.annotations[ALLOCATED] = datetime.datetime.now(datetime.timezone.utc).isoformat()
        if state == "RequestReady":
            self.later(STATE_S, lambda: self.set_state("Ready"))

    def set_metadata(self, kept, body):
        self.later(STATE_S, lambda: kept.update({PREFIX + body["key"]: body["value"]}))

    # Its lists, with the changes that wait to be applied.

    @staticmethod
    def merged(row, batch):
        values = [value for value in row["values"] if value not in batch["delete"]]
        values += [value for value in batch["append"] if value not in values]
        capacity = row["capacity"] if batch["capacity"] is None else batch["capacity"]
        return {"capacity": capacity, "values": values[:capacity]}

    def batch(self, name):
        if name not in self.batches:
            self.batches[name] = {"delete": set(), "append": [], "capacity": None}
            self.later(BATCH_S, lambda: self.lists.update({name: self.merged(self.lists[name], self.batches.pop(name))}))
        return self.batches[name]

    def list_call(self, method, name, verb, query, body):
        if name not in self.lists:
            raise Refused("500 Internal Server Error", 2, f"list not found: {name}")
        row = self.merged(self.lists[name], self.batches.get(name, {"delete": (), "append": (), "capacity": None}))
        if method == "GET":
            return {"name": name, "capacity": str(row["capacity"]), "values": row["values"]}
        if method == "PATCH":
            capacity = int(body["capacity"])
            if query != "update_mask=capacity" or not 0 <= capacity <= 1000:
                raise Refused("500 Internal Server Error", 2, "out of range")
            self.batch(name)["capacity"] = capacity
        elif verb == "addValue":
            if len(row["values"]) >= row["capacity"] or body["value"] in row["values"]:
                raise Refused("500 Internal Server Error", 2, "out of range or already exists")
            self.batch(name)["append"] = row["values"] + [body["value"]]
        elif verb == "removeValue":
            if body["value"] not in row["values"]:
                raise Refused("500 Internal Server Error", 2, "not found")
            self.batch(name)["delete"].add(body["value"])
        else:
            raise Refused("404 Not Found", 5, "Not Found")
        return {"name": "", "capacity": "0", "values": []}

    # HTTP.

    def execute(self, method, path, query, text):
        if path == "/health" and not text:
            raise Refused("400 Bad Request", 3, "empty body")
        try:
            body = json.loads(text) if text else {}
        except ValueError:
            raise Refused("400 Bad Request", 3, "bad JSON") from None
        states = {"/ready": "RequestReady", "/allocate": "Allocated", "/shutdown": "Shutdown"}
        listed = re.fullmatch(r"/v1beta1/lists/(\w+)(?::(\w+))?", path)
        if (method, path) == ("GET", "/gameserver"):
            return self.game_server()
        if method == "POST" and path in states:
            self.later(STATE_S, lambda: self.set_state(states[path]))
        elif (method, path) == ("PUT", "/metadata/label"):
            self.set_metadata(self.labels, body)
        elif (method, path) == ("PUT", "/metadata/annotation"):
            self.set_metadata(self.annotations, body)
        elif listed:
            return self.list_call(method, listed[1], listed[2], query, body)
        elif (method, path) != ("POST", "/health"):
            raise Refused("404 Not Found", 5, "Not Found")
        return {}

    def serve(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.meet, args=(connection,), daemon=True).start()

    def meet(self, connection):
        text = b""
        try:
            while b"\r\n\r\n" not in text:
                text += connection.recv(4096)
            head, body = text.split(b"\r\n\r\n", 1)
            length = int(re.search(rb"content-length: (\d+)", head.lower()).group(1))
            while len(body) < length:
                body += connection.recv(4096)
            method, target = head.decode().split(" ")[:2]
            if self.reply(connection, method, target, body.decode()):
                return
        except OSError:
            pass
        connection.close()

    def reply(self, connection, method, target, text):
        """Answers one call. Returns whether the connection stays open."""
        path, _, query = target.partition("?")
        call = f"{method} {path}"
        with self.lock:
            self.calls.append((time.monotonic(), call, text))
            status = self.fault(next(self.numbers), call) if self.fault else None
            if call in self.script:
                made = self.script[call]
            elif status:
                made = answer({"code": 2, "message": "fault", "details": []}, f"{status} Fault")
            elif call == "GET /watch/gameserver":
                connection.sendall(b"HTTP/1.0 200 OK\r\n\r\n" + json.dumps({"result": self.game_server()}).encode() + b"\n")
                self.watchers.append(connection)
                return True
            else:
                try:
                    made = answer(self.execute(method, path, query, text))
                except Refused as refused:
                    made = answer(refused.body, refused.status)
        if callable(made):
            made(connection)
        else:
            connection.sendall(made)
        return False

    # What a test asks and does.

    def count(self, call):
        return sum(made == call for _, made, _ in self.calls)

    def bodies(self, call):
        return [body for _, made, body in self.calls if made == call]

    def wait_for(self, condition):
        """Waits for a call ("POST /ready"), or until a condition holds."""
        holds = (lambda: self.count(condition) > 0) if isinstance(condition, str) else condition
        wait_for(holds, lambda: f"{condition}: {self.game_server()}, {self.calls[-40:]}")

    def players(self):
        with self.lock:
            return sorted(self.lists["players"]["values"])

    def hang_up(self):
        """Ends all streams, as a sidecar does that restarts."""
        with self.lock:
            for connection in self.watchers:
                with contextlib.suppress(OSError):  # the server has ended
                    connection.shutdown(socket.SHUT_RDWR)
                connection.close()
            self.watchers.clear()

    def close(self):
        self.listener.close()
        self.hang_up()


def matches(selector, sidecar, fleet):
    labels = {**sidecar.labels, FLEET: fleet}
    return (all(labels.get(key) == value for key, value in selector["matchLabels"].items()) and
            sidecar.state == selector["gameServerState"] and
            all(sidecar.lists[name]["capacity"] - len(sidecar.lists[name]["values"]) >= row["minAvailable"]
                for name, row in selector["lists"].items()))


def allocate(sidecars, allocation, fleet="deadfall"):
    """Does what Agones does with a GameServerAllocation: returns the sidecar of the game server that it gives, or None."""
    for selector in allocation["spec"]["selectors"]:
        found = [sidecar for sidecar in sidecars if matches(selector, sidecar, fleet)]
        for sidecar in sorted(found, key=lambda each: each.lists["players"]["capacity"] - len(each.lists["players"]["values"])):
            with sidecar.lock:
                if not matches(selector, sidecar, fleet):
                    continue
                sidecar.set_state("Allocated")
                for name, action in copy.deepcopy(allocation["spec"].get("lists", {})).items():
                    sidecar.lists[name]["values"] += action["addValues"]
                sidecar.changed()
            return sidecar
    return None
