// Package build tells which build of the program is running. The Makefile and
// the Dockerfile set the values at link time; a plain `go build` or `go
// install module@version` falls back to what the toolchain embedded.
package build

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Set with -ldflags "-X …/internal/build.version=…".
var (
	version string
	commit  string
)

// Info describes the running program.
type Info struct {
	// Version is a tag such as "v0.1.0", or "dev".
	Version string
	// Commit is the revision it was built from, abbreviated, or "unknown".
	Commit string
	// Go is the toolchain, such as "go1.26.8"; Platform is "linux/amd64".
	Go, Platform string
}

// Get returns the build information. It is cheap and safe for concurrent use.
func Get() Info { return load() }

// Of returns the line that the version command of a program prints.
func (i Info) Of(program string) string {
	return program + " " + i.Version + " (" + i.Commit + ", " + i.Go + ", " + i.Platform + ")"
}

// module is the path of this module.
const module = "github.com/elasticjob-go/elasticjob"

// Library returns the version of this module in the running program, which may be a user's;
// "dev" if the toolchain didn't record it.
var Library = sync.OnceValue(func() string {
	embedded, ok := debug.ReadBuildInfo()
	if !ok || embedded.Main.Path == module {
		return Get().Version
	}
	for _, dep := range embedded.Deps {
		if dep.Path == module && dep.Replace == nil {
			return dep.Version
		}
	}
	return "dev"
})

var load = sync.OnceValue(func() Info {
	info := Info{Version: version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if embedded, ok := debug.ReadBuildInfo(); ok {
		fill(&info, embedded)
	}
	if info.Version == "" {
		info.Version = "dev"
	}
	if info.Commit == "" {
		info.Commit = "unknown"
	}
	return info
})

// fill takes from the toolchain's record what the linker flags left open.
func fill(info *Info, embedded *debug.BuildInfo) {
	if v := embedded.Main.Version; info.Version == "" && v != "(devel)" {
		info.Version = v
	}
	if info.Commit != "" {
		return
	}
	dirty := ""
	for _, s := range embedded.Settings {
		switch {
		case s.Key == "vcs.revision":
			info.Commit = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			dirty = "-dirty"
		}
	}
	if info.Commit != "" {
		info.Commit += dirty
	}
}
