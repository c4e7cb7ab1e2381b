package requested

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/steward"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/lazymap"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Claim is the hold of this process on shards of a requested run.
type Claim struct {
	Record  jobtree.RunRecord
	Shards  []view.Shard
	Marked  bool  // the shards have running markers
	Refusal error // why no instance can run it with its parameters

	activity *Activity
	view     *view.View
	cancel   func(cause error) // ends the context of the handlers
	nonce    string
	path     string // of the record
	version  int32  // of the record that the claim wrote
	settled  bool   // the results of its shards are written
	waits    bool   // shards of this instance still wait to be claimed
	// doubtful is the end of the run written by an unanswered transaction.
	doubtful runs.Next

	// Guarded by Activity.mu.
	newest   *offered // the record if it was read since, else nil
	notified bool     // its shards know of the cancel
	outdated bool     // the record must be read before it can be written
	began    bool     // its handlers have begun

	valuesMu sync.Mutex
	values   map[int]jobtree.RunResult // by shard
}

// mostClaimed is how many shards of a run one transaction claims. More follow when these have
// ended.
const mostClaimed = 2000

// pauseElsewhere is how long we leave a shard alone that another instance runs.
const pauseElsewhere = time.Second

func (a *Activity) newClaim(v *view.View, path string, cancel func(error)) *Claim {
	return &Claim{activity: a, view: v, nonce: runs.NewID(a.host.Time()), path: path, cancel: cancel}
}

// by returns the claim as written to the record.
func (c *Claim) by(session zk.Session) jobtree.RunClaim {
	return jobtree.RunClaim{Instance: c.view.ID, Session: steward.SessionName(session.ID), Nonce: c.nonce, At: c.activity.host.Time().UnixMilli()}
}

func (c *Claim) numbers() []int { return view.Numbers(c.Shards) }

// Claimable returns the shards of a view that may be claimed in the run in which every shard takes
// part.
func (a *Activity) Claimable(v *view.View) []view.Shard {
	return slices.DeleteFunc(slices.Clone(v.Shards), func(s view.Shard) bool {
		return !s.Runnable() || a.runsElsewhere(s.Number) || a.tree.Touched(v, s.Number)
	})
}

