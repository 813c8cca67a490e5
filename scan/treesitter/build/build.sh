#!/usr/bin/env bash
# build.sh [LANGUAGE…]: makes ../modules/LANGUAGE.wasm.zst from the C sources
# of the tree-sitter runtime and of the language's grammar, and writes the
# hashes to ../modules/SHA256SUMS. Without arguments: all of languages.txt.
#
# Needs Debian 12's clang, lld, wasi-libc, libclang-rt-dev-wasm32, and npm and
# zstd. The same sources and compiler give the same bytes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${OUT:-$here/../modules}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# fetch PACKAGE VERSION SHA256: unpacks it into $work/PACKAGE.
fetch() {
  local dir="$work/$1"
  [ -d "$dir" ] && return
  mkdir -p "$dir"
  local file
  file=$(cd "$work" && npm pack --silent "$1@$2" | tail -1)
  echo "$3  $work/$file" | sha256sum --check --quiet
  tar -xzf "$work/$file" -C "$dir" --strip-components=1
}

read -r _ runtime runtime_version runtime_sum < <(grep '^runtime ' "$here/languages.txt")
fetch "$runtime" "$runtime_version" "$runtime_sum"
lib="$work/$runtime/vendor/tree-sitter/lib"

while read -r language package version sum src; do
  case $language in ''|'#'*|runtime) continue ;; esac
  if [ $# -gt 0 ] && [[ " $* " != *" $language "* ]]; then continue; fi
  fetch "$package" "$version" "$sum"
  grammar="$work/$package/$src"
  scanner=()
  [ -f "$grammar/scanner.c" ] && scanner=("$grammar/scanner.c")
  name=$(sed -n 's/.*TSLanguage \*\(tree_sitter_[a-z0-9_]*\)(void).*/\1/p' "$grammar/parser.c" | head -1)
  (
    # Relative names, so that the folder is in no assertion's text.
    cd "$work"
    clang --target=wasm32-wasi -O3 -flto -DNDEBUG -mexec-model=reactor -w \
      -DLANGUAGE="$name" -D_WASI_EMULATED_PROCESS_CLOCKS \
      -I "$lib/include" -I "$lib/src" -I "$grammar" \
      -Wl,--strip-all -Wl,--gc-sections -Wl,-z,stack-size=1048576 -Wl,--max-memory=1073741824 \
      -o "$language.wasm" "$here/parse.c" "$lib/src/lib.c" "$grammar/parser.c" "${scanner[@]}"
  )
  zstd --quiet --force --ultra -22 "$work/$language.wasm" -o "$out/$language.wasm.zst"
  licence=$(find "$work/$package" -maxdepth 1 -iname 'LICENSE*' | head -1)
  cp "$licence" "$out/LICENSE.$language"
  (cd "$work" && sha256sum "$language.wasm") > "$work/$language.sum"
  { grep -v "  $language.wasm\$" "$out/SHA256SUMS" 2>/dev/null || true; cat "$work/$language.sum"; } | sort -k2 > "$work/sums"
  cp "$work/sums" "$out/SHA256SUMS"
done < "$here/languages.txt"
cp "$work/$runtime/LICENSE" "$out/LICENSE.tree-sitter"
