package main

import (
	"io"
	"os"
	"time"

	"brick/jsonmodel"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows on a terminal how far a build is.
type progress struct {
	bar    *progressbar.ProgressBar // nil when nothing is shown
	source *jsonmodel.Source
}

// newProgress shows nothing unless wanted and w is a terminal.
func newProgress(w io.Writer, source *jsonmodel.Source, wanted bool) *progress {
	file, ok := w.(*os.File)
	if !wanted || !ok || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	return &progress{
		source: source,
		bar: progressbar.NewOptions64(source.Size(),
			progressbar.OptionSetWriter(w),
			progressbar.OptionShowBytes(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionFullWidth(),
		),
	}
}

func (p *progress) phase(name string) {
	if p.bar != nil {
		p.bar.Describe(name)
	}
}

// update shows how much of the model was read.
func (p *progress) update() {
	if p.bar != nil {
		p.bar.Set64(p.source.Consumed())
	}
}

func (p *progress) done() {
	if p.bar != nil {
		p.bar.Finish()
		p.bar.Clear()
	}
}
