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
! command -v appstreamcli >/dev/null || appstreamcli validate --no-net "$desktop"/*.metainfo.xml
grep -q '^MimeType=x-scheme-handler/deadfall;$' "$desktop"/*.desktop
grep -q '^Exec=deadfall %u$' "$desktop"/*.desktop
python3 - "$desktop" "$hosting" <<'PYTHON'
import glob, json, re, sys
import xml.dom.minidom
desktop, hosting = sys.argv[1:]
for path in glob.glob(desktop + "/*.svg") + glob.glob(desktop + "/*.xml"):
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
