#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The laws of the code base, each a function from a source tree to its faults.

    rules.py ROOT RULE [BUILD]   checks one rule: prints one line per fault, exits with 1 if there are any. BUILD is a build of ROOT: its
                                 objects are looked at, which are compiled otherwise
    rules.py ROOT --plant        plants faults against each rule in a copy, and fails if a rule does not catch one
    rules.py --list              lists the names of the rules
"""
import fnmatch
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

SOURCE = (".c", ".h")
SPDX_NEEDED = (".c", ".h", ".py", ".sh", ".cmake", "CMakeLists.txt", ".clang-format", ".clang-tidy")
TOP_LEVEL = {"README.md", "CONTRIBUTING.md", "CHANGELOG.md", "CMakeLists.txt", "CMakePresets.json",
             ".clang-format", ".clang-tidy", ".ci", ".dockerignore", ".gitignore", "LICENSE", "docs", "scripts", "shared", "server", "client",
             "tests"}

# The rooms that each room may include. The longest prefix wins; a room may always include itself.
MAY_INCLUDE = {
    "shared/engine/base/platform": [],
    "shared/engine/base": [],
    "shared/engine/options": ["shared/engine/base"],
    "shared/engine/net": ["shared/engine/base"],
    "shared/engine/discovery": ["shared/engine/base", "shared/engine/net"],
    "shared/engine/sync": ["shared/engine/base", "shared/game/seam/game_state.h"],
    "shared/engine/wire": ["shared/engine/base", "shared/engine/sync"],
    "shared/engine": [],
    "shared/physics": [],
    "shared/game/map": ["shared/engine/base", "shared/physics"],
    "shared/game/map/tiled": ["shared/engine/base", "shared/game", "shared/game/map", "shared/physics"],
    "shared/game": ["shared/engine/base", "shared/engine/sync", "shared/game/map", "shared/physics"],
    "shared/game/seam": ["shared/game", "shared/game/ai/nav_graph.h", "shared/game/map"],
    "shared/game/ai": ["shared/engine/base", "shared/engine/sync", "shared/game", "shared/game/map", "shared/physics"],
    "shared": [],
    "server/engine/recording": ["shared/engine"],
    "server/engine/match": ["shared/engine", "server/engine/recording"],
    "server/engine": [],
    "server/program/lifecycle": ["shared", "server/engine"],
    "server/program/records": ["shared", "server/engine", "server/program/lifecycle"],
    "server/http": ["shared"],
    "server/program": ["shared", "server/engine"],
    "server/program/monitor": ["shared", "server/engine", "server/program/lifecycle", "server/http"],
    "server/program/admin": ["shared", "server/engine", "server/program/lifecycle", "server/program/records", "server/program/monitor"],
    "server/tools": ["shared", "server/program/admin/command_list.h"],
    "server/directory": ["shared", "server/http", "server/program/monitor/systemd_notify.h"],
    "server/webrtc": ["shared"],
    "server": ["shared"],
    "client/engine/core": ["shared/engine", "client/game/seam/game_view.h"],
    "client/engine/window": ["shared/engine/base"],
    "client/engine": [],
    "client/text": ["shared/engine/base"],
    "client/game/seam": ["shared/game/seam/game_state.h", "client/engine/core/pose.h"],
    "client/game/view": ["shared", "client/engine"],
    "client/game/looks": ["shared", "client/engine"],
    "client/game/sounds": ["shared/game/map", "client/engine"],
    "client/game/scene": ["shared", "client/engine", "client/game/looks", "client/text"],
    "client/game/hud": ["shared", "client/engine", "client/game/looks", "client/game/scene", "client/text"],
    "client/game/presentation": ["shared", "client/engine", "client/game/hud", "client/game/looks", "client/game/scene", "client/game/sounds",
                                 "client/text"],
    "client/game": [],
    "client/app/config": ["shared/engine", "shared/game", "shared/game/ai", "client/engine", "client/game/hud/controls.h", "client/game/looks/display_options.h",
                          "client/text"],
    "client/app/course": ["shared", "client/engine", "client/game", "client/app/config", "client/text", "client/app/input_script.h"],
    "client/app/web": ["shared/engine/base", "client/text"],
    "client/app/servers": ["shared", "client/engine", "client/app/config", "client/text", "client/app/web"],
    "client/app/friends": ["shared", "client/app/config", "client/app/servers", "client/app/web"],
    "client/app/menu": ["shared", "client/engine", "client/game", "client/app/config", "client/app/friends", "client/app/servers", "client/app/course",
                        "client/text"],
    "client/app/replay": ["shared", "client/engine", "client/engine/replay/playback.h", "client/game", "client/app/config", "client/app/menu",
                          "client/text", "client/app/course", "client/app/web"],
    "client/app": ["shared", "client/engine", "client/game", "client/text"],
    "client/engine/load": ["shared/engine", "client/engine/core"],
    "client/bots": ["shared", "client/engine"],
    "client/engine/replay": ["shared/engine/wire", "shared/engine/sync"],
    "client/replay": ["client/engine/replay", "shared/engine/base", "shared/engine/wire", "shared/engine/options", "shared/engine/sync", "shared/engine/net/crypto/dice.h", "shared/game",
                      "shared/game/map", "shared/physics"],
}
WHOLE = {"shared", "shared/engine", "shared/engine/base", "server", "server/engine", "server/program", "client/engine", "client/game", "client/app"}  # with all rooms that are inside

# The rooms that compute only with integers, and the functions that they may call: no heap, clock, input or output.
INTEGER_ROOMS = ("shared/physics/", "shared/game/", "shared/engine/sync/", "shared/engine/base/error.", "shared/engine/base/hash.", "shared/engine/base/number.h",
                 "shared/engine/base/random.h", "shared/engine/base/utf8.")
READS_FILES = "shared/game/map/tiled/"  # maps become integers there
PURE_SYMBOLS = {"_GLOBAL_OFFSET_TABLE_", "strchr", "memchr", "memcpy", "memmove", "memset", "memcmp", "strcmp", "strlen", "strnlen", "snprintf", "vsnprintf", "__assert_fail",
                "__stack_chk_fail"}


def files(root, suffixes, under=("",)):
    if os.path.isdir(os.path.join(root, ".git")) or os.path.isfile(os.path.join(root, ".git")):
        listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=root, text=True,
                                capture_output=True, check=True).stdout.split("\n")
    else:
        listed = [os.path.relpath(os.path.join(folder, name), root)
                  for folder, _, names in os.walk(root) for name in names]
    return sorted(path for path in listed if path.endswith(suffixes) and path.startswith(tuple(under))
                  and os.path.isfile(os.path.join(root, path)))


def text_of(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def room_of(path):
    return max((room for room in MAY_INCLUDE if path.startswith(room + "/")), key=len, default=None)


def resolve(root, path, name):
    """The file in the tree that an include means, or None for a system header."""
    for base in (os.path.dirname(path), "shared/engine", "shared/game/seam", "shared", "server/engine", "server/program", "server", "client/engine", "client/game", "client/game/seam", "client", ""):
        candidate = os.path.normpath(os.path.join(base, name))
        if os.path.isfile(os.path.join(root, candidate)):
            return candidate
    return os.path.normpath(os.path.join(os.path.dirname(path), name)) if name.startswith("../") else None


def includes(root, path):
    for number, line in enumerate(text_of(root, path).split("\n"), 1):
        found = re.match(r'\s*#\s*include\s+["<]([^">]+)[">]', line)
        if found:
            yield number, found.group(1)


def rule_includes(root):
    """No include points up: each room includes only rooms below it."""
    for path in files(root, SOURCE, ("shared/", "server/", "client/")):
        room = room_of(path)
        for number, name in includes(root, path):
            target = resolve(root, path, name)
            if target is None or room is None or os.path.basename(path).startswith("main."):
                continue
            allowed = [room] + MAY_INCLUDE[room]
            if not any(target == place or room_of(target) == place or (place in WHOLE and target.startswith(place + "/")) for place in allowed):
                yield f"{path}:{number}: {room} may not include {target}"


DEFINED = re.compile(r"^(?!static|extern|typedef|return|else|struct \w+ \{)[a-z][\w \*]*?\b(\w+)(?:\([^;{}]*\)\s*\{|(?:\[\w*\])? = )", re.M)
DECLARED = re.compile(r"^(?!static|typedef|return)(?:extern |DF_API )?[a-z][\w \*]*?\b(\w+)(?:\([^;{}]*\);|(?:\[\w*\])?;)", re.M)


FAMILY_ROOMS = tuple(f"shared/engine/base/platform/{system}" for system in ("posix", "windows", "browser"))


def ground_of(path):
    """The folder of a file; of what one system does for the platform room, that room."""
    folder = os.path.dirname(path)
    return os.path.dirname(folder) if folder in FAMILY_ROOMS else folder


def components(root):
    """The components that each component needs, and the line that shows it. A component is a .c with its .h; a .c without
    one belongs to the header of its folder that declares its functions, or to that of the platform room if it is what one
    system does for it. A header that declares a function of another component needs that component, as if it included it."""
    paths = files(root, SOURCE, ("shared/", "server/", "client/", "tests/"))
    text = {path: text_of(root, path) for path in paths}
    owner = {path: path[:-2] for path in paths}
    declared = {}
    for path in paths:
        if path.endswith(".h"):
            for name in DECLARED.findall(text[path]):
                declared.setdefault(name, []).append(path)
    for path in paths:
        if path.endswith(".c") and path[:-2] + ".h" not in owner:
            for header in [at for name in DEFINED.findall(text[path]) for at in declared.get(name, [])]:
                if ground_of(header) == ground_of(path):
                    owner[path] = owner[header]
                    break
    arrows = {name: {} for name in owner.values()}
    for path in paths:
        for number, name in includes(root, path):
            target = resolve(root, path, name)
            if target in owner and owner[target] != owner[path]:
                arrows[owner[path]].setdefault(owner[target], f"{path}:{number}: includes {target}")
        if path.endswith(".c"):
            for name in DEFINED.findall(text[path]):
                for header in declared.get(name, []):
                    if owner[header] != owner[path] and ground_of(header) == ground_of(path):
                        arrows[owner[header]].setdefault(owner[path], f"{header}: declares {name} of {path}")
    return arrows


def circles(arrows):
    """The strongly connected components of more than one node (Tarjan)."""
    number, low, stack, found = {}, {}, [], []

    def visit(node):
        number[node] = low[node] = len(number)
        stack.append(node)
        for after in sorted(arrows[node]):
            if after not in number:
                visit(after)
                low[node] = min(low[node], low[after])
            elif after in stack:
                low[node] = min(low[node], number[after])
        if low[node] == number[node]:
            circle = [stack.pop()]
            while circle[-1] != node:
                circle.append(stack.pop())
            if len(circle) > 1:
                found.append(sorted(circle))

    for node in sorted(arrows):
        if node not in number:
            visit(node)
    return found


def rule_circles(root):
    """Components form no circle: no two of them depend on each other."""
    arrows = components(root)
    for circle in circles(arrows):
        yield f"a circle of {len(circle)} components: {' '.join(circle)}"
        for here in circle:
            for there in sorted(set(arrows[here]) & set(circle)):
                yield f"    {arrows[here][there]}"


# Circles of files that are still there. This list only shrinks.
FILE_CIRCLES = []

# A function that a .c file defines or a header declares, at the beginning of a line, and an identifier that may be the use of one.
HEAD = re.compile(r"^(?!static [^i]|typedef|return|else|#)[a-z][\w ]*[ *]+(\w+)\(", re.M)
USE = re.compile(r"(?<![\w.>])(?<!struct )(?<!enum )[a-z]\w*\b")


def code_of(root, path):
    """The text of a file without comments and strings."""
    return re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"', "", text_of(root, path))


def rule_file_circles(root):
    """Files form no circle: of two .c files, also of one component, at most one calls the other, itself or by others."""
    code = {path: code_of(root, path) for path in files(root, (".c",), ("shared/", "server/", "client/"))}
    home = {}
    for path, text in code.items():
        for name in re.findall(r"^(?!static|typedef|return|else)[a-z][\w \*]*?\b(\w+)\([^;{}]*\)\s*\{", text, re.M):
            home.setdefault(name, []).append(path)
    home.pop("main", None)
    arrows = {path: {} for path in code}
    for path, text in code.items():
        for name in set(USE.findall(text)) & set(home):
            for other in home[name] if path not in home[name] else []:
                if "/engine/" not in path or "/engine/" in other:  # the engine calls a game only by the seam
                    arrows[path].setdefault(other, name)
    found = circles(arrows)
    for circle in found:
        if circle not in FILE_CIRCLES:
            yield f"a circle of {len(circle)} files: {' '.join(circle)}"
            for here in circle:
                for there in sorted(set(arrows[here]) & set(circle)):
                    yield f"    {here}: calls {arrows[here][there]} of {there}"
    for circle in FILE_CIRCLES:
        if circle not in found:
            yield f"{circle[0]}: is in no circle any more; take it off FILE_CIRCLES in rules.py"


# Public functions that only tests call, and what they ask with them. This list only shrinks.
CALLED_BY_TESTS = {
    "ai_has_bots": "shared/game/ai: whether a world needs a navigation graph",
    "bracket_winner": "server/program/lifecycle: who has won a tournament",
    "font_has": "client/engine/window: whether every character of every language has a glyph",
    "recorder_backlog_bytes": "server/engine/recording: what a slow disk holds back",
    "simulation_graph_count": "client/engine/core: that graphs which nobody uses go",
    "standing_alive": "shared/game/rules: who is left",
}


def rule_callers(root):
    """A public function has a caller in the product: what only tests call goes, or is named in CALLED_BY_TESTS."""
    uses, public = {}, {}
    for path in files(root, SOURCE, ("shared/", "server/", "client/")):
        text = code_of(root, path)
        for name in USE.findall(text):
            uses[name] = uses.get(name, 0) + 1
        for name in HEAD.findall(text):
            uses[name] = uses.get(name, 0) - 1
        if path.endswith(".h") and not path.startswith("shared/physics/"):  # a library is for others
            public.update({name: f"{path}:{number}" for number, name in prototypes(text)})
    for name, place in public.items():
        if uses.get(name, 0) <= 0 and name not in CALLED_BY_TESTS:
            yield f"{place}: nobody calls {name}"
        elif uses.get(name, 0) > 0 and name in CALLED_BY_TESTS:
            yield f"{place}: {name} has a caller; take it off CALLED_BY_TESTS in rules.py"
    for name in sorted(set(CALLED_BY_TESTS) - set(public)):
        yield f"tests/rules/rules.py: CALLED_BY_TESTS names {name}, which is gone"


SOCKET_ROOMS = ("shared/engine/base/", "shared/engine/net/", "server/program/admin/", "server/directory/", "server/http/", "server/program/monitor/", "server/tools/",
                "server/webrtc/")

SDL_ROOMS = ("client/engine/window/",)


def rule_libraries(root):
    """One file includes enet.h, only the window room includes SDL, and only rooms that use the network include sockets."""
    enet = [path for path in files(root, SOURCE, ("shared/", "server/", "client/"))
            if any(name.startswith("enet/") for _, name in includes(root, path))]
    for path in enet[1:]:
        yield f"{path}: enet.h is already included by {enet[0]}"
    for path in files(root, SOURCE, ("shared/", "server/", "client/")):
        for number, name in includes(root, path):
            if "SDL" in name and not path.startswith(SDL_ROOMS):
                yield f"{path}:{number}: SDL belongs in {', '.join(SDL_ROOMS)}"
            if name == "sys/socket.h" and not path.startswith(SOCKET_ROOMS):
                yield f"{path}:{number}: sockets belong in {', '.join(SOCKET_ROOMS)}"


# What only the platform room includes, so that another system is another family of files there.
SYSTEM_HEADER = re.compile(r"(?:sys|arpa|netinet|net|linux)/|(?:unistd|fcntl|signal|poll|dirent|netdb|spawn|pwd|grp|dlfcn|sched|termios|syslog"
                           r"|ifaddrs|glob|ftw|langinfo|semaphore|sysexits|windows|winsock2|ws2tcpip|io|direct|process|emscripten)\.h$")
PLATFORM_ROOM = "shared/engine/base/platform/"

# Files that still call the system, and why. This list only shrinks: an entry that needs no system header is a fault.
CALLS_SYSTEM = {
    "server/directory/main.c": "deadfall-directory runs on Linux",
    "server/program/lifecycle/successor.c": "a server that replaces its program while it runs; only where exec() does",
    "server/program/monitor/systemd_notify.c": "systemd is on Linux",
    "server/program/monitor/webrtc_process.c": "deadfall-webrtc runs on Linux",
    "server/webrtc/main.c": "deadfall-webrtc runs on Linux",
    "server/webrtc/sandbox.c": "the sandbox of deadfall-webrtc",
    "server/webrtc/web_peers.c": "addresses as usrsctp takes them",
    "shared/engine/net/enet/enet_adapter.c": "the proof that the packaged ENet has our sockets; not where ENet is built in",
    "shared/engine/net/webrtc.c": "a socket pair, to deadfall-webrtc",
}


def rule_platform(root):
    """Only shared/engine/base/platform calls the system; the list of the files that still do so only shrinks."""
    still = set()
    for path in files(root, SOURCE, ("shared/", "server/", "client/")):
        if path.startswith(PLATFORM_ROOM):
            continue
        for number, name in includes(root, path):
            if resolve(root, path, name) or not SYSTEM_HEADER.match(name):
                continue
            still.add(path)
            if path not in CALLS_SYSTEM:
                yield f"{path}:{number}: {name} belongs in {PLATFORM_ROOM}"
    for path in sorted(set(CALLS_SYSTEM) - still):
        yield f"{path}: calls the system no more; take it off CALLS_SYSTEM in rules.py"


def rule_spdx(root):
    """Every source file names its licence in the first three lines."""
    scripts = [path for path in files(root, ("",), ("scripts/", ".ci/"))]
    for path in files(root, SPDX_NEEDED) + scripts:
        if "SPDX-License-Identifier: MIT" not in "\n".join(text_of(root, path).split("\n")[:3]):
            yield f"{path}: no SPDX line"


def rule_format(root, only=None):
    """clang-format has nothing to change."""
    paths = only or files(root, SOURCE)
    done = subprocess.run(["clang-format", "--dry-run", "--ferror-limit=1", *paths], cwd=root, text=True, capture_output=True)
    for path in sorted(set(re.findall(r"^([^:\n]+\.[ch]):\d+", done.stderr, re.M))):
        yield f"{path}: clang-format would change it"


def compiled(root, paths):
    """The objects of these files, compiled without floating point, and the first error of each file that does not compile."""
    folder, objects, errors = tempfile.mkdtemp(), {}, {}
    for path in paths:
        target = os.path.join(folder, path.replace("/", "_") + ".o")
        done = subprocess.run(["gcc", "-std=c17", "-D_GNU_SOURCE", "-O0", "-mgeneral-regs-only", "-Ishared", "-Ishared/engine", "-Ishared/game/seam", "-c", path,
                               "-o", target], cwd=root, text=True, capture_output=True)
        if done.returncode == 0:
            objects[path] = target
        else:
            errors[path] = done.stderr.strip().splitlines()[0]
    return objects, errors


def rule_integers(root, only=None, build=None):
    """physics, map, game and ai have no floating point, call only pure functions and have no writable data. That a build has no
    floating point by conversion either is asked by the preset intonly."""
    paths = only or [path for path in files(root, SOURCE, INTEGER_ROOMS) if not path.startswith(READS_FILES)]
    for path in paths:
        for number, line in enumerate(text_of(root, path).split("\n"), 1):
            if re.search(r"\b(float|double)\b", re.sub(r"//.*", "", line)):
                yield f"{path}:{number}: uses a floating-point type"
    sources = [path for path in paths if path.endswith(".c")]
    if build:
        built = {os.path.join(root, path): path for path in sources}
        objects, errors = {}, {}
        for target in glob.glob(os.path.join(build, "shared/**/CMakeFiles/*.dir/**/*.c.o"), recursive=True):
            before, _, after = os.path.relpath(target, build).partition("/CMakeFiles/")
            path = built.get(os.path.join(root, before, after.split("/", 1)[1][:-2]))
            if path:
                objects[path] = target
        errors = {path: f"is not in {build}" for path in set(sources) - set(objects)}
    else:
        objects, errors = compiled(root, sources)
    for path, error in errors.items():
        yield f"{path}: does not compile without floating point: {error}"
    # One line of the table: value, flags, section, size, name. Sizes of what has none are 0.
    table = subprocess.run(["objdump", "-t", *objects.values()], text=True, capture_output=True, check=True).stdout
    symbols = {path: re.findall(r"^[0-9a-f]{8,} (.{7}) (\S+)\s+0*([0-9a-f]+)\s+(?:\.hidden )?(\S+)$", part, re.M)
               for path, part in zip(objects, re.split(r"^\S+:     file format .*$", table, flags=re.M)[1:], strict=True)}
    own = {name for part in symbols.values() for flags, section, _, name in part if section != "*UND*" and flags[0] == "g"}
    for path, part in symbols.items():
        called = {re.sub(r"^__(\w+)_chk$", r"\1", name) for _, section, _, name in part if section == "*UND*"}  # as FORTIFY calls them
        for name in sorted(called - own - PURE_SYMBOLS):
            yield f"{path}: calls {name}"
        for _, section, size, name in part:
            if re.match(r"(?:\.data(?!\.rel\.ro)|\.bss|\.tdata|\.tbss|\*COM\*)", section) and size not in ("", "0") and name != section:
                yield f"{path}: has writable data: {name}"


def rule_decoders(root):
    """A decoder checks and never asserts."""
    head = re.compile(r"^\w[^;{}=]*\b(\w+_(?:decode|read|parse|next|open))\s*\([^;]*\)\s*\{", re.M)
    for path in files(root, (".c",), ("shared/engine/wire/", "shared/engine/net/")):
        text = text_of(root, path)
        for found in head.finditer(text):
            body = text[found.end():text.find("\n}", found.end())]
            if re.search(r"\bassert\s*\(", body):
                yield f"{path}: {found.group(1)} asserts on what it decodes"


# Rooms where time is an argument, so that tests can choose it.
TIMELESS = ("shared/physics/", "shared/game/", "shared/engine/wire/", "shared/engine/options/", "server/engine/match/", "server/engine/recording/",
            "client/engine/core/", "client/engine/replay/")


def rule_clocks(root):
    """Only a main.c, shared/engine/base/clock.c and the platform's room read a system clock; some rooms do not even call base/clock."""
    system = re.compile(r"\b(clock_gettime|clock_getres|clock_nanosleep|nanosleep|usleep|gettimeofday|timespec_get|ftime|clock|sleep"
                        r"|gmtime(?:_r)?|localtime(?:_r)?)\s*\(|\btime\s*\(\s*(NULL|0|&)"
                        r"|CLOCK_(?:REALTIME|TAI|BOOTTIME)\w*|\b(SDL_GetTicks\w*|SDL_GetPerformance\w+|SDL_Delay)\b")
    asks = re.compile(r"\bclock_(now_ns|unix_s|process_cpu_ns|sleep|sleep_until)\s*\(")
    for path in files(root, SOURCE, ("server/", "client/", "shared/")):
        if path == "shared/engine/base/clock.c" or path.startswith(PLATFORM_ROOM) or os.path.basename(path) == "main.c":
            continue
        for number, line in enumerate(text_of(root, path).split("\n"), 1):
            code = line.split("//")[0]
            found = system.search(code)
            if found:
                yield f"{path}:{number}: reads a clock: {found[0]}; take the time as an argument, or call base/clock"
            elif path.startswith(TIMELESS) and asks.search(code):
                yield f"{path}:{number}: calls base/clock; here time is an argument"


