package kube

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

const liveRun = "feed-live-55f80be4-daemon"

func shopDaemon(change ...func(*cloud.Daemon)) cloud.Daemon {
	return sampleDaemon(append([]func(*cloud.Daemon){func(d *cloud.Daemon) { d.App = shopApp() }}, change...)...)
}

func keep(t *testing.T, e *Engine, change ...func(*cloud.Daemon)) {
	t.Helper()
	if err := e.Daemon(t.Context(), shopDaemon(change...)); err != nil {
		t.Fatal(err)
	}
}

func stopped(d *cloud.Daemon) { d.Count = 0 }

// set returns a StatefulSet of the double, or nil. d.mu must be held.
func (d *double) set(name string) *appsv1.StatefulSet {
	set, _ := d.objects["statefulsets/"+name].(*appsv1.StatefulSet)
	return set
}

// task returns a task by shard and attempt. s.mu must be held.
func (s *seen) task(shard, attempt int) cloud.Task {
	for _, t := range s.tasks {
		if t.Shard == shard && t.Attempt == attempt {
			return t
		}
	}
	return cloud.Task{}
}

func (s *seen) awaitTask(t *testing.T, shard, attempt int, state cloud.State) (task cloud.Task) {
	t.Helper()
	s.until(t, "shard "+strconv.Itoa(shard)+" is "+string(state), func() bool {
		task = s.task(shard, attempt)
		return task.State == state
	})
	return task
}

