package fleetsim_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// requestedJob is the name of the job with requested runs.
const requestedJob = "wanted"

// poison is the note of a run with handlers that kill their process.
const poison = "poison"

// requestPlan is an extra job with requested runs, and how they're requested. It has its own random
// stream, so the seed's other events don't depend on it.
type requestPlan struct {
	random *rand.Rand
	job    *jobPlan
	pace   time.Duration // between two requests, at most
	unit   time.Duration // the unit of other durations: a second, or its equivalent in a fleet of hours
	lost   float64       // share of the submitter's requests that are lost, or lose their reply
	poison bool          // one run kills every process that runs it
	batch  time.Duration // how long records are collected; 0 if nothing is recorded
	rows   *judge.Database
}

// overlaps are drawn from, most often the default.
var overlaps = []coreagent.Overlap{coreagent.OverlapQueue, coreagent.OverlapQueue, coreagent.OverlapQueue, coreagent.OverlapOne, coreagent.OverlapSkip, coreagent.OverlapCancel}

// newRequestPlan draws a plan, or nil if no runs are requested.
func newRequestPlan(seed uint64) *requestPlan {
	random := rand.New(rand.NewPCG(seed, 0x16))
	if !chance(random, 40) {
		return nil
	}
	j := &jobPlan{clumsy: chance(random, 30), deaf: chance(random, 5), longest: pick(random, 400*time.Millisecond, 1500*time.Millisecond, 4*time.Second)}
	keep := pick(random, 5, 1000, 1000)
	j.job = coreagent.Job{
		Name: requestedJob, Schedule: coreagent.Schedule{Zone: "GMT"}, Shards: 1 + random.IntN(5), Failover: chance(random, 50),
		ReconcileInterval: time.Minute, Requests: coreagent.Requests{Keep: keep, Assign: pick(random, coreagent.AssignEach, coreagent.AssignOne), Lost: pick(random, coreagent.LostAgain, coreagent.LostAgain, coreagent.LostAgain, coreagent.LostFail)},
		Retry: coreagent.Retry{Retries: random.IntN(4), Backoff: pick(random, 0, 500*time.Millisecond, 3*time.Second)},
	}
	j.job.Requests.Overlap = pick(random, overlaps...)
	if j.job.Requests.Assign == coreagent.AssignEach {
		switch random.IntN(8) {
		case 0, 1, 2:
			j.period = pick(random, 10*time.Second, 20*time.Second)
			j.job.Schedule.Cron, j.longest = crons[j.period], min(j.longest, j.period/4)
		case 3:
			j.job.Unmonitored, j.job.Failover = true, false
		}
	}
	r := &requestPlan{random: random, job: j, unit: time.Second, pace: pick(random, time.Second, 3*time.Second, 8*time.Second), lost: pick(random, 0, 0.02, 0.1), poison: chance(random, 25)}
	j.limit(seed)
	r.rows = r.newDatabase(seed)
	return r
}

// limit makes some handlers of some fleets end by a timeout.
func (j *jobPlan) limit(seed uint64) {
	if random := rand.New(rand.NewPCG(seed, 0x18)); !replayed(seed) && chance(random, 40) {
		j.job.Timeout = (j.longest / time.Duration(1+random.IntN(8))).Truncate(time.Millisecond) + 10*time.Millisecond
	}
}

// judged returns the parts of the plan that the checker needs.
func (r *requestPlan) judged() *judge.Requests {
	job := r.job.job
	return &judge.Requests{
		One: job.Requests.Assign == coreagent.AssignOne, Retries: job.Retry.Retries, Backoff: job.Retry.Backoff,
		LostFails: job.Requests.Lost == coreagent.LostFail, Keep: job.Requests.Keep, Database: r.rows,
	}
}

// requester requests runs, cancels them, starts them early, and holds, releases and edits the job
// during the faults. The zero value and nil do nothing.
type requester struct {
	world  *world
	plan   *requestPlan
	client *zk.Client
	store  runs.Store
	lossy  atomic.Bool
	orphan atomic.Int32 // processes killed by a poisonous run, to be started again

	life   context.Context
	cancel context.CancelFunc
	tasks  sync.WaitGroup

	random *rand.Rand // of the loop
	count  int
	mu     sync.Mutex
	ids    []string // of the answered requests
}

