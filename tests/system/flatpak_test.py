#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Flatpak, built and run: flatpak_test.py SOURCE_FOLDER WORK_FOLDER SERVER

The runtimes of flathub.org cannot be fetched everywhere. Stand-ins of the same names take their place, which are this machine's
/usr: so this test proves the manifest, what is exported, the permissions, and how the game behaves inside, but not that the real
runtime has the libraries. All modules of the manifest are built, which takes minutes and Debian's archive. Needs root. It is a kind
of its own (tests/kinds).
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from processes import LOOPBACK, Server, check, need, read_text, skip, wait_for, write
from window import x_server

SOURCE, WORK, SERVER = (os.path.abspath(path) for path in sys.argv[1:4])
ID = "net.deadfall.Deadfall"
FOLDER = os.path.join(SOURCE, "shared/packages/flatpak")
HOME = os.path.join(WORK, "home")
RUNTIMES = "org.freedesktop.Platform", "org.freedesktop.Sdk"
PERMISSIONS = {"--share=network", "--share=ipc", "--socket=wayland", "--socket=fallback-x11", "--socket=pulseaudio", "--device=dri",
               "--device=input"}
OF_THE_RUNTIME = [r"lib(c|m|SDL2-2\.0|png16|curl|sqlite3|z)\.so\.\d+$", r"ld-linux"]
FIRST_WITH_INPUT = (1, 15, 6)


def environment(**more):
    runtime = os.path.join(WORK, "runtime")
    os.makedirs(runtime, mode=0o700, exist_ok=True)
    return {"PATH": os.environ["PATH"], "HOME": HOME, "LC_ALL": "C.UTF-8", "XDG_RUNTIME_DIR": runtime, **more}


def passes(what, *words, folder=None, timeout=120, **more):
    done = subprocess.run(words, text=True, capture_output=True, timeout=timeout, check=False, env=environment(**more), cwd=folder)
    check(done.returncode == 0, f"{what}: exit {done.returncode}\n{(done.stdout + done.stderr)[-3000:]}")
    return done.stdout + done.stderr


def manifest():
    return json.loads(passes("manifest", "flatpak-builder", "--show-manifest", os.path.join(FOLDER, f"{ID}.yaml"), folder=WORK))


def stand_in(version):
    """Installs runtimes whose files are those of this machine."""
    for name in RUNTIMES:
        place = os.path.join(HOME, ".local/share/flatpak/runtime", name, "x86_64", version, "active/files")
        if not os.path.isdir(place):
            with tempfile.TemporaryDirectory() as folder:
                os.makedirs(os.path.join(folder, "files"))
                os.makedirs(os.path.join(folder, "usr"))
                write(os.path.join(folder, "files/.ref"), "")
                write(os.path.join(folder, "metadata"), f"[Runtime]\nname={name}\nruntime={RUNTIMES[0]}/x86_64/{version}\nsdk={RUNTIMES[1]}/x86_64/{version}\n")
                passes("export", "flatpak", "build-export", "-r", "repo", folder, version, folder=WORK)
            passes("remote", "flatpak", "--user", "remote-add", "--no-gpg-verify", "--if-not-exists", "local", "repo", folder=WORK)
            passes("install", "flatpak", "--user", "install", "-y", "--noninteractive", "local", name)
        for part in "usr/bin", "usr/sbin", "usr/lib", "usr/lib64", "usr/libexec", "usr/include", "usr/share", "etc/alternatives":
            if os.path.isdir(f"/{part}"):
                there = os.path.join(place, part.removeprefix("usr/"))
                os.makedirs(there, exist_ok=True)
                passes("mount", "mount", "--bind", f"/{part}", there)


def with_what_is_here(asked):
    """Changes a manifest as far as this machine makes it necessary, and says so."""
    version = tuple(map(int, re.findall(r"\d+", passes("version", "flatpak", "--version"))))
    if version < FIRST_WITH_INPUT:
        print("this flatpak knows no --device=input: built with --device=all")
        asked["finish-args"] = [word.replace("device=input", "device=all") for word in asked["finish-args"]]
    for module in asked["modules"]:
        for source in module["sources"]:
            if source["type"] == "dir":
                source["path"] = SOURCE
        addresses = [url for source in module["sources"] if "url" in source for url in [source["url"], *source.get("mirror-urls", [])]]
        check(not addresses or any(subprocess.run(["curl", "-sfIL", "-m", "20", "-o", "/dev/null", url], check=False).returncode == 0
                                   for url in addresses), f"no server has {module['name']}")
    return asked


