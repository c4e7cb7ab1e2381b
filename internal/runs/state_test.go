package runs

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

var noon = time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)

func asked(assign jobrun.Assign, change ...func(r *jobtree.RunRequest)) jobtree.RunRequest {
	r := jobtree.RunRequest{Version: 1, ID: "id", At: 1, Due: noon.UnixMilli(), Expires: noon.Add(time.Hour).UnixMilli(), Assign: assign, Attempt: 1}
	for _, c := range change {
		c(&r)
	}
	return r
}

// begun returns a run of two shards, both at work on instance a.
func begun(r jobtree.RunRequest) jobtree.RunRecord {
	if r.Assign == jobrun.AssignOne {
		return Claim(OpenOne(r, 0, 2, "a", noon), []int{0}, jobtree.RunClaim{Instance: "a", Session: "1", Nonce: "n", At: 7})
	}
	return Claim(*Open(r, 2, nil, "a", noon).Record, []int{0, 1}, jobtree.RunClaim{Instance: "a", Session: "1", Nonce: "n", At: 7})
}

// stateOf returns the new state of a run.
func stateOf(next Next) jobrun.State {
	switch {
	case next.Outcome != nil:
		return next.Outcome.State
	// A run that is retried at once has the next millisecond in its name.
	case next.Again != nil && next.Again.Due > noon.UnixMilli()+1:
		return jobrun.Scheduled
	case next.Again != nil:
		return jobrun.Queued
	}
	return jobrun.Running
}

// transition is an event of a run, and the expected result.
type transition struct {
	next    Next
	want    jobrun.State
	reason  string
	attempt int
	losses  int
}

