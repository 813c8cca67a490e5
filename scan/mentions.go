package scan

import (
	"context"

	"brick/project"
)

// mentions are the places where names of functions stand in texts.
type mentions struct{}

func (s *Scan) mentions(ctx context.Context, files []project.File) (*mentions, error) {
	return &mentions{}, nil
}

func (m *mentions) bind(f *fileModel) {}
