package engine

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/steward"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// claim is the hold of a batch on shards of a requested run.
type claim struct {
	batch    *batch
	nonce    string
	path     string // of the record
	record   jobtree.RunRecord
	version  int32    // of the record as the claim wrote it
	newest   *offered // the record as it was read since; nil if it was not; guarded by Job.mu
	notified bool     // its shards know that the run was cancelled; guarded by Job.mu
	outdated bool     // the record has to be read before it can be written; guarded by Job.mu
	began    bool     // its handlers
	settled  bool     // how they ended is written
	waits    bool     // shards of this instance were left to be claimed
	values   values
	// doubtful is what the run became by a transaction of which no answer came.
	doubtful runs.Next
	refusal  error // why nobody can run the run with its parameters
}

// mostClaimed is how many shards of a run one transaction claims; more follow when
// these have ended.
const mostClaimed = 2000

// lookAgain is how long a shard that somebody else runs is left alone.
const lookAgain = time.Second

func (r *requested) newClaim(b *batch, path string) *claim {
	j := r.j
	return &claim{batch: b, nonce: runs.NewID(j.env.Time()), path: path}
}

// by is how the record writes the claim.
func (c *claim) by(j *Job, session zk.Session) jobtree.RunClaim {
	return jobtree.RunClaim{Instance: c.batch.view.ID, Session: steward.SessionName(session.ID), Nonce: c.nonce, At: j.env.Time().UnixMilli()}
}

// runEach claims what waits of the run that each shard takes part in, and runs it.
func (r *requested) runEach(wanted request) error {
	j, claimed := r.j, false
	if r.offersClaimed() {
		return nil
	}
	defer func() {
		if !claimed { // What waits may still wait.
			r.lookLater()
		}
	}()
	v, err := j.awaitSettled(false)
	if errors.Is(err, host.ErrStopping) || errors.Is(err, host.ErrShutdown) {
		return nil
	}
	if err != nil || !v.Enabled {
		return err
	}
	b := &batch{job: j, request: wanted, view: v, epoch: v.Epoch, turn: jobtree.NewTurn()}
	for _, s := range v.Shards {
		if s.Runnable() && !r.runsElsewhere(s.Number) && !b.touched(s.Number) {
			b.shards = append(b.shards, s)
		}
	}
	if err := b.equip(); err != nil {
		return err
	}
	b.ctx, b.cancel = context.WithCancelCause(j.env.Life)
	defer b.cancel(nil)
	if len(b.shards) == 0 || !b.beginExecution() {
		return nil
	}
	defer b.endExecution()
	j.mu.Lock()
	elsewhere, _ := j.queue.occupy(b)
	j.mu.Unlock()
	b.retain(func(k int) bool { return !elsewhere[k] })
	claimed, err = b.claimNumbered()
	if zk.Retriable(err) {
		r.kick()
		return nil
	}
	if err != nil || !claimed {
		return err
	}
	return b.performClaim()
}

// performClaim runs a batch whose shards are claimed.
func (b *batch) performClaim() (err error) {
	j, c := b.job, b.claim
	defer func() {
		j.mu.Lock()
		delete(j.requested.claims, c.nonce)
		if c.began {
			j.requested.began[c.nonce] = true
		}
		if c.settled {
			delete(j.requested.began, c.nonce)
		} else { // Under a session that was lost and lived on, such claims were looked for while this one was known.
			j.requested.changed = true
		}
		j.mu.Unlock()
		if c.settled && !c.waits {
			j.requested.ring()
		} else {
			j.requested.kick()
		}
	}()
	if !j.present(b.view) {
		return nil // The session may be lost: the claim is looked at under the next one.
	}
	if owns, err := b.stillOwns(); err != nil || !owns {
		j.cache.Suspect()
		j.kick()
		b.settleAll(runs.Result{Stopped: true})
		return nil
	}
	j.mu.Lock()
	c.began = true
	j.mu.Unlock()
	b.at = dueOf(c.record)
	if b.params, err = jobconfig.ParseItemParameters(b.view.Config.ItemParameters); err != nil {
		b.settleAll(runs.Result{Err: err.Error()})
		return err
	}
	b.taskID = jobtree.TaskID(j.Name(), b.numbers(), b.view.ID, b.turn)
	if c.refusal != nil {
		b.settleAll(runs.Result{Err: c.refusal.Error(), Permanent: true})
		return nil
	}
	return b.perform()
}

