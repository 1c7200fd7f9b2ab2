#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The files for desktops and hosts are valid: desktop entry, metainfo, icon, and the manifests of containers and panels.
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
try:
    import yaml
except ImportError:
    print("python3-yaml is not here: the manifests are not read")
    sys.exit(0)
fleet, autoscaler, allocation = (yaml.safe_load(open(f"{hosting}/agones/{name}.yaml", encoding="utf-8"))
                                 for name in ("fleet", "autoscaler", "allocation"))
server = fleet["spec"]["template"]["spec"]
container = server["template"]["spec"]["containers"][0]
environment = {row["name"]: row["value"] for row in container["env"]}
assert autoscaler["spec"]["fleetName"] == fleet["metadata"]["name"]
assert server["lists"]["players"]["capacity"] == int(environment["DEADFALL_MAX_PLAYERS"])
assert server["ports"][0]["protocol"] == "UDP" and server["ports"][0]["containerPort"] == 27440
assert environment["DEADFALL_METRICS"].split(":")[1] not in ("8080", "9357", "9358"), "the sidecar's own port"
assert autoscaler["spec"]["policy"]["list"]["key"] == allocation["spec"]["priorities"][0]["key"] == "players"
for selector in allocation["spec"]["selectors"]:
    assert selector["matchLabels"]["agones.dev/fleet"] == fleet["metadata"]["name"]
    assert selector["matchLabels"]["mode"] == fleet["spec"]["template"]["metadata"]["labels"]["mode"]
PYTHON
echo "all valid"
