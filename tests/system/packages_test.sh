#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What is in the Debian packages: lintian finds nothing, the programs are hardened as they are installed, and desktop entry,
# metainfo and man pages are valid where they lie. installed_test.py installs them.
#   packages_test.sh BUILD_FOLDER
set -eu
build=$1 here=$(dirname "$0") folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
has() { command -v "$1" >/dev/null || { echo "$1 is missing: not checked"; return 1; }; }

[ "$(find "$build/packages" -maxdepth 1 -name '*.deb' | wc -l)" = 7 ]
for package in "$build"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
# What only the directory needs is no matter of the server.
! dpkg-deb -f "$build"/packages/deadfall-server_*.deb Depends | grep -E 'curl|hiredis'
dpkg-deb -f "$build"/packages/deadfall-directory_*.deb Depends | grep curl | grep hiredis
dpkg-deb -c "$build"/packages/deadfall-directory_*.deb | grep -q '/usr/games/deadfall-directory$'
"$here/hardening_test.py" "$build" RelWithDebInfo "$folder"/usr/games/*
# Nobody has filed the bug that a first upload to Debian closes.
! has lintian || lintian --fail-on error,warning --allow-root --suppress-tags initial-upload-closes-no-bugs "$build"/packages/*.deb
! has desktop-file-validate || desktop-file-validate "$folder"/usr/share/applications/*.desktop
! has appstreamcli || appstreamcli validate-tree --no-net "$folder"
if has mandoc; then
  for page in "$folder"/usr/share/man/man6/*.gz; do
    gunzip -k "$page"
    (cd "$folder/usr/share/man" && mandoc -Tlint -Wstyle "${page%.gz}") | grep -v 'manual not found' && exit 1
  done
fi
echo "packages of $(find "$folder" -type f | wc -l) files, all sound"