# What needs the real world, and so the real clock: why, and how many lines still sleep or ask for the time. They become fewer.
REAL_TIME = {
    "tests/system/browser.py": ("Chromium", 4),
    "tests/system/browser_test.py": ("Chromium", 4),
    "tests/system/home_router.py": ("a router, for scenes and for Wine", 4),
    "tests/system/invitation_test.py": ("the desktop's own tools", 1),
    "tests/system/prometheus_test.py": ("Prometheus", 5),
    "tests/system/same_report.py": ("nothing: it runs itself as a scene", 2),
}


def scenes(root):
    """The files that CMake runs as scenes, and what they import."""
    registered = "".join(text_of(root, path) for path in files(root, ("CMakeLists.txt",), ("tests/",)))
    in_c = re.search(r"set\(scenes ([^)]*)\)", registered)[1].split()
    found = set(re.findall(r"deadfall_scene\(\S+ (\w+)\.(?:py|sh)", registered))
    while True:
        imported = {name for path in files(root, (".py",), ("tests/system/", "tests/unit/")) if os.path.basename(path)[:-3] in found
                    for name in re.findall(r"^(?:from|import) (\w+)", text_of(root, path), re.M)}
        if imported <= found:
            return found | set(in_c)
        found |= imported


def rule_waits(root):
    """A test of programs is a scene in virtual time (tests/tools/stage), where sleeping costs nothing. What needs the real world is named in
    REAL_TIME and waits for events: what ends a wait is a diagnosis, the patience of processes.py."""
    staged = scenes(root)
    clocks = {".py": r"\btime\.sleep\((?!0\))|\btime\.(?:monotonic|perf_counter|process_time)(?:_ns)?\(\)", ".sh": r"^\s*sleep [\d.]",
              ".c": r"^\s+(?:nano|u)?sleep\("}
    for path in files(root, tuple(clocks), ("tests/system/", "tests/unit/", "tests/screens/", "tests/session/", "tests/golden/")):
        name, kind = os.path.splitext(os.path.basename(path))
        if name in staged or path == "tests/system/processes.py":
            continue
        lines = [number for number, line in enumerate(text_of(root, path).split("\n"), 1) if re.search(clocks[kind], line)]
        may = REAL_TIME.get(path, ("", 0))[1]
        if len(lines) > may:
            yield (f"{path}:{lines[-1]}: goes by the machine's clock in {len(lines)} lines, not {may}; make it a scene (deadfall_scene), or wait "
                   "for the event (wait_for)")