// claimWaiting claims those of the batch's shards that wait in the record of the run
// that each shard takes part in; the batch has only those then. It reports false if
// there are none.
func (b *batch) claimWaiting() (bool, error) {
	j := b.job
	ctx, cancel := context.WithTimeout(b.ctx, b.view.Patience())
	defer cancel()
	session := j.env.Client.Session()
	ctx = zk.UnderSession(ctx, session)
	c := j.requested.newClaim(b, j.tree.RunsActiveAll())
	all := b.shards
	j.mu.Lock()
	offer := j.requested.offer
	j.requested.offer = nil
	j.mu.Unlock()
	for tries := 0; ; tries++ {
		var err error
		if offer == nil {
			offer, err = c.offered(ctx)
		}
		if err != nil || offer == nil || session.Epoch != b.epoch {
			return false, err
		}
		record, version := offer.record, offer.version
		offer = nil
		b.shards = slices.DeleteFunc(slices.Clone(all), func(s view.Shard) bool { return !record.Waiting.Has(s.Number) })
		b.shards = b.shards[:min(len(b.shards), mostClaimed)]
		if len(b.shards) == 0 {
			return false, nil
		}
		suits, refusal, err := j.requested.suits(ctx, record.RunRequest)
		if err != nil || !suits {
			return false, err
		}
		c.refusal = refusal
		c.record, c.version = runs.Claim(record, b.numbers(), c.by(j, session)), version+1
		written, err := c.record.Encode()
		if err != nil {
			return false, err
		}
		j.requested.adopt(c)
		err = j.env.Client.Multi(ctx, append(b.claimOps(), j.requested.store.Same(c.path, record.Life), zk.SetOp(c.path, written, version))...)
		if err == nil {
			j.requested.noteClaimed(c)
			return true, nil
		}
		refused := (*zk.MultiError)(nil)
		if !errors.As(err, &refused) {
			j.requested.abandon(c)
			j.requested.doubt()
			return false, err
		}
		if strings.HasPrefix(refused.Op.Path, c.path) {
			if err := nodes.GiveWay(ctx, crowd(len(j.requested.instances()), tries)); err != nil {
				j.requested.abandon(c)
				return false, err
			}
			continue
		}
		if all, err = b.withoutRefused(ctx, all, refused, err); err != nil {
			j.requested.abandon(c)
			return false, err
		}
	}
}

// lastClaim is what this process has claimed last of the run that each shard takes part in.
type lastClaim struct {
	life    string // of the record
	version int32  // that the claim has written
	shards  []int
}

func (r *requested) noteClaimed(c *claim) {
	r.j.mu.Lock()
	defer r.j.mu.Unlock()
	r.last = lastClaim{c.record.Life, c.version, c.batch.numbers()}
}

// offersClaimed reports whether the record on offer was read before the last claim, and
// has nothing for this instance but what that claim took: the bell was rung again while
// the claim was on its way. The offer is withdrawn then. If one of the shards waits again
// since, the bell was rung for it, and made another offer or will make one.
func (r *requested) offersClaimed() bool {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	if r.offer == nil || j.view == nil || r.offer.record.Life != r.last.life || r.offer.version >= r.last.version {
		return false
	}
	if slices.ContainsFunc(j.view.Shards, func(s view.Shard) bool {
		return r.offer.record.Waiting.Has(s.Number) && !slices.Contains(r.last.shards, s.Number)
	}) {
		return false
	}
	r.offer = nil
	return true
}

// crowd is how many writers one that was refused gives way to. Of a few, one succeeds at
// each try, so that it need not wait at first.
func crowd(writers, tries int) int {
	if writers <= fewWriters && tries == 0 {
		return 0
	}
	return writers
}

const fewWriters = 8

