package failover

import (
	"log/slog"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Job is the job of a Failover. Its methods are called from any goroutine.
type Job interface {
	ID() string
	// Runs reports whether a run of this process, begun under the current session, holds a shard,
	// and whether that run has claimed it as a failover.
	Runs(shard int) (runs, claimed bool)
	// Missed returns the newest fire time in (after, until] by the current schedule, or zero if
	// there is none. scheduled is false if the job has no schedule.
	Missed(after, until time.Time) (newest time.Time, scheduled bool)
	// Rotates reports whether the job's only shard rotates. Then its record names a begun run only
	// if it's a trigger, or a fire time after one without a run.
	Rotates() bool
	// OnlyAgents reports whether every instance of the job is an agent that keeps records.
	OnlyAgents() bool
	// Now returns the wall time.
	Now() time.Time
	// Newest returns the latest fire time that a run can be for if it marked its shard at that time, by
	// the server's clock. With MaxTimeDiff our own clock doesn't decide alone, because it may be ahead.
	Newest(marked time.Time) time.Time
}

// Taker is an instance that may claim shards. Its methods are called from the goroutine of the call
// that received it.
type Taker interface {
	// Free reports whether a shard may be claimed now.
	Free() bool
	// Reserve keeps every run of this process from a shard that will be claimed and marked running
	// in one transaction. It returns false if a run holds the shard already.
	Reserve(shard int) bool
	// Unreserve ends the reservation of a shard that was not claimed.
	Unreserve(shard int)
	// Take runs a claimed shard for its interrupted run's fire time or trigger. The shard is marked
	// running if it was reserved.
	Take(c Claim)
	// Doubt records a shard that may have been claimed although no reply came, so it must be
	// offered again.
	Doubt(shard int)
}

// Claim is a shard that an instance has claimed.
type Claim struct {
	Shard int
	Token int64 // the transaction
	Due   jobtree.Due
	// Begun reports whether the shard's record named the interrupted run at that time. If it no
	// longer does when the shard is about to run, that run has been recorded since.
	Begun bool
}

// Failover releases, offers and claims shards of one job. Its methods are safe for concurrent use.
type Failover struct {
	nodes   *nodes.Nodes
	records *firerecord.Records
	job     Job
	log     *slog.Logger

	mu sync.Mutex
	// claimed has the fire time or trigger of this instance's last claim of each shard. It's missing
	// if the reply to the claim was lost.
	claimed map[int]jobtree.Due
}

func New(n *nodes.Nodes, records *firerecord.Records, job Job, log *slog.Logger) *Failover {
	return &Failover{nodes: n, records: records, job: job, log: log, claimed: make(map[int]jobtree.Due)}
}

// rememberClaim notes the fire time or trigger of a claim. It forgets the earlier one if due isn't known.
func (f *Failover) rememberClaim(shard int, due jobtree.Due) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if delete(f.claimed, shard); due.Known() {
		f.claimed[shard] = due
	}
}

func (f *Failover) claimOf(shard int) (due jobtree.Due, known bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	due, known = f.claimed[shard]
	return due, known
}
