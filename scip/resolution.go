package scip

// A resolution counts a language's references to functions. What the
// producers could not resolve they don't say, so that is null in the model,
// not 0.
type resolution struct {
	references, inFunctions, calls, nameReferences, guessedExtents int
	unresolvedSeen                                                 int // calls in the text that no occurrence is about
}

func (im *importer) resolutionOf(l *language) *resolution {
	r := im.resolutions[l.name]
	if r == nil {
		r = &resolution{}
		im.resolutions[l.name] = r
	}
	return r
}
