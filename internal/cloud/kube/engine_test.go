package kube

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// seen collects the reports of a watch.
type seen struct {
	mu      sync.Mutex
	changed chan struct{}
	runs    map[string]cloud.RunStatus
	tasks   map[string]cloud.Task // with the last state of removed ones
	ended   map[string]int        // how often a task was reported as ended, per state
}

func follow(t *testing.T, e cloud.Engine) *seen {
	t.Helper()
	s := &seen{changed: make(chan struct{}), runs: make(map[string]cloud.RunStatus), tasks: make(map[string]cloud.Task), ended: make(map[string]int)}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- e.Watch(ctx, s.take) }()
	t.Cleanup(func() {
		cancel()
		<-done
	})
	return s
}

func (s *seen) take(e cloud.TaskEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if e.Run.Name != "" {
		s.runs[e.Run.Name] = e.Run
	}
	if old := s.tasks[e.Task.UID]; e.Task.UID != "" {
		if cloud.Ended(e.Task.State) && old.State != e.Task.State {
			s.ended[e.Task.UID]++
		}
		s.tasks[e.Task.UID] = e.Task
	}
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *seen) until(t *testing.T, what string, holds func() bool) {
	t.Helper()
	deadline := time.After(waittest.Patience)
	for {
		s.mu.Lock()
		changed := s.changed
		if holds() {
			s.mu.Unlock()
			return
		}
		s.mu.Unlock()
		select {
		case <-changed:
		case <-deadline:
			s.mu.Lock()
			defer s.mu.Unlock()
			t.Fatalf("not within 30 s: %s; seen are %+v and %+v", what, s.runs, s.tasks)
		}
	}
}

func (s *seen) count(state cloud.State) (n int) {
	for _, t := range s.tasks {
		if t.State == state {
			n++
		}
	}
	return n
}

func shopRun(change ...func(*cloud.Run)) cloud.Run {
	return sampleRun(append([]func(*cloud.Run){func(r *cloud.Run) { r.App = shopApp() }}, change...)...)
}

func launch(t *testing.T, e *Engine, r cloud.Run) {
	t.Helper()
	if created, err := e.Launch(t.Context(), r); err != nil || !created {
		t.Fatalf("Launch = %v, %v; want true", created, err)
	}
}

// TestCL06ReplyIsLost: the reply to a create is lost, but the run exists. Another launch finds it.
func TestCL06ReplyIsLost(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	var lose atomic.Bool
	lose.Store(true)
	d.after = func(r *http.Request) bool { return r.Method == http.MethodPost && lose.CompareAndSwap(true, false) }
	e := open(t, d)
	if created, err := e.Launch(t.Context(), shopRun()); err == nil || created || errors.Is(err, cloud.ErrRefused) {
		t.Errorf("Launch = %v, %v; want an error that may pass", created, err)
	}
	if created, err := e.Launch(t.Context(), shopRun()); err != nil || created {
		t.Errorf("Launch again = %v, %v; want that it is there", created, err)
	}
	s := follow(t, e)
	s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 && len(s.tasks) == 3 })
}

// TestCL07Refusals: temporary and permanent refusals differ, and the time of a retry is known.
func TestCL07Refusals(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	var code atomic.Int32
	d.meet = func(r *http.Request) int {
		if r.Method == http.MethodPost {
			return int(code.Load())
		}
		return 0
	}
	e := open(t, d)
	for status, kind := range map[int32]error{403: cloud.ErrForbidden, 422: cloud.ErrRefused, 400: cloud.ErrRefused, 413: cloud.ErrRefused, 404: cloud.ErrRefused} {
		code.Store(status)
		if _, err := e.Launch(t.Context(), shopRun()); !errors.Is(err, kind) || !errors.Is(err, cloud.ErrRefused) {
			t.Errorf("%d: %v; want %v", status, err, kind)
		}
	}
	for _, status := range []int32{429, 500, 503} {
		code.Store(status)
		// client-go itself retries every second until the context ends.
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if _, err := e.Launch(ctx, shopRun()); err == nil || errors.Is(err, cloud.ErrRefused) {
			t.Errorf("%d: %v; want an error that may pass", status, err)
		}
		cancel()
	}
	code.Store(0)
	launch(t, e, shopRun())
}

