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
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Claim is the hold of this process on shards of a requested run.
type Claim struct {
	Record  jobtree.RunRecord
	Shards  []view.Shard
	Marked  bool  // the shards are marked running
	Refusal error // why no instance can run it with its parameters

	activity *Activity
	view     *view.View
	cancel   func(cause error) // ends the context of the handlers
	nonce    string
	path     string // of the record
	version  int32  // of the record as the claim wrote it
	settled  bool   // the end of its shards is written
	waits    bool   // shards of this instance were left to be claimed
	// doubtful is the end of the run by a transaction that wasn't answered.
	doubtful runs.Next

	// Guarded by Activity.mu.
	newest   *offered // the record as it was read since, nil if it wasn't
	notified bool     // its shards know that the run was cancelled
	outdated bool     // the record has to be read before it can be written
	began    bool     // its handlers

	valuesMu sync.Mutex
	values   map[int]jobtree.RunResult // by shard
}

// mostClaimed is how many shards of a run one transaction claims; more follow when these have
// ended.
const mostClaimed = 2000

// lookAgain is how long a shard that another instance runs is left alone.
const lookAgain = time.Second

func (a *Activity) newClaim(v *view.View, path string, cancel func(error)) *Claim {
	return &Claim{activity: a, view: v, nonce: runs.NewID(a.host.Time()), path: path, cancel: cancel}
}

// by is how the record writes the claim.
func (c *Claim) by(session zk.Session) jobtree.RunClaim {
	return jobtree.RunClaim{Instance: c.view.ID, Session: steward.SessionName(session.ID), Nonce: c.nonce, At: c.activity.host.Time().UnixMilli()}
}

func (c *Claim) numbers() []int { return view.Numbers(c.Shards) }

// Claimable lists the shards of a view that may be claimed of the run that each takes part in.
func (a *Activity) Claimable(v *view.View) []view.Shard {
	return slices.DeleteFunc(slices.Clone(v.Shards), func(s view.Shard) bool {
		return !s.Runnable() || a.runsElsewhere(s.Number) || a.tree.Touched(v, s.Number)
	})
}

// Claim claims those of the shards that wait in the record of the run that each shard takes part
// in, nil if there are none. Cancel ends the context of their handlers.
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
			offer, err = made.offered(ctx)
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
		var suits bool
		if suits, made.Refusal, err = a.suits(ctx, record.RunRequest); err != nil || !suits {
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
			a.noteClaimed(made)
			return made, nil
		}
		refused := (*zk.MultiError)(nil)
		switch {
		case !errors.As(err, &refused):
			a.doubt()
		case strings.HasPrefix(refused.Op.Path, made.path):
			err = nodes.GiveWay(ctx, writers(len(a.instances()), tries))
		default:
			shards, err = a.withoutRefused(ctx, v, shards, refused, err)
		}
		if err != nil {
			return nil, err
		}
	}
}

// lastClaim is the last claim of this process in the run that each shard takes part in.
type lastClaim struct {
	life    string // of the record
	version int32  // that the claim has written
	shards  []int
}

func (a *Activity) noteClaimed(c *Claim) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = lastClaim{c.Record.Life, c.version, c.numbers()}
}

// OffersClaimed reports whether the record on offer was read before the last claim, and has
// nothing for this instance but what that claim took: the bell was rung again while the claim was
// on its way. The offer is withdrawn then. If one of the shards waits again since, the bell was
// rung for it, and made another offer or will make one.
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

// writers is the number of writers to which a refused one gives way. If they are few, one succeeds at
// each try, so it need not wait at first.
func writers(instances, tries int) int {
	if instances <= fewWriters && tries == 0 {
		return 0
	}
	return instances
}

const fewWriters = 8

// offered reads the record of the run that each shard takes part in; nil if there is none.
func (c *Claim) offered(ctx context.Context) (*offered, error) {
	data, stat, err := c.activity.nodes.Client.Get(ctx, c.path)
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	record, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return nil, nil // The steward logs it.
	}
	return &offered{record, stat.Version}, nil
}

// adopt notes a claim, so that this process knows its record.
func (a *Activity) adopt(c *Claim) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.claims[c.nonce] = c
}

// abandon forgets a claim that was not made, or that wasn't answered.
func (a *Activity) abandon(c *Claim) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.claims, c.nonce)
}

// doubt has the next step look at all records: a claim may have been made although no answer came.
func (a *Activity) doubt() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.changed = true
}

// ops make sure that the shards are this instance's, and mark them running.
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

