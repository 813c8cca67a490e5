package main

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"brick/model"

	"github.com/cespare/xxhash/v2"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	os.Setenv("GORACE", "atexit_sleep_ms=0") // for the commands, when they run with the race detector
	testscript.Main(m, map[string]func(){"brick-index": main})
}

// TestScripts runs testdata/script: each command as its users run it. Every
// script finds model.json, reordered.json (the same model written in another
// way), other.json (another one) and schema.json in its folder; $BBOLT is the
// model of a real repository, $SCIP the folder of the samples with their SCIP
// indexes.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			bbolt, err := filepath.Abs("../../testdata/bbolt.brick.json.zst")
			if err != nil {
				return err
			}
			env.Setenv("BBOLT", bbolt)
			env.Setenv("GORACE", os.Getenv("GORACE"))
			samples, err := filepath.Abs("../../testdata/scip")
			if err != nil {
				return err
			}
			env.Setenv("SCIP", samples)
			// The command itself, and what every system has.
			own := filepath.SplitList(env.Getenv("PATH"))[0]
			env.Setenv("BAREPATH", strings.Join([]string{own, "/bin", "/usr/bin"}, string(filepath.ListSeparator)))
			for name, contents := range map[string][]byte{
				"model.json":     []byte(scriptModel),
				"reordered.json": []byte(reorderedModel),
				"other.json":     []byte(strings.Replace(scriptModel, `"name":"help"`, `"name":"Help"`, 1)),
				"schema.json":    model.Schema,
			} {
				if err := os.WriteFile(filepath.Join(env.WorkDir, name), contents, 0o666); err != nil {
					return err
				}
			}
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":    scriptCode,
			"files":   scriptFiles,
			"pack":    scriptPack,
			"json":    scriptJSON,
			"jsonl":   scriptJSONLines,
			"damage":  scriptDamage,
			"version": scriptVersion,
			"model":   scriptLargeModel,
			"copydir": scriptCopyDir,
		},
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
	})
}

const scriptModel = `{"schema_version":4,"generator":{"name":"scan","version":"1.2"},"root":"/src",
"repositories":[{"id":"repo:x"}],"scope":{"tests":false},"metrics":{"resolution":{"go":{"resolved":2}}},
"nodes":[
{"id":"go:main","kind":"function","name":"main","language":"go","path":"main.go","span":{"start_line":3,"end_line":9}},
{"id":"go:run","kind":"function","name":"run","language":"go","path":"main.go"},
{"id":"go:help","kind":"function","name":"help","language":"go","path":"help.go"},
{"id":"go:T","kind":"struct","name":"T","language":"go","path":"main.go"}],
"edges":[
{"id":"main-run","kind":"calls","source":"go:main","target":"go:run","evidence":[{"lane":"syntactic","backend":"scan","confidence":0.90}]},
{"id":"run-main","kind":"calls","source":"go:run","target":"go:main","evidence":[{"lane":"imported","backend":"scip"}]},
{"id":"main-T","kind":"imports","source":"go:main","target":"go:T","evidence":[{"lane":"syntactic","backend":"scan"}]}]}
`

const reorderedModel = `{"edges":[
{"kind":"imports","id":"main-T","evidence":[{"backend":"scan","lane":"syntactic"}],"target":"go:T","source":"go:main"},
{"kind":"calls","id":"run-main","evidence":[{"backend":"scip","lane":"imported"}],"target":"go:main","source":"go:run"},
{"kind":"calls","id":"main-run","evidence":[{"confidence":0.90,"backend":"scan","lane":"syntactic"}],"target":"go:run","source":"go:main"}],
"nodes":[
{"path":"help.go","language":"go","name":"help","kind":"function","id":"go:help"},
{"path":"main.go","language":"go","name":"T","kind":"struct","id":"go:\u0054"},
{"path":"main.go","language":"go","name":"run","kind":"function","id":"go:run"},
{"span":{"end_line":9, "start_line":3},"path":"main.go","language":"go","name":"main","kind":"function","id":"go:main"}],
"metrics":{"resolution":{"go":{"resolved":2}}},"scope":{"tests":false},"repositories":[{"id":"repo:x"}],
"root":"\/src","generator":{"version":"1.2","name":"scan"},"schema_version":4.0}
`