// beginRequests begins to request runs if the plan has any.
func (w *world) beginRequests() *requester {
	if w.plan.requests == nil {
		return nil
	}
	client, err := zk.Connect(w.life, zk.Config{
		Servers: []string{"zookeeper:2181"}, SessionTimeout: 10 * time.Second, Dial: w.srv.Dial, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		w.fail("connect the submitter: %v", err)
		return nil
	}
	q := &requester{
		world: w, plan: w.plan.requests, client: client, random: w.plan.requests.random,
		store: runs.Store{Client: client, Tree: namespace().Job(requestedJob), Now: time.Now},
	}
	q.life, q.cancel = context.WithCancel(w.life)
	q.lossy.Store(true)
	q.tasks.Go(func() {
		for q.sleep(q.upTo(q.plan.pace)) {
			q.act()
		}
	})
	return q
}

func (q *requester) upTo(d time.Duration) time.Duration {
	return time.Duration(q.random.Int64N(int64(d))) + time.Millisecond
}

// sleep waits. It returns false if the requests must end.
func (q *requester) sleep(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-q.life.Done():
		return false
	case <-q.world.healing:
		return false
	}
}

// fault loses requests of the submitter, or their replies.
func (q *requester) fault(r zkfake.Request) zkfake.Fault {
	if q == nil || !q.lossy.Load() || r.Session != q.client.Session().ID || r.Op == "ping" {
		return zkfake.None
	}
	switch roll := q.world.traffic.roll(8, r.Conn, r.Seq); {
	case roll < q.plan.lost/2:
		return zkfake.LoseReply
	case roll < q.plan.lost:
		return zkfake.LoseRequest
	}
	return zkfake.None
}

func (q *requester) act() {
	switch n := q.random.IntN(40); {
	case n < 28:
		q.submit(q.draw())
	case n < 32:
		q.command(true)
	case n == 32:
		q.command(false)
	case n < 35:
		q.hold(q.upTo(15 * q.plan.unit))
	case n == 35:
		q.edit()
	case n < 38:
		q.submit(q.draw())
	default:
		for range 3 + q.random.IntN(8) { // more than there are places
			q.submit(q.draw())
		}
	}
}

// draw draws a request. Keys are reused, sometimes with other parameters.
func (q *requester) draw() jobrun.Request {
	q.count++
	random := q.random
	r := jobrun.Request{
		Note: fmt.Sprintf("request %d", q.count), Manual: chance(random, 15), Params: json.RawMessage(`{"n":1}`),
		KeyFor: pick(random, 0, -1, 5*q.plan.unit, 60*q.plan.unit),
	}
	if chance(random, 40) {
		r.Delay = q.upTo(pick(random, q.plan.unit, 10*q.plan.unit))
	}
	switch random.IntN(30) {
	case 0:
		r.Delay = 3600 * q.plan.unit
	case 1:
		r.Params = json.RawMessage(`{"n":2}`)
	case 2, 3, 4:
		r.Expiry = q.plan.unit + q.upTo(4*q.plan.unit)
	case 5, 6, 7, 8:
		r.Overlap = pick(random, jobrun.OverlapQueue, jobrun.OverlapOne, jobrun.OverlapSkip, jobrun.OverlapCancel)
	}
	if chance(random, 35) {
		r.Key = fmt.Sprintf("key %d", random.IntN(6))
	}
	if q.plan.job.job.Requests.Assign == coreagent.AssignEach && chance(random, 25) {
		r.Shards = []int{random.IntN(q.plan.job.job.Shards)}
		if other := random.IntN(q.plan.job.job.Shards); other != r.Shards[0] {
			r.Shards = append(r.Shards, other)
		}
	}
	if q.plan.poison && chance(random, 20) {
		q.plan.poison = false
		r.Note, r.Key, r.Delay, r.Overlap = poison, "", 0, jobrun.OverlapQueue
	}
	return r
}

// submit requests a run through the submitter's client or an agent's.
func (q *requester) submit(r jobrun.Request) {
	w := q.world
	wanted := &judge.Wanted{Note: r.Note, Key: r.Key, KeyFor: r.KeyFor, Asked: time.Now(), Delay: r.Delay}
	agent := q.agent()
	limit := q.upTo(8 * time.Second)
	w.history.Want(requestedJob, wanted)
	w.note(requestedJob, "submitter", "asks for %s: %+v", r.Note, r)
	q.tasks.Go(func() {
		ctx, cancel := context.WithTimeout(w.life, limit)
		defer cancel()
		var ticket jobrun.Ticket
		var err error
		if agent == nil {
			ticket, err = q.store.Submit(ctx, r)
		} else {
			var t coreagent.Ticket
			t, err = agent.Submit(ctx, requestedJob, r.Params, coreagent.RunOptions{
				Delay: r.Delay, Shards: r.Shards, Key: r.Key, KeyFor: r.KeyFor, Overlap: r.Overlap, Expiry: r.Expiry, Manual: r.Manual, Note: r.Note,
			})
			ticket = t
		}
		w.note(requestedJob, "submitter", "has the answer to %s: %+v, %v", r.Note, ticket, err)
		if err != nil {
			q.expect("submits a run", err)
			return
		}
		w.history.Answer(wanted, ticket, time.Now())
		q.mu.Lock()
		defer q.mu.Unlock()
		q.ids = append(q.ids, ticket.ID)
	})
}

