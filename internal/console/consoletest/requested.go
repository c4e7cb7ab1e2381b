package consoletest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/runparams"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// requestedRuns is what a registry has of them.
type requestedRuns struct {
	Requested []jobrun.Run             // those of the job invoices
	Schemas   map[string]jobrun.Schema // of the parameters of jobs
	SubmitErr error                    // of requests for runs
}

// The requested runs of the job invoices in the sample: one waits for its time, one
// runs, one has failed.
const (
	SampleRequest = "0193a5b0-7c11-7000-8000-5f2a9c31d0e4"
	SampleActive  = "0193a5b0-7c12-7000-8000-5f2a9c31d0e5"
	SampleEnded   = "0193a5b0-7c13-7000-8000-5f2a9c31d0e6"
	// SampleKey is the idempotency key of SampleRequest.
	SampleKey = "invoices-2026-10"
)

// SampleRequests are they.
func SampleRequests() []jobrun.Run {
	params := json.RawMessage(`{"month":"2026-10","tenants":["Munich","Paris"]}`)
	waits := jobrun.Run{
		ID: SampleRequest, State: jobrun.Scheduled, Submitted: Noon.Add(-time.Minute), Due: Noon.Add(4 * time.Minute), Expires: Noon.Add(7 * 24 * time.Hour), Attempt: 1,
		Assign: jobrun.AssignEach, By: jobrun.By{Kind: "page", Name: "root", From: "console 10.0.0.2"}, Key: SampleKey, Note: "INC-4821 resolved, book again", Params: params, HasParams: true,
	}
	active := waits
	active.ID, active.State, active.Key, active.Note, active.Due, active.Began = SampleActive, jobrun.Running, "", "", Noon.Add(-20*time.Second), Noon.Add(-19*time.Second)
	active.By = jobrun.By{Kind: "code", Name: "billing", From: "10.2.0.14@-@918"}
	active.Total, active.OK, active.Failed, active.Waiting = 8, []int{0, 1, 2, 3}, []int{4}, []int{7}
	active.Claims = map[int]jobrun.Claim{
		5: {Instance: "10.2.0.14@-@918", Since: Noon.Add(-9 * time.Second)}, 6: {Instance: "10.2.0.15@-@918", Since: Noon.Add(-4 * time.Second)},
	}
	active.Errors, active.Results = map[int]string{4: "tenant 17: connection refused"}, map[int]json.RawMessage{0: json.RawMessage(`{"sent":118000118000}`)}
	ended := jobrun.Run{
		ID: SampleEnded, State: jobrun.Failed, Reason: "2 of 8 shards failed", Submitted: Noon.Add(-time.Hour), Due: Noon.Add(-time.Hour), Began: Noon.Add(-time.Hour + 40*time.Millisecond),
		Ended: Noon.Add(-57 * time.Minute), Attempt: 1, Assign: jobrun.AssignEach, By: jobrun.By{Kind: "api", Name: "root", From: "console 10.0.0.2"}, Parent: SampleRequest,
		Total: 8, CountOK: 6, CountFailed: 2, Errors: map[int]string{4: "tenant 17: connection refused", 6: "no such table: INVOICE"},
	}
	return []jobrun.Run{active, waits, ended}
}

// run finds a run; f.mu is held.
func (f *FakeRegistry) run(job, id string) (int, error) {
	i := slices.IndexFunc(f.Requested, func(r jobrun.Run) bool { return r.ID == id })
	switch {
	case f.ActionErr != nil:
		return 0, f.ActionErr
	case f.ReadErr != nil:
		return 0, &lifecycle.Error{Op: "read run of", Job: job, Kind: lifecycle.ErrUnavailable, Err: f.ReadErr}
	case job != "invoices" || i < 0:
		return 0, &lifecycle.Error{Op: "read run of", Job: job, Kind: lifecycle.ErrNotFound, Err: jobrun.ErrUnknownRun}
	}
	return i, nil
}

