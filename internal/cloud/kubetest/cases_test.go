//go:build kubernetes

package kubetest_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestRunEndsWell: pods that end at once are seen with their times.
func TestRunEndsWell(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayWell))
	if s := f.ended(patience, r.Name); s.State != cloud.RunSucceeded || s.Started.IsZero() || s.Ended.Before(s.Started) {
		t.Errorf("the run is %+v", s)
	}
	for shard := range 3 {
		if got := f.states(shard); got != "FINISHED" {
			t.Errorf("shard %d: %s", shard, got)
		}
	}
}

// TestCL22SomebodyElsesJob: we should not touch a foreign Job with our name.
func TestCL22SomebodyElsesJob(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := sample()
	theirs := &batchv1.Job{ObjectMeta: metav1.ObjectMeta{Name: r.Name}, Spec: batchv1.JobSpec{Suspend: new(true), Template: corev1.PodTemplateSpec{
		Spec: corev1.PodSpec{RestartPolicy: corev1.RestartPolicyNever, Containers: []corev1.Container{{Name: "x", Image: "x"}}},
	}}}
	if _, err := cluster.Batch.Jobs(f.namespace).Create(t.Context(), theirs, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if created, err := f.Launch(t.Context(), r); !errors.Is(err, cloud.ErrForeign) || created {
		t.Errorf("Launch = %v, %v; want ErrForeign", created, err)
	}
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndKill}); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("End = %v; want ErrNotFound", err)
	}
	if err := f.Forget(t.Context(), r.Name); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("Forget = %v; want ErrNotFound", err)
	}
	f.launch(func(r *cloud.Run) { r.Name = cloud.CollisionName(r.Name) })
	f.working(3)
}

// TestCL24RunDeletedBySomebody: a run is deleted while it's active. The final state of its tasks is lost.
func TestCL24RunDeletedBySomebody(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch()
	f.working(3)
	background := metav1.DeletePropagationBackground
	if err := cluster.Batch.Jobs(f.namespace).Delete(t.Context(), r.Name, metav1.DeleteOptions{PropagationPolicy: &background}); err != nil {
		t.Fatal(err)
	}
	f.until(patience, "the run has vanished", func() bool { return len(f.runs) == 0 && len(f.last) == 3 })
	for _, task := range f.last {
		if task.State != tracing.StateLost || task.Message != "deleted outside of ElasticJob" || task.Ended.IsZero() {
			t.Errorf("the last word is %+v", task)
		}
	}
}

