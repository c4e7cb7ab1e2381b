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

func refusal(op, job string, kind, err error) error {
	return &lifecycle.Error{Op: op, Job: job, Kind: kind, Err: err}
}

// find returns the place of a job in the list; f.mu is held.
func (f *FakeRegistry) find(op, job string) (int, error) {
	if f.ReadErr != nil {
		return 0, refusal(op, job, lifecycle.ErrUnavailable, f.ReadErr)
	}
	i := slices.IndexFunc(f.List, func(j statistics.JobDetail) bool { return j.Name == job })
	if i < 0 {
		return 0, refusal(op, job, lifecycle.ErrNotFound, jobrun.ErrNoSuchJob)
	}
	return i, nil
}

// withRun calls do with a run.
func (f *FakeRegistry) withRun(op, job, id string, do func(*jobrun.Run) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ActionErr != nil {
		return f.ActionErr
	}
	if _, err := f.find(op, job); f.ReadErr != nil {
		return err
	}
	i := slices.IndexFunc(f.Requested, func(r jobrun.Run) bool { return r.ID == id })
	if job != "invoices" || i < 0 {
		return refusal(op, job, lifecycle.ErrNotFound, jobrun.ErrUnknownRun)
	}
	if err := do(&f.Requested[i]); err != nil {
		return refusal(op, job, lifecycle.ErrConflict, err)
	}
	return nil
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
		if schema, err = runparams.Parse(text); err != nil {
			return t, err
		}
	}
	if err := schema.Check(r.Params); err != nil {
		return t, refusal("run", job, lifecycle.ErrInvalid, err)
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

// CancelRun ends a run that waits, and asks one that runs to end.
func (f *FakeRegistry) CancelRun(_ context.Context, job, id string, by jobrun.By, reason string) (state jobrun.State, err error) {
	err = f.withRun("cancel run of", job, id, func(run *jobrun.Run) error {
		state = run.State
		switch {
		case state.Ended():
			return fmt.Errorf("%w: %s", jobrun.ErrRunEnded, state)
		case state == jobrun.Running:
			run.Cancelled = &jobrun.Cancel{By: by.Name, At: Noon, Reason: reason}
		default:
			cancelRun(run, by)
			state = run.State
		}
		return nil
	})
	return state, err
}

func cancelRun(run *jobrun.Run, by jobrun.By) {
	run.State, run.Reason, run.Ended = jobrun.Cancelled, "cancelled by "+by.Name, Noon
}

// StartRun has a run that waits begin now.
func (f *FakeRegistry) StartRun(_ context.Context, job, id string) error {
	return f.withRun("start run of", job, id, func(run *jobrun.Run) error {
		if run.State != jobrun.Scheduled {
			return jobrun.ErrNotScheduled
		}
		run.State, run.Due = jobrun.Queued, Noon
		return nil
	})
}

// Run reads a run.
func (f *FakeRegistry) Run(_ context.Context, job, id string) (found jobrun.Run, err error) {
	err = f.withRun("read run of", job, id, func(run *jobrun.Run) error { found = *run; return nil })
	return found, err
}

// waiting are the runs that wait in one of the states; f.mu is held.
func (f *FakeRegistry) waiting(op, job string, states []jobrun.State) (list []*jobrun.Run, err error) {
	if f.ActionErr != nil {
		return nil, f.ActionErr
	}
	if _, err := f.find(op, job); err != nil {
		return nil, err
	}
	for i := range f.Requested {
		run := &f.Requested[i]
		waits := run.State == jobrun.Scheduled || run.State == jobrun.Queued
		if job == "invoices" && waits && (len(states) == 0 || slices.Contains(states, run.State)) {
			list = append(list, run)
		}
	}
	return list, nil
}

// CancelWaitingRuns cancels runs that wait.
func (f *FakeRegistry) CancelWaitingRuns(_ context.Context, job string, w jobrun.Waiting, by jobrun.By, _ string) (result jobrun.CancelledRuns, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, err := f.waiting("cancel the waiting runs of", job, w.States)
	for _, run := range list[:min(w.Most, len(list))] {
		cancelRun(run, by)
		result.IDs = append(result.IDs, run.ID)
	}
	result.Left = len(list) - len(result.IDs)
	return result, err
}

// CountWaitingRuns counts them.
func (f *FakeRegistry) CountWaitingRuns(_ context.Context, job string, states []jobrun.State) (int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	list, err := f.waiting("count the waiting runs of", job, states)
	return len(list), err
}

// LiveRuns lists the runs that have not ended.
func (f *FakeRegistry) LiveRuns(ctx context.Context, job string, most int) (jobrun.List, error) {
	l, err := f.Runs(ctx, job, most)
	l.Ended, l.EndedCount = nil, 0
	return l, err
}

// Runs lists the runs of a job.
func (f *FakeRegistry) Runs(_ context.Context, job string, most int) (l jobrun.List, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.ActionErr != nil && f.Requested != nil {
		return l, f.ActionErr
	}
	if _, err := f.find("list runs of", job); err != nil || job != "invoices" {
		return l, err
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

// RunSchema is the schema of a job's parameters.
func (f *FakeRegistry) RunSchema(_ context.Context, job string) (jobrun.Schema, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	_, err := f.find("read the parameters of", job)
	if err != nil {
		return jobrun.Schema{}, err
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
			return refusal(op, job, lifecycle.ErrConflict, err)
		}
	}
	return nil
}

// PlanBackfill returns the fire times of a job for which a backfill would make runs.
func (f *FakeRegistry) PlanBackfill(_ context.Context, job string, b jobrun.Backfill) (plan jobrun.BackfillPlan, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	const op = "plan a backfill of"
	i, err := f.find(op, job)
	switch {
	case f.ReadErr != nil:
		return plan, err
	case f.ActionErr != nil:
		return plan, f.ActionErr
	case err != nil:
		return plan, err
	}
	config := jobconfig.New(job, 1)
	config.Cron, config.TimeZone, config.Props = f.List[i].Cron, f.List[i].TimeZone, f.List[i].ScheduleProps()
	if plan, err = runs.PlanBackfill(job, config, b, Noon); err == nil {
		return plan, nil
	}
	if errors.Is(err, jobrun.ErrNoSchedule) {
		return plan, refusal(op, job, lifecycle.ErrConflict, err)
	}
	return plan, refusal(op, job, lifecycle.ErrInvalid, err)
}

// Backfill counts the fire times, and makes no runs.
func (f *FakeRegistry) Backfill(ctx context.Context, job string, b jobrun.Backfill) (jobrun.BackfillProgress, error) {
	if _, err := f.act("backfill", job); err != nil {
		return jobrun.BackfillProgress{}, err
	}
	if f.SubmitErr != nil {
		return jobrun.BackfillProgress{}, f.SubmitErr
	}
	plan, err := f.PlanBackfill(ctx, job, b)
	return jobrun.BackfillProgress{ID: SampleActive, State: jobrun.Queued, Total: len(plan.Times), Runs: map[jobrun.State]int{jobrun.Queued: len(plan.Times)}}, err
}

// BackfillProgress returns the sample, for each job.
func (f *FakeRegistry) BackfillProgress(ctx context.Context, job, id string) (jobrun.BackfillProgress, error) {
	list, err := f.Backfills(ctx, job)
	if err == nil && id != SampleActive && id != SampleRequest {
		err = refusal("read backfill of", job, lifecycle.ErrNotFound, jobrun.ErrUnknownBackfill)
	}
	if err != nil {
		return jobrun.BackfillProgress{}, err
	}
	list[0].ID = id
	return list[0], nil
}

// Backfills returns the sample, which is under way, for each job.
func (f *FakeRegistry) Backfills(_ context.Context, job string) ([]jobrun.BackfillProgress, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if _, err := f.find("list backfills of", job); err != nil {
		return nil, err
	}
	return []jobrun.BackfillProgress{{
		ID: SampleActive, State: jobrun.Running, Requested: Noon.Add(-time.Hour), By: jobrun.By{Kind: "page", Name: "root"},
		From: Noon.Add(-100 * time.Hour), To: Noon.Add(-time.Hour), Parallel: 10, Total: 100, Next: Noon.Add(-60 * time.Hour),
		Runs: map[jobrun.State]int{jobrun.Queued: 59, jobrun.Running: 1, jobrun.Succeeded: 37, jobrun.Failed: 3},
	}}, nil
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

// TakingRuns is a job as [Plain], whose instances take requested runs.
func TakingRuns(job string) string {
	return Plain(job) + fmt.Sprintf("\n%[1]s/extension/agents/10.0.0.1@-@7 [E] = %[2]q\n%[1]s/extension/agents/10.0.0.10@-@8 [E] = %[2]q\n", job, runs.AgentData{TakesRuns: true, Backfills: true}.Encode())
}

func sampleRequested() requestedRuns {
	schema := jobrun.Schema{Text: json.RawMessage(SampleSchema), By: "10.2.0.14@-@2211", At: Noon.Add(-time.Hour)}
	return requestedRuns{Requested: SampleRequests(), Schemas: map[string]jobrun.Schema{"invoices": schema}}
}
