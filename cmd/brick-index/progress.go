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
	source *jsonmodel.File
}

// newProgress shows nothing unless wanted and w is a terminal. Without a source
// it shows that something is being done, not how much of it.
func newProgress(w io.Writer, source *jsonmodel.File, wanted bool) *progress {
	file, ok := w.(*os.File)
	if !wanted || !ok || !term.IsTerminal(int(file.Fd())) {
		return &progress{}
	}
	size := int64(-1)
	if source != nil {
		size = source.Size()
	}
	return &progress{
		source: source,
		bar: progressbar.NewOptions64(size,
			progressbar.OptionSetWriter(w),
			progressbar.OptionShowBytes(source != nil),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionFullWidth(),
		),
	}
}

func (p *progress) phase(name string) {
	if p.bar != nil {
		p.bar.Describe(name)
		if p.source == nil {
			p.bar.RenderBlank()
		}
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
