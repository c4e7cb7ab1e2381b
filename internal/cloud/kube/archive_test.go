package kube

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/archive"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var fetching = Archives{Hosts: archive.Hosts{"repo.example", "mirror.example:8443"}, FetchImage: "registry.example/elasticjob-console:1", RuntimeImage: "busybox:1.37"}

// archived gives an application an archive, like upstream's.
func archived(a *cloud.App) {
	a.Image, a.Command = "", nil
	a.URL, a.SHA256, a.BootstrapScript = "https://repo.example/shop-$1.tar.gz?v=$(1)", strings.Repeat("0a", 32), "bin/start.sh $HOME"
}

// TestArchiveManifestGolden compares the whole Job and StatefulSet of an archive. Run with
// UPDATE_GOLDEN=1 after an intended change.
func TestArchiveManifestGolden(t *testing.T) {
	t.Parallel()
	job, err := manifest(sampleRun(func(r *cloud.Run) { archived(&r.App) }), Policy{Archives: fetching})
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "archive", job)
	sharing := fetching
	sharing.CacheClaim, sharing.Authority = "archives", "corporate-ca"
	if job, err = manifest(sampleRun(func(r *cloud.Run) { archived(&r.App) }), Policy{Archives: sharing}); err != nil {
		t.Fatal(err)
	}
	golden(t, "archive-cached", job)
	cfg := reporting
	cfg.Policy = Policy{Secrets: []string{"db"}, Archives: sharing}
	set, err := daemonManifest(sampleDaemon(func(d *cloud.Daemon) {
		archived(&d.App)
		d.App.Image, d.App.CacheEnable, d.App.MemoryMB = "registry.example/runtime:1", false, 512
		d.App.Pod = &cloud.PodSettings{RunAsUser: 1000, EnvFromSecrets: []string{"db"}}
	}), cfg) // Without appCacheEnable there is no cache.
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "daemon-archive", set)
}

// TestCL30Refusals: an archive that can't be fetched makes no pod, and the error has the remedy.
func TestCL30Refusals(t *testing.T) {
	t.Parallel()
	for words, tt := range map[string]struct {
		policy Archives
		change func(*cloud.App)
	}{
		"--cloud-fetch-hosts repo.example":          {Archives{FetchImage: "console:1"}, func(*cloud.App) {}},
		"host elsewhere.example:443 is not allowed": {fetching, func(a *cloud.App) { a.URL = "https://elsewhere.example/a.zip" }},
		"must be fetched by https":                  {fetching, func(a *cloud.App) { a.URL = "http://repo.example/a.zip" }},
		"appSHA256":                                 {fetching, func(a *cloud.App) { a.SHA256 = "" }},
		"use https":                                 {fetching, func(a *cloud.App) { a.URL = "file:///srv/a.zip" }},
		"does not end in a file name":               {fetching, func(a *cloud.App) { a.URL = "https://repo.example/" }},
		"--cloud-fetch-image":                       {Archives{Hosts: fetching.Hosts}, func(*cloud.App) {}},
		"--cloud-runtime-image":                     {Archives{Hosts: fetching.Hosts, FetchImage: "console:1"}, func(*cloud.App) {}},
		"bootstrapScript":                           {fetching, func(a *cloud.App) { a.BootstrapScript = "" }},
		"has a command too":                         {fetching, func(a *cloud.App) { a.Command = []string{"bin/x"} }},
	} {
		_, err := manifest(sampleRun(func(r *cloud.Run) {
			archived(&r.App)
			tt.change(&r.App)
		}), Policy{Archives: tt.policy})
		if !errors.Is(err, cloud.ErrRefused) || !strings.Contains(fmt.Sprint(err), words) || strings.Contains(fmt.Sprint(err), "refused: refused") {
			t.Errorf("%v; want ErrRefused with %q", err, words)
		}
	}
}

// inits gives a pod the state of an init container.
func inits(name string, s, before corev1.ContainerState) func(*corev1.Pod) {
	return func(pod *corev1.Pod) {
		waits("PodInitializing", "")(pod)
		pod.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: name, State: s, LastTerminationState: before}}
	}
}

func ended78() corev1.ContainerState {
	return corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 78, Reason: "Error", Message: "the sum is wrong", StartedAt: at(2), FinishedAt: at(9)}}
}

// TestCL30JudgeFetch: the effect of an init container on its task.
func TestCL30JudgeFetch(t *testing.T) {
	t.Parallel()
	const refused = "the archive was not fetched: exit code 78 (Error): the sum is wrong"
	waiting := func(reason, message string) corev1.ContainerState {
		return corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason, Message: message}}
	}
	failed := func(p *corev1.Pod) { p.Status.Phase = corev1.PodFailed }
	job, set := sight{job: sampleJob()}, sight{set: setFor(t, Config{})}
	for name, tt := range map[string]struct {
		pod     *corev1.Pod
		sight   sight
		state   cloud.State
		message string
		stuck   bool
	}{
		"fetching":                      {samplePod(inits("fetch", corev1.ContainerState{Running: &corev1.ContainerStateRunning{}}, corev1.ContainerState{})), job, tracing.StateStaging, "", false},
		"fetched":                       {samplePod(inits("fetch", corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{}}, corev1.ContainerState{})), job, tracing.StateStaging, "", false},
		"refused, before the phase":     {samplePod(inits("fetch", ended78(), corev1.ContainerState{})), job, tracing.StateFailed, refused, false},
		"refused":                       {samplePod(inits("fetch", ended78(), corev1.ContainerState{}), failed), job, tracing.StateFailed, refused, false},
		"refused, no status of program": {samplePod(inits("fetch", ended78(), corev1.ContainerState{}), failed, func(p *corev1.Pod) { p.Status.ContainerStatuses = nil }), job, tracing.StateFailed, refused, false},
		"no image of it":                {samplePod(inits("fetch", waiting("ImagePullBackOff", "none"), corev1.ContainerState{})), job, tracing.StateStaging, "ImagePullBackOff: none", true},
		"killed while fetching":         {samplePod(inits("fetch", ended78(), corev1.ContainerState{}), deletedAt(5)), sight{job: sampleJob(noted(noteEnded, cloud.EndKill))}, tracing.StateKilled, "ended by root: by mistake", false},
		"another one, before the phase": {samplePod(inits("mesh", ended78(), corev1.ContainerState{})), job, tracing.StateStaging, "exit code 78 (Error): the sum is wrong", false},
		"another one":                   {samplePod(inits("mesh", ended78(), corev1.ContainerState{}), failed), job, tracing.StateFailed, "init container mesh: exit code 78 (Error): the sum is wrong", false},
		"of a daemon, started again":    {samplePod(inits("fetch", waiting("CrashLoopBackOff", "back-off"), ended78())), set, tracing.StateStaging, refused, false},
		"of a daemon, between":          {samplePod(inits("fetch", ended78(), corev1.ContainerState{})), set, tracing.StateStaging, refused, false},
	} {
		got, ok := judge(tt.pod, tt.sight)
		if !ok || got.State != tt.state || !strings.HasSuffix(got.Message, tt.message) || (tt.message == "") != (got.Message == "") || got.Stuck.IsZero() == tt.stuck {
			t.Errorf("%s: %+v, %v", name, got, ok)
		}
		if !got.Started.IsZero() || cloud.Ended(got.State) && !got.Ended.Equal(at(9).Time) {
			t.Errorf("%s: started %s, ended %s: its program never began", name, got.Started, got.Ended)
		}
	}
}
