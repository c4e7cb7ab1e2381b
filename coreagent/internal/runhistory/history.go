package runhistory

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// History records what becomes of the requested runs of one agent's jobs. A nil one
// records nothing.
type History struct {
	recorder tracing.RunRecorder // nil: runs are only counted
	observe  func(Move)          // nil: nobody counts
	limits   Limits
	now      func() time.Time
	rate     rate
}

// Move is what became of a requested run, for those who count.
type Move struct {
	Job, ID string
	State   string // a word of jobrun.State, or "lost"
	Attempt int
	// Waited is the time from when the run was due until it began, of one that begins its
	// first attempt; Took that from there to its end, of one that has ended.
	Waited, Took time.Duration
}

// New returns a history that ends in a recorder, and notifies observe, which may be nil
// and must not block. It is nil if the recorder keeps no requested runs and nobody counts.
func New(recorder tracing.Recorder, observe func(Move), limits Limits, now func() time.Time) *History {
	keeps, _ := recorder.(tracing.RunRecorder)
	if keeps == nil && observe == nil {
		return nil
	}
	return &History{recorder: keeps, observe: observe, limits: limits.withDefaults(), now: now}
}

// record records a run and a step, if a recorder keeps them.
func (j *Job) record(run tracing.Run, step tracing.RunStep) {
	if j.history.recorder != nil {
		j.history.recorder.RecordRun(run)
		j.step(run, step)
	}
}

func (j *Job) moved(m Move) {
	if j.history.observe != nil && !j.uncounted {
		m.Job = j.name
		j.history.observe(m)
	}
}

// Keeps reports whether ends are recorded that somebody else has written.
func (j *Job) Keeps() bool { return j != nil }

// Job records the runs of one job; a nil one records nothing.
type Job struct {
	history *History
	name    string
	id      func() string // of the instance

	uncounted bool
}

// Of returns the history of a job, as the instance with an id writes it.
func (h *History) Of(job string, id func() string) *Job {
	if h == nil {
		return nil
	}
	return &Job{history: h, name: job, id: id}
}

// Uncounted returns the history for what may be recorded already, so that it isn't counted
// again. It's nil if nothing is recorded.
func (j *Job) Uncounted() *Job {
	if j == nil || j.history.recorder == nil {
		return nil
	}
	return &Job{history: j.history, name: j.name, id: j.id, uncounted: true}
}

// Opened records that an attempt has begun.
func (j *Job) Opened(r jobtree.RunRecord) {
	if j == nil {
		return
	}
	run := j.run(r.RunRequest, jobrun.Running)
	run.Started = time.UnixMilli(r.Open.At)
	if r.Began != 0 {
		run.Started = time.UnixMilli(r.Began)
	}
	shards := slices.Concat(r.Waiting, slices.Collect(maps.Keys(r.Claims)))
	slices.Sort(shards)
	// One opening is one step, whoever records it, and however often.
	j.record(run, tracing.RunStep{ID: r.Life + "-run", At: time.UnixMilli(r.Open.At), Actor: r.Open.By, Message: shardsText(shards)})
	m := Move{ID: r.ID, State: run.State, Attempt: r.Attempt}
	if r.Attempt == 1 && r.Losses == 0 && r.Snoozes == 0 {
		m.Waited = max(time.Duration(r.Open.At-r.Due)*time.Millisecond, 0)
	}
	j.moved(m)
}

// Queued records that the time of a run has come.
func (j *Job) Queued(r jobtree.RunRequest) {
	if j == nil {
		return
	}
	j.record(j.run(r, jobrun.Queued), tracing.RunStep{})
}

// Became records what became of a run by a change of its record. A run that goes on is
// nothing new.
func (j *Job) Became(before jobtree.RunRecord, next runs.Next) {
	switch {
	case j == nil:
	case next.Outcome != nil:
		j.Ended(*next.Outcome, next.Request)
	case next.Again != nil:
		run := j.waiting(*next.Again)
		j.record(run, tracing.RunStep{Message: againText(before, *next.Again)})
		j.moved(Move{ID: run.ID, State: run.State, Attempt: run.Attempt})
	}
}

// Waits records that a run waits for its next attempt. It records no step, because the step
// may be there already under another id.
func (j *Job) Waits(r jobtree.RunRequest) {
	if j != nil {
		j.history.recorder.RecordRun(j.waiting(r))
	}
}