// TestDaemonRestarts: each end of a container in its pod, and each ended pod, is an attempt with
// its own cause, name and log.
func TestDaemonRestarts(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	keep(t, e)
	s.until(t, "three processes work", func() bool { return s.count(tracing.StateRunning) == 3 })
	first := s.awaitTask(t, 1, 1, tracing.StateRunning)
	d.exit(liveRun, 1, 3, "Error", "no feed")
	failed := s.awaitTask(t, 1, 1, tracing.StateFailed)
	second := s.awaitTask(t, 1, 2, tracing.StateRunning)
	if failed.Message != "exit code 3 (Error): no feed" || failed.Ended.IsZero() || second.UID != first.UID+"-1" || second.FirstUID != first.UID || second.Created.Before(failed.Ended) || second.Type() != cloud.TaskFailover {
		t.Errorf("%+v, then %+v", failed, second)
	}
	logOf := func(ref cloud.TaskRef, o cloud.LogOptions) string {
		log, err := e.Logs(t.Context(), ref, o)
		if err != nil {
			return err.Error()
		}
		text, err := io.ReadAll(log)
		if err := errors.Join(err, log.Close()); err != nil {
			t.Error(err)
		}
		return string(text)
	}
	for i, c := range []struct{ want, got string }{
		{"log of feed-live-55f80be4-1\n", logOf(second.TaskRef, cloud.LogOptions{})},
		{"log of feed-live-55f80be4-1 before\n", logOf(first.TaskRef, cloud.LogOptions{})},
	} {
		if c.got != c.want {
			t.Errorf("%d: the log is %q, want %q", i, c.got, c.want)
		}
	}
	if err := e.End(t.Context(), liveRun, 1, cloud.Ending{Way: cloud.EndKill, By: "root", Reason: "stuck"}); err != nil {
		t.Fatal(err)
	}
	if killed := s.awaitTask(t, 1, 2, tracing.StateKilled); killed.Message != "ended by root: stuck" {
		t.Errorf("the task is %+v", killed)
	}
	third := s.awaitTask(t, 1, 3, tracing.StateRunning)
	if strings.HasPrefix(third.UID, first.UID) || third.FirstUID != first.UID {
		t.Errorf("after another pod: %+v", third)
	}
	if text := logOf(second.TaskRef, cloud.LogOptions{}); !strings.HasSuffix(text, "not found") {
		t.Errorf("the log of a pod that no longer exists: %q", text)
	}
	// Only the last ones are kept.
	for n := range maxPast + 2 {
		d.exit(liveRun, 0, 0, "Completed", strconv.Itoa(n))
		s.awaitTask(t, 0, n+2, tracing.StateRunning)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if kept := len(e.runs[e.names[liveRun]].byShard[0]); kept != maxPast {
		t.Errorf("%d tasks of a shard are kept", kept)
	}
}

// TestDaemonChanges: pods are replaced only if their template changed, and surplus ones are
// removed. It stays the same run.
func TestDaemonChanges(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	keep(t, e)
	s.until(t, "three processes work", func() bool { return s.count(tracing.StateRunning) == 3 })
	keep(t, e)
	keep(t, e, func(d *cloud.Daemon) { d.Job.Description = "another word" })
	keep(t, e, func(d *cloud.Daemon) { d.Job.Parameter = "x" })
	s.until(t, "all three were replaced", func() bool {
		return s.count(tracing.StateRunning) == 3 && s.count(tracing.StateKilled) == 3 && s.task(2, 2).State == tracing.StateRunning
	})
	if task := s.awaitTask(t, 2, 1, tracing.StateKilled); task.Message != "replaced: the job or its application was changed" {
		t.Errorf("the task is %+v", task)
	}
	d.mu.Lock()
	d.set("feed-live-55f80be4").Annotations["theirs"] = "x"
	d.mu.Unlock()
	keep(t, e, func(d *cloud.Daemon) { d.Job.Parameter, d.Job.Shards, d.Count = "x", 2, 2 })
	if task := s.awaitTask(t, 2, 2, tracing.StateKilled); task.Message != "the job has only 2 shards now" {
		t.Errorf("the task is %+v", task)
	}
	s.until(t, "two processes work", func() bool { return s.count(tracing.StateRunning) == 2 && s.runs[liveRun].Count == 2 })
	d.mu.Lock()
	defer d.mu.Unlock()
	if set := d.set("feed-live-55f80be4"); set.Annotations["theirs"] != "x" || set.Annotations[noteDescription] != "" {
		t.Errorf("annotations %v", set.Annotations)
	}
	if run := s.runs[liveRun]; run.State != cloud.RunRunning || run.Shards != 2 || run.Origin != cloud.OriginDaemon || run.Message != "" {
		t.Errorf("the run is %+v", run)
	}
}

// TestDaemonStops: without a job's object everything is deleted. With one, a StatefulSet without
// pods is left, which can be forgotten.
func TestDaemonStops(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]*owners{"nothing owns it": nil, "an object owns it": {object: "feed", exists: []any{true}}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDouble(t)
			e := open(t, d)
			if o != nil {
				e = openOwned(t, d, o)
			}
			s := follow(t, e)
			keep(t, e)
			s.until(t, "three processes work", func() bool { return s.count(tracing.StateRunning) == 3 })
			keep(t, e, stopped, func(d *cloud.Daemon) { d.Owner = "owner-2" }) // It belongs to another job.
			if err := e.Forget(t.Context(), liveRun); o != nil && !errors.Is(err, cloud.ErrRefused) {
				t.Errorf("Forget = %v; want ErrRefused", err)
			}
			for range 2 {
				if err := e.Daemon(t.Context(), cloud.Daemon{Name: "feed-live-55f80be4", Job: cloud.Job{Name: "feed.live"}}); err != nil {
					t.Fatal(err)
				}
				s.until(t, "all were ended", func() bool { return s.count(tracing.StateKilled) == 3 })
			}
			if task := s.awaitTask(t, 0, 1, tracing.StateKilled); task.Message != "ended by scheduler: the job was disabled or deleted" {
				t.Errorf("the task is %+v", task)
			}
			d.mu.Lock()
			there := d.set("feed-live-55f80be4") != nil
			d.mu.Unlock()
			if there != (o != nil) {
				t.Errorf("there is a StatefulSet: %v", there)
			}
			if err := e.End(t.Context(), liveRun, -1, cloud.Ending{Way: cloud.EndKill}); there && err != nil || !there && !errors.Is(err, cloud.ErrNotFound) {
				t.Errorf("End = %v", err)
			}
			if there { // It starts again, and stops again.
				keep(t, e)
				s.until(t, "three more work", func() bool { return s.count(tracing.StateRunning) == 3 })
				keep(t, e, stopped)
				s.until(t, "they were ended", func() bool { return s.count(tracing.StateKilled) == 6 })
				if err := e.Forget(t.Context(), liveRun); err != nil {
					t.Error(err)
				}
			}
			if err := e.Forget(t.Context(), liveRun); !errors.Is(err, cloud.ErrNotFound) {
				t.Errorf("Forget = %v; want ErrNotFound", err)
			}
			forgottenAll(t, e)
		})
	}
}