// TestPodDeletedBySomebody: the task is lost, the others continue, and without failover its shard has failed.
func TestPodDeletedBySomebody(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY_0", kubetest.PlayWell, "PLAY_2", kubetest.PlayWell))
	f.until(patience, "shard 1 is running and the others are over", func() bool {
		over, running := 0, 0
		for _, task := range f.tasks {
			switch task.State {
			case tracing.StateFinished:
				over++
			case tracing.StateRunning:
				running++
			}
		}
		return over == 2 && running == 1
	})
	for _, pod := range f.pods(r.Name) {
		if pod.Status.Phase == corev1.PodRunning {
			if err := cluster.Core.Pods(f.namespace).Delete(t.Context(), pod.Name, metav1.DeleteOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed || s.Message != "shards 1 failed" {
		t.Errorf("the run is %+v", s)
	}
	if got := f.states(1); got != "LOST" {
		t.Errorf("shard 1: %s", got)
	}
}

// TestCL28NoNodeFits: the run waits, with a reason.
func TestCL28NoNodeFits(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(func(r *cloud.Run) { r.Job.MemoryMB = cloud.MaxMemoryMB })
	f.until(patience, "a task reports why it waits", func() bool {
		for _, task := range f.tasks {
			if strings.HasPrefix(task.Message, "Unschedulable: 0/") && strings.Contains(task.Message, " Insufficient memory") && task.State == tracing.StateStaging && task.Stuck.IsZero() {
				return true
			}
		}
		return false
	})
	f.reason(r.Name, "Unschedulable", 3, "Insufficient memory")
	if s := f.runs[r.Name]; s.State != cloud.RunWaiting {
		t.Errorf("the run is %+v", s)
	}
}

// reason waits until Explain returns a reason.
func (f *fixture) reason(run, code string, count int, text string) {
	f.Helper()
	deadline := time.Now().Add(patience)
	for {
		reasons, err := f.Explain(f.Context(), run)
		if err != nil {
			f.Fatal(err)
		}
		if len(reasons) > 0 && reasons[0].Code == code && reasons[0].Count == count && strings.Contains(reasons[0].Text, text) {
			return
		}
		if time.Now().After(deadline) {
			f.Fatalf("the reasons are %+v; want %d times %s with %q", reasons, count, code, text)
		}
		select { // The cluster's events aren't watched, so poll.
		case <-f.Context().Done():
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// TestCL27QuotaIsFull: pods forbidden by a quota should be a reason, not an error of the run.
func TestCL27QuotaIsFull(t *testing.T) {
	t.Parallel()
	f := watched(t)
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "small"}, Spec: corev1.ResourceQuotaSpec{Hard: corev1.ResourceList{corev1.ResourcePods: resource.MustParse("1")}}}
	if _, err := cluster.Core.ResourceQuotas(f.namespace).Create(t.Context(), quota, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := cluster.QuotaCounts(t.Context(), f.namespace, "small"); err != nil {
		t.Fatal(err)
	}
	r := f.launch()
	f.working(1)
	f.reason(r.Name, "FailedCreate", 2, "exceeded quota")
}

// TestCL29ImageIsAbsent: the task is stuck from its start. When the scheduler gives it up, it's an
// error and isn't retried.
func TestCL29ImageIsAbsent(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayNoImage), func(r *cloud.Run) { r.Job.Failover = true })
	f.until(patience, "all tasks are stuck", func() bool {
		stuck := 0
		for _, task := range f.tasks {
			if !task.Stuck.IsZero() && task.Message == "ErrImagePull: there is no such image" {
				stuck++
			}
		}
		return stuck == 3
	})
	f.reason(r.Name, "ErrImagePull", 3, "there is no such image")
	if err := f.End(t.Context(), r.Name, -1, cloud.Ending{Way: cloud.EndError, By: "scheduler", Reason: "it did not start within 10m"}); err != nil {
		t.Fatal(err)
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed || s.Message != "given up by scheduler: it did not start within 10m" {
		t.Errorf("the run is %+v", s)
	}
	f.until(patience, "all tasks are errors", func() bool {
		for _, task := range f.tasks {
			if task.State != tracing.StateError || !task.Started.IsZero() || task.Ended.IsZero() {
				return false
			}
		}
		return len(f.tasks) == 3
	})
}

// TestCL31ShardFails: one shard fails without failover, and the others finish.
func TestCL31ShardFails(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayWell, "PLAY_1", kubetest.PlayFail))
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed || s.Message != "shards 1 failed" {
		t.Errorf("the run is %+v", s)
	}
	if got := f.states(0) + " " + f.states(1) + " " + f.states(2); got != "FINISHED FAILED FINISHED" {
		t.Errorf("states are %s", got)
	}
}

// TestCL32ShardTriedAgain: three attempts with growing pauses, each a failover of the first.
func TestCL32ShardTriedAgain(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayWell, "PLAY_1", kubetest.PlayFail), func(r *cloud.Run) {
		r.Job.Failover, r.Job.Props = true, map[string]string{cloud.PropFailoverMax: "2"}
	})
	if s := f.ended(3*time.Minute, r.Name); s.State != cloud.RunFailed || s.Ended.Sub(s.Created) < 25*time.Second {
		t.Errorf("the run is %+v", s)
	}
	if got := f.states(1); got != "FAILED FAILED FAILED" {
		t.Errorf("states are %s", got)
	}
	first := ""
	for _, task := range f.tasks {
		if task.Shard == 1 && task.Attempt == 1 {
			first = task.UID
		}
	}
	for _, task := range f.tasks {
		if task.Attempt > 1 && task.FirstUID != first || task.Attempt == 1 && task.FirstUID != "" {
			t.Errorf("after %s: %+v", first, task)
		}
	}
}

// TestCL33NeverAgain: an exit code that isn't retried.
func TestCL33NeverAgain(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayWell, "PLAY_1", kubetest.PlayNever), func(r *cloud.Run) { r.Job.Failover = true })
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed {
		t.Errorf("the run is %+v", s)
	}
	if got := f.states(1); got != "FAILED" {
		t.Errorf("states are %s", got)
	}
}

// TestCL34OutOfMemory: it's the cause. Only a real node shows that memory is really limited: there
// the kernel ends the process.
func TestCL34OutOfMemory(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(plays("PLAY", kubetest.PlayOOM), func(r *cloud.Run) { r.Job.Shards = 1 })
	f.ended(patience, r.Name)
	want := []string{"exit code 137 (OOMKilled): played"}
	if cluster.Real() {
		// With cgroups v1, containerd gets the cause by a separate event, which sometimes comes after the end.
		want = []string{"exit code 137 (OOMKilled): " + kubetest.LogLine, "exit code 137 (Error): " + kubetest.LogLine}
	}
	for _, task := range f.tasks {
		if task.State != tracing.StateFailed || !slices.Contains(want, task.Message) {
			t.Errorf("the task is %+v", task)
		}
	}
}

