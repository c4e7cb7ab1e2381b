//go:build kubernetes

package kubetest_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/enginetest"
	"github.com/elasticjob-go/elasticjob/internal/cloud/kubetest"
)

// TestKubernetesConformance runs the tests for every engine with only a scheduler's rights on a
// real control plane with simulated nodes.
func TestKubernetesConformance(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t *testing.T) enginetest.Fixture {
		f := open(t)
		return enginetest.Fixture{Engine: f.Engine, App: sample().App, Finish: func(run string, shard int, well bool) {
			code := int32(0)
			if !well {
				code = 7
			}
			if set, daemon := strings.CutSuffix(run, "-daemon"); daemon {
				if err := cluster.RestartPod(t.Context(), f.namespace, fmt.Sprintf("%s-%d", set, shard), code); err != nil {
					t.Error(err)
				}
				return
			}
			index, running := f.running(run, shard)
			if !running {
				return
			}
			if err := cluster.EndPod(t.Context(), f.namespace, run, index, code); err != nil {
				t.Error(err)
			}
		}}
	})
}

// running returns the index of a shard, and whether one of its tasks is running. A suspended one
// may still exist next to its successor.
func (f *fixture) running(run string, shard int) (index int, running bool) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	shards := make(map[int]bool)
	_ = f.Watch(ctx, func(e cloud.TaskEvent) { // It ends with the context.
		if e.Event == cloud.EventSynced {
			cancel()
		}
		if e.Task.UID != "" && e.Task.Run == run {
			shards[e.Task.Shard] = true
			running = running || e.Task.Shard == shard && !cloud.Ended(e.Task.State)
		}
	})
	for s := range shards {
		if s < shard {
			index++
		}
	}
	return index, running
}

// TestLogs: a pod's log comes through the API server, within its limits.
func TestLogs(t *testing.T) {
	t.Parallel()
	f := watched(t)
	f.launch()
	task := f.working(3)[0]
	for max, want := range map[int64]string{0: kubetest.LogLine + "\n", 7: kubetest.LogLine[:7]} {
		log, err := f.Logs(t.Context(), task.TaskRef, cloud.LogOptions{MaxBytes: max})
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(log)
		if err != nil || string(text) != want {
			t.Errorf("at most %d bytes: %q, %v; want %q", max, text, err, want)
		}
		if err := log.Close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRights: the scheduler only has the rights of its Role.
func TestRights(t *testing.T) {
	t.Parallel()
	f := watched(t)
	f.launch()
	f.working(3)
	g := open(t)
	if err := cluster.Revoke(t.Context(), g.namespace); err != nil {
		t.Fatal(err)
	}
	// The API server sees that later, by its own watch, so a few runs may get through.
	at := time.Now().UTC()
	for i := 0; ; i++ {
		fire := at.Add(time.Duration(i) * time.Second)
		_, err := g.Launch(t.Context(), sample(func(r *cloud.Run) { r.Name = cloud.RunName(r.Job.Name, fire) }))
		if errors.Is(err, cloud.ErrForbidden) && strings.Contains(err.Error(), "jobs.batch is forbidden") {
			return
		}
		if err != nil || i == 1000 {
			t.Fatalf("without its Role, launch %d: %v; want ErrForbidden that names Jobs", i, err)
		}
	}
}
