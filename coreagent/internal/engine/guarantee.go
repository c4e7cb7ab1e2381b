package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Listeners that are told once per run of the whole job meet at two barriers,
// in the nodes and the order of ElasticJob's "distribute once" listeners:
//
//	settled view ▸ barrier started ▸ mark ▸ execute ▸ clear ▸ barrier completed
//
//	barrier: create guarantee/started/<own items>
//	         all there? ──yes──▶ latch ▸ still all there? ▸ tell ▸ delete the barrier
//	             └──no──▶ wait until the own nodes are gone, or the deadline
//
// What ElasticJob leaves open is decided here:
//
//   - Everybody who waits looks again at each change, so that the death of the
//     last to come holds nobody up.
//   - Start nodes are ephemeral: who dies does not count any more. Who waits to
//     start has marked nothing, so a resharding does not wait for it; it steps
//     back and comes again with the items it has then.
//   - Before the listener is told, the barrier says so, with the fire time and
//     the process. If that instance dies in the midst of it, the next one reports
//     it instead of telling twice; and whoever comes for a later fire time takes
//     what is left of an earlier one down first.
//   - Who waits for completion has nothing to do, and takes failed-over items
//     of a dead instance meanwhile; those complete the barrier.
//   - Runs that make up for missed fire times do not meet, nor do failover runs
//     before they start: their start was told already.

// onceTimeout is how long an instance waits for the others by default.
const onceTimeout = 10 * time.Minute

// guardPoll is how often who waits looks at the barrier without having been
// called, against lost watch events.
const guardPoll = 5 * time.Second

// lastComerGrace is how long who waits leaves the telling to who came last.
const lastComerGrace = time.Second

// errLeft says that the job stops serving on this instance.
var errLeft = errors.New("the job stops on this instance")

// meeting is how far a run has got with its start barriers. It outlives the
// run's beginning again.
type meeting struct {
	passed int       // listeners that have been told
	since  time.Time // when the wait for the next one began
	came   bool      // this instance was at that barrier already, and has stepped back
}

// barrier is one meeting of a job's instances.
type barrier struct {
	name     string // of the listener
	dir      string
	latch    string
	item     func(n int) string
	mode     zk.CreateMode
	starting bool
	limit    time.Duration
	tell     func(ctx context.Context) error
}

// state is what a look at a barrier says.
type state int

const (
	waiting  state = iota // somebody is missing
	complete              // everybody is there
	released              // the own nodes are gone: the listener has been told
)

func (j *Job) startBarrier(b *batch, l namedListener) barrier {
	return barrier{
		name: l.name, dir: j.tree.GuaranteeStarted(), latch: j.tree.GuaranteeStartedLatch(), item: j.tree.GuaranteeStartedItem,
		mode: zk.Ephemeral, starting: true, limit: limitOf(l.Once.Start),
		tell: func(ctx context.Context) error { return l.Before(ctx, j.told(b, nil)) },
	}
}

func (j *Job) endBarrier(b *batch, l namedListener, failures map[int]error) barrier {
	return barrier{
		name: l.name, dir: j.tree.GuaranteeCompleted(), latch: j.tree.GuaranteeCompletedLatch(), item: j.tree.GuaranteeCompletedItem,
		mode: zk.Persistent, limit: limitOf(l.Once.Complete),
		tell: func(ctx context.Context) error { return l.After(ctx, j.told(b, failures)) },
	}
}

func limitOf(d time.Duration) time.Duration {
	if d <= 0 {
		return onceTimeout
	}
	return d
}

// once are the listeners of a batch that are told once per run.
func (b *batch) once() []namedListener {
	if len(b.items) == 0 || b.source == tracing.SourceMisfire {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(b.listeners), func(l namedListener) bool { return l.Once == nil })
}

// beforeOnce meets the other instances before the batch is marked. errStale and
// errLeft say that it must not start now.
func (j *Job) beforeOnce(b *batch) error {
	if b.failover != nil {
		return nil
	}
	listeners := b.once()
	for b.meeting.passed < len(listeners) {
		if b.meeting.since.IsZero() {
			b.meeting.since = time.Now()
		}
		g := j.startBarrier(b, listeners[b.meeting.passed])
		err := j.meet(b, g, b.meeting.since.Add(g.limit))
		if errors.Is(err, errStale) || errors.Is(err, errLeft) {
			return err
		}
		if b.ctx.Err() != nil {
			return context.Cause(b.ctx)
		}
		*b.meeting = meeting{passed: b.meeting.passed + 1}
		if err != nil {
			if err := j.handle(b.ctx, fmt.Errorf("listener %s: started: %w", g.name, err)); err != nil {
				return err
			}
		}
	}
	return nil
}