def rule_top_level(root):
    """The top level has no unknown entries."""
    for name in sorted({path.split("/")[0] for path in files(root, ("",))}):
        if name not in TOP_LEVEL:
            yield f"{name}: an unknown top-level entry; see TOP_LEVEL in rules.py"


def rule_warnings(root):
    """Every warning flag is on, and warnings are errors."""
    text = text_of(root, "CMakeLists.txt")
    for flag in ("-Wall", "-Wextra", "-Wconversion", "-Wsign-conversion", "-Wshadow", "-Wstrict-prototypes",
                 "-Wmissing-prototypes", "-Wvla", "-Wundef", "-Werror"):
        if not re.search(re.escape(flag) + r"(?![\w-])", text):
            yield f"CMakeLists.txt: {flag} is missing"
    for path in files(root, ("CMakeLists.txt",)):
        if re.search(r"-Wno-|-w\b", text_of(root, path)):
            yield f"{path}: turns a warning off"


def prototypes(text):
    """Each function that a header declares or defines: the number of its first line, from 1, and its name."""
    lines = text.split("\n")
    for number, line in enumerate(lines, 1):
        found = re.match(r"(?!typedef|#|//|extern|return|else)(?:static inline |struct |enum |const |unsigned )*\w[\w ]*[ *]\**(\w+)\(", line)
        if found:
            yield number, found.group(1)


