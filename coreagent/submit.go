package coreagent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// What can be wrong with a requested run; match with errors.Is. The texts say what was
// wrong and where.
var (
	// ErrParams says that the parameters are wrong; [ParamsError] lists how.
	ErrParams = jobrun.ErrParams
	// ErrTooLarge says that the parameters have more than 64 KiB, or beside agents of Java
	// more than 8 KiB.
	ErrTooLarge = jobrun.ErrTooLarge
	// ErrRunOptions says that something of the [RunOptions] is wrong.
	ErrRunOptions = jobrun.ErrOptions
	// ErrQueueFull says that as many runs wait as may, about ten thousand.
	ErrQueueFull = jobrun.ErrQueueFull
	// ErrKeyInUse says that the key belongs to a run with other parameters.
	ErrKeyInUse = jobrun.ErrKeyInUse
	// ErrNotGo says that agents of Java, which take no parameters, have shards of the job.
	ErrNotGo = jobrun.ErrNotGo
	// ErrNoSuchJob says that the registry has no job of that name.
	ErrNoSuchJob = jobrun.ErrNoSuchJob
	// ErrUnknownRun says that no run of that id waits, runs, or ended of late.
	ErrUnknownRun = jobrun.ErrUnknownRun
	// ErrOutcomeDropped: the run has ended, but the registry has dropped its outcome; see
	// [Job.RunKeep].
	ErrOutcomeDropped = jobrun.ErrOutcomeDropped
	// ErrRunEnded says that the run had ended before.
	ErrRunEnded = jobrun.ErrRunEnded
)

// ParamsError lists what is wrong with parameters; it is an [ErrParams].
type ParamsError = jobrun.ParamsError

// ParamProblem is what is wrong with one parameter.
type ParamProblem = jobrun.ParamProblem

// RunOptions say how a run is requested. The zero value is a run at once, of every shard
// that takes part.
type RunOptions struct {
	// Delay is how much later the run is to begin; NotBefore is a moment. Only one of
	// them; at most 365 days ahead.
	Delay     time.Duration
	NotBefore time.Time
	// Shards are those that take part, of a job that assigns runs to each; nil is all. An
	// empty list that isn't nil is refused.
	Shards []int
	// Key makes the request one that is placed once: while the run of a key has not
	// ended, and KeyFor longer, a request with it returns that run. At most 200
	// characters. KeyFor defaults to ten minutes, at most 24 hours; negative: only until
	// the end.
	Key    string
	KeyFor time.Duration
	// Overlap defaults to the job's.
	Overlap Overlap
	// Expiry is how long after its time the run is given up if it has not begun.
	// Defaults to the job's; negative is never.
	Expiry time.Duration
	// FireTime is the fire time that the run stands for: it becomes
	// [Shard.ScheduledAt].
	FireTime time.Time
	// Manual says that a person asks: the run begins although the job is held.
	Manual bool
	// By is the person behind the request, such as a user of the program's pages; at most 100
	// characters. The console shows it with [Config.Program]. By default the program
	// asks for itself.
	By string
	// Note is for operators: one line of at most 200 characters.
	Note string
}

// Ticket is what came of a request.
type Ticket struct {
	ID  string
	Due time.Time
	// Repeated says that the key was known: ID is the earlier run's.
	Repeated bool
	// Warning says that nobody is there to run it; empty if somebody is.
	Warning string
}

// RunRequest is one of many requests.
type RunRequest struct {
	Params  any
	Options RunOptions
}

// MostAtOnce is how many runs [Agent.SubmitMany] takes.
const MostAtOnce = 10_000

// RunState is what became of a run so far.
type RunState string

// The states. A run begins scheduled or queued, and ends in one of the last five.
const (
	StateScheduled RunState = "scheduled" // it waits for a time
	StateQueued    RunState = "queued"
	StateRunning   RunState = "running"
	StateSucceeded RunState = "succeeded"
	StateFailed    RunState = "failed"
	StateCancelled RunState = "cancelled"
	StateSkipped   RunState = "skipped"
	StateExpired   RunState = "expired"
)

// StateLost isn't a state of a run: [RunMoved] has it if an instance lost its session while it
// worked on a run.
const StateLost RunState = "lost"

// Ended reports whether a run in this state never changes again.
func (s RunState) Ended() bool { return jobrun.State(s).Ended() }

