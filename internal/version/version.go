// Package version is the version of the commands.
package version

// Version is set by -ldflags "-X brick/internal/version.Version=…".
var Version = "0.1.0"
