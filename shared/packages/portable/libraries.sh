#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Builds the libraries that portable programs carry inside: static, from Debian's source packages with Debian's patches.
#   libraries.sh KIND FOLDER [LIBRARY]
# KIND: glibc and windows (also the window's libraries), musl, arm64, armhf, browser (what the window needs there).
# The result is FOLDER/KIND, a prefix for CMake and pkg-config.
# A library is built again only if its source, its recipe or the compiler changes; nothing is looked at, if this script and the
# compiler are those of the last time. With LIBRARY, only this one, for which
# the script calls itself.
set -euo pipefail
kind=$1 prefix=$(realpath -m "$2/$1") sources=$(realpath -m "$2/sources") only=${3:-} self=$(realpath "$0")
case $kind in
  glibc) cc=gcc host=x86_64-linux-gnu ;;
  musl) cc=musl-gcc host=x86_64-linux-musl ;;
  arm64) cc=aarch64-linux-gnu-gcc host=aarch64-linux-gnu ;;
  armhf) cc=arm-linux-gnueabihf-gcc host=arm-linux-gnueabihf ;;
  windows) cc=x86_64-w64-mingw32-gcc-posix host=x86_64-w64-mingw32 ;;
  browser) cc=emcc host=wasm32-unknown-emscripten
    export LDFLAGS=-O0 # of what configure links, only to see whether that works: a third of the time
    export AR=emar RANLIB=emranlib NODE_PATH=${NODE_PATH:-/usr/share/nodejs} ;; # where Debian has what its linker needs of node
  *) echo "there is no kind $kind: glibc, musl, arm64, armhf, windows or browser" >&2; exit 64 ;;
esac
for tool in "$cc" apt-get dpkg-source make autoreconf; do
  command -v "$tool" >/dev/null || { echo "portable programs need $tool; tests/tools/install.sh names the packages" >&2; exit 69; }
done

# What this script has made with this compiler is complete.
recipe=$({ cat "$self"; "$cc" --version; } | sha256sum)
[ -n "$only" ] || [ "$(cat "$prefix/.complete" 2>/dev/null)" != "$recipe" ] || exit 0

mkdir -p "$prefix/licences" "$sources"
[ -n "$only" ] || exec 9>"$sources/lock"
[ -n "$only" ] || flock -n 9 || { echo "another build uses $sources, waiting for it"; flock 9; }

# Debian's source packages are read with a list and a cache of our own, so that the machine's stay as they are. apt
# checks their signatures.
apt_own() {
  mkdir -p "$sources/apt/lists/partial" "$sources/apt/cache/archives/partial"
  echo 'deb-src http://deb.debian.org/debian bookworm main
deb-src http://deb.debian.org/debian-security bookworm-security main' >"$sources/apt/sources.list"
  local own=(-o Acquire::Retries=3 -o Acquire::http::Timeout=30 -o "Dir::Etc::SourceList=$sources/apt/sources.list" -o Dir::Etc::SourceParts=/dev/null
    -o "Dir::State::Lists=$sources/apt/lists" -o "Dir::Cache=$sources/apt/cache" -o APT::Sandbox::User=root)
  apt-get -qq "${own[@]}" "$@"
}

no_source() { # no_source WHAT FILE: the file says why
  tail -3 "$2" >&2
  echo "portable programs need sources from deb.debian.org, and $1 cannot be fetched from there: try again later" >&2
  exit 69
}

