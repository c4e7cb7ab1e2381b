package kube

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
)

var fire = time.Date(2026, 11, 22, 10, 49, 0, 0, time.UTC)

// sampleRun is the run of the specification's example.
func sampleRun(change ...func(*cloud.Run)) cloud.Run {
	app := cloud.NewApp("shop")
	app.Image, app.Command = "registry.example/shop:1", []string{"bin/settle"}
	app.CPU = 0.5
	job := cloud.NewJob("settlement.daily", "shop", 3)
	job.CPU, job.MemoryMB, job.Failover = 0.1, 64, true
	r := cloud.Run{Name: cloud.RunName(job.Name, fire), Job: job, App: app, Owner: "owner-1", Fire: fire, Origin: cloud.OriginCron}
	for _, c := range change {
		c(&r)
	}
	return r
}

// TestManifestGolden compares the whole Jobs of two runs. Run with UPDATE_GOLDEN=1 after an intended change.
func TestManifestGolden(t *testing.T) {
	t.Parallel()
	runs := map[string]cloud.Run{
		"cron": sampleRun(),
		"manual": sampleRun(func(r *cloud.Run) {
			r.Name, r.Origin, r.By = cloud.ManualRunName(r.Job.Name, "key"), cloud.OriginManual, "root"
			r.Shards, r.Parameters = []int{0, 2}, json.RawMessage(`{"day":"$(date)"}`)
			r.Job.Failover, r.Job.Description = false, "settles the day"
			r.Job.Parameter, r.Job.ShardParameters = "a$b", "0=x,2=y"
			r.Job.Props = map[string]string{
				cloud.PropTimeout: "90500ms", cloud.PropParallelism: "2", cloud.PropCPULimit: "true",
				cloud.PropPriority: "high", cloud.PropFailoverNever: "78,3,78", cloud.PropQueue: "night",
			}
			r.App.Env, r.App.GraceSeconds, r.App.CacheEnable = map[string]string{"B": "$(ELASTICJOB_INDEX)", "A": "1"}, 5, false
			r.App.Pod = &cloud.PodSettings{
				ServiceAccount: "settler", ImagePullSecrets: []string{"registry"}, EnvFromSecrets: []string{"db"}, EnvFromConfigMaps: []string{"conf"},
				NodeSelector: map[string]string{"disk": "ssd"}, PriorityClass: "low", RuntimeClass: "gvisor", RunAsRoot: true, RunAsUser: 1000,
				Tolerations: []cloud.Toleration{{Key: "a", Value: "b", Effect: "NoSchedule"}, {Key: "c"}},
			}
		}),
	}
	for name, r := range runs {
		job, err := manifest(r, Policy{ServiceAccounts: []string{"settler"}, Secrets: []string{"registry", "db"}})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, job)
	}
}

