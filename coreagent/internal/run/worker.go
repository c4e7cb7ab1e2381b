package run

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/barrier"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/errorhandler"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/failover"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/misfire"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/obstacle"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/requested"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/reshard"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/schedule"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/usercode"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
)

type Job interface {
	// Guard runs an activity. If it panics, Guard takes the job out of service and reports false.
	Guard(activity string, fn func()) (sound bool)
	// Kick asks for a control step. Retry asks for one after a pause.
	Kick()
	Retry(pause time.Duration)
	Hinder(at obstacle.Stage, err error)
}

// Parts are the parts of a job that its coordinator and its worker share.
type Parts struct {
	Host  *host.Host
	Def   host.Definition
	Nodes *nodes.Nodes
	Tree  jobtree.Job
	Cache *view.Tree
	Log   *slog.Logger
	Self  *view.Identity
	Life  context.Context

	Latest     *view.Latest
	Fires      *schedule.Schedule
	Calls      *usercode.Calls
	Barriers   *barrier.Barriers
	Records    *firerecord.Records
	Failover   *failover.Failover
	Misfires   *misfire.Misfires
	Resharding *reshard.Resharding
	Requested  *requested.Activity
	Obstacles  *obstacle.Obstacles
	Errors     *errorhandler.JobHandler
}

// Worker runs the requests in the queue of one job. Its methods are safe for concurrent use. They
// may be called with the job's lock held, and never call the job with their own lock held.
type Worker struct {
	*Parts
	job Job

	mu         sync.Mutex
	open       bool // runs may begin
	queue      queue
	failedRuns int // runs for fire times and triggers that failed in a row
	suppressed suppressed
}

// NewWorker returns a closed worker. The parts may be completed until it's opened.
func NewWorker(p *Parts, job Job) *Worker { return &Worker{Parts: p, job: job} }

// Open lets runs begin. Earlier claims of failover shards vanished with their session.
func (w *Worker) Open() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.queue.dropTaken()
	w.queue.returned = nil
	w.open = true
}

// Close stops new runs from beginning. idle is closed when nothing is under way; stays is set if a
// run outlives its instance.
func (w *Worker) Close() (idle <-chan struct{}, stays bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.open = false
	w.Latest.Signal()
	return w.queue.idleChannel(), w.queue.outlivesItsInstance()
}

// Drain empties the queue and returns the claimed failover shards that have not begun.
func (w *Worker) Drain() (claimed []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	q := &w.queue
	for _, s := range q.taken {
		claimed = append(claimed, s.Number)
	}
	claimed = append(claimed, q.returned...)
	q.dropTaken()
	q.fire, q.trigger, q.misfire, q.requested, q.returned = time.Time{}, false, false, false, nil
	return claimed
}

// Returned takes the claimed failover shards that must be offered again.
func (w *Worker) Returned() (shards []int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	shards, w.queue.returned = w.queue.returned, nil
	return shards
}

// Busy reports whether anything is under way.
func (w *Worker) Busy() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.queue.busy()
}

func (w *Worker) serves() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.open
}

func (w *Worker) background(activity string, fn func()) {
	w.Host.Tasks.Go(func() { w.job.Guard(activity, fn) })
}

func (w *Worker) store() runs.Store {
	return runs.Store{Client: w.Host.Client, Tree: w.Tree, Now: w.Host.Time}
}
