package judge_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// ledger is a handmade history of a job with requested runs.
type ledger struct {
	h    *judge.History
	q    *judge.Requests
	zxid int64
}

// newLedger returns a ledger with one run and one attempt, for a request with a key and one shard.
func newLedger() *ledger {
	l := &ledger{h: goodHistory(), zxid: 1000}
	l.q = &judge.Requests{Retries: 1, Backoff: time.Second, Keep: 10}
	l.h.Jobs["job"].Requests = l.q
	return l
}

type stored interface{ Encode() ([]byte, error) }

// write is one transaction: nodes that it writes, and nodes that it deletes first.
func (l *ledger) write(when float64, deleted []string, path string, data stored) {
	l.zxid++
	for _, p := range deleted {
		last := l.q.Changes[slices.IndexFunc(l.q.Changes, func(c judge.RunChange) bool { return c.Path == p })]
		for _, c := range l.q.Changes {
			if c.Path == p && !c.Deleted {
				last = c
			}
		}
		l.q.Changes = append(l.q.Changes, judge.RunChange{At: at(when), Zxid: l.zxid, Path: p, Deleted: true, Data: last.Data})
	}
	if data == nil {
		return
	}
	text, err := data.Encode()
	if err != nil {
		panic(err) // a constant
	}
	l.q.Changes = append(l.q.Changes, judge.RunChange{At: at(when), Zxid: l.zxid, Path: path, Data: string(text)})
}

func wanted(id string, when float64) jobtree.RunRequest {
	return jobtree.RunRequest{Version: 1, ID: id, Due: at(when).UnixMilli(), Assign: jobrun.AssignEach, Overlap: jobrun.OverlapQueue, Retries: 1, Attempt: 1, Key: "key", KeyFor: 10_000, Note: "note " + id, Shards: jobtree.RunShards{0}}
}

func queued(id string) string { return "runs/queue/" + jobtree.RunName(at(112), id) }

// ask adds an answered request.
func (l *ledger) ask(r jobtree.RunRequest, when float64) {
	l.write(when, nil, queued(r.ID), r)
	l.q.Wanted = append(l.q.Wanted, &judge.Wanted{Note: r.Note, Key: r.Key, Asked: at(when), Answered: at(when), ID: r.ID})
}

const all = "runs/active/all"

// open begins a run, and an instance claims its shard.
func (l *ledger) open(r jobtree.RunRequest, when float64) {
	record := jobtree.RunRecord{RunRequest: r, Life: fmt.Sprint(l.zxid), Total: 2, Waiting: r.Shards}
	l.write(when, []string{queued(r.ID)}, all, record)
	record.Waiting, record.Claims = nil, map[int]jobtree.RunClaim{0: {Instance: instance("a"), Session: "1", Nonce: fmt.Sprint(l.zxid)}}
	l.write(when, nil, all, record)
}

// execute adds an execution, confirmed by its marker.
func (l *ledger) execute(id, process string, from, to float64, verdict judge.Verdict) *judge.Run {
	r := ran(l.h, 0, process, tracing.SourceNormal, from, from, to)
	r.Request, r.Verdict, r.Token = id, verdict, 101
	return r
}

func (l *ledger) end(r jobtree.RunRequest, when float64, state jobrun.State) {
	l.endLate(r, when, when, state)
}

// endLate writes the outcome of a run later than the end named in it.
func (l *ledger) endLate(r jobtree.RunRequest, when, written float64, state jobrun.State) {
	l.write(written, []string{all}, fmt.Sprintf("runs/done/%013d-%s", at(when).UnixMilli(), r.ID), jobtree.RunOutcome{Version: 1, ID: r.ID, State: state, Ended: at(when).UnixMilli(), Key: r.Key, OK: len(r.Shards), FailedShards: failedOf(state, r)})
}

// failedOf returns the failed shards in an outcome.
func failedOf(state jobrun.State, r jobtree.RunRequest) jobtree.RunShards {
	if state == jobrun.Failed {
		return r.Shards
	}
	return nil
}

