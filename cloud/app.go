package cloud

import (
	"maps"
	"slices"
	"strings"
)

// Defaults of upstream for an application that does not say them.
const (
	DefaultAppCPU      = 1.0
	DefaultAppMemoryMB = 128.0
)

// App is what the processes of jobs are made of: a container image, an archive that is
// fetched, or a program of this host. Its JSON has upstream's field names; SHA256,
// Image, Command, Args, Env, Shell, GraceSeconds and Pod are ours.
type App struct {
	// Name is 1 to 100 characters, unique.
	Name string `json:"appName"`
	// URL is where an archive is fetched from, see [App.Fetched]; it needs SHA256.
	URL string `json:"appURL,omitempty"`
	// SHA256 is the sum of the archive, 64 hexadecimal digits.
	SHA256 string `json:"appSHA256,omitempty"`
	// Image is the container image. The local engine ignores it.
	Image string `json:"image,omitempty"`
	// BootstrapScript is a shell command that starts the program of an archive.
	BootstrapScript string `json:"bootstrapScript,omitempty"`
	// Command and Args start the program without a shell; an image has its own if both
	// are empty.
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	// Env are variables of the environment. Names that begin with ELASTICJOB_ are ours.
	Env map[string]string `json:"env,omitempty"`
	// Shell lets the local engine start BootstrapScript in a shell.
	Shell bool `json:"shell,omitempty"`
	// CPU and MemoryMB are needed once per process, beside what the job needs.
	CPU      float64 `json:"cpuCount"`
	MemoryMB float64 `json:"memoryMB"`
	// CacheEnable keeps images and archives on the machine that ran them.
	CacheEnable bool `json:"appCacheEnable"`
	// EventSampling records each so many-th run of a DAEMON job; 0 and 1 record all.
	EventSampling int `json:"eventTraceSamplingCount"`
	// GraceSeconds is how long a process may take to end after SIGTERM; 0 is 30.
	GraceSeconds int `json:"terminationGracePeriodSeconds,omitempty"`
	// Pod is what only an engine of Kubernetes knows; nil for nothing.
	Pod *PodSettings `json:"pod,omitempty"`
	// Disabled stops the jobs of the application. Upstream keeps it beside the document;
	// a store that does so leaves it out of what it writes.
	Disabled bool `json:"disabled,omitempty"`
	// Running is what is to become of runs that go on while it is disabled: EndKill,
	// EndSuspend, or empty to let them finish.
	Running Way `json:"disabledRuns,omitempty"`
	// Namespace is the one of a cluster that has the application, where several are served;
	// empty elsewhere. It is no part of the document, and never changes.
	Namespace string `json:"-"`
}

// NewApp returns an application with upstream's defaults. Unmarshal JSON into it, so that
// absent fields have them.
func NewApp(name string) App {
	return App{Name: name, CPU: DefaultAppCPU, MemoryMB: DefaultAppMemoryMB, CacheEnable: true}
}

// Fetched reports whether the program is in an archive that is fetched: one of https. Engines
// refuse it by http. Any other address, such as file:///srv/shop, only names something.
func (a App) Fetched() bool {
	scheme, _, _ := strings.Cut(a.URL, ":")
	return strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")
}

// Clone returns a deep copy.
func (a App) Clone() App {
	a.Command, a.Args, a.Env = slices.Clone(a.Command), slices.Clone(a.Args), maps.Clone(a.Env)
	if a.Pod != nil {
		pod := a.Pod.Clone()
		a.Pod = &pod
	}
	return a
}