// SubmitRun adds a run, unless its key is known.
func (f *FakeRegistry) SubmitRun(_ context.Context, job string, r jobrun.Request) (t jobrun.Ticket, err error) {
	if _, err := f.act("run", job); err != nil {
		return t, err
	}
	if f.SubmitErr != nil {
		return t, f.SubmitErr
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	var schema *runparams.Schema
	if text := f.Schemas[job].Text; len(text) > 0 {
		var err error
		if schema, err = runparams.Parse(text); err != nil {
			return t, err
		}
	}
	if err := schema.Check(r.Params); err != nil {
		return t, &lifecycle.Error{Op: "run", Job: job, Kind: lifecycle.ErrInvalid, Err: err}
	}
	for _, known := range f.Requested {
		if r.Key != "" && known.Key == r.Key {
			return jobrun.Ticket{ID: known.ID, Due: known.Due, Repeated: true}, nil
		}
	}
	run := jobrun.Run{
		ID: runs.NewID(time.Now()), State: jobrun.Queued, Submitted: Noon, Due: Noon.Add(r.Delay), Attempt: 1, Assign: jobrun.AssignEach,
		By: r.By, Key: r.Key, Note: r.Note, Parent: r.Parent, Params: r.Params, HasParams: len(r.Params) > 0,
	}
	if r.Delay > 0 {
		run.State = jobrun.Scheduled
	}
	f.Requested = append(f.Requested, run)
	return jobrun.Ticket{ID: run.ID, Due: run.Due}, nil
}

// CancelRun ends a run that waits, and asks one that runs to end.
func (f *FakeRegistry) CancelRun(_ context.Context, job, id string, by jobrun.By, reason string) (jobrun.State, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i, err := f.run(job, id)
	if err != nil {
		return "", err
	}
	run := &f.Requested[i]
	switch {
	case run.State.Ended():
		return run.State, &lifecycle.Error{Op: "cancel run of", Job: job, Kind: lifecycle.ErrConflict, Err: fmt.Errorf("%w: %s", jobrun.ErrRunEnded, run.State)}
	case run.State == jobrun.Running:
		run.Cancelled = &jobrun.Cancel{By: by.Name, At: Noon, Reason: reason}
	default:
		run.State, run.Reason, run.Ended = jobrun.Cancelled, "cancelled by "+by.Name, Noon
	}
	return run.State, nil
}

// SubmitRuns adds runs, up to the first that is refused.
func (f *FakeRegistry) SubmitRuns(ctx context.Context, job string, list []jobrun.Request) (tickets []jobrun.Ticket, err error) {
	for _, r := range list {
		ticket, err := f.SubmitRun(ctx, job, r)
		if err != nil {
			return tickets, err
		}
		tickets = append(tickets, ticket)
	}
	return tickets, nil
}

// waiting are the numbers of the runs that wait in one of the states; f.mu is held.
func (f *FakeRegistry) waiting(op, job string, states []jobrun.State) (numbers []int, err error) {
	switch {
	case f.ActionErr != nil:
		return nil, f.ActionErr
	case f.ReadErr != nil:
		return nil, &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrUnavailable, Err: f.ReadErr}
	case !slices.ContainsFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == job }):
		return nil, &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrNotFound, Err: jobrun.ErrNoSuchJob}
	}
	for i, run := range f.Requested {
		waits := run.State == jobrun.Scheduled || run.State == jobrun.Queued
		if job == "invoices" && waits && (len(states) == 0 || slices.Contains(states, run.State)) {
			numbers = append(numbers, i)
		}
	}
	return numbers, nil
}

// CancelWaitingRuns cancels runs that wait.
func (f *FakeRegistry) CancelWaitingRuns(_ context.Context, job string, w jobrun.Waiting, by jobrun.By, _ string) (result jobrun.CancelledRuns, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	numbers, err := f.waiting("cancel the waiting runs of", job, w.States)
	for _, n := range numbers[:min(w.Most, len(numbers))] {
		run := &f.Requested[n]
		run.State, run.Reason, run.Ended = jobrun.Cancelled, "cancelled by "+by.Name, Noon
		result.IDs = append(result.IDs, run.ID)
	}
	result.Left = len(numbers) - len(result.IDs)
	return result, err
}

// CountWaitingRuns counts them.
func (f *FakeRegistry) CountWaitingRuns(_ context.Context, job string, states []jobrun.State) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	numbers, err := f.waiting("count the waiting runs of", job, states)
	return len(numbers), err
}

// LiveRuns lists the runs that have not ended.
func (f *FakeRegistry) LiveRuns(ctx context.Context, job string, most int) (jobrun.List, error) {
	l, err := f.Runs(ctx, job, most)
	l.Ended, l.EndedCount = nil, 0
	return l, err
}