// good is a run without violations that works from 113 to 114.
func (l *ledger) good(id string, state jobrun.State, verdict judge.Verdict) jobtree.RunRequest {
	r := wanted(id, 112)
	l.ask(r, 112)
	l.open(r, 113)
	l.execute(id, "a", 113, 114, verdict)
	l.end(r, 114, state)
	return r
}

// late is a good run with an outcome that is written later than its named end.
func (l *ledger) late(end, written float64) {
	r := wanted("x", 112)
	l.ask(r, 112)
	l.open(r, 113)
	l.execute("x", "a", 113, 114, judge.Fine)
	l.endLate(r, end, written, jobrun.Succeeded)
}

// withItsKey is a run with the key of earlier runs that is cancelled a second later.
func (l *ledger) withItsKey(when float64) {
	l.write(when, nil, "runs/queue/5-0000000000001-y", wanted("y", when))
	l.write(when+1, []string{"runs/queue/5-0000000000001-y"}, fmt.Sprintf("runs/done/%013d-y", at(when+1).UnixMilli()), jobtree.RunOutcome{Version: 1, ID: "y", State: "cancelled"})
	l.q.Commands = []*judge.Command{{ID: "y", Cancel: true, Asked: at(when + 0.5), Answered: at(when + 1), State: jobrun.Cancelled}}
}

// again is a run with a failed first attempt and a later second one.
func (l *ledger) again(later float64) {
	r := wanted("x", 112)
	l.ask(r, 112)
	l.open(r, 113)
	l.execute("x", "a", 113, 114, judge.Fails)
	r.Attempt = 2
	l.write(114, []string{all}, queued("x"), r)
	l.open(r, later)
	l.execute("x", "a", later, later+1, judge.Fine)
	l.end(r, later+1, jobrun.Succeeded)
}

// failsBefore is the retry of a fire time that fails in its only attempt, with one attempt left. It
// expires at the next fire time.
func (l *ledger) failsBefore(next float64) {
	r := wanted("x", 112)
	r.By, r.Fire, r.Expires, r.Backoff, r.Key = jobtree.RunBy{Kind: "retry"}, at(110).UnixMilli(), at(next).UnixMilli(), 1000, ""
	l.ask(r, 112)
	l.open(r, 113)
	l.execute("x", "a", 113, 114, judge.Fails)
	l.end(r, 114, jobrun.Failed)
}

// resized gives the job one more shard until a time.
func (l *ledger) resized(when float64) {
	job := l.h.Jobs["job"]
	before := job.Settings[0]
	before.From, before.Items = at(when-1000), before.Items+1
	job.Settings[0].From = at(when)
	job.Settings = append([]judge.Settings{before}, job.Settings...)
}

func (l *ledger) off(from, to float64) {
	job := l.h.Jobs["job"]
	off, on := job.Settings[0], job.Settings[0]
	off.From, off.Off, on.From = at(from), []int{0}, at(to)
	job.Settings = append(job.Settings, off, on)
}