def prefixes_of(root, path):
    """The prefixes that functions of a header may have: the name of its file in singular or plural, the name of the
    module that the file is a part of (play_chat.h beside play.h), or that of the .c file which has them, if that has no
    header of its own. What is for one system alone names it first."""
    stem = os.path.basename(path)[:-2]
    if os.path.dirname(path) in FAMILY_ROOMS:
        stem = f"{os.path.basename(os.path.dirname(path))}_{stem}"
    allowed = [stem, stem + "s"]
    if stem.endswith("ies"):
        allowed.append(stem[:-3] + "y")
    elif stem.endswith("s"):
        allowed.append(stem[:-1])
    module = stem
    while "_" in module:
        module = module.rsplit("_", 1)[0]
        if os.path.isfile(os.path.join(root, os.path.dirname(path), module + ".h")):
            allowed.append(module)
    folder = os.path.join(root, os.path.dirname(path))
    sources = {name[:-2] for name in os.listdir(folder) if name.endswith(".c")}
    owners = {name: stem for stem in sources if not os.path.isfile(os.path.join(folder, stem + ".h"))
              for name in DEFINED.findall(text_of(folder, stem + ".c"))}
    return allowed, owners


def rule_prefixes(root):
    """A public function has the name of its file as a prefix."""
    for path in files(root, (".h",), ("shared/", "server/", "client/")):
        allowed, owners = prefixes_of(root, path)
        for number, name in prototypes(text_of(root, path)):
            if path.startswith("shared/physics/") and name.startswith("df_"):
                continue  # the installed library has one prefix
            if not any(name == prefix or name.startswith(prefix + "_") for prefix in allowed + [owners.get(name, allowed[0])]):
                yield f"{path}:{number}: {name} does not begin with {allowed[0]}_"