func golden(t *testing.T, name string, object any) {
	t.Helper()
	got, err := json.MarshalIndent(object, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	path := "testdata/" + name + ".json"
	if os.Getenv("UPDATE_GOLDEN") != "" {
		if err := os.WriteFile(path, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)+"\n"); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func container0(j *batchv1.Job) *corev1.Container { return &j.Spec.Template.Spec.Containers[0] }

func variable(j *batchv1.Job, name string) string {
	for _, v := range container0(j).Env {
		if v.Name == name {
			return v.Value
		}
	}
	return "absent"
}

// TestManifestFields: each field of a run should reach the Job.
func TestManifestFields(t *testing.T) {
	t.Parallel()
	prop := func(key, value string) func(*cloud.Run) {
		return func(r *cloud.Run) { r.Job.Props = map[string]string{key: value} }
	}
	tests := []struct {
		name   string
		change func(*cloud.Run)
		get    func(*batchv1.Job) any
		want   any
	}{
		{"name", func(*cloud.Run) {}, func(j *batchv1.Job) any { return j.Name }, cloud.Slug("settlement.daily") + "-1795344540"},
		{"completions", func(r *cloud.Run) { r.Job.Shards = 7 }, func(j *batchv1.Job) any { return *j.Spec.Completions }, int32(7)},
		{"parallelism", prop(cloud.PropParallelism, "2"), func(j *batchv1.Job) any { return *j.Spec.Parallelism }, int32(2)},
		{"no failover: one try", func(r *cloud.Run) { r.Job.Failover = false }, func(j *batchv1.Job) any { return *j.Spec.BackoffLimitPerIndex }, int32(0)},
		{"failover: three more", func(*cloud.Run) {}, func(j *batchv1.Job) any { return *j.Spec.BackoffLimitPerIndex }, int32(3)},
		{"failover max", prop(cloud.PropFailoverMax, "5"), func(j *batchv1.Job) any { return *j.Spec.BackoffLimitPerIndex }, int32(5)},
		{"no failover: a disruption fails", func(r *cloud.Run) { r.Job.Failover = false }, func(j *batchv1.Job) any { return j.Spec.PodFailurePolicy.Rules[1].Action }, batchv1.PodFailurePolicyActionFailIndex},
		{"failover: a disruption does not count", func(*cloud.Run) {}, func(j *batchv1.Job) any { return j.Spec.PodFailurePolicy.Rules[1].Action }, batchv1.PodFailurePolicyActionIgnore},
		{"never again after these", prop(cloud.PropFailoverNever, "9,2,9"), func(j *batchv1.Job) any { return j.Spec.PodFailurePolicy.Rules[0].OnExitCodes.Values }, []int32{2, 9}},
		{"never again by default", func(*cloud.Run) {}, func(j *batchv1.Job) any { return j.Spec.PodFailurePolicy.Rules[0].OnExitCodes.Values }, []int32{64, 65, 78}},
		{"timeout, rounded up", prop(cloud.PropTimeout, "1500ms"), func(j *batchv1.Job) any { return *j.Spec.ActiveDeadlineSeconds }, int64(2)},
		{"no timeout", func(*cloud.Run) {}, func(j *batchv1.Job) any { return j.Spec.ActiveDeadlineSeconds == nil }, true},
		{"replaced when failed", func(*cloud.Run) {}, func(j *batchv1.Job) any { return *j.Spec.PodReplacementPolicy }, batchv1.Failed},
		{"kept for a day", func(*cloud.Run) {}, func(j *batchv1.Job) any { return *j.Spec.TTLSecondsAfterFinished }, int32(86400)},
		{"queue", prop(cloud.PropQueue, "night"), func(j *batchv1.Job) any { return fmt.Sprint(j.Labels[labelQueue], *j.Spec.Suspend) }, "nighttrue"},
		{"begins at once", func(*cloud.Run) {}, func(j *batchv1.Job) any { return j.Spec.Suspend == nil }, true},
		{"no secrets of notifiers", func(r *cloud.Run) {
			r.Job.ErrorHandlerType, r.Job.Props = "WECHAT", map[string]string{"k": "v", "wechat.webhook": "https://chat.example/?key=1"}
		}, func(j *batchv1.Job) any { return variable(j, "ELASTICJOB_PROPS") }, `{"k":"v"}`},
		{"cpu of both, exactly", func(r *cloud.Run) { r.Job.CPU, r.App.CPU = 0.1, 0.2 }, func(j *batchv1.Job) any { return container0(j).Resources.Requests.Cpu().String() }, "300m"},
		{"the least cpu", func(r *cloud.Run) { r.Job.CPU, r.App.CPU = 0.001, 0.0015 }, func(j *batchv1.Job) any { return container0(j).Resources.Requests.Cpu().String() }, "3m"},
		{"memory of both, rounded up", func(r *cloud.Run) { r.Job.MemoryMB, r.App.MemoryMB = 1.2, 2 }, func(j *batchv1.Job) any { return container0(j).Resources.Limits.Memory().String() }, "4Mi"},
		{"cpu is not bounded", func(*cloud.Run) {}, func(j *batchv1.Job) any { return container0(j).Resources.Limits.Cpu().String() }, "0"},
		{"cpu is bounded", prop(cloud.PropCPULimit, "true"), func(j *batchv1.Job) any { return container0(j).Resources.Limits.Cpu().String() }, "600m"},
		{"a shell for a script", func(r *cloud.Run) { r.App.Command, r.App.BootstrapScript = nil, "run it" }, func(j *batchv1.Job) any { return container0(j).Command }, []string{"/bin/sh", "-c", "run it"}},
		{"no cache", func(r *cloud.Run) { r.App.CacheEnable = false }, func(j *batchv1.Job) any { return container0(j).ImagePullPolicy }, corev1.PullAlways},
		{"grace", func(r *cloud.Run) { r.App.GraceSeconds = 9 }, func(j *batchv1.Job) any { return *j.Spec.Template.Spec.TerminationGracePeriodSeconds }, int64(9)},
		{"no token", func(*cloud.Run) {}, func(j *batchv1.Job) any { return *j.Spec.Template.Spec.AutomountServiceAccountToken }, false},
		{"no root", func(*cloud.Run) {}, func(j *batchv1.Job) any { return *j.Spec.Template.Spec.SecurityContext.RunAsNonRoot }, true},
		{"root if asked for", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{RunAsRoot: true} }, func(j *batchv1.Job) any { return j.Spec.Template.Spec.SecurityContext.RunAsNonRoot == nil }, true},
		{"the shard is the index", func(*cloud.Run) {}, func(j *batchv1.Job) any { return variable(j, "ELASTICJOB_ITEM") }, "$(ELASTICJOB_INDEX)"},
		{"of some shards it is not", func(r *cloud.Run) { r.Shards = []int{2} }, func(j *batchv1.Job) any {
			return variable(j, "ELASTICJOB_ITEM") + " " + variable(j, "ELASTICJOB_ITEMS")
		}, "absent 2"},
		{"a dollar sign is one", func(r *cloud.Run) { r.Job.Parameter = "$(HOME) $$" }, func(j *batchv1.Job) any { return variable(j, "ELASTICJOB_JOB_PARAMETER") }, "$$(HOME) $$$$"},
		{"fractions of the fire time", func(r *cloud.Run) { r.Fire = r.Fire.Add(5 * time.Millisecond) }, func(j *batchv1.Job) any { return j.Annotations[noteScheduledAt] }, "2026-11-22T10:49:00.005Z"},
		{"a collision's name", func(r *cloud.Run) { r.Name = cloud.CollisionName(r.Name) }, func(j *batchv1.Job) any { return j.Labels[labelFire] }, "1795344540"},
	}
	for _, tt := range tests {
		job, err := manifest(sampleRun(tt.change), Policy{})
		if err != nil {
			t.Errorf("%s: %v", tt.name, err)
			continue
		}
		if diff := cmp.Diff(tt.want, tt.get(job)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// TestManifestRefusals: each error names the field.
func TestManifestRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		field  string
		change func(*cloud.Run)
	}{
		{"name", func(r *cloud.Run) { r.Name = "settlement-1795344540" }},
		{"name", func(r *cloud.Run) { r.Name = cloud.Slug(r.Job.Name) + "-random" }},
		{"jobExecutionType", func(r *cloud.Run) { r.Job.Type, r.Job.Cron = cloud.TypeDaemon, "0 0 3 * * ?" }},
		{"image", func(r *cloud.Run) { r.App.Image = "" }},
		{"appURL", func(r *cloud.Run) {
			r.App.URL, r.App.SHA256 = "https://repo.example/shop.tar.gz", strings.Repeat("0", 64)
		}},
		{"bootstrapScript", func(r *cloud.Run) { r.App.BootstrapScript = "run" }},
		{"parameters", func(r *cloud.Run) {
			r.Parameters = json.RawMessage(`"` + strings.Repeat("a", cloud.MaxParameters) + `"`)
		}},
		{"parameters", func(r *cloud.Run) { r.Parameters = json.RawMessage("{") }},
		{"shards", func(r *cloud.Run) { r.Shards = []int{} }},
		{"shards", func(r *cloud.Run) { r.Shards = []int{1, 1} }},
		{"shards", func(r *cloud.Run) { r.Shards = []int{-1} }},
		{"shards", func(r *cloud.Run) { r.Shards = []int{3} }},
		{"shardingTotalCount", func(r *cloud.Run) { r.Job.Shards = cloud.MaxShards + 1 }},
		{"memoryMB", func(r *cloud.Run) { r.Job.MemoryMB = math.NaN() }},
		{"env", func(r *cloud.Run) { r.App.Env = map[string]string{"ELASTICJOB_ITEM": "7"} }},
		{"env", func(r *cloud.Run) { r.Job.Parameter = strings.Repeat("$", 90<<10) }},
		{"pod.serviceAccountName", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{ServiceAccount: "admin"} }},
		{"pod.serviceAccountName", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{ServiceAccount: "Not A Name"} }},
		{"pod.envFromSecrets", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{EnvFromSecrets: []string{"billing"}} }},     // W64
		{"pod.imagePullSecrets", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{ImagePullSecrets: []string{"billing"}} }}, // W64
		{"pod.tolerations", func(r *cloud.Run) {
			r.App.Pod = &cloud.PodSettings{Tolerations: []cloud.Toleration{{Key: "a", Effect: "Never"}}}
		}},
		{"pod.nodeSelector", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{NodeSelector: map[string]string{"": "x"}} }},
		{"pod.runAsUser", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{RunAsUser: -1} }},
		{"pod.imagePullSecrets", func(r *cloud.Run) { r.App.Pod = &cloud.PodSettings{ImagePullSecrets: make([]string, 33)} }},
	}
	for i, tt := range tests {
		_, err := manifest(sampleRun(tt.change), Policy{ServiceAccounts: []string{"settler"}})
		if !errors.Is(err, cloud.ErrRefused) || !strings.Contains(fmt.Sprint(err), tt.field) {
			t.Errorf("%d: %v; want ErrRefused that names %s", i, err, tt.field)
		}
	}
}

