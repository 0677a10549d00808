# What tools/quickstart and tools/check share: finding or installing what a
# build needs, running steps with progress, configuring and building. Sourced by
# them, in the root of the source tree; changes nothing by itself.

LOGS=build/logs
if [ -t 1 ]; then
  BOLD=$'\e[1m' RED=$'\e[31m' GREEN=$'\e[32m' PLAIN=$'\e[0m' LIVE=yes
else
  BOLD='' RED='' GREEN='' PLAIN='' LIVE=''
fi

say() { printf '%s\n' "$*"; }
stop() { # stop MESSAGE: ends the script before anything else is changed
  printf '%serror:%s %s\n' "$RED" "$PLAIN" "$*" >&2
  exit 1
}

# -- Steps ---------------------------------------------------------------------

# Shows that a step lives: on a terminal its last line of output, each second;
# elsewhere one line every half minute.
show_progress() { # show_progress TITLE LOG
  local started=$SECONDS shown=0 elapsed last
  # A killed loop leaves its sleep behind: short, and holding no pipe open.
  while sleep 1 >/dev/null 2>&1; do
    elapsed=$((SECONDS - started))
    [ -n "$LIVE" ] || [ $((elapsed - shown)) -ge 30 ] || continue
    shown=$elapsed
    last=$(tail -n 1 "$2" 2>/dev/null | tr -d '\r' | cut -c1-60)
    if [ -n "$LIVE" ]; then
      printf '\r\e[K%6d s  %s  %s' "$elapsed" "$1" "$last"
    else
      printf '%6d s  %s ...  %s\n' "$elapsed" "$1" "$last"
    fi
  done
}

# Runs a command with its output in build/logs/NAME.log and one line printed
# when it ends; shows the end of the log when it fails, and returns its status.
step() { # step NAME TITLE COMMAND...
  local log=$LOGS/$1.log title=$2 started=$SECONDS status=0 ticker
  shift 2
  mkdir -p "$LOGS"
  : >"$log"
  show_progress "$title" "$log" &
  ticker=$!
  trap 'kill "$ticker" 2>/dev/null' EXIT
  "$@" >"$log" 2>&1 </dev/null || status=$?
  kill "$ticker" 2>/dev/null
  wait "$ticker" 2>/dev/null || true
  trap - EXIT
  [ -n "$LIVE" ] && printf '\r\e[K'
  if [ "$status" -eq 0 ]; then
    printf '%6d s  %s%s%s\n' $((SECONDS - started)) "$GREEN" "$title" "$PLAIN"
    return 0
  fi
  printf '%6d s  %s%s: failed with exit code %d%s\n' $((SECONDS - started)) \
    "$RED" "$title" "$status" "$PLAIN"
  tail -n 40 "$log" | sed 's/^/          | /'
  say "          all of it: $log"
  return "$status"
}

# -- What a build needs --------------------------------------------------------

has_program() { command -v "$1" >/dev/null; }
has_file() { # has_file RELATIVE...: under a usual prefix, as include/ or lib/
  local found
  for found in /usr/"$1" /usr/local/"$1" /usr/lib{64,/*-linux-gnu}/"${1#lib/}"; do
    [ -e "$found" ] && return 0
  done
  return 1
}
llvm_prefix() {
  if [ -n "${MLIR_DIR:-}" ]; then
    (cd "$MLIR_DIR/../../.." 2>/dev/null && pwd)
  else
    llvm-config-22 --prefix 2>/dev/null
  fi
}
has_llvm() { # has_llvm RELATIVE: in the folder of LLVM 22
  local prefix
  prefix=$(llvm_prefix) && [ -e "$prefix/$1" ]
}

# Debian package, then how to tell that what it brings is here.
needs='
g++                  has_program g++
git                  has_program git
cmake                has_program cmake
ninja-build          has_program ninja
python3              has_program python3
clang-format         has_program clang-format
libmlir-22-dev       has_llvm lib/cmake/mlir/MLIRConfig.cmake
mlir-22-tools        has_llvm bin/mlir-tblgen
llvm-22-dev          has_llvm lib/libLLVMSupport.a
llvm-22-tools        has_llvm bin/FileCheck
libzstd-dev          has_file lib/libzstd.a
zlib1g-dev           has_file lib/libz.a
catch2               has_file include/catch2/catch.hpp
libboost-context-dev has_file lib/libboost_context.a
libcli11-dev         has_file include/CLI/CLI.hpp
nlohmann-json3-dev   has_file include/nlohmann/json.hpp
'

missing_packages() {
  local package probe
  while read -r package probe; do
    [ -z "$package" ] || $probe || printf '%s ' "$package"
  done <<<"$needs"
}

# The names under which the CUDA toolkit's folder may be given or found.
cuda_roots() {
  printf '%s\n' ${CUDA_HOME:+"$CUDA_HOME"} ${CUDA_PATH:+"$CUDA_PATH"} \
    /usr/local/cuda /usr
}
has_cuda() { # has_cuda PATTERN...: any of these in the toolkit or, for a
  # library, where the loader looks
  local root pattern
  for pattern in "$@"; do
    for root in $(cuda_roots); do
      compgen -G "$root/$pattern" >/dev/null && return 0
    done
    PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null |
      grep -qF "${pattern##*/}" && return 0
  done
  return 1
}