// RunSchema is what parameters a job takes.
func (f *FakeRegistry) RunSchema(_ context.Context, job string) (jobrun.Schema, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	op := "read the parameters of"
	if f.ReadErr != nil {
		return jobrun.Schema{}, &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrUnavailable, Err: f.ReadErr}
	}
	if !slices.ContainsFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == job }) {
		return jobrun.Schema{}, &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrNotFound, Err: jobrun.ErrNoSuchJob}
	}
	return f.Schemas[job], nil
}

// SampleSchema is what the job invoices takes.
const SampleSchema = `{"type":"object","properties":{"month":{"type":"string","pattern":"^[0-9]{4}-[0-9]{2}$","title":"Month"},"tenants":{"type":"array","items":{"type":"string","secret":true}}},"required":["month"]}`

// Hold has a job stand still, until Release.
func (f *FakeRegistry) Hold(_ context.Context, job string, what jobrun.Held, by jobrun.By, reason string) error {
	return f.hold("hold", job, func(held *jobrun.Hold) error {
		if held.What != "" {
			return fmt.Errorf("%w: by %s", jobrun.ErrHeld, held.By)
		}
		*held = jobrun.Hold{What: what, By: by.Name, At: Noon, Reason: reason}
		return nil
	})
}

// Release ends the hold of a job.
func (f *FakeRegistry) Release(_ context.Context, job string) error {
	return f.hold("release", job, func(held *jobrun.Hold) error {
		if held.What == "" {
			return fmt.Errorf("%w: it is not", jobrun.ErrHeld)
		}
		*held = jobrun.Hold{}
		return nil
	})
}

func (f *FakeRegistry) hold(op, job string, change func(*jobrun.Hold) error) error {
	if _, err := f.act(op, job); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.List {
		if f.List[i].Name != job {
			continue
		}
		if err := change(&f.List[i].Held); err != nil {
			return &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrConflict, Err: err}
		}
	}
	return nil
}

// PlanBackfill says for which fire times of a job a backfill would make runs.
func (f *FakeRegistry) PlanBackfill(_ context.Context, job string, b jobrun.Backfill) (jobrun.BackfillPlan, error) {
	return f.planBackfill("plan a backfill of", job, b)
}

// Backfill counts the fire times, and makes no runs.
func (f *FakeRegistry) Backfill(_ context.Context, job string, b jobrun.Backfill) (jobrun.BackfillProgress, error) {
	if _, err := f.act("backfill", job); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	if f.SubmitErr != nil {
		return jobrun.BackfillProgress{}, f.SubmitErr
	}
	plan, err := f.planBackfill("backfill", job, b)
	return jobrun.BackfillProgress{ID: SampleActive, State: jobrun.Queued, Total: len(plan.Times), Runs: map[jobrun.State]int{jobrun.Queued: len(plan.Times)}}, err
}

// sampleBackfill is under way in each job.
func sampleBackfill(id string) jobrun.BackfillProgress {
	return jobrun.BackfillProgress{
		ID: id, State: jobrun.Running, Requested: Noon.Add(-time.Hour), By: jobrun.By{Kind: "page", Name: "root"},
		From: Noon.Add(-100 * time.Hour), To: Noon.Add(-time.Hour), Parallel: 10, Total: 100, Next: Noon.Add(-60 * time.Hour),
		Runs: map[jobrun.State]int{jobrun.Queued: 59, jobrun.Running: 1, jobrun.Succeeded: 37, jobrun.Failed: 3},
	}
}

// BackfillProgress returns the sample, for each job.
func (f *FakeRegistry) BackfillProgress(ctx context.Context, job, id string) (jobrun.BackfillProgress, error) {
	list, err := f.Backfills(ctx, job)
	if err == nil && id != SampleActive && id != SampleRequest {
		err = &lifecycle.Error{Op: "read backfill of", Job: job, Kind: lifecycle.ErrNotFound, Err: jobrun.ErrUnknownBackfill}
	}
	if err != nil {
		return jobrun.BackfillProgress{}, err
	}
	list[0].ID = id
	return list[0], nil
}

// Backfills returns the sample, for each job.
func (f *FakeRegistry) Backfills(_ context.Context, job string) ([]jobrun.BackfillProgress, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ReadErr != nil {
		return nil, &lifecycle.Error{Op: "list backfills of", Job: job, Kind: lifecycle.ErrUnavailable, Err: f.ReadErr}
	}
	if !slices.ContainsFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == job }) {
		return nil, &lifecycle.Error{Op: "list backfills of", Job: job, Kind: lifecycle.ErrNotFound, Err: jobrun.ErrNoSuchJob}
	}
	return []jobrun.BackfillProgress{sampleBackfill(SampleActive)}, nil
}

