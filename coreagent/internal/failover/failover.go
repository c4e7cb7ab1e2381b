package failover

import (
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Job is what failover needs of a job. Its methods are called from any goroutine.
type Job interface {
	// ID is the id of this instance.
	ID() string
	// Runs reports whether a run of this process, begun under the present session,
	// has a shard, and whether that run has claimed it as a failover.
	Runs(shard int) (runs, claimed bool)
	// Missed returns the newest fire time in (after, until] by the schedule in force,
	// zero if there is none. It is false if the job has no schedule.
	Missed(after, until time.Time) (newest time.Time, scheduled bool)
	// Rotates reports whether the job's only shard rotates. When a run begins, its record names
	// only triggers and fire times that follow one without a run.
	Rotates() bool
	// OnlyAgents reports whether every instance of the job is an agent that keeps records.
	OnlyAgents() bool
	// Now is the wall clock.
	Now() time.Time
}

// Taker is an instance that may claim shards. Its methods are called from the
// goroutine of the call that was given it.
type Taker interface {
	// Free reports whether a shard may be claimed now.
	Free() bool
	// Reserve keeps every run of this process from a shard that is about to be
	// claimed and marked running at once. It is false if one has it already.
	Reserve(shard int) bool
	// Unreserve ends the reservation of a shard that was not claimed after all.
	Unreserve(shard int)
	// Take runs a claimed shard for what its interrupted run was due for. It is marked
	// running if it was reserved.
	Take(c Claim)
	// Doubt notes a shard that may have been claimed although no answer came: it
	// is to be offered again.
	Doubt(shard int)
}

// Claim is a shard that an instance has claimed.
type Claim struct {
	Shard int
	Token int64 // the transaction
	Due   jobtree.Due
	// Begun reports whether the shard's record named the interrupted run then. If it doesn't
	// any more when the shard should run, that run has been recorded since.
	Begun bool
}

// Failover releases, offers and claims shards of one job. Its methods may be called
// from any goroutine.
type Failover struct {
	nodes   *nodes.Nodes
	records *firerecord.Records
	job     Job
	log     *slog.Logger
}

// New returns the failover of a job.
func New(n *nodes.Nodes, records *firerecord.Records, job Job, log *slog.Logger) *Failover {
	return &Failover{nodes: n, records: records, job: job, log: log}
}
