# SPDX-License-Identifier: MIT
# Sourced by the two scripts: install_missing PACKAGE... installs those of these Debian packages that are missing. What tests and
# kinds need is in tests/kinds/kinds.toml; `scripts/test --packages KIND` installs it.

packages_play="build-essential cmake ninja-build pkg-config libenet-dev libsodium-dev libsdl2-dev libpng-dev gettext
  libjansson-dev libmicrohttpd-dev libcurl4-openssl-dev libhiredis-dev libsqlite3-dev
  libminiupnpc-dev libqrencode-dev libgnutls28-dev libseccomp-dev libusrsctp-dev"
install_missing() {
  local missing="" package run=""
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    printf 'This machine has no apt. Install what these Debian packages hold, then run again:\n  %s\n' \
      "$*" >&2
    command -v cmake >/dev/null && return 0
    return 69
  fi
  for package; do
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
