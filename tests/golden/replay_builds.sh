#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that every build computes the same hashes: compiles deadfall-replay with gcc -O0, gcc -O3, clang -O2, for 32
# bits, for ARM and for a big-endian machine, and compares their output for every tick of a replay.
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

mapfile -t sources < <(find "$root"/shared/{base,physics,map,game,wire,options} "$root/client/replay" -name '*.c' -not -path '*/tiled/*')
sources+=("$root/shared/net/crypto/dice_none.c")  # libsodium is not there for every machine
build() {  # build NAME COMPILER FLAGS...
  "${@:2}" -std=c17 -D_GNU_SOURCE -DDEADFALL_VERSION='"test"' -I"$root/shared" -o "$work/$1" "${sources[@]}"
}
# On Debian gcc -m32 does not find the kernel headers, which are the same as those of the native compiler.
m32=(gcc -m32 -idirafter /usr/include/x86_64-linux-gnu)
for compiler in "${m32[*]}" aarch64-linux-gnu-gcc s390x-linux-gnu-gcc; do
  if ! printf '#include <errno.h>\nint main(void) { return 0; }' | $compiler -x c -o "$work/probe" - 2>"$work/why"; then
    cat "$work/why"
    echo "no compiler as $compiler: run scripts/test, which installs it"
    exit 1
  fi
done
build gcc_O3 gcc -O3 &
pids=($!)
build clang_O2 clang -O2 &
pids+=($!)
build gcc_m32 "${m32[@]}" -O2 &
pids+=($!)
build gcc_O0 gcc -O0 &
pids+=($!)
build aarch64 aarch64-linux-gnu-gcc -static -O2 &
pids+=($!)
build s390x s390x-linux-gnu-gcc -static -O2 &
pids+=($!)
for pid in "${pids[@]}"; do
  wait "$pid"
done

run() {  # run NAME ARGUMENTS: natively, or emulated
  case $1 in
    aarch64 | s390x) "qemu-$1" "$work/$1" "${@:2}" ;;
    *) "$work/$1" "${@:2}" ;;
  esac
}

slow=(gcc_O0 aarch64 s390x)  # many times slower than the others: these play only the first replay
for replay in "$@"; do
  run gcc_O3 --hash-every 1 "$replay" >"$work/expected"
  ticks=$(wc -l <"$work/expected")
  [ "$ticks" -ge 60 ] || { echo "$replay: only $ticks ticks"; exit 1; }
  for name in clang_O2 gcc_m32 "${slow[@]}"; do
    run "$name" --hash-every 1 "$replay" >"$work/found"
    diff "$work/expected" "$work/found" >"$work/difference" || {
      echo "$replay: $name differs from gcc_O3:"
      head -4 "$work/difference"
      exit 1
    }
  done
  run gcc_m32 --verify "$replay" >/dev/null || { echo "$replay: gcc_m32 does not verify it"; exit 1; }
  echo "$(basename "$replay"): $ticks ticks, the same from gcc_O3 clang_O2 gcc_m32 ${slow[*]}: $(tail -1 "$work/expected")"
  slow=()
done
