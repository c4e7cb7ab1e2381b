package judge

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Verdict is a handler's result for its shard of a requested run.
type Verdict string

const (
	Fine    Verdict = "fine"
	Fails   Verdict = "fails"
	Final   Verdict = "fails for good"
	Later   Verdict = "fails, try again later"
	Snoozes Verdict = "snoozes"
	Nothing Verdict = "nothing to do"
)

// failed reports whether a verdict is a failed attempt.
func (v Verdict) failed() bool { return v == Fails || v == Final || v == Later }

// settles reports whether a shard must not run again after a verdict.
func (v Verdict) settles() bool { return v == Fine || v == Final || v == Nothing }

// Wanted is a request as its submitter knows it.
type Wanted struct {
	Note     string // identifies it; no other request has it
	Key      string
	KeyFor   time.Duration
	Asked    time.Time
	Delay    time.Duration
	Answered time.Time // zero if no answer came
	ID       string    // the run in the answer
	Repeated bool      // the answer names an earlier request's run
}

// Command is an operator's command on a requested run.
type Command struct {
	ID       string
	Cancel   bool // else it must begin now
	Asked    time.Time
	Answered time.Time // zero if no answer came
	State    jobrun.State
}

// RunChange is a change of a requested run's node below extension.
type RunChange struct {
	At      time.Time
	Zxid    int64
	Path    string // below extension
	Deleted bool
	Data    string // for a deleted node, its previous data
}

// String returns a change in one line.
func (c RunChange) String() string {
	id, s, ok := readStep(c)
	if !ok {
		return c.Path + " " + c.Data
	}
	parts := strings.Split(c.Path, "/")
	text := fmt.Sprintf("%s of run %s", parts[1], id)
	switch {
	case s.request != nil:
		text += fmt.Sprintf(", attempt %d, due %s", s.request.Attempt, clock(time.UnixMilli(s.request.Due)))
	case s.record != nil:
		text = strings.TrimPrefix(c.Path, "runs/") + fmt.Sprintf(" of run %s: waiting %v, ok %v, failed %v, cut %v, losses %d", id, s.record.Waiting, s.record.OK, s.record.Failed, s.record.Cut, s.record.Losses)
		for _, shard := range slices.Sorted(maps.Keys(s.record.Claims)) {
			text += fmt.Sprintf(", %d by %s", shard, s.record.Claims[shard].Instance)
		}
		if s.record.Cancelled != nil {
			text += ", cancelled"
		}
	case s.outcome != nil:
		text += fmt.Sprintf(": %s %s", s.outcome.State, s.outcome.Reason)
	}
	return text
}

// Requests is everything known about the requested runs of a job.
type Requests struct {
	One       bool // each run belongs to one shard
	Retries   int
	Backoff   time.Duration
	LostFails bool
	Keep      int
	Database  *Database // nil if nothing is recorded

	Wanted   []*Wanted
	Commands []*Command
	Changes  []RunChange // in order
}

// Want adds a request before it's made.
func (h *History) Want(job string, w *Wanted) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.Jobs[job].Requests
	r.Wanted = append(r.Wanted, w)
}

// Answer adds the answer to a request.
func (h *History) Answer(w *Wanted, t jobrun.Ticket, at time.Time) {
	h.locked(func() { w.ID, w.Repeated, w.Answered = t.ID, t.Repeated, at })
}

// Command adds an operator's command before it's executed.
func (h *History) Command(job string, c *Command) {
	h.mu.Lock()
	defer h.mu.Unlock()
	r := h.Jobs[job].Requests
	r.Commands = append(r.Commands, c)
}

// Obeyed adds the answer to a command.
func (h *History) Obeyed(c *Command, state jobrun.State, at time.Time) {
	h.locked(func() { c.State, c.Answered = state, at })
}

// The places where a run can be, named after their folders.
const (
	inBucket = "due"
	inQueue  = "queue"
	active   = "active"
	done     = "done"
)

// step is one change of a node of one run.
type step struct {
	RunChange
	place   string
	request *jobtree.RunRequest // in a bucket or the queue
	record  *jobtree.RunRecord  // of an active run
	outcome *jobtree.RunOutcome // of a run that has ended
}

// placed reports whether a step makes a run wait.
func (s step) placed() bool { return !s.Deleted && s.request != nil }

// requestedRun is a requested run as known from the tree and the handlers.
type requestedRun struct {
	id      string
	request jobtree.RunRequest // as it was placed
	placed  time.Time
	steps   []step
	outcome *jobtree.RunOutcome
	ended   time.Time
	last    int64  // the transaction that ended it
	runs    []*Run // by their calls
}

