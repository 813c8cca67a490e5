package naive

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// A Golden is a question whose answer was worked out by hand from the contract;
// testdata/golden/README.md describes the files.
type Golden struct {
	Name     string // rule/case
	Document []byte // the Brick JSON
	Tool     string
	Args     map[string]any // strings, bools and float64s
	RawArgs  []byte         // the same as a JSON object
	Want     []byte         // the answer, byte for byte; nil when it is an error
}

// Goldens reads all cases below dir.
func Goldens(dir string) ([]Golden, error) {
	files, err := filepath.Glob(filepath.Join(dir, "*", "cases.json"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no golden cases in %s", dir)
	}
	var goldens []Golden
	for _, file := range files {
		rule := filepath.Dir(file)
		document, err := os.ReadFile(filepath.Join(rule, "model.json"))
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var cases []struct {
			Name  string          `json:"name"`
			Why   string          `json:"why"` // for the reader
			Tool  string          `json:"tool"`
			Args  json.RawMessage `json:"args"`
			Want  json.RawMessage `json:"want"`
			Error bool            `json:"error"`
		}
		d := json.NewDecoder(bytes.NewReader(text))
		d.DisallowUnknownFields()
		if err := d.Decode(&cases); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, c := range cases {
			g := Golden{
				Name:     filepath.Base(rule) + "/" + c.Name,
				Document: document,
				Tool:     c.Tool,
				RawArgs:  c.Args,
			}
			if err := json.Unmarshal(c.Args, &g.Args); err != nil {
				return nil, fmt.Errorf("%s: %s: args: %w", file, c.Name, err)
			}
			if c.Error == (c.Want != nil) {
				return nil, fmt.Errorf("%s: %s: has to have a want or an error", file, c.Name)
			}
			if c.Want != nil {
				// Takes the white space out and leaves the rest as it is.
				var want bytes.Buffer
				if err := json.Compact(&want, c.Want); err != nil {
					return nil, err
				}
				g.Want = want.Bytes()
			}
			goldens = append(goldens, g)
		}
	}
	return goldens, nil
}
