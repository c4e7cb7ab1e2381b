package host

import (
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/runhistory"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/steward"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Event is the kind of an [Observation].
type Event int

// Kinds of observations.
const (
	Fired         Event = iota // a fire time came while the job is enabled here
	RunBegan                   // this instance begins a run with shards
	RunEnded                   // this instance has ended it
	Suppressed                 // a fire time passed without a run because the schedule is held
	Unassigned                 // number of shards without an owner, as the leader sees it
	Resharded                  // the leader has assigned the shards again, or failed to
	Asked                      // ZooKeeper has answered a request, or timed out
	SessionBecame              // the session state has changed
	JobCame                    // the agent serves one more job
	JobWent                    // the agent serves one job less
	RunMoved                   // the state of a requested run has changed
	RunsWait                   // number of waiting requested runs, as the steward sees it
	Refused                    // the job isn't served because of Err; a nil Err means it's served again
)

// Observation is one event. Fields that don't apply are zero.
type Observation struct {
	Event     Event
	Job       string
	Operation string // the kind of request
	Source    tracing.Source
	Regular   bool // a run for a fire time of the schedule
	Items     int  // of the run, assigned, or without an owner
	Failed    int  // shards of the run
	Moved     int  // shards that changed hands
	Cancelled bool // the run was cut short by its context
	Late      time.Duration
	Took      time.Duration
	Err       error
	State     zk.State
	At        time.Time
	Move      runhistory.Move
	Waiting   steward.Waiting
}

// Report passes an observation of a job to the observer, if there is one. It may be called with
// locks held, because Observe only stores.
func (e *Host) Report(job string, o Observation) {
	if e.Observe != nil {
		o.Job = job
		e.Observe(o)
	}
}
