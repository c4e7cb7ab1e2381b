package scheduler

import (
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// mirror is what the store and the engine have reported. It exists whether the process
// leads or not, so that a new leader begins at once.
type mirror struct {
	wake chan struct{} // something is dirty, or synced

	mu            sync.Mutex
	apps          map[string]*appSeen
	jobs          map[string]*jobSeen
	runs          map[string]*runSeen            // by reference
	byJob         map[string]map[string]*runSeen // by job's name and run's reference
	dirty         map[string]bool                // jobs that something happened to
	tasks         map[taskKey]bool               // tasks with something new for the history
	last          map[taskKey]lastWord           // what was last known of tasks that were removed
	leading       bool                           // somebody takes what is in tasks and last
	store, engine reading
	lists         int // of the engine that were complete
	listing       int // the number of the list under way
	// lostAt is when a watch last ended while both had reported everything.
	lostAt time.Time
}

// reading is how one of the two watches goes.
type reading struct {
	// synced says that the watch has reported the whole present and goes on.
	synced bool
	// err is why it ended, until the present is reported again.
	err error
	// unread are the namespaces that it cannot read, and why; listed those of the report that
	// is under way.
	unread, listed map[string]error
}

// taskKey names a task; run is the reference of its run.
type taskKey struct{ run, uid string }

// lastWord is a task that no longer exists, and its run.
type lastWord struct {
	run  cloud.RunStatus
	task cloud.Task
}

// What was seen, and whether since the last reset.
type (
	appSeen struct {
		app  cloud.App
		err  error
		seen bool
	}
	jobSeen struct {
		definition cloud.Definition
		err        error
		seen       bool
	}
	runSeen struct {
		status cloud.RunStatus
		tasks  map[string]*taskSeen  // by UID
		stuck  map[string]cloud.Task // those that cannot start, by UID; nil if there are none
		here   bool
	}
	taskSeen struct {
		cloud.Task
		seen bool
	}
)

func newMirror() *mirror {
	return &mirror{
		wake: make(chan struct{}, 1), apps: make(map[string]*appSeen), jobs: make(map[string]*jobSeen), runs: make(map[string]*runSeen),
		byJob: make(map[string]map[string]*runSeen), dirty: make(map[string]bool), tasks: make(map[taskKey]bool), last: make(map[taskKey]lastWord),
	}
}

func (m *mirror) notify() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

func (m *mirror) onStore(e cloud.StoreEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.notify()
	switch {
	case e.Event == cloud.EventUnread:
		m.store.note(e.Namespace, e.Err)
	case e.Event == cloud.EventReset:
		m.store.listed = nil
		for _, a := range m.apps {
			a.seen = false
		}
		for _, j := range m.jobs {
			j.seen = false
		}
	case e.Event == cloud.EventSynced:
		m.complete(&m.store)
		for name, a := range m.apps {
			if !a.seen {
				m.removeApp(name)
			}
		}
		for name, j := range m.jobs {
			if !j.seen {
				delete(m.jobs, name)
				m.dirty[name] = true
			}
		}
	case e.Kind == cloud.KindApp && e.Event == cloud.EventRemoved:
		m.removeApp(e.Name)
	case e.Kind == cloud.KindApp:
		m.apps[e.Name] = &appSeen{app: e.App, err: e.Err, seen: true}
		m.dirtyJobsOf(e.Name)
	case e.Event == cloud.EventRemoved:
		delete(m.jobs, e.Name)
		m.dirty[e.Name] = true
	default:
		m.putJob(e.Name, e.Definition, e.Err)
	}
}

func (m *mirror) removeApp(name string) {
	delete(m.apps, name)
	m.dirtyJobsOf(name)
}

func (m *mirror) dirtyJobsOf(app string) {
	for name, j := range m.jobs {
		if j.definition.Job.AppName == app {
			m.dirty[name] = true
		}
	}
}

// putJob takes a report, unless a newer one was there before.
func (m *mirror) putJob(name string, d cloud.Definition, err error) {
	if old := m.jobs[name]; old != nil && err == nil && old.err == nil && d.Revision < old.definition.Revision {
		old.seen = true
		return
	}
	m.jobs[name] = &jobSeen{definition: d, err: err, seen: true}
	m.dirty[name] = true
}

// wrote takes what the store returned for a change of ours.
func (m *mirror) wrote(d cloud.Definition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jobs[d.Job.Name] != nil {
		m.putJob(d.Job.Name, d, nil)
		m.notify()
	}
}

func (m *mirror) onEngine(e cloud.TaskEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer m.notify()
	switch {
	case e.Event == cloud.EventUnread:
		m.engine.note(e.Namespace, e.Err)
	case e.Event == cloud.EventReset:
		m.engine.listed = nil
		m.listing++
		for _, r := range m.runs {
			r.here = false
			for _, t := range r.tasks {
				t.seen = false
			}
		}
	case e.Event == cloud.EventSynced:
		m.completeList()
	case e.Event == cloud.EventRemoved && e.Task.UID == "":
		m.removeRun(e.Run.Ref())
	case e.Event == cloud.EventRemoved:
		if r := m.runs[e.Run.Ref()]; r != nil {
			m.removeTask(r, e.Task)
		}
	case e.Task.UID == "":
		m.putRun(e.Run)
	default:
		r := m.putRun(e.Run)
		t := r.tasks[e.Task.UID]
		if t == nil {
			t = new(taskSeen)
			r.tasks[e.Task.UID] = t
		}
		if t.Task != e.Task {
			t.Task = e.Task
			m.news(taskKey{e.Run.Ref(), e.Task.UID})
			r.watchStuck(e.Task)
			m.dirty[e.Run.JobName] = true
		}
		t.seen = true
	}
}

// news keeps for the leader that a task has something new.
func (m *mirror) news(key taskKey) {
	if m.leading {
		m.tasks[key] = true
	}
}

func (r *runSeen) watchStuck(t cloud.Task) {
	if t.Stuck.IsZero() || t.State != tracing.StateStaging {
		delete(r.stuck, t.UID)
		return
	}
	if r.stuck == nil {
		r.stuck = make(map[string]cloud.Task)
	}
	r.stuck[t.UID] = t
}

// completeList removes what the list did not have.
func (m *mirror) completeList() {
	m.complete(&m.engine)
	m.lists = m.listing
	for ref, r := range m.runs {
		if !r.here {
			m.removeRun(ref)
			continue
		}
		for _, t := range r.tasks {
			if !t.seen {
				m.removeTask(r, t.Task)
			}
		}
	}
}

func (m *mirror) putRun(status cloud.RunStatus) *runSeen {
	ref := status.Ref()
	r := m.runs[ref]
	if r == nil {
		r = &runSeen{tasks: make(map[string]*taskSeen)}
		m.runs[ref] = r
		if m.byJob[status.JobName] == nil {
			m.byJob[status.JobName] = make(map[string]*runSeen)
		}
		m.byJob[status.JobName][ref] = r
	}
	if r.status != status {
		r.status = status
		m.dirty[status.JobName] = true
	}
	r.here = true
	return r
}

func (m *mirror) removeRun(ref string) {
	r := m.runs[ref]
	if r == nil {
		return
	}
	for _, t := range r.tasks {
		m.removeTask(r, t.Task)
	}
	delete(m.runs, ref)
	delete(m.byJob[r.status.JobName], ref)
	if len(m.byJob[r.status.JobName]) == 0 {
		delete(m.byJob, r.status.JobName)
	}
	m.dirty[r.status.JobName] = true
}

// removeTask keeps the last word of a task whose end nobody has seen.
func (m *mirror) removeTask(r *runSeen, t cloud.Task) {
	if old, known := r.tasks[t.UID]; known && !cloud.Ended(t.State) {
		t = old.Task
	}
	key := taskKey{r.status.Ref(), t.UID}
	if m.leading && (m.tasks[key] || !cloud.Ended(t.State)) {
		m.last[key] = lastWord{run: r.status, task: t}
		m.tasks[key] = true
	}
	delete(r.tasks, t.UID)
	delete(r.stuck, t.UID)
}

// synced reports whether both watches have reported the whole present.
func (m *mirror) synced() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.store.synced && m.engine.synced
}

