package runhistory

import (
	"cmp"
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

// History records the requested runs of one agent's jobs. A nil History records nothing.
type History struct {
	recorder tracing.RunRecorder // nil if runs are only counted
	observe  func(Move)          // nil if runs aren't counted
	limits   Limits
	now      func() time.Time
	rate     rate
}

// Move is a state change of a requested run, for metrics.
type Move struct {
	Job, ID string
	State   jobrun.State
	Attempt int
	// Waited is the time between the due time and the begin of a run's first attempt. Took is the
	// time between the begin and the end of a run that has ended.
	Waited, Took time.Duration
}

// New returns a history that writes to a recorder and calls observe, which may be nil and must not
// block. It's nil if the recorder doesn't store requested runs and observe is nil.
func New(recorder tracing.Recorder, observe func(Move), limits Limits, now func() time.Time) *History {
	keeps, _ := recorder.(tracing.RunRecorder)
	if keeps == nil && observe == nil {
		return nil
	}
	limits.Lines, limits.Bytes = cmp.Or(limits.Lines, defaultLines), cmp.Or(limits.Bytes, defaultBytes)
	return &History{recorder: keeps, observe: observe, limits: limits, now: now}
}

// record records a run and a step if the recorder stores runs.
func (j *Job) record(run tracing.RunRecord, step tracing.RunStep) {
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

// Keeps reports whether to record ends that others have written.
func (j *Job) Keeps() bool { return j != nil }

// Job records the runs of one job. A nil Job records nothing.
type Job struct {
	history *History
	name    string
	id      func() string // of the instance

	uncounted bool
}

// Of returns the history of a job, written by the instance with an id.
func (h *History) Of(job string, id func() string) *Job {
	if h == nil {
		return nil
	}
	return &Job{history: h, name: job, id: id}
}

// Uncounted returns the history for changes that may be recorded already, so that they aren't
// counted again. It's nil if nothing is recorded.
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
	// An opening may be recorded by several instances, but we want a single step.
	j.record(run, tracing.RunStep{ID: r.Life + "-run", At: time.UnixMilli(r.Open.At), Actor: r.Open.By, Message: shardsText(shards)})
	m := Move{ID: r.ID, State: run.State, Attempt: r.Attempt}
	if r.Attempt == 1 && r.Losses == 0 && r.Snoozes == 0 {
		m.Waited = max(time.Duration(r.Open.At-r.Due)*time.Millisecond, 0)
	}
	j.moved(m)
}

// Queued records that a run is due.
func (j *Job) Queued(r jobtree.RunRequest) {
	if j == nil {
		return
	}
	j.record(j.run(r, jobrun.Queued), tracing.RunStep{})
}

// Became records the new state of a run after a change of its record. If the run just goes on,
// there's nothing to record.
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

// Waits records that a run waits for its next attempt. It records no step, because the step may
// exist already with another id.
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
		// A claim is lost once, no matter which instance notices.
		step.ID, step.State = nonce+"-los", jobrun.Lost
		step.Message = claims[nonce].Instance + " lost its session during the run: " + shardsText(lost[nonce])
		j.history.recorder.RecordRunStep(step)
	}
}

// Cancelling records that a run is being cancelled.
func (j *Job) Cancelling(r jobtree.RunRecord) {
	if j == nil || r.Cancelled == nil || j.history.recorder == nil {
		return
	}
	step := j.stepOf(j.run(r.RunRequest, jobrun.Running))
	step.ID, step.State, step.At = r.Life+"-can", "cancelling", time.UnixMilli(r.Cancelled.At)
	step.Actor, step.Message = r.Cancelled.By, r.Cancelled.Reason
	j.history.recorder.RecordRunStep(step)
}

// Ended records the end of a run. request may be zero if only the outcome is known.
func (j *Job) Ended(o jobtree.RunOutcome, request jobtree.RunRequest) {
	if j == nil {
		return
	}
	// The instance that ends a running run counts it. Earlier versions didn't write Waited.
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

func (j *Job) run(r jobtree.RunRequest, state jobrun.State) tracing.RunRecord {
	return runs.Trace(j.name, r, state)
}

func (j *Job) waiting(r jobtree.RunRequest) tracing.RunRecord {
	run := j.run(r, jobrun.Scheduled)
	if !run.Due.After(j.history.now()) {
		run.State = jobrun.Queued
	}
	return run
}

func (j *Job) stepOf(run tracing.RunRecord) tracing.RunStep {
	now := j.history.now()
	return tracing.RunStep{ID: runs.NewID(now), RunID: run.ID, JobName: j.name, Attempt: run.Attempt, At: now, State: run.State, Actor: j.id()}
}

// step records a step. Fields that given lacks come from the run's current state.
func (j *Job) step(run tracing.RunRecord, given tracing.RunStep) {
	step := j.stepOf(run)
	step.ID, step.At = cmp.Or(given.ID, step.ID), cmp.Or(given.At, step.At)
	step.Actor, step.Message = cmp.Or(given.Actor, step.Actor), given.Message
	j.history.recorder.RecordRunStep(step)
}

func shardsText(shards []int) string {
	switch {
	case len(shards) == 1:
		return "shard " + strconv.Itoa(shards[0])
	case len(shards) <= 8:
		return "shards " + strings.Join(jobtree.ItemNames(shards), ", ")
	}
	return strconv.Itoa(len(shards)) + " shards"
}

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
