#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Measures how well the quick tests of a room find faults: plants one-line faults by a seed and counts those that are caught.

    mutate.py --room shared/engine/net --faults 40 --seed 7    prints every survivor and the score
    mutate.py --room shared/engine/net --line enet_filter.c:45        every fault of one line, once a test was written for it
    mutate.py --all --faults 40 --json                  every room, as one JSON object on stdout
    mutate.py --check                                   each room has files and tests, and each product file a room
    mutate.py --self-test                               faults with a known result, in a small project

Works in a copy of the tree (build/mutate), never in the tree itself. Faults are typical mistakes: a wrong comparison,
constant, sign or condition, a missing statement, two swapped arguments. If one does not compile, or gives the same object
code, another is drawn. Progress goes to stderr. Exit code: 0, also with survivors; 1 if a test fails without a fault.
"""
import argparse
import concurrent.futures
import fcntl
import functools
import hashlib
import json
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

# A room is a folder, or the files that begin so. Its quick tests are those registered below these folders, or with these
# names. A room that is not listed, such as shared/engine/net, has the first of tests/unit/shared/engine/net and tests/unit/net that exists.
ROOMS = {
    "shared/engine/base": ["tests/unit/base"],
    "shared/physics": ["tests/unit/physics", "tests/unit/physics_properties", "unit.scenarios"],
    "shared/game/map": ["tests/unit/map"],
    "shared/game": ["tests/unit/game", "golden.golden_test"],
    "shared/game/ai": ["tests/unit/ai"],
    "shared/engine/wire": ["tests/unit/wire", "session.session_test", "session.changes_test", "session.resync_test", "session.protocol", "golden.golden_test"],
    "shared/engine/net": ["tests/unit/net", "unit.punch_service_test", "session.enet_time_test"],
    "shared/engine/options": ["tests/unit/options"],
    "shared/engine/sync": ["tests/unit/game", "tests/unit/wire", "golden.golden_test"],
    "server/engine/match": ["tests/unit/match", "session.changes_test", "session.resync_test", "session.seats_test", "session.drain_test"],
    "server/engine/recording": ["tests/unit/recording"],
    "server/program/lifecycle": ["tests/unit/lifecycle"],
    "server/program/records": ["tests/unit/records"],
    "server/program/monitor": ["tests/unit/monitor"],
    "server/http": ["tests/unit/http", "tests/unit/monitor"],
    "server/directory": ["tests/unit/directory"],
    "server/program/admin": ["tests/unit/admin"],
    "server/tools": ["tests/unit/tools"],
    "server/program": ["tests/unit/server"],
    "client/engine/core": ["tests/unit/core", "session.session_test", "session.faults_test", "session.changes_test", "session.resync_test",
                    "session.seats_test", "session.guesses_test"],
    "client/bots": ["tests/unit/bots"],
    "client/engine/load": ["tests/unit/load"],
    "client/engine/window": ["tests/unit/window", "tests/unit/app", "golden.pictures_test", "golden.sounds_test"],
    "client/text": ["tests/unit/text", "tests/screens", "golden.words_test"],
    "client/game": ["tests/unit/client_game", "tests/unit/app", "tests/screens", "golden.pictures_test", "golden.sounds_test"],
    "client/app": ["tests/unit/app", "tests/screens", "golden.pictures_test"],
    "client/replay": ["tests/unit/replay", "unit.replay_viewer_test", "unit.replay_cards_test", "unit.replay_url_test"],
    "client/engine/replay": ["tests/unit/replay", "unit.replay_viewer_test", "unit.dots_test"],
}

FLAGS = "-O1"  # half the time of -O3 to build, and the slowest tests still end in seconds
MEMORY_BYTES = 4 << 30  # limit of a test, for faults that allocate without end

# No faults are drawn in calls of these: sentences are for readers, and leaks are found by the preset asan.
SILENT = {"assert", "static_assert", "_Static_assert", "log_write", "perror", "free", "sodium_memzero"}
SYMMETRIC = {"strcmp", "strncmp", "strcasecmp", "memcmp"}  # as they are used: equal or not
TYPE = re.compile(r"(const |static |struct |enum |unsigned |u?int\d*(_t)?\b|char\b|bool\b|size_t\b|float\b|double\b|void\b|FILE\b)")
TOKEN = re.compile(r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'
    | 0[xX][0-9a-fA-F']+[uUlL]* | \d[\w.]* | [A-Za-z_]\w* | <<= | >>= | \.\.\. | -> | \+\+ | -- | && | \|\| | [-+*/%&|^=!<>]= | << | >>
    | [^\s\w]""", re.X | re.S)