// Lost records that instances lost their session during a run, each with its shards.
func (j *Job) Lost(r jobtree.RunRecord, shards []int) {
	if j == nil {
		return
	}
	claims, lost := make(map[string]jobtree.RunClaim), make(map[string][]int)
	for _, n := range shards {
		claim := r.Claims[n]
		claims[claim.Nonce], lost[claim.Nonce] = claim, append(lost[claim.Nonce], n)
	}
	for _, nonce := range slices.Sorted(maps.Keys(claims)) {
		j.moved(Move{ID: r.ID, State: "lost", Attempt: r.Attempt})
		if j.history.recorder == nil {
			continue
		}
		step := j.stepOf(j.run(r.RunRequest, jobrun.Running))
		// A claim is lost once, whoever sees it.
		step.ID, step.State = nonce+"-los", "lost"
		step.Message = claims[nonce].Instance + " lost its session during the run: " + shardsText(lost[nonce])
		j.history.recorder.RecordRunStep(step)
	}
}

// Cancelling records that a run was asked to end.
func (j *Job) Cancelling(r jobtree.RunRecord) {
	if j == nil || r.Cancelled == nil || j.history.recorder == nil {
		return
	}
	step := j.stepOf(j.run(r.RunRequest, jobrun.Running))
	step.ID, step.State, step.At = r.Life+"-can", "cancelling", time.UnixMilli(r.Cancelled.At)
	step.Actor, step.Message = r.Cancelled.By, r.Cancelled.Reason
	j.history.recorder.RecordRunStep(step)
}

// Ended records the end of a run. request may be a zero one, if only the outcome is known.
func (j *Job) Ended(o jobtree.RunOutcome, request jobtree.RunRequest) {
	if j == nil {
		return
	}
	// The instance that ends a running run counts it. Earlier versions did not write Waited.
	if request.ID != "" || o.Waited || o.OK+o.Failed+len(o.CutShards) == 0 {
		m := Move{ID: o.ID, State: o.State, Attempt: o.Attempt}
		if o.Began != 0 {
			m.Took = time.Duration(o.Ended-o.Began) * time.Millisecond
		}
		j.moved(m)
	}
	run := runs.TraceEnd(j.name, o, request)
	j.record(run, runs.TraceEndStep(run, ""))
}

func (j *Job) run(r jobtree.RunRequest, state jobrun.State) tracing.Run {
	return runs.Trace(j.name, r, state)
}

func (j *Job) waiting(r jobtree.RunRequest) tracing.Run {
	run := j.run(r, jobrun.Scheduled)
	if !run.Due.After(j.history.now()) {
		run.State = string(jobrun.Queued)
	}
	return run
}

func (j *Job) stepOf(run tracing.Run) tracing.RunStep {
	now := j.history.now()
	return tracing.RunStep{ID: runs.NewID(now), RunID: run.ID, JobName: j.name, Attempt: run.Attempt, At: now, State: run.State, Actor: j.id()}
}

// step records a step; what is not given is that of the run's present state.
func (j *Job) step(run tracing.Run, given tracing.RunStep) {
	step := j.stepOf(run)
	if given.ID != "" {
		step.ID = given.ID
	}
	if !given.At.IsZero() {
		step.At = given.At
	}
	if given.Actor != "" {
		step.Actor = given.Actor
	}
	step.Message = given.Message
	j.history.recorder.RecordRunStep(step)
}

// shardsText names shards, as long as they are few.
func shardsText(shards []int) string {
	switch {
	case len(shards) == 1:
		return "shard " + strconv.Itoa(shards[0])
	case len(shards) <= 8:
		return "shards " + strings.Join(jobtree.ItemNames(shards), ", ")
	}
	return strconv.Itoa(len(shards)) + " shards"
}

// againText says why a run waits again.
func againText(before jobtree.RunRecord, again jobtree.RunRequest) string {
	switch {
	case again.Attempt > before.Attempt:
		return fmt.Sprintf("attempt %d of %d follows: %s", again.Attempt, again.Retries+1, again.Error)
	case again.Snoozes > before.Snoozes:
		return "snoozed by its handler"
	case again.Losses > before.Losses:
		return "an instance lost its session during the run"
	}
	return "an instance released it"
}