// TestCL12WatchEnds: watches end, and the server has forgotten the changes. Everything is listed
// again, and no task ends twice.
func TestCL12WatchEnds(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	launch(t, e, shopRun(func(r *cloud.Run) { r.Job.Failover = false }))
	name := shopRun().Name
	s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 })
	d.exit(name, 0, 0, "Completed", "")
	s.until(t, "one has ended", func() bool { return s.count(tracing.StateFinished) == 1 })
	away := make(chan struct{})
	d.mu.Lock()
	d.meet = func(r *http.Request) int {
		select {
		case <-away:
			return 0
		default:
			return http.StatusServiceUnavailable
		}
	}
	d.mu.Unlock()
	d.endWatches()
	d.exit(name, 1, 7, "Error", "")
	d.exit(name, 2, 0, "Completed", "")
	d.forgetHistory()
	close(away)
	s.until(t, "the run has failed", func() bool { return s.runs[name].State == cloud.RunFailed })
	s.until(t, "all have ended", func() bool { return s.count(tracing.StateFinished) == 2 && s.count(tracing.StateFailed) == 1 })
	s.mu.Lock()
	defer s.mu.Unlock()
	for uid, n := range s.ended {
		if n != 1 {
			t.Errorf("task %s has ended %d times", uid, n)
		}
	}
}

// TestCL24DeletedBySomebody: if a run was deleted during a gap of the watch, its tasks get a final state.
func TestCL24DeletedBySomebody(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	launch(t, e, shopRun())
	s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 })
	if err := e.cfg.Clients.Jobs("runs").Delete(t.Context(), shopRun().Name, metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	s.until(t, "all are lost", func() bool { return s.count(tracing.StateLost) == 3 })
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.questions) != 0 {
		t.Errorf("still in question: %v", e.questions)
	}
}

// TestPodDeletedBySomebody: a pod counts as deleted by others only after the Job was read again,
// which is retried until it succeeds.
func TestPodDeletedBySomebody(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	launch(t, e, shopRun(func(r *cloud.Run) { r.Job.Failover = false }))
	s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 })
	var asked atomic.Int32
	d.mu.Lock()
	d.meet = func(r *http.Request) int {
		if r.Method == http.MethodGet && strings.Contains(r.URL.Path, "/jobs/") && asked.Add(1) == 1 {
			return http.StatusNotImplemented // client-go doesn't retry this status.
		}
		return 0
	}
	job := d.objects["jobs/"+shopRun().Name].(*batchv1.Job)
	pod := d.activePods(job)[1]
	d.deletePod(pod, true)
	d.reconcile(job)
	d.mu.Unlock()
	s.until(t, "it is lost", func() bool { return s.tasks[string(pod.UID)].State == tracing.StateLost })
	if n := asked.Load(); n < 2 {
		t.Errorf("the Job was read %d times; want again after a failure", n)
	}
	if n := s.count(tracing.StateRunning); n != 2 {
		t.Errorf("%d others run; want 2", n)
	}
}

// TestCL35Deadline: the deadline of a run is the cause of its tasks' end.
func TestCL35Deadline(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	launch(t, e, shopRun(func(r *cloud.Run) { r.Job.Props = map[string]string{cloud.PropTimeout: "1s"} }))
	s.until(t, "all failed by the deadline", func() bool {
		return s.count(tracing.StateFailed) == 3 && s.runs[shopRun().Name].State == cloud.RunFailed
	})
	for _, task := range s.tasks {
		if !strings.HasPrefix(task.Message, "deadline: ") {
			t.Errorf("the task is %+v", task)
		}
	}
}

// TestAnotherSchedulersOrder: a second engine knows why the first one's tasks were ended, and a
// third one, started later, knows how the run ended.
func TestAnotherSchedulersOrder(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	first, second := open(t, d), open(t, d)
	s := follow(t, second)
	launch(t, first, shopRun())
	s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 })
	if err := first.End(t.Context(), shopRun().Name, -1, cloud.Ending{Way: cloud.EndKill, By: "root", Reason: "by mistake"}); err != nil {
		t.Fatal(err)
	}
	s.until(t, "all are killed", func() bool { return s.count(tracing.StateKilled) == 3 })
	for _, task := range s.tasks {
		if task.Message != "ended by root: by mistake" {
			t.Errorf("the task is %+v", task)
		}
	}
	third := follow(t, open(t, d))
	third.until(t, "the run was killed", func() bool { return third.runs[shopRun().Name].State == cloud.RunKilled })
}

// TestSuspendedRunIsKilled: killing a suspended run should start none of its tasks.
func TestSuspendedRunIsKilled(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	launch(t, e, shopRun())
	s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 })
	for _, way := range []cloud.Way{cloud.EndSuspend, cloud.EndKill} {
		if err := e.End(t.Context(), shopRun().Name, -1, cloud.Ending{Way: way, By: "root"}); err != nil {
			t.Fatal(err)
		}
	}
	s.until(t, "it was killed", func() bool { return s.runs[shopRun().Name].State == cloud.RunKilled })
	if len(s.tasks) != 3 || s.count(tracing.StateKilled) != 3 {
		t.Errorf("tasks %+v", s.tasks)
	}
}

