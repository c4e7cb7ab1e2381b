package consoletest

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// sampleChange disabled a job a minute ago.
var sampleChange = settings.Change{
	ID: SampleChange, At: Noon.Add(-time.Minute), User: "root", Registry: console.DefaultRegistry, Verb: console.Disable.Verb, Reason: "INC-4821",
	Results: []settings.ChangeResult{{Job: "mail-digest", Affected: []string{"10.2.0.14", "10.2.0.15", "10.2.0.16"}}},
}

func (f *FakeSettings) BeginChange(_ context.Context, c settings.Change) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	if _, ok := f.changes[c.ID]; ok && f.err == nil {
		return settings.ErrExists
	}
	f.changes[c.ID] = c
	return f.err
}

func (f *FakeSettings) FinishChange(_ context.Context, id string, results []settings.ChangeResult) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	c := f.changes[id]
	c.Results = slices.Clone(results)
	f.changes[id] = c
	return f.err
}

func (f *FakeSettings) Change(_ context.Context, id string) (settings.Change, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	c, ok := f.changes[id]
	if !ok && f.err == nil {
		return c, settings.ErrNotFound
	}
	return c, f.err
}

func (f *FakeSettings) UndoChange(_ context.Context, id string, now time.Time) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	c := f.changes[id]
	if !c.Undone.IsZero() && f.err == nil {
		return settings.ErrExists
	}
	c.Undone = now
	f.changes[id] = c
	return f.err
}

func (f *FakeSettings) PutSwitch(_ context.Context, w settings.Switch) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	f.switches[w.Registry+"/"+w.Job] = w
	return f.err
}

func (f *FakeSettings) Switches(_ context.Context, registry string, jobs []string) (map[string]settings.Switch, error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	list := make(map[string]settings.Switch)
	for _, job := range jobs {
		if w, ok := f.switches[registry+"/"+job]; ok {
			list[job] = w
		}
	}
	return list, f.err
}

func (f *FakeSettings) DropSwitch(_ context.Context, registry, job string) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	delete(f.switches, registry+"/"+job)
	return f.err
}

func (f *FakeSettings) StayDisabled(_ context.Context, registry, job string) error {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	w, ok := f.switches[registry+"/"+job]
	if (!ok || w.EnableAt.IsZero()) && f.err == nil {
		return settings.ErrNotFound
	}
	w.EnableAt = time.Time{}
	f.switches[registry+"/"+job] = w
	return f.err
}

// ClaimDue has no lease: there is one console.
func (f *FakeSettings) ClaimDue(_ context.Context, now time.Time, _ time.Duration, limit int) (due []settings.Switch, err error) {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	for _, w := range f.switches {
		if !w.EnableAt.IsZero() && !w.EnableAt.After(now) && len(due) < limit {
			due = append(due, w)
		}
	}
	return due, f.err
}

// Changes are the actions that were sent from pages, by their ids.
func (f *FakeSettings) Changes() map[string]settings.Change {
	f.Mu.Lock()
	defer f.Mu.Unlock()
	return maps.Clone(f.changes)
}
