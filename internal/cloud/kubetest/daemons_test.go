//go:build kubernetes

package kubetest_test

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kube"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const feed = "feed-daemon"

// feedJob returns a DAEMON job with simulated processes.
func feedJob(change ...func(*cloud.Daemon)) cloud.Daemon {
	r := sample()
	d := cloud.Daemon{Name: "feed", Job: r.Job, App: r.App, Owner: "owner-1", Count: 3}
	d.Job.Name, d.Job.Type, d.Job.Cron = "feed", cloud.TypeDaemon, "0/5 * * * * ?"
	for _, c := range change {
		c(&d)
	}
	return d
}

func (f *fixture) keep(change ...func(*cloud.Daemon)) {
	f.Helper()
	if err := f.Daemon(f.Context(), feedJob(change...)); err != nil {
		f.Fatal(err)
	}
}

func none(d *cloud.Daemon) { d.Count = 0 }

// history waits until the attempts of a shard have these states.
func (f *fixture) history(shard int, want string) {
	f.Helper()
	f.until(patience, fmt.Sprintf("shard %d is %s", shard, want), func() bool {
		var words []string
		for _, t := range f.attempts(shard) {
			words = append(words, strings.TrimPrefix(string(t.State), "TASK_"))
		}
		return strings.Join(words, " ") == want
	})
}

// attempts returns the tasks of a shard in order. Simulated pods vanish at once, and Kubernetes'
// controller deletes an ended pod by its name, so it may delete the next pod instead. That one
// doesn't count, and TestAttemptsOfSimulatedPods shows that only this is left out.
func (f *fixture) attempts(shard int) []cloud.Task {
	return attemptsOf(shard, cluster.Real(), f.tasks)
}

func attemptsOf(shard int, realPods bool, tasks map[string]cloud.Task) (of []cloud.Task) {
	for _, t := range tasks {
		if t.Shard == shard {
			of = append(of, t)
		}
	}
	slices.SortFunc(of, func(a, b cloud.Task) int { return a.Attempt - b.Attempt })
	ended := false
	return slices.DeleteFunc(of, func(t cloud.Task) bool {
		if !realPods && ended && t.State == tracing.StateLost && t.Message == "deleted outside of ElasticJob" {
			return true
		}
		ended = t.State == tracing.StateKilled || t.State == tracing.StateGoneByOperator
		return false
	})
}

// TestAttemptsOfSimulatedPods: only a pod that was deleted right after another one's end is left
// out, and no pod of a real node.
func TestAttemptsOfSimulatedPods(t *testing.T) {
	t.Parallel()
	task := func(attempt int, state tracing.State) cloud.Task {
		of := cloud.Task{TaskRef: cloud.TaskRef{Attempt: attempt}, State: state}
		if state == tracing.StateLost {
			of.Message = "deleted outside of ElasticJob"
		}
		return of
	}
	killed, lost := task(1, tracing.StateKilled), task(2, tracing.StateLost)
	failed := map[string]cloud.Task{"1": task(1, tracing.StateFailed), "2": lost}
	if n := len(attemptsOf(0, false, failed)); n != 2 {
		t.Errorf("after a failed attempt, %d of 2 count", n)
	}
	ended := map[string]cloud.Task{"1": killed, "2": lost, "3": task(3, tracing.StateRunning)}
	if n := len(attemptsOf(0, false, ended)); n != 2 {
		t.Errorf("after a killed attempt, %d of 3 count; want 2", n)
	}
	if n := len(attemptsOf(0, true, ended)); n != 3 {
		t.Errorf("on a real node, %d of 3 count", n)
	}
}

// replaced waits until these shards' last processes were replaced by working ones.
func (f *fixture) replaced(last map[int]cloud.Task) {
	f.Helper()
	f.until(patience, "all processes were replaced", func() bool {
		working, replaced := 0, 0
		for _, t := range f.tasks {
			switch {
			case t.Attempt > last[t.Shard].Attempt && t.State == tracing.StateRunning:
				working++
			case t.Attempt == last[t.Shard].Attempt && t.State == tracing.StateKilled && t.Message == "replaced: the job or its application was changed":
				replaced++
			}
		}
		return working == len(last) && replaced == len(last)
	})
}

