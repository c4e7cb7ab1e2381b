package scheduler

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var errAway = errors.New("the engine is away")

// TestLook: the reports are complete and ordered, also shortly after a watch restarts.
func TestLook(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &Scheduler{mirror: newMirror()}
		if s.Synced() {
			t.Error("it is synced before anything was reported")
		}
		s.mirror.onStore(cloud.StoreEvent{Event: cloud.EventReset})
		for _, name := range []string{"b", "a"} {
			s.mirror.onStore(cloud.StoreEvent{Event: cloud.EventChanged, Kind: cloud.KindApp, Name: name, App: cloud.NewApp(name)})
			s.mirror.onStore(cloud.StoreEvent{Event: cloud.EventChanged, Kind: cloud.KindJob, Name: name, Definition: cloud.Definition{Job: cloud.NewJob(name, name, 2)}})
		}
		s.mirror.onStore(cloud.StoreEvent{Event: cloud.EventSynced})
		s.mirror.onEngine(cloud.TaskEvent{Event: cloud.EventReset})
		for i, run := range []string{"a-1", "a-2", "b-1"} {
			status := cloud.RunStatus{Name: run, JobName: run[:1], Created: time.Now().Add(time.Duration(i) * time.Second)}
			for _, shard := range []int{1, 0} {
				task := cloud.Task{TaskRef: cloud.TaskRef{Run: run, Shard: shard, UID: run + "." + string(rune('0'+shard)), Attempt: 1}, State: tracing.StateRunning}
				s.mirror.onEngine(cloud.TaskEvent{Event: cloud.EventChanged, Run: status, Task: task})
			}
		}
		s.mirror.onEngine(cloud.TaskEvent{Event: cloud.EventSynced})
		if apps, jobs := s.Apps(), s.Jobs(); len(apps) != 2 || apps[0].Name != "a" || len(jobs) != 2 || jobs[0].Job.Name != "a" {
			t.Errorf("applications %+v, jobs %+v", apps, jobs)
		}
		if all, own := s.Runs(""), s.Runs("a"); len(all) != 3 || all[0].Name != "b-1" || len(own) != 2 || own[0].Name != "a-2" {
			t.Errorf("runs %+v, of a %+v", all, own)
		}
		if run, tasks, there := s.FindRun("a-1"); !there || run.Name != "a-1" || len(tasks) != 2 || tasks[0].Shard != 0 {
			t.Errorf("run %+v, tasks %+v", run, tasks)
		}
		if task, there := s.FindTask("b-1.1"); !there || task.Run != "b-1" || task.Shard != 1 {
			t.Errorf("task %+v", task)
		}
		if _, _, there := s.FindRun("c-1"); there {
			t.Error("there is a run that was never reported")
		}
		s.mirror.lost(&s.mirror.engine, errAway)
		if !s.Synced() {
			t.Error("a restarting watch counts as lost at once")
		}
		if since, err := s.Health(); !errors.Is(err, errAway) || !since.Equal(time.Now()) {
			t.Errorf("trouble %v since %s", err, since)
		}
		time.Sleep(resyncTakes)
		if s.Synced() {
			t.Error("what was reported counts as present for ever")
		}
		s.mirror.onEngine(cloud.TaskEvent{Event: cloud.EventReset})
		s.mirror.onEngine(cloud.TaskEvent{Event: cloud.EventSynced})
		if _, err := s.Health(); err != nil || !s.Synced() {
			t.Errorf("trouble %v although everything was reported again", err)
		}
	})
}

// TestReconcile: the engine is read again on request, at most every ten seconds.
func TestReconcile(t *testing.T) {
	inBubble(t, 0, func(f *fixture) {
		s, err := New(Config{Engine: f.engine, Store: f.store, Leadership: f.election.member()})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		f.alive = append(f.alive, cancel)
		f.wg.Go(func() { _ = s.Run(ctx) }) // It ends with ctx.
		f.passes(time.Second)
		lists := func() int {
			s.mirror.mu.Lock()
			defer s.mirror.mu.Unlock()
			return s.mirror.engine.complete
		}
		before := lists()
		if wait := s.Reconcile(true); wait != 0 {
			t.Errorf("to wait %s at first", wait)
		}
		f.passes(time.Second)
		if lists() != before+1 || !s.Synced() {
			t.Errorf("%d lists, then %d", before, lists())
		}
		if wait := s.Reconcile(false); wait != reconcileEvery-time.Second {
			t.Errorf("to wait %s a second later", wait)
		}
		f.passes(reconcileEvery)
		if wait := s.Reconcile(false); wait != 0 {
			t.Errorf("to wait %s", wait)
		}
		f.passes(time.Second)
		if lists() != before+2 {
			t.Errorf("%d lists, then %d", before, lists())
		}
	})
}
