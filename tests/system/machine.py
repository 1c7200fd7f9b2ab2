# SPDX-License-Identifier: MIT
"""A Debian with a real systemd, for tests of installed packages: systemd is process 1 of its own namespaces.

Its files are those of this machine, or of a folder with a Debian, under an overlay: what a test changes is gone when the
machine ends. It has its own network (only loopback) and its own cgroup. It starts nothing but the journal.
"""
import os
import shutil
import subprocess
import tempfile

import processes

# Before systemd starts: what it needs from outside, and none of the host's units, mounts or policies.
SETUP = r"""
set -e
mount --make-rprivate /
mount -t tmpfs tmpfs "$FOLDER"
mkdir "$FOLDER/upper" "$FOLDER/work" "$FOLDER/root"
mount -t overlay -o "lowerdir=$FILES,upperdir=$FOLDER/upper,workdir=$FOLDER/work" overlay "$FOLDER/root"
cd "$FOLDER/root"
mount -t proc proc proc
mount -t sysfs sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
for folder in run tmp dev; do mount -t tmpfs -o mode=755 tmpfs "$folder"; done
chmod 1777 tmp
for node in null zero full random urandom tty; do touch "dev/$node" && mount --bind "/dev/$node" "dev/$node"; done
mkdir dev/shm dev/pts
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
rm -rf etc/systemd/system usr/lib/systemd/system-generators usr/lib/systemd/system/*.wants usr/sbin/policy-rc.d var/log/journal
mkdir etc/systemd/system
: >etc/fstab
printf '[Unit]\nWants=systemd-journald.service\n' >etc/systemd/system/machine.target
ip link set lo up
pivot_root . mnt
umount -l /mnt
# As systemd does itself outside of a container; the credentials of a unit are mounts that a helper makes.
mount --make-rshared /
exec env -i container=test PATH="$PATH" /usr/lib/systemd/systemd --unit=machine.target --log-target=journal --show-status=no
"""
# A cgroup of its own, so that systemd does not touch those of this machine.
START = r"""
set -e
mount -t cgroup2 cgroup2 "$FOLDER"
mkdir "$FOLDER/$NAME"
echo $$ >"$FOLDER/$NAME/cgroup.procs"
umount "$FOLDER"
exec unshare --mount --pid --fork --cgroup --net --ipc --uts --kill-child sh -c "$SETUP"
"""
CLEAN = r"""
mount -t cgroup2 cgroup2 "$FOLDER"
for _ in $(seq 50); do find "$FOLDER/$NAME" -depth -type d -exec rmdir {} + 2>/dev/null && break; sleep 0.1; done
"""
INSIDE = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin:/usr/games", "HOME": "/root", "LC_ALL": "C",
          "DEBIAN_FRONTEND": "noninteractive"}


def why_not(files="/"):
    """Returns why there can be no such machine here, or None."""
    if os.getuid() != 0:
        return "only root can start a machine"
    for program in ("usr/lib/systemd/systemd", "usr/bin/dpkg", "usr/bin/deb-systemd-invoke"):
        if not os.path.exists(os.path.join(files, program)):
            return f"{program} is missing"
    with tempfile.TemporaryDirectory() as folder:
        script = ("mount -t cgroup2 none $0 && umount $0 && mount -t tmpfs none $0 && mkdir $0/a $0/b $0/c && "
                  f"mount -t overlay -o lowerdir={files},upperdir=$0/a,workdir=$0/b none $0/c")
        done = subprocess.run(["unshare", "--mount", "--pid", "--net", "--cgroup", "--fork", "sh", "-c", script, folder],
                              capture_output=True, text=True, check=False)
    return f"this machine allows no namespaces and overlays: {done.stderr.strip()}" if done.returncode else None


class Machine:
    """A running machine, which ends with its with block. Paths inside it are below `root`."""

    def __init__(self, files="/"):
        self.folder = tempfile.TemporaryDirectory()
        self.environment = {**os.environ, "FOLDER": self.folder.name, "FILES": files, "SETUP": SETUP,
                            "NAME": f"deadfall-machine-{os.getpid()}"}
        self.process = subprocess.Popen(["unshare", "--mount", "sh", "-c", START], env=self.environment)
        processes.wait_for(self.is_up, "systemd starts")

    def is_up(self):
        processes.check(self.process.poll() is None, "the machine does not start")
        with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children", encoding="ascii") as children:
            first = children.read().split()
        if not first:
            return False
        self.pid, self.root = int(first[0]), f"/proc/{first[0]}/root"
        return self.run("systemctl", "is-system-running", check=False).stdout.strip() in ("running", "degraded")

    def command(self, *words):
        """Returns the words that execute a command inside."""
        return ["nsenter", "-t", str(self.pid), "-m", "-p", "-C", "-n", "-i", "-u", "-r", "-w", *words]

    def run(self, *words, check=True, seconds=120):
        """Executes a command inside. With `check` it has to succeed."""
        done = subprocess.run(self.command(*words), capture_output=True, text=True, check=False, timeout=seconds,
                              env=INSIDE, stdin=subprocess.DEVNULL)
        processes.check(not check or done.returncode == 0, f"{words} exits {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def text(self, *words):
        return self.run(*words).stdout.strip()

    def path(self, path):
        return os.path.join(self.root, path.lstrip("/"))

    def copy(self, path, to):
        """Copies a file of the host into a folder of the machine."""
        os.makedirs(self.path(to), exist_ok=True)
        shutil.copy(path, self.path(to))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()  # and with it process 1, and with that all others
        self.process.wait()
        subprocess.run(["unshare", "--mount", "sh", "-c", CLEAN], env=self.environment, check=False)
        self.folder.cleanup()
