#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests kinds.py with kinds of a few files, which build nothing."""
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import kinds
import room
from cache import Cache
from kinds import Runner, page, questions_left
from table import Fault, Table

TABLE = """
[ci]
minutes = 1
kinds = "red"
nightly_hours = 20
[cache]
ccache = "1M"
libraries = 2
passes = 3
[suite]
presets = []
packages = []
[packages]
libraries = []
[inputs]
sources = ["source/", "!source/*.md", "!source/libraries.sh"]
[libraries]
recipe = "source/libraries.sh"
here = ["package"]
[reads]
about = "reads what it declares"
inputs = ["@sources"]
stand_ins = ["CHANGELOG.md"]
packages = ["package"]
run = ["cat source/a CHANGELOG.md"]
[needs]
about = "needs libraries"
inputs = ["source/a"]
packages = []
needs = ["libraries-here"]
run = ["grep library build/portable/here/lib", "grep ^prefix=$PWD/build/portable/here build/portable/here/lib.pc"]
"""
LIBRARIES = "mkdir -p $2/$1 && echo library >$2/$1/lib && echo prefix=/elsewhere >$2/$1/lib.pc\n"


class Kinds(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.root, self.store = os.path.join(self.folder, "tree"), os.path.join(self.folder, "cache")
        for path, text in {"source/a": "a\n", "source/page.md": "prose\n", "other": "other\n", "CHANGELOG.md": "news\n", ".gitignore": "build/\n",
                           "source/libraries.sh": LIBRARIES, "tests/tools/install.sh": 'packages_play="x y"\n',
                           "CMakePresets.json": '{"testPresets": []}'}.items():
            self.write(path, text)
        os.chmod(os.path.join(self.root, "source/libraries.sh"), 0o755)
        for words in ["init", "-q"], ["add", "-A"], ["-c", "user.name=x", "-c", "user.email=x", "commit", "-qm", "x"]:
            subprocess.run(["git", "-C", self.root, *words], check=True)
        self.table_text = TABLE
        self.printed = open(os.path.join(self.folder, "printed"), "w", encoding="utf-8")
        self.addCleanup(self.printed.close)
        sys.stdout, self.stdout = self.printed, sys.stdout
        self.addCleanup(setattr, sys, "stdout", self.stdout)

    def write(self, path, text):
        path = os.path.join(self.root, path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def table(self, versions=None):
        path = os.path.join(self.folder, "kinds.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.table_text)
        table = Table(self.root, path)
        table.versions = versions or {"package": "1"}
        return table

    def key(self, name="reads", **more):
        return (table := self.table(**more)).key(table.kind(name))

    def runner(self, **more):
        table = self.table()
        return Runner(table, Cache(table.cache, self.store), install=False, **more)

    def state(self, name="reads", again=False, **more):
        runner = self.runner(**more)
        return runner.kind(runner.table.kind(name), again=again)

    def states(self, **more):
        return {state.name: state for state in self.runner(**more).in_ci()}

    # --- keys

    def test_the_key_changes_with_each_input_and_with_nothing_else(self):
        keys = [self.key(), self.key(versions={"package": "2"})]
        for path, text in ("source/a", "changed"), ("source/new", "nobody has added this"), ("source/new", ""):
            self.write(path, text)
            keys.append(self.key())
        os.chmod(os.path.join(self.root, "source/a"), 0o755)
        keys.append(self.key())
        os.unlink(os.path.join(self.root, "source/a"))
        keys.append(self.key())
        self.table_text = TABLE.replace("cat source", "cat ./source")
        keys.append(self.key())
        self.assertEqual(len(set(keys)), len(keys))
        for path in "other", "source/page.md", "CHANGELOG.md", "build/object":
            self.write(path, "changed")
        self.assertEqual(self.key(), keys[-1])

    def test_a_commit_changes_no_key(self):
        self.write("source/b", "b")
        before = self.key()
        subprocess.run(["git", "-C", self.root, "add", "-A"], check=True)
        self.assertEqual(self.key(), before)
        shutil.rmtree(os.path.join(self.root, ".git"))
        self.assertEqual(self.key(), before)

    def test_the_key_of_libraries_is_that_of_their_recipe_and_part_of_the_key_of_who_needs_them(self):
        before = self.key("libraries-here"), self.key("needs")
        self.write("source/b", "b")
        self.assertEqual((self.key("libraries-here"), self.key("needs")), before)
        self.write("source/libraries.sh", LIBRARIES + "# changed")
        self.assertNotEqual(self.key("libraries-here"), before[0])
        self.assertNotEqual(self.key("needs"), before[1])

    def test_a_row_that_means_no_file_is_named(self):
        self.table_text = TABLE.replace('"source/",', '"sources/",')
        with self.assertRaisesRegex(Fault, "reads reads sources/, but there is no such file"):
            self.key()

    # --- runs

    def test_what_has_passed_is_skipped_and_says_where_and_when(self):
        self.assertEqual(self.state().word, "passed")
        state = self.state()
        self.assertEqual(state.word, "unchanged")
        self.assertRegex(state.sentence, rf"^passed \d+-\d+-\d+ \d+:\d+ in \d+ s at [0-9a-f]+ in \S+:{self.root}$")
        self.assertEqual(self.state(again=True).word, "passed")
        self.write("source/a", "changed")
        self.assertEqual(self.state().word, "passed")

    def test_an_undeclared_read_fails(self):
        for path in "other", "source/page.md", *([os.path.join(self.root, "other")] if room.namespace() else []):
            self.table_text = TABLE.replace("cat source/a", f"cat {path}")
            state = self.state()
            self.assertEqual((state.word, state.red), ("failed", True), path)

    def test_without_namespaces_a_folder_is_the_room(self):
        before, room.namespace = room.namespace, lambda: []
        self.addCleanup(setattr, room, "namespace", before)
        self.assertEqual(self.state("needs").word, "passed")
        self.assertEqual(self.state("needs", again=True).word, "passed")
        self.table_text = TABLE.replace("cat source/a", "cat other")
        self.assertEqual(self.state().word, "failed")

    def test_nothing_is_left_of_a_run_before(self):
        self.table_text = TABLE.replace("cat source/a", "touch stale; false")
        self.assertEqual(self.state().word, "failed")
        self.table_text = TABLE.replace("cat source/a", "test ! -e stale; cat source/a")
        self.assertEqual(self.state().word, "passed")

    def test_what_a_stand_in_says_is_not_seen(self):
        self.table_text = TABLE.replace("cat source/a CHANGELOG.md", "! grep . CHANGELOG.md")
        self.assertEqual(self.state().word, "passed")

    def test_a_red_kind_is_red_and_the_others_run(self):
        self.table_text = TABLE.replace("cat source/a", "false source/a")
        states = self.states()
        self.assertEqual({name: state.word for name, state in states.items()}, {"reads": "failed", "needs": "passed", "libraries-here": "passed"})
        self.assertIn("red: reads.", page(list(states.values()), 1))
        self.assertEqual(self.states()["reads"].word, "failed")

    def test_a_question_that_was_not_asked_is_no_pass(self):
        self.table_text = TABLE.replace("cat source/a", "echo no tool; exit 77; ")
        for _ in range(2):
            state = self.state()
            self.assertEqual((state.word, state.red), ("not run", True))
            self.assertIn("no tool", state.sentence)

    def test_what_there_is_no_time_for_is_red_or_told(self):
        states = self.states(deadline=time.monotonic())
        self.assertEqual((states["reads"].word, states["reads"].red), ("not run", True))
        self.assertIn("no time was left", states["reads"].sentence)
        self.assertIn("red: reads, needs", page(list(states.values()), 1))
        self.table_text = TABLE.replace('"red"', '"told"')
        states = self.states(deadline=time.monotonic())
        self.assertEqual((states["reads"].word, states["reads"].red), ("not run", False))
        self.write("source/libraries.sh", "exit 1")
        states = self.states()
        self.assertEqual((states["libraries-here"].word, states["libraries-here"].red), ("failed", False))
        self.assertIn("all is well", page(list(states.values()), 1))

    def test_what_does_not_end_in_time_is_stopped_and_has_not_passed(self):
        least, kinds.LEAST_S = kinds.LEAST_S, 0
        self.addCleanup(setattr, kinds, "LEAST_S", least)
        self.table_text = TABLE.replace("cat source/a", "sleep 1000 & sleep 1000; true")
        state = self.state(deadline=time.monotonic() + 1)
        self.assertEqual((state.word, state.red), ("not run", True))

    def test_a_nightly_kind_is_due_once_a_day(self):
        self.table_text = TABLE.replace('[needs]', 'nightly = true\n[needs]')
        self.assertEqual(self.states()["reads"].word, "passed")
        self.write("source/a", "changed")
        self.assertEqual(self.states()["reads"].word, "not due")
        self.table_text = self.table_text.replace("nightly_hours = 20", "nightly_hours = 0")
        self.assertEqual(self.states()["reads"].word, "passed")

    def test_no_kind_runs_when_the_suite_is_red(self):
        runner = self.runner()
        runner.table.suite["presets"] = ["release"]
        runner.preset = lambda name, beside, configures: kinds.State(name, "failed", red=True)
        states = {state.name: state for state in runner.in_ci()}
        self.assertEqual((states["reads"].word, states["reads"].red), ("not run", True))

    # --- the cache

    def test_libraries_are_kept_and_say_where_they_are(self):
        self.assertEqual(self.state("needs").word, "passed")
        self.write("source/a", "changed")
        states = self.states()
        self.assertEqual((states["needs"].word, states["libraries-here"].word), ("passed", "unchanged"))
        self.assertEqual(self.states()["libraries-here"].word, "not needed")

    def test_a_damaged_record_is_no_pass(self):
        self.state()
        [path] = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(self.store, "passes")) for name in names]
        with open(path, "rb") as file:
            good = file.read()
        cache, (kind, key) = self.runner().cache, path.removesuffix(".json").split("/")[-2:]
        self.assertTrue(cache.passed(kind, key))
        flipped = [good[:at] + bytes([good[at] ^ 1]) + good[at + 1:] for at in range(len(good) - 1)]
        for bad in [good[:size] for size in range(len(good) - 1)] + flipped + [b"\xff" * 100]:
            with open(path, "wb") as file:
                file.write(bad)
            self.assertIsNone(cache.passed(kind, key), bad)
        self.assertEqual(self.state().word, "passed")

    def test_a_pass_of_another_key_is_none(self):
        self.state()
        folder = os.path.join(self.store, "passes/reads")
        [name] = os.listdir(folder)
        self.write("source/a", "changed")
        os.rename(os.path.join(folder, name), os.path.join(folder, f"{self.key()}.json"))
        self.assertEqual(self.state().word, "passed")

    def test_damaged_libraries_are_built_again(self):
        self.state("needs")
        folder = os.path.join(self.store, "libraries/libraries-here")
        for damage in (lambda path: os.truncate(path, 10), os.unlink, lambda path: os.truncate(path, 1 << 20)):
            [name] = os.listdir(folder)
            damage(os.path.join(folder, name))
            self.assertEqual(self.state("needs", again=True).word, "passed")

    def test_a_cache_that_cannot_be_written_keeps_nothing_and_breaks_nothing(self):
        with open(self.store, "w", encoding="utf-8"):
            pass
        for _ in range(2):
            self.assertEqual(self.state("needs").word, "passed")

    def test_the_cache_may_vanish_at_any_time(self):
        stop, seed = threading.Event(), random.Random(7)

        def vandal():
            while not stop.is_set():
                paths = [os.path.join(folder, name) for folder, folders, names in os.walk(self.store) for name in names + folders]
                path = seed.choice(paths or [self.store])
                try:
                    shutil.rmtree(path) if os.path.isdir(path) else os.truncate(path, seed.randrange(200)) if seed.random() < 0.5 else os.unlink(path)
                except OSError:
                    pass
                stop.wait(seed.random() / 100)
        thread = threading.Thread(target=vandal)
        thread.start()
        try:
            for turn in range(12):
                self.write("source/a", str(turn))
                words = {state.word for state in self.states().values()}
                self.assertLessEqual(words, {"passed", "unchanged"}, turn)
        finally:
            stop.set()
            thread.join()

    def test_the_cache_is_bounded(self):
        for turn in range(5):
            self.write("source/a", str(turn))
            self.write("source/libraries.sh", LIBRARIES + f"# {turn}\n")
            self.assertEqual(self.state("needs").word, "passed")
        self.assertEqual(len(os.listdir(os.path.join(self.store, "passes/needs"))), 3)
        self.assertEqual(len(os.listdir(os.path.join(self.store, "libraries/libraries-here"))), 2)

    def test_a_compiler_runs_alone_when_ccache_fails_itself(self):
        def launch(ccache):
            self.write("bin/ccache", f"#!/bin/sh\n{ccache}\n")
            self.write("bin/cc", "#!/bin/sh\necho compiled $1\n")
            for name in "ccache", "cc":
                os.chmod(os.path.join(self.root, "bin", name), 0o755)
            done = subprocess.run([os.path.join(kinds.HERE, "launcher.sh"), "cc", "a.c"], capture_output=True, text=True, check=False,
                                  env={"PATH": f"{self.root}/bin:/usr/bin:/bin"})
            return done.returncode, done.stdout, done.stderr
        self.assertEqual(launch('"$@"'), (0, "compiled a.c\n", ""))
        self.assertEqual(launch('echo "ccache: error: no folder" >&2; exit 1'), (0, "compiled a.c\n", ""))
        self.assertEqual(launch('echo "a.c:1: error" >&2; exit 3'), (3, "", "a.c:1: error\n"))

    # --- what was not asked

    def test_skipped_tests_and_parts_of_tests_are_listed_with_their_reasons(self):
        self.write("asked.xml", """<?xml version="1.0"?><testsuite>
            <testcase name="system.store" status="notrun"><skipped message="SKIP_RETURN_CODE=77"/><system-out>begins
redis-server is missing</system-out></testcase>
            <testcase name="system.web" status="run"><system-out>fine
chromium is missing: what it draws is not checked
[  SKIPPED ] it_has_ipv6
[  SKIPPED ] 1 test(s), listed below:</system-out></testcase>
            <testcase name="unit.other" status="run"><system-out>nothing else</system-out></testcase></testsuite>""")
        skipped, parts = questions_left(os.path.join(self.root, "asked.xml"))
        self.assertEqual(skipped, ["system.store: redis-server is missing"])
        self.assertEqual(parts, ["system.web: chromium is missing: what it draws is not checked", "system.web: [  SKIPPED ] it_has_ipv6"])


class RealTable(unittest.TestCase):
    """What the table in this checkout says; the suite asks it, the kind tools the rest."""

    def test_every_row_means_a_file(self):
        table = Table(kinds.ROOT)
        self.assertEqual(len({table.key(kind) for kind in table.kinds.values()}), len(table.kinds))

    def test_what_python_files_import_is_declared_too(self):
        table = Table(kinds.ROOT)
        for kind in table.kinds.values():
            files = table.files(kind)
            for path in [path for path in files if path.endswith(".py")]:
                modules = re.findall(r"^(?:from|import) (\w+)", table.read(path)[1].decode(), re.M)
                beside = [os.path.join(os.path.dirname(path), f"{module}.py") for module in modules]
                self.assertEqual([path for path in beside if path in table.paths and path not in files], [], kind.name)


if __name__ == "__main__":
    unittest.main()