# Words that once had a private meaning here, and the word of the field or of the glossary to use instead.
WORDS_INSTEAD = {
    "attract": "demo", "ballot": "vote", "blast": "explosion", "brain": "ai", "crowd": "players", "deed": "action",
    "desk": "admin", "ears": "listener", "gate": "filter", "glance": "query", "guest": "client", "hands": "inputs",
    "intake": "receiver", "news": "events", "pace": "rate", "paper": "panel", "parcel": "packet",
    "party": "local players", "presence": "integration", "published": "status", "quiver": "ammo", "recall": "kill cam",
    "seal": "encrypt", "sealed": "encrypted", "sentence": "text", "strike": "hit", "survival": "recovery",
    "talk": "chat", "theatre": "replay", "told": "shown", "verdict": "result", "wardrobe": "cosmetics",
    "watch": "spectate", "whom": "receiver", "wish": "request",
}


def identifiers(text):
    """Every identifier in C code outside of comments, strings and includes, with its line number."""
    text = re.sub(r'//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|^\s*#\s*include[^\n]*', "", text, flags=re.M)
    for number, line in enumerate(text.split("\n"), 1):
        for name in re.findall(r"\b[A-Za-z_]\w*", line):
            yield number, name


def rule_words(root):
    """Identifiers and file names use the words of the glossary."""
    for path in files(root, SOURCE):
        for word in re.split(r"[_./]", path):
            if word in WORDS_INSTEAD:
                yield f"{path}: the path contains '{word}': say '{WORDS_INSTEAD[word]}'"
        for number, name in identifiers(text_of(root, path)):
            for word in name.lower().split("_"):
                if word in WORDS_INSTEAD:
                    yield f"{path}:{number}: {name} contains '{word}': say '{WORDS_INSTEAD[word]}'"


