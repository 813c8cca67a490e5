//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"brick/internal/test/genmodel"
	"brick/jsonmodel"
)

type options struct {
	model     string
	functions int
	copies    int
	runs      int
	shapeSize int
	curve     string
	plot      string
	python    string
}

// bench is what the rows share: programs, models, and a folder for both.
type bench struct {
	options
	ctx context.Context
	dir string

	brickIndex, brickMCP, naiveload, emptyserver string
	unbounded                                    []string // flags of brick-mcp that allow any answer

	model     *base
	published *base // the graph with the hub
	samples   map[string]*sample
}

// base is a model of which samples are copies.
type base struct {
	name string
	path string // plain JSON
}

// sample is a number of copies of a model, and its index.
type sample struct {
	key                 string
	json, index         string
	jsonSize, indexSize int64
	picks               picks
}

func newBench(ctx context.Context, o options) (b *bench, err error) {
	dir, err := os.MkdirTemp("", "brick-perf")
	if err != nil {
		return nil, err
	}
	b = &bench{options: o, ctx: ctx, dir: dir, samples: map[string]*sample{}}
	if err := b.prepare(); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *bench) close() { os.RemoveAll(b.dir) }

func (b *bench) file(name string) string { return filepath.Join(b.dir, name) }

func (b *bench) prepare() error {
	// The programs are built in the module that they are shipped from.
	brick, err := exec.CommandContext(b.ctx, "go", "list", "-m", "-f", "{{.Dir}}", "brick").Output()
	if err != nil {
		return fmt.Errorf("go list -m brick: %w: run this in internal/perf", err)
	}
	for _, p := range []struct {
		module, name string
		program      *string
	}{
		{strings.TrimSpace(string(brick)), "brick/cmd/brick-index", &b.brickIndex},
		{strings.TrimSpace(string(brick)), "brick/cmd/brick-mcp", &b.brickMCP},
		{".", "brick/internal/perf/naiveload", &b.naiveload},
		{".", "brick/internal/perf/emptyserver", &b.emptyserver},
	} {
		*p.program = b.file(filepath.Base(p.name))
		if out, err := exec.CommandContext(b.ctx, "go", "build", "-C", p.module, "-o", *p.program, p.name).CombinedOutput(); err != nil {
			return fmt.Errorf("build %s: %w\n%s", p.name, err, out)
		}
	}
	help, _ := exec.CommandContext(b.ctx, b.brickMCP, "--help").CombinedOutput()
	if bytes.Contains(help, []byte("--max-answer")) {
		b.unbounded = []string{"--max-answer=0"}
	}
	b.published = &base{"the published graph", b.file("published.json")}
	if err := generate(b.published.path, genmodel.Published()); err != nil {
		return err
	}
	b.model = &base{fmt.Sprintf("generated, %d functions", b.functions), b.file("model.json")}
	if b.options.model == "" {
		return generate(b.model.path, genmodel.Config{Functions: b.functions, Seed: 1})
	}
	b.model.name = filepath.Base(b.options.model)
	source, err := jsonmodel.Open(b.options.model, 0)
	if err != nil {
		return err
	}
	defer source.Close()
	return write(b.model.path, func(w io.Writer) error {
		_, err := io.Copy(w, source)
		return err
	})
}

func generate(path string, c genmodel.Config) error {
	return write(path, func(w io.Writer) error { return genmodel.Write(w, c) })
}

// write creates a file. It is on the disk before what comes next is measured.
func write(path string, body func(w io.Writer) error) error {
	file, err := os.Create(path)
	if err != nil {
		return err
	}
	if err = body(file); err == nil {
		err = file.Sync()
	}
	if closed := file.Close(); err == nil {
		err = closed
	}
	return err
}

// sample makes copies of a model, and the index of them, unless it has.
func (b *bench) sample(of *base, copies int) (*sample, error) {
	key := fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(of.path), ".json"), copies)
	if s := b.samples[key]; s != nil {
		return s, nil
	}
	log.Printf("making %s of %s", copiesText(copies), of.name)
	s := &sample{key: key, json: of.path, index: b.file(key + ".idx")}
	if copies > 1 {
		s.json = b.file(key + ".json")
		err := write(s.json, func(w io.Writer) error { return scale(w, of.path, copies) })
		if err != nil {
			return nil, err
		}
	}
	if _, err := b.measure(b.brickIndex, "build", "--quiet", s.json, "-o", s.index); err != nil {
		return nil, err
	}
	for path, size := range map[string]*int64{s.json: &s.jsonSize, s.index: &s.indexSize} {
		info, err := os.Stat(path)
		if err != nil {
			return nil, err
		}
		*size = info.Size()
	}
	var err error
	if s.picks, err = pick(s.index); err != nil {
		return nil, err
	}
	b.samples[key] = s
	return s, nil
}

func copiesText(n int) string {
	if n == 1 {
		return "1 copy"
	}
	return fmt.Sprintf("%d copies", n)
}

// many is the sample that most rows are about.
func (b *bench) many() (*sample, error) { return b.sample(b.model, b.copies) }

// usage is what a process took.
type usage struct {
	Seconds float64
	CPU     float64 // seconds, of all cores
	Peak    int64   // bytes of resident memory
}

// measureCommand makes this program run another one and print its usage. The
// peak that the kernel keeps of a process is never less than that of the
// process that started it, which must therefore be small.
const measureCommand = "measure-child"

func measureChild(command []string) {
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Stderr = os.Stderr
	start := time.Now()
	if err := cmd.Run(); err != nil {
		log.Fatal(err)
	}
	u := usage{
		Seconds: time.Since(start).Seconds(),
		CPU:     (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(),
		Peak:    cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10,
	}
	if err := json.NewEncoder(os.Stdout).Encode(u); err != nil {
		log.Fatal(err)
	}
}

// measure runs a program to its end.
func (b *bench) measure(command ...string) (u usage, err error) {
	self, err := os.Executable()
	if err != nil {
		return usage{}, err
	}
	cmd := exec.CommandContext(b.ctx, self, append([]string{measureCommand}, command...)...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return usage{}, fmt.Errorf("%s: %w\n%s", strings.Join(command, " "), err, stderr.String())
	}
	return u, json.Unmarshal(out, &u)
}
