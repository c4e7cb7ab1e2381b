package judge

import (
	"time"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Database has the recorded runs of a job, and their executions.
type Database struct {
	Runs       map[string]tracing.RunRecord
	Executions map[string]RecordedExecution
}

// NewDatabase returns an empty database.
func NewDatabase() *Database {
	return &Database{Runs: make(map[string]tracing.RunRecord), Executions: make(map[string]RecordedExecution)}
}

// RecordedExecution is a row of an execution, and the process that wrote it.
type RecordedExecution struct {
	tracing.Execution
	Process string
}

// Record stores events of a process by the rules of the real database.
func (h *History) Record(process string, events []tracing.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.End.IsZero() {
		return
	}
	for _, e := range events {
		switch {
		case e.Run != nil:
			if d := h.database(e.Run.JobName); d != nil && e.Run.Order() >= d.Runs[e.Run.ID].Order() {
				d.Runs[e.Run.ID] = *e.Run
			}
		case e.Execution != nil:
			if d := h.database(e.Execution.JobName); d != nil && d.Executions[e.Execution.ID].CompleteTime.IsZero() {
				d.Executions[e.Execution.ID] = RecordedExecution{*e.Execution, process}
			}
		}
	}
}

func (h *History) database(job string) *Database {
	if j := h.Jobs[job]; j != nil && j.Requests != nil {
		return j.Requests.Database
	}
	return nil
}

// recordedBy is how long after a change the database has it, if no process dies.
const recordedBy = 15 * time.Second

// recorded is I24: once all is quiet, the history has each run as in the registry.
func (v *verdicts) recorded(job *JobHistory, list []*requestedRun) {
	d := job.Requests.Database
	if d == nil || v.h.Quiet.IsZero() {
		return
	}
	byID := make(map[string]*requestedRun, len(list))
	for _, e := range list {
		byID[e.id] = e
		last := e.steps[len(e.steps)-1]
		for _, s := range e.steps { // The outcome may have been dropped since.
			if !s.Deleted {
				last = s
			}
		}
		row, there := d.Runs[e.id]
		state := row.State
		switch {
		case last.At.Add(recordedBy).After(v.h.End):
		case v.grants(EventsLost) && v.h.Blind && e.outcome != nil && e.outcome.State == jobrun.Cancelled:
			// The outcome may have been dropped before the steward learned of it.
		case e.outcome != nil && (!there || row.State != e.outcome.State):
			v.add("I24", job.Name, -1, e.ended, "%v ended as %s, and the history has it as %q", e, e.outcome.State, row.State)
		case e.outcome == nil && there && (state.Ended() || state == jobrun.Running && last.placed() || state != jobrun.Running && last.record != nil):
			v.add("I24", job.Name, -1, last.At, "%v has not ended, and the history has it as %q: %v", e, row.State, last.RunChange)
		}
	}
	for id, row := range d.Runs {
		if state := row.State; byID[id] == nil && !state.Ended() {
			v.add("I24", job.Name, -1, v.h.End, "the history has the run %s as %q, and the registry doesn't have it", id, state)
		}
	}
	for _, x := range d.Executions {
		e := byID[x.RunID]
		p := v.h.Processes[x.Process]
		alive := p != nil && (p.To.IsZero() || p.To.After(v.h.Quiet))
		over := e != nil && e.outcome != nil && !e.ended.Add(recordedBy).After(v.h.End)
		if over && x.Running() && alive {
			v.add("I24", job.Name, x.Item, x.StartTime, "%v has ended, and the history has an execution of %s that runs", e, x.Process)
		}
	}
}
