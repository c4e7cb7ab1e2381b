package cloud

import (
	"maps"
	"slices"
	"strings"
)

// Upstream's defaults for an application.
const (
	DefaultAppCPU      = 1.0
	DefaultAppMemoryMB = 128.0
)

// App is the program of a job's processes: a container image, an archive to fetch, or a program on
// this host. Its JSON has upstream's field names; SHA256, Image, Command, Args, Env, Shell,
// GraceSeconds and Pod are ours.
type App struct {
	// Name is unique and has 1 to 100 characters.
	Name string `json:"appName"`
	// URL is the address of an archive to fetch, which needs SHA256; see [App.Fetched].
	URL string `json:"appURL,omitempty"`
	// SHA256 is the checksum of the archive, 64 hexadecimal digits.
	SHA256 string `json:"appSHA256,omitempty"`
	// Image is the container image. The local engine ignores it.
	Image string `json:"image,omitempty"`
	// BootstrapScript is the shell command that starts the program of an archive.
	BootstrapScript string `json:"bootstrapScript,omitempty"`
	// Command and Args start the program without a shell. If both are empty, the image's own are used.
	Command []string `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	// Env has environment variables. Names that begin with ELASTICJOB_ are ours.
	Env map[string]string `json:"env,omitempty"`
	// Shell lets the local engine start BootstrapScript in a shell.
	Shell bool `json:"shell,omitempty"`
	// CPU and MemoryMB are needed once per process, in addition to the job's.
	CPU      float64 `json:"cpuCount"`
	MemoryMB float64 `json:"memoryMB"`
	// CacheEnable keeps images and archives on the machine that ran them.
	CacheEnable bool `json:"appCacheEnable"`
	// EventSampling n records every n-th run of a DAEMON job; 0 and 1 record all.
	EventSampling int `json:"eventTraceSamplingCount"`
	// GraceSeconds is the time for a process to end after SIGTERM; 0 means 30.
	GraceSeconds int `json:"terminationGracePeriodSeconds,omitempty"`
	// Pod has settings for Kubernetes only, or is nil.
	Pod *PodSettings `json:"pod,omitempty"`
	// Disabled stops the jobs of the application. Upstream stores it outside the document; a store
	// that does so must not write it here.
	Disabled bool `json:"disabled,omitempty"`
	// Running decides about active runs while the application is disabled: EndKill, EndSuspend, or
	// empty to let them finish.
	Running Way `json:"disabledRuns,omitempty"`
	// Namespace is the application's namespace if a cluster serves several, else empty. It isn't
	// part of the document and never changes.
	Namespace string `json:"-"`
}

// NewApp returns an application with upstream's defaults. Unmarshal JSON into it to keep them for
// absent fields.
func NewApp(name string) App {
	return App{Name: name, CPU: DefaultAppCPU, MemoryMB: DefaultAppMemoryMB, CacheEnable: true}
}

// Fetched reports whether the program is an archive to fetch by https or http. Engines refuse http.
// Any other address, such as file:///srv/shop, is only a name.
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