// lost notes why a watch ended: what it has reported may be old. A nil error is a watch
// that was to begin anew.
func (m *mirror) lost(r *reading, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.store.synced && m.engine.synced {
		m.lostAt = time.Now()
	}
	r.synced = false
	if err != nil {
		r.err = err
	}
}

// takeDirty returns the jobs that something happened to.
func (m *mirror) takeDirty() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	dirty := m.dirty
	m.dirty = make(map[string]bool)
	return dirty
}

// all returns the name of every job that is defined or has runs, and makes every task one
// with something new.
func (m *mirror) all() map[string]bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	names := make(map[string]bool, len(m.jobs))
	for name := range m.jobs {
		names[name] = true
	}
	for name := range m.byJob {
		names[name] = true
	}
	m.leading = true
	for ref, r := range m.runs {
		for uid := range r.tasks {
			m.tasks[taskKey{ref, uid}] = true
		}
	}
	return names
}

// rest is for a process that leads no more.
func (m *mirror) rest() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leading = false
	clear(m.tasks)
	clear(m.last)
}

// takeTasks calls visit with each task that has something new.
func (m *mirror) takeTasks(visit func(r cloud.RunStatus, t cloud.Task, exists bool)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for key := range m.tasks {
		if word, removed := m.last[key]; removed {
			visit(word.run, word.task, false)
		} else if r := m.runs[key.run]; r != nil {
			if t, exists := r.tasks[key.uid]; exists {
				visit(r.status, t.Task, true)
			}
		}
	}
	clear(m.tasks)
	clear(m.last)
}
