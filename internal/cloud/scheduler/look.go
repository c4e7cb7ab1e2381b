package scheduler

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

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