def build_modules(asked):
    path = os.path.join(WORK, f"{ID}.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(asked, file, indent=1)
    passes("flatpak-builder", "flatpak-builder", "--user", "--force-clean", "--disable-rofiles-fuse", "--state-dir=state", "--repo=repo",
           *(["--ccache"] if shutil.which("ccache") else []), "app", path, folder=WORK, timeout=3600)


def builds():
    asked = manifest()
    check(set(asked["finish-args"]) == PERMISSIONS, f"no more permissions than needed: {asked['finish-args']}")
    stand_in(asked["runtime-version"])
    build_modules(with_what_is_here(asked))
    passes("install", "flatpak", "--user", "install", "-y", "--noninteractive", "--reinstall", "local", ID)


def what_is_inside():
    files = os.path.join(HOME, f".local/share/flatpak/app/{ID}/current/active/files")
    exported = os.path.join(files, "../export/share/applications", f"{ID}.desktop")
    # Before 1.3.4, flatpak-builder gives it the name that it had earlier.
    [metainfo] = glob.glob(os.path.join(files, f"share/metainfo/{ID}.metainfo.xml")) or glob.glob(os.path.join(files, f"share/appdata/{ID}.*"))
    entry = read_text(exported)
    check(f"{ID} @@u %u @@" in entry and "MimeType=x-scheme-handler/deadfall;" in entry, entry)
    check(glob.glob(os.path.join(files, f"../export/share/icons/hicolor/scalable/apps/{ID}.svg")), "the icon is exported")
    for tool, *words in (["desktop-file-validate", exported], ["appstreamcli", "validate", "--strict", "--no-net", metainfo]):
        if shutil.which(tool):
            passes(tool, tool, *words)
    found = sorted(os.listdir(os.path.join(files, "bin")))
    check("deadfall" in found and "deadfall-server" in found and "deadfall-directory" not in found, f"programs: {found}")
    for program in found:
        needed = re.findall(r"NEEDED.*\[(.*)\]", passes("readelf", "readelf", "-dW", os.path.join(files, "bin", program)))
        odd = [name for name in needed if not any(re.match(row, name) for row in OF_THE_RUNTIME)]
        check(not odd, f"{program} needs {odd}, which the runtime has not")
    check(not glob.glob(os.path.join(files, "**/*.a"), recursive=True), "no libraries for building are left")
    print(f"built: {', '.join(found)}")


def plays():
    passes("a match", "flatpak", "run", "--env=SDL_VIDEODRIVER=dummy", "--env=SDL_AUDIODRIVER=dummy", ID, "--host", "--frames", "300")
    kept = os.path.join(HOME, f".var/app/{ID}/.local/state/deadfall/player.key")
    check(os.path.exists(kept) and not os.path.exists(os.path.join(HOME, ".local/state/deadfall")), "keys are in the Flatpak's folder")
    print("a match with bots is played, and the key is in the Flatpak's own folder")


def a_link_is_followed():
    """A second program of the Flatpak hands its link to the window of the first."""
    if not shutil.which("Xvfb"):
        return print("Xvfb is missing: no link is tried")
    screen, display = x_server("1280x720", "-ac")
    shared = os.path.join(WORK, "runtime/app", ID, "deadfall-window.sock")
    if os.path.lexists(shared): # of a window that was killed
        os.unlink(shared)
    with tempfile.TemporaryDirectory() as folder, Server(SERVER, "--map", "duel") as server:
        with open(os.path.join(folder, "log"), "w", encoding="utf-8") as log:
            window = subprocess.Popen(["flatpak", "run", "--env=SDL_AUDIODRIVER=dummy", ID, "--windowed"], stdout=log, stderr=log,
                                      env=environment(DISPLAY=display))
        wait_for(lambda: os.path.exists(shared) or window.poll() is not None, "a window listens for links")
        check(window.poll() is None, f"a window is open\n{read_text(os.path.join(folder, 'log'))}")
        output = passes("a link", "flatpak", "run", ID, "--log-level", "info", f"deadfall://{LOOPBACK}:{server.port}", DISPLAY=display)
        check("The window that is open follows" in output, f"the window follows the link\n{output}")
        wait_for(lambda: " joins at slot " in server.log(), "the player is in the match")
        passes("end", "flatpak", "kill", ID)
        window.wait(20)
    screen.terminate()
    screen.wait()
    print("a link is followed by the window that is open, in the other program's sandbox")


def main():
    need("flatpak-builder", "unshare", "bwrap", "eu-strip", "appstream-compose", kind="flatpak")
    if os.geteuid() != 0:
        skip("only root can put this machine's files in the place of a runtime")
    if "inside" not in sys.argv:  # where mounts end with this process
        os.makedirs(WORK, exist_ok=True)
        sys.exit(subprocess.run(["unshare", "--mount", sys.executable, *sys.argv, "inside"], check=False).returncode)
    builds()
    what_is_inside()
    plays()
    a_link_is_followed()


if __name__ == "__main__":
    main()