// RunStatus is a run as the registry has it. Its log, its progress and its steps are only in the
// trace database.
type RunStatus struct {
	ID        string
	State     RunState
	Reason    string // why it ended so
	Submitted time.Time
	Due       time.Time
	Began     time.Time // zero before the first handler
	Ended     time.Time // zero before the end
	Attempt   int
	Losses    int
	Snoozes   int
	// Params are the parameters, one JSON object. Once the run has ended they are only kept if
	// they have at most 1 KiB; HasParams reports whether there were any.
	Params    json.RawMessage
	HasParams bool
	// OK, Failed, Skipped and Cancelled count the shards that have ended; before the run ends,
	// in this attempt. A shard that was put off (Snooze) when the run ended counts as cancelled.
	OK, Failed, Skipped, Cancelled int
	// Pending counts the shards that work, wait, or were put off; 0 once the run has ended.
	Pending int
	// Total counts the shards that take part. It's always the sum of OK, Failed, Skipped,
	// Cancelled and Pending, and 0 while the run is scheduled or queued.
	Total int
	// Wait is why a run that waits hasn't begun. Only [Agent.RunStatus] finds it out.
	Wait RunWait
	// Errors are why shards failed, of the first few.
	Errors map[int]string
	// Results are the results of shards, see [Shard.Result]. An ended run keeps those of the
	// first shards, 2 KiB in all.
	Results map[int]json.RawMessage
}

// RunWait is why a run that waits hasn't begun; see docs/runs.md for its codes.
type RunWait = jobrun.Wait

func statusOf(s jobrun.Run) RunStatus {
	n := s.Counts()
	return RunStatus{
		ID: s.ID, State: RunState(s.State), Reason: s.Reason, Submitted: s.Submitted, Due: s.Due, Began: s.Began, Ended: s.Ended,
		Attempt: s.Attempt, Losses: s.Losses, Snoozes: s.Snoozes, Params: s.Params, HasParams: s.HasParams,
		OK: n.OK, Failed: n.Failed, Skipped: n.Skipped, Cancelled: n.Cut, Total: s.Total, Wait: s.Wait,
		Pending: s.Total - n.OK - n.Failed - n.Skipped - n.Cut, Errors: s.Errors, Results: s.Results,
	}
}

// Submit asks for a run of a job, which this agent need not serve: an agent without jobs is
// a client. Params are nil, a json.RawMessage, or anything that marshals to a JSON object of
// at most 64 KiB. It tries until ctx ends.
//
// A run that was answered with a ticket is in ZooKeeper and stays until it ends. Without
// an answer, the error wraps [context.Cause] or that of ZooKeeper and the ticket has the
// id under which the run may have been placed; with a key, asking again is safe.
func (a *Agent) Submit(ctx context.Context, job string, params any, o RunOptions) (Ticket, error) {
	store, err := a.runs("submit a run of", job)
	if err != nil {
		return Ticket{}, err
	}
	request, err := a.request(params, o)
	if err != nil {
		return Ticket{}, jobError("submit a run of", job, err)
	}
	ticket, err := store.Submit(ctx, request)
	return Ticket(ticket), jobError("submit a run of", job, err)
}

// SubmitMany asks for up to [MostAtOnce] runs, a hundred in each transaction. Runs that are due at the
// same time begin in the order of their requests. If one request is wrong for any job, it places none;
// if the job refuses one, it places the requests before it. The error names the index, and there is a
// ticket for each run that is placed. Without an answer from ZooKeeper, up to a hundred more may have
// been placed; with keys, asking again is safe.
func (a *Agent) SubmitMany(ctx context.Context, job string, requests []RunRequest) ([]Ticket, error) {
	const op = "submit runs of"
	store, err := a.runs(op, job)
	if err != nil {
		return nil, err
	}
	if len(requests) > MostAtOnce {
		return nil, jobError(op, job, fmt.Errorf("%d runs at once; at most %d", len(requests), MostAtOnce))
	}
	list := make([]jobrun.Request, len(requests))
	for i, r := range requests {
		if list[i], err = a.request(r.Params, r.Options); err == nil {
			err = runs.CheckRequest(list[i], store.Now())
		}
		if err != nil {
			return nil, jobError(op, job, fmt.Errorf("run %d: %w", i, err))
		}
	}
	placed, err := store.SubmitMany(ctx, list)
	tickets := make([]Ticket, len(placed))
	for i, ticket := range placed {
		tickets[i] = Ticket(ticket)
	}
	if err != nil {
		return tickets, jobError(op, job, fmt.Errorf("run %d: %w", len(tickets), err))
	}
	return tickets, nil
}