// requestCases are histories, and the invariant that each one breaks, or "".
var requestCases = map[string]struct {
	breaks string
	make   func(l *ledger)
}{
	"a run":   {"", func(l *ledger) { l.good("x", jobrun.Succeeded, judge.Fine) }},
	"a retry": {"", func(l *ledger) { l.again(116) }},
	"a retry before which the next fire time comes": {"", func(l *ledger) { l.failsBefore(115) }},
	"a retry that fails although it had time":       {"I17", func(l *ledger) { l.failsBefore(300) }},
	"a retry that comes too soon":                   {"I19", func(l *ledger) { l.again(114.5) }},
	"a key that is free again": {"", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.withItsKey(128)
	}},
	"a key whose time began before its outcome was written": {"", func(l *ledger) {
		l.late(114, 118)
		l.withItsKey(125)
	}},
	"an outcome that ends before its execution": {"I16", func(l *ledger) {
		l.late(110, 118)
		l.withItsKey(121)
	}},
	"a key that is not free": {"I16", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.write(116, nil, "runs/due/00/5-9999999999999-y", jobtree.RunRequest{Version: 1, ID: "y", Due: at(9999).UnixMilli(), Assign: "each", Key: "key"})
	}},
	"an answer without a run": {"I16", func(l *ledger) {
		l.q.Wanted = append(l.q.Wanted, &judge.Wanted{Note: "none", Asked: at(112), Answered: at(112), ID: "none"})
	}},
	"a request that is placed twice": {"I16", func(l *ledger) {
		r := l.good("x", jobrun.Succeeded, judge.Fine)
		r.ID, r.Key, r.Due = "y", "", at(9999).UnixMilli()
		l.write(115, nil, "runs/due/00/5-9999999999999-y", r)
	}},
	"a run that vanishes": {"I16", func(l *ledger) {
		r := wanted("x", 112)
		l.ask(r, 112)
		l.write(113, []string{queued("x")}, "", nil)
	}},
	"a run that is in two places": {"I16", func(l *ledger) {
		r := l.good("x", jobrun.Succeeded, judge.Fine)
		l.write(116, nil, queued("x"), r)
	}},
	"a success without an execution": {"I17", func(l *ledger) {
		r := wanted("x", 112)
		l.ask(r, 112)
		l.open(r, 113)
		l.end(r, 114, jobrun.Succeeded)
	}},
	"a success although a shard failed last": {"I17", func(l *ledger) {
		l.off(113.9, 114.1) // Disabling it later is no excuse.
		l.good("x", jobrun.Succeeded, judge.Fails)
	}},
	"an end that counts another number of shards": {"I17", func(l *ledger) {
		r := wanted("x", 112)
		l.ask(r, 112)
		r.Shards = jobtree.RunShards{0, 1}
		l.open(r, 113)
		l.execute("x", "a", 113, 114, judge.Fine)
		r.Shards = r.Shards[:1]
		l.end(r, 114, jobrun.Cancelled)
	}},
	"a failure by three losses of a shard":       {"", func(l *ledger) { l.losses(0, 0, 0) }},
	"a failure by one loss each of three shards": {"I17", func(l *ledger) { l.losses(0, 1, 2) }},
	"an end while a handler is at work": {"I17", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.execute("x", "a", 113.5, 115, judge.Fine).Item = 1
	}},
	"a failure with attempts left": {"I17", func(l *ledger) { l.good("x", jobrun.Failed, judge.Fails) }},
	"a failure with attempts left, minutes after an edit": {"I17", func(l *ledger) {
		l.resized(-248)
		l.good("x", jobrun.Failed, judge.Fails)
	}},
	"a failure minutes after an edit whose event was lost": {"", func(l *ledger) {
		l.resized(-248)
		l.h.Blind = true
		l.good("x", jobrun.Failed, judge.Fails)
	}},
	"a failure with attempts left of a shard that was disabled": {"", func(l *ledger) {
		l.off(113.9, 114.1)
		l.good("x", jobrun.Failed, judge.Fails)
	}},
	"a failure at the last attempt, after one at which a shard was disabled": {"", func(l *ledger) { l.twice(jobtree.RunShards{0}) }},
	"a failure at the second attempt, after one that did not fail":           {"I17", func(l *ledger) { l.twice(nil) }},
	"a failure for good":         {"", func(l *ledger) { l.good("x", jobrun.Failed, judge.Final) }},
	"cancelled without a reason": {"I17", func(l *ledger) { l.good("x", jobrun.Cancelled, judge.Fine) }},
	"skipped without a reason":   {"I17", func(l *ledger) { l.good("x", jobrun.Skipped, judge.Fine) }},
	"expired before its time":    {"I17", func(l *ledger) { l.good("x", jobrun.Expired, judge.Fine) }},
	"executed again after it succeeded": {"I18", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.execute("x", "a", 114.5, 115, judge.Fine)
	}},
	"executed again after a loss":        {"", func(l *ledger) { l.lost(false) }},
	"executed again although it may not": {"I18", func(l *ledger) { l.lost(true) }},
	"before its time": {"I19", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.q.Wanted[0].Delay = 2 * time.Second
	}},
	"begun by an operator": {"", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.q.Wanted[0].Delay = 2 * time.Second
		l.q.Commands = append(l.q.Commands, &judge.Command{ID: "x", Asked: at(112.5)})
	}},
	"while requests are held": {"I19", func(l *ledger) {
		l.write(110, nil, "held", jobtree.Hold{What: jobrun.HeldRequests})
		l.good("x", jobrun.Succeeded, judge.Fine)
	}},
	"while the schedule is held": {"", func(l *ledger) {
		l.write(110, nil, "held", jobtree.Hold{What: jobrun.HeldSchedule})
		l.good("x", jobrun.Succeeded, judge.Fine)
	}},
	"tried again after a cancel": {"I19", func(l *ledger) {
		r := wanted("x", 112)
		l.ask(r, 112)
		l.open(r, 113)
		l.write(113.5, nil, all, jobtree.RunRecord{RunRequest: r, Life: "1", Total: 2, Cancelled: &jobtree.RunCancel{By: "root"}})
		l.write(114, []string{all}, "runs/due/00/5-9999999999999-x", jobtree.RunRequest{Version: 1, ID: "x", Due: at(9999).UnixMilli(), Assign: "each"})
	}},
	"a cancel that a handler does not hear of": {"I19", func(l *ledger) {
		r := wanted("x", 112)
		l.ask(r, 112)
		l.open(r, 113)
		l.execute("x", "a", 113, 118, judge.Fine)
		l.write(113.5, nil, all, jobtree.RunRecord{RunRequest: r, Life: "1", Total: 2, Cancelled: &jobtree.RunCancel{By: "root"}})
		l.end(r, 118, jobrun.Succeeded)
	}},
	"it never ends": {"I20", func(l *ledger) { l.ask(wanted("x", 112), 112) }},
	"it is held to the end": {"", func(l *ledger) {
		l.write(110, nil, "held", jobtree.Hold{What: jobrun.HeldAll})
		l.ask(wanted("x", 112), 112)
	}},
	"a key is left behind": {"I13", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		node(l.h, judge.Node{Path: "/extension/runs/keys/0/00", Data: `{"id":"x"}`, Created: at(100)})
	}},
	"a key that is remembered": {"", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		node(l.h, judge.Node{Path: "/extension/runs/keys/0/00", Data: fmt.Sprintf(`{"id":"x","until":%d}`, at(150).UnixMilli()), Created: at(100)})
	}},
	"a history that has the end": {"", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.record("x", jobrun.Succeeded, false)
	}},
	"a history in which it runs": {"I24", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.record("x", jobrun.Running, false)
	}},
	"a history with another end": {"I24", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.record("x", jobrun.Failed, false)
	}},
	"a history that lacks a cancelled run": {"I24", func(l *ledger) { l.cancelled() }},
	"a history that lacks a cancelled run, whose event was lost": {"", func(l *ledger) {
		l.cancelled()
		l.h.Blind = true
	}},
	"a history in which its execution runs": {"I24", func(l *ledger) {
		l.good("x", jobrun.Succeeded, judge.Fine)
		l.record("x", jobrun.Succeeded, true)
	}},
	"a history in which a run works that waits": {"I24", func(l *ledger) {
		r := wanted("x", 112)
		l.ask(r, 112)
		l.open(r, 113)
		l.execute("x", "a", 113, 114, judge.Snoozes)
		r.Due, r.Snoozes = at(9999).UnixMilli(), 1
		l.write(114, []string{all}, "runs/due/00/5-9999999999999-x", r)
		l.record("x", jobrun.Running, false)
	}},
	"a record is left behind": {"I13", func(l *ledger) {
		node(l.h, judge.Node{Path: "/extension/runs/active/1", Data: "{}", Created: at(100)})
	}},
}

