# SPDX-License-Identifier: MIT
"""What is kept from one run to the next, outside of the checkout: which keys have passed, and libraries.

Anybody may empty, damage or lock this folder at any time, also while it is used. So what it says is checked by a sum, what it does not
say is done again, and what cannot be kept is not kept. Nothing is used where it lies: libraries are read whole, checked, then unpacked elsewhere.
"""
import hashlib
import json
import os
import subprocess
import tempfile

HOME = os.path.join(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "deadfall")


def sum_of(content):
    return hashlib.sha256(content).hexdigest()


class Cache:
    def __init__(self, limits, folder=HOME):
        self.folder, self.limits = folder, limits

    def path(self, *names):
        return os.path.join(self.folder, *names)

    # --- passes: passes/KIND/KEY.json has a record, and the sum of its bytes

    def keep_pass(self, record):
        body = json.dumps(record, sort_keys=True)
        self.write(f"{sum_of(body.encode())}\n{body}\n".encode(), "passes", record["kind"], f"{record['key']}.json")
        self.keep_newest(self.path("passes", record["kind"]), self.limits["passes"])

    def passed(self, kind, key):
        """The record of a kind that passed with this key, or None."""
        return self.record(self.path("passes", kind, f"{key}.json"), kind, key)

    def last_pass(self, kind):
        """The newest record of a kind, whatever its key; None if there is none."""
        try:
            keys = [name.removesuffix(".json") for name in os.listdir(self.path("passes", kind))]
        except OSError:
            return None
        records = [record for key in keys if (record := self.passed(kind, key))]
        return max(records, key=lambda record: record["when"], default=None)

    @staticmethod
    def record(path, kind, key):
        try:
            with open(path, encoding="utf-8") as file:
                total, body = file.read().split("\n", 1)
            body = body.removesuffix("\n")
            if sum_of(body.encode()) != total:
                return None
            record = json.loads(body)
            return record if (record["kind"], record["key"]) == (kind, key) else None
        except (OSError, ValueError, KeyError):
            return None

    # --- libraries: libraries/KIND/KEY-SUM.tar.gz has a folder

    def keep_folder(self, kind, key, folder):
        packed = subprocess.run(["tar", "-C", folder, "-I", "gzip -1", "-c", "."], check=True, capture_output=True).stdout
        self.write(packed, "libraries", kind, f"{key}-{sum_of(packed)}.tar.gz")
        self.keep_newest(self.path("libraries", kind), self.limits["libraries"])

    def unpack_folder(self, kind, key, folder):
        """Puts what is kept with this key into a folder, which must not exist. Returns whether all of it was there."""
        try:
            names = [name for name in os.listdir(self.path("libraries", kind)) if name.startswith(f"{key}-")]
        except OSError:
            return False
        for name in names:
            try:
                with open(self.path("libraries", kind, name), "rb") as file:
                    packed = file.read()
            except OSError:
                continue  # gone in this moment
            if name == f"{key}-{sum_of(packed)}.tar.gz":
                os.makedirs(folder)
                subprocess.run(["tar", "-C", folder, "-xz"], input=packed, check=True)
                return True
            self.remove(self.path("libraries", kind, name))
        return False

    # --- files

    def write(self, content, *names):
        """In one step: others see all of it or nothing."""
        path = self.path(*names)
        try:
            os.makedirs(os.path.dirname(path), exist_ok=True)
            handle, part = tempfile.mkstemp(dir=os.path.dirname(path), prefix=".")
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.replace(part, path)
        except OSError as error:
            print(f"{path} cannot be kept ({error.strerror}): the next run does this again", flush=True)

    def keep_newest(self, folder, count):
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.stat().st_mtime, reverse=True)
        except OSError:
            return
        for entry in entries[count:]:
            self.remove(entry.path)

    @staticmethod
    def remove(path):
        try:
            os.unlink(path)
        except OSError:
            pass  # somebody else has
