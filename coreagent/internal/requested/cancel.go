package requested

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

// followed is how far we have followed a node that others write whenever there is something to
// look at. Each write names its cause, so an agent that has missed none looks at nothing else.
type followed struct {
	czxid   int64
	version int32
	known   bool
}

// of returns the cause that was written since then, if there is news. All is set if it may be
// anything, because writes were missed or one doesn't name its cause.
func (h followed) of(n recipe.Node) (what string, news, all bool) {
	switch same := h.known && n.Exists && h.czxid == n.Stat.Czxid; {
	case same && h.version == n.Stat.Version:
		return "", false, false
	case same && h.version+1 == n.Stat.Version && len(n.Data) > 0:
		return string(n.Data), true, false
	}
	return "", true, true
}

func followedAll(n recipe.Node) followed { return followed{n.Stat.Czxid, n.Stat.Version, n.Exists} }

// lookForCancels looks whether a run of this process was cancelled. It comes before everything
// else, because handlers are at work whose result isn't needed.
func (a *Activity) lookForCancels(ctx context.Context, session zk.Session, everything bool) (err error) {
	node := a.cache.Get(a.nodes.Tree.RunsCancels())
	id, news, all := a.cancels.of(node)
	if err := a.recordDoubtful(ctx); err != nil {
		return err
	}
	switch {
	case everything:
		err = a.checkRecords(ctx, session)
	case news && all:
		err = a.checkClaims(ctx, session, "")
	case news:
		err = a.checkClaims(ctx, session, id)
	}
	if err == nil {
		a.cancels = followedAll(node)
	}
	return err
}

// checkRecords looks at all records: it ends runs that were cancelled, and releases claims of this
// session that this process doesn't know. Other instances may need their shards, which their
// running markers prevent.
func (a *Activity) checkRecords(ctx context.Context, session zk.Session) error {
	names, err := a.nodes.Children(ctx, a.nodes.Tree.RunsActive())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	return nodes.Each(ctx, len(names), func(ctx context.Context, i int) error {
		return a.checkRecord(ctx, a.nodes.Tree.RunsActive()+"/"+names[i], session)
	})
}

// checkClaims looks at the records of the claims of this process, or of one run. Claims that were
// notified are left out; otherwise a burst of cancels re-reads every record while the handlers
// wind down.
func (a *Activity) checkClaims(ctx context.Context, session zk.Session, id string) error {
	var paths []string
	a.mu.Lock()
	for _, c := range a.claims {
		if !c.notified && (id == "" || c.Record.ID == id) {
			paths = append(paths, c.path)
		}
	}
	a.mu.Unlock()
	return nodes.Each(ctx, len(paths), func(ctx context.Context, i int) error { return a.checkRecord(ctx, paths[i], session) })
}

// checkRecord looks at one record.
func (a *Activity) checkRecord(ctx context.Context, path string, session zk.Session) error {
	data, stat, err := a.nodes.Client.Get(ctx, path)
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	record, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return nil // The steward logs it.
	}
	cancelled, own := false, a.job.ID()
	stray := make(map[string][]int) // shards of claims of this session that this process doesn't know, by nonce
	a.mu.Lock()
	for n, c := range record.Claims {
		known := a.claims[c.Nonce]
		switch {
		case known != nil && record.Cancelled != nil:
			known.cancel(ErrCancelled)
			known.notified, known.newest = true, &offered{record, stat.Version} // By which it will settle.
			cancelled = true
		case known == nil && c.Session == steward.SessionName(session.ID) && c.Instance == own:
			stray[c.Nonce] = append(stray[c.Nonce], n)
		}
	}
	a.mu.Unlock()
	if cancelled {
		a.history.Cancelling(record)
	}
	for nonce, shards := range stray { // One: the record has another version then.
		slices.Sort(shards)
		if err := a.releaseStray(ctx, path, stat.Version, record, nonce, shards); err != nil {
			return err
		}
		a.doubt()
		a.Kick()
		break
	}
	return nil
}

// releaseStray releases shards that this session has claimed and that this process doesn't run: no
// answer came to the claim, or the session was lost here and lived on. It's a loss only if their
// handlers had begun.
func (a *Activity) releaseStray(ctx context.Context, path string, version int32, record jobtree.RunRecord, nonce string, shards []int) error {
	a.mu.Lock()
	began, never := a.began[nonce], a.fleet.Settings.LostFails
	a.mu.Unlock()
	var next runs.Next
	if began {
		next = runs.Lose(record, shards, never, a.host.Time())
	} else {
		stopped := make(map[int]runs.Result, len(shards))
		for _, n := range shards {
			stopped[n] = runs.Result{Stopped: true}
		}
		next = runs.End(record, nonce, stopped, a.host.Time())
	}
	ops, err := a.store.Write(path, version, next)
	if err != nil {
		return err
	}
	if next.Record != nil {
		ops = append(ops, a.store.Signal())
	}
	for _, n := range shards {
		marker, _, err := a.ownMarker(ctx, n)
		if err != nil {
			return err
		}
		ops = append(ops, marker...)
	}
	a.log.InfoContext(ctx, "shards of a requested run are released: nothing here runs them", "run", record.ID, "shards", shards)
	err = a.store.Commit(ctx, ops...)
	if runs.Refused(err) {
		return nodes.GiveWay(ctx, len(a.instances()))
	}
	if err != nil {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.doubtful = append(a.doubtful, released{record, next})
		return err
	}
	if began {
		a.history.Lost(record, shards)
	}
	a.history.Became(record, next)
	a.mu.Lock()
	delete(a.began, nonce)
	a.mu.Unlock()
	return nil
}

// released is a run before and after shards of it were released.
type released struct {
	record jobtree.RunRecord
	next   runs.Next
}

// recordDoubtful records the end of runs whose release wasn't answered.
func (a *Activity) recordDoubtful(ctx context.Context) error {
	a.mu.Lock()
	list := a.doubtful
	a.doubtful = nil
	a.mu.Unlock()
	for i, d := range list {
		written, err := a.store.Wrote(ctx, d.next)
		if err != nil {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.doubtful = append(a.doubtful, list[i:]...)
			return err
		}
		if written {
			a.history.Became(d.record, d.next)
		}
	}
	return nil
}

// ownMarker returns the operation that removes the running marker of a shard, if it is
// this session's, and whether there is a marker at all.
func (a *Activity) ownMarker(ctx context.Context, n int) (ops []zk.Op, there bool, err error) {
	path := a.nodes.Tree.ItemRunning(n)
	data, stat, err := a.nodes.Client.Get(ctx, path)
	if err != nil {
		return nil, false, zk.Ignore(err, zk.ErrNoNode)
	}
	if string(data) != a.job.ID() || stat.EphemeralOwner != a.nodes.Client.Session().ID {
		return nil, true, nil
	}
	return []zk.Op{zk.DeleteOp(path, stat.Version)}, true, nil
}
