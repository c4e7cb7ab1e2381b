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

// followed is how far we have followed a node that others write to notify us. Each write names its
// cause, so an agent that has missed none only handles that cause.
type followed struct {
	czxid   int64
	version int32
	known   bool
}

// of returns the cause written since then, if there is news. all is set if it may be anything,
// because we missed writes or the write names no cause.
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

// lookForCancels looks for cancelled runs of this process. It comes first, because their handlers
// still work for a result that no user needs.
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

// checkRecords checks all records. It ends cancelled runs, and releases claims of this session that
// this process doesn't know. Their running markers would keep other instances from running the
// shards.
func (a *Activity) checkRecords(ctx context.Context, session zk.Session) error {
	names, err := a.nodes.Children(ctx, a.nodes.Tree.RunsActive())
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	return nodes.Each(ctx, len(names), func(ctx context.Context, i int) error {
		return a.checkRecord(ctx, a.nodes.Tree.RunsActive()+"/"+names[i], session)
	})
}

// checkClaims checks the records of this process's claims, or of one run. It skips notified claims;
// otherwise a burst of cancels re-reads every record while the handlers wind down.
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

func (a *Activity) checkRecord(ctx context.Context, path string, session zk.Session) error {
	read, err := a.readRecord(ctx, path)
	if read == nil {
		return err
	}
	record := read.record
	cancelled, own := false, a.job.ID()
	stray := make(map[string][]int) // by nonce: shards of claims of this session that this process doesn't know
	a.mu.Lock()
	for n, c := range record.Claims {
		known := a.claims[c.Nonce]
		switch {
		case known != nil && record.Cancelled != nil:
			known.cancel(ErrCancelled)
			known.notified, known.newest = true, read // for Settle
			cancelled = true
		case known == nil && c.Session == steward.SessionName(session.ID) && c.Instance == own:
			stray[c.Nonce] = append(stray[c.Nonce], n)
		}
	}
	a.mu.Unlock()
	if cancelled {
		a.history.Cancelling(record)
	}
	for nonce, shards := range stray { // Only one, because then the record has a new version.
		slices.Sort(shards)
		if err := a.releaseStray(ctx, path, read.version, record, nonce, shards); err != nil {
			return err
		}
		a.doubt()
		a.Kick()
		break
	}
	return nil
}

// releaseStray releases shards that this session has claimed but this process doesn't run, because
// the claim got no answer or the session wasn't really lost. It counts as a loss only if the
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
	ops, err := a.store.WriteAndSignal(path, version, next)
	if err != nil {
		return err
	}
	for _, n := range shards {
		marker, _, err := a.ownMarker(ctx, n)
		if err != nil {
			return err
		}
		ops = append(ops, marker...)
	}
	a.log.InfoContext(ctx, "released shards of a requested run, because they don't run here", "run", record.ID, "shards", shards)
	err = a.store.Commit(ctx, ops...)
	if runs.Refused(err) {
		return nodes.BackOff(ctx, len(a.instances()))
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

// released is a run before and after some of its shards were released.
type released struct {
	record jobtree.RunRecord
	next   runs.Next
}

// recordDoubtful records the end of runs with an unanswered release.
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

// ownMarker returns the operation that removes the running marker of a shard if this session
// created it, and whether any marker exists.
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