// forgottenAll waits until nothing is kept of DAEMON jobs' pods. The API server may report a pod
// after its StatefulSet vanished, which makes an entry until the pod vanishes, too.
func forgottenAll(t *testing.T, e *Engine) {
	t.Helper()
	poll := time.NewTicker(10 * time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(30 * time.Second); ; <-poll.C {
		kept := 0
		e.mu.Lock()
		for _, d := range e.runs {
			if d.status.Name != "" || len(d.live) > 0 || len(d.byShard) > 0 {
				kept++
			}
		}
		e.mu.Unlock()
		switch {
		case kept == 0:
			return
		case time.Now().After(deadline):
			t.Fatalf("after 30 s %d StatefulSets are kept", kept)
		}
	}
}

// TestDaemonRefusals: unsupported operations on DAEMON jobs.
func TestDaemonRefusals(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	keep(t, e)
	end := func(shard int, way cloud.Way) error {
		return e.End(t.Context(), liveRun, shard, cloud.Ending{Way: way})
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		got, want error
	}{
		"end all":            {end(-1, cloud.EndKill), cloud.ErrRefused},
		"suspend all":        {end(-1, cloud.EndSuspend), cloud.ErrRefused},
		"suspend one":        {end(0, cloud.EndSuspend), cloud.ErrUnsupported},
		"end one too many":   {end(7, cloud.EndKill), nil},
		"resume":             {e.Resume(t.Context(), liveRun), nil},
		"resume another one": {e.Resume(t.Context(), "feed-daemon"), cloud.ErrNotFound},
		"another owner":      {e.Daemon(t.Context(), shopDaemon(func(d *cloud.Daemon) { d.Owner = "owner-2" })), cloud.ErrForeign},
		"no image":           {e.Daemon(t.Context(), shopDaemon(func(d *cloud.Daemon) { d.App.Image = "" })), cloud.ErrRefused},
		"not in time":        {e.Daemon(ended, shopDaemon()), context.Canceled},
	} {
		if !errors.Is(c.got, c.want) {
			t.Errorf("%s: %v; want %v", name, c.got, c.want)
		}
	}
	d.mu.Lock()
	delete(d.set("feed-live-55f80be4").Labels, labelKind)
	d.mu.Unlock()
	if err := end(0, cloud.EndKill); !errors.Is(err, cloud.ErrNotFound) {
		t.Errorf("End of a foreign StatefulSet: %v; want ErrNotFound", err)
	}
	if err := e.Daemon(t.Context(), shopDaemon()); !errors.Is(err, cloud.ErrForeign) {
		t.Errorf("Daemon with a foreign StatefulSet: %v; want ErrForeign", err)
	}
	keep(t, e, stopped)
	d.mu.Lock()
	defer d.mu.Unlock()
	if set := d.set("feed-live-55f80be4"); set == nil || replicas(set) != 3 {
		t.Errorf("the foreign StatefulSet was changed: %+v", set)
	}
}

// TestDaemonVanishes: if a StatefulSet is deleted by hand, its tasks end. The job's object shows why.
func TestDaemonVanishes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		exists []any
		state  cloud.State
		words  string
	}{
		"with its job": {[]any{errors.New("the server does not answer"), false}, tracing.StateKilled, `job "feed.live" was deleted`},
		"alone":        {[]any{true}, tracing.StateLost, "deleted outside of ElasticJob"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newDouble(t)
			e := openOwned(t, d, &owners{object: "feed", exists: c.exists})
			s := follow(t, e)
			keep(t, e)
			s.until(t, "three processes work", func() bool { return s.count(tracing.StateRunning) == 3 })
			d.mu.Lock()
			d.deleteSet(d.set("feed-live-55f80be4"))
			d.mu.Unlock()
			s.until(t, "three have ended", func() bool { return s.count(c.state) == 3 })
			for _, task := range s.tasks {
				if task.Message != c.words || s.ended[task.UID] != 1 {
					t.Errorf("reported %d times: %+v", s.ended[task.UID], task)
				}
			}
		})
	}
}

