#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the suite and kinds: see kinds.toml for what they are. scripts/test and .ci/run call it.

    scripts/test                      the suite
    scripts/test NAME...              kinds or presets; a kind that has passed with the same inputs says so
    scripts/test --again KIND...      the same, whether they have passed or not
    scripts/test --packages KIND...   only installs what they need
    scripts/test --list               what there is, and what has passed
    .ci/run                           the suite, then each kind that has not passed with its inputs
"""
import contextlib
import dataclasses
import datetime
import fcntl
import json
import math
import os
import re
import resource
import shlex
import shutil
import socket
import subprocess
import sys
import time
import xml.etree.ElementTree

if sys.version_info < (3, 11):
    sys.exit("scripts/test needs Python 3.11 or newer, which Debian 12 has: apt-get install python3")

import room
from cache import Cache
from table import Fault, Table

HERE = os.path.dirname(os.path.realpath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
SKIPPED = 77
STEP = "-- "  # begins the line of a command
NOT_ASKED = re.compile(r"\bnot (asked|tried|checked|played)\b|\[  SKIPPED \] (?!\d)")
LEAST_S = 60  # with less time left, nothing is begun


@dataclasses.dataclass
class State:
    """What is known of the suite or a kind at the end; `left` are questions that were not asked."""
    name: str
    word: str  # passed, unchanged, not due, not needed, failed, not run
    sentence: str = ""
    key: str = ""
    left: list = dataclasses.field(default_factory=list)
    red: bool = False


def moment(seconds):
    return datetime.datetime.fromtimestamp(seconds).strftime("%Y-%m-%d %H:%M")


def told(record):
    return f"passed {moment(record['when'])} in {record['seconds']} s at {record['commit']} in {record['where']}"


def processor_s():
    """What all processes that have been waited for have worked."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def environment(table, cache, folder, place):
    """What builds in a folder are given, which see it at `place`: compilers behind ccache, if it is there, with a bounded cache of ours."""
    here = {name: value for name, value in os.environ.items() if name not in ("PWD", "OLDPWD", "DESTDIR")}
    here.setdefault("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count()))
    if shutil.which("ccache") and "CMAKE_C_COMPILER_LAUNCHER" not in here:
        os.makedirs(os.path.join(folder, "build"), exist_ok=True)
        shutil.copy(os.path.join(HERE, "launcher.sh"), os.path.join(folder, "build"))
        here["CMAKE_C_COMPILER_LAUNCHER"] = os.path.join(place, "build/launcher.sh")
        here |= {"CCACHE_BASEDIR": place, "CCACHE_NOHASHDIR": "1", "CCACHE_DIR": cache.path("ccache"), "CCACHE_MAXSIZE": table.cache["ccache"]}
    return here


def configure_script(presets, folders=()):
    """A command that configures presets with tests, all at once, since each keeps one processor busy."""
    only = [f"-DDEADFALL_TEST_FOLDERS={';'.join(folders)}"] if folders else []
    each = ["xargs", "-n", "1", "-P", "0", "cmake", "-DBUILD_TESTING=ON", "--log-level=WARNING", *only, "--preset"]
    return f"echo {' '.join(presets)} | {shlex.join(each)} >/dev/null"


def tests_script(preset, label="", targets=(), without=(), build_only=False):
    """Commands that build a preset that is configured and run its tests, or those with a label. They leave asked.xml."""
    what = ["-L", f"^{label}$"] if label else ["-LE", f"^({'|'.join(without)})$"]
    steps = [["cmake", "--build", "--preset", preset, *(["--target", *targets] if targets else []), "--", "--quiet"]]
    if not build_only:
        steps.append(["ctest", "--preset", preset, "--test-output-size-passed", "100000", "--output-junit", "asked.xml", *what])
    return [shlex.join(step) for step in steps]


def questions_left(path):
    """Of a report of ctest: the tests that were skipped, and parts of others that were not asked, each with its reason."""
    skipped, parts = [], []
    if not os.path.exists(path):
        return skipped, parts
    for case in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        name, lines = case.get("name"), (case.findtext("system-out") or "").strip().splitlines()
        if case.find("skipped") is not None:
            skipped.append(f"{name}: {lines[-1].strip() if lines else 'it says nothing'}")
        elif case.find("failure") is None:
            parts += [f"{name}: {line.strip()}" for line in lines if NOT_ASKED.search(line)]
    return skipped, parts


class Runner:
    def __init__(self, table, cache, deadline=math.inf, install=True):
        self.table, self.cache, self.deadline, self.installs = table, cache, deadline, install
        self.built = {}  # states of libraries

    def left_s(self):
        return self.deadline - time.monotonic()

    def install(self, packages):
        if not self.installs:
            return
        if subprocess.run(["bash", "-c", '. tests/tools/install.sh && install_missing "$@"', "install", *packages], cwd=self.table.root,
                          check=False).returncode != 0:
            raise Fault("its packages cannot be installed; above is why")
        self.table.__dict__.pop("versions", None)  # they may be others now

    def labels_of_kinds(self):
        return ["nightly"] + [kind.tests["label"] for kind in self.table.kinds.values() if kind.tests.get("label")]

    # --- presets

    def preset_names(self):
        """Those that have tests."""
        with open(os.path.join(self.table.root, "CMakePresets.json"), encoding="utf-8") as file:
            return [row["name"] for row in json.load(file)["testPresets"]]

    def preset(self, preset, beside, configures):
        """Builds a preset in build/ and runs its tests, all but those of kinds and those with the label of a preset that is asked
        beside it. Configures some before. Returns its state."""
        try:
            self.install(self.table.suite["packages"])
        except Fault as fault:
            return State(preset, "failed", str(fault), red=True)
        print(f"\n== {preset}", flush=True)
        began, root = time.monotonic(), self.table.root
        report = os.path.join(root, "build", preset, "asked.xml")
        others = [name for name in beside if name != preset]
        with contextlib.suppress(OSError):
            os.unlink(report)
        os.makedirs(os.path.join(root, "build"), exist_ok=True)
        has_tests = preset in self.preset_names()
        steps = [configure_script(configures)] if configures else []
        steps += tests_script(preset, without=self.labels_of_kinds() + others, build_only=not has_tests,
                              targets=["suite"] if has_tests and "asan" in others else [])
        script = "\n".join(["set -e", *steps])
        code, _ = room.run_words(["bash", "-c", script], root, environment(self.table, self.cache, root, root),
                                 os.path.join(root, "build", f"{preset}.log"), self.deadline)
        seconds = round(time.monotonic() - began)
        skipped, parts = questions_left(report)
        why = f"not ended after {seconds} s" if code == room.STOPPED else f"after {seconds} s: exit code {code}" if code else f"in {seconds} s"
        return State(preset, "failed" if code else "passed", why, left=skipped + parts, red=code != 0)

    # --- kinds

    def kind(self, kind, again=False, in_ci=False):
        """Runs a kind, unless it has passed with these inputs. Returns its state."""
        try:
            key = self.table.key(kind)
            if not again and (record := self.cache.passed(kind.name, key)) and not kind.keeps:
                return State(kind.name, "unchanged", told(record), key)
            last = self.cache.last_pass(kind.name)
            due_h = self.table.ci["nightly_hours"] - (time.time() - last["when"]) / 3600 if last else 0
            if in_ci and kind.nightly and due_h > 0:
                return State(kind.name, "not due", f"its inputs have changed since it {told(last)}; due in {due_h:.0f} h", key)
            if self.left_s() < LEAST_S:
                return self.out_of_time(kind, key, "no time was left")
            print(f"\n== {kind.name}: {kind.about} ({key})", flush=True)
            self.install(kind.packages)
            return self.run(kind)
        except Fault as fault:
            return State(kind.name, "failed", str(fault), red=True)

    def out_of_time(self, kind, key, why):
        return State(kind.name, "not run", f"{why}, though its inputs have changed", key, red=True)

    def libraries(self, kind, folder):
        """Unpacks libraries from the cache, or builds them. Returns a red state if that fails."""
        key = self.table.key(kind)
        if self.cache.unpack_folder(kind.name, key, folder):
            self.built.setdefault(kind.name, State(kind.name, "unchanged", "taken from the cache", key))
        else:
            self.built[kind.name] = state = self.kind(kind)
            if state.word != "passed":
                return state
            shutil.copytree(os.path.join(self.room_of(kind), kind.keeps), folder, symlinks=True)
            shutil.rmtree(self.room_of(kind), ignore_errors=True)
        move_prefix(folder, os.path.join(self.table.root, kind.keeps) if room.namespace() else folder)
        return None

    def room_of(self, kind):
        return os.path.join(self.table.root, "build/kinds", kind.name)

    def run(self, kind):
        folder, began, worked = self.room_of(kind), time.monotonic(), processor_s()
        os.makedirs(os.path.dirname(folder), exist_ok=True)
        log = folder + ".log"
        with open(log, "w", encoding="utf-8") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise Fault(f"{kind.name} runs in this checkout already") from None
            contents = {path: self.table.read(path, stand_in) for path, stand_in in self.table.files(kind).items()}
            key = self.table.key(kind, contents)
            room.fill(folder, contents)
            for need in map(self.table.kind, kind.needs):
                if state := self.libraries(need, os.path.join(folder, need.keeps)):
                    return dataclasses.replace(state, name=kind.name, sentence=f"{need.name}: {state.sentence}", key=key)
            if not room.namespace():
                print("no namespace can be made here: what is not declared is only out of reach, not hidden")
            place = self.table.root if room.namespace() else folder
            code, lines = room.run(self.script(kind), folder, self.table.root, environment(self.table, self.cache, folder, place), log,
                                   self.deadline)
        seconds, worked = round(time.monotonic() - began), round(processor_s() - worked)
        skipped, parts = questions_left(os.path.join(folder, "build", kind.tests.get("preset", ""), "asked.xml"))
        left = skipped + parts + [line.strip() for line in lines if not kind.tests and NOT_ASKED.search(line)]
        if code == room.STOPPED:
            return self.out_of_time(kind, key, f"it had not ended after {seconds} s")
        if code == SKIPPED or code == 0 and skipped:
            reasons = skipped or [line for line in lines if not line.startswith(STEP)] or ["it does not say why"]
            return State(kind.name, "not run", f"a question was not asked: {reasons[-1].strip()}", key, left, red=True)
        if code:
            return State(kind.name, "failed", f"after {seconds} s: exit code {code}; build/kinds/{kind.name} and its .log are kept", key, left,
                         red=True)
        self.cache.keep_pass({"kind": kind.name, "key": key, "when": int(time.time()), "seconds": seconds, "processor_s": worked,
                              "commit": commit(self.table.root), "where": f"{socket.gethostname()}:{self.table.root}"})
        if kind.keeps:
            self.cache.keep_folder(kind.name, key, os.path.join(folder, kind.keeps))
        else:
            shutil.rmtree(folder, ignore_errors=True)
        return State(kind.name, "passed", f"in {seconds} s, with {worked} s of a processor", key, left)

    def script(self, kind):
        steps = []
        if kind.programs:
            steps += ["cmake --preset release -DBUILD_TESTING=OFF -DDEADFALL_WINDOW=OFF --log-level=WARNING >/dev/null",
                      f"cmake --build --preset release --target {' '.join(kind.programs)} -- --quiet"]
        if kind.tests:
            how = dict(kind.tests)
            steps += [configure_script([how["preset"]], how.pop("folders", ())), *tests_script(**how, without=self.labels_of_kinds())]
        return "\n".join(["set -e", "root=$PWD bin=$PWD/build/release/bin", f"PS4='{STEP}'", "set -x", *steps, *kind.run])

    def known(self, kind):
        key = self.table.key(kind)
        record = self.cache.passed(kind.name, key)
        return State(kind.name, "unchanged" if record else "changed", told(record) if record else kind.about, key)

    def named(self, names, again=False):
        """Runs presets and kinds. Where a preset and a kind have one name, the kind is meant. Yields states."""
        known = {*self.preset_names(), *self.table.suite["presets"]} - set(self.table.kinds)
        presets = [name for name in names if name in known]
        for name in names:
            if name not in known:
                yield self.kind(self.table.kind(name), again)
                continue
            yield (state := self.preset(name, beside=names, configures=presets if name == presets[0] else []))
            if state.red:
                return

    def in_ci(self):
        """The suite, then each kind. Yields states."""
        red = []
        for state in self.named(self.table.suite["presets"]):
            red += [state.name] if state.red else []
            yield state
        for state in self.kinds_in_ci(red[0] if red else None):
            yield dataclasses.replace(state, red=state.red and self.table.ci["kinds"] == "red")

    def kinds_in_ci(self, failed):
        kinds = self.table.kinds.values()
        for kind in kinds:
            if not kind.keeps:
                yield State(kind.name, "not run", f"since {failed} has failed", red=True) if failed else self.kind(kind, in_ci=True)
        for kind in kinds:
            if kind.keeps:
                yield self.built.get(kind.name, State(kind.name, "not needed", "what needs it did not run"))


def move_prefix(folder, place):
    """Libraries name the folder for which they were built in what pkg-config reads; says where they are now."""
    for path, _, names in os.walk(folder):
        for name in names:
            if name.endswith(".pc"):
                with open(os.path.join(path, name), encoding="utf-8") as file:
                    text = file.read()
                if old := re.search(r"^prefix=(.*)$|-L(\S+)/lib\b", text, re.M):
                    with open(os.path.join(path, name), "w", encoding="utf-8") as file:
                        file.write(text.replace(old[1] or old[2], place))


def commit(root):
    said = subprocess.run(["git", "-C", root, "describe", "--always", "--dirty", "--exclude=*"], capture_output=True, text=True, check=False)
    return said.stdout.strip() or "no commit"


def page(states, seconds):
    """One page: the state of the suite and of each kind, and what was not asked."""
    wide = max(len(state.name) for state in states)
    lines = [f"{state.name:{wide}}  {state.key or '-':16}  {state.word}{': ' if state.sentence else ''}{state.sentence}" for state in states]
    if left := [f"  {state.name}: {line}" for state in states for line in state.left]:
        lines += ["", f"Not asked ({len(left)}):", *left]
    red = [state.name for state in states if state.red]
    return "\n".join(["", *lines, "", f"After {seconds} s: {'red: ' + ', '.join(red) if red else 'all is well'}."])


def main(words):
    table, began = Table(ROOT), time.monotonic()
    cache = Cache(table.cache)
    flags, names = [word for word in words if word.startswith("--")], [word for word in words if not word.startswith("--")]
    if unknown := set(flags) - {"--again", "--packages", "--list", "--ci"}:
        raise Fault(f"{', '.join(unknown)} is no option\n{__doc__}")
    runner = Runner(table, cache, began + table.ci["minutes"] * 60 if "--ci" in flags else math.inf)
    if "--packages" in flags:
        for name in names:
            runner.install(table.kind(name).packages)
        return 0
    if "--list" in flags:
        asked = map(runner.known, table.kinds.values())
    elif "--ci" in flags:
        asked = runner.in_ci()
    else:
        asked = runner.named(names or table.suite["presets"], again="--again" in flags)
    states = []
    try:
        for state in asked:
            states.append(state)
    finally:
        if states:
            print(page(states, round(time.monotonic() - began)), flush=True)
    return 1 if any(state.red for state in states) else 0


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except Fault as fault:
        sys.exit(f"scripts/test: {fault}")
    except KeyboardInterrupt:
        sys.exit(130)
