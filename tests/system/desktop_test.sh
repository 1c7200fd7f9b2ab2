#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The files for desktops and hosts are valid: desktop entry, metainfo, icon, and what panels read.
#   desktop_test.sh SOURCE_FOLDER
set -eu
desktop=$1/client/app/desktop hosting=$1/server/hosting
if command -v desktop-file-validate >/dev/null; then
  found=$(desktop-file-validate "$desktop"/*.desktop)
  [ -z "$found" ] || { echo "$found"; exit 1; }
fi
# The metainfo has the project's version, and screenshots if their address is known.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
version=$(sed -n 's/^project(deadfall VERSION \([^ ]*\).*/\1/p' "$1/CMakeLists.txt")
printf '%s\n' 'cmake_minimum_required(VERSION 3.25)' "project(x VERSION $version LANGUAGES NONE)" 'include(GNUInstallDirs)' \
  "add_subdirectory($desktop desktop)" >"$work/CMakeLists.txt"
for page in "" https://example.org/deadfall; do
  cmake -Wno-dev -S "$work" -B "$work/build" "-DDEADFALL_HOMEPAGE=$page" >/dev/null
  metainfo=$work/build/desktop/net.deadfall.Deadfall.metainfo.xml
  ! command -v appstreamcli >/dev/null || appstreamcli validate --strict --no-net "$metainfo"
  grep -q "<release version=\"$version\"" "$metainfo"
  [ -z "$page" ] || for picture in $(sed -n "s|.*>$page/pictures/\(.*\)</image>|\1|p" "$metainfo"); do
    [ -f "$1/client/app/pictures/$picture" ] || { echo "the metainfo shows $picture, which is not there"; exit 1; }
  done
  [ "$(grep -c '<image ' "$metainfo")" = "$([ -z "$page" ] && echo 0 || echo 4)" ]
done
grep -q '^MimeType=x-scheme-handler/deadfall;$' "$desktop"/*.desktop
grep -q '^Exec=deadfall %u$' "$desktop"/*.desktop
python3 - "$desktop" "$hosting" <<'PYTHON'
import glob, json, re, sys
import xml.dom.minidom
desktop, hosting = sys.argv[1:]
for path in glob.glob(desktop + "/*.svg") + glob.glob(desktop + "/*.xml.in"):
    xml.dom.minidom.parse(path)
egg = json.load(open(hosting + "/pelican-egg.json", encoding="utf-8"))
assert json.loads(egg["config"]["startup"])["done"] == "ready: udp" and egg["config"]["stop"] == "^C"
keys = json.loads(egg["config"]["files"])["server.conf"]["find"]
config = open(hosting + "/server.conf", encoding="utf-8").read()
for key, line in keys.items():  # the panel replaces lines that are there
    assert re.search("^" + re.escape(key), config, re.M), key
    variable = re.search(r"env\.(\w+)", line).group(1)
    assert variable in {row["env_variable"] for row in egg["variables"]}, variable
PYTHON
echo "all valid"
