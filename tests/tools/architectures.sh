#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Checks that every build computes the same: on each architecture, and with gcc and clang at each level of optimization.
# Builds deadfall-replay and deadfall-scenario, plays every golden match and every scenario of the physics, and compares
# each tick's hash, each state of a body and each event with those of the first build. Prints one line for each build.
#     architectures.sh [NAME]...   (without names: all builds, and Debian's cross compilers are installed if missing)
set -euo pipefail
root=$(realpath "$(dirname "$0")/../..")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# name, Debian's packages, emulator, compiler with flags. On Debian gcc -m32 does not find the kernel headers, which are
# those of the native compiler; and not every kernel of 64 bits runs programs of 32.
builds="gcc_O0   gcc                  -            gcc -O0
        gcc_O1   gcc                  -            gcc -O1
        gcc_O2   gcc                  -            gcc -O2
        gcc_O3   gcc                  -            gcc -O3
        clang_O0 clang                -            clang -O0
        clang_O1 clang                -            clang -O1
        clang_O2 clang                -            clang -O2
        clang_O3 clang                -            clang -O3
        i386     gcc-12-multilib,libc6-dev-i386,qemu-user              qemu-i386    gcc -m32 -static -O2 -idirafter /usr/include/x86_64-linux-gnu
        aarch64  gcc-aarch64-linux-gnu,libc6-dev-arm64-cross,qemu-user qemu-aarch64 aarch64-linux-gnu-gcc -static -O2
        armhf    gcc-arm-linux-gnueabihf,libc6-dev-armhf-cross,qemu-user qemu-arm   arm-linux-gnueabihf-gcc -static -O2
        riscv64  gcc-riscv64-linux-gnu,libc6-dev-riscv64-cross,qemu-user qemu-riscv64 riscv64-linux-gnu-gcc -static -O2
        s390x    gcc-s390x-linux-gnu,libc6-dev-s390x-cross,qemu-user   qemu-s390x   s390x-linux-gnu-gcc -static -O2
        ppc64    gcc-powerpc64-linux-gnu,libc6-dev-ppc64-cross,qemu-user qemu-ppc64 powerpc64-linux-gnu-gcc -static -O2
        mips     gcc-mips-linux-gnu,libc6-dev-mips-cross,qemu-user     qemu-mips    mips-linux-gnu-gcc -static -O2"

# What other systems than POSIX have in its place has a name that says so.
mapfile -t shared < <(find "$root"/shared/engine/{base,options} "$root"/shared/physics -name '*.c' -not -path '*/platform/windows/*' -not -path '*/platform/browser/*' -not -name '*_none.c')
mapfile -t game < <(find "$root"/shared/engine/{sync,wire} "$root"/shared/game "$root"/client/{engine/replay,replay} -name '*.c' -not -path '*/tiled/*' -not -path '*/ai/*')
game+=("$root/shared/engine/net/crypto/dice_none.c")  # libsodium is not there for every machine
scenario=("$root"/tests/tools/{literal,literal_solid,literal_ball,implementation,words,scenario,scenario_run,scenario_main}.c)

install_missing() {  # install_missing PACKAGE,...
  local package
  for package in ${1//,/ }; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] && continue
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$package" >"$work/why" 2>&1 ||
      { cat "$work/why"; return 1; }
  done
}

build() {  # build PROGRAM SOURCES...: with $compiler
  $compiler -std=c17 -D_GNU_SOURCE -DDEADFALL_VERSION='"test"' -I"$root/shared" -I"$root/shared/engine" -I"$root/shared/game/seam" -I"$root/client/engine" -I"$root/tests/tools" -o "$work/$1" \
    "${shared[@]}" "${@:2}"
}

play() {  # play EMULATOR: prints each tick's hash of each match, and what each scenario prints
  local emulator=${1#-} file
  for file in "$root"/tests/golden/*.dfr; do
    basename "$file"
    $emulator "$work/deadfall-replay" --hash-every 1 "$file" || return
  done
  local GLOBIGNORE="$root/tests/scenarios/malformed/*"
  $emulator "$work/deadfall-scenario" "$root"/tests/scenarios/*/*.txt
}

differences=0
while read -r name packages emulator compiler; do
  [ $# -eq 0 ] || [[ " $* " = *" $name "* ]] || continue
  [ $# -ne 0 ] || install_missing "$packages"
  build deadfall-replay "${game[@]}" &
  replay=$!
  build deadfall-scenario "${scenario[@]}"
  wait "$replay"
  play "$emulator" >"$work/$name" || { echo "$name: cannot play a match or scenario"; exit 1; }
  [ -e "$work/expected" ] || cp "$work/$name" "$work/expected"
  if cmp -s "$work/expected" "$work/$name"; then
    echo "$name: the same, $(grep -cE '^[0-9]+ [0-9a-f]{16}$' "$work/$name") ticks, $(wc -l <"$work/$name") lines, sum $(sha256sum <"$work/$name" | cut -c 1-16)"
  else
    echo "$name: differs"
    diff "$work/expected" "$work/$name" | head -6 || true
    differences=1
  fi
done <<<"$builds"
[ -e "$work/expected" ] || { echo "no build has one of these names: $*"; exit 64; }
exit "$differences"