// TestCL35Deadline: a run beyond its deadline ends, and that is the cause of all its tasks.
func TestCL35Deadline(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch(func(r *cloud.Run) { r.Job.Props = map[string]string{cloud.PropTimeout: "2s"} })
	if s := f.ended(patience, r.Name); s.State != cloud.RunFailed || s.Message != "deadline: it took longer than 2s" {
		t.Errorf("the run is %+v", s)
	}
	f.until(patience, "all tasks failed by the deadline", func() bool {
		for _, task := range f.tasks {
			if task.State != tracing.StateFailed || task.Message != "deadline: the run took longer than 2s" {
				return false
			}
		}
		return len(f.tasks) == 3
	})
}

// TestCL37Drained: an evicted pod counts as removed by an operator. With failover it's replaced
// without counting; without, its shard has failed.
func TestCL37Drained(t *testing.T) {
	t.Parallel()
	for _, failover := range []bool{true, false} {
		f := watched(t)
		r := f.launch(func(r *cloud.Run) { r.Job.Failover, r.Job.Shards = failover, 1 })
		first := f.working(1)[0]
		for _, pod := range f.pods(r.Name) {
			if err := cluster.Core.Pods(f.namespace).EvictV1(t.Context(), &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: pod.Name}}); err != nil {
				t.Fatal(err)
			}
		}
		f.until(patience, "the first task went by an operator's will", func() bool { return f.tasks[first.UID].State == tracing.StateGoneByOperator })
		if !failover {
			if s := f.ended(patience, r.Name); s.State != cloud.RunFailed {
				t.Errorf("the run is %+v", s)
			}
			continue
		}
		second := f.working(1)[0]
		if second.Attempt != 2 || second.FirstUID != first.UID {
			t.Errorf("the second is %+v", second)
		}
		if err := cluster.EndPod(t.Context(), f.namespace, r.Name, 0, 0); err != nil {
			t.Fatal(err)
		}
		if s := f.ended(patience, r.Name); s.State != cloud.RunSucceeded {
			t.Errorf("the run is %+v", s)
		}
	}
}

// TestRefusedByTheServer: a refusal by the API is permanent, with its message.
func TestRefusedByTheServer(t *testing.T) {
	t.Parallel()
	f := open(t)
	_, err := f.Launch(t.Context(), sample(func(r *cloud.Run) { r.Job.Props = map[string]string{cloud.PropQueue: "not a label"} }))
	if !errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "not a label") {
		t.Errorf("Launch = %v; want ErrRefused with the server's words", err)
	}
}

// TestCL08APIServerRestarted: watches survive the loss of the API server, and changes during it are
// reported. It isn't parallel, because it affects all tests.
func TestCL08APIServerRestarted(t *testing.T) {
	f := watched(t)
	r := f.launch()
	f.working(3)
	cluster.KillAPIServer()
	if _, err := f.Launch(t.Context(), sample(func(r *cloud.Run) { r.Name = cloud.RunName("settlement", r.Fire.Add(time.Hour)) })); err == nil || errors.Is(err, cloud.ErrRefused) {
		t.Errorf("Launch without an API server: %v; want an error that may pass", err)
	}
	if err := cluster.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	for shard := range 3 {
		if err := cluster.EndPod(t.Context(), f.namespace, r.Name, shard, 0); err != nil {
			t.Fatal(err)
		}
	}
	if s := f.ended(2*patience, r.Name); s.State != cloud.RunSucceeded {
		t.Errorf("the run is %+v", s)
	}
	if len(f.tasks) != 3 {
		t.Errorf("tasks %+v", f.tasks)
	}
}

// TestGoldenManifests: the API server accepts each golden Job and StatefulSet of the engine
// unchanged, with all fields and no errors.
func TestGoldenManifests(t *testing.T) {
	t.Parallel()
	f := open(t)
	files, err := filepath.Glob("../kube/testdata/*.json")
	if err != nil || len(files) < 4 {
		t.Fatalf("golden files %v, %v", files, err)
	}
	batch, apps := clients(t, cluster.Admin)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		client, resource := batch.RESTClient(), "jobs"
		if strings.Contains(string(text), `"kind": "StatefulSet"`) {
			client, resource = apps.RESTClient(), "statefulsets"
		}
		err = client.Post().Namespace(f.namespace).Resource(resource).Param("dryRun", "All").Param("fieldValidation", "Strict").
			SetHeader("Content-Type", "application/json").Body(text).Do(t.Context()).Error()
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}