def rule_style(root):
    """One style for each question that clang-format leaves open."""
    for path in files(root, SOURCE):
        lines = text_of(root, path).split("\n")
        for number, line in enumerate(lines, 1):
            if path.endswith(".c") and line.startswith("///"):
                yield f"{path}:{number}: /// documents what a header declares; here a comment is //"
            if re.match(r"\s+const (?:\w+ )*\w+ \w+(?: =|\[.*\] =)", line) and "*" not in line.split("=")[0]:
                yield f"{path}:{number}: a local value is not const"
            if re.search(r"\(void \*\)0|[=!]= 0L\b", line):
                yield f"{path}:{number}: a null pointer is NULL"
        if path.endswith(".h") and not path.startswith("tests/"):
            declared = {number for number, _ in prototypes("\n".join(lines))}
            for number in sorted(declared):
                above = number - 2
                while above >= 0 and (above + 1 in declared or lines[above].startswith((" ", "    "))) and lines[above]:
                    above -= 1
                if above < 0 or not lines[above].startswith("///"):
                    yield f"{path}:{number}: a public function without ///"


def catalogue(text):
    """The entries of a .po file: the forms of the translation by the English sentence, and by its plural."""
    unquoted = re.compile(r'"((?:[^"\\]|\\.)*)"')
    entries = {}
    for entry in text.split("\n\n"):
        parts = {}
        for keyword, strings in re.findall(r'^(msg\S+) ((?:"(?:[^"\\]|\\.)*"\n?)+)', entry, re.M):
            parts[keyword] = "".join(unquoted.findall(strings))
        if parts.get("msgid"):
            forms = [parts[keyword] for keyword in sorted(parts) if keyword.startswith("msgstr")]
            entries[parts["msgid"]] = (parts.get("msgid_plural"), forms)
    return entries


def placeholders(sentence):
    return re.findall(r"%%|%[-+ #0]*[\d.*]*(?:hh|h|ll|l|z)?[a-zA-Z]|\{\w+\}", sentence)


def rule_sentences(root):
    """Every sentence of the window is in every language, with the same placeholders, and no other is there."""
    with tempfile.TemporaryDirectory() as folder:
        listed = os.path.join(folder, "list.pot")
        subprocess.run([os.path.join(root, "tests/tools/words_renew.sh"), listed], check=True)
        with open(listed, encoding="utf-8") as file:
            keys = catalogue(file.read())
    for path in files(root, ".po", ("client/text/",)):
        known = catalogue(text_of(root, path))
        for key in sorted(set(keys) - set(known)):
            users = [name for name in files(root, SOURCE, ("client/", "shared/")) if key[:30] in text_of(root, name)]
            yield f"{path}: no entry for \"{key}\" of {', '.join(users)}; run tests/tools/words_renew.sh"
        for key in sorted(set(known) - set(keys)):
            yield f"{path}: nobody uses \"{key}\"; run tests/tools/words_renew.sh"
        for key, (plural, forms) in known.items():
            wanted = sorted(placeholders(plural or key))
            if not all(forms):
                yield f"{path}: \"{key}\" is not translated"
            for form in forms:
                # The order of C's placeholders is that of the arguments; names may move.
                kept = [found for found in placeholders(form) if found[0] == "%"]
                if form and (sorted(placeholders(form)) != wanted
                             or kept != [found for found in placeholders(plural or key) if found[0] == "%"]):
                    yield f"{path}: \"{form}\" has other placeholders than \"{key}\""
    # A server, or the room of keys, says each form of client/text/server_lines.c: there %s stands for what any
    # placeholder prints.
    said = "".join(text_of(root, path) for path in files(root, (".c", ".h"), ("server/", "shared/engine/net/")))
    said = re.sub(r'" PRI\w+\s*"', "d", said)
    said = re.sub(r'" PRI\w+', 'd"', said).replace("{slash}", "/")
    said = re.sub(r'"\s*\n\s*"', "", said)
    said = re.sub(r"%[\d.*]*l{0,2}[sdu]|\{\w+\}", "%s", said)
    path = "client/text/server_lines.c"
    for form in re.findall(r'TEXT_KEY\("((?:[^"\\]|\\.)*)"\)', text_of(root, path)):
        if f'"{form}"' not in said:
            yield f"{path}: no server says \"{form}\""
    for path in files(root, ".c", ("client/app/menu/",)):
        for number, line in enumerate(text_of(root, path).split("\n"), 1):
            if re.search(r'(\.(label|help|title|extra_hint) =|\{ITEM_\w+,) "[^"]*[A-Za-z]', line):
                yield f"{path}:{number}: a sentence without text_of() or TEXT_KEY()"


def rule_physics_fuzzer(root):
    """The fuzzer of the physics calls every public function of the library."""
    fuzzer = text_of(root, "tests/fuzz/shared/physics_fuzz.c")
    for header in ["physics.h", *re.findall(r'#include "(\w+\.h)"', text_of(root, "shared/physics/physics.h"))]:
        path = f"shared/physics/{header}"
        for name in re.findall(r"^(?:DF_API|static inline) [^;{]*?\b(df_\w+)\(", text_of(root, path), re.M):
            if not re.search(rf"\b{name}\(", fuzzer):
                yield f"{path}: tests/fuzz/shared/physics_fuzz.c does not call {name}"


