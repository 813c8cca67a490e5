//go:build linux

package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

// result is a row of the table.
type result struct {
	what   string
	figure string
	peer   string // who was measured beside it, and its figure
	// value is what bar and goal are about: a ratio to the peer, or the figure
	// itself, in unit. A row without a bar has bar 0.
	value, bar, goal float64
	unit             string
}

var columns = []string{"what", "figure", "beside it", "ratio or value", "bar", "goal", "reached"}

func (r result) cells() []string {
	cells := []string{r.what, r.figure, r.peer, r.amount(r.value), "", "", ""}
	if r.bar > 0 {
		cells[4], cells[5] = "≤ "+r.amount(r.bar), "≤ "+r.amount(r.goal)
		switch {
		case r.value <= r.goal:
			cells[6] = "goal"
		case r.value <= r.bar:
			cells[6] = "bar"
		default:
			cells[6] = "no"
		}
	}
	return cells
}

func (r result) amount(v float64) string {
	if v == 0 {
		return ""
	}
	return strings.TrimSpace(number(v) + " " + r.unit)
}

// number writes three digits that count.
func number(v float64) string {
	switch {
	case v >= 100:
		return fmt.Sprintf("%.0f", v)
	case v >= 10:
		return fmt.Sprintf("%.1f", v)
	case v >= 0.1:
		return fmt.Sprintf("%.2f", v)
	default:
		return fmt.Sprintf("%.3f", v)
	}
}

func printTable(w io.Writer, results []result) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, strings.Join(columns, "\t"))
	for _, r := range results {
		fmt.Fprintln(t, strings.Join(r.cells(), "\t"))
	}
	t.Flush()
}

func printMarkdown(w io.Writer, b *bench, results []result) {
	fmt.Fprintf(w, "Measured on %s: %s. Model: %s, %s; medians of %d runs.\n\n",
		time.Now().Format("2 January 2006"), machine(), b.model.name, copiesText(b.copies), b.runs)
	row := func(cells []string) { fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | ")) }
	row(columns)
	row(slices.Repeat([]string{"---"}, len(columns)))
	for _, r := range results {
		row(r.cells())
	}
}

// machine is the processor, the memory and the system.
func machine() string {
	field := func(file, name string) string {
		text, _ := os.ReadFile(file)
		for line := range strings.Lines(string(text)) {
			if key, value, ok := strings.Cut(line, ":"); ok && strings.TrimSpace(key) == name {
				return strings.TrimSpace(value)
			}
		}
		return "unknown"
	}
	release, _ := os.ReadFile("/proc/sys/kernel/osrelease")
	var kilobytes float64
	fmt.Sscanf(field("/proc/meminfo", "MemTotal"), "%f", &kilobytes)
	return fmt.Sprintf("%d cores of %s, %.0f GB of memory, Linux %s, %s", runtime.NumCPU(),
		field("/proc/cpuinfo", "model name"), kilobytes/1e6, strings.TrimSpace(string(release)), runtime.Version())
}

// pairs are figures of ours and of a peer that were measured in turns.
type pairs struct{ ours, peer []float64 }

func (p *pairs) add(ours, peer float64) {
	p.ours, p.peer = append(p.ours, ours), append(p.peer, peer)
}

// ratio is the median of the pairs' ratios.
func (p *pairs) ratio() float64 {
	var ratios []float64
	for i, ours := range p.ours {
		ratios = append(ratios, ours/p.peer[i])
	}
	return median(ratios)
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// quantile95 is what at least 95 of 100 are not above.
func quantile95(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	return sorted[(len(sorted)*95+99)/100-1]
}

// spread is a median, and from where to where the figures go.
func spread(list []float64, unit string) string {
	return fmt.Sprintf("%s %s (%s to %s)", number(median(list)), unit, number(slices.Min(list)), number(slices.Max(list)))
}

func megabytes(bytes int64) string { return number(float64(bytes)/1e6) + " MB" }

func milliseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e6 }

func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