// CancelRun ends a run: at once if it waits, and as soon as its handlers have returned if
// it runs; their contexts end with [ErrCancelled]. It returns the state after that,
// [StateRunning] in the second case. A run that has ended is [ErrRunEnded], with the state it
// ended in.
func (a *Agent) CancelRun(ctx context.Context, job, id, reason string) (RunState, error) {
	store, err := a.runs("cancel a run of", job)
	if err != nil {
		return "", err
	}
	state, err := store.Cancel(ctx, id, jobtree.RunCancel{By: a.cfg.Program + " " + a.instance(), Reason: reason})
	return RunState(state), jobError("cancel a run of", job, err)
}

// RunStatus returns a run that waits, runs, or is among the last that ended;
// [ErrUnknownRun] if it is none of these.
func (a *Agent) RunStatus(ctx context.Context, job, id string) (RunStatus, error) {
	store, err := a.runs("look at a run of", job)
	if err != nil {
		return RunStatus{}, err
	}
	status, err := store.Explained(ctx, id)
	return statusOf(status.Run), jobError("look at a run of", job, err)
}

// AwaitRun waits until a run has ended, or ctx ends. It learns of the end by a watch that all
// waiters of the job share, so thousands may wait. The error is [ErrUnknownRun] if the registry
// doesn't have the run when the wait begins, and [ErrOutcomeDropped] if its outcome is dropped
// during the wait: ZooKeeper was away, or more than a thousand runs ended at once.
func (a *Agent) AwaitRun(ctx context.Context, job, id string) (RunStatus, error) {
	const op = "await a run of"
	store, err := a.runs(op, job)
	if err != nil {
		return RunStatus{}, err
	}
	status, err := a.await(ctx, store, id, false)
	return status, jobError(op, job, err)
}

// await waits for the end of a run; placed means that this agent has just placed it.
func (a *Agent) await(ctx context.Context, store runs.Store, id string, placed bool) (RunStatus, error) {
	status, err := a.awaiter.Await(ctx, store, id, placed)
	if errors.Is(err, zk.ErrClosed) {
		err = ErrAgentClosed
	}
	return statusOf(status.Run), err
}

// runs is where the runs of a job are.
func (a *Agent) runs(op, job string) (runs.Store, error) {
	a.mu.Lock()
	state, env := a.state, a.env
	a.mu.Unlock()
	switch state {
	case created:
		return runs.Store{}, jobError(op, job, ErrNotStarted)
	case stopped:
		return runs.Store{}, jobError(op, job, ErrAgentClosed)
	}
	if err := jobtree.ValidateNodeName(job); err != nil {
		return runs.Store{}, jobError(op, job, errors.Join(ErrNoSuchJob, err))
	}
	return runs.Store{Client: env.Client, Tree: a.tree.Job(job), Now: a.cfg.Now}, nil
}

// instance is the id of this process.
func (a *Agent) instance() string { return jobtree.NewInstanceID(a.cfg.Address, a.cfg.InstanceSuffix) }

func (a *Agent) request(params any, o RunOptions) (jobrun.Request, error) {
	r := jobrun.Request{
		Delay: o.Delay, NotBefore: o.NotBefore, Shards: o.Shards, Key: o.Key, KeyFor: o.KeyFor, Overlap: jobrun.Overlap(o.Overlap),
		Expiry: o.Expiry, FireTime: o.FireTime, Manual: o.Manual, Note: o.Note,
		By: jobrun.By{Kind: "code", Name: a.cfg.Program, From: a.instance()},
	}
	if o.By != "" {
		if err := checkName(o.By); err != nil {
			return r, fmt.Errorf("%w: By: %w", ErrRunOptions, err)
		}
		r.By.Name, r.By.From = o.By, a.cfg.Program+" "+a.instance()
	}
	switch p := params.(type) {
	case nil:
	case json.RawMessage:
		if p != nil && len(p) == 0 {
			return r, fmt.Errorf("%w: they are empty; want a JSON object such as {}, or nil for none", ErrParams)
		}
		r.Params = p
	default:
		data, err := json.Marshal(params)
		if err != nil {
			return r, fmt.Errorf("%w: %w", ErrParams, err)
		}
		r.Params = data
	}
	return r, nil
}