fetch() { # fetch PACKAGE: leaves its patched source in sources/PACKAGE
  [ -d "$sources/$1" ] && return
  local folder=$sources/unpack
  [ -n "$(ls "$sources/apt/lists" 2>/dev/null | grep Sources)" ] || apt_own update 2>"$sources/why" || no_source "Debian's lists" "$sources/why"
  rm -rf "$folder" && mkdir -p "$folder" && cd "$folder"
  # A mirror may lack the part of Debian; then it is what the authors published. apt has checked what is there.
  if { apt_own source "$1" || apt_own source "$1/bookworm"; } >/dev/null 2>why; then
    mv ./*/ source
  else
    mkdir -p source/debian
    tar -xf "$(ls ./*.orig.tar.* 2>/dev/null | grep -v '\.asc$')" --strip-components=1 -C source 2>/dev/null || no_source "$1" why
    cp source/COPYING source/debian/copyright
    echo "$1: without Debian's patches, which the mirror lacks"
  fi
  basename ./*.dsc .dsc >source/debian/portable.version
  cd / && mv "$folder/source" "$sources/$1" && rm -r "$folder"
}

# Every program of Windows can lie anywhere. There, -fPIC has no meaning.
pic=-fPIC system=Linux
[ "$kind" = windows ] && pic='' system=Windows
optimised="-O2 $pic -fstack-protector-strong"
[ "$kind" = browser ] && optimised=-Oz # what is loaded first is what counts
flags() { echo "$optimised -ffunction-sections -fdata-sections -ffile-prefix-map=$1=."; }

build_with_configure() { # build_with_configure PACKAGE OPTIONS...
  cp -r "$sources/$1" "$work/source" && cd "$work/source"
  case $1 in libsodium | jansson) autoreconf -fi ;; esac # their generated files are not in the source package
  CC=$cc CFLAGS=$(flags "$PWD") ./configure --host="$host" --prefix="$prefix" --disable-shared --enable-static "${@:2}"
  make -j2 && make install
}

build_libsodium() {
  case $kind in
    browser) build_with_configure libsodium --disable-ssp --disable-asm --disable-pie --without-pthreads ;;
    *) build_with_configure libsodium ;;
  esac
}
build_jansson() { build_with_configure jansson; }
build_libmicrohttpd() {
  build_with_configure libmicrohttpd --disable-https --disable-doc --disable-examples --disable-curl --disable-tools
}
build_sqlite3() { # one file, made with this machine's own compiler and tclsh
  local system_libraries=' -lm -lpthread' optimised=$optimised
  [ "$kind" != windows ] || { system_libraries='' optimised=-Os; } # its archive is small
  cp -r "$sources/sqlite3" "$work/source" && cd "$work/source"
  ./configure --disable-tcl && make -j2 sqlite3.c
  # shellcheck disable=SC2046
  "$cc" $(flags "$PWD") -DSQLITE_OMIT_LOAD_EXTENSION -DSQLITE_THREADSAFE=1 -c sqlite3.c
  mkdir -p "$prefix"/{lib/pkgconfig,include}
  rm -f "$prefix/lib/libsqlite3.a" && ar rcs "$prefix/lib/libsqlite3.a" sqlite3.o
  cp sqlite3.h "$prefix/include"
  printf 'Name: sqlite3\nDescription: SQL\nVersion: %s\nLibs: -L%s/lib -lsqlite3%s\nCflags: -I%s/include\n' \
    "$(cat VERSION)" "$prefix" "$system_libraries" "$prefix" >"$prefix/lib/pkgconfig/sqlite3.pc"
}
build_zlib() {
  cp -r "$sources/zlib" "$work/source" && cd "$work/source"
  CHOST=$host CC=$cc CFLAGS=$(flags "$PWD") ./configure --static --prefix="$prefix" && make -j2 libz.a && make install
}
build_libpng1.6() { CPPFLAGS=-I$prefix/include LDFLAGS=-L$prefix/lib build_with_configure libpng1.6; }
# Its systems for sound and pictures are loaded when it runs, as far as the machine has them. On Windows our main is main, as
# everywhere, and a console stays one.
build_libsdl2() {
  if [ "$kind" = browser ]; then # one texture is drawn there: no videos, and no formats of pixels but the usual ones
    CPPFLAGS=$(printf -- '-DSDL_HAVE_%s=0 ' YUV RLE BLIT_0 BLIT_1 BLIT_A BLIT_N BLIT_N_RGB565) \
      build_with_configure libsdl2 --disable-loadso --disable-assembly --disable-test --disable-haptic --disable-sensor --disable-power
    return
  fi
  build_with_configure libsdl2 --disable-rpath --disable-libsamplerate --disable-esd --disable-arts --disable-nas --disable-jack \
    --disable-sndio --disable-video-kmsdrm --disable-video-vulkan --disable-video-opengles1 --disable-libdecor --disable-test
  [ "$kind" != windows ] ||
    sed -i 's/-lmingw32//; s/-lSDL2main//; s/-mwindows//; s/-ldxerr8//; s/-Dmain=SDL_main//' "$prefix/lib/pkgconfig/sdl2.pc"
}
build_with_cmake() { # build_with_cmake PACKAGE OPTIONS...
  cp -r "$sources/$1" "$work/source" && cd "$work/source"
  CFLAGS=$(flags "$PWD") cmake -G Ninja -S . -B made -DCMAKE_BUILD_TYPE=Release -DCMAKE_C_COMPILER="$(command -v "$cc")" \
    -DCMAKE_SYSTEM_NAME="$system" -DCMAKE_INSTALL_PREFIX="$prefix" -DCMAKE_INSTALL_LIBDIR=lib "${@:2}"
  cmake --build made -j2 && cmake --install made
}
build_miniupnpc() {
  build_with_cmake miniupnpc -DUPNPC_BUILD_SHARED=OFF -DUPNPC_BUILD_TESTS=OFF -DUPNPC_BUILD_SAMPLE=OFF
}
build_qrencode() { build_with_cmake qrencode -DWITH_TOOLS=OFF -DWITH_TESTS=OFF -DWITHOUT_PNG=ON; }
build_hiredis() {
  cp -r "$sources/hiredis" "$work/source" && cd "$work/source"
  make CC="$cc" CFLAGS="$(flags "$PWD")" PREFIX="$prefix" LIBRARY_PATH=lib libhiredis.a hiredis.pc
  mkdir -p "$prefix"/{lib/pkgconfig,include/hiredis/adapters}
  cp libhiredis.a "$prefix/lib" && cp hiredis.pc "$prefix/lib/pkgconfig" && cp ./*.h "$prefix/include/hiredis"
}
# Of its protocols HTTP and HTTPS. Windows has certificates of its own.
build_curl() {
  local system_libraries="-ldl -lpthread" certificates=(--with-openssl --with-ca-fallback --without-ca-bundle --without-ca-path)
  [ "$kind" != windows ] || { system_libraries="" certificates=(--with-schannel); }
  LIBS=$system_libraries build_with_configure curl "${certificates[@]}" \
    --disable-{ftp,file,ldap,ldaps,rtsp,dict,telnet,tftp,pop3,imap,smb,smtp,gopher,mqtt,manual,ntlm,unix-sockets,alt-svc} \
    --without-{libidn2,libpsl,nghttp2,brotli,zstd,librtmp,libssh2,gssapi,zlib}
}

library() { # library PACKAGE: builds it if that has to be
  local stamp work
  stamp=$prefix/.$1-$({ declare -f "build_$1" build_with_configure flags; echo "$optimised"; "$cc" --version; cat "$sources/$1/debian/portable.version"; } | sha256sum | cut -c 1-16)
  cp "$sources/$1/debian/copyright" "$prefix/licences/$1"
  [ -e "$stamp" ] && return
  work=$(mktemp -d)
  echo "building $1 for $kind"
  (set -e; "build_$1") >"$prefix/$1.log" 2>&1 </dev/null || { tail -20 "$prefix/$1.log" >&2; rm -rf "$work"; exit 1; }
  rm -rf "$work" "$prefix/.$1"-*
  touch "$stamp"
}

# Debian's own static libraries, of this machine's kind. The linker takes what lies in the prefix first.
packaged() { # packaged PACKAGE LIBRARY...
  local file
  mkdir -p "$prefix/lib"
  cp "/usr/share/doc/$1/copyright" "$prefix/licences/${1%-dev}"
  for file in "${@:2}"; do cp "$($cc -print-file-name="$file")" "$prefix/lib"; done
}

[ -z "$only" ] || { library "$only"; exit; }
libraries=(libsodium jansson libmicrohttpd sqlite3)
window=(zlib libsdl2 libpng1.6 qrencode miniupnpc)
case $kind in
  glibc)
    packaged libssl-dev libssl.a libcrypto.a
    libraries=("${window[@]}" hiredis curl "${libraries[@]}") ;;
  windows) libraries=("${window[@]}" curl "${libraries[@]}") ;;
  browser) libraries=(qrencode libsdl2 libsodium jansson) ;;
esac
# Two at a time, since most of the time one core looks what the compiler can do. Another needs the first.
for name in "${libraries[@]}"; do fetch "$name"; done
library "${libraries[0]}"
printf '%s\n' "${libraries[@]:1}" | xargs -P 2 -n 1 bash "$self" "$kind" "${prefix%/*}"
echo "$recipe" >"$prefix/.complete"