// withoutRefused leaves out a shard that can't be claimed now: it is another instance's, or runs. A
// marker of this session belongs to a claim whose answer was lost.
func (a *Activity) withoutRefused(ctx context.Context, v *view.View, all []view.Shard, refused *zk.MultiError, cause error) ([]view.Shard, error) {
	tree := a.nodes.Tree
	i := slices.IndexFunc(all, func(s view.Shard) bool {
		return refused.Op.Path == tree.ItemInstance(s.Number) || refused.Op.Path == tree.ItemRunning(s.Number)
	})
	if i < 0 {
		return all, cause
	}
	n := all[i].Number
	if refused.Op.Path != tree.ItemRunning(n) {
		a.outdated()
	} else if errors.Is(cause, zk.ErrNodeExists) {
		marker, there, err := a.ownMarker(ctx, n)
		if err != nil || !there { // A run has just ended.
			return all, err
		}
		if len(marker) > 0 {
			return all, zk.Ignore(zk.Ignore(a.nodes.Client.Multi(ctx, marker...), zk.ErrNoNode), zk.ErrBadVersion)
		}
		if err := a.resharding.ClearStale(ctx, []int{n}, v.Config.Failover); err != nil {
			return all, err
		}
		a.leaveAlone(n)
	}
	return slices.Delete(slices.Clone(all), i, i+1), nil
}

// outdated has control compare the view with the tree, because the view is older.
func (a *Activity) outdated() {
	a.tree.Suspect()
	a.control()
}

// leaveAlone has a shard left alone for a while: another instance runs it, and its marker isn't
// watched.
func (a *Activity) leaveAlone(n int) {
	a.mu.Lock()
	a.elsewhere[n] = a.host.Time().Add(lookAgain)
	a.mu.Unlock()
	a.Kick() // So that the step knows when to look.
}

// runsElsewhere reports whether a shard has to be left alone.
func (a *Activity) runsElsewhere(n int) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	now, until := a.host.Time(), a.elsewhere[n]
	return until.After(now) && until.Sub(now) <= lookAgain // Longer if the clock was set back.
}

// notePassed has the next step look again at shards that were left alone long enough.
func (a *Activity) notePassed() {
	a.mu.Lock()
	defer a.mu.Unlock()
	now := a.host.Time()
	for n, until := range a.elsewhere {
		if !until.After(now) || until.Sub(now) > lookAgain {
			delete(a.elsewhere, n)
			a.look = true
		}
	}
}

// lookAt is when to look again at the shards that are left alone; zero for never.
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

// StillOwned reports whether the claimed shards were assigned as the view shows when they were
// claimed; otherwise the view is compared with the tree. The transaction can't check that: a new
// owner's node looks like the old one's, version and all. The event of a change has come before
// the answer to the claim.
func (c *Claim) StillOwned(ctx context.Context) bool {
	owned, err := c.stillOwned(ctx)
	if err != nil || !owned {
		c.activity.outdated()
	}
	return err == nil && owned
}

func (c *Claim) stillOwned(ctx context.Context) (bool, error) {
	if c.view.Rotation != nil {
		return true, nil // Its turn was checked in the transaction.
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

// Begin notes that the handlers begin.
func (c *Claim) Begin() {
	c.activity.mu.Lock()
	defer c.activity.mu.Unlock()
	c.began = true
}

// End forgets the claim, and has the activity look for more.
func (c *Claim) End() {
	a := c.activity
	a.mu.Lock()
	delete(a.claims, c.nonce)
	if c.began {
		a.began[c.nonce] = true
	}
	if c.settled {
		delete(a.began, c.nonce)
	} else { // Under a session that was lost and lived on, such claims were looked for while this one was known.
		a.changed = true
	}
	a.mu.Unlock()
	if c.settled && !c.waits {
		a.Ring()
	} else {
		a.Kick()
	}
}

// Due is the time for which the run is: its fire time if it has one.
func (c *Claim) Due() time.Time {
	if c.Record.Fire != 0 {
		return time.UnixMilli(c.Record.Fire)
	}
	return time.UnixMilli(c.Record.Due)
}

// SetResult keeps the result of a shard.
func (c *Claim) SetResult(shard int, r jobtree.RunResult) {
	c.valuesMu.Lock()
	defer c.valuesMu.Unlock()
	if c.values == nil {
		c.values = make(map[int]jobtree.RunResult)
	}
	c.values[shard] = r
}

// Result is the result of a shard.
func (c *Claim) Result(shard int) jobtree.RunResult {
	c.valuesMu.Lock()
	defer c.valuesMu.Unlock()
	return c.values[shard]
}