// code N PROGRAM ARGUMENT… runs a program that must end with that exit code.
func scriptCode(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N program [args...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("%v", err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// files DIR NAME… demands that these, hidden ones included, are all that is
// in a folder.
func scriptFiles(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 1 {
		ts.Fatalf("usage: files dir [name...]")
	}
	want := slices.Sorted(slices.Values(args[1:]))
	got := fileNames(ts.MkAbs(args[0]))
	if !slices.Equal(got, want) {
		ts.Fatalf("in %s are %q, want %q", args[0], got, want)
	}
}

// fileNames are the names in a folder, in order.
func fileNames(dir string) []string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return []string{err.Error()}
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// pack gzip|zstd FROM TO packs a file.
func scriptPack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: pack gzip|zstd from to")
	}
	var packed bytes.Buffer
	plain := []byte(ts.ReadFile(args[1]))
	switch args[0] {
	case "gzip":
		w := gzip.NewWriter(&packed)
		_, err := w.Write(plain)
		ts.Check(errors.Join(err, w.Close()))
	case "zstd":
		w, err := zstd.NewWriter(&packed)
		ts.Check(err)
		_, err = w.Write(plain)
		ts.Check(errors.Join(err, w.Close()))
	default:
		ts.Fatalf("pack %s?", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[2]), packed.Bytes(), 0o666))
}

// json FILE POINTER VALUE demands that a file is one JSON value, with VALUE at
// the pointer; without VALUE, that there is nothing.
func scriptJSON(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 && len(args) != 3 {
		ts.Fatalf("usage: json file pointer [value]")
	}
	ts.Check(checkJSON([]byte(ts.ReadFile(args[0])), args[1], args[2:]))
}

// jsonl FILE LINE POINTER VALUE does the same with a line, counted from 1.
func scriptJSONLines(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 && len(args) != 4 {
		ts.Fatalf("usage: jsonl file line pointer [value]")
	}
	line, err := strconv.Atoi(args[1])
	ts.Check(err)
	lines := strings.Split(strings.TrimSuffix(ts.ReadFile(args[0]), "\n"), "\n")
	if line > len(lines) {
		ts.Fatalf("%s has %d lines", args[0], len(lines))
	}
	ts.Check(checkJSON([]byte(lines[line-1]), args[2], args[3:]))
}

func checkJSON(text []byte, pointer string, want []string) error {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one value")
	}
	there := true
	for _, name := range strings.Split(pointer, "/")[1:] {
		switch container := v.(type) {
		case map[string]any:
			v, there = container[name]
		case []any:
			if i, err := strconv.Atoi(name); err == nil && i < len(container) {
				v = container[i]
			} else {
				there = false
			}
		default:
			there = false
		}
	}
	var got []string
	if there {
		text, err := json.Marshal(v)
		if err != nil {
			return err
		}
		got = []string{string(text)}
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("%s is %q, want %q", pointer, got, want)
	}
	return nil
}

// damage FILE TEXT|+OFFSET flips a bit of the first byte of a text in a file,
// or of the byte there.
func scriptDamage(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: damage file text|+offset")
	}
	b := []byte(ts.ReadFile(args[0]))
	at := bytes.Index(b, []byte(args[1]))
	if offset, ok := strings.CutPrefix(args[1], "+"); ok {
		var err error
		at, err = strconv.Atoi(offset)
		ts.Check(err)
	}
	if at < 0 || at >= len(b) {
		ts.Fatalf("%s has no %q", args[0], args[1])
	}
	b[at] ^= 1
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// version FILE N makes an index one of another format version: the manifest
// is "BRICKIDX", the version, the rest, and the XXH64 of all that.
func scriptVersion(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: version file n")
	}
	version, err := strconv.ParseUint(args[1], 10, 32)
	ts.Check(err)
	b := []byte(ts.ReadFile(args[0]))
	start := bytes.Index(b, []byte("BRICKIDX"))
	if start < 0 {
		ts.Fatalf("%s is no index", args[0])
	}
	// The value's end is where its checksum is right.
	end := start + 12
	sum := xxhash.New()
	sum.Write(b[start:end])
	for binary.LittleEndian.Uint64(b[end:]) != sum.Sum64() {
		sum.Write(b[end : end+1])
		if end++; end+8 > len(b) {
			ts.Fatalf("%s has no sound manifest", args[0])
		}
	}
	binary.LittleEndian.PutUint32(b[start+8:], uint32(version))
	binary.LittleEndian.PutUint64(b[end:], xxhash.Sum64(b[start:end]))
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b, 0o666))
}

// copydir FROM TO copies a folder with all that is in it.
func scriptCopyDir(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: copydir from to")
	}
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// model FILE FAULTS writes a model with that many faults, one a line: node i
// is on line i+2 and has no kind.
func scriptLargeModel(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: model file faults")
	}
	faults, err := strconv.Atoi(args[1])
	ts.Check(err)
	var b bytes.Buffer
	b.WriteString(`{"schema_version":4,"root":".","repositories":[{"id":"r"}],"scope":{},"edges":[],"nodes":[` + "\n")
	for i := range faults {
		if i > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(&b, `{"id":"n%d","name":"n"}`, i)
	}
	b.WriteString("]}\n")
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), b.Bytes(), 0o666))
}
