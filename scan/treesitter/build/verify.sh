#!/usr/bin/env bash
# verify.sh: makes the modules again and compares, where Debian 12's compiler
# is there; says so where it isn't. The tests compare the hashes everywhere.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
if ! clang --version 2>/dev/null | grep -q 'Debian clang version 14.0.6' || ! command -v wasm-ld npm zstd >/dev/null; then
  echo "the modules are not made again: Debian 12's clang, lld, npm and zstd are not here"
  exit 0
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
OUT=$out "$here/build.sh"
diff "$here/../modules/SHA256SUMS" "$out/SHA256SUMS"
echo "the modules are those that their sources make"
