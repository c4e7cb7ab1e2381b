//go:build kubernetes

package kubetest_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
	"github.com/elasticjob-go/elasticjob/internal/cloud/scheduler"
)

// scheduled creates a namespace in which a scheduler fires job settlement every five seconds.
func scheduled(t *testing.T, change ...func(*cloud.Job)) (namespace string, s *scheduler.Scheduler) {
	t.Helper()
	resourcesThere(t)
	namespace = emptyNamespace(t)
	store := openStore(t, namespace)
	s = schedule(t, namespace, store)
	app := cloud.NewApp("shop")
	app.Image, app.Env, app.CPU, app.MemoryMB = "registry.example/shop:1", map[string]string{"PLAY": kubetest.PlayWell}, 0.01, 1
	if _, err := store.CreateApp(t.Context(), app); err != nil {
		t.Fatal(err)
	}
	job := cloud.NewJob("settlement", "shop", 1)
	job.Cron, job.Misfire, job.CPU, job.MemoryMB = "0/5 * * * * ?", true, 0.01, 1
	for _, c := range change {
		c(&job)
	}
	if _, err := store.Create(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	return namespace, s
}

// fires returns the fire times with a run in order, as seconds.
func fires(t *testing.T, namespace string) (seconds []int64) {
	t.Helper()
	runs, err := cluster.Batch.Jobs(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range runs.Items {
		n, err := strconv.ParseInt(r.Name[strings.LastIndexByte(r.Name, '-')+1:], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		seconds = append(seconds, n)
	}
	slices.Sort(seconds)
	return seconds
}

// eventually waits for a condition of the cluster.
func eventually(t *testing.T, limit time.Duration, what string, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.After(limit); !holds(); {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// TestCL09APIServerAway: without an API server for more than a minute no process leads, and the scheduler reports
// why. Afterwards each fire time should have its run, once. It isn't parallel, because it affects all tests.
func TestCL09APIServerAway(t *testing.T) {
	namespace, s := scheduled(t)
	eventually(t, patience, "runs are launched", func() bool { return len(fires(t, namespace)) >= 2 })
	cluster.KillAPIServer()
	away := time.Now()
	eventually(t, patience, "no process leads", func() bool { return !s.Leads() })
	eventually(t, patience, "the scheduler reports why", func() bool {
		_, err := s.Health()
		return !s.Synced() && err != nil && strings.Contains(err.Error(), "can't be listed or watched")
	})
	<-time.After(time.Until(away.Add(65 * time.Second)))
	if err := cluster.StartAPIServer(t.Context()); err != nil {
		t.Fatal(err)
	}
	back := time.Now()
	complete := func() bool {
		all := fires(t, namespace)
		for i := 1; i < len(all); i++ {
			if all[i] != all[i-1]+5 {
				return false
			}
		}
		return all[len(all)-1] > back.Unix()
	}
	eventually(t, 3*time.Minute, "each fire time has its run", complete)
	if _, err := s.Health(); err != nil || !s.Leads() {
		t.Errorf("it leads %t, trouble %v", s.Leads(), err)
	}
}

// TestCL16RightTakenAway: without the right to launch, the job has a condition with the API
// server's message. With the right, it should fire again.
func TestCL16RightTakenAway(t *testing.T) {
	t.Parallel()
	namespace, _ := scheduled(t)
	eventually(t, patience, "runs are launched", func() bool { return len(fires(t, namespace)) >= 1 })
	may := func(verbs string) {
		t.Helper()
		if err := cluster.PatchRole(t.Context(), namespace, "batch", "jobs", strings.Split(verbs, " ")); err != nil {
			t.Fatal(err)
		}
	}
	may("get list watch patch delete")
	client := jobsOf(namespace)
	c := condition(t, client, "settlement", cloud.ConditionFires, cloud.ReasonForbidden)
	if c.Status != metav1.ConditionFalse || !strings.Contains(c.Message, `cannot create resource "jobs"`) {
		t.Errorf("the condition is %+v", c)
	}
	before := len(fires(t, namespace))
	may("get list watch create patch delete")
	eventually(t, 2*time.Minute, "it fires again", func() bool { return len(fires(t, namespace)) > before })
}

// TestCL23EditedBySomebody: a run that is suspended and resumed by hand is followed.
func TestCL23EditedBySomebody(t *testing.T) {
	t.Parallel()
	f := watched(t)
	r := f.launch()
	f.working(3)
	edit := func(patch string) {
		t.Helper()
		if _, err := cluster.Batch.Jobs(f.namespace).Patch(t.Context(), r.Name, types.MergePatchType, []byte(patch), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	edit(`{"spec":{"suspend":true}}`)
	f.until(patience, "the run is suspended, and its processes have ended", func() bool {
		for _, task := range f.tasks {
			if !cloud.Ended(task.State) {
				return false
			}
		}
		return f.runs[r.Name].State == cloud.RunSuspended
	})
	edit(`{"spec":{"suspend":false}}`)
	f.working(3)
	for shard := range 3 {
		if err := cluster.EndPod(t.Context(), f.namespace, r.Name, shard, 0); err != nil {
			t.Fatal(err)
		}
	}
	if s := f.ended(patience, r.Name); s.State != cloud.RunSucceeded {
		t.Errorf("the run is %+v", s)
	}
}
