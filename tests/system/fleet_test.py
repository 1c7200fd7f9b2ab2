#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The manifests for fleets: they have the shape of Agones' and Kubernetes' objects, and agree with each other, with the
documents and units, and with what a server does that is started as they say. Skipped without python3-yaml.

  fleet_test.py DEADFALL_SERVER SOURCE_FOLDER FOLDER_OF_UNITS
"""
import os
import re
import sys
import tempfile

from processes import LOOPBACK, Server, check, read_text, run, skip
from sidecar import PREFIX, Sidecar

try:
    import yaml
except ImportError:
    skip("python3-yaml is not here: the manifests are not read")

SERVER, SOURCE, UNITS = sys.argv[1:4]
HOSTING = os.path.join(SOURCE, "server/hosting")
GOODBYE_S = 45  # from the end of a drain to that of the process: TimeoutStopSec of the units

# The fields that these manifests may have, as the CRDs of Agones 1.49, of the Prometheus operator and the core API name them.
META = {"name": str, "labels?": {"*": str}}
PRIORITIES = [{"type": ("List", "Counter"), "key": str, "order": ("Ascending", "Descending")}]
CONTAINER = {"name": str, "image": str, "env": [{"name": str, "value": str}],
             "ports": [{"name": str, "containerPort": int, "protocol": ("TCP", "UDP")}],
             "readinessProbe": {"httpGet": {"path": str, "port": str}, "periodSeconds": int},
             "resources": {"requests": {"cpu": str, "memory": str}, "limits": {"memory": str}},
             "securityContext": {"allowPrivilegeEscalation": bool, "readOnlyRootFilesystem": bool,
                                 "capabilities": {"drop": [str]}},
             "volumeMounts": [{"name": str, "mountPath": str}]}
POD = {"metadata": {"labels": {"*": str}},
       "spec": {"terminationGracePeriodSeconds": int, "restartPolicy": ("Always", "OnFailure", "Never"),
                "securityContext": {"runAsNonRoot": bool, "runAsUser": int, "fsGroup": int},
                "containers": [CONTAINER], "volumes": [{"name": str, "emptyDir": {}}]}}
GAME_SERVER = {"ports": [{"name": str, "portPolicy": ("Dynamic", "Static", "Passthrough", "None"), "containerPort": int,
                          "protocol": ("UDP", "TCP", "TCPUDP")}],
               "health": {"initialDelaySeconds": int, "periodSeconds": int, "failureThreshold": int},
               "lists": {"*": {"capacity": int, "values": [str]}}, "eviction": {"safe": ("Always", "OnUpgrade", "Never")},
               "template": POD}
SELECTOR = {"matchLabels": {"*": str}, "gameServerState": ("Ready", "Allocated"), "lists": {"*": {"minAvailable": int}}}
SHAPES = {
    "fleet": {"apiVersion": ("agones.dev/v1",), "kind": ("Fleet",), "metadata": META,
              "spec": {"replicas": int, "scheduling": ("Packed", "Distributed"),
                       "strategy": {"type": ("RollingUpdate", "Recreate"),
                                    "rollingUpdate": {"maxSurge": (str, int), "maxUnavailable": (str, int)}},
                       "priorities": PRIORITIES, "template": {"spec": GAME_SERVER}}},
    "autoscaler": {"apiVersion": ("autoscaling.agones.dev/v1",), "kind": ("FleetAutoscaler",), "metadata": META,
                   "spec": {"fleetName": str,
                            "policy": {"type": ("List",), "list": {"key": str, "bufferSize": int, "minCapacity": int,
                                                                   "maxCapacity": int}},
                            "sync": {"type": ("FixedInterval",), "fixedInterval": {"seconds": int}}}},
    "allocation": {"apiVersion": ("allocation.agones.dev/v1",), "kind": ("GameServerAllocation",),
                   "spec": {"selectors": [SELECTOR], "priorities": PRIORITIES, "lists": {"*": {"addValues": [str]}}}},
    "podmonitor": {"apiVersion": ("monitoring.coreos.com/v1",), "kind": ("PodMonitor",), "metadata": META,
                   "spec": {"selector": {"matchLabels": {"*": str}},
                            "podMetricsEndpoints": [{"port": str, "path": str, "interval": str}]}},
}


def has_shape(value, shape, path):
    """Checks that an object has the fields of a shape, all of them, and values of their types or among their choices."""
    if isinstance(shape, dict):
        check(isinstance(value, dict), f"{path} is an object")
        if "*" in shape:
            shape = dict.fromkeys(value, shape["*"])
        for key in value:
            check(key in shape or f"{key}?" in shape, f"{path} has no field {key}")
        for key, inner in shape.items():
            check(key.endswith("?") or key in value, f"{path} lacks {key}")
            if key.rstrip("?") in value:
                has_shape(value[key.rstrip("?")], inner, f"{path}.{key}")
    elif isinstance(shape, list):
        check(isinstance(value, list), f"{path} is a list")
        for row in value:
            has_shape(row, shape[0], f"{path}[]")
    elif isinstance(shape, tuple) and isinstance(shape[0], str):
        check(value in shape, f"{path} is one of {shape}, not {value}")
    else:
        check(isinstance(value, shape) and (shape is bool or not isinstance(value, bool)), f"{path} is {value!r}")


def seconds(text):
    number, unit = re.fullmatch(r"(\d+)(ms|s|m|h)", text).groups()
    return int(number) * {"ms": 0.001, "s": 1, "m": 60, "h": 3600}[unit]


manifests = {name: yaml.safe_load(read_text(f"{HOSTING}/agones/{name}.yaml")) for name in SHAPES}
for name, manifest in manifests.items():
    has_shape(manifest, SHAPES[name], name)
fleet, autoscaler, allocation, monitor = manifests.values()
game_server = fleet["spec"]["template"]["spec"]
pod = game_server["template"]
container = pod["spec"]["containers"][0]
environment = {row["name"]: row["value"] for row in container["env"]}
port = {row["name"]: row["containerPort"] for row in container["ports"]}

# A server that is started so.
with tempfile.TemporaryDirectory() as folder:
    inherited = {"PATH": os.environ["PATH"], "XDG_STATE_HOME": folder}
    printed = run(SERVER, "--print-config", env=inherited | environment).stdout
    config = dict(re.findall(r"^#? ?([a-z-]+) = \"?([^\"\n]*)\"?$", printed, re.M))
    check(run(SERVER, "--check-config", env=inherited | environment).stderr == "", "the settings are good")
    sidecar = Sidecar()
    here = environment | {"AGONES_SDK_HTTP_PORT": str(sidecar.port), "DEADFALL_METRICS": f"{LOOPBACK}:0"}
    server = Server(SERVER, folder=folder, environment=here)
    sidecar.wait_for(lambda: sidecar.state == "Ready" and len(sidecar.labels) == 3 and len(sidecar.annotations) == 3)
    probe = container["readinessProbe"]["httpGet"]
    for path in (probe["path"], monitor["spec"]["podMetricsEndpoints"][0]["path"]):
        check(server.page(path), path)
    sidecar.wait_for(lambda: sidecar.lists["players"]["capacity"] == int(config["max-players"]))
    labels_when_ready = dict(sidecar.labels)
    check(server.end() == 0, server.log())

# Ports and labels.
check(game_server["ports"][0]["containerPort"] == int(config["port"]), "the port of the game")
check(config["metrics"] == f"0.0.0.0:{port['metrics']}" and port["metrics"] not in (8080, 9357, 9358), "the sidecar's own")
check(probe["port"] == monitor["spec"]["podMetricsEndpoints"][0]["port"] == "metrics", "the port of the metrics")
check(monitor["spec"]["selector"]["matchLabels"].items() <= pod["metadata"]["labels"].items(), "the monitor finds the pods")
for selector in allocation["spec"]["selectors"]:
    labels = dict(selector["matchLabels"])
    check(labels.pop("agones.dev/fleet") == fleet["metadata"]["name"], "the fleet")
    check(labels.items() <= labels_when_ready.items(), f"{labels} are among {labels_when_ready}")
    check(labels[PREFIX + "open"] == "true" and selector["lists"]["players"]["minAvailable"] == 1, "the arena has room")

# The list of players.
check(set(game_server["lists"]) == {autoscaler["spec"]["policy"]["list"]["key"]} == set(allocation["spec"]["lists"]) ==
      {row["key"] for row in allocation["spec"]["priorities"] + fleet["spec"]["priorities"]} == {"players"}, "the list")
check(game_server["lists"]["players"]["capacity"] == int(config["max-players"]), "the autoscaler expects what comes")
check(autoscaler["spec"]["fleetName"] == fleet["metadata"]["name"], "the fleet of the autoscaler")

# Times. Agones and its documents allow ten minutes before an eviction.
drain_s, grace_s, limit_s = seconds(config["drain"]), pod["spec"]["terminationGracePeriodSeconds"], seconds(config["time-limit"])
check(drain_s + GOODBYE_S <= grace_s <= 600 and game_server["eviction"]["safe"] == "Always", "Kubernetes waits for a drain")
check(limit_s + 30 <= drain_s, "every match ends within a drain")
check(f"drains for up to {drain_s / 60:.0f} minutes" in " ".join(read_text(f"{HOSTING}/README.md").split()), "the document says so")
for unit in os.listdir(UNITS):
    if unit.startswith("deadfall-server") and unit.endswith(".service"):
        check(f"TimeoutStopSec={GOODBYE_S}\n" in read_text(os.path.join(UNITS, unit)), unit)
        check("drain" not in read_text(f"{HOSTING}/server.conf") and "DRAIN" not in read_text(os.path.join(UNITS, unit)),
              "a service restarts without a drain")
check(pod["spec"]["restartPolicy"] == "Never", "the sidecar ends the pod, and nothing starts the server again")
check(pod["spec"]["volumes"][0]["emptyDir"] == {} and "journal" in read_text(f"{HOSTING}/agones/fleet.yaml"), "what becomes of it")
print("the manifests agree")