// Claim claims the given shards that wait in the run in which every shard takes part. It returns
// nil if there are none. cancel ends the context of their handlers.
func (a *Activity) Claim(ctx context.Context, v *view.View, shards []view.Shard, cancel func(error)) (c *Claim, err error) {
	made := a.newClaim(v, a.nodes.Tree.RunsActiveAll(), cancel)
	defer func() {
		if c == nil {
			a.abandon(made)
		}
	}()
	ctx, end := context.WithTimeout(ctx, v.Patience())
	defer end()
	session := a.nodes.Client.Session()
	ctx = zk.UnderSession(ctx, session)
	a.mu.Lock()
	offer := a.offer
	a.offer = nil
	a.mu.Unlock()
	for tries := 0; ; tries++ {
		if offer == nil {
			offer, err = a.readRecord(ctx, made.path)
		}
		if err != nil || offer == nil || session.Epoch != v.Epoch {
			return nil, err
		}
		record, version := offer.record, offer.version
		offer = nil
		made.Shards = slices.DeleteFunc(slices.Clone(shards), func(s view.Shard) bool { return !record.Waiting.Has(s.Number) })
		made.Shards = made.Shards[:min(len(made.Shards), mostClaimed)]
		if len(made.Shards) == 0 {
			return nil, nil
		}
		var accepted bool
		if accepted, made.Refusal, err = a.checkParams(ctx, record.RunRequest); err != nil || !accepted {
			return nil, err
		}
		made.Record, made.version = runs.Claim(record, made.numbers(), made.by(session)), version+1
		written, err := made.Record.Encode()
		if err != nil {
			return nil, err
		}
		a.adopt(made)
		err = a.nodes.Client.Multi(ctx, append(made.ops(), a.store.Same(made.path, record.Life), zk.SetOp(made.path, written, version))...)
		if err == nil {
			a.mu.Lock()
			defer a.mu.Unlock()
			a.last = lastClaim{made.Record.Life, made.version, made.numbers()}
			return made, nil
		}
		switch refused := zk.RefusedPath(err); {
		case refused == "":
			a.doubt()
		case strings.HasPrefix(refused, made.path):
			err = nodes.BackOff(ctx, writers(len(a.instances()), tries))
		default:
			shards, err = a.withoutRefused(ctx, v, shards, err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// lastClaim is this process's last claim in the run in which every shard takes part.
type lastClaim struct {
	life    string // of the record
	version int32  // written by the claim
	shards  []int
}

// OffersClaimed reports whether the offered record is from before the last claim and has only
// shards that this claim took, because the bell rang again during the claim. Then it withdraws the
// offer. If one of the shards waits again, the bell rings for it and makes another offer.
func (a *Activity) OffersClaimed() bool {
	v, _ := a.job.View()
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.offer == nil || v == nil || a.offer.record.Life != a.last.life || a.offer.version >= a.last.version {
		return false
	}
	if slices.ContainsFunc(v.Shards, func(s view.Shard) bool {
		return a.offer.record.Waiting.Has(s.Number) && !slices.Contains(a.last.shards, s.Number)
	}) {
		return false
	}
	a.offer = nil
	return true
}

// writers returns the number of competing writers for a refused one to give way to. If they are
// few, one of them succeeds at each try, so the first retry needn't wait.
func writers(instances, tries int) int {
	if instances <= fewWriters && tries == 0 {
		return 0
	}
	return instances
}

const fewWriters = 8

func (a *Activity) adopt(c *Claim) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.claims[c.nonce] = c
}

// abandon removes a claim that failed or wasn't answered.
func (a *Activity) abandon(c *Claim) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.claims, c.nonce)
}

// doubt makes the next step check all records, because an unanswered claim may have succeeded.
func (a *Activity) doubt() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changed = true
}

// ops returns operations that check the versions of the shards' owner nodes and, with
// monitorExecution, mark the shards running.
func (c *Claim) ops() []zk.Op {
	tree := c.activity.nodes.Tree
	c.Marked = c.view.Config.MonitorExecution
	ops := make([]zk.Op, 0, 2*len(c.Shards)+3)
	if r := c.view.Rotation; r != nil && r.Record.Exists {
		ops = append(ops, zk.CheckOp(tree.FireRecord(0), r.Record.Version))
	}
	for _, s := range c.Shards {
		ops = append(ops, zk.CheckOp(tree.ItemInstance(s.Number), s.Version))
		if c.Marked {
			ops = append(ops, zk.CreateOp(tree.ItemRunning(s.Number), []byte(c.view.ID), zk.Ephemeral))
		}
	}
	return ops
}

// withoutRefused removes a shard that can't be claimed now because it belongs to another instance
// or is running. A marker of this session belongs to a claim with a lost answer.
func (a *Activity) withoutRefused(ctx context.Context, v *view.View, all []view.Shard, cause error) ([]view.Shard, error) {
	tree, refused := a.nodes.Tree, zk.RefusedPath(cause)
	i := slices.IndexFunc(all, func(s view.Shard) bool {
		return refused == tree.ItemInstance(s.Number) || refused == tree.ItemRunning(s.Number)
	})
	if i < 0 {
		return all, cause
	}
	n := all[i].Number
	if refused != tree.ItemRunning(n) {
		a.outdated()
	} else if errors.Is(cause, zk.ErrNodeExists) {
		marker, there, err := a.ownMarker(ctx, n)
		if err != nil || !there { // A run has just ended.
			return all, err
		}
		if len(marker) > 0 {
			return all, zk.Ignore(a.nodes.Client.Multi(ctx, marker...), zk.ErrNoNode, zk.ErrBadVersion)
		}
		if err := a.resharding.ClearStale(ctx, []int{n}, v.Config.Failover); err != nil {
			return all, err
		}
		a.leaveAlone(n)
	}
	return slices.Delete(slices.Clone(all), i, i+1), nil
}

