package kube

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// sampleDaemon is a job with three processes.
func sampleDaemon(change ...func(*cloud.Daemon)) cloud.Daemon {
	r := sampleRun()
	d := cloud.Daemon{Job: r.Job, App: r.App, Owner: "owner-1", Count: r.Job.Shards}
	d.Job.Name, d.Job.Type, d.Job.Cron, d.Job.Failover = "feed.live", cloud.TypeDaemon, "0/5 * * * * ?", false
	d.Name = cloud.Slug(d.Job.Name)
	for _, c := range change {
		c(&d)
	}
	return d
}

var reporting = Config{Zone: time.FixedZone("GMT+08:00", 8*3600), EventsURL: "http://elasticjob-console:8899/api/cloud/events"}

// shared makes two processes share the three shards by a registry.
func shared(d *cloud.Daemon) {
	d.Job.Props, d.Count = map[string]string{cloud.PropDaemon: cloud.DaemonRegistry, cloud.PropProcesses: "2", "k": "v"}, 2
}

// setFor returns the manifest and fails if there is none.
func setFor(t *testing.T, c Config, change ...func(*cloud.Daemon)) *appsv1.StatefulSet {
	t.Helper()
	c.Policy.ServiceAccounts = []string{"settler"}
	set, err := daemonManifest(sampleDaemon(change...), c)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestDaemonManifestGolden compares the whole StatefulSets of two jobs. Run with UPDATE_GOLDEN=1
// after an intended change.
func TestDaemonManifestGolden(t *testing.T) {
	t.Parallel()
	golden(t, "daemon", setFor(t, Config{}))
	golden(t, "daemon-ready", setFor(t, Config{}, func(d *cloud.Daemon) { d.Job.Props = map[string]string{cloud.PropReadyPort: "8088"} }))
	withRegistry := reporting
	withRegistry.Registry = Registry{Servers: "zk-0.zk:2181,zk-1.zk:2181", Namespace: "shop"}
	golden(t, "daemon-registry", setFor(t, withRegistry, shared, func(d *cloud.Daemon) {
		d.Job.Description, d.Job.ShardParameters, d.Job.StartTime = "follows $prices", "0=x,2=y", "2026-11-22T00:00:00Z"
		d.App.EventSampling, d.App.GraceSeconds = 10, 60
	}))
	golden(t, "daemon-reporting", setFor(t, reporting, func(d *cloud.Daemon) {
		d.Job.Description, d.Job.Misfire, d.Job.Parameter, d.Job.ShardParameters = "follows prices", false, "a$b", "0=x,2=y"
		d.Job.ClockChange, d.Job.StartTime, d.Job.EndTime = "once", "2026-11-22T00:00:00Z", "2027-11-22T00:00:00Z"
		d.App.EventSampling, d.App.Env, d.App.GraceSeconds = 10, map[string]string{"B": "$(ELASTICJOB_INDEX)"}, 60
		d.App.Pod = &cloud.PodSettings{ServiceAccount: "settler", RunAsUser: 1000}
	}))
}

// TestDaemonManifestRefusals: each error names the field.
func TestDaemonManifestRefusals(t *testing.T) {
	t.Parallel()
	for i, tt := range []struct {
		field  string
		change func(*cloud.Daemon)
	}{
		{"name", func(d *cloud.Daemon) { d.Name = "feed" }},
		{"jobExecutionType", func(d *cloud.Daemon) { d.Job.Type = cloud.TypeTransient }},
		{"cron", func(d *cloud.Daemon) { d.Job.Cron = "" }},
		{"props: cloud.daemon", func(d *cloud.Daemon) { shared(d); d.Job.TimeZone = "GMT+01:00" }}, // No registry is configured.
		{"timeZone", func(d *cloud.Daemon) { shared(d); d.Job.TimeZone = "Europe/Berlin" }},
		{"props.cloud.processes", func(d *cloud.Daemon) { d.Job.Props = map[string]string{cloud.PropProcesses: "2"} }},
		{"props.cloud.processes", func(d *cloud.Daemon) { shared(d); d.Job.Props[cloud.PropProcesses] = "1001" }},
		{"count", func(d *cloud.Daemon) { shared(d); d.Count = 3 }},
		{"props.cloud.ready.port", func(d *cloud.Daemon) { d.Job.Props = map[string]string{cloud.PropReadyPort: "65536"} }},
		{"count", func(d *cloud.Daemon) { d.Count = 2 }},
		{"image", func(d *cloud.Daemon) { d.App.Image = "" }},
		{"appURL", func(d *cloud.Daemon) {
			d.App.URL, d.App.SHA256 = "https://repo.example/shop.tar.gz", strings.Repeat("0", 64)
		}},
		{"env", func(d *cloud.Daemon) { d.Job.Parameter = strings.Repeat("$", 90<<10) }},
		{"env", func(d *cloud.Daemon) { d.App.Env = map[string]string{"ELASTICJOB_CRON": "x"} }},
		{"pod.serviceAccountName", func(d *cloud.Daemon) { d.App.Pod = &cloud.PodSettings{ServiceAccount: "admin"} }},
	} {
		_, err := daemonManifest(sampleDaemon(tt.change), reporting)
		if !errors.Is(err, cloud.ErrRefused) || !strings.Contains(fmt.Sprint(err), tt.field) {
			t.Errorf("%d: %v; want ErrRefused that names %s", i, err, tt.field)
		}
	}
}

// TestDaemonPodsAreThoseOfRuns: their pods have the same rights as a run's.
func TestDaemonPodsAreThoseOfRuns(t *testing.T) {
	t.Parallel()
	job, err := manifest(sampleRun(), Policy{})
	if err != nil {
		t.Fatal(err)
	}
	want, got := job.Spec.Template.Spec, setFor(t, Config{}).Spec.Template.Spec
	want.RestartPolicy = corev1.RestartPolicyAlways
	want.Containers[0].Env, got.Containers[0].Env = nil, nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("pods of a DAEMON job (-runs +daemons):\n%s", diff)
	}
}

