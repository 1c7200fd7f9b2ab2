#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The same hashes from every build: compiles deadfall-replay with gcc -O0, gcc -O3, clang -O2 and for 32 bits, and
# compares what each says of every tick of a replay.
#     replay_builds.sh SOURCE_ROOT RECORD_MATCH [REPLAY.dfr]...   (without replays it records two)
set -euo pipefail
root=$1 record_match=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ $# -eq 0 ]; then
  "$record_match" "$work/few.dfr" 1 4 2400
  "$record_match" "$work/many.dfr" 2 40 1200
  set -- "$work/few.dfr" "$work/many.dfr"
fi

sources=("$root"/shared/{physics,game,wire,options}/*.c "$root"/client/replay/*.c)
build() {  # build NAME COMPILER FLAGS...
  "${@:2}" -std=c17 -D_GNU_SOURCE -DDEADFALL_VERSION='"test"' -I"$root/shared" -o "$work/$1" "${sources[@]}"
}
if ! echo 'int main(void) { return 0; }' | gcc -m32 -x c -o "$work/probe" - 2>"$work/why"; then
  cat "$work/why"
  echo "no 32-bit compiler: install gcc-multilib"
  exit 1
fi
build gcc_O3 gcc -O3 &
pids=($!)
build clang_O2 clang -O2 &
pids+=($!)
build gcc_m32 gcc -m32 -O2 &
pids+=($!)
build gcc_O0 gcc -O0 &
pids+=($!)
for pid in "${pids[@]}"; do
  wait "$pid"
done

slow=gcc_O0  # several times as slow as the others: it plays the first replay alone
for replay in "$@"; do
  "$work/gcc_O3" --hash-every 1 "$replay" >"$work/expected"
  ticks=$(wc -l <"$work/expected")
  [ "$ticks" -ge 60 ] || { echo "$replay: only $ticks ticks"; exit 1; }
  for name in clang_O2 gcc_m32 $slow; do
    "$work/$name" --hash-every 1 "$replay" >"$work/found"
    diff "$work/expected" "$work/found" >"$work/difference" || {
      echo "$replay: $name differs from gcc_O3:"
      head -4 "$work/difference"
      exit 1
    }
  done
  "$work/gcc_m32" --verify "$replay" >/dev/null || { echo "$replay: gcc_m32 does not verify it"; exit 1; }
  echo "$(basename "$replay"): $ticks ticks, the same from gcc_O3 clang_O2 gcc_m32 $slow: $(tail -1 "$work/expected")"
  slow=
done
