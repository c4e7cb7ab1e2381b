package engine

import (
	"context"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/steward"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
)

// heard is how far a node was followed that others write whenever there is something to
// look at. Each write says what for, so that an agent that has missed none looks at
// nothing else.
type heard struct {
	czxid   int64
	version int32
	known   bool
}

// of returns what was written since: news says that something was, and all that it has
// to be taken for anything, because writes were missed or one does not say what for.
func (h heard) of(n recipe.Node) (what string, news, all bool) {
	switch same := h.known && n.Exists && h.czxid == n.Stat.Czxid; {
	case same && h.version == n.Stat.Version:
		return "", false, false
	case same && h.version+1 == n.Stat.Version && len(n.Data) > 0:
		return string(n.Data), true, false
	}
	return "", true, true
}

func heardAll(n recipe.Node) heard { return heard{n.Stat.Czxid, n.Stat.Version, n.Exists} }

// heedCancelled looks whether a run of this process was cancelled. It comes before
// everything else: handlers are at work that nobody needs.
func (r *requested) heedCancelled(ctx context.Context, session zk.Session, everything bool) (err error) {
	node := r.cache.Get(r.j.tree.RunsCancels())
	id, news, all := r.cancels.of(node)
	if err := r.recordDoubtful(ctx); err != nil {
		return err
	}
	switch {
	case everything:
		err = r.heedRecords(ctx, session)
	case news && all:
		err = r.heedClaims(ctx, session, "")
	case news:
		err = r.heedClaims(ctx, session, id)
	}
	if err == nil {
		r.cancels = heardAll(node)
	}
	return err
}

// heedRecords looks at all records: it ends what was cancelled, and releases claims of this
// session that nothing here knows of. Their shards may be another's by now, or about to be,
// which their running markers prevent.
func (r *requested) heedRecords(ctx context.Context, session zk.Session) error {
	j := r.j
	names, err := j.nodes.Children(ctx, j.tree.RunsActive())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	return nodes.Each(ctx, len(names), func(ctx context.Context, i int) error {
		return r.heedRecord(ctx, j.tree.RunsActive()+"/"+names[i], session)
	})
}

// heedClaims looks at the records of the claims of this process, or of those of one run. Of
// those that are notified already there is nothing more to know: a burst of cancels would have
// each of their records read time and again while their handlers end.
func (r *requested) heedClaims(ctx context.Context, session zk.Session, id string) error {
	j := r.j
	var paths []string
	j.mu.Lock()
	for _, c := range r.claims {
		if !c.notified && (id == "" || c.record.ID == id) {
			paths = append(paths, c.path)
		}
	}
	j.mu.Unlock()
	return nodes.Each(ctx, len(paths), func(ctx context.Context, i int) error { return r.heedRecord(ctx, paths[i], session) })
}

// heedRecord looks at one record.
func (r *requested) heedRecord(ctx context.Context, path string, session zk.Session) error {
	j := r.j
	data, stat, err := j.env.Client.Get(ctx, path)
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	record, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return nil // The steward tells of it.
	}
	cancelled := false
	stray := make(map[string][]int) // shards of claims of this session that nothing here knows of, by nonce
	j.mu.Lock()
	for n, c := range record.Claims {
		known := r.claims[c.Nonce]
		switch {
		case known != nil && record.Cancelled != nil:
			known.batch.cancel(ErrCancelled)
			known.notified, known.newest = true, &offered{record, stat.Version} // By which it will settle.
			cancelled = true
		case known == nil && c.Session == steward.SessionName(session.ID) && c.Instance == j.id:
			stray[c.Nonce] = append(stray[c.Nonce], n)
		}
	}
	j.mu.Unlock()
	if cancelled {
		r.history.Cancelling(record)
	}
	for nonce, shards := range stray { // One: the record has another version then.
		slices.Sort(shards)
		if err := r.releaseStray(ctx, path, stat.Version, record, nonce, shards); err != nil {
			return err
		}
		r.doubt()
		r.kick()
		break
	}
	return nil
}

// releaseStray releases shards that this session has claimed and that nothing here
// runs: no answer came to the claim, or the session was lost here and lived on. Only if
// their handlers had begun is that a loss.
func (r *requested) releaseStray(ctx context.Context, path string, version int32, record jobtree.RunRecord, nonce string, shards []int) error {
	j := r.j
	j.mu.Lock()
	began, never := r.began[nonce], r.fleet.Settings.LostFails
	j.mu.Unlock()
	var next runs.Next
	if began {
		next = runs.Lose(record, shards, never, j.env.now())
	} else {
		stopped := make(map[int]runs.Result, len(shards))
		for _, n := range shards {
			stopped[n] = runs.Result{Stopped: true}
		}
		next = runs.End(record, nonce, stopped, j.env.now())
	}
	ops, err := r.store.Write(path, version, next)
	if err != nil {
		return err
	}
	if next.Record != nil {
		ops = append(ops, r.store.Signal())
	}
	for _, n := range shards {
		marker, _, err := r.ownMarker(ctx, n)
		if err != nil {
			return err
		}
		ops = append(ops, marker...)
	}
	j.log.InfoContext(ctx, "shards of a requested run are released: nothing here runs them", "run", record.ID, "shards", shards)
	err = r.store.Commit(ctx, ops...)
	if runs.Refused(err) {
		return nodes.GiveWay(ctx, len(r.instances()))
	}
	if err != nil {
		j.mu.Lock()
		defer j.mu.Unlock()
		r.doubtful = append(r.doubtful, released{record, next})
		return err
	}
	if began {
		r.history.Lost(record, shards)
	}
	r.history.Became(record, next)
	j.mu.Lock()
	delete(r.began, nonce)
	j.mu.Unlock()
	return nil
}

// released is a run before and after shards of it were released.
type released struct {
	record jobtree.RunRecord
	next   runs.Next
}

// recordDoubtful records what became of runs by transactions of which no answer came.
func (r *requested) recordDoubtful(ctx context.Context) error {
	j := r.j
	j.mu.Lock()
	list := r.doubtful
	r.doubtful = nil
	j.mu.Unlock()
	for i, d := range list {
		written, err := r.store.Wrote(ctx, d.next)
		if err != nil {
			j.mu.Lock()
			defer j.mu.Unlock()
			r.doubtful = append(r.doubtful, list[i:]...)
			return err
		}
		if written {
			r.history.Became(d.record, d.next)
		}
	}
	return nil
}

// ownMarker returns the operation that removes the running marker of a shard, if it is
// this session's, and whether there is a marker at all.
func (r *requested) ownMarker(ctx context.Context, n int) (ops []zk.Op, there bool, err error) {
	j := r.j
	path := j.tree.ItemRunning(n)
	data, stat, err := j.env.Client.Get(ctx, path)
	if err != nil {
		return nil, false, zk.Ignore(err, zk.ErrNoNode)
	}
	if string(data) != j.id || stat.EphemeralOwner != j.env.Client.Session().ID {
		return nil, true, nil
	}
	return []zk.Op{zk.DeleteOp(path, stat.Version)}, true, nil
}