def anchors(text):
    """The anchors of a page's headings, as GitHub makes them."""
    found = {}
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M):
        name = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        found[name] = found.get(name, 0) + 1
    return set(found) | {f"{name}-{again}" for name, count in found.items() for again in range(1, count)}


# A path from the top of the tree, as pages name it; * and words in capitals stand for any name.
NAMED_PATH = re.compile(r"(?<![\w/.~$-])((?:shared|server|client|tests|docs|scripts)/[\w./*-]*[\w*])")


def rule_links(root):
    """Every relative link of a page leads to a file of the tree, and to a heading if it names one; every path that a page names is there."""
    known = files(root, ("",))
    places = set(known) | {folder for path in known for folder in parents(path)}
    for path in files(root, (".md",)):
        text = re.sub(r"^```.*?^```", lambda code: "\n" * code[0].count("\n"), text_of(root, path), flags=re.M | re.S)
        for number, line in enumerate(text.split("\n"), 1):
            for target in re.findall(r"\]\(([^()\s]+)\)", line):
                if re.match(r"[a-z]+:", target):
                    continue
                name, _, anchor = target.partition("#")
                to = os.path.normpath(os.path.join(os.path.dirname(path), name)) if name else path
                if to not in places:
                    yield f"{path}:{number}: {target} leads nowhere"
                elif anchor and to.endswith(".md") and anchor not in anchors(text_of(root, to)):
                    yield f"{path}:{number}: {target}: no such heading"
            for name in NAMED_PATH.findall(line):
                if not fnmatch.filter(places, re.sub(r"\b[A-Z]{2,}\b", "*", name)):
                    yield f"{path}:{number}: {name} is not there"


def parents(path):
    """The folders that a file is in."""
    while path := os.path.dirname(path):
        yield path


RULES = {name[5:]: check for name, check in list(globals().items()) if name.startswith("rule_")}

# Rules that are dear, and find the faults of each file by itself.
FILE_BY_FILE = {"format", "integers"}

