package scheduler

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/cloudfake"
)

// partly has the namespaces that the store and the engine can't read. A change ends their watches.
type partly struct {
	mu     sync.Mutex
	unread map[string]error
	cut    func()
}

func (p *partly) forbid(namespaces ...string) {
	p.mu.Lock()
	p.unread = make(map[string]error)
	for _, namespace := range namespaces {
		p.unread[namespace] = fmt.Errorf("list in namespace %s: %w", namespace, cloud.ErrForbidden)
	}
	p.mu.Unlock()
	p.cut()
}

// each calls visit for each unreadable namespace.
func (p *partly) each(visit func(namespace string, err error)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for namespace, err := range p.unread {
		visit(namespace, err)
	}
}

// partlyStore leaves out unreadable namespaces.
type partlyStore struct {
	*cloudfake.Store
	partly
}

func (s *partlyStore) Watch(ctx context.Context, report func(cloud.StoreEvent)) error {
	return s.Store.Watch(ctx, func(e cloud.StoreEvent) {
		hidden := false
		s.each(func(namespace string, err error) {
			if e.Event == cloud.EventSynced {
				report(cloud.StoreEvent{Event: cloud.EventUnread, Namespace: namespace, Err: err})
			}
			hidden = hidden || e.Kind != "" && e.Definition.Job.Namespace+e.App.Namespace == namespace
		})
		if !hidden {
			report(e)
		}
	})
}

// partlyEngine reports the last known state of unreadable namespaces.
type partlyEngine struct {
	*cloudfake.Engine
	partly
}

func (e *partlyEngine) Watch(ctx context.Context, report func(cloud.TaskEvent)) error {
	return e.Engine.Watch(ctx, func(event cloud.TaskEvent) {
		if event.Event == cloud.EventSynced {
			e.each(func(namespace string, err error) {
				report(cloud.TaskEvent{Event: cloud.EventUnread, Namespace: namespace, Err: err})
			})
		}
		report(event)
	})
}

// inNamespaces is a bubble with application mall and job other in namespace b, and shop and home
// without a namespace.
func inNamespaces(t *testing.T, test func(f *fixture, s *partlyStore, e *partlyEngine)) {
	t.Helper()
	inBubble(t, time.Second, func(f *fixture) {
		s, e := &partlyStore{Store: f.store}, &partlyEngine{Engine: f.engine}
		s.cut, e.cut = f.store.CutWatches, f.engine.CutWatches
		mall := cloud.NewApp("mall")
		mall.Namespace = "b"
		if _, err := f.store.CreateApp(t.Context(), mall); err != nil {
			t.Fatal(err)
		}
		f.job("home", "0/10 * * * * ?")
		f.job("other", "0/10 * * * * ?", func(j *cloud.Job) { j.AppName, j.Namespace = "mall", "b" })
		test(f, s, e)
	})
}

func with(s *partlyStore, e *partlyEngine) func(*Config) {
	return func(c *Config) { c.Store, c.Engine = s, e }
}

// TestCL16RunsCannotBeRead: jobs in a namespace with unreadable runs stop, with condition
// Forbidden; others fire on time. When the runs are readable again, the jobs continue.
func TestCL16RunsCannotBeRead(t *testing.T) {
	inNamespaces(t, func(f *fixture, s *partlyStore, e *partlyEngine) {
		f.begin(with(s, e))
		f.passes(25 * time.Second)
		f.want("home", 10, 20)
		f.want("other", 10, 20)
		e.forbid("b")
		f.passes(5 * time.Minute)
		f.want("home", every(10, 10, 320)...)
		f.want("other", 10, 20)
		if c, _ := f.status("other").Condition(cloud.ConditionFires); c.OK || c.Reason != cloud.ReasonForbidden || !strings.Contains(c.Message, "namespace b") {
			t.Errorf("the condition is %+v", c)
		}
		e.forbid()
		f.passes(30 * time.Second)
		if c, _ := f.status("other").Condition(cloud.ConditionFires); !c.OK {
			t.Errorf("the condition is %+v", c)
		}
		if got := f.fired("other"); got[len(got)-1] < 330 {
			t.Errorf("other fired at %v, want also after 325", got)
		}
	})
}