// TestManifestMapsBack: the Job's status should describe the launched run.
func TestManifestMapsBack(t *testing.T) {
	t.Parallel()
	for _, r := range []cloud.Run{
		sampleRun(),
		sampleRun(func(r *cloud.Run) { r.Fire = r.Fire.Add(123 * time.Microsecond) }),
		sampleRun(func(r *cloud.Run) {
			r.Name, r.Origin, r.Shards = cloud.ManualRunName(r.Job.Name, "key"), cloud.OriginManual, []int{1, 2}
		}),
	} {
		job, err := manifest(r, Policy{})
		if err != nil {
			t.Fatal(err)
		}
		strip(job)
		want := cloud.StatusOf(r, time.Time{})
		if got := statusOf(job, time.Time{}); got != want {
			t.Errorf("got  %+v\nwant %+v", got, want)
		}
	}
}

// TestW39ScriptPods: the pods of a script job start its command line with cloudrun instead of the
// application's program, and nothing in it is a reference to a variable.
func TestW39ScriptPods(t *testing.T) {
	t.Parallel()
	script := func(r *cloud.Run) {
		r.App.Args, r.Job.Props = []string{"x"}, map[string]string{cloud.PropScript: `bin/settle.sh "a $(HOME)"`}
	}
	want := []string{"cloudrun", "--", "bin/settle.sh", "a $$(HOME)"}
	job, err := manifest(sampleRun(script), Policy{})
	if err != nil {
		t.Fatal(err)
	}
	if c := job.Spec.Template.Spec.Containers[0]; cmp.Diff(want, c.Command) != "" || c.Args != nil {
		t.Errorf("a run starts %q %q", c.Command, c.Args)
	}
	r := sampleRun(script)
	r.Job.Type, r.Job.Cron = cloud.TypeDaemon, "0/5 * * * * ?"
	set, err := daemonManifest(cloud.Daemon{Name: cloud.Slug(r.Job.Name), Job: r.Job, App: r.App, Owner: "o", Count: 3}, Config{})
	if err != nil {
		t.Fatal(err)
	}
	if c := set.Spec.Template.Spec.Containers[0]; cmp.Diff(want, c.Command) != "" || c.Args != nil {
		t.Errorf("a DAEMON starts %q %q", c.Command, c.Args)
	}
}