// agent picks an agent for a request, or nil for the submitter's own client.
func (q *requester) agent() *coreagent.Agent {
	if chance(q.random, 60) {
		return nil
	}
	w := q.world
	w.mu.Lock()
	defer w.mu.Unlock()
	p := w.processes[q.random.IntN(len(w.processes))]
	if !p.serving() {
		return nil
	}
	return p.agent
}

// expect fails the seed if the faults don't explain an error.
func (q *requester) expect(what string, err error) {
	for _, known := range []error{
		jobrun.ErrKeyInUse, jobrun.ErrOptions, jobrun.ErrUnknownRun, jobrun.ErrRunEnded, jobrun.ErrNotScheduled, jobrun.ErrHeld, jobrun.ErrNotGo,
		coreagent.ErrNotStarted, coreagent.ErrAgentClosed, zk.ErrClosed,
	} {
		if errors.Is(err, known) {
			return
		}
	}
	if !expected(err) {
		q.world.fail("the submitter %s: %v", what, err)
	}
}

// command cancels an answered run, mostly one of the last ones, or starts it at once.
func (q *requester) command(cancels bool) {
	q.mu.Lock()
	ids := slices.Clone(q.ids)
	q.mu.Unlock()
	if len(ids) == 0 {
		return
	}
	id := ids[q.random.IntN(len(ids))]
	if chance(q.random, 70) {
		id = ids[max(0, len(ids)-1-q.random.IntN(3))]
	}
	command := &judge.Command{ID: id, Cancel: cancels, Asked: time.Now()}
	q.world.history.Command(requestedJob, command)
	q.tasks.Go(func() {
		ctx, cancel := context.WithTimeout(q.world.life, 8*time.Second)
		defer cancel()
		var state jobrun.State
		var err error
		if cancels {
			state, err = q.store.Cancel(ctx, id, jobtree.RunCancel{By: "root", Reason: "simulated"})
		} else {
			err = q.store.Start(ctx, id)
		}
		q.world.note(requestedJob, "submitter", "cancel %v of run %s since %s: %s, %v", cancels, id, command.Asked.Format("05.000"), state, err)
		if q.expect("has a run begin or end", err); err == nil {
			q.world.history.Obeyed(command, state, time.Now())
		}
	})
}

func (q *requester) hold(d time.Duration) {
	what := jobrun.HeldRequests
	q.tasks.Go(func() {
		ctx, cancel := context.WithTimeout(q.world.life, 8*time.Second)
		defer cancel()
		q.world.note(requestedJob, "submitter", "holds %s for %v", what, d)
		q.expect("holds the job", q.store.Hold(ctx, jobtree.Hold{What: what, By: "root"}))
		if q.sleep(d) {
			ctx, cancel := context.WithTimeout(q.world.life, 8*time.Second)
			defer cancel()
			q.expect("releases the job", q.store.Release(ctx))
		}
	})
}

// edit changes the number of shards, or disables and enables one.
func (q *requester) edit() {
	w := q.world
	op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
	ctx, job, shards := w.life, requestedJob, 1+q.random.IntN(6)
	shard := q.random.IntN(max(1, w.tree.settings(job).Items))
	kind, timeout := q.random.IntN(3), time.Duration(0)
	if limit := q.plan.job.job.Timeout; limit > 0 && q.random.IntN(3) == 0 {
		kind, timeout = 3, limit/2+q.upTo(2*limit).Truncate(time.Millisecond)
	}
	w.disturb(reconnection)
	q.tasks.Go(func() {
		var err error
		switch kind {
		case 0:
			err = w.resize(ctx, op, shards)
		case 1:
			err = op.DisableShard(ctx, job, shard)
		case 2:
			err = op.EnableShard(ctx, job, shard)
		case 3:
			err = w.reconfigure(ctx, op, job, func(c *jobconfig.Config) { c.Props = withTimeout(c.Props, timeout) })
		}
		q.expect("edits the job", err)
	})
}

// withTimeout stores another timeout among the properties of a job.
func withTimeout(props map[string]string, d time.Duration) map[string]string {
	props = maps.Clone(props)
	if props == nil {
		props = make(map[string]string)
	}
	props[runs.PropTimeout] = d.Truncate(time.Millisecond).String()
	return props
}