// TestDifference: only differences are changed, and pods only if their template differs.
func TestDifference(t *testing.T) {
	t.Parallel()
	paths := func(old, want *appsv1.StatefulSet) (all []string) {
		for _, o := range difference(old, want) {
			if !strings.HasPrefix(o.Path, "/metadata/annotations/") && !strings.HasPrefix(o.Path, "/metadata/labels/") || o.Op == "remove" {
				all = append(all, o.Op+" "+o.Path)
			}
		}
		return all
	}
	described := func(d *cloud.Daemon) { d.Job.Description = "other" }
	for name, c := range map[string]struct {
		old  func(*appsv1.StatefulSet)
		want func(*appsv1.StatefulSet)
		of   []func(*cloud.Daemon)
		then []func(*cloud.Daemon)
		say  []string
	}{
		"nothing":          {},
		"others' notes":    {old: func(s *appsv1.StatefulSet) { s.Annotations["theirs"], s.Labels["theirs"] = "x", "y" }},
		"scaled by others": {old: func(s *appsv1.StatefulSet) { s.Spec.Replicas = new(int32(0)) }, say: []string{"add /spec/replicas"}},
		"stopped, and all have ended": {old: func(s *appsv1.StatefulSet) { s.Annotations[noteEnded], s.Spec.Replicas = "{}", new(int32(0)) },
			say: []string{"add /spec/replicas", "remove /metadata/annotations/cloud.elasticjob.dev~1ended"}},
		"stopped, and some work still": {old: func(s *appsv1.StatefulSet) {
			s.Annotations[noteEnded], s.Spec.Replicas, s.Status.Replicas = "{}", new(int32(0)), 1
		}, say: []string{"add /spec/replicas"}},
		"stopped, without a record": {old: func(s *appsv1.StatefulSet) {
			s.Annotations[noteEnded], s.Spec.Replicas, s.Generation = "{}", new(int32(0)), 1
		}, say: []string{"add /spec/replicas"}},
		"another parameter": {then: []func(*cloud.Daemon){func(d *cloud.Daemon) { d.Job.Parameter = "x" }},
			say: []string{"replace /spec/template"}},
		"more shards": {then: []func(*cloud.Daemon){func(d *cloud.Daemon) { d.Job.Shards, d.Count = 5, 5 }},
			say: []string{"replace /spec/template", "add /spec/replicas"}},
		"no description": {of: []func(*cloud.Daemon){described}, say: []string{"remove /metadata/annotations/cloud.elasticjob.dev~1description", "replace /spec/template"}},
		"its owner is known now": {want: func(s *appsv1.StatefulSet) { s.OwnerReferences = []metav1.OwnerReference{{Name: "feed"}} },
			say: []string{"add /metadata/ownerReferences"}},
	} {
		old, want := setFor(t, reporting, c.of...), setFor(t, reporting, c.then...)
		if c.old != nil {
			c.old(old)
		}
		if c.want != nil {
			c.want(want)
		}
		if diff := cmp.Diff(c.say, paths(old, want)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
	// A changed description doesn't restart pods.
	if a, b := setFor(t, reporting), setFor(t, reporting, described); a.Annotations[noteDigest] == b.Annotations[noteDigest] || a.Spec.Template.Annotations[noteDigest] != b.Spec.Template.Annotations[noteDigest] {
		t.Errorf("digests %v and %v, of pods %v and %v", a.Annotations, b.Annotations, a.Spec.Template.Annotations, b.Spec.Template.Annotations)
	}
}
