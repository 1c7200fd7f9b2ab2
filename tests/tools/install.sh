# SPDX-License-Identifier: MIT
# Sourced by the two scripts: finds which Debian packages are missing and installs them.
# install_missing play|tests|portable|windows|browser

packages_play="build-essential cmake ninja-build pkg-config libenet-dev libsodium-dev libsdl2-dev libpng-dev gettext
  libjansson-dev libmicrohttpd-dev libcurl4-openssl-dev libhiredis-dev libsqlite3-dev
  libminiupnpc-dev libqrencode-dev libgnutls28-dev libseccomp-dev libusrsctp-dev"
packages_tests="$packages_play libcmocka-dev clang clang-format libclang-rt-14-dev gcc-12-multilib libc6-dev-i386
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-s390x-linux-gnu libc6-dev-s390x-cross qemu-user gcc-mingw-w64-x86-64-posix python3 git xvfb xauth ffmpeg
  xdotool tiled qstat tcpdump mandoc systemd desktop-file-utils xdg-utils xclip zbar-tools nftables appstream flatpak-builder
  prometheus redis-server nginx-light openssl chromium lintian doxygen wine wine64"
# For shared/packages/portable, and its tests.
packages_portable="$packages_play libssl-dev autoconf automake libtool tcl musl-tools qemu-user debootstrap curl
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross gcc-arm-linux-gnueabihf libc6-dev-armhf-cross flatpak-builder elfutils appstream-util"

# For shared/packages/windows, and its tests.
packages_windows="$packages_play autoconf automake libtool tcl gcc-mingw-w64-x86-64-posix wine wine64"

# For shared/packages/browser, and its tests.
packages_browser="$packages_play autoconf automake libtool emscripten chromium python3"

install_missing() {
  local wanted missing="" package run=""
  case $1 in
    play) wanted=$packages_play ;;
    portable) wanted=$packages_portable ;;
    windows) wanted=$packages_windows ;;
    browser) wanted=$packages_browser ;;
    *) wanted=$packages_tests ;;
  esac
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    printf 'This machine has no apt. Install what these Debian packages hold, then run again:\n  %s\n' \
      "$(echo $wanted)" >&2
    command -v cmake >/dev/null && return 0
    return 69
  fi
  for package in $wanted; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      printf 'Missing, and neither root nor sudo is here. As root: apt-get install%s\n' "$missing" >&2
      return 69
    }
    run=sudo
  fi
  printf 'Installing:%s\n' "$missing"
  $run apt-get update -qq
  # shellcheck disable=SC2086
  DEBIAN_FRONTEND=noninteractive $run apt-get install -y -qq --no-install-recommends $missing >/dev/null
}