// TestDaemonAfterAGap: a pod replaced during a gap of the watch has the same name as the previous one.
func TestDaemonAfterAGap(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	keep(t, e)
	s.until(t, "three processes work", func() bool { return s.count(tracing.StateRunning) == 3 })
	d.mu.Lock()
	d.meet = func(r *http.Request) int {
		if r.URL.Query().Get("watch") != "" {
			return http.StatusServiceUnavailable
		}
		return 0
	}
	d.mu.Unlock()
	d.endWatches()
	d.mu.Lock()
	pod := d.objects["pods/feed-live-55f80be4-2"].(*corev1.Pod)
	d.remove("pods", pod) // The watch misses its end.
	d.reconcileSet(d.set("feed-live-55f80be4"))
	d.meet = nil
	d.mu.Unlock()
	d.forgetHistory()
	s.awaitTask(t, 2, 1, tracing.StateUnknown)
	s.awaitTask(t, 2, 2, tracing.StateRunning)
}

// TestDaemonExplain: the reasons for which shards don't work.
func TestDaemonExplain(t *testing.T) {
	t.Parallel()
	d := newDouble(t)
	e := open(t, d)
	s := follow(t, e)
	keep(t, e)
	s.until(t, "three processes work", func() bool { return s.count(tracing.StateRunning) == 3 })
	d.mu.Lock()
	for n := range 2 {
		pod := d.objects["pods/feed-live-55f80be4-"+strconv.Itoa(n)].(*corev1.Pod)
		pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = new(metav1.NewTime(time.Now().Add(-time.Minute))), new(int64(30))
		d.put("pods", pod)
	}
	pod := d.objects["pods/feed-live-55f80be4-2"].(*corev1.Pod)
	pod.Status.ContainerStatuses[0].State = corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: "back-off 20s"}}
	pod.Status.ContainerStatuses[0].LastTerminationState = corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, FinishedAt: metav1.Now()}}
	d.put("pods", pod)
	d.mu.Unlock()
	s.until(t, "the run reports the problem", func() bool {
		return s.runs[liveRun].Message == "1 of 3 shards are not running; shard 2: CrashLoopBackOff: back-off 20s"
	})
	reasons, err := e.Explain(t.Context(), liveRun)
	if err != nil || len(reasons) != 2 || reasons[0].Code != "NodeSilent" || reasons[0].Count != 2 || !strings.Contains(reasons[0].Text, "node node-1 does not confirm") ||
		reasons[1].Code != "CrashLoopBackOff" || reasons[1].Text != "back-off 20s" || reasons[1].Count != 1 {
		t.Errorf("the reasons are %+v, %v", reasons, err)
	}
}

// TestStarts: the container starts that a pod shows.
func TestStarts(t *testing.T) {
	t.Parallel()
	end, on, wait := corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, FinishedAt: at(5)}}, running(), corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff"}}
	for name, c := range map[string]struct {
		state, last corev1.ContainerState
		count       int32
		want        []int
	}{
		"the first works":                 {on, corev1.ContainerState{}, 0, []int{0}},
		"the first waits":                 {wait, corev1.ContainerState{}, 0, []int{0}},
		"the first has ended":             {end, corev1.ContainerState{}, 0, []int{0}},
		"the second waits":                {wait, end, 0, []int{0, 1}},
		"the second works":                {on, end, 1, []int{0, 1}},
		"the second has ended":            {end, end, 1, []int{0, 1}},
		"the third waits":                 {wait, end, 1, []int{1, 2}},
		"the previous process is unknown": {on, corev1.ContainerState{}, 4, []int{4}},
	} {
		pod := samplePod(deletedAt(9))
		pod.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: container, State: c.state, LastTerminationState: c.last, RestartCount: c.count}}
		var got []int
		for _, s := range starts(pod) {
			got = append(got, s.restarts)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if all := starts(pod); len(all) == 2 && (all[0].pod.DeletionTimestamp != nil || all[1].pod.DeletionTimestamp == nil || all[1].since != at(5).UTC()) {
			t.Errorf("%s: %+v", name, all)
		}
	}
	if all := starts(samplePod()); len(all) != 1 || all[0].restarts != 0 {
		t.Errorf("without a container: %+v", all)
	}
}

