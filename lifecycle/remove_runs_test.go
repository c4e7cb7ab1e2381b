package lifecycle_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// ledger is a history in memory.
type ledger struct {
	mu    sync.Mutex
	runs  map[string]tracing.RunRecord
	steps map[string]tracing.RunStep
	err   error
	never string // the id of a run that it rejects
}

func (l *ledger) Write(_ context.Context, events []tracing.Event) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err != nil {
		return l.err
	}
	for _, e := range events {
		if e.Run != nil && e.Run.ID == l.never {
			return fmt.Errorf("%w: run %s", tracing.ErrRejected, l.never)
		}
	}
	for _, e := range events {
		switch {
		case e.Run != nil:
			l.runs[e.Run.ID] = *e.Run
		case e.Step != nil:
			l.steps[e.Step.RunID] = *e.Step
		}
	}
	return nil
}

func newLedger() *ledger {
	return &ledger{runs: make(map[string]tracing.RunRecord), steps: make(map[string]tracing.RunStep)}
}

func (b bundle) submit(t *testing.T, r jobrun.Request) string {
	t.Helper()
	ticket, err := b.operator.SubmitRun(t.Context(), "j", r)
	if err != nil {
		t.Fatal(err)
	}
	return ticket.ID
}

// begin writes the record of a run that an instance works on.
func (b bundle) begin(t *testing.T, id, instance string) {
	t.Helper()
	job, now := b.NS.Job("j"), time.Now()
	store := runs.Store{Client: b.Client, Tree: job, Now: time.Now}
	next := runs.Open(jobtree.RunRequest{Version: 1, ID: id, At: 7, Due: 7, Assign: jobrun.AssignEach, Attempt: 1}, 2, nil, instance, now)
	record := runs.Claim(*next.Record, []int{0}, jobtree.RunClaim{Instance: instance, Nonce: "n", At: now.UnixMilli()})
	ops, err := store.Begin(job.RunsActiveAll(), record)
	if err == nil {
		err = b.Client.Multi(t.Context(), ops...)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestW15RemoveEndsRuns: each run of a removed job should end in the history, in every state.
func TestW15RemoveEndsRuns(t *testing.T) {
	each(t, fmt.Sprintf("j/config = %q", config("j", 2)), func(t *testing.T, b bundle) {
		ctx := t.Context()
		want := map[string]string{
			b.submit(t, jobrun.Request{Params: json.RawMessage(`{"month":10}`), Note: "by hand"}): "",
			b.submit(t, jobrun.Request{Delay: time.Hour, Key: "later"}):                           "",
			"retried": "", "begun": "",
		}
		again := jobtree.RunRequest{
			Version: 1, ID: "retried", At: 7, Due: time.Now().Add(time.Minute).UnixMilli(), Assign: jobrun.AssignEach, Attempt: 2, Began: 8,
			Shards: jobtree.RunShards{1}, FailedBefore: jobtree.RunShards{1}, SoFar: &jobtree.RunSoFar{OK: jobtree.RunShards{0}},
		}
		data, err := again.Encode()
		if err != nil {
			t.Fatal(err)
		}
		b.Plant(t, fmt.Sprintf("j/extension/runs/queue/%s = %q\nj/extension/runs/queue/stranger = x", jobtree.RunName(time.UnixMilli(again.Due), again.ID), data))
		b.begin(t, "begun", "10.0.0.9@-@9")
		earlier := b.submit(t, jobrun.Request{})
		if _, err := b.operator.CancelRun(ctx, "j", earlier, jobrun.By{Name: "eve"}, "a mistake"); err != nil {
			t.Fatal(err)
		}
		if err := b.operator.Hold(ctx, "j", jobrun.HeldAll, jobrun.By{Name: "eve"}, ""); err != nil {
			t.Fatal(err)
		}
		want[b.submit(t, jobrun.Request{Delay: time.Millisecond})] = ""
		history := newLedger()
		out, err := b.operator.RemoveWith(ctx, "j", lifecycle.Removal{By: jobrun.By{Name: "ann"}, History: history})
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", CancelledRuns: len(want)})
		b.wantTree(t, "j", "")
		for id := range want {
			want[id] = "cancelled by ann: the job was removed"
		}
		want[earlier] = "cancelled by eve: a mistake"
		for id, reason := range want {
			run, step := history.runs[id], history.steps[id]
			if run.State != jobrun.Cancelled || run.Reason != reason || run.Ended.IsZero() || run.JobName != "j" {
				t.Errorf("run %s: %+v", id, run)
			}
			if step.State != jobrun.Cancelled || step.Message != reason || step.Actor != "ann" {
				t.Errorf("run %s: the step %+v", id, step)
			}
			if run.Note == "by hand" && run.Params != `{"month":10}` {
				t.Errorf("run %s has lost its parameters: %q", id, run.Params)
			}
		}
		if len(history.runs) != len(want) {
			t.Errorf("%d runs are recorded, want %d", len(history.runs), len(want))
		}
		if r := history.runs["retried"]; r.OK != 1 || r.Failed != 1 || r.Attempt != 2 {
			t.Errorf("the retried run: %+v", r)
		}
	})
}

// TestW15ForceRemoveEndsRuns: a live instance can't write the end of its run any more.
func TestW15ForceRemoveEndsRuns(t *testing.T) {
	each(t, twoHosts("j")+"j/extension/runs/active\nj/extension/runs/done\nj/extension/runs/cancels", func(t *testing.T, b bundle) {
		b.begin(t, "begun", "10.0.0.1@-@7")
		history := newLedger()
		out, err := b.operator.RemoveWith(t.Context(), "j", lifecycle.Removal{History: history})
		wantError(t, err, lifecycle.ErrConflict, "2 instances are live")
		if out.CancelledRuns != 0 || len(history.runs) != 0 {
			t.Errorf("a refused removal ended runs: %+v, %v", out, history.runs)
		}
		out, err = b.operator.RemoveWith(t.Context(), "j", lifecycle.Removal{Force: true, History: history})
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", CancelledRuns: 1})
		if r := history.runs["begun"]; r.Reason != "cancelled: the job was removed" || r.Started.IsZero() {
			t.Errorf("%+v", r)
		}
	})
}

// TestW15RunArrivesDuringRemoval: a run that is accepted during the removal should be cancelled too.
func TestW15RunArrivesDuringRemoval(t *testing.T) {
	for name, waiting := range map[string]int{"while the others are cancelled": 1, "right before the tree is deleted": 0} {
		t.Run(name, func(t *testing.T) {
			b, srv := fake(t, fmt.Sprintf("j/config = %q", config("j", 2)))
			b.submit(t, jobrun.Request{Delay: time.Hour})
			if waiting == 0 {
				if _, err := b.operator.CancelWaitingRuns(t.Context(), "j", jobrun.Waiting{Most: 9}, jobrun.By{}, ""); err != nil {
					t.Fatal(err)
				}
			}
			other := lifecycle.NewOperator(treetest.Registry(treetest.Connect(t, b.Addr), b.NS))
			var late jobrun.Ticket
			onceBefore(t, b, srv, multis, func() {
				var err error
				if late, err = other.SubmitRun(context.Background(), "j", jobrun.Request{}); err != nil {
					t.Error(err)
				}
			})
			history := newLedger()
			out, err := b.operator.RemoveWith(t.Context(), "j", lifecycle.Removal{History: history})
			wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", CancelledRuns: waiting + 1})
			b.wantTree(t, "j", "")
			if history.runs[late.ID].State != jobrun.Cancelled {
				t.Errorf("the late run: %+v", history.runs[late.ID])
			}
			_, err = other.SubmitRun(t.Context(), "j", jobrun.Request{})
			wantError(t, err, lifecycle.ErrNotFound)
		})
	}
}

// TestW15RemoveOfADamagedTree: despite missing or unreadable nodes, runs should end and the job
// should be removable.
func TestW15RemoveOfADamagedTree(t *testing.T) {
	each(t, fmt.Sprintf("j/config = %q", config("j", 2)), func(t *testing.T, b bundle) {
		for path, id := range map[string]string{"queue/" + jobtree.RunName(time.UnixMilli(7), "a"): "a", "due/03/" + jobtree.RunName(time.UnixMilli(7), "b"): "../b"} {
			data, err := jobtree.RunRequest{Version: 1, ID: id, Due: 7}.Encode()
			if err != nil {
				t.Fatal(err)
			}
			b.Plant(t, fmt.Sprintf("j/extension/runs/%s = %q", path, data))
		}
		record, err := jobtree.RunRecord{
			RunRequest: jobtree.RunRequest{Version: 1, ID: "c", Assign: jobrun.AssignEach}, Life: "k", Total: 2, Waiting: jobtree.RunShards{0, 1},
		}.Encode()
		if err != nil {
			t.Fatal(err)
		}
		b.Plant(t, fmt.Sprintf("j/extension/runs/active/all = %q\nj/extension/runs/active/stranger = x\nj/extension/runs/queue/5-0000000000001-x = x", record))
		history := newLedger()
		out, err := b.operator.RemoveWith(t.Context(), "j", lifecycle.Removal{History: history})
		wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", CancelledRuns: 2})
		b.wantTree(t, "j", "")
		if len(history.runs) != 2 || history.runs["a"].Ended.IsZero() || history.runs["c"].Ended.IsZero() {
			t.Errorf("%+v", history.runs)
		}
	})
}

// TestW15HistoryRejectsARun: if one run can't be stored, the others should be, and the job is removed.
func TestW15HistoryRejectsARun(t *testing.T) {
	b, _ := fake(t, fmt.Sprintf("j/config = %q", config("j", 2)))
	var ids []string
	for range 5 {
		ids = append(ids, b.submit(t, jobrun.Request{}))
	}
	history := newLedger()
	history.never = ids[2]
	out, err := b.operator.RemoveWith(t.Context(), "j", lifecycle.Removal{History: history})
	wantOutcome(t, out, err, lifecycle.Outcome{Job: "j", CancelledRuns: 5})
	if _, stored := history.runs[ids[2]]; stored || len(history.runs) != 4 {
		t.Errorf("stored: %v", history.runs)
	}
}

// TestW15HistoryIsAway: if runs can't be recorded, the job stays and can be removed later.
func TestW15HistoryIsAway(t *testing.T) {
	b, _ := fake(t, fmt.Sprintf("j/config = %q", config("j", 2)))
	id, history := b.submit(t, jobrun.Request{}), newLedger()
	history.err = errors.New("the disk is full")
	out, err := b.operator.RemoveWith(t.Context(), "j", lifecycle.Removal{History: history})
	wantError(t, err, lifecycle.ErrHistory, "the disk is full", "emove it again")
	if _, unread := b.operator.StoredConfig(t.Context(), "j"); out.CancelledRuns != 1 || unread != nil {
		t.Errorf("%+v; the configuration: %v", out, unread)
	}
	history.err = nil
	if _, err := b.operator.RemoveWith(t.Context(), "j", lifecycle.Removal{History: history}); err != nil {
		t.Fatal(err)
	}
	if history.runs[id].State != jobrun.Cancelled {
		t.Errorf("%+v", history.runs[id])
	}
}
