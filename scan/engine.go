// Package scan makes a model of a checkout by reading it: nothing of the
// checkout is run, and nothing else need be installed.
//
// Each language has an engine, which binds the names in its files and says
// what it found as facts. What is the same for all of them is here: which
// files are read, the cache, the names that only stand in strings and
// documents, and the model.
package scan

import (
	"context"

	"brick/project"
	"brick/scan/cache"
	"brick/scan/facts"
)

// An Engine reads the files of some languages.
type Engine interface {
	// Languages are those that it reads, as project.LanguageOf names them.
	Languages() []string
	// Backend is what its evidence names as its source, as "go/types".
	Backend() string
	// Scan calls job.Emit with the facts of each of job.Files, or job.Skip
	// with why there are none. The facts are those of the checkout alone: the
	// same whatever is in the cache and however many workers there are. A
	// file that can't be read, or on which the engine fails, is skipped and
	// doesn't end the scan; an error does, and is the machine's.
	Scan(ctx context.Context, job *Job) error
}

// A Job is what an engine is to do.
type Job struct {
	Tree    *project.Tree
	Files   []project.File // of the engine's languages, sorted by path
	Cache   *cache.Cache   // of all engines; nil when it is off
	Workers int            // at least 1: how much may be done at once

	// Emit takes what is known of a file, in any order. It may be called by
	// several goroutines. The file is the caller's again once it returns.
	Emit func(*facts.File) error
	// Skip names a file that has no facts, and why.
	Skip func(path, reason string)
}