NEXT_TO = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+=": "-=", "-=": "+=",
           "true": "false", "false": "true", "<<": ">>", ">>": "<<"}
KIND = {"<": "edge", "<=": "edge", ">": "edge", ">=": "edge", "==": "comparison", "!=": "comparison", "&&": "logic", "||": "logic",
        "+=": "sign", "-=": "sign", "true": "boolean", "false": "boolean", "<<": "shift", ">>": "shift"}
TWINS = [("x", "y"), ("w", "h"), ("vx", "vy"), ("width", "height"), ("min", "max"), ("left", "right"), ("up", "down"), ("first", "last")]
TWIN = {a: b for pair in TWINS for a, b in (pair, pair[::-1])}


class Fault:
    """One line of one file, without and with the fault."""

    def __init__(self, file, line, kind, before, after):
        self.file, self.line, self.kind, self.before, self.after = file, line, kind, before, after

    def __str__(self):
        return f"{self.file}:{self.line} {self.kind}\n    before: {self.before.strip()}\n    after:  {self.after.strip()}"


def tokens_of(text):
    """Returns (text, begin, line, drawable) of all tokens but comments and preprocessor lines; drawable: a fault may be there."""
    masked = re.sub(r"(?m)^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda hash_line: re.sub(r"[^\n]", " ", hash_line[0]), text)
    found = [(match[0], match.start()) for match in TOKEN.finditer(masked) if not match[0].startswith(("//", "/*"))]
    tokens, silent_until, line, seen = [], -1, 1, 0
    for i, (word, begin) in enumerate(found):
        line, seen = line + text.count("\n", seen, begin), begin
        if i + 1 < len(found) and found[i + 1][0] == "(" and i > silent_until:
            end = closing(found, i + 1)
            if word in SILENT or (word in ("fprintf", "fputs") and ("stderr" in (found[i + 2][0], found[end - 1][0]))):
                silent_until = end
        tokens.append((word, begin, line, i > silent_until))
    return tokens


def closing(tokens, i):
    """Returns the index of the bracket that closes the one at i, or of the last token."""
    depth = 0
    for j in range(i, len(tokens)):
        depth += (tokens[j][0] in "([{") - (tokens[j][0] in ")]}")
        if depth == 0:
            return j
    return len(tokens) - 1


def operand_ends(word):
    return word[0].isalnum() or word[0] in "_)]"


def number_faults(word):
    digits = word.rstrip("uUlL")
    tail = word[len(digits):]
    if not re.fullmatch(r"0[xX][0-9a-fA-F]+|\d+", digits):
        return []  # a fraction, or 1e9
    value = int(digits, 16) if digits[:2] in ("0x", "0X") else int(digits, 8 if len(digits) > 1 and digits[0] == "0" else 10)
    others = [value + 1] + ([value - 1] if value > 0 else []) + ([value * 10] if value > 1 else [])
    return [(hex(other) if digits[:2] in ("0x", "0X") else str(other)) + tail for other in others]


def word_faults(tokens, i, enums):
    """Yields (kind, replacement) for one token."""
    word = tokens[i][0]
    before, after = (tokens[i - 1][0] if i else ";"), (tokens[i + 1][0] if i + 1 < len(tokens) else ";")
    if word in NEXT_TO:
        yield KIND[word], NEXT_TO[word]
    if word in ("<", ">", "<=", ">="):
        yield "comparison", {"<": ">", ">": "<", "<=": ">=", ">=": "<="}[word]
    if word in "+-" and operand_ends(before) and before not in ("return", "case"):
        yield "sign", "-" if word == "+" else "+"
    if word == "!" and after != "=":
        yield "negation", ""
    if word[0].isdigit():
        for other in number_faults(word):
            yield "constant", other
    if re.fullmatch(r"'[0-9a-zA-Z]'", word):
        yield "constant", f"'{chr(ord(word[1]) + 1)}'"
    if before in (".", "->") and word in TWIN:
        yield "field", TWIN[word]
    if word in enums:
        yield "name", enums[word]
    if word in ("continue", "break") and after == ";":
        yield "statement", ""
    if word == "continue":
        yield "jump", "break"


def follows_full_switch(tokens, i):
    """Returns whether token i is never reached, because each case of the switch before it returns."""
    if not i or tokens[i - 1][0] != "}":
        return False
    depth, begin = 0, i - 1
    while begin > 0 and (depth := depth + (tokens[begin][0] == "}") - (tokens[begin][0] == "{")):
        begin -= 1
    words = [token[0] for token in tokens[begin:i]]
    before = [token[0] for token in tokens[max(0, begin - 12):begin]]
    return "switch" in before and ";" not in before[before.index("switch"):] and "break" not in words


def enum_neighbours(tokens):
    """Maps each CONSTANT_NAME of the file to the next one with the same first word."""
    families = {}
    for word in {token[0] for token in tokens if re.fullmatch(r"[A-Z][A-Z0-9]*(_[A-Z0-9]+)+", token[0])}:
        families.setdefault(word.split("_")[0], []).append(word)
    neighbours = {}
    for family in families.values():
        family.sort()
        if len(family) > 1:
            neighbours.update(zip(family, family[1:] + family[:1]))
    return neighbours


def simple(words):
    """Returns whether these tokens are an argument that may be swapped with another."""
    return 0 < len(words) < 8 and not any(word in "{};,=()" for word in words)


def swaps(tokens, i):
    """Yields the ranges of both neighbours of the comma at i if they are simple and on its line."""
    line, begin, end = tokens[i][2], i, i
    while begin > 0 and tokens[begin - 1][2] == line and tokens[begin - 1][0] not in "(,{;=":
        begin -= 1
    while end + 1 < len(tokens) and tokens[end + 1][2] == line and tokens[end + 1][0] not in "),};=":
        end += 1
    left, right = [token[0] for token in tokens[begin:i]], [token[0] for token in tokens[i + 1:end + 1]]
    if begin > 1 and tokens[begin - 2][0] in SYMMETRIC:
        return
    closed = end + 1 < len(tokens) and tokens[end + 1][0] in "),}" and begin > 0 and tokens[begin - 1][0] in "(,{"
    if closed and simple(left) and simple(right) and left != right and not set(left) & {"struct", "const", "enum"}:
        yield begin, i, end + 1


def faults_of(file, text):
    """Returns every fault that can be planted in this file."""
    lines, tokens = text.split("\n"), tokens_of(text)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    enums, faults, by_line, depth_at, depth = enum_neighbours(tokens), [], {}, {}, 0

    def add(i, end, kind, replacement):
        number, begin = tokens[i][2], tokens[i][1]
        before, at = lines[number - 1], begin - starts[number - 1]
        after = before[:at] + replacement + before[end - starts[number - 1]:]
        if after != before:
            faults.append(Fault(file, number, kind, before, after))

    table_until, parameters_until, enum_until, unreached_until = -1, -1, -1, -1
    for i, (word, begin, line, drawable) in enumerate(tokens):
        by_line.setdefault(line, []).append(i)
        depth_at.setdefault(line, depth)
        if word == "{":
            if depth == 0 and i and tokens[i - 1][0] == "=":
                table_until = closing(tokens, i)
            if i > 1 and "enum" in (tokens[i - 1][0], tokens[i - 2][0]):
                enum_until = closing(tokens, i)
        if word == "(" and depth == 0 and i > table_until:
            parameters_until = closing(tokens, i)
        depth += (word == "{") - (word == "}")
        if word == "return" and follows_full_switch(tokens, i):
            unreached_until = next(j for j in range(i, len(tokens)) if tokens[j][0] == ";")
        if not drawable or i <= max(parameters_until, unreached_until) or word[0] in "\"":
            continue
        of_line = lines[line - 1][:begin - starts[line - 1]]
        sizes_array = "=" not in of_line and of_line.count("[") > of_line.count("]") and TYPE.match(of_line.strip())
        for kind, replacement in [] if sizes_array else word_faults(tokens, i, enums):
            if i > enum_until or kind == "constant":
                add(i, begin + len(word), kind, replacement)
        declares = TYPE.match(of_line.strip()) and not set(of_line) & set("({=")
        if word == "," and i > enum_until and not declares:
            for first, comma, end in swaps(tokens, i):
                left = text[tokens[first][1]:begin]
                after_comma = tokens[comma + 1][1]
                right = text[after_comma:tokens[end - 1][1] + len(tokens[end - 1][0])]
                add(first, tokens[end - 1][1] + len(tokens[end - 1][0]), "swap", right + text[begin:after_comma] + left)
        if word in ("if", "while") and tokens[i + 1][0] == "(":
            close = closing(tokens, i + 1)
            if tokens[close][2] == line:
                inner = text[tokens[i + 1][1] + 1:tokens[close][1]]
                add(i + 1, tokens[close][1] + 1, "negation", f"(!({inner}))")
        if word == "return" and tokens[i + 1][0] != ";":
            end = next((j for j in range(i, len(tokens)) if tokens[j][0] == ";"), i)
            value = text[tokens[i + 1][1]:tokens[end][1]]
            if tokens[end][2] == line and "{" not in value:
                for other in {"0": ["1"], "1": ["0"], "true": [], "false": []}.get(value, ["0", "1"]):
                    add(i + 1, tokens[end][1], "returned constant", other)

    for line, found in by_line.items():
        words = [tokens[i][0] for i in found]
        if not all(tokens[i][3] for i in found):
            continue
        code = text[tokens[found[0]][1]:tokens[found[-1]][1] + len(words[-1])]
        balanced = words.count("(") == words.count(")") and words.count("{") == words.count("}")
        begins = found[0] == 0 or tokens[found[0] - 1][0] in ";{})" or tokens[found[0] - 1][0] in (":", "else")
        if depth_at[line] > 0 and begins and balanced and words[-1] == ";" and words.count(";") == 1:
            if words[0] == "return" and len(words) == 2:
                add(found[0], tokens[found[-1]][1], "statement", "")
            elif not TYPE.match(code) and words[0] not in ("return", "break", "continue", "case", "default", "goto", "typedef"):
                if words[0] in ("if", "for", "while", "else"):
                    continue
                reset = re.search(r"[^=!<>]= *(0|false|NULL|\{0\}|\(struct \w+\) *\{.*\});$", code) or words[0] == "memset"
                add(found[0], tokens[found[-1]][1], "reset" if reset else "statement", "")
        if words[0] == "{" and words[-1] == "," and balanced and len(words) > 4 and depth_at[line] > 0:
            add(found[0], tokens[found[-1]][1] + 1, "row", "")
        if words[0] == "if" and words[-1] == ";" and balanced and len(found) > 4:  # a guard and what it does, on one line
            add(found[0], tokens[found[-1]][1], "statement", "")
    return faults


def draw_order(faults, seed):
    """Yields all of them: a random line, then a random kind on it, then one of its faults."""
    chance, by_line = random.Random(seed), {}
    for fault in faults:
        by_line.setdefault((fault.file, fault.line), {}).setdefault(fault.kind, []).append(fault)
    lines = sorted(by_line)
    while lines:
        chance.shuffle(lines)
        for line in lines:
            kinds = by_line[line]
            kind = chance.choice(sorted(kinds))
            yield kinds[kind].pop(chance.randrange(len(kinds[kind])))
            if not kinds[kind]:
                del kinds[kind]
        lines = sorted(line for line in lines if by_line[line])


def files_of(tree):
    """Returns the files that git has or would add, or all files of a folder without git."""
    listed = subprocess.run(["git", "-C", tree, "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return sorted(name for name in listed.stdout.split("\0") if name and os.path.isfile(os.path.join(tree, name)))
    return sorted(os.path.relpath(os.path.join(folder, name), tree) for folder, _, names in os.walk(tree) for name in names)


def sources_of(room, files):
    """Returns the room's .c files, without those of rooms inside it."""
    inner = [other for other in ROOMS if other != room and other.startswith(room)]
    is_folder = any(file.startswith(room + "/") for file in files)
    return [file for file in files if file.endswith(".c") and file.startswith(room + "/" if is_folder else room)
            and not any(file.startswith(other) for other in inner)]


def tests_of(room, files):
    """Returns the folders and names of a room's tests; empty if it has none."""
    if room in ROOMS:
        return ROOMS[room]
    parts = room.split("/")
    for i in range(len(parts)):
        folder = "/".join(["tests/unit"] + parts[i:])
        if any(file.startswith(folder + "/") for file in files):
            return [folder]
    return []


def all_rooms(files):
    """Returns the rooms of the table, and every other folder of product files."""
    covered = {file for room in ROOMS for file in sources_of(room, files)}
    return list(ROOMS) + sorted({os.path.dirname(file) for file in files if file.endswith(".c") and file not in covered
                                 and file.split("/")[0] in ("shared", "server", "client")})


def room_faults(tree, room):
    """Yields what is wrong with a room, as sentences."""
    files = files_of(tree)
    if not sources_of(room, files):
        yield f"{room}: no .c file begins with this; is it still the name of the room?"
    if not tests_of(room, files):
        yield f"{room}: no folder tests/unit/{room.split('/')[-1]}; add its tests, or a row to ROOMS of mutate.py"
    for place in tests_of(room, files):
        if "." not in place and not any(file.startswith(place + "/") and file.endswith("CMakeLists.txt") for file in files):
            yield f"{room}: ROOMS of mutate.py names {place}, which has no CMakeLists.txt"


def check(tree):
    wrong = [sentence for room in all_rooms(files_of(tree)) for sentence in room_faults(tree, room)]
    for sentence in wrong:
        print(sentence)
    return 1 if wrong else 0


class Copy:
    """A built copy of the tree, in which one fault at a time is planted."""

    def __init__(self, tree, folder, jobs):
        self.tree, self.jobs = tree, jobs
        self.source, self.build = os.path.join(folder, "tree"), os.path.join(folder, "build")
        self.scratch = os.path.join(folder, "scratch")
        for path in (self.source, self.build, self.scratch):
            os.makedirs(path, exist_ok=True)
        self.lock = open(os.path.join(folder, "lock"), "w", encoding="ascii")
        try:
            fcntl.flock(self.lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            sys.exit(f"Another mutate.py works in {folder}. Wait for it, or give --folder.")
        self.environment = dict(os.environ, CCACHE_BASEDIR=self.source, CCACHE_NOHASHDIR="1", TMPDIR=self.scratch)
        self.refresh()
        self.configure()

    def refresh(self):
        """Copies what changed since the last time, which also removes a fault that was left behind."""
        wanted = files_of(self.tree)
        for name in set(files_of_folder(self.source)) - set(wanted):
            os.unlink(os.path.join(self.source, name))
        for name in wanted:
            there, here = os.path.join(self.tree, name), os.path.join(self.source, name)
            content = read(there)
            if not os.path.exists(here) or read(here) != content:
                os.makedirs(os.path.dirname(here), exist_ok=True)
                shutil.copy(there, here)

    def configure(self):
        launcher = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        linker = ["-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld"] if shutil.which("ld.lld") else []
        made = subprocess.run(["cmake", "-S", self.source, "-B", self.build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
                               f"-DCMAKE_C_FLAGS_RELEASE={FLAGS}", "-DBUILD_TESTING=ON", "--log-level=WARNING", *launcher, *linker],
                              capture_output=True, text=True, env=self.environment)
        if made.returncode != 0:
            sys.exit(f"cmake fails in the copy of the tree:\n{made.stdout}{made.stderr}")
        with open(os.path.join(self.build, "compile_commands.json"), encoding="utf-8") as file:
            self.objects = {}
            for command in json.load(file):
                name = os.path.relpath(command["file"], self.source)
                self.objects.setdefault(name, []).append(re.search(r" -o (\S+)", command["command"])[1])

    def ninja(self, *targets):
        return subprocess.run(["ninja", "-C", self.build, f"-j{self.jobs}", *targets], capture_output=True, text=True,
                              env=self.environment)

    @functools.cache
    def inputs(self, target):
        """Returns the files that this program is made of, and the programs that it runs."""
        shown = subprocess.run(["ninja", "-C", self.build, "-t", "inputs", target], capture_output=True, text=True)
        return set(shown.stdout.split("\n"))

    def tests(self, places):
        """Returns the tests of these folders and names, as Test."""
        shown = subprocess.run(["ctest", "--test-dir", self.build, "--show-only=json-v1"], capture_output=True, text=True, check=True)
        info = json.loads(shown.stdout)
        graph, tests = info["backtraceGraph"], []
        for entry in info["tests"]:
            node, folders = entry.get("backtrace"), []
            while node is not None:
                at = graph["nodes"][node]
                file = os.path.join(self.source, graph["files"][at["file"]])
                folders.append(os.path.relpath(os.path.dirname(file), self.source))
                node = at.get("parent")
            if any(place == entry["name"] or any((folder + "/").startswith(place + "/") for folder in folders)
                   for place in places):
                tests.append(Test(self, entry))
        missing = [place for place in places if "." in place and place not in [test.name for test in tests]]
        if missing or not tests:
            sys.exit(f"There is no test {' or '.join(missing or places)}; ROOMS of mutate.py names it.")
        return tests

    def object_code(self, file):
        return hashlib.sha256(b"".join(read(os.path.join(self.build, path)) for path in self.objects[file])).digest()

    def write(self, file, text):
        with open(os.path.join(self.source, file), "w", encoding="utf-8", newline="") as out:
            out.write(text)


class Test:
    """One test of ctest, run by its command."""

    def __init__(self, copy, entry):
        properties = {row["name"]: row["value"] for row in entry.get("properties", [])}
        self.copy, self.name, self.folder = copy, entry["name"], properties["WORKING_DIRECTORY"]
        # ctest shows the command only if its program is already built.
        registered = read(os.path.join(self.folder, "CTestTestfile.cmake")).decode()
        words = re.search(r"add_test\(\[=\[" + re.escape(self.name) + r"\]=\]((?: \"[^\"]*\")+)\)", registered)[1]
        self.command = re.findall(r"\"([^\"]*)\"", words)
        self.targets = [os.path.relpath(word, copy.build) for word in self.command if word.startswith(copy.build + os.sep)]
        self.seconds, self.limit, self.caught, self.inputs = 0.0, 600.0, 0, set()

    def run(self, stop=None):
        """Returns None if it passes, else how it failed. stop(): another test has failed."""
        begun = time.monotonic()
        process = subprocess.Popen(self.command, cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.DEVNULL, env=self.copy.environment, start_new_session=True, preexec_fn=limit)
        try:
            while True:
                try:
                    code = process.wait(0.05)
                    self.seconds = time.monotonic() - begun
                    return None if code == 0 else "failed"
                except subprocess.TimeoutExpired:
                    if time.monotonic() - begun > self.limit:
                        return "hung"
                    if stop and stop():
                        return None
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            process.wait()


def limit():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))


def read(path):
    with open(path, "rb") as file:
        return file.read()


def files_of_folder(folder):
    return [os.path.relpath(os.path.join(place, name), folder) for place, _, names in os.walk(folder) for name in names]


class Room:
    """A room of the copy, and its tests, which pass."""

    def __init__(self, copy, room, note, only=""):
        self.copy, self.room, self.note = copy, room, note
        wrong = list(room_faults(copy.tree, room))
        if wrong:
            sys.exit("\n".join(wrong))
        files = files_of(copy.tree)
        self.sources = sources_of(room, files)
        self.tests = [test for test in copy.tests(tests_of(room, files)) if re.search(only, test.name)]
        unbuilt = [file for file in self.sources if file not in copy.objects]
        self.sources = [file for file in self.sources if file in copy.objects]
        note(f"{room}: {len(self.sources)} files, {len(self.tests)} tests; building")
        for file in unbuilt:
            note(f"{room}: {file} is not built here, so it gets no fault")
        self.build_all()
        self.texts = {file: read(os.path.join(copy.source, file)).decode() for file in self.sources}
        self.code = {file: copy.object_code(file) for file in self.sources}
        self.baseline()

    def build_all(self):
        objects = [path for file in self.sources for path in self.copy.objects[file]]
        built = self.copy.ninja(*objects, *{target for test in self.tests for target in test.targets})
        if built.returncode != 0:
            sys.exit(f"{self.room} does not build without a fault:\n{built.stdout[-3000:]}")

    def baseline(self):
        """Runs each test without a fault. With one, it may take ten times as long before it counts as hung."""
        for test in self.tests:
            if test.run() and test.run():
                sys.exit(f"{test.name} fails without a fault; mend it first.")
            test.limit = 10 + 10 * test.seconds
            test.inputs.update(*(self.copy.inputs(target) for target in test.targets))
        self.note(f"{self.room}: its tests pass in {sum(test.seconds for test in self.tests):.1f} s")

    def faults(self):
        return [fault for file in self.sources for fault in faults_of(file, self.texts[file])]

    def fate(self, fault):
        """Returns the test that caught it and how; None: it survived; "": it is not a fault."""
        lines = self.texts[fault.file].split("\n")
        lines[fault.line - 1] = fault.after
        self.copy.write(fault.file, "\n".join(lines))
        try:
            if self.copy.ninja(*self.copy.objects[fault.file]).returncode != 0:
                return ""
            if self.copy.object_code(fault.file) == self.code[fault.file]:
                return ""
            return self.first_failure(fault)
        finally:
            self.copy.write(fault.file, self.texts[fault.file])

    def first_failure(self, fault):
        """Builds and runs the likeliest tests first: those with the file's name, and those that caught others."""
        objects = self.copy.objects[fault.file]
        first_word = os.path.basename(fault.file)[:-2].split("_")[0]
        seeing = [test for test in self.tests if any(path in test.inputs for path in objects)]
        seeing.sort(key=lambda test: (first_word not in test.name, -test.caught, test.seconds))
        for part in (seeing[:2], seeing[2:]):
            targets = {target for test in part for target in test.targets}
            if targets and self.copy.ninja(*targets).returncode != 0:
                return "the build"  # a program that runs during the build
            failure = self.run_until_failure(part)
            if failure:
                failure[0].caught += 1
                return f"{failure[0].name} {failure[1]}"
        return None

    def run_until_failure(self, tests):
        failures = []

        def run(test):
            how = None if failures else test.run(lambda: bool(failures))
            if how:
                failures.append((test, how))

        with concurrent.futures.ThreadPoolExecutor(self.copy.jobs) as pool:
            list(pool.map(run, tests))
        return failures[0] if failures else None

    def measure(self, order, count):
        """Plants so many faults, or all of them if count is None."""
        caught, survivors, redrawn, begun = [], [], 0, time.monotonic()
        for fault in order:
            if count is not None and len(caught) + len(survivors) == count:
                break
            fate = self.fate(fault)
            if fate == "":
                redrawn += 1
                continue
            (survivors if fate is None else caught).append(fault)
            done = len(caught) + len(survivors)
            self.note(f"[{done}{f'/{count}' if count else ''} {time.monotonic() - begun:.0f} s] {fault.file}:{fault.line} {fault.kind}: "
                      f"{fate or 'SURVIVES'}")
        return {"room": self.room, "faults": len(caught) + len(survivors), "caught": len(caught), "redrawn": redrawn,
                "seconds": round(time.monotonic() - begun, 1), "survivors": [vars(fault) for fault in survivors]}


def print_result(result, seed):
    for survivor in result["survivors"]:
        print(Fault(**survivor))
    share = 100 * result["caught"] / max(1, result["faults"])
    print(f"{result['room']}: {result['caught']} of {result['faults']} faults caught ({share:.0f} %), seed {seed}, "
          f"{result['redrawn']} redrawn, {result['seconds']:.0f} s", flush=True)


def note(sentence):
    print(sentence, file=sys.stderr, flush=True)


TINY = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
project(tiny LANGUAGES C)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
add_compile_options(-Wall -Wextra -Werror)
include(CTest)
add_library(tiny STATIC shared/tiny/tiny.c)
add_subdirectory(tests/unit/tiny)
""",
    "tests/unit/tiny/CMakeLists.txt": """add_executable(tiny_test tiny_test.c)
target_link_libraries(tiny_test PRIVATE tiny)
add_test(NAME unit.tiny_test COMMAND tiny_test)
""",
    "tests/unit/tiny/tiny_test.c": """int larger(int a, int b);
int count_down(int from);
int main(void)
{
    return larger(3, 2) == 3 && larger(2, 3) == 3 && count_down(3) == 3 ? 0 : 1;
}
""",
    "shared/tiny/tiny.c": """// a < b: not in a comment
#include <assert.h>
#define EDGE (1 < 2)
int larger(int a, int b);
int unseen(int a);
int count_down(int from);
int larger(int a, int b)
{
    assert(a != 7);
    return a < b ? b : a;
}
int unseen(int a)
{
    return a + 41;
}
int count_down(int from)
{
    int steps = 0;
    while (from > 0) {
        from -= 1;
        steps++;
    }
    return steps;
}
""",
}


def self_test():
    """Plants faults with a known result in a small project."""
    def require(holds, sentence):
        if not holds:
            sys.exit(f"FAILED: {sentence}")

    with tempfile.TemporaryDirectory() as folder:
        tree = os.path.join(folder, "project")
        for name, text in TINY.items():
            os.makedirs(os.path.dirname(os.path.join(tree, name)), exist_ok=True)
            with open(os.path.join(tree, name), "w", encoding="utf-8") as file:
                file.write(text)
        before = {name: read(os.path.join(tree, name)) for name in files_of_folder(tree)}
        room = Room(Copy(tree, os.path.join(folder, "work"), 2), "shared/tiny", lambda sentence: None)
        faults = room.faults()
        require({fault.line for fault in faults} == {10, 14, 18, 19, 20, 21, 23},
                f"faults are planted only in code: {sorted({fault.line for fault in faults})}")

        def fate(line, after):
            return room.fate(next(fault for fault in faults if fault.line == line and fault.after.strip() == after))

        require(fate(10, "return a > b ? b : a;") == "unit.tiny_test failed", "a reversed comparison is caught")
        require(fate(14, "return a - 41;") is None, "a fault in code that no test calls survives")
        require(fate(10, "return a <= b ? b : a;") == "", "a change without an effect is not a fault")
        for test in room.tests:
            test.limit = 1
        require(fate(20, ";") == "unit.tiny_test hung", "an endless loop is caught by the time limit")
        require(read(os.path.join(room.copy.source, "shared/tiny/tiny.c")).decode() == TINY["shared/tiny/tiny.c"],
                "a fault is removed from the copy")
        scores = [room.measure(draw_order(faults, "7"), 6) for _ in range(2)]
        require([score["survivors"] for score in scores][0] == scores[1]["survivors"], "the same seed draws the same faults")
        require(0 < scores[0]["caught"] < 6, f"some of six are caught and some survive: {scores[0]['caught']}")
        require(before == {name: read(os.path.join(tree, name)) for name in files_of_folder(tree)}, "the tree is not changed")
        require(list(room_faults(tree, "shared/none")) != [], "a room without files is an error")
        require(any("no folder" in sentence for sentence in room_faults(tree, "tests/unit")), "a room without tests is an error")
    print("Every fault was caught, survived, was redrawn or hung as expected.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--room", action="append", default=[], help="a folder, e.g. shared/engine/net; may be given again")
    parser.add_argument("--all", action="store_true", help="every room")
    parser.add_argument("--faults", type=int, default=40, help="faults to plant in each room (40)")
    parser.add_argument("--seed", default="1", help="the same seed draws the same faults (1)")
    parser.add_argument("--line", action="append", default=[], help="FILE:LINE: all faults of this line instead of drawn ones")
    parser.add_argument("--only", default="", help="run only tests with this expression in their names, e.g. unit")
    parser.add_argument("--list", action="store_true", help="print the possible faults, and plant none")
    parser.add_argument("--json", action="store_true", help="the results as JSON on stdout")
    parser.add_argument("--jobs", type=int, default=2, help="compilers and tests at the same time (2)")
    parser.add_argument("--tree", default=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
    parser.add_argument("--folder", help="where to put the copy (build/mutate in the tree)")
    parser.add_argument("--check", action="store_true", help="check the table of rooms")
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    if arguments.check:
        return check(arguments.tree)
    rooms = all_rooms(files_of(arguments.tree)) if arguments.all else [room.rstrip("/") for room in arguments.room]
    if not rooms:
        parser.error("give --room FOLDER or --all")
    lines = [line if "/" in line.split(":")[0] else os.path.join(rooms[0], line) for line in arguments.line]

    def of_lines(faults):
        return [fault for fault in faults if not lines or f"{fault.file}:{fault.line}" in lines]

    if arguments.list:
        for file in [file for room in rooms for file in sources_of(room, files_of(arguments.tree))]:
            for fault in of_lines(faults_of(file, read(os.path.join(arguments.tree, file)).decode())):
                print(fault)
        return 0
    for sentence in [sentence for room in rooms for sentence in room_faults(arguments.tree, room)]:
        sys.exit(sentence)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("Ended by SIGTERM."))  # tests end; the next run repairs the copy
    copy = Copy(os.path.abspath(arguments.tree), os.path.abspath(arguments.folder or os.path.join(arguments.tree, "build/mutate")),
                arguments.jobs)
    results = []
    for name in rooms:
        room = Room(copy, name, note, arguments.only)
        faults = room.faults()
        order = of_lines(faults) if lines else draw_order(faults, f"{arguments.seed} {name}")
        results.append(room.measure(order, None if lines else arguments.faults))
        if not arguments.json:
            print_result(results[-1], arguments.seed)
    if arguments.json:
        print(json.dumps({"seed": arguments.seed, "rooms": results}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(main())