# Lines of what the CUDA toolkit lacks; they name NVIDIA's packages.
missing_cuda() {
  has_cuda lib64/libnvrtc.so lib/libnvrtc.so lib64/libnvrtc.so.13 lib/libnvrtc.so.13 ||
    say '  NVRTC (libnvrtc.so)      in cuda-nvrtc-13-0 and cuda-nvrtc-dev-13-0'
  has_cuda include/nvrtc.h ||
    say '  nvrtc.h                  in cuda-nvrtc-dev-13-0'
  has_cuda include/cuda.h ||
    say '  cuda.h                   in cuda-cudart-dev-13-0'
  has_cuda include/nccl.h ||
    say '  nccl.h                   in libnccl-dev'
}

# Whether this is the distribution that the list of packages is for.
is_debian_12() {
  (
    . "${TILEWIRE_OS_RELEASE:-/etc/os-release}" 2>/dev/null
    [ "${ID:-}" = debian ] && [ "${VERSION_ID:-}" = 12 ]
  )
}
distribution_name() {
  (
    . "${TILEWIRE_OS_RELEASE:-/etc/os-release}" 2>/dev/null
    printf '%s' "${PRETTY_NAME:-an unknown distribution}"
  )
}

# What must be there and isn't, as a person on any distribution installs it.
list_missing() {
  say 'Tilewire is built with these, which are missing here (names of Debian 12):'
  printf '  %s\n' $1
  case $1 in *22-*)
    say 'MLIR and LLVM of version 22 may be anywhere: set MLIR_DIR to their lib/cmake/mlir.'
    ;;
  esac
}

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; else sudo "$@"; fi
}

# Everything a build needs is here when this returns; on any doubt it stops
# before anything is changed.
ensure_needs() {
  local packages lacking
  packages=$(missing_packages)
  lacking=$(missing_cuda)
  if [ -n "$lacking" ]; then
    [ -z "$packages" ] || is_debian_12 || list_missing "$packages"
    say 'The CUDA toolkit (13.0, or 12.4 and newer) must be installed first. Missing:'
    say "$lacking"
    say 'A toolkit outside /usr/local/cuda is found through CUDA_HOME.'
    stop 'expected the CUDA toolkit, install it and run this again'
  fi
  has_cuda lib64/libnccl.so lib64/libnccl.so.2 lib/libnccl.so.2 ||
    say 'note: NCCL (libnccl2) is not found; --compare-nccl needs it, nothing else'
  if [ -z "$packages" ]; then
    say 'Every package is there.'
    return
  fi
  if ! is_debian_12; then
    list_missing "$packages"
    stop "packages are installed on Debian 12 only, this is $(distribution_name);" \
      'install them and run this again'
  fi
  if [ "$(id -u)" -ne 0 ]; then
    local authorise='sudo -n true'
    [ -n "$LIVE" ] && authorise='sudo -v'
    if ! has_program sudo || ! $authorise 2>/dev/null; then
      list_missing "$packages"
      stop 'installing packages takes root or sudo; as root run:' \
        "apt-get update && apt-get install $packages"
    fi
  fi
  say "Installing: $packages"
  step apt-update 'package lists' as_root apt-get update || exit 1
  step apt-install 'packages' as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y --no-install-recommends $packages || exit 1
  packages=$(missing_packages)
  [ -z "$packages" ] ||
    stop "installed, but not where expected: $packages; is LLVM 22 hidden by MLIR_DIR?"
}

# -- Building ------------------------------------------------------------------

# Configures and builds in build/; does again only what has changed.
build_tree() {
  step configure 'configure (preset dev, in build/)' cmake --preset dev || exit 1
  step build 'build' cmake --build --preset dev || exit 1
}