// CancelBackfill cancels the sample. The handler of SampleActive's run goes on for now.
func (f *FakeRegistry) CancelBackfill(ctx context.Context, job, id string, by jobrun.By, reason string) (jobrun.BackfillProgress, error) {
	if _, err := f.act("cancel backfill of", job); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	p, err := f.BackfillProgress(ctx, job, id)
	if id != SampleActive {
		p.State = jobrun.Cancelled
	}
	p.Cancel = &jobrun.Cancel{By: by.Name, At: Noon, Reason: reason}
	return p, err
}

func (f *FakeRegistry) planBackfill(op, job string, b jobrun.Backfill) (jobrun.BackfillPlan, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ReadErr != nil {
		return jobrun.BackfillPlan{}, &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrUnavailable, Err: f.ReadErr}
	}
	if f.ActionErr != nil {
		return jobrun.BackfillPlan{}, f.ActionErr
	}
	i := slices.IndexFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == job })
	if i < 0 {
		return jobrun.BackfillPlan{}, &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrNotFound, Err: jobrun.ErrNoSuchJob}
	}
	config := jobconfig.New(job, 1)
	config.Cron, config.TimeZone, config.Props = f.List[i].Cron, f.List[i].TimeZone, f.List[i].ScheduleProps()
	plan, err := runs.PlanBackfill(job, config, b, Noon)
	switch {
	case errors.Is(err, jobrun.ErrNoSchedule):
		err = &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrConflict, Err: err}
	case err != nil:
		err = &lifecycle.Error{Op: op, Job: job, Kind: lifecycle.ErrInvalid, Err: err}
	}
	return plan, err
}

// StartRun has a run that waits begin now.
func (f *FakeRegistry) StartRun(_ context.Context, job, id string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	i, err := f.run(job, id)
	if err != nil {
		return err
	}
	run := &f.Requested[i]
	if run.State != jobrun.Scheduled {
		return &lifecycle.Error{Op: "start run of", Job: job, Kind: lifecycle.ErrConflict, Err: jobrun.ErrNotScheduled}
	}
	run.State, run.Due = jobrun.Queued, Noon
	return nil
}

// Run reads a run.
func (f *FakeRegistry) Run(_ context.Context, job, id string) (jobrun.Run, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	i, err := f.run(job, id)
	if err != nil {
		return jobrun.Run{}, err
	}
	return f.Requested[i], nil
}

// Runs lists them.
func (f *FakeRegistry) Runs(_ context.Context, job string, most int) (l jobrun.List, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.run("invoices", SampleRequest); err != nil && f.Requested != nil {
		return l, err
	}
	if !slices.ContainsFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == job }) {
		return l, &lifecycle.Error{Op: "list runs of", Job: job, Kind: lifecycle.ErrNotFound}
	}
	if job != "invoices" {
		return l, nil
	}
	for _, run := range f.Requested {
		switch {
		case run.State == jobrun.Running:
			l.Active = append(l.Active, run)
		case run.State.Ended():
			l.Ended = append(l.Ended, run)
		default:
			l.Waiting = append(l.Waiting, run)
		}
	}
	l.WaitingCount, l.EndedCount = len(l.Waiting), len(l.Ended)
	l.Waiting, l.Ended = l.Waiting[:min(most, l.WaitingCount)], l.Ended[:min(most, l.EndedCount)]
	return l, nil
}

// TakingRuns is a job as [Plain], whose instances take requested runs.
func TakingRuns(job string) string {
	return Plain(job) + fmt.Sprintf("\n%[1]s/extension/agents/10.0.0.1@-@7 [E] = %[2]q\n%[1]s/extension/agents/10.0.0.10@-@8 [E] = %[2]q\n", job, runs.AgentData{TakesRuns: true, Backfills: true}.Encode())
}

func sampleRequested() requestedRuns {
	schema := jobrun.Schema{Text: json.RawMessage(SampleSchema), By: "10.2.0.14@-@2211", At: Noon.Add(-time.Hour)}
	return requestedRuns{Requested: SampleRequests(), Schemas: map[string]jobrun.Schema{"invoices": schema}}
}