// TestNameUsedAgain: a new run with the name of a forgotten one stays, whether the answer to its
// launch or the deletion of the other one arrives first, and also if late news of the other one follow.
func TestNameUsedAgain(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	one := shopRun(func(r *cloud.Run) { r.Job.Shards = 1 })
	launch(t, e, one)
	s.until(t, "it runs", func() bool { return s.count(tracing.StateRunning) == 1 })
	old, err := e.read(t.Context(), "test", one.Name)
	if err != nil {
		t.Fatal(err)
	}
	newer := old.DeepCopy()
	newer.UID, newer.ResourceVersion = "uid-of-another", "999"
	e.onObject(newer)
	e.onVanished(old)
	e.onObject(old)
	s.until(t, "the task of the one before is lost", func() bool { return s.count(tracing.StateLost) == 1 })
	e.mu.Lock()
	defer e.mu.Unlock()
	if present := e.present(); len(present) != 1 || present[0].Run.Name != one.Name || e.names[one.Name] != newer.UID {
		t.Errorf("present are %+v", present)
	}
}

// TestLateNewsOfAnEarlierSet: a StatefulSet was deleted and made again, and news of the earlier one arrive
// after the pods of the later one. They should not end its run.
func TestLateNewsOfAnEarlierSet(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	feed := cloud.Daemon{Name: cloud.Slug("feed"), Job: cloud.NewJob("feed", "shop", 2), App: shopApp(), Owner: "owner-1", Count: 2}
	feed.Job.Type, feed.Job.Cron = cloud.TypeDaemon, "0/5 * * * * ?"
	if err := e.Daemon(t.Context(), feed); err != nil {
		t.Fatal(err)
	}
	s.until(t, "two processes run", func() bool { return s.count(tracing.StateRunning) == 2 })
	d.mu.Lock()
	earlier := d.objects["statefulsets/feed"].(*appsv1.StatefulSet).DeepCopy()
	d.mu.Unlock()
	earlier.UID, earlier.ResourceVersion, earlier.Spec.Replicas = "uid-of-an-earlier-one", "0", new(int32(0))
	e.onObject(earlier)
	e.onVanished(earlier)
	e.mu.Lock()
	defer e.mu.Unlock()
	if present := e.present(); len(present) != 3 || len(e.runs) != 1 {
		t.Errorf("present are %+v, of %d StatefulSets", present, len(e.runs))
	}
}

// TestManyKilledTasks: each needs an annotation, so their number is limited.
func TestManyKilledTasks(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	launch(t, e, shopRun())
	d.mu.Lock()
	job := d.objects["jobs/"+shopRun().Name].(*batchv1.Job)
	for i := range maxKilled {
		job.Annotations[fmt.Sprintf("%s%d", noteKilled, i)] = "{}"
	}
	d.put("jobs", job)
	d.mu.Unlock()
	if err := e.End(t.Context(), shopRun().Name, 1, cloud.Ending{Way: cloud.EndKill}); !errors.Is(err, cloud.ErrRefused) {
		t.Errorf("End of one more = %v; want ErrRefused", err)
	}
}

// TestExplain: tasks that wait for the same thing should be one reason.
func TestExplain(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	launch(t, e, shopRun())
	s.until(t, "three tasks run", func() bool { return s.count(tracing.StateRunning) == 3 })
	d.mu.Lock()
	job := d.objects["jobs/"+shopRun().Name].(*batchv1.Job)
	for i, pod := range d.activePods(job) {
		pod.Status.Phase = "Pending"
		waits([]string{"ErrImagePull", "CrashLoopBackOff", "ErrImagePull"}[i], "why")(pod)
		d.put("pods", pod)
	}
	d.mu.Unlock()
	s.until(t, "three tasks wait", func() bool { return s.count(tracing.StateStaging) == 3 })
	reasons, err := e.Explain(t.Context(), shopRun().Name)
	if err != nil || len(reasons) != 2 || reasons[0].Code != "ErrImagePull" || reasons[0].Count != 2 || reasons[0].Text != "why" || reasons[1].Count != 1 || reasons[0].Since.IsZero() {
		t.Errorf("reasons %+v, %v", reasons, err)
	}
}

func TestClosed(t *testing.T) {
	t.Parallel()
	e := open(t, newDouble(t))
	if err := e.Close(); err != nil {
		t.Fatal(err)
	}
	if err := e.Watch(t.Context(), func(cloud.TaskEvent) {}); !errors.Is(err, ErrClosed) {
		t.Errorf("Watch = %v; want ErrClosed", err)
	}
	if _, err := e.Launch(t.Context(), shopRun()); !errors.Is(err, ErrClosed) {
		t.Errorf("Launch = %v; want ErrClosed", err)
	}
	for _, cfg := range []Config{{}, {Namespace: "runs"}} {
		if _, err := Open(cfg); err == nil {
			t.Errorf("Open(%+v) succeeded", cfg)
		}
	}
}