// TestTakenDaemon: the reason for a pod's removal decides its task's state.
func TestTakenDaemon(t *testing.T) {
	t.Parallel()
	noted := func(note string, second int) func(*appsv1.StatefulSet) {
		return func(s *appsv1.StatefulSet) {
			s.Annotations[note] = newCommand(cloud.Ending{Way: cloud.EndKill, By: "root"}, at(second).Time, 0).encode()
		}
	}
	scaled := func(n int32) func(*appsv1.StatefulSet) {
		return func(s *appsv1.StatefulSet) { s.Spec.Replicas = &n }
	}
	for name, c := range map[string]struct {
		set   []func(*appsv1.StatefulSet)
		pod   func(*corev1.Pod)
		sight sight
		want  string
	}{
		"ended from outside":         {set: []func(*appsv1.StatefulSet){noted(noteKilled+"pod-1", 5)}, want: "TASK_KILLED ended by root true"},
		"stopped":                    {set: []func(*appsv1.StatefulSet){noted(noteEnded, 5), scaled(0)}, want: "TASK_KILLED ended by root true"},
		"stopped and restarted":      {set: []func(*appsv1.StatefulSet){noted(noteEnded, 5)}, want: "TASK_KILLED ended by root true"},
		"stopped before it was made": {set: []func(*appsv1.StatefulSet){noted(noteEnded, -5)}, want: "TASK_LOST deleted outside of ElasticJob false"},
		"scaled to 0 by others":      {set: []func(*appsv1.StatefulSet){scaled(0)}, want: "TASK_KILLED stopped outside of ElasticJob true"},
		"one too many":               {set: []func(*appsv1.StatefulSet){scaled(1)}, want: "TASK_KILLED the job has only 1 shards now false"},
		"another template":           {set: []func(*appsv1.StatefulSet){func(s *appsv1.StatefulSet) { s.Spec.Template.Annotations[noteDigest] = "new" }}, want: "TASK_KILLED replaced: the job or its application was changed false"},
		"evicted":                    {pod: disruptedBy("EvictionByEvictionAPI"), want: "TASK_GONE_BY_OPERATOR EvictionByEvictionAPI: why true"},
		"its job was deleted":        {sight: sight{orphaned: true}, want: `TASK_KILLED job "feed.live" was deleted true`},
		"its end was not observed":   {sight: sight{missed: true, certain: true}, want: "TASK_UNKNOWN  true"},
		"from outside":               {sight: sight{certain: true}, want: "TASK_LOST deleted outside of ElasticJob true"},
		"perhaps from outside":       {want: "TASK_LOST deleted outside of ElasticJob false"},
	} {
		set := setFor(t, Config{})
		for _, change := range c.set {
			change(set)
		}
		pod := samplePod()
		pod.Labels = map[string]string{appsv1.PodIndexLabel: "1"}
		pod.Annotations = map[string]string{noteDigest: setFor(t, Config{}).Spec.Template.Annotations[noteDigest]}
		if c.pod != nil {
			c.pod(pod)
		}
		c.sight.set = set
		state, message, certain := takenDaemon(pod, c.sight)
		if got := string(state) + " " + message + " " + strconv.FormatBool(certain); got != c.want {
			t.Errorf("%s: %s; want %s", name, got, c.want)
		}
	}
	// A pod that was deleted counts as ended even with exit code 0.
	pod := samplePod(exits(0, "Completed", ""), deletedAt(3))
	if task, _ := judge(pod, sight{set: setFor(t, Config{}, func(d *cloud.Daemon) {}), certain: true}); task.State == tracing.StateFinished {
		t.Errorf("the task is %+v", task)
	}
}

// TestForgottenKills: the number of notes of ended pods is limited.
func TestForgottenKills(t *testing.T) {
	t.Parallel()
	now := at(0).Time
	set := &appsv1.StatefulSet{ObjectMeta: metav1.ObjectMeta{Annotations: map[string]string{"theirs": "x"}}}
	for i := range maxKilled + 5 {
		at := now.Add(-time.Duration(i) * time.Minute)
		if i >= maxKilled {
			at = now.Add(-2 * killKept)
		}
		set.Annotations[noteKilled+strconv.Itoa(i)] = newCommand(cloud.Ending{Way: cloud.EndKill}, at, 0).encode()
	}
	notes := forgottenKills(set, now)
	if len(notes) != 6 || notes[noteKilled+strconv.Itoa(maxKilled-2)] != nil {
		t.Errorf("%d are removed: %v", len(notes), notes)
	}
	if _, oldest := notes[noteKilled+strconv.Itoa(maxKilled-1)]; !oldest {
		t.Errorf("the oldest of too many stays: %v", notes)
	}
}
