#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Renews what is recorded of play, after a deliberate change of it: golden matches, map hashes, figures of computer
# players and of courses, films, sounds and pictures, each after what it is made of. Says what has changed, and stops at
# the first thing that fails. A refactoring must not change any.
# usage: renew.sh [BUILD]   BUILD: a build with tests; build/release
set -euo pipefail
cd "$(dirname "$0")/../.."
build=${1:-build/release}
[ -f "$build/build.ninja" ] || { echo "There is no build $build: run cmake --preset release -DBUILD_TESTING=ON" >&2; exit 1; }
log=$(mktemp -d)
trap 'rm -r "$log"' EXIT

recordings() {
  find tests/golden tests/unit \( -name '*.dfr' -o -name '*.chain' -o -name '*.figures' -o -name '*.png' -o -name sounds.txt \) \
    -exec sha256sum {} + | sort -k 2
}

# step "PROGRAM [TEST]" [FIGURES]: runs a program of the build, and says what it has changed. A file of figures is written
# from the beginning, so that no figure stays that nobody asks for.
step() {
  recordings >"$log/before"
  if [ $# -eq 2 ]; then
    cp "$2" "$log/figures"
    : >"$2"
  fi
  # shellcheck disable=SC2086
  if ! DEADFALL_RENEW=1 "$build/tests/"$1 >"$log/output" 2>&1; then
    [ $# -eq 1 ] || cp "$log/figures" "$2"
    grep -E 'ERROR|fail|cannot|differs' "$log/output" >&2 || tail -n 20 "$log/output" >&2
    echo "$1 fails. Mend that, and run renew.sh again: what comes after it is not renewed." >&2
    exit 1
  fi
  recordings >"$log/after"
  changed=$({ diff "$log/before" "$log/after" || true; } | sed -n 's/^[<>] [0-9a-f]*  //p' | sort -u | tr '\n' ' ')
  echo "$1: ${changed:-no change}"
}

cmake --build "$build" -- --quiet golden_renew golden_test statistics_test unit_map ai_play_test course_test films_test \
  sounds_renew pictures_renew
# Goldens have the inputs of bots, so those that still play stay, whatever bots would press now.
"$build/tests/golden_test" >"$log/output" 2>&1 || step golden_renew
step golden_test     # they play, and every event and cause of death is in them
step statistics_test # and the counters of players are true
step "unit_map map_test" tests/unit/map/map.figures
step ai_play_test tests/unit/ai/ai_play.figures
step course_test tests/unit/app/course.figures # stops if a course needs another recording: trial_search finds one
step films_test tests/unit/client_game/presentation/films.figures
step sounds_renew
step pictures_renew
echo "If the protocol or a replay computes differently now: raise PROTOCOL_VERSION (if a replay does, REPLAY_WORLD_VERSION with it),
and say so in CHANGELOG.md."
