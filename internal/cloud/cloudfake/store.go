package cloudfake

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
)

type Store struct {
	double[cloud.StoreEvent]

	revision int64
	apps     map[string]cloud.App
	jobs     map[string]cloud.Definition
}

func NewStore() *Store {
	return &Store{apps: make(map[string]cloud.App), jobs: make(map[string]cloud.Definition)}
}

func (s *Store) Watch(ctx context.Context, report func(cloud.StoreEvent)) error {
	return s.watch(ctx, s.present, report)
}

func (s *Store) present() []cloud.StoreEvent {
	events := []cloud.StoreEvent{{Event: cloud.EventReset}}
	for _, name := range slices.Sorted(maps.Keys(s.apps)) {
		events = append(events, appEvent(s.apps[name]))
	}
	for _, name := range slices.Sorted(maps.Keys(s.jobs)) {
		events = append(events, jobEvent(s.jobs[name]))
	}
	return append(events, cloud.StoreEvent{Event: cloud.EventSynced})
}

func appEvent(a cloud.App) cloud.StoreEvent {
	return cloud.StoreEvent{Event: cloud.EventChanged, Kind: cloud.KindApp, Name: a.Name, App: a.Clone()}
}

func jobEvent(d cloud.Definition) cloud.StoreEvent {
	return cloud.StoreEvent{Event: cloud.EventChanged, Kind: cloud.KindJob, Name: d.Job.Name, Definition: d.Clone()}
}

func (s *Store) Create(ctx context.Context, j cloud.Job) (made cloud.Definition, err error) {
	err = s.call(ctx, "create", j.Name, func() error {
		if _, exists := s.jobs[j.Name]; exists {
			return fmt.Errorf("create job %q: %w", j.Name, cloud.ErrExists)
		}
		now := time.Now()
		made = cloud.Definition{Job: j.Clone(), UID: fmt.Sprintf("job-%d", s.revision+1), Created: now, Changed: now}
		made = s.put(made)
		return nil
	})
	return made, err
}

func (s *Store) put(d cloud.Definition) cloud.Definition {
	s.revision++
	d.Revision, d.Version = s.revision, strconv.FormatInt(s.revision, 10)
	s.jobs[d.Job.Name] = d.Clone()
	s.publish(jobEvent(d))
	return d
}

func (s *Store) CreateApp(ctx context.Context, a cloud.App) (cloud.App, error) {
	err := s.call(ctx, "create", a.Name, func() error {
		if _, exists := s.apps[a.Name]; exists {
			return fmt.Errorf("create application %q: %w", a.Name, cloud.ErrExists)
		}
		s.apps[a.Name] = a.Clone()
		s.publish(appEvent(a))
		return nil
	})
	return a, err
}

func (s *Store) Change(ctx context.Context, job string, f func(*cloud.Definition) error) (changed cloud.Definition, err error) {
	err = s.call(ctx, "change", job, func() error {
		old, exists := s.jobs[job]
		if !exists {
			return fmt.Errorf("change job %q: %w", job, cloud.ErrNotFound)
		}
		changed = old.Clone()
		if err := f(&changed); err != nil {
			return err
		}
		if changed.Job.Name != job {
			return fmt.Errorf("change job %q: its name cannot become %q: %w", job, changed.Job.Name, cloud.ErrRefused)
		}
		if reflect.DeepEqual(changed, old.Clone()) {
			return nil
		}
		if !reflect.DeepEqual(changed.Job, old.Clone().Job) {
			changed.Changed = time.Now()
		}
		changed.UID, changed.Created = old.UID, old.Created
		changed = s.put(changed)
		return nil
	})
	return changed, err
}

func (s *Store) ChangeApp(ctx context.Context, app string, f func(*cloud.App) error) (changed cloud.App, err error) {
	err = s.call(ctx, "change", app, func() error {
		old, exists := s.apps[app]
		if !exists {
			return fmt.Errorf("change application %q: %w", app, cloud.ErrNotFound)
		}
		changed = old.Clone()
		if err := f(&changed); err != nil {
			return err
		}
		if changed.Name != app {
			return fmt.Errorf("change application %q: its name cannot become %q: %w", app, changed.Name, cloud.ErrRefused)
		}
		if !reflect.DeepEqual(changed, old) {
			s.apps[app] = changed.Clone()
			s.publish(appEvent(changed))
		}
		return nil
	})
	return changed, err
}

func (s *Store) Delete(ctx context.Context, kind cloud.Kind, name string, o cloud.DeleteOptions) error {
	return s.call(ctx, "delete", name, func() error {
		job, isJob := s.jobs[name]
		_, isApp := s.apps[name]
		if kind == cloud.KindJob && !isJob || kind == cloud.KindApp && !isApp {
			return fmt.Errorf("delete %s %q: %w", kind, name, cloud.ErrNotFound)
		}
		if kind == cloud.KindJob && o.Version != "" && o.Version != job.Version {
			return fmt.Errorf("delete job %q of version %s: it has version %s: %w", name, o.Version, job.Version, cloud.ErrConflict)
		}
		if kind == cloud.KindJob {
			delete(s.jobs, name)
		} else {
			delete(s.apps, name)
		}
		s.revision++
		s.publish(cloud.StoreEvent{Event: cloud.EventRemoved, Kind: kind, Name: name})
		return nil
	})
}

func (s *Store) Definition(job string) (cloud.Definition, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d, exists := s.jobs[job]
	return d.Clone(), exists
}
