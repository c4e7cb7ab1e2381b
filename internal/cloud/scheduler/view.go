package scheduler

import (
	"errors"
	"maps"
	"slices"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// note takes that a namespace cannot be read. It counts when the report is complete.
func (r *reading) note(namespace string, err error) {
	if r.listed == nil {
		r.listed = make(map[string]error)
	}
	r.listed[namespace] = err
}

// complete takes that a watch has reported the whole present. Jobs of namespaces that can be
// read now, or cannot any more, are looked at again.
func (m *mirror) complete(r *reading) {
	changed := make(map[string]bool)
	for _, unread := range []map[string]error{r.unread, r.listed} {
		for namespace := range unread {
			changed[namespace] = true
		}
	}
	*r = reading{synced: true, unread: r.listed}
	if len(changed) == 0 {
		return
	}
	for name, j := range m.jobs {
		if changed[j.definition.Job.Namespace] {
			m.dirty[name] = true
		}
	}
	for _, run := range m.runs {
		if changed[run.status.Namespace] {
			m.dirty[run.status.JobName] = true
		}
	}
}

// unread is why a namespace cannot be read, nil if store and engine can. With m.mu held.
func (m *mirror) unread(namespace string) error {
	if len(m.store.unread)+len(m.engine.unread) == 0 {
		return nil
	}
	return errors.Join(m.store.unread[namespace], m.engine.unread[namespace])
}

// trouble is why store or engine cannot be read, in whole or in part. With m.mu held.
func (m *mirror) trouble() error {
	errs := []error{m.store.err, m.engine.err}
	for _, unread := range []map[string]error{m.store.unread, m.engine.unread} {
		for _, namespace := range slices.Sorted(maps.Keys(unread)) {
			errs = append(errs, unread[namespace])
		}
	}
	return errors.Join(errs...)
}

// jobView is what the mirror has of one job.
type jobView struct {
	defined    bool
	definition cloud.Definition
	err        error
	// halted is why nothing may be begun for a job that can be read: the engine cannot read
	// the runs of its namespace.
	halted error
	app    *cloud.App
	appErr error
	// elsewhere is the namespace that has the application, if it is not that of the job.
	elsewhere string
	runs      []cloud.RunStatus
	stuck     []stuckTask // of all runs
	lists     int         // complete lists of the engine so far
}

// stuckTask is a task that cannot start; run is the reference of its run.
type stuckTask struct {
	cloud.Task
	run string
}

// view copies what there is of a job. Runs of a namespace that cannot be read are the job's own
// alone: nobody knows whose the others are.
func (m *mirror) view(job string) jobView {
	m.mu.Lock()
	defer m.mu.Unlock()
	v := jobView{lists: m.lists}
	if j := m.jobs[job]; j != nil {
		v.defined, v.definition, v.err = true, j.definition.Clone(), j.err
		namespace := v.definition.Job.Namespace
		v.halted = m.engine.unread[namespace]
		if err := m.store.unread[namespace]; err != nil {
			v.err = err
		}
		m.viewApp(&v)
	}
	for ref, r := range m.byJob[job] {
		if err := m.unread(r.status.Namespace); err != nil && (!v.defined || r.status.Owner != v.definition.UID) {
			if !v.defined {
				v.err = err
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

// viewApp adds the application of the job: one of its own namespace.
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

// knows says whether a run was reported, and the number of the newest list of the engine.
func (m *mirror) knows(ref string) (known bool, listing int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.runs[ref] != nil, m.listing
}

// tasksOf copies the tasks of a run.
func (m *mirror) tasksOf(ref string) []cloud.Task {
	m.mu.Lock()
	defer m.mu.Unlock()
	var tasks []cloud.Task
	if r := m.runs[ref]; r != nil {
		for _, t := range r.tasks {
			tasks = append(tasks, t.Task)
		}
	}
	return tasks
}

// find is the run of a reference, or else of a name: the newest, if namespaces have one each.
// With m.mu held.
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
