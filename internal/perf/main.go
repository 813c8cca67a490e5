//go:build linux

// Perf measures what docs/performance.md promises, each figure beside that of
// a peer in the same run on the same graph, and prints a table. In its folder:
//
//	go run .                                         all of it, on a generated model
//	go run . -model /path/kubernetes.json.zst        all of it, on copies of that one
//	go run . -only start,cold -copies 2              some of it, on a smaller one
//
// A file is a row of the table, or a family of rows. Linux only: peak memory
// and the pages of a file that are in memory are read in its ways.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"
)

// families are the rows, in the order in which they are measured and printed.
var families = []struct {
	name    string
	measure func(*bench) ([]result, error)
}{
	{"build", buildRows},
	{"graph", graphRow},
	{"start", startRow},
	{"memory", memoryRow},
	{"callers", callersRows},
	{"hub", hubRows},
	{"cold", coldRows},
	{"growth", growthRows},
	{"published", publishedRows},
	{"shapes", shapeRows},
	{"curves", curveRows},
}

func main() {
	log.SetFlags(0)
	log.SetPrefix("perf: ")
	if len(os.Args) > 2 && os.Args[1] == measureCommand {
		measureChild(os.Args[2:])
		return
	}
	var names []string
	for _, f := range families {
		names = append(names, f.name)
	}
	var o options
	flag.StringVar(&o.model, "model", "", "a Brick JSON `file` to make copies of, .gz or .zst too (default: a generated model)")
	flag.IntVar(&o.functions, "functions", 27_610, "functions of the generated model; the default is as many as Kubernetes has")
	flag.IntVar(&o.copies, "copies", 12, "copies of the model that the rows are about")
	flag.IntVar(&o.runs, "runs", 5, "runs of what takes seconds, of which the median counts")
	flag.IntVar(&o.shapeSize, "shapes", 1_000_000, "size of the worst shapes")
	flag.StringVar(&o.curve, "curve", "1,2,4,8,12,24", "the growth curves' numbers of copies")
	flag.StringVar(&o.plot, "plot", "", "write the growth curves to this SVG `file`")
	flag.StringVar(&o.python, "python", "", "a Python with python-igraph (default: python3, /usr/bin/python3)")
	only := flag.String("only", strings.Join(names, ","), "the rows to measure")
	markdown := flag.Bool("markdown", false, "print a Markdown table, with date and machine")
	timeout := flag.Duration("timeout", 3*time.Hour, "give up after this long")
	flag.Parse()
	chosen := strings.Split(*only, ",")
	for _, name := range chosen {
		if !slices.Contains(names, name) {
			log.Fatalf("there is no row %q: there are %s", name, strings.Join(names, ", "))
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), *timeout)
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o, chosen, *markdown)
	stop()
	cancel()
	if err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, o options, chosen []string, markdown bool) (err error) {
	b, err := newBench(ctx, o)
	if err != nil {
		return err
	}
	defer b.close()
	var results []result
	for _, f := range families {
		if !slices.Contains(chosen, f.name) {
			continue
		}
		log.Printf("%s …", f.name)
		start := time.Now()
		rows, err := f.measure(b)
		if err != nil {
			return fmt.Errorf("%s: %w", f.name, err)
		}
		log.Printf("%s took %.0f s", f.name, time.Since(start).Seconds())
		results = append(results, rows...)
	}
	if markdown {
		printMarkdown(os.Stdout, b, results)
	} else {
		printTable(os.Stdout, results)
	}
	return nil
}
