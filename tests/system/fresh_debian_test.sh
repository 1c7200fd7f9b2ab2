#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The packages in a fresh Debian: apt finds all that they depend on, every program runs, and installed_test.py passes. Needs
# minutes, root and a Debian mirror: it is part of the kind nightly (tests/kinds).
#   fresh_debian_test.sh FOLDER_OF_PACKAGES                  DEADFALL_CHROOT: a fresh debootstrap with systemd to copy
set -eu
for program in debootstrap chroot; do
  command -v $program >/dev/null || { echo "$program is missing"; exit 77; }
done
[ "$(id -u)" = 0 ] || { echo "only root can make a chroot"; exit 77; }

packages=$1 folder=$(mktemp -d)
root=$folder/root
trap 'rm -rf "$folder"' EXIT
say() { printf '== %s\n' "$*"; }
inside() {
  unshare --mount --pid --fork --kill-child --root="$root" --mount-proc=/proc \
    /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin:/usr/games HOME=/root DEBIAN_FRONTEND=noninteractive LC_ALL=C "$@"
}

say "a fresh Debian"
if [ -n "${DEADFALL_CHROOT:-}" ]; then
  cp -a "$DEADFALL_CHROOT" "$root"
else
  debootstrap --variant=minbase --include=systemd bookworm "$root" >/dev/null
fi
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d" && chmod +x "$root/usr/sbin/policy-rc.d"
mkdir "$root/packages" && cp "$packages"/*.deb "$root/packages"

say "install the server in two lines, as server/hosting/README.md says, then the others"
inside apt-get update -qq
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/deadfall-data_*.deb /packages/deadfall-server_*.deb' >/dev/null
inside deadfall-server --check-config --config /etc/deadfall/server.conf
inside sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb' >/dev/null
for program in deadfall deadfall-server deadfall-admin deadfall-bots deadfall-map deadfall-replay deadfall-scenario; do
  inside $program --version
done
inside deadfall-map check /usr/share/deadfall/maps/duel.tmj

say "purge"
inside sh -c 'apt-get purge -y -qq deadfall* libdeadfall-physics*' >/dev/null
rm -r "$root/packages"

say "install, host, upgrade, remove and purge under systemd"
"$(dirname "$0")/installed_test.py" "$packages" "$root"
