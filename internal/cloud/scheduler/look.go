package scheduler

import (
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// What store and engine have reported, for whoever shows it. It is a little behind the store
// and the engine, and as it was when they could be read last while they cannot. Copies are
// the caller's.

// resyncTakes is how long a watch that begins anew may take to report everything, before
// what it reported earlier counts as old.
const resyncTakes = 5 * time.Second

// Synced reports whether the store and the engine can be read: at present, or until a moment
// ago, as watches begin anew every now and then.
func (s *Scheduler) Synced() bool {
	m := s.mirror
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.store.synced && m.engine.synced || time.Since(m.lostAt) < resyncTakes
}

// Trouble is why store or engine cannot be read, or else, if this process does not lead, why
// it cannot stand for election; nil if nothing is wrong. Since when is zero if they could
// never be read.
func (s *Scheduler) Trouble() (since time.Time, err error) {
	m := s.mirror
	m.mu.Lock()
	since, err = m.lostAt, m.trouble()
	m.mu.Unlock()
	if election, ok := s.Leadership.(cloud.Troubled); ok && err == nil && !s.Leads() {
		return election.Trouble()
	}
	return since, err
}

// Apps are the applications, by name.
func (s *Scheduler) Apps() []cloud.App {
	m := s.mirror
	m.mu.Lock()
	defer m.mu.Unlock()
	apps := make([]cloud.App, 0, len(m.apps))
	for _, a := range m.apps {
		apps = append(apps, a.app.Clone())
	}
	slices.SortFunc(apps, func(a, b cloud.App) int { return strings.Compare(a.Name, b.Name) })
	return apps
}

// Jobs are the jobs, by name.
func (s *Scheduler) Jobs() []cloud.Definition {
	m := s.mirror
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

// unreadCondition says of a job that its namespace cannot be read.
func unreadCondition(err error, since time.Time) cloud.Condition {
	reason := cloud.ReasonRefused
	if errors.Is(err, cloud.ErrForbidden) {
		reason = cloud.ReasonForbidden
	}
	return cloud.Condition{Type: cloud.ConditionFires, Reason: reason, Message: err.Error(), Since: since}
}

// Runs are the runs that the engine has of a job, or of all if it is empty: the newest
// first.
func (s *Scheduler) Runs(job string) []cloud.RunStatus {
	m := s.mirror
	m.mu.Lock()
	defer m.mu.Unlock()
	var runs []cloud.RunStatus
	if job != "" {
		for _, r := range m.byJob[job] {
			runs = append(runs, r.status)
		}
	} else {
		for _, r := range m.runs {
			runs = append(runs, r.status)
		}
	}
	slices.SortFunc(runs, func(a, b cloud.RunStatus) int {
		if c := b.Created.Compare(a.Created); c != 0 {
			return c
		}
		return strings.Compare(a.Name, b.Name)
	})
	return runs
}

// FindRun is a run with its tasks, by shard and attempt; false if the engine has none of the
// name, which may be the run's reference.
func (s *Scheduler) FindRun(name string) (cloud.RunStatus, []cloud.Task, bool) {
	m := s.mirror
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
	slices.SortFunc(tasks, func(a, b cloud.Task) int {
		if a.Shard != b.Shard {
			return a.Shard - b.Shard
		}
		return a.Attempt - b.Attempt
	})
	return r.status, tasks, true
}

// FindTask is the task of a UID; false if the engine has none.
func (s *Scheduler) FindTask(uid string) (cloud.Task, bool) {
	m := s.mirror
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, r := range m.runs {
		if t, there := r.tasks[uid]; there {
			return t.Task, true
		}
	}
	return cloud.Task{}, false
}