# One planted fault per row: the rule, the file, and the text to append; a missing file is created.
PLANTS = [
    ("includes", "shared/physics/space.h", '#include "../game/world.h"\n'),
    ("includes", "shared/physics/types.h", '#include "../base/file.h"\n'),
    ("includes", "shared/engine/base/file.h", '#include "../physics/types.h"\n'),
    ("includes", "shared/game/map/map.h", '#include "game/tuning.h"\n'),
    ("includes", "shared/game/step.h", '#include "game/ai/ai.h"\n'),
    ("includes", "shared/engine/wire/message.h", '#include "../../../server/program/server.h"\n'),
    ("includes", "shared/engine/wire/message.h", '#include "../../game/tuning.h"\n'),
    ("includes", "shared/engine/sync/game.h", '#include "../../game/step.h"\n'),
    ("includes", "client/engine/core/view.h", '#include "../app/app.h"\n'),
    ("includes", "client/engine/core/prediction.h", '#include "game/step.h"\n'),
    ("includes", "client/engine/core/client.h", '#include "load/swarm.h"\n'),
    ("includes", "client/engine/load/load_client.c", '#include "game/ai/ai.h"\n'),
    ("includes", "client/engine/load/load_game.h", '#include "../../game/seam/game_view.h"\n'),
    ("includes", "client/text/text.h", '#include "game/looks/palette.h"\n'),
    ("includes", "client/engine/window/canvas.h", '#include "hud/hud.h"\n'),
    ("includes", "client/engine/window/window.h", '#include "../../../shared/game/step.h"\n'),
    ("includes", "client/game/looks/palette.h", '#include "scene/frame.h"\n'),
    ("includes", "server/engine/match/match.h", '#include "admin/ban.h"\n'),
    ("includes", "server/engine/match/match.h", '#include "game/tuning.h"\n'),
    ("circles", "shared/game/state.h", '#include "step.h"\n'),
    ("circles", "shared/engine/base/platform/disk.h", '#include "process.h"\n'),
    ("circles", "shared/engine/sync/world.h", "#include \"event_log.h\"\n"),
    ("file_circles", "shared/engine/wire/replay_reader.c", "void replay_reader_planted(void)\n{\n    replay_writer_planted();\n}\n"),
    ("file_circles", "shared/engine/wire/replay_writer.c", "void replay_writer_planted(void)\n{\n    replay_reader_planted();\n}\n"),
    ("callers", "shared/engine/wire/bits.h", "/// Planted.\nvoid bits_planted(struct bit_writer *writer);\n"),
    ("callers", "server/engine/match/match_state.h", "/// Planted: vote_planted() is not called.\nvoid vote_planted(struct match *match);\n"),
    ("libraries", "server/engine/match/planted.c", "// SPDX-License-Identifier: MIT\n#include <enet/enet.h>\n"),
    ("libraries", "client/engine/core/planted.c", "// SPDX-License-Identifier: MIT\n#include <SDL.h>\n"),
    ("libraries", "client/app/app.h", "#include <SDL_scancode.h>\n"),
    ("libraries", "client/app/menu/menu.h", "#include <SDL.h>\n"),
    ("includes", "client/app/config/preferences.h", '#include "hud/hud.h"\n'),
    ("includes", "client/engine/window/mixer.h", '#include "app/app.h"\n'),
    ("platform", "client/engine/core/planted.c", "// SPDX-License-Identifier: MIT\n#include <unistd.h>\n"),
    ("platform", "shared/engine/net/planted.h", "// SPDX-License-Identifier: MIT\n#include <winsock2.h>\n"),
    ("spdx", "server/planted.c", "int planted(void);\n"),
    ("format", "server/planted.h", "// SPDX-License-Identifier: MIT\nint   planted( void );\n"),
    ("integers", "shared/game/planted.c", "// SPDX-License-Identifier: MIT\nfloat planted(float a) { return a * 2; }\n"),
    ("integers", "shared/game/rules/planted.c", "// SPDX-License-Identifier: MIT\nint planted_count = 1;\n"),
    ("integers", "shared/game/map/planted.c", "// SPDX-License-Identifier: MIT\nint planted_count = 1;\n"),
    ("integers", "shared/game/ai/planted.c", "// SPDX-License-Identifier: MIT\ndouble planted(double a) { return a / 2; }\n"),
    ("integers", "shared/physics/planted.c",
     "// SPDX-License-Identifier: MIT\n#include <stdlib.h>\nvoid *df_planted(void) { return malloc(8); }\n"),
    ("decoders", "shared/engine/wire/planted.c",
     "// SPDX-License-Identifier: MIT\nbool planted_decode(int a)\n{\n    assert(a > 0);\n    return a;\n}\n"),
    ("clocks", "server/engine/match/planted.c", "// SPDX-License-Identifier: MIT\nlong planted(void) { return time(NULL); }\n"),
    ("clocks", "client/engine/core/planted.h", "// SPDX-License-Identifier: MIT\n#define PLANTED CLOCK_REALTIME\n"),
    ("clocks", "client/app/planted.c",
     "// SPDX-License-Identifier: MIT\nvoid planted(struct timespec *now) { clock_gettime(CLOCK_MONOTONIC, now); }\n"),
    ("clocks", "client/engine/core/planted.c",
     "// SPDX-License-Identifier: MIT\nuint64_t planted(void) { return clock_now_ns(); }\n"),
    ("waits", "tests/system/windows_test.py", "    time.sleep(2)\n"),
    ("waits", "tests/system/planted_test.py", "# SPDX-License-Identifier: MIT\nassert time.monotonic() - begun < 5\n"),
    ("waits", "tests/system/desktop_test.sh", "sleep 1\n"),
    ("waits", "tests/session/session_test.c", "static void planted(void)\n{\n    usleep(1000);\n}\n"),
    ("prefixes", "shared/engine/base/platform/windows/system.h", "/// Planted.\nbool system_planted(int a);\n"),
    ("prefixes", "shared/engine/wire/bits.h", "/// Planted.\nbool planted_decode(int a);\n"),
    ("prefixes", "client/game/hud/hud.h", "/// Planted: scoreboard.c has no such function.\nvoid scoreboard_planted(int a);\n"),
    ("words", "server/engine/match/match.h", "struct planted {\n    int guest;\n};\n"),
    ("words", "client/engine/core/told.c", "// SPDX-License-Identifier: MIT\n"),
    ("style", "shared/engine/wire/bits.h", "\nvoid bits_planted(int a);\n"),
    ("style", "shared/engine/wire/bits.c", "void bits_planted(void)\n{\n    const int a = 1;\n}\n"),
    ("style", "shared/engine/wire/bits.c", "/// Planted.\nstatic int planted;\n"),
    ("sentences", "client/text/text.h", '#define PLANTED text_of("a planted line")\n'),
    ("sentences", "client/text/de.po", '\nmsgid "planted"\nmsgstr "gepflanzt"\n'),
    ("sentences", "client/text/pl.po", '\nmsgid "mode: %s"\nmsgstr "tryb: %u"\n'),
    ("sentences", "client/text/ja.po", '\nmsgid "Settings"\nmsgstr ""\n'),
    ("sentences", "client/text/server_lines.c", '#define PLANTED TEXT_KEY("%s plants %s.")\n'),
    ("sentences", "client/app/menu/menu.c", 'static const struct item PLANTED = {.label = "Planted"};\n'),
    ("physics_fuzzer", "shared/physics/cast.h",
     "/// Planted.\nDF_API struct df_cast df_cast_planted(const struct df_space *space,\n"
     "                                              int32_t a);\n"),
    ("physics_fuzzer", "shared/physics/types.h", "static inline int df_planted(void)\n{\n    return 0;\n}\n"),
    ("links", "README.md", "[planted](docs/planted.md)\n"),
    ("links", "docs/world.md", "[planted](physics.md#planted)\n"),
    ("links", "CONTRIBUTING.md", "| planted | shared/game/planted.c |\n"),
    ("top_level", "planted.txt", "lost\n"),
    ("warnings", "server/CMakeLists.txt", "add_compile_options(-Wno-shadow)\n"),
]


def plant(root):
    """Copies the tree once, plants faults, those of one rule in different files at once, and checks the rule."""
    failed = 0
    copy = tempfile.mkdtemp()
    for path in files(root, ("",)):
        target = os.path.join(copy, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        shutil.copy(os.path.join(root, path), target)
    rest = list(PLANTS)
    while rest:
        rule = rest[0][0]
        texts = {path: text for name, path, text in reversed(rest) if name == rule}
        rest = [row for row in rest if row[0] != rule or texts[row[1]] != row[2]]
        before = {}
        for path, text in texts.items():
            target = os.path.join(copy, path)
            before[target] = open(target, encoding="utf-8").read() if os.path.exists(target) else None
            os.makedirs(os.path.dirname(target), exist_ok=True)
            with open(target, "a", encoding="utf-8") as file:
                file.write(text)
        faults = list(RULES[rule](copy, only=list(texts)) if rule in FILE_BY_FILE else RULES[rule](copy))
        for path in texts:
            caught = any(path in fault for fault in faults)
            print(f"{'caught' if caught else 'MISSED'}: {rule}: {path}")
            failed += not caught
        for target, text in before.items():
            if text is None:
                os.remove(target)
            else:
                with open(target, "w", encoding="utf-8") as file:
                    file.write(text)
    shutil.rmtree(copy)
    return failed


def main():
    if sys.argv[1:] == ["--list"]:
        print("\n".join(RULES))
        return 0
    if len(sys.argv) not in (3, 4) or (sys.argv[2] != "--plant" and sys.argv[2] not in RULES):
        print(__doc__, file=sys.stderr)
        return 64
    if sys.argv[2] == "--plant":
        return 1 if plant(sys.argv[1]) else 0
    build = {"build": sys.argv[3]} if sys.argv[3:] and sys.argv[2] == "integers" else {}
    faults = list(RULES[sys.argv[2]](sys.argv[1], **build))
    print("\n".join(faults) if faults else f"{sys.argv[2]}: kept")
    return 1 if faults else 0


sys.exit(main())