// cancelled is a waiting run that is cancelled, without any record.
func (l *ledger) cancelled() {
	r := wanted("x", 112)
	l.ask(r, 112)
	l.q.Commands = append(l.q.Commands, &judge.Command{ID: "x", Cancel: true, Asked: at(112.5), Answered: at(113), State: jobrun.Cancelled})
	l.write(113, []string{queued("x")}, fmt.Sprintf("runs/done/%013d-x", at(113).UnixMilli()), jobtree.RunOutcome{Version: 1, ID: "x", State: "cancelled", Reason: "cancelled by root"})
	l.q.Database = judge.NewDatabase()
}

// record adds a run with a state and its execution to the history.
func (l *ledger) record(id string, state jobrun.State, runs bool) {
	l.q.Database = judge.NewDatabase()
	l.h.Processes["a"] = &judge.Span{From: at(0)}
	run := tracing.RunRecord{ID: id, JobName: "job", State: state}
	execution := tracing.Execution{ID: id, JobName: "job", RunID: id, StartTime: at(113)}
	if state.Ended() {
		run.Ended = at(114)
	}
	if !runs {
		execution.CompleteTime = at(114)
	}
	ended := l.h.End
	l.h.End = time.Time{}
	l.h.Record("a", []tracing.Event{{Run: &run}, {Execution: &execution}})
	l.h.End = ended
}

