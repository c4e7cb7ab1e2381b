package zkstore

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

const (
	// resync is how often everything is compared with the server, in case events were lost.
	resync = time.Minute
	// retryPause is the pause after a failed read.
	retryPause = 200 * time.Millisecond
)

type key struct {
	kind cloud.Kind
	name string
}

// stamp distinguishes two states of a record.
type stamp struct {
	doc, docData, ext, extData, status, statusData int64
	disabled                                       bool
}

func stampOf(r *record) stamp {
	return stamp{
		r.doc.stat.Czxid, r.doc.stat.Mzxid, r.ext.stat.Czxid, r.ext.stat.Mzxid,
		r.status.stat.Czxid, r.status.stat.Mzxid, r.disabled.exists,
	}
}

// Watch implements [cloud.Store]. While ZooKeeper is unreachable it reports nothing, and afterwards
// it continues with the changes. It returns ctx's error, or why the nodes can't be read at all.
func (s *Store) Watch(ctx context.Context, report func(cloud.StoreEvent)) error {
	woken := make(chan struct{}, 1)
	s.mu.Lock()
	s.wakeups[woken] = struct{}{}
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.wakeups, woken)
		s.mu.Unlock()
	}()
	slow := time.NewTicker(resync)
	defer slow.Stop()
	var reported map[key]stamp // nil before the first report
	for {
		present, err := s.present(ctx)
		var again <-chan time.Time
		switch {
		case err == nil:
			reported = reportChanges(reported, present, report)
		case ctx.Err() != nil:
			return fail("watch", context.Cause(ctx))
		case !zk.Retriable(err):
			return fail("watch", err)
		default:
			again = time.After(retryPause)
		}
		select {
		case <-ctx.Done():
			return fail("watch", context.Cause(ctx))
		case <-woken:
		case <-again:
		case <-slow.C:
			s.cache.Suspect()
		}
	}
}

// reportChanges reports the differences between the current records and the reported ones.
func reportChanges(reported map[key]stamp, present map[key]*record, report func(cloud.StoreEvent)) map[key]stamp {
	first := reported == nil
	if first {
		report(cloud.StoreEvent{Event: cloud.EventReset})
	}
	stamps := make(map[key]stamp, len(present))
	for _, k := range slices.SortedFunc(maps.Keys(present), compareKeys) {
		r := present[k]
		stamps[k] = stampOf(r)
		if old, ok := reported[k]; !ok || old != stamps[k] {
			report(r.event())
		}
	}
	for _, k := range slices.SortedFunc(maps.Keys(reported), compareKeys) {
		if _, ok := present[k]; !ok {
			report(cloud.StoreEvent{Event: cloud.EventRemoved, Kind: k.kind, Name: k.name})
		}
	}
	if first {
		report(cloud.StoreEvent{Event: cloud.EventSynced})
	}
	return stamps
}

// compareKeys sorts applications before jobs, which need them.
func compareKeys(a, b key) int {
	return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.name, b.name))
}

func (r *record) event() cloud.StoreEvent {
	e := cloud.StoreEvent{Event: cloud.EventChanged, Kind: r.kind, Name: r.name}
	if r.kind == cloud.KindApp {
		e.App, e.Err = r.app()
	} else {
		e.Definition, e.Err = r.definition()
	}
	return e
}

// present reads records that may have changed, and returns all.
func (s *Store) present(ctx context.Context) (map[key]*record, error) {
	select {
	case <-s.refreshing:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	defer func() { s.refreshing <- struct{}{} }()
	for {
		if err := s.cache.Refresh(ctx); err != nil {
			return nil, fmt.Errorf("read the tree: %w", err)
		}
		if !s.follow(cloud.KindApp, s.tree.Apps()) && !s.follow(cloud.KindJob, s.tree.Jobs()) {
			break
		}
	}
	records := make(map[key]*record)
	for kind, names := range s.watched {
		folder := s.cache.Get(s.paths(kind, "").switches)
		disabled := make(map[string]bool)
		for _, name := range folder.Children {
			disabled[name] = true
		}
		for name := range names {
			at := s.paths(kind, name)
			r := &record{kind: kind, name: name, doc: nodeOf(s.cache.Get(at.doc)), ext: nodeOf(s.cache.Get(at.ext))}
			if at.status != "" {
				r.status = nodeOf(s.cache.Get(at.status))
			}
			r.disabled.exists, r.switches = disabled[name], folder.Stat.Pzxid
			if r.doc.exists {
				records[key{kind, name}] = r
			}
		}
	}
	return records, nil
}

func nodeOf(n recipe.Node) node { return node{n.Exists, n.Data, n.Stat} }

// follow makes the cache watch the objects in a folder, and forget others. It returns whether there
// are new ones to read.
func (s *Store) follow(kind cloud.Kind, folder string) (added bool) {
	watched := s.watched[kind]
	now := make(map[string]bool)
	for _, name := range s.cache.Get(folder).Children {
		now[name] = true
		if watched[name] {
			continue
		}
		watched[name], added = true, true
		for _, path := range s.paths(kind, name).documents() {
			s.cache.Watch(path)
		}
	}
	for name := range watched {
		if now[name] {
			continue
		}
		delete(watched, name)
		for _, path := range s.paths(kind, name).documents() {
			s.cache.Forget(path)
		}
	}
	return added
}