// outdated makes control compare the view with the tree, because the view is older.
func (a *Activity) outdated() {
	a.tree.Suspect()
	a.control()
}

// leaveAlone pauses a shard that another instance runs, because its marker isn't watched.
func (a *Activity) leaveAlone(n int) {
	a.mu.Lock()
	a.elsewhere[n] = a.host.Time().Add(pauseElsewhere)
	a.mu.Unlock()
	a.Kick() // So that the step knows when to look again.
}

func (a *Activity) runsElsewhere(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, until := a.host.Time(), a.elsewhere[n]
	return until.After(now) && until.Sub(now) <= pauseElsewhere // It's longer if the clock was set back.
}

// notePassed makes the next step check shards that were paused long enough.
func (a *Activity) notePassed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.host.Time()
	for n, until := range a.elsewhere {
		if !until.After(now) || until.Sub(now) > pauseElsewhere {
			delete(a.elsewhere, n)
			a.look = true
		}
	}
}

// lookAt returns when to check the paused shards again; zero if there are none.
func (a *Activity) lookAt() (next time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, until := range a.elsewhere {
		if next.IsZero() || until.Before(next) {
			next = until
		}
	}
	return next
}

// StillOwned reports whether the claimed shards had not been reassigned when they were claimed;
// otherwise control compares the view with the tree. The transaction can't check that, because a
// new owner's node looks like the old one's, including the version. The event of a change arrives
// before the answer to the claim.
func (c *Claim) StillOwned(ctx context.Context) bool {
	owned, err := c.stillOwned(ctx)
	if err != nil || !owned {
		c.activity.outdated()
	}
	return err == nil && owned
}

func (c *Claim) stillOwned(ctx context.Context) (bool, error) {
	if c.view.Rotation != nil {
		return true, nil // The transaction has checked its turn.
	}
	a := c.activity
	ctx, cancel := context.WithTimeout(zk.UnderSession(ctx, a.nodes.Client.Session()), c.view.Patience())
	defer cancel()
	for _, s := range c.Shards {
		if !a.tree.Touched(c.view, s.Number) {
			continue
		}
		owner, stat, err := a.nodes.Client.Get(ctx, a.nodes.Tree.ItemInstance(s.Number))
		if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
			return false, err
		}
		if string(owner) != c.view.ID || max(stat.Mzxid, c.view.Born) != s.Token {
			return false, nil
		}
	}
	return true, nil
}

func (c *Claim) Begin() {
	c.activity.mu.Lock()
	defer c.activity.mu.Unlock()
	c.began = true
}

// End drops the claim and makes the activity look for more.
func (c *Claim) End() {
	a := c.activity
	a.mu.Lock()
	delete(a.claims, c.nonce)
	if c.began {
		a.began[c.nonce] = true
	}
	if c.settled {
		delete(a.began, c.nonce)
	} else { // If a session seemed lost but wasn't, we looked for such claims while this one was known.
		a.changed = true
	}
	a.mu.Unlock()
	if c.settled && !c.waits {
		a.Ring()
	} else {
		a.Kick()
	}
}

// Due returns the time the run is for: its fire time if it has one.
func (c *Claim) Due() time.Time {
	if c.Record.Fire != 0 {
		return time.UnixMilli(c.Record.Fire)
	}
	return time.UnixMilli(c.Record.Due)
}

func (c *Claim) SetResult(shard int, r jobtree.RunResult) {
	c.valuesMu.Lock()
	defer c.valuesMu.Unlock()
	lazymap.Put(&c.values, shard, r)
}

func (c *Claim) Result(shard int) jobtree.RunResult {
	c.valuesMu.Lock()
	defer c.valuesMu.Unlock()
	return c.values[shard]
}