// afterOnce meets them when the batch has completed. An interrupted batch has
// not.
func (j *Job) afterOnce(b *batch, failures map[int]error) error {
	session := j.env.Client.Session()
	if session.Epoch != b.epoch {
		return nil // What it has completed is offered to others again, and they tell.
	}
	for _, l := range b.once() {
		if b.ctx.Err() != nil {
			return nil
		}
		g := j.endBarrier(b, l, failures)
		var err error
		if b.failover != nil {
			err = j.pass(b, g)
		} else {
			j.awaitCompletion(true)
			err = j.meet(b, g, time.Now().Add(g.limit))
			j.awaitCompletion(false)
		}
		if err == nil || errors.Is(err, errLeft) || b.ctx.Err() != nil {
			continue
		}
		if err := j.handle(b.ctx, fmt.Errorf("listener %s: completed: %w", g.name, err)); err != nil {
			return err
		}
	}
	return nil
}

// awaitCompletion notes that the run does nothing but wait for others: failover
// items may be taken.
func (j *Job) awaitCompletion(is bool) {
	j.mu.Lock()
	j.queue.awaiting = is
	j.mu.Unlock()
	if is {
		j.kick()
	}
}

// meet brings the batch's items to a barrier and returns when it is released.
// An error is for the error handler, but for errStale and errLeft.
func (j *Job) meet(b *batch, g barrier, until time.Time) error {
	wait, cancel := context.WithDeadlineCause(b.ctx, until, errGuardTimeout)
	defer cancel()
	var c ceremony
	err := j.untilHeard(wait, func() error { return j.arrive(wait, b, g) })
	if err == nil {
		j.cache.WatchChildren(g.dir)
		defer j.cache.Forget(g.dir)
		j.kick()
		err = j.await(wait, b, g, &c)
	}
	if c.told {
		return c.problem
	}
	if wait.Err() == nil || b.ctx.Err() != nil {
		return err
	}
	// The deadline: the barrier is taken down for everybody, as in ElasticJob.
	ctx, cancel := context.WithTimeout(b.ctx, guardPoll)
	defer cancel()
	if err := j.takeDown(ctx, g); err != nil {
		j.log.Warn("a barrier could not be removed at its deadline", "path", g.dir, "err", err)
	}
	return &guardTimeoutError{g.limit}
}

var errGuardTimeout = errors.New("the others did not come in time")

// guardTimeoutError is what ElasticJob reports.
type guardTimeoutError struct{ limit time.Duration }

func (e *guardTimeoutError) Error() string {
	return fmt.Sprintf("Job timeout. timeout mills is %d.", e.limit.Milliseconds())
}

// untilHeard repeats fn while no server answers.
func (j *Job) untilHeard(ctx context.Context, fn func() error) error {
	for {
		_, changed := j.snapshot()
		err := fn()
		if err == nil || !zk.Retriable(err) || ctx.Err() != nil {
			return err
		}
		if err := doze(ctx, changed, guardPoll); err != nil {
			return err
		}
	}
}