// TestDaemonProcesses: they start, an ended one is restarted, a change replaces them one after the
// other, and their number can change. After stopping nothing is left.
func TestDaemonProcesses(t *testing.T) {
	t.Parallel()
	f := watched(t)
	f.keep()
	f.working(3)
	if err := cluster.RestartPod(t.Context(), f.namespace, "feed-1", 7); err != nil {
		t.Fatal(err)
	}
	f.history(1, "FAILED RUNNING")
	if err := f.End(t.Context(), feed, 0, cloud.Ending{Way: cloud.EndKill, By: "root"}); err != nil {
		t.Fatal(err)
	}
	f.history(0, "KILLED RUNNING")
	f.history(2, "RUNNING")
	if r := f.runs[feed]; r.State != cloud.RunRunning || r.Count != 3 || r.JobName != "feed" || r.Origin != cloud.OriginDaemon {
		t.Errorf("the run is %+v", r)
	}
	last := map[int]cloud.Task{}
	for _, task := range f.working(3) {
		last[task.Shard] = task
	}
	f.keep(func(d *cloud.Daemon) { d.Job.Parameter = "x" })
	f.replaced(last)
	f.keep(func(d *cloud.Daemon) { d.Job.Parameter, d.Job.Shards, d.Count = "x", 5, 5 })
	f.history(4, "RUNNING")
	f.keep(func(d *cloud.Daemon) { d.Job.Parameter, d.Job.Shards, d.Count = "x", 2, 2 })
	f.working(2)
	f.until(patience, "the last shard's process was ended", func() bool {
		return slices.ContainsFunc(slices.Collect(maps.Values(f.tasks)), func(t cloud.Task) bool {
			return t.Shard == 4 && t.State == tracing.StateKilled && t.Message == "the job has only 2 shards now"
		})
	})
	f.keep(none)
	f.until(patience, "the run no longer exists", func() bool { return len(f.runs) == 0 && len(f.tasks) == 0 })
	if reasons, err := f.Explain(t.Context(), feed); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("Explain = %v, %v; want ErrNotFound", reasons, err)
	}
}

// TestDaemonOfAResource: processes belong to the job's object. They stop when it's disabled, start
// when it's enabled, and are deleted with it.
func TestDaemonOfAResource(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	namespace := emptyNamespace(t)
	s := openStore(t, namespace)
	seen, _ := watchStore(t, s)
	d := feedJob()
	if _, err := s.CreateApp(t.Context(), d.App); err != nil {
		t.Fatal(err)
	}
	made, err := s.Create(t.Context(), d.Job)
	if err != nil {
		t.Fatal(err)
	}
	seen.until("the job is known", func() bool { return len(seen.jobs) == 1 })
	f := owned(t, namespace, s.In(namespace))
	of := func(d *cloud.Daemon) { d.Owner = made.UID }
	for range 2 {
		f.keep(of)
		f.working(3)
		f.keep(of, none)
		f.until(patience, "the run has stopped", func() bool { return len(f.runs) == 0 && len(f.tasks) == 0 })
	}
	if text := kubectl(t, "", "-n", namespace, "get", "statefulset/feed", "-o", "jsonpath={.spec.replicas} {.metadata.ownerReferences[0].name}"); text != "0 feed" {
		t.Errorf("the StatefulSet is %s", text)
	}
	f.keep(of)
	f.working(3)
	if err := jobsOf(namespace).Delete(t.Context(), "feed", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)}); err != nil {
		t.Fatal(err)
	}
	f.until(patience, "the run no longer exists", func() bool { return len(f.runs) == 0 && len(f.tasks) == 0 })
	f.mu.Lock()
	defer f.mu.Unlock()
	deleted := 0
	for _, task := range f.last {
		if task.State != tracing.StateKilled {
			t.Errorf("the last word is %+v", task)
		}
		if task.Message == `job "feed" was deleted` {
			deleted++
		}
	}
	if deleted != 3 || len(f.last) != 9 {
		t.Errorf("%d of %d tasks went with the job", deleted, len(f.last))
	}
}

// TestDaemonDrained: an evicted process counts as removed by an operator, and is replaced.
func TestDaemonDrained(t *testing.T) {
	t.Parallel()
	f := watched(t)
	f.keep()
	f.working(3)
	if err := cluster.Core.Pods(f.namespace).EvictV1(t.Context(), &policyv1.Eviction{ObjectMeta: metav1.ObjectMeta{Name: "feed-2"}}); err != nil {
		t.Fatal(err)
	}
	f.history(2, "GONE_BY_OPERATOR RUNNING")
}

// TestDaemonSomebodyElses: we should not touch a foreign StatefulSet with our name.
func TestDaemonSomebodyElses(t *testing.T) {
	t.Parallel()
	f := watched(t)
	_, apps := clients(t, cluster.Admin)
	labels := map[string]string{"app": "theirs"}
	theirs := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Name: "feed", Labels: labels}, Spec: appsv1.StatefulSetSpec{
		Replicas: new(int32(1)), Selector: &metav1.LabelSelector{MatchLabels: labels},
		Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels}, Spec: corev1.PodSpec{Containers: []corev1.Container{{Name: "x", Image: "x"}}}},
	}}
	if _, err := apps.StatefulSets(f.namespace).Create(t.Context(), theirs, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := f.Daemon(t.Context(), feedJob()); !errors.Is(err, cloud.ErrForeign) {
		t.Errorf("Daemon = %v; want ErrForeign", err)
	}
	f.keep(none)
	for name, err := range map[string]error{
		"End":    f.End(t.Context(), feed, 0, cloud.Ending{Way: cloud.EndKill}),
		"Forget": f.Forget(t.Context(), feed),
	} {
		if !errors.Is(err, cloud.ErrNotFound) {
			t.Errorf("%s = %v; want ErrNotFound", name, err)
		}
	}
	if set, err := apps.StatefulSets(f.namespace).Get(t.Context(), "feed", metav1.GetOptions{}); err != nil || *set.Spec.Replicas != 1 {
		t.Errorf("it is %+v, %v", set, err)
	}
}

