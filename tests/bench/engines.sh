#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Measures the physics library beside Box2D and Chipmunk, in one run on one core. Needs Debian's libbox2d-dev and
# libchipmunk-dev, installed or unpacked (dpkg -x) into a folder ENGINES.
#   [ENGINES=FOLDER] engines.sh BENCH_ACTORS [TICKS]
set -euo pipefail
bench=$1 ticks=${2:-600} root=${ENGINES:-}
libraries="$root/usr/lib/$(gcc -dumpmachine | sed 's/-pc-/-/')"
program=$(mktemp)
trap 'rm -f "$program"' EXIT
g++ -std=c++17 -O3 -o "$program" "$(dirname "$0")/engines.cc" -isystem "$root/usr/include" -L"$libraries" \
  -Wl,-rpath,"$libraries" -lbox2d -lchipmunk
taskset -c 0 "$bench" "$ticks" 3
taskset -c 0 "$program" "$ticks"