// doze waits for a change, but not longer than long.
func doze(ctx context.Context, changed <-chan struct{}, long time.Duration) error {
	pause := time.NewTimer(long)
	defer pause.Stop()
	select {
	case <-changed:
	case <-pause.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// ceremony is what this instance did as the last to come.
type ceremony struct {
	told    bool  // the listener was called, or is not to be called any more
	problem error // what came of it
}

// await waits at a barrier until it is released.
func (j *Job) await(ctx context.Context, b *batch, g barrier, c *ceremony) error {
	var full time.Time // since when this instance, woken, has seen everybody there
	for first := true; ; first = false {
		v, changed := j.snapshot()
		leaves := j.stopsServing()
		s, err := j.look(ctx, b, g)
		pause := guardPoll
		switch {
		case err != nil || s != complete:
			full = time.Time{}
		case first || !full.IsZero() && time.Since(full) >= lastComerGrace:
			s, err = j.conclude(ctx, b, g, c)
		default: // Who came last is about to tell.
			if full.IsZero() {
				full = time.Now()
			}
			pause = lastComerGrace
		}
		if err == nil && s == released || c.told && leaves {
			return nil
		}
		why := error(nil)
		switch {
		case leaves:
			why = errLeft
		case g.starting && j.dealtAnew(b, v):
			why = errStale
		}
		switch {
		case err != nil && !zk.Retriable(err) && ctx.Err() == nil:
			return err
		case err == nil && why != nil && !g.starting:
			return why // What has completed counts for the others.
		case err == nil && why != nil && !c.told:
			if s, err := j.stepBack(ctx, b, g); err == nil && s != released {
				return why
			} else if err == nil {
				return nil
			}
		}
		if err := doze(ctx, changed, pause); err != nil {
			return err
		}
	}
}

func (j *Job) stopsServing() bool {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.phase != serving
}

// dealtAnew reports whether a run would have other items by now, or is about to.
func (j *Job) dealtAnew(b *batch, v *view) bool {
	if v == nil || !v.settled {
		return true
	}
	return !slices.EqualFunc(j.newBatch(v, b.request).items, b.items, func(now, then item) bool {
		return now.number == then.number && now.token == then.token
	})
}

// arrive makes the nodes of the batch's items.
func (j *Job) arrive(ctx context.Context, b *batch, g barrier) error {
	mark, stat, err := j.env.Client.Get(ctx, g.dir)
	again := g.starting && b.meeting.came
	switch {
	case err != nil || !isMark(mark) || again:
	case stat.NumChildren == 0:
		// Everybody of the round in which it was made is gone.
		err = j.env.Client.Delete(ctx, g.dir, stat.Version)
		err = zk.Ignore(zk.Ignore(err, zk.ErrNotEmpty), zk.ErrBadVersion)
	case toldFor(mark) < b.covers().UnixMilli():
		err = j.takeDown(ctx, g) // It was told, and who told it could not do that.
	}
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return err
	}
	b.meeting.came = g.starting
	return nodes.Each(ctx, len(b.items), func(ctx context.Context, i int) error {
		return j.standAt(ctx, g.item(b.items[i].number), g.mode)
	})
}

// standAt makes one node of a barrier. One that is there already is as good, if
// it lives as long.
func (j *Job) standAt(ctx context.Context, path string, mode zk.CreateMode) error {
	for {
		err := j.nodes.Create(ctx, path, nil, mode)
		if !errors.Is(err, zk.ErrNodeExists) || mode == zk.Persistent {
			return zk.Ignore(err, zk.ErrNodeExists)
		}
		stat, exists, err := j.env.Client.Exists(ctx, path)
		if err != nil || exists && stat.EphemeralOwner == j.env.Client.Session().ID {
			return err
		}
		// Its owner had the item before this instance.
		if err := zk.Ignore(j.env.Client.Delete(ctx, path, zk.AnyVersion), zk.ErrNoNode); err != nil {
			return err
		}
	}
}

// look reads who is there.
func (j *Job) look(ctx context.Context, b *batch, g barrier) (state, error) {
	names, err := j.nodes.Children(ctx, g.dir)
	if err := zk.Ignore(err, zk.ErrNoNode); err != nil {
		return waiting, err
	}
	present := make([]bool, b.view.config.Shards)
	count := 0
	for _, n := range jobtree.ItemNumbers(names) {
		if n < len(present) {
			present[n] = true
			count++
		}
	}
	for _, i := range b.items {
		if i.number >= len(present) || !present[i.number] {
			return released, nil
		}
	}
	if count == len(present) {
		return complete, nil
	}
	return waiting, nil
}

// conclude tells the listener and releases the barrier, if everybody is still
// there when it is this instance's turn.
func (j *Job) conclude(ctx context.Context, b *batch, g barrier, c *ceremony) (state, error) {
	result := waiting
	err := j.nodes.Latch(ctx, g.latch, func(ctx context.Context) error {
		s, err := j.look(ctx, b, g)
		if err != nil || s != complete {
			result = s
			return err
		}
		if err := j.announce(ctx, b, g, c); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(b.ctx, stepTimeout) // However long the listener took.
		defer cancel()
		if g.starting {
			// Who starts has completed the round before: what is left of it is
			// an instance's that died.
			if err := j.env.Client.DeleteAll(ctx, j.tree.GuaranteeCompleted()); err != nil {
				return err
			}
		}
		if err := j.takeDown(ctx, g); err != nil {
			return err
		}
		result = released
		return nil
	})
	return result, err
}

// announce writes that this instance tells the listener, and tells it.
func (j *Job) announce(ctx context.Context, b *batch, g barrier, c *ceremony) error {
	if c.told {
		return nil // Only the removal is to be made again.
	}
	data, stat, err := j.env.Client.Get(ctx, g.dir)
	if err != nil {
		return err
	}
	own := b.view.id + " " + strconv.FormatInt(b.covers().UnixMilli(), 10) + " " + j.nonce
	switch told := string(data); {
	case !isMark(data):
	case strings.HasSuffix(told, " "+j.nonce):
		// By this process: for its own items, or for those that it took over. Only
		// the removal is to be made, if the listener was called.
		if j.toldAt.Load() == stat.Mzxid {
			c.told = true
			return nil
		}
	default:
		id, _, _ := strings.Cut(told, " ")
		c.told, c.problem = true, fmt.Errorf("instance %s was lost while it was told; nobody is told again", id)
		return nil
	}
	marked, err := j.env.Client.Set(ctx, g.dir, []byte(own), stat.Version)
	if err != nil {
		return err
	}
	c.told = true
	j.toldAt.Store(marked.Mzxid)
	c.problem = j.contain(b.ctx, "listener "+g.name, g.tell)
	return nil
}

// isMark reports whether the data of a barrier says that its listener is told: it
// names an instance, and what follows belongs to the suffix for those who do not
// know it. Java leaves it empty.
func isMark(data []byte) bool { return jobtree.ValidateInstanceID(string(data)) == nil }

// toldFor is the fire time, in milliseconds, for which a mark says that the
// listener is told; the largest for a mark that does not say.
func toldFor(mark []byte) int64 {
	parts := strings.Fields(string(mark))
	if len(parts) != 3 {
		return math.MaxInt64
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return at
}

// takeDown removes a barrier: as one, so that nobody finds half of it.
func (j *Job) takeDown(ctx context.Context, g barrier) error {
	for {
		names, _, err := j.env.Client.Children(ctx, g.dir)
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		ops := make([]zk.Op, 0, len(names)+1)
		for _, name := range names {
			ops = append(ops, zk.DeleteOp(g.dir+"/"+name, zk.AnyVersion))
		}
		list := nodes.Chunks(nodes.Singly(append(ops, zk.DeleteOp(g.dir, zk.AnyVersion))))
		for _, chunk := range list {
			if err = j.env.Client.Multi(ctx, chunk...); err != nil {
				break
			}
		}
		if refused := (*zk.MultiError)(nil); errors.As(err, &refused) && errors.Is(err, zk.ErrNotEmpty) && refused.Op.Path != g.dir {
			// A stranger's nodes stand below one of the barrier's.
			if err := j.env.Client.DeleteAll(ctx, refused.Op.Path); err != nil {
				return err
			}
		}
		// Somebody came or went meanwhile: look again.
		if err == nil || !errors.Is(err, zk.ErrNoNode) && !errors.Is(err, zk.ErrNotEmpty) {
			return err
		}
	}
}

// stepBack takes the own items from a start barrier, unless it is released.
func (j *Job) stepBack(ctx context.Context, b *batch, g barrier) (state, error) {
	result := waiting
	err := j.nodes.Latch(ctx, g.latch, func(ctx context.Context) error {
		s, err := j.look(ctx, b, g)
		if result = s; err != nil || s == released {
			return err
		}
		session := j.env.Client.Session().ID
		return nodes.Each(ctx, len(b.items), func(ctx context.Context, i int) error {
			path := g.item(b.items[i].number)
			stat, exists, err := j.env.Client.Exists(ctx, path)
			if err != nil || !exists || stat.EphemeralOwner != session {
				return err
			}
			return zk.Ignore(j.env.Client.Delete(ctx, path, stat.Version), zk.ErrNoNode)
		})
	})
	return result, err
}

// pass counts items that were run as a failover as completed, and tells the
// listener if they were the last. It waits for nobody.
func (j *Job) pass(b *batch, g barrier) error {
	ctx, cancel := context.WithTimeout(b.ctx, stepTimeout)
	defer cancel()
	if err := j.untilHeard(ctx, func() error { return j.arrive(ctx, b, g) }); err != nil {
		return err
	}
	s, err := j.look(ctx, b, g)
	if err != nil || s != complete {
		return err
	}
	var c ceremony
	_, err = j.conclude(ctx, b, g, &c)
	if c.told {
		return c.problem
	}
	return err
}
