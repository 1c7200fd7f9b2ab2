#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds programs that run on any Linux, and packs them: FOLDER/deadfall-VERSION-KIND.tar.gz.
#   build.sh KIND FOLDER [CMAKE_OPTION]...
# KIND: glibc: all programs, which need nothing but a C library from glibc 2.34 on; musl: static programs without the window;
# arm64, armhf: programs without the window, for a C library as with glibc.
set -euo pipefail
here=$(realpath "$(dirname "$0")") kind=$1 folder=$(realpath -m "$2")
shift 2
source=$(realpath "$here/../../..") prefix=$folder/$kind build=$folder/$kind.build
"$here/libraries.sh" "$kind" "$folder"

# musl-gcc knows static programs and programs that lie anywhere, but not both; and it hides the headers of the kernel.
musl_compiler() {
  mkdir -p "$prefix/kernel"
  ln -sfn /usr/include/linux /usr/include/asm-generic "$prefix/kernel"
  ln -sfn "$(dirname "$(gcc -print-file-name=crt1.o)" | xargs realpath | sed 's,/lib/,/include/,')/asm" "$prefix/kernel/asm"
  sed 's,Scrt1\.o,rcrt1.o,; s,-dynamic-linker [^ ]*,-static -pie --no-dynamic-linker -z text,' \
    "$(sed -n 's/.*-specs "\(.*\)"$/\1/p' "$(command -v musl-gcc)")" >"$prefix/specs"
  printf '#!/bin/sh\nexec gcc "$@" -specs %s -idirafter %s\n' "$prefix/specs" "$prefix/kernel" >"$prefix/cc"
  chmod +x "$prefix/cc"
}

options=(-G Ninja -DCMAKE_BUILD_TYPE=Release "-DCMAKE_C_FLAGS_RELEASE=-O3 -g -ffunction-sections -fdata-sections"
  -DCMAKE_INSTALL_PREFIX=/usr/local -DCMAKE_PREFIX_PATH="$prefix" -DPKG_CONFIG_ARGN=--static -DDEADFALL_ENET=built-in
  -DBUILD_TESTING=OFF -DDEADFALL_WEB=OFF -DCMAKE_EXE_LINKER_FLAGS=-Wl,--gc-sections)
export PKG_CONFIG_PATH=$prefix/lib/pkgconfig
[ "$kind" = glibc ] || { options+=(-DDEADFALL_WINDOW=OFF); export PKG_CONFIG_LIBDIR=$PKG_CONFIG_PATH; }
case $kind in
  musl) # its threads have small stacks unless the program says otherwise; its CMSG_NXTHDR mixes signs
    musl_compiler
    options+=("-DCMAKE_C_FLAGS=-Wno-error=sign-conversion -Wno-error=sign-compare")
    options+=(-DCMAKE_C_COMPILER="$prefix/cc" "-DCMAKE_EXE_LINKER_FLAGS=-Wl,--gc-sections -Wl,-z,stack-size=8388608") ;;
  arm64) options+=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 -DCMAKE_C_COMPILER=aarch64-linux-gnu-gcc) ;;
  armhf) options+=(-DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=armv7l -DCMAKE_C_COMPILER=arm-linux-gnueabihf-gcc) ;;
esac
case $kind in # not the libraries of this machine
  arm64) options+=("-DCMAKE_FIND_ROOT_PATH=$prefix;/usr/aarch64-linux-gnu" -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY) ;;
  armhf) options+=("-DCMAKE_FIND_ROOT_PATH=$prefix;/usr/arm-linux-gnueabihf" -DCMAKE_FIND_ROOT_PATH_MODE_LIBRARY=ONLY) ;;
esac

quiet() { "$@" >"$build.log" 2>&1 || { tail -40 "$build.log" >&2; exit 1; }; }
quiet cmake --fresh -S "$source" -B "$build" "${options[@]}" "$@"
quiet cmake --build "$build" -j2

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
name=deadfall-$version-$kind
rm -rf "${folder:?}/$name"
quiet env DESTDIR= cmake --install "$build" --strip --prefix "$folder/$name"
# The physics library, for other games, has packages of its own; the units of systemd name the folder of an installation.
rm -rf "$folder/$name"/{include,lib,share/doc/deadfall_physics,share/man/man3}
mkdir -p "$folder/$name/share/doc/deadfall/libraries"
cp "$source"/{README.md,CHANGELOG.md,LICENSE} "$folder/$name/share/doc/deadfall"
cp "$prefix"/licences/* "$folder/$name/share/doc/deadfall/libraries"
cp "$build/_deps/enet-src/LICENSE" "$folder/$name/share/doc/deadfall/libraries/enet"
case $kind in
  glibc) needs="the C library of Debian 12, Ubuntu 22.04, Fedora 35, SteamOS 3 or newer" ;;
  musl) needs="nothing" ;;
  *) needs="the C library of Debian 12, Ubuntu 22.04 or newer" ;;
esac
sed "s/VERSION/$version/; s/(KIND)/($kind)/; s/^NEEDS$/NEEDS  $needs. Put this folder anywhere; nothing is installed./" "$here/README.txt" |
  awk -v window="$([ "$kind" = glibc ] && echo yes)" 'BEGIN { RS = ""; ORS = "\n\n" } window || !/^(PLAY|ENTRY) /' |
  sed '$d' >"$folder/$name/README.txt"
tar -C "$folder" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@"${SOURCE_DATE_EPOCH:-0}" -c "$name" | gzip -9n >"$folder/$name.tar.gz"
ls -l "$folder/$name.tar.gz"
