#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the Debian packages, checks them with lintian, installs them in a fresh Debian, starts the server, queries it by A2S,
# plays with bots, removes and purges. Needs minutes, root and a Debian mirror, so it runs only with DEADFALL_TEST_LONG set.
#   packages_test.sh SOURCE_FOLDER [FOLDER_OF_PACKAGES]      DEADFALL_CHROOT: a fresh debootstrap to copy
set -eu
[ -n "${DEADFALL_TEST_LONG:-}" ] || { echo "set DEADFALL_TEST_LONG to run this"; exit 77; }
for program in debootstrap lintian chroot; do
  command -v $program >/dev/null || { echo "$program is missing"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "only root can make a chroot"; exit 77; }

source=$1 folder=$(mktemp -d)
root=$folder/root packages=${2:-$folder/build/packages} mounted='' server=''
finish() {
  [ -z "$server" ] || kill "$server" 2>/dev/null || true
  [ -z "$mounted" ] || umount "$root/proc"
  rm -rf "$folder"
}
trap finish EXIT
say() { printf '== %s\n' "$*"; }
within=(chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/games HOME=/root
  DEBIAN_FRONTEND=noninteractive LC_ALL=C)
inside() { "${within[@]}" "$@"; }

if [ $# -lt 2 ]; then
  say "build"
  # as shared/packages/README.md says, with the default generator of CMake
  env -u CMAKE_GENERATOR cmake -S "$source" -B "$folder/build" -DDEADFALL_PACKAGE=ON >/dev/null
  cmake --build "$folder/build" -j2 >/dev/null
  (cd "$folder/build" && cpack >/dev/null)
fi
ls -l "$packages"/*.deb

say "lintian"
lintian --fail-on error --allow-root "$packages"/*.deb

say "a fresh Debian"
if [ -n "${DEADFALL_CHROOT:-}" ]; then
  cp -a "$DEADFALL_CHROOT" "$root"
else
  debootstrap --variant=minbase bookworm "$root" >/dev/null
fi
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"
mount -t proc proc "$root/proc" && mounted=yes
mkdir "$root/packages" && cp "$packages"/*.deb "$root/packages"
find "$root" -xdev -not -path "$root/proc*" -not -path "$root/var/*" | sort >"$folder/before"

say "install the server in two lines, the tools beside it"
inside apt-get update -qq
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/deadfall-data_*.deb /packages/deadfall-server_*.deb /packages/deadfall-tools_*.deb' >/dev/null
inside test -L /etc/systemd/system/multi-user.target.wants/deadfall-server.service

say "start as the unit does"
command=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/deadfall-server.service" "$root/usr/lib/systemd/system/deadfall-server.service" 2>/dev/null | head -1)
# shellcheck disable=SC2086
"${within[@]}" STATE_DIRECTORY=/tmp $command --port 0 --bind 127.0.0.1 >"$folder/out" 2>"$folder/err" &
server=$!
for _ in $(seq 100); do grep -q ^ready "$folder/out" && break; sleep 0.1; done
cat "$folder/out"
port=$(sed -nE 's/^ready: udp [^:]*:([0-9]+) .*/\1/p' "$folder/out")
inside deadfall-server --healthcheck --port "$port" --state-dir /tmp
! command -v quakestat >/dev/null || quakestat -a2s "127.0.0.1:$port"
inside deadfall-bots --server "127.0.0.1:$port" --count 4 --verify 1 --duration 5s >"$folder/bots" || true # judged here:
grep -E '^(connected|desyncs) ' "$folder/bots"
grep -Eq '^connected +4\.00$' "$folder/bots" && grep -Eq '^desyncs +0\.00$' "$folder/bots"
kill "$server"
wait "$server" # drains, and exits 0
server=
inside deadfall-map check /usr/share/deadfall/maps/duel.tmj
inside deadfall-scenario --version

say "the game and the library"
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/deadfall_*.deb /packages/libdeadfall-physics-dev_*.deb' >/dev/null
inside deadfall --version

say "a changed config outlives removal, and a purge takes it"
echo '# ours' >>"$root/etc/deadfall/server.conf"
inside apt-get remove -y -qq deadfall-server >/dev/null
grep -q '^# ours' "$root/etc/deadfall/server.conf"
inside apt-get purge -y -qq deadfall-server deadfall-tools deadfall deadfall-data libdeadfall-physics-dev >/dev/null
left=$(find "$root" -xdev -path '*deadfall*' -not -path "$root/proc*" -not -path "$root/packages*" -not -path "$root/var/cache/*" -not -path "$root/var/log/*" -not -path "$root/tmp/*" -not -path "$root/root/*")
[ -z "$left" ] || { printf 'left behind:\n%s\n' "$left"; exit 1; }
say "installed, started, played, removed without a trace"