// transitions has the transitions of active runs (T5 to T16 of the specification). The store's
// tests cover waiting runs.
func transitions() map[string]transition {
	retries := func(r *jobtree.RunRequest) { r.Retries = 1 }
	slow := func(r *jobtree.RunRequest) { r.Retries, r.Backoff = 1, 60_000 }
	both := func(result Result) map[int]Result { return map[int]Result{0: result, 1: result} }
	end := func(r jobtree.RunRequest, results map[int]Result) Next { return End(begun(r), "n", results, noon) }
	cancelled := func(r jobtree.RunRequest) jobtree.RunRecord {
		return *Cancel(begun(r), jobtree.RunCancel{By: "root"}, noon).Record
	}
	each, one := asked(jobrun.AssignEach), asked(jobrun.AssignOne)
	return map[string]transition{
		"T5 opened":                            {Open(each, 2, nil, "a", noon), jobrun.Running, "", 1, 0},
		"T6 every shard is disabled":           {Open(each, 2, []int{0, 1}, "a", noon), jobrun.Skipped, "every shard of the run is disabled", 1, 0},
		"T6 a shard that doesn't exist":        {Open(asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Shards = []int{5} }), 2, nil, "a", noon), jobrun.Failed, "1 of 1 shards failed", 1, 0},
		"T9 each":                              {end(each, both(Result{})), jobrun.Succeeded, "", 1, 0},
		"T9 one":                               {end(one, both(Result{})), jobrun.Succeeded, "", 1, 0},
		"T9 half of it":                        {end(each, map[int]Result{0: {}}), jobrun.Running, "", 1, 0},
		"T9 some had nothing to do":            {end(each, map[int]Result{0: {}, 1: {Skipped: true}}), jobrun.Succeeded, "", 1, 0},
		"T10":                                  {end(each, both(Result{Skipped: true})), jobrun.Skipped, "no shard had anything to do", 1, 0},
		"T11 at once":                          {end(asked(jobrun.AssignEach, retries), both(Result{Err: "x"})), jobrun.Queued, "", 2, 0},
		"T11 after a pause":                    {end(asked(jobrun.AssignOne, slow), both(Result{Err: "x"})), jobrun.Scheduled, "", 2, 0},
		"T11 at the time the handler returned": {end(asked(jobrun.AssignEach, retries), both(Result{Err: "x", After: time.Second})), jobrun.Scheduled, "", 2, 0},
		"T12":                                  {end(each, both(Result{Snooze: time.Second})), jobrun.Scheduled, "", 1, 0},
		"T13 each, the process ends":           {end(each, both(Result{Stopped: true})), jobrun.Running, "", 1, 0},
		"T13 one, the process ends":            {end(one, both(Result{Stopped: true})), jobrun.Queued, "", 1, 0},
		"T13 each, lost":                       {Lose(begun(each), []int{0, 1}, false, noon), jobrun.Running, "", 1, 1},
		"T13 one, lost":                        {Lose(begun(one), []int{0}, false, noon), jobrun.Queued, "", 1, 1},
		"T14":                                  {end(each, map[int]Result{0: {}, 1: {Err: "x"}}), jobrun.Failed, "1 of 2 shards failed", 1, 0},
		"T14 permanent":                        {end(asked(jobrun.AssignEach, retries), map[int]Result{0: {Err: "y"}, 1: {Err: "x", Permanent: true}}), jobrun.Failed, "2 of 2 shards failed", 1, 0},
		"T15 lost once too often":              {Lose(begun(asked(jobrun.AssignOne, func(r *jobtree.RunRequest) { r.Losses = 2 })), []int{0}, false, noon), jobrun.Failed, "lost: a lost its session during the run", 1, 3},
		"T15 lost, never again":                {Lose(begun(asked(jobrun.AssignEach, retries)), []int{0, 1}, true, noon), jobrun.Failed, "lost: a lost its session during the run", 1, 1},
		"T15 the job has fewer shards":         {Shrink(*Open(each, 2, nil, "a", noon).Record, 1, noon), jobrun.Failed, "2 of 2 shards failed", 1, 0},
		"T16 nothing runs":                     {Cancel(*Open(each, 2, nil, "a", noon).Record, jobtree.RunCancel{By: "root", Reason: "why"}, noon), jobrun.Cancelled, "cancelled by root: why", 1, 0},
		"T16 asked":                            {Cancel(begun(each), jobtree.RunCancel{By: "root"}, noon), jobrun.Running, "", 1, 0},
		"T16 obeyed":                           {End(cancelled(asked(jobrun.AssignEach, retries)), "n", both(Result{Err: "x", Cut: true}), noon), jobrun.Cancelled, "cancelled by root", 1, 0},
		"T16 too late":                         {End(cancelled(each), "n", both(Result{}), noon), jobrun.Succeeded, "the request to cancel it came too late", 1, 0},
		"T16 failed before":                    {End(cancelled(asked(jobrun.AssignEach, retries)), "n", both(Result{Err: "x"}), noon), jobrun.Cancelled, "cancelled by root", 1, 0},
		"T16 snoozed before":                   {End(cancelled(each), "n", both(Result{Snooze: time.Second}), noon), jobrun.Cancelled, "cancelled by root", 1, 0},
		"T16 stopped before":                   {End(cancelled(one), "n", both(Result{Stopped: true}), noon), jobrun.Cancelled, "cancelled by root", 1, 0},
		"T16 lost before":                      {Lose(cancelled(one), []int{0}, false, noon), jobrun.Cancelled, "cancelled by root", 1, 1},
		"no longer its claim":                  {End(begun(each), "other", both(Result{Err: "x"}), noon), jobrun.Running, "", 1, 0},
		"of a shard that it has not":           {Lose(begun(each), []int{7}, false, noon), jobrun.Running, "", 1, 0},
	}
}

// TestTransitions checks the result of each event.
func TestTransitions(t *testing.T) {
	t.Parallel()
	for name, c := range transitions() {
		if got := stateOf(c.next); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
			continue
		}
		var reason string
		var attempt, losses int
		switch {
		case c.next.Outcome != nil:
			reason, attempt, losses = c.next.Outcome.Reason, c.next.Outcome.Attempt, c.next.Outcome.Losses
		case c.next.Again != nil:
			attempt, losses = c.next.Again.Attempt, c.next.Again.Losses
		default:
			attempt, losses = c.next.Record.Attempt, c.next.Record.Losses
		}
		if reason != c.reason || attempt != c.attempt || losses != c.losses {
			t.Errorf("%s: %q, attempt %d, %d losses", name, reason, attempt, losses)
		}
	}
}