// lost kills a run's process, and another one runs the shard again.
func (l *ledger) lost(fails bool) {
	r := wanted("x", 112)
	l.ask(r, 112)
	l.open(r, 113)
	l.execute("x", "a", 113, 114, judge.Fine).Outcome = judge.Died
	l.execute("x", "b", 115, 116, judge.Fine).Token = 102
	l.end(r, 116, jobrun.Succeeded)
	for _, other := range l.h.Runs {
		if other.Item == 0 && other.Start.After(at(116)) {
			other.Token = 103
		}
	}
	l.q.LostFails = fails
}

// losses loses one shard after the other, in a run that then fails.
func (l *ledger) losses(shards ...int) {
	r := wanted("x", 112)
	r.Shards = jobtree.RunShards{0, 1, 2}
	l.ask(r, 112)
	record := jobtree.RunRecord{RunRequest: r, Life: "1", Total: 3, Claims: make(map[int]jobtree.RunClaim)}
	for n := range 3 {
		record.Claims[n] = jobtree.RunClaim{Instance: instance("a"), Session: "1", Nonce: fmt.Sprint("first", n)}
	}
	l.write(113, []string{queued(r.ID)}, all, record)
	for k, n := range shards {
		record.Claims = maps.Clone(record.Claims)
		delete(record.Claims, n)
		record.Losses++
		record.Waiting = jobtree.RunShards{n}
		if k < len(shards)-1 {
			l.write(113.1+0.2*float64(k), nil, all, record)
			record.Claims[n] = jobtree.RunClaim{Instance: instance("a"), Session: "2", Nonce: fmt.Sprint("again", k)}
			record.Waiting = nil
			l.write(113.2+0.2*float64(k), nil, all, record)
		}
	}
	l.write(114, []string{all}, fmt.Sprintf("runs/done/%013d-x", at(114).UnixMilli()),
		jobtree.RunOutcome{Version: 1, ID: "x", State: jobrun.Failed, Ended: at(114).UnixMilli(), Key: r.Key, Failed: 3, FailedShards: r.Shards, Losses: record.Losses})
}

// twice is a run that fails in the second of two attempts. Some shards had already failed when the
// second one began.
func (l *ledger) twice(failed jobtree.RunShards) {
	r := wanted("x", 112)
	r.Shards = jobtree.RunShards{0, 1}
	l.ask(r, 112)
	record := jobtree.RunRecord{RunRequest: r, Life: "1", Total: 2, Failed: failed, Waiting: r.Shards.Without(failed...)}
	l.write(113, []string{queued(r.ID)}, all, record)
	l.write(113.5, []string{all}, queued(r.ID), r)
	l.write(113.6, []string{queued(r.ID)}, all, jobtree.RunRecord{RunRequest: r, Life: "1", Total: 2, Waiting: r.Shards})
	l.execute("x", "a", 113.7, 114, judge.Fine)
	second := l.execute("x", "b", 113.7, 114, judge.Fails)
	second.Item, second.Token = 1, 102
	l.write(114, []string{all}, fmt.Sprintf("runs/done/%013d-x", at(114).UnixMilli()),
		jobtree.RunOutcome{Version: 1, ID: "x", State: jobrun.Failed, Ended: at(114).UnixMilli(), Key: r.Key, OK: 1, Failed: 1, FailedShards: jobtree.RunShards{1}})
}

// The checker's verdicts on handmade histories.
func TestRequestedRunsAreJudged(t *testing.T) {
	t.Parallel()
	for name, c := range requestCases {
		l := newLedger()
		c.make(l)
		breaks(t, name, c.breaks, l.h)
	}
}
