#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Searches for inputs that crash, hang or leak, with the fuzzers of the preset fuzz, one on each core.

    fuzz_search.py                                                 every fuzzer, 10^7 executions each
    fuzz_search.py --executions 100000 --cores 0 query_fuzz        one fuzzer on one core
    fuzz_search.py --seconds 10 --scratch /tmp/speed               every fuzzer for so long, to see how fast they are
    fuzz_search.py --self-test                                     stand-ins that do what fuzzers do

A fuzzer keeps its new inputs in SCRATCH/NAME and only reads tests/fuzz/corpus/NAME. Executions are counted in
SCRATCH/NAME.json, so a search that was interrupted goes on. Progress goes to stderr, a table to stdout. Exit code: 0;
1 if there is a finding, with the path of its input in the table. A fuzzer with a finding stops; remove its JSON file
to begin again.
"""
import argparse
import json
import os
import pathlib
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
SLICE_S = 300       # then a fuzzer reports and is started again
INPUT_S_MAX = 60    # an input that takes longer hangs; a search that runs when nothing else does may have to wait
# These run in virtual time, by which libFuzzer would take the clock of an input.
VIRTUAL_TIME = ("client_handshake_fuzz", "hostile_peer_fuzz", "hostile_server_fuzz")
INTERRUPTED = 72    # exit code of libFuzzer
# Inputs that are lists of steps or changes, of which more would only take longer, or texts that are not longer than
# this; others may have libFuzzer's 4096 bytes.
BYTES_MAX = {"agones_fuzz": 512, "client_fuzz": 64, "directory_http_fuzz": 1024, "http_connections_fuzz": 256,
             "journal_fuzz": 96, "live_download_fuzz": 512, "records_fuzz": 256, "replay_tool_fuzz": 96,
             "report_fuzz": 128}
# Stacks of allocations take a quarter of the time where there are many. Run a finding again without this to see them.
FAST = "malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64"
COLUMNS = ("executions", "per_cpu_s", "edges", "slowest_s")


class Search:
    """One fuzzer and what it has done so far."""

    def __init__(self, name, options):
        self.name, self.options = name, options
        self.state_path = options.scratch / f"{name}.json"
        self.state = {"executions": 0, "cpu_s": 0, "edges": 0, "slowest_s": 0, "finding": ""}
        if self.state_path.exists():
            self.state.update(json.loads(self.state_path.read_text()))

    def rest(self):
        return self.options.executions - self.state["executions"]

    def command(self, core):
        new, findings = self.options.scratch / self.name, self.options.scratch / "findings"
        new.mkdir(parents=True, exist_ok=True)
        findings.mkdir(exist_ok=True)
        return ["taskset", "-c", str(core), self.options.build / "bin" / self.name, f"-runs={self.rest()}",
                f"-timeout={10**9 if self.name in VIRTUAL_TIME else INPUT_S_MAX}", "-print_final_stats=1",
                "-close_fd_mask=3",  # what the code under test prints
                "-entropic=0",  # its bookkeeping takes half the time of a fuzzer with many features
                f"-max_len={BYTES_MAX.get(self.name, 0)}", "-reload=0",
                f"-artifact_prefix={findings}/{self.name}-", new, ROOT / "tests/fuzz/corpus" / self.name]

    def run_slice(self, core, seconds, children):
        """Runs the fuzzer once, and counts. Ends it from here: where time is virtual, its own clock says nothing."""
        child = subprocess.Popen(self.command(core), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                 errors="replace", env={"ASAN_OPTIONS": FAST, **os.environ})
        children.add(child)
        end = threading.Timer(seconds, child.send_signal, [signal.SIGINT])
        end.start()
        output = child.stderr.read()
        end.cancel()
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        children.discard(child)
        for edges in re.findall(r"cov: (\d+)", output)[-1:]:
            self.state["edges"] = int(edges)
        for count in re.findall(r"stat::number_of_executed_units: *(\d+)", output)[-1:]:
            self.state["executions"] += int(count)
        for slowest in re.findall(r"stat::slowest_unit_time_sec: *(\d+)", output)[-1:]:
            if int(slowest) <= seconds:
                self.state["slowest_s"] = max(self.state["slowest_s"], int(slowest))
        self.state["cpu_s"] += usage.ru_utime + usage.ru_stime
        if child.returncode not in (0, INTERRUPTED):
            inputs = re.findall(r"written to (\S+)", output)
            log = self.options.scratch / "findings" / f"{self.name}.log"
            log.write_text(output)
            self.state["finding"] = inputs[-1] if inputs else str(log)
        self.state_path.write_text(json.dumps(self.state) + "\n")
        print(self.line(), file=sys.stderr, flush=True)

    def run(self, core, children, ending):
        left_s = self.options.seconds
        while not ending.is_set() and not self.state["finding"] and left_s > 0 and self.rest() > 0:
            self.run_slice(core, min(SLICE_S, left_s), children)
            left_s -= SLICE_S

    def line(self):
        per_cpu_s = round(self.state["executions"] / max(self.state["cpu_s"], 0.001))
        values = {**self.state, "per_cpu_s": per_cpu_s}
        return f"{self.name:26}" + "".join(f"{values[column]:>12}" for column in COLUMNS) + f"  {self.state['finding']}"


def find_fuzzers(build):
    return sorted(path.stem for path in (ROOT / "tests/fuzz").glob("*/*_fuzz.c") if (build / "bin" / path.stem).exists())


def parse_options(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="fuzzers, in this order; by default all")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/fuzz", help="folder of the preset fuzz")
    parser.add_argument("--scratch", type=pathlib.Path, default=ROOT / "build/fuzz/search", help="folder of what is found")
    parser.add_argument("--executions", type=int, default=10**7, help="of each fuzzer in all")
    parser.add_argument("--seconds", type=int, default=10**9, help="for each fuzzer at most, this time")
    parser.add_argument("--cores", default="0,1", help="numbers of the cores, as in 0,1")
    options = parser.parse_args(arguments)
    options.names = options.names or find_fuzzers(options.build)
    missing = [name for name in options.names if not (options.build / "bin" / name).exists()]
    if missing or not options.names:
        parser.error(f"{options.build}/bin has no {' '.join(missing) or 'fuzzer'}: build the preset fuzz")
    options.scratch.mkdir(parents=True, exist_ok=True)
    return options


def main(arguments):
    options = parse_options(arguments)
    searches = [Search(name, options) for name in options.names]
    waiting, children, ending = queue.SimpleQueue(), set(), threading.Event()
    for search in searches:
        waiting.put(search)

    def end(*_):
        ending.set()
        for child in list(children):
            child.send_signal(signal.SIGTERM)

    def work(core):
        while not ending.is_set():
            try:
                search = waiting.get_nowait()
            except queue.Empty:
                return
            search.run(core, children, ending)

    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, end)
    workers = [threading.Thread(target=work, args=(core,)) for core in options.cores.split(",")]
    for worker in workers:
        worker.start()
    for worker in workers:
        while worker.is_alive():
            worker.join(1)
    print(f"{'name':26}" + "".join(f"{column:>12}" for column in COLUMNS) + "  finding")
    for search in searches:
        print(search.line())
    return 1 if any(search.state["finding"] for search in searches) else 0


def test():
    """Two stand-ins: one has done its executions after two slices, the other finds an input."""
    with tempfile.TemporaryDirectory() as folder:
        build, scratch = pathlib.Path(folder), pathlib.Path(folder) / "scratch"
        (build / "bin").mkdir()
        for name, line in (("query_fuzz", "echo 'cov: 7' >&2; echo 'stat::number_of_executed_units: 60' >&2"),
                           ("match_fuzz", "echo 'Test unit written to /tmp/crash-1' >&2; exit 77")):
            (build / "bin" / name).write_text(f"#!/bin/sh\n{line}\n")
            (build / "bin" / name).chmod(0o755)
        common = ["--build", folder, "--scratch", str(scratch), "--executions", "100", "--cores", "0"]
        assert main([*common, "query_fuzz"]) == 0
        state = json.loads((scratch / "query_fuzz.json").read_text())
        assert (state["executions"], state["edges"], state["finding"]) == (120, 7, "")
        assert main(common) == 1
        assert json.loads((scratch / "query_fuzz.json").read_text()) == state  # has nothing more to do
        assert json.loads((scratch / "match_fuzz.json").read_text())["finding"] == "/tmp/crash-1"


if __name__ == "__main__":
    sys.exit(test() if sys.argv[1:] == ["--self-test"] else main(sys.argv[1:]))