// TestV52RemovedShards: if the job no longer has a run's shard, the run fails for good
// despite remaining attempts, because they wouldn't find the shard either.
func TestV52RemovedShards(t *testing.T) {
	t.Parallel()
	wanted := asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Retries, r.Shards = 3, jobtree.RunShards{4} })
	for name, next := range map[string]Next{
		"before it begins": Open(wanted, 2, nil, "a", noon),
		"while it waits":   Shrink(*Open(wanted, 5, nil, "a", noon).Record, 2, noon),
	} {
		if stateOf(next) != jobrun.Failed || next.Outcome.Attempt != 1 {
			t.Errorf("%s: %+v", name, next)
		}
	}
}

// TestRetryHasWhatFailed: a retry has the failed and snoozed shards, is due when the last of them
// may run, and expires after the same time as before.
func TestRetryHasWhatFailed(t *testing.T) {
	t.Parallel()
	r := asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Retries, r.Backoff = 3, 1000 })
	record := Claim(*Open(r, 4, nil, "a", noon).Record, []int{0, 1, 2, 3}, jobtree.RunClaim{Nonce: "n"})
	again := End(record, "n", map[int]Result{0: {}, 1: {Err: "x"}, 2: {Skipped: true}, 3: {Snooze: time.Minute}}, noon).Again
	if again == nil || again.Shards.String() != "1,3" || again.SoFar.OK.String() != "0" || again.SoFar.Skipped.String() != "2" ||
		again.Due != noon.Add(time.Minute).UnixMilli() || again.Expires != noon.Add(time.Minute+time.Hour).UnixMilli() || again.Error != "x" {
		t.Fatalf("%+v", again)
	}
	next := Open(*again, 4, nil, "b", noon).Record
	if next.Waiting.String() != "1,3" || next.OK.String() != "0" || next.Skipped.String() != "2" {
		t.Errorf("%+v", next)
	}
	done := End(Claim(*next, []int{1, 3}, jobtree.RunClaim{Nonce: "m"}), "m", map[int]Result{1: {}, 3: {}}, noon).Outcome
	if done.OK != 3 || done.Skipped != 1 || done.Attempt != 2 {
		t.Errorf("%+v", done)
	}
}

// TestEveryRunEnds: for any events in any order, a run should end exactly once, each shard should
// be settled once, and the run should end when all shards have. Its outcome's counts match its
// shards, and it hasn't succeeded if a shard failed last.
func TestEveryRunEnds(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		shards := rapid.IntRange(1, 6).Draw(t, "shards")
		r := asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Retries = rapid.IntRange(0, 2).Draw(t, "retries") })
		next := Open(r, shards, nil, "a", noon)
		failed := make(map[int]bool) // by the last result of their handlers
		for step := 0; next.Outcome == nil; step++ {
			if step > 200 {
				t.Fatalf("it goes on and on: %+v", next)
			}
			if next.Again != nil {
				next = resumed(t, *next.Again, shards)
				continue
			}
			record := *next.Record
			claimed := slices.Sorted(func(yield func(int) bool) {
				for n := range record.Claims {
					if !yield(n) {
						return
					}
				}
			})
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				if record.Cancelled == nil {
					next = Cancel(record, jobtree.RunCancel{By: "root"}, noon)
				}
			case 1:
				if len(claimed) > 0 {
					next = Lose(record, claimed[:1], false, noon)
				}
			default:
				if len(record.Waiting) > 0 {
					record = Claim(record, record.Waiting, jobtree.RunClaim{Nonce: "n", At: 7})
					next = Next{Record: &record}
					continue
				}
				result := rapid.SampledFrom(someResults).Draw(t, "result")
				if !result.Stopped && result.Snooze == 0 {
					failed[claimed[0]] = result.Err != ""
				}
				next = End(record, "n", map[int]Result{claimed[0]: result}, noon)
			}
			if record := next.Record; record != nil {
				checkRecord(t, *record)
			}
		}
		o := next.Outcome
		if o.OK+o.Failed+o.Skipped+o.Cut != shards {
			t.Fatalf("%d shards: %+v", shards, o)
		}
		if slices.Contains(slices.Collect(maps.Values(failed)), true) && o.State == jobrun.Succeeded {
			t.Fatalf("%v: %+v", failed, o)
		}
	})
}

