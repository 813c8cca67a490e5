package treesitter

import (
	"embed"
	"fmt"

	"github.com/klauspost/compress/zstd"
)

// modules are the grammars with the tree-sitter runtime, one WebAssembly
// module a language, made by build/build.sh.
//
//go:embed modules/*.wasm.zst modules/SHA256SUMS
var modules embed.FS

// module is the WebAssembly of a language.
func module(language string) ([]byte, error) {
	packed, err := modules.ReadFile("modules/" + language + ".wasm.zst")
	if err != nil {
		return nil, fmt.Errorf("there is no grammar of %q in this program", language)
	}
	r, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.DecodeAll(packed, nil)
}
