package scheduler

import (
	"context"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/wake"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// mirror has the reports of the store and the engine, even while the process doesn't lead, so that
// a new leader can start at once. No other type locks its mutex.
type mirror struct {
	wake chan struct{} // something is dirty, or the first report is complete

	mu            sync.Mutex
	apps          map[string]*appSeen
	jobs          map[string]*jobSeen
	runs          map[string]*runSeen            // by reference
	byJob         map[string]map[string]*runSeen // by job name and run reference
	dirty         map[string]bool                // jobs to look at
	news          map[taskKey]taskNews           // tasks to record
	leading       bool                           // a term takes the news
	store, engine reading
	lostAt        time.Time // when a watch last ended while both were synced
	reconciled    time.Time // when Reconcile last ended a watch
}

// reading is the state of one of the two watches.
type reading struct {
	// again ends the watch, so that it restarts.
	again context.CancelFunc
	// synced is true while the watch is running and has reported everything.
	synced bool
	// err is why it ended, until everything is reported again.
	err error
	// list is the number of the newest full report, complete the number of the newest complete one.
	list, complete int
	// unread has the unreadable namespaces with reasons; listed is the same for the list under way.
	unread, listed map[string]error
}

// taskKey names a task. run is the reference of its run.
type taskKey struct{ run, uid string }

// taskNews is the newest report of a task, or its last one if it vanished.
type taskNews struct {
	run    cloud.RunStatus
	task   cloud.Task
	exists bool
}

// Reported objects, with the number of the last list that had them.
type (
	appSeen struct {
		app  cloud.App
		err  error
		list int
	}
	jobSeen struct {
		definition cloud.Definition // never changed, only replaced
		err        error
		list       int
	}
	runSeen struct {
		status cloud.RunStatus
		tasks  map[string]*taskSeen  // by UID
		stuck  map[string]cloud.Task // tasks that can't start, by UID; may be nil
		list   int
	}
	taskSeen struct {
		cloud.Task
		list int
	}
)

func newMirror() *mirror {
	return &mirror{
		wake: make(chan struct{}, 1),
		apps: make(map[string]*appSeen), jobs: make(map[string]*jobSeen), runs: make(map[string]*runSeen),
		byJob: make(map[string]map[string]*runSeen), dirty: make(map[string]bool), news: make(map[taskKey]taskNews),
	}
}

func (m *mirror) onStore(e cloud.StoreEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer wake.Up(m.wake)
	switch {
	case e.Event == cloud.EventUnread:
		m.store.note(e.Namespace, e.Err)
	case e.Event == cloud.EventReset:
		m.store.list, m.store.listed = m.store.list+1, nil
	case e.Event == cloud.EventSynced:
		m.complete(&m.store)
		for name, a := range m.apps {
			if a.list != m.store.list {
				m.removeApp(name)
			}
		}
		for name, j := range m.jobs {
			if j.list != m.store.list {
				delete(m.jobs, name)
				m.dirty[name] = true
			}
		}
	case e.Kind == cloud.KindApp && e.Event == cloud.EventRemoved:
		m.removeApp(e.Name)
	case e.Kind == cloud.KindApp:
		m.apps[e.Name] = &appSeen{app: e.App, err: e.Err, list: m.store.list}
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

// putJob keeps a report unless it already has a newer one.
func (m *mirror) putJob(name string, d cloud.Definition, err error) {
	if old := m.jobs[name]; old != nil && err == nil && old.err == nil && d.Revision < old.definition.Revision {
		old.list = m.store.list
		return
	}
	m.jobs[name] = &jobSeen{definition: d, err: err, list: m.store.list}
	m.dirty[name] = true
}

// wrote keeps the definition that the store returned for our own change.
func (m *mirror) wrote(d cloud.Definition) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.jobs[d.Job.Name] != nil {
		m.putJob(d.Job.Name, d, nil)
		wake.Up(m.wake)
	}
}

func (m *mirror) onEngine(e cloud.TaskEvent) {
	m.mu.Lock()
	defer m.mu.Unlock()
	defer wake.Up(m.wake)
	switch {
	case e.Event == cloud.EventUnread:
		m.engine.note(e.Namespace, e.Err)
	case e.Event == cloud.EventReset:
		m.engine.list, m.engine.listed = m.engine.list+1, nil
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
			m.keepNews(r, e.Task, true)
			r.watchStuck(e.Task)
			m.dirty[e.Run.JobName] = true
		}
		t.list = m.engine.list
	}
}

// keepNews keeps a changed or removed task for the leader to record.
func (m *mirror) keepNews(r *runSeen, t cloud.Task, exists bool) {
	if m.leading {
		m.news[taskKey{r.status.Ref(), t.UID}] = taskNews{r.status, t, exists}
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

// completeList removes runs and tasks that weren't in the list.
func (m *mirror) completeList() {
	m.complete(&m.engine)
	for ref, r := range m.runs {
		if r.list != m.engine.list {
			m.removeRun(ref)
			continue
		}
		for _, t := range r.tasks {
			if t.list != m.engine.list {
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
	r.list = m.engine.list
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

// removeTask keeps the last report of a task for the leader.
func (m *mirror) removeTask(r *runSeen, t cloud.Task) {
	if old, known := r.tasks[t.UID]; known && !cloud.Ended(t.State) {
		t = old.Task
	}
	m.keepNews(r, t, false)
	delete(r.tasks, t.UID)
	delete(r.stuck, t.UID)
}

// present reports whether both watches have reported everything.
func (m *mirror) present() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.store.synced && m.engine.synced
}

func (m *mirror) begins(r *reading, again context.CancelFunc) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r.again = again
}

// Reconcile reads the engine's runs and tasks again and, with all, the store's jobs and
// applications. If called again too soon it does nothing and returns how long to wait.
func (m *mirror) Reconcile(all bool) (wait time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if wait = reconcileEvery - time.Since(m.reconciled); wait > 0 {
		return wait
	}
	m.reconciled = time.Now()
	for _, r := range []*reading{&m.engine, &m.store} {
		if r.again != nil && (all || r == &m.engine) {
			r.again()
		}
	}
	return 0
}

// lost records why a watch ended, because its reports may now be old. err is nil if the watch was
// due to restart.
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

// lead starts to keep news for a term, beginning with all jobs and tasks.
func (m *mirror) lead() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leading = true
	for name := range m.jobs {
		m.dirty[name] = true
	}
	for _, r := range m.runs {
		m.dirty[r.status.JobName] = true
		for _, t := range r.tasks {
			m.keepNews(r, t.Task, true)
		}
	}
}

// rest ends what lead started.
func (m *mirror) rest() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.leading = false
	clear(m.news)
}

// take returns the jobs to look at, and the tasks to record.
func (m *mirror) take() (dirty map[string]bool, news map[taskKey]taskNews) {
	m.mu.Lock()
	defer m.mu.Unlock()
	dirty, news = m.dirty, m.news
	m.dirty, m.news = make(map[string]bool), make(map[taskKey]taskNews)
	return dirty, news
}