// someResults are handler results, the usual ones more often.
var someResults = []Result{
	{}, {}, {}, {Err: "x"}, {Err: "x"}, {Err: "x", Permanent: true}, {Stopped: true}, {Skipped: true}, {Snooze: time.Second},
}

// resumed begins a run's next attempt with some disabled shards. Sometimes the run expires instead.
func resumed(t *rapid.T, again jobtree.RunRequest, shards int) Next {
	if rapid.IntRange(0, 9).Draw(t, "expires") == 0 {
		o := ExpiredOutcome(again, noon)
		return Next{Outcome: &o}
	}
	off := rapid.SliceOfDistinct(rapid.IntRange(0, shards-1), rapid.ID[int]).Draw(t, "disabled")
	return Open(again, shards, off, "a", noon)
}

// checkRecord checks that a record has each shard once, and survives encoding.
func checkRecord(t *rapid.T, record jobtree.RunRecord) {
	all := slices.Concat(record.Waiting, record.OK, record.Failed, record.Skipped, record.Cut)
	for n := range record.Claims {
		all = append(all, n)
	}
	if slices.Sort(all); len(slices.Compact(slices.Clone(all))) != len(all) {
		t.Fatalf("the record has a shard twice: %+v", record)
	}
	data, err := record.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if again, err := jobtree.DecodeRunRecord(data); err != nil || again.Waiting.String() != record.Waiting.String() {
		t.Fatalf("%s: %v", data, err)
	}
}

// TestTextsOfARecordAreBounded: handlers' texts are cut, even inside invalid UTF-8, and only some
// of them stay.
func TestTextsOfARecordAreBounded(t *testing.T) {
	t.Parallel()
	r := asked(jobrun.AssignEach)
	record := *Open(r, 1000, nil, "a", noon).Record
	record = Claim(record, record.Waiting, jobtree.RunClaim{Nonce: "n", At: 7})
	results := make(map[int]Result)
	for n := range 999 {
		results[n] = Result{Err: strings.Repeat("ä\xff", 5000)}
	}
	record = *End(record, "n", results, noon).Record
	data, err := record.Encode()
	if err != nil || len(data) > MaxRecord {
		t.Errorf("the record has %d bytes, %v", len(data), err)
	}
	results = map[int]Result{999: {Value: json.RawMessage(`"` + strings.Repeat("x", 3000) + `"`)}}
	outcome := End(record, "n", results, noon).Outcome
	if data, err := outcome.Encode(); err != nil || len(data) > 8<<10 || outcome.Failed != 999 || outcome.OK != 1 || len(outcome.Errors) != 5 {
		t.Errorf("the outcome has %d bytes, %d failed: %v", len(data), outcome.Failed, err)
	}
}

// TestOutcomeNamesWhatToRepeat: a short request and its unsuccessful shards stay with the outcome.
func TestOutcomeNamesWhatToRepeat(t *testing.T) {
	now := time.UnixMilli(1795338000000)
	outcome := func(shards int, params string) jobtree.RunOutcome {
		record := jobtree.RunRecord{RunRequest: jobtree.RunRequest{Version: 1, ID: "r", Attempt: 1, Params: json.RawMessage(params), Shards: jobtree.RunShards{0, 1, 2}}}
		for n := range shards {
			record.Failed = append(record.Failed, 2*n)
		}
		record.Cut = jobtree.RunShards{1}
		o := Settle(record, now).Outcome
		data, err := o.Encode()
		if err != nil || len(data) > 8<<10 {
			t.Fatalf("%v: %d bytes", err, len(data))
		}
		read, err := jobtree.DecodeRunOutcome(data)
		if err != nil {
			t.Fatal(err)
		}
		return read
	}
	few := outcome(3, `{"year":2026}`)
	if !slices.Equal(few.FailedShards, []int{0, 2, 4}) || !slices.Equal(few.CutShards, []int{1}) || !slices.Equal(few.Shards, []int{0, 1, 2}) || string(few.Params) != `{"year":2026}` || !few.HasParams {
		t.Errorf("few: %+v", few)
	}
	many := outcome(5000, `{"text":"`+strings.Repeat("x", 2000)+`"}`)
	if many.FailedShards != nil || many.CutShards != nil || many.Failed != 5000 || many.Params != nil || !many.HasParams {
		t.Errorf("many: %+v", many)
	}
}