// TestReporter: a pod's token identifies its shard while the pod lives, with the right of the
// shipped component.
func TestReporter(t *testing.T) {
	t.Parallel()
	belongsToAll(t)
	namespace := emptyNamespace(t)
	account := console(t, namespace)
	f := openAs(t, namespace, account, kube.Config{EventsURL: "http://elasticjob-console:8899/api/cloud/events"}).watch()
	f.keep()
	f.working(3)
	token := func(audience string) string {
		text, err := cluster.TokenOfPod(t.Context(), namespace, "feed-1", audience)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	good := token(kube.EventsAudience)
	if _, _, err := f.Reporter(t.Context(), good); err == nil || errors.Is(err, cloud.ErrRefused) || !strings.Contains(err.Error(), "docs/cloud-operations.md") {
		t.Errorf("without the right to ask: %v; want an error other than a refusal, and the remedy", err)
	}
	component := filepath.Join(shipped(t), "kustomize", "components", "events")
	kubectl(t, "", "apply", "--server-side", "--force-conflicts", "-f", filepath.Join(component, "clusterrole.yaml"))
	kubectl(t, "", "create", "clusterrolebinding", "elasticjob-console-events-"+namespace, "--clusterrole=elasticjob-console-events", "--serviceaccount="+namespace+":elasticjob-console")
	deadline := time.Now().Add(patience)
	for { // The API server sees rights later, by its own watch.
		job, shard, err := f.Reporter(t.Context(), good)
		if err == nil && job == "feed" && shard == 1 {
			break
		}
		if err == nil || errors.Is(err, cloud.ErrRefused) || time.Now().After(deadline) {
			t.Fatalf("Reporter = %q, %d, %v", job, shard, err)
		}
		select {
		case <-t.Context().Done():
		case <-time.After(50 * time.Millisecond):
		}
	}
	bearer := account.BearerToken
	for name, text := range map[string]string{"of another audience": token("https://kubernetes.default.svc.cluster.local"), "of the console": bearer, "no token": "x.y.z"} {
		if job, _, err := f.Reporter(t.Context(), text); !errors.Is(err, cloud.ErrRefused) {
			t.Errorf("%s: %q, %v; want ErrRefused", name, job, err)
		}
	}
	// Another engine has no cached answer: the token is invalid after its pod has ended.
	f.keep(none)
	f.until(patience, "the pods have ended", func() bool { return len(f.runs) == 0 })
	if _, err := cluster.Core.Pods(namespace).Get(t.Context(), "feed-1", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Fatalf("the pod: %v", err)
	}
	if job, _, err := openAs(t, namespace, account, kube.Config{}).Reporter(t.Context(), good); !errors.Is(err, cloud.ErrRefused) {
		t.Errorf("after the pod's end: %q, %v; want ErrRefused", job, err)
	}
}

// TestDaemonScheduled: a written ElasticJob gets its processes from the scheduler. They start, stop
// when the job is disabled, start again, and end with it.
func TestDaemonScheduled(t *testing.T) {
	t.Parallel()
	resourcesThere(t)
	namespace := emptyNamespace(t)
	s := openStore(t, namespace)
	schedule(t, namespace, s)
	if _, err := s.CreateApp(t.Context(), feedJob().App); err != nil {
		t.Fatal(err)
	}
	client := jobsOf(namespace)
	if _, err := client.Create(t.Context(), manifest("feed", map[string]any{"jobExecutionType": "DAEMON", "cron": "0/5 * * * * ?", "cpuCount": 0.01, "memoryMB": int64(1)}), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	f := owned(t, namespace, s.In(namespace))
	f.working(3)
	disable := func(off bool) {
		t.Helper()
		if _, err := client.Patch(t.Context(), "feed", types.MergePatchType, fmt.Appendf(nil, `{"spec": {"disabled": %t}}`, off), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	disable(true)
	f.until(patience, "the processes have stopped", func() bool { return len(f.runs) == 0 && len(f.last) == 3 })
	disable(false)
	f.working(3)
	if err := client.Delete(t.Context(), "feed", metav1.DeleteOptions{PropagationPolicy: new(metav1.DeletePropagationBackground)}); err != nil {
		t.Fatal(err)
	}
	f.until(2*patience, "the processes have ended", func() bool { return len(f.runs) == 0 && len(f.last) == 6 })
	for _, task := range f.last {
		if task.State != tracing.StateKilled {
			t.Errorf("the last word is %+v", task)
		}
	}
}
