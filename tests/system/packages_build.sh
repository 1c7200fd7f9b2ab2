#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Makes the Debian packages as shared/packages/README.md says, with CMake's default generator and from another folder. The
# sources are those that .dockerignore leaves; their bytes count, not the blocks of this disk. A later run builds only what has changed.
#   packages_build.sh SOURCE_FOLDER BUILD_FOLDER [CMAKE_OPTION]...
set -eu
source=$1 build=$2
shift 2
command -v dpkg-shlibdeps >/dev/null || { echo "dpkg-dev is missing: no packages"; exit 77; }
quiet() { "$@" >"$build.log" 2>&1 || { tail -40 "$build.log"; exit 1; }; }
cd /
rm -rf "$build/packages" "$build.source"
mkdir "$build.source"
# Docker's patterns begin at the top folder, tar's at "./".
sed 's,^\([^*]\),./\1,' "$source/.dockerignore" | tar -C "$source" --anchored -X - -c . | tar -C "$build.source" -x
[ "$(du -sm --apparent-size "$build.source" | cut -f1)" -le 8 ] || { echo "the image copies more than 8 MB of sources"; exit 1; }
quiet env -u CMAKE_GENERATOR -u DESTDIR cmake -S "$build.source" -B "$build" -DDEADFALL_PACKAGE=ON "$@"
quiet cmake --build "$build" -j2
quiet cmake --build "$build" --target package
ls -l "$build/packages"/*.deb