// requestedRuns follows the runs of a job through the tree, in the order of their requests. strays are
// the first changes of runs that were not placed.
func requestedRuns(requests *Requests, runs map[int][]*Run) (list []*requestedRun, strays []RunChange) {
	byID := make(map[string]*requestedRun)
	for _, c := range requests.Changes {
		id, s, ok := readStep(c)
		if !ok {
			continue
		}
		e := byID[id]
		if e == nil {
			e = &requestedRun{id: id, placed: c.At}
			switch {
			case s.placed():
				e.request = *s.request
			case s.record != nil:
				e.request = s.record.RunRequest
			}
			if !s.placed() {
				strays = append(strays, c)
			}
			byID[id], list = e, append(list, e)
		}
		if e.steps = append(e.steps, s); s.outcome != nil && !s.Deleted {
			e.outcome, e.ended, e.last = s.outcome, c.At, c.Zxid
		}
	}
	for _, shard := range slices.Sorted(maps.Keys(runs)) {
		for _, r := range runs[shard] {
			if e := byID[r.Request]; e != nil {
				e.runs = append(e.runs, r)
			}
		}
	}
	for _, e := range list {
		slices.SortStableFunc(e.runs, func(a, b *Run) int { return cmp.Or(a.called().Compare(b.called()), a.Start.Compare(b.Start)) })
	}
	return list, strays
}

// readStep returns the run of a change, or false if it belongs to none.
func readStep(c RunChange) (id string, s step, ok bool) {
	parts := strings.Split(c.Path, "/") // runs/PLACE/…
	if len(parts) < 3 {
		return "", s, false
	}
	s.RunChange, s.place = c, parts[1]
	name := parts[len(parts)-1]
	switch {
	case s.place == inBucket && len(parts) == 4, s.place == inQueue && len(parts) == 3:
		request, err := jobtree.DecodeRunRequest([]byte(c.Data))
		s.request = &request
		return request.ID, s, err == nil
	case s.place == active && len(parts) == 3:
		record, err := jobtree.DecodeRunRecord([]byte(c.Data))
		s.record = &record
		return record.ID, s, err == nil
	case s.place == done && len(parts) == 3:
		outcome, err := jobtree.DecodeRunOutcome([]byte(c.Data))
		s.outcome = &outcome
		_, id, named := jobtree.ParseRunEnded(name)
		return id, s, err == nil && named
	}
	return "", s, false
}

// began reports whether a step begins a run or begins it again.
func (e *requestedRun) began(k int) bool {
	s := e.steps[k]
	if s.record == nil || s.Deleted {
		return false
	}
	for _, before := range slices.Backward(e.steps[:k]) {
		if before.record != nil {
			return before.Deleted || before.record.Life != s.record.Life
		}
	}
	return true
}

// withVerdict returns the executions that ended with a verdict.
func (e *requestedRun) withVerdict(verdicts func(Verdict) bool) []*Run {
	var list []*Run
	for _, r := range e.runs {
		if r.Outcome == Completed && verdicts(r.Verdict) {
			list = append(list, r)
		}
	}
	return list
}

// started reports whether an operator started a run at once.
func (q *Requests) started(id string) bool {
	return slices.ContainsFunc(q.Commands, func(c *Command) bool { return c.ID == id && !c.Cancel })
}

// hold is a time in which only requests by a person may begin.
type hold struct {
	Span
	from, to int64 // transactions; to is 0 if it was never released
	what     jobtree.Hold
}

// keeping returns the holds that keep a run from beginning: none for runs requested by a person,
// and holds of the schedule for the next attempt of a fire time.
func keeping(holds []hold, r jobtree.RunRequest) (list []hold) {
	refire := r.By.Kind == "retry" && r.Fire != 0
	for _, h := range holds {
		if refire && h.what.Schedule() || !refire && !r.Manual && h.what.Requests() {
			list = append(list, h)
		}
	}
	return list
}

func (q *Requests) holds() []hold {
	var list []hold
	for _, c := range q.Changes {
		switch {
		case c.Path != "held":
		case c.Deleted:
			if last := len(list) - 1; last >= 0 && list[last].to == 0 {
				list[last].To, list[last].to = c.At, c.Zxid
			}
		default:
			list = append(list, hold{Span: Span{From: c.At}, from: c.Zxid, what: jobtree.DecodeHold([]byte(c.Data))})
		}
	}
	return list
}
