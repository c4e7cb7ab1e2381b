package scheduler

import (
	"cmp"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// note records an unreadable namespace. It counts once the report is complete.
func (r *reading) note(namespace string, err error) {
	if r.listed == nil {
		r.listed = make(map[string]error)
	}
	r.listed[namespace] = err
}

// complete ends a full report. Jobs in namespaces that became readable or unreadable are looked at again.
func (m *mirror) complete(r *reading) {
	before := r.unread
	r.synced, r.err, r.complete, r.unread = true, nil, r.list, r.listed
	changed := func(namespace string) bool { return before[namespace] != nil || r.unread[namespace] != nil }
	for name, j := range m.jobs {
		if changed(j.definition.Job.Namespace) {
			m.dirty[name] = true
		}
	}
	for _, run := range m.runs {
		if changed(run.status.Namespace) {
			m.dirty[run.status.JobName] = true
		}
	}
}

// unread returns why a namespace can't be read, or nil. m.mu must be held.
func (m *mirror) unread(namespace string) error {
	return errors.Join(m.store.unread[namespace], m.engine.unread[namespace])
}

// trouble returns why the store or the engine can't be read, fully or partly, and since when.
func (m *mirror) trouble() (since time.Time, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	errs := []error{m.store.err, m.engine.err}
	for _, unread := range []map[string]error{m.store.unread, m.engine.unread} {
		for _, namespace := range slices.Sorted(maps.Keys(unread)) {
			errs = append(errs, unread[namespace])
		}
	}
	return m.lostAt, errors.Join(errs...)
}

// jobView has the reports about one job. It must not be changed.
type jobView struct {
	defined    bool
	definition cloud.Definition
	// unreadable is the reason if the job's document or its namespace can't be read.
	unreadable error
	// halted is the reason if the job can be read but the runs in its namespace can't.
	halted error
	app    *cloud.App
	appErr error
	// elsewhere is the application's namespace, if it isn't the job's.
	elsewhere string
	runs      []cloud.RunStatus
	stuck     []stuckTask // of all runs
	lists     int         // the number of the engine's newest complete list
}

// stuckTask is a task that can't start. run is the reference of its run.
type stuckTask struct {
	cloud.Task
	run string
}

// view returns the reports about a job. In an unreadable namespace only the job's own runs are
// included, because the owners of others are unknown.
func (m *mirror) view(job string) jobView {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := jobView{lists: m.engine.complete}
	if j := m.jobs[job]; j != nil {
		namespace := j.definition.Job.Namespace
		v.defined, v.definition = true, j.definition
		v.halted, v.unreadable = m.engine.unread[namespace], j.err
		if err := m.store.unread[namespace]; err != nil {
			v.unreadable = err
		}
		m.viewApp(&v)
	}
	for ref, r := range m.byJob[job] {
		if err := m.unread(r.status.Namespace); err != nil && (!v.defined || r.status.Owner != v.definition.UID) {
			if !v.defined {
				v.unreadable = err
			}
			continue
		}
		v.runs = append(v.runs, r.status)
		for _, t := range r.stuck {
			v.stuck = append(v.stuck, stuckTask{t, ref})
		}
	}
	return v
}

// viewApp adds the job's application, which must be in the job's namespace.
func (m *mirror) viewApp(v *jobView) {
	a := m.apps[v.definition.Job.AppName]
	switch {
	case a == nil:
	case a.app.Namespace != v.definition.Job.Namespace:
		v.elsewhere = a.app.Namespace
	default:
		app := a.app.Clone()
		v.app, v.appErr = &app, a.err
	}
}

// knows returns whether a run was reported, and the number of the engine's newest list.
func (m *mirror) knows(ref string) (known bool, list int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.runs[ref] != nil, m.engine.list
}

// find returns the run with a reference, or else the newest run with that name in any namespace.
// m.mu must be held.
func (m *mirror) find(run string) *runSeen {
	if r := m.runs[run]; r != nil {
		return r
	}
	var newest *runSeen
	for r := range maps.Values(m.runs) {
		if r.status.Name == run && (newest == nil || r.status.Created.After(newest.status.Created)) {
			newest = r
		}
	}
	return newest
}

// Reports of the store and the engine, for the console. They lag a little, and while the store or
// the engine can't be read they're the last known ones. Callers own the copies.

// Synced reports whether the store and the engine can be read. It ignores a watch that has just
// ended, because watches restart from time to time.
func (m *mirror) Synced() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.store.synced && m.engine.synced || time.Since(m.lostAt) < resyncTakes
}

// Health returns why the store or the engine can't be read, or why a process that doesn't lead
// can't take part in the election; nil if all is well. since is zero if they could never be read.
func (s *Scheduler) Health() (since time.Time, err error) {
	since, err = s.mirror.trouble()
	if election, ok := s.Leadership.(cloud.HealthReporter); ok && err == nil && !s.Leads() {
		return election.Health()
	}
	return since, err
}

func (m *mirror) Apps() []cloud.App {
	m.mu.Lock()
	defer m.mu.Unlock()
	apps := make([]cloud.App, 0, len(m.apps))
	for _, a := range m.apps {
		apps = append(apps, a.app.Clone())
	}
	slices.SortFunc(apps, func(a, b cloud.App) int { return strings.Compare(a.Name, b.Name) })
	return apps
}

func (m *mirror) Jobs() []cloud.Definition {
	m.mu.Lock()
	defer m.mu.Unlock()
	jobs := make([]cloud.Definition, 0, len(m.jobs))
	for _, j := range m.jobs {
		d := j.definition.Clone()
		if err := m.unread(d.Job.Namespace); err != nil {
			d.Status.SetCondition(unreadCondition(err, m.lostAt))
		}
		jobs = append(jobs, d)
	}
	slices.SortFunc(jobs, func(a, b cloud.Definition) int { return strings.Compare(a.Job.Name, b.Job.Name) })
	return jobs
}

// Runs returns the engine's runs of a job, or all if job is empty, newest first.
func (m *mirror) Runs(job string) []cloud.RunStatus {
	m.mu.Lock()
	defer m.mu.Unlock()
	seen := m.byJob[job]
	if job == "" {
		seen = m.runs
	}
	var runs []cloud.RunStatus
	for _, r := range seen {
		runs = append(runs, r.status)
	}
	slices.SortFunc(runs, func(a, b cloud.RunStatus) int {
		return cmp.Or(b.Created.Compare(a.Created), strings.Compare(a.Name, b.Name))
	})
	return runs
}

// FindRun returns a run by name or reference, and its tasks by shard and attempt; false if the
// engine doesn't have it.
func (m *mirror) FindRun(name string) (cloud.RunStatus, []cloud.Task, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.find(name)
	if r == nil {
		return cloud.RunStatus{}, nil, false
	}
	tasks := make([]cloud.Task, 0, len(r.tasks))
	for _, t := range r.tasks {
		tasks = append(tasks, t.Task)
	}
	slices.SortFunc(tasks, func(a, b cloud.Task) int { return cmp.Or(a.Shard-b.Shard, a.Attempt-b.Attempt) })
	return r.status, tasks, true
}

// FindTask returns a task by UID; false if the engine doesn't have it.
func (m *mirror) FindTask(uid string) (cloud.Task, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.runs {
		if t, there := r.tasks[uid]; there {
			return t.Task, true
		}
	}
	return cloud.Task{}, false
}