// TestCL16JobsCannotBeRead: in a namespace with unreadable jobs, runs continue, because their jobs
// are unknown. A leader that has never seen the jobs doesn't end them either.
func TestCL16JobsCannotBeRead(t *testing.T) {
	inNamespaces(t, func(f *fixture, s *partlyStore, e *partlyEngine) {
		f.job("long", "0 0 0 * * ?", func(j *cloud.Job) { j.AppName, j.Namespace = "mall", "b" })
		d, _ := f.store.Definition("long")
		for _, owner := range []string{d.UID, "of an earlier job"} {
			r := cloud.Run{Name: cloud.ManualRunName("long", owner), Job: d.Job, App: cloud.NewApp("mall"), Owner: owner, Fire: time.Now(), Origin: cloud.OriginDaemon} // a run that doesn't end
			if _, err := f.engine.Launch(t.Context(), r); err != nil {
				t.Fatal(err)
			}
		}
		s.forbid("b")
		f.begin(with(s, e))
		f.passes(2 * time.Minute)
		f.want("home", every(10, 10, 120)...)
		f.want("other")
		if n := f.engine.Calls("end") + f.engine.Calls("daemon"); n != 0 {
			t.Errorf("%d runs were ended", n)
		}
		s.forbid()
		f.passes(time.Second)
		f.passes(10 * time.Second)
		if f.engine.Calls("daemon") == 0 {
			t.Error("the run of the earlier job was not ended when the jobs could be read")
		}
		if got := f.fired("other"); len(got) == 0 {
			t.Error("the job does not fire when it can be read")
		}
	})
}

// TestAppOfAnotherNamespace: a job uses an application in its own namespace, and reports if there is none.
func TestAppOfAnotherNamespace(t *testing.T) {
	inNamespaces(t, func(f *fixture, s *partlyStore, e *partlyEngine) {
		f.job("astray", "* * * * * ?", func(j *cloud.Job) { j.AppName, j.Namespace = "mall", "a" })
		f.begin(with(s, e))
		f.passes(20 * time.Second)
		f.want("astray")
		if c, _ := f.status("astray").Condition(cloud.ConditionAccepted); c.OK || c.Reason != cloud.ReasonAppMissing || !strings.Contains(c.Message, "its own namespace") {
			t.Errorf("the condition is %+v", c)
		}
	})
}

// TestLookOverNamespaces: the reports show which namespaces are unreadable, and distinguish runs of
// the same name by reference.
func TestLookOverNamespaces(t *testing.T) {
	t.Parallel()
	s := &Scheduler{Config: Config{Leadership: nil}, mirror: newMirror()}
	job := cloud.NewJob("other", "mall", 1)
	job.Namespace = "b"
	s.mirror.onStore(cloud.StoreEvent{Event: cloud.EventChanged, Kind: cloud.KindJob, Name: "other", Definition: cloud.Definition{Job: job}})
	s.mirror.onStore(cloud.StoreEvent{Event: cloud.EventUnread, Namespace: "b", Err: cloud.ErrForbidden})
	s.mirror.onStore(cloud.StoreEvent{Event: cloud.EventSynced})
	for i, namespace := range []string{"a", "b"} {
		s.mirror.onEngine(cloud.TaskEvent{Event: cloud.EventChanged, Run: cloud.RunStatus{Name: "other-daemon", Namespace: namespace, JobName: "other", Created: time.Unix(int64(i), 0)}})
	}
	s.mirror.onEngine(cloud.TaskEvent{Event: cloud.EventSynced})
	if c, _ := s.Jobs()[0].Status.Condition(cloud.ConditionFires); c.OK || c.Reason != cloud.ReasonForbidden {
		t.Errorf("the condition is %+v", c)
	}
	if _, err := s.Health(); err == nil || !s.Synced() {
		t.Errorf("trouble %v, synced %t", err, s.Synced())
	}
	if runs := s.Runs("other"); len(runs) != 2 {
		t.Errorf("runs %+v", runs)
	}
	for run, want := range map[string]string{"other-daemon": "b", "a/other-daemon": "a", "b/other-daemon": "b"} {
		if r, _, there := s.FindRun(run); !there || r.Namespace != want {
			t.Errorf("%s is %+v", run, r)
		}
	}
}
