package main

import (
	"io"
	"text/template"
)

var layout = template.Must(template.New("").Parse(`{{range .Names}}{{.}}{{end}}{{.Total}}`))

type page struct{ Names names }

// Total is called by the template.
func (p page) Total() int { return len(p.Names) }

func write(w io.Writer, p page) error { return layout.Execute(w, p) }

func helper(n names) int { return apply(count, n) }

func apply(f func(names) int, n names) int { return f(n) }

func count(n names) int { return len(n) }