// offered reads the record of the run that each shard takes part in; nil if there is none.
func (c *claim) offered(ctx context.Context) (*offered, error) {
	data, stat, err := c.batch.job.env.Client.Get(ctx, c.path)
	if err != nil {
		return nil, zk.Ignore(err, zk.ErrNoNode)
	}
	record, err := jobtree.DecodeRunRecord(data)
	if err != nil {
		return nil, nil // The steward tells of it.
	}
	return &offered{record, stat.Version}, nil
}

// adopt notes a claim, so that its record is known for this process's.
func (r *requested) adopt(c *claim) {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	c.batch.claim = c
	r.claims[c.nonce] = c
}

// abandon forgets a claim that was not made, or of which no answer came.
func (r *requested) abandon(c *claim) {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	c.batch.claim = nil
	delete(r.claims, c.nonce)
}

// doubt has the next step look at all records: a claim may have been made although no
// answer came.
func (r *requested) doubt() {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	r.changed = true
}

// claimOps make sure that the batch's shards are this instance's, and mark them running.
func (b *batch) claimOps() []zk.Op {
	j := b.job
	b.marked = b.view.Config.MonitorExecution
	ops := append(make([]zk.Op, 0, 2*len(b.shards)+2), b.rotationGuard()...)
	for _, s := range b.shards {
		ops = append(ops, zk.CheckOp(j.tree.ItemInstance(s.Number), s.Version))
		if b.marked {
			ops = append(ops, zk.CreateOp(j.tree.ItemRunning(s.Number), []byte(b.view.ID), zk.Ephemeral))
		}
	}
	return ops
}

// withoutRefused leaves out a shard that cannot be claimed now: it is another
// instance's, or runs. A marker of this session is one of a claim whose answer was lost.
func (b *batch) withoutRefused(ctx context.Context, all []view.Shard, refused *zk.MultiError, cause error) ([]view.Shard, error) {
	j := b.job
	i := slices.IndexFunc(all, func(s view.Shard) bool {
		return refused.Op.Path == j.tree.ItemInstance(s.Number) || refused.Op.Path == j.tree.ItemRunning(s.Number)
	})
	if i < 0 {
		return all, cause
	}
	n := all[i].Number
	if refused.Op.Path != j.tree.ItemRunning(n) {
		j.cache.Suspect() // The view is older than the tree.
		j.kick()
	} else if errors.Is(cause, zk.ErrNodeExists) {
		marker, there, err := j.requested.ownMarker(ctx, n)
		if err != nil || !there { // That of a run which has just ended.
			return all, err
		}
		if len(marker) > 0 {
			return all, zk.Ignore(zk.Ignore(j.env.Client.Multi(ctx, marker...), zk.ErrNoNode), zk.ErrBadVersion)
		}
		if err := j.resharding.ClearStale(ctx, []int{n}, b.view.Config.Failover); err != nil {
			return all, err
		}
		j.requested.leaveAlone(n)
	}
	return slices.Delete(slices.Clone(all), i, i+1), nil
}

// leaveAlone has a shard left alone for a while: somebody else runs it, and its marker is
// not watched.
func (r *requested) leaveAlone(n int) {
	j := r.j
	j.mu.Lock()
	r.elsewhere[n] = j.env.Time().Add(lookAgain)
	j.mu.Unlock()
	r.kick() // So that the step knows when to look.
}

// runsElsewhere reports whether a shard is to be left alone.
func (r *requested) runsElsewhere(n int) bool {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	now, until := j.env.Time(), r.elsewhere[n]
	return until.After(now) && until.Sub(now) <= lookAgain // Longer if the clock was set back.
}

// notePassed has it looked again at shards that were left alone long enough.
func (r *requested) notePassed() {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	now := j.env.Time()
	for n, until := range r.elsewhere {
		if !until.After(now) || until.Sub(now) > lookAgain {
			delete(r.elsewhere, n)
			r.look = true
		}
	}
}

// lookAt is when to look again at the shards that are left alone; zero for never.
func (r *requested) lookAt() (next time.Time) {
	j := r.j
	j.mu.Lock()
	defer j.mu.Unlock()
	for _, until := range r.elsewhere {
		if next.IsZero() || until.Before(next) {
			next = until
		}
	}
	return next
}
