# SPDX-License-Identifier: MIT
"""The kinds of kinds.toml, and the key of each: a hash of all that it is made of."""
import dataclasses
import fnmatch
import functools
import hashlib
import json
import os
import platform
import re
import subprocess
import tomllib

HERE = os.path.dirname(os.path.abspath(__file__))
SETTINGS = ("ci", "cache", "suite", "packages", "inputs", "libraries")
KEY_FORMAT = 1  # raise it when a kind runs in another way, so that nothing that passed before counts


class Fault(Exception):
    """A sentence that says what is wrong and what to do."""


@dataclasses.dataclass
class Kind:
    name: str
    about: str
    inputs: list
    packages: list
    run: list = dataclasses.field(default_factory=list)
    stand_ins: list = dataclasses.field(default_factory=list)
    needs: list = dataclasses.field(default_factory=list)
    programs: list = dataclasses.field(default_factory=list)
    tests: dict = dataclasses.field(default_factory=dict)
    keeps: str = ""
    nightly: bool = False


def spread(names, groups):
    """Puts the members of a group in the place of its name, "@group"."""
    for name in names:
        if name.startswith("@"):
            if name[1:] not in groups:
                raise Fault(f"kinds.toml: there is no group {name}")
            yield from spread(groups[name[1:]], groups)
        else:
            yield name


class Table:
    """What kinds.toml says about the tree at `root`."""

    def __init__(self, root, path=os.path.join(HERE, "kinds.toml")):
        self.root = root
        with open(path, "rb") as file:
            rows = tomllib.load(file)
        self.ci, self.cache, self.suite = (rows[name] for name in ("ci", "cache", "suite"))
        groups = rows["packages"]
        with open(os.path.join(root, "tests/tools/install.sh"), encoding="utf-8") as file:
            groups["play"] = re.search(r'packages_play="([^"]*)"', file.read())[1].split()
        self.suite["packages"] = list(spread(self.suite["packages"], groups))
        recipe = rows.get("libraries", {}).pop("recipe", "")
        kinds = {f"libraries-{name}": {"about": f"libraries inside the programs of {name}", "inputs": [recipe], "packages": ["@libraries", *packages],
                                       "run": [f"{recipe} {name} build/portable"], "keeps": f"build/portable/{name}"}
                 for name, packages in rows.get("libraries", {}).items()}
        kinds |= {name: row for name, row in rows.items() if name not in SETTINGS}
        self.kinds = {}
        for name, row in kinds.items():
            unknown = set(row) - {field.name for field in dataclasses.fields(Kind)}
            if unknown:
                raise Fault(f"kinds.toml: {name} has {', '.join(sorted(unknown))}, which means nothing")
            row["inputs"] = list(spread(row["inputs"], rows["inputs"]))
            row["packages"] = sorted(set(spread(row["packages"], groups)))
            self.kinds[name] = Kind(name=name, **row)
        for kind in self.kinds.values():
            if absent := [name for name in kind.needs if name not in self.kinds or not self.kinds[name].keeps]:
                raise Fault(f"kinds.toml: {kind.name} needs {', '.join(absent)}, which are no libraries")

    def kind(self, name):
        if name not in self.kinds:
            raise Fault(f"there is no kind or preset {name}; kinds: {', '.join(self.kinds)}")
        return self.kinds[name]

    @functools.cached_property
    def paths(self):
        """All files of the tree, also those that nobody has committed; of a tree without git, all but build/."""
        listed = subprocess.run(["git", "-C", self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"], capture_output=True,
                                text=True, check=False) if os.path.exists(os.path.join(self.root, ".git")) else None
        if listed and listed.returncode == 0:
            paths = listed.stdout.split("\0")
        else:
            paths = [os.path.relpath(os.path.join(folder, name), self.root)
                     for folder, _, names in os.walk(self.root) for name in names]
        return sorted({path for path in paths if path and not path.startswith(("build/", ".git/")) and
                       os.path.lexists(os.path.join(self.root, path))})

    @functools.cache
    def match(self, pattern):
        return [path for path in self.paths if (path.startswith(pattern) if pattern.endswith("/") else fnmatch.fnmatchcase(path, pattern))]

    def files(self, kind):
        """What a kind may read: a map from each path to whether it is only a stand-in. Every row of the table must mean a file."""
        found = {}
        for pattern in kind.inputs + kind.stand_ins:
            plain = pattern.removeprefix("!")
            here = self.match(plain)
            if not here:
                raise Fault(f"kinds.toml: {kind.name} reads {plain}, but there is no such file")
            for path in here:
                found.pop(path, None) if pattern != plain else found.setdefault(path, pattern in kind.stand_ins)
        return found

    def read(self, path, stand_in=False):
        """The mode and the bytes of a file, as git has them."""
        path = os.path.join(self.root, path)
        if os.path.islink(path):
            return "120000", os.readlink(path).encode()
        mode = "100755" if os.access(path, os.X_OK) else "100644"
        if stand_in:
            return mode, b""
        with open(path, "rb") as file:
            return mode, file.read()

    @functools.cached_property
    def versions(self):
        """The version of each package that is installed; of others, that which apt would install."""
        words = (line.split(" ") for line in output("dpkg-query", "-W", "-f", "${Package} ${Version} ${db:Status-Status}\n").splitlines())
        found = {name: version for name, version, status in words if status == "installed"}
        missing = {name for kind in self.kinds.values() for name in kind.packages} - set(found)
        for section in re.split(r"^(?=\S)", output("apt-cache", "policy", *sorted(missing)), flags=re.M) if missing else ():
            if candidate := re.search(r"^(\S+):\n(?:.*\n)*?  Candidate: (\S+)", section):
                found[candidate[1]] = candidate[2]
        return found

    @functools.cache
    def hashed(self, path, stand_in):
        mode, content = self.read(path, stand_in)
        return f"{mode} {blob(content)}"

    def key(self, kind, contents=None):
        """A hash of the kind's row, its files, the versions of its packages, and the keys of what it needs. `contents` are files that
        have been read already; without them, those of the tree."""
        hashes = {path: f"{mode} {blob(content)}" for path, (mode, content) in contents.items()} if contents else {
            path: self.hashed(path, stand_in) for path, stand_in in self.files(kind).items()}
        parts = {
            "format": KEY_FORMAT,
            "machine": platform.machine(),
            "kind": {name: value for name, value in dataclasses.asdict(kind).items() if name not in ("about", "nightly")},
            "files": hashes,
            "packages": {name: self.versions.get(name, "none") for name in kind.packages},
            "needs": {name: self.key(self.kinds[name]) for name in kind.needs},
        }
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()[:16]


def blob(content):
    """The hash that git gives these bytes."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def output(*words):
    try:
        return subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, "LC_ALL": "C"}).stdout
    except FileNotFoundError:
        return ""
