package runs

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// claimedBy returns a run in which each instance works on one shard.
func claimedBy(r jobtree.RunRequest, instances ...string) jobtree.RunRecord {
	record := *Open(r, len(instances), nil, "a", noon).Record
	for n, id := range instances {
		record = Claim(record, []int{n}, jobtree.RunClaim{Instance: id, Session: "1", Nonce: fmt.Sprint(id, n)})
	}
	return record
}

// loses removes shards from a run several times. After each, an instance claims the waiting shards
// again.
func loses(t *testing.T, r jobtree.RunRecord, each ...[]int) Next {
	t.Helper()
	var next Next
	for k, shards := range each {
		if next = Lose(r, shards, false, noon); next.Record == nil {
			if k < len(each)-1 {
				t.Fatalf("it ended after %d of %d losses: %+v", k+1, len(each), next.Outcome)
			}
			return next
		}
		r = Claim(*next.Record, next.Record.Waiting, jobtree.RunClaim{Instance: "b", Session: "2", Nonce: fmt.Sprint("n", k)})
		next.Record = &r
	}
	return next
}

// TestW75LossesCountPerShard: no matter how many instances lose their session, a run should only
// fail once the same shard is lost for the third time.
func TestW75LossesCountPerShard(t *testing.T) {
	t.Parallel()
	each := asked(jobrun.AssignEach)
	four := []string{"a", "b", "c", "d"}
	retried := func() jobtree.RunRecord { // Shard 0 was lost twice, then it failed.
		r := *loses(t, claimedBy(asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Retries = 1 }), "a", "b"), []int{0}, []int{0}).Record
		r = *End(r, r.Claims[1].Nonce, map[int]Result{1: {}}, noon).Record
		again := End(r, r.Claims[0].Nonce, map[int]Result{0: {Err: "x"}}, noon).Again
		return Claim(*Open(*again, 2, nil, "a", noon).Record, []int{0}, jobtree.RunClaim{Instance: "c", Nonce: "last"})
	}
	for name, c := range map[string]struct {
		next   Next
		losses int
		failed string
	}{
		"each instance once, one after the other":   {loses(t, claimedBy(each, four...), []int{0}, []int{1}, []int{2}, []int{3}), 4, ""},
		"each instance once, seen at once":          {loses(t, claimedBy(each, four...), []int{0, 1, 2, 3}), 4, ""},
		"two shards of one instance":                {Lose(begun(each), []int{0, 1}, false, noon), 1, ""},
		"one shard three times":                     {loses(t, claimedBy(each, "a"), []int{0}, []int{0}, []int{0}), 3, "0"},
		"one of two three times, the other goes on": {loses(t, claimedBy(each, "a", "b"), []int{0}, []int{0}, []int{0}), 3, "0"},
		"two shards twice each":                     {loses(t, claimedBy(each, "a", "b"), []int{0}, []int{1}, []int{0}, []int{1}), 4, ""},
		"in more than one attempt":                  {loses(t, retried(), []int{0}), 3, "0"},
		"a record of an earlier version":            {loses(t, claimedBy(asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Losses = 2 }), "a"), []int{0}), 3, ""},
	} {
		var losses int
		var failed jobtree.RunShards
		if o := c.next.Outcome; o != nil {
			losses, failed = o.Losses, o.FailedShards
			if o.Reason != c.next.Outcome.Errors[failed[0]] || !strings.Contains(o.Reason, "lost its session") {
				t.Errorf("%s: the reason is %q, the errors %v", name, o.Reason, o.Errors)
			}
		} else {
			losses, failed = c.next.Record.Losses, c.next.Record.Failed
		}
		if losses != c.losses || failed.String() != c.failed {
			t.Errorf("%s: %d losses, shards %s failed, want %d and %q", name, losses, failed, c.losses, c.failed)
		}
	}
}

// TestW75LossesOnTheWire: the counts are separate fields, which earlier versions keep.
func TestW75LossesOnTheWire(t *testing.T) {
	t.Parallel()
	record := *loses(t, claimedBy(asked(jobrun.AssignEach), "a", "b", "c"), []int{0, 1, 2}, []int{1}).Record
	data, err := record.Encode()
	if want := `"losses":4,"shardLosses":["0-2","1"]`; err != nil || !strings.Contains(string(data), want) {
		t.Errorf("%s, %v; want %s", data, err, want)
	}
	read, err := jobtree.DecodeRunRecord(data)
	if diff := cmp.Diff(record.ShardLosses, read.ShardLosses); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

// failedOnce returns the request for a second attempt of four shards: shard 0 succeeded, 1 and 2
// failed, 3 was snoozed.
func failedOnce(t *testing.T, retries int) jobtree.RunRequest {
	t.Helper()
	r := asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Retries = retries })
	record := Claim(*Open(r, 4, nil, "a", noon).Record, []int{0, 1, 2, 3}, jobtree.RunClaim{Nonce: "n", At: 7})
	again := End(record, "n", map[int]Result{0: {}, 1: {Err: "x"}, 2: {Err: "x"}, 3: {Snooze: time.Second}}, noon).Again
	if again == nil || again.FailedBefore.String() != "1-2" || again.Shards.String() != "1-3" {
		t.Fatalf("%+v", again)
	}
	return *again
}

// settled ends all shards of a run that has begun.
func settled(next Next, result func(n int) Result) Next {
	record := Claim(*next.Record, next.Record.Waiting, jobtree.RunClaim{Nonce: "m"})
	results := make(map[int]Result)
	for n := range record.Claims {
		results[n] = result(n)
	}
	return End(record, "m", results, noon)
}

func fine(int) Result { return Result{} }

// TestW76FailureStays: if a shard failed in an earlier attempt and can't take part in a later one,
// it should not count as skipped.
func TestW76FailureStays(t *testing.T) {
	t.Parallel()
	retry := asked(jobrun.AssignEach, func(r *jobtree.RunRequest) {
		r.Attempt, r.By.Kind, r.Shards, r.FailedBefore = 2, ByRetry, jobtree.RunShards{0, 1}, jobtree.RunShards{0, 1}
	})
	for name, c := range map[string]struct {
		next  Next
		state jobrun.State
		want  [4]int // succeeded, failed, skipped and cut shards
	}{
		"disabled":                      {settled(Open(failedOnce(t, 1), 4, []int{1}, "a", noon), fine), jobrun.Failed, [4]int{3, 1, 0, 0}},
		"disabled, attempts left":       {settled(Open(failedOnce(t, 2), 4, []int{1}, "a", noon), fine), jobrun.Scheduled, [4]int{}},
		"all that is left is disabled":  {Open(failedOnce(t, 2), 4, []int{1, 2, 3}, "a", noon), jobrun.Failed, [4]int{1, 2, 1, 0}},
		"put off, then disabled":        {settled(Open(failedOnce(t, 1), 4, []int{3}, "a", noon), fine), jobrun.Succeeded, [4]int{3, 0, 1, 0}},
		"the job has fewer shards":      {Open(failedOnce(t, 2), 1, nil, "a", noon), jobrun.Failed, [4]int{1, 3, 0, 0}},
		"the job lacks one of them":     {settled(Open(failedOnce(t, 2), 2, nil, "a", noon), fine), jobrun.Failed, [4]int{2, 2, 0, 0}},
		"disabled already at first":     {settled(Open(asked(jobrun.AssignEach), 2, []int{1}, "a", noon), fine), jobrun.Succeeded, [4]int{1, 0, 1, 0}},
		"nothing left to do":            {settled(Open(failedOnce(t, 1), 4, nil, "a", noon), func(int) Result { return Result{Skipped: true} }), jobrun.Succeeded, [4]int{1, 0, 3, 0}},
		"the retry of a fire, one left": {settled(Open(retry, 2, []int{1}, "a", noon), fine), jobrun.Failed, [4]int{1, 1, 0, 0}},
	} {
		if got := stateOf(c.next); got != c.state {
			t.Errorf("%s: %s, want %s", name, got, c.state)
		}
		if o := c.next.Outcome; o != nil && [4]int{o.OK, o.Failed, o.Skipped, o.Cut} != c.want {
			t.Errorf("%s: %+v, want %v", name, o, c.want)
		}
	}
	ended := settled(Open(failedOnce(t, 1), 4, []int{1}, "a", noon), fine).Outcome
	if want := "it is disabled now; an earlier attempt failed: x"; ended.Errors[1] != want || ended.Reason != "1 of 4 shards failed" {
		t.Errorf("%q, %v", ended.Reason, ended.Errors)
	}
}

// TestW76FailedThenPutOff: a shard that failed and was then snoozed still counts as failed if it's
// disabled before it runs again.
func TestW76FailedThenPutOff(t *testing.T) {
	t.Parallel()
	again := settled(Open(failedOnce(t, 1), 4, nil, "a", noon), func(n int) Result {
		if n == 1 {
			return Result{Snooze: time.Second}
		}
		return Result{}
	}).Again
	if again == nil || again.FailedBefore.String() != "1" {
		t.Fatalf("%+v", again)
	}
	if next := Open(*again, 4, []int{1}, "a", noon); stateOf(next) != jobrun.Failed || next.Outcome.OK != 3 {
		t.Errorf("%+v", next)
	}
}

// TestW05CountsAddUp: however a run ends, its outcome's counts should match its shards.
func TestW05CountsAddUp(t *testing.T) {
	t.Parallel()
	cancel := jobtree.RunCancel{By: "root"}
	each := asked(jobrun.AssignEach)
	half := *End(begun(each), "n", map[int]Result{0: {Snooze: time.Second}}, noon).Record
	failing := *End(begun(each), "n", map[int]Result{0: {Err: "x"}}, noon).Record
	one := asked(jobrun.AssignOne, func(r *jobtree.RunRequest) { r.Retries = 1 })
	waits := func(result Result) jobtree.RunRequest {
		return *End(begun(one), "n", map[int]Result{0: result}, noon).Again
	}
	outcome := func(next Next) jobtree.RunOutcome { return *next.Outcome }
	for name, c := range map[string]struct {
		o    jobtree.RunOutcome
		want jobrun.Counts
	}{
		"timed out":                        {outcome(End(failing, "n", map[int]Result{1: {Err: "timeout"}}, noon)), jobrun.Counts{Failed: 2}},
		"lost, and one failed":             {outcome(Lose(failing, []int{1}, true, noon)), jobrun.Counts{Failed: 2}},
		"lost, and one put off":            {outcome(Lose(half, []int{1}, true, noon)), jobrun.Counts{Failed: 1, Cancelled: 1}},
		"failed for good, and one put off": {outcome(End(half, "n", map[int]Result{1: {Err: "x"}}, noon)), jobrun.Counts{Failed: 1, Cancelled: 1}},
		"cancelled, and one put off":       {outcome(End(*Cancel(half, cancel, noon).Record, "n", map[int]Result{1: {Cut: true, Err: "x"}}, noon)), jobrun.Counts{Cancelled: 2}},
		"cancelled too late for one":       {outcome(End(*Cancel(begun(each), cancel, noon).Record, "n", map[int]Result{0: {}, 1: {Cut: true, Err: "x"}}, noon)), jobrun.Counts{OK: 1, Cancelled: 1}},
		"cancelled before it began":        {CancelledOutcome(each, cancel, noon), jobrun.Counts{}},
		"expired before it began":          {ExpiredOutcome(each, noon), jobrun.Counts{}},
		"cancelled in the back-off":        {CancelledOutcome(failedOnce(t, 1), cancel, noon), jobrun.Counts{OK: 1, Failed: 2, Cancelled: 1}},
		"expired in the back-off":          {ExpiredOutcome(failedOnce(t, 1), noon), jobrun.Counts{OK: 1, Failed: 2, Cancelled: 1}},
		"one, cancelled in the back-off":   {CancelledOutcome(waits(Result{Err: "x"}), cancel, noon), jobrun.Counts{Failed: 1}},
		"one, cancelled when put off":      {CancelledOutcome(waits(Result{Snooze: time.Second}), cancel, noon), jobrun.Counts{Cancelled: 1}},
		"one, cancelled after a stop":      {CancelledOutcome(waits(Result{Stopped: true}), cancel, noon), jobrun.Counts{Cancelled: 1}},
	} {
		data, err := c.o.Encode()
		if err != nil {
			t.Fatal(err)
		}
		o, err := jobtree.DecodeRunOutcome(data)
		if err != nil {
			t.Fatal(err)
		}
		status := o.Shown()
		if got := status.Counts(); got != c.want || status.Total != got.OK+got.Failed+got.Skipped+got.Cancelled {
			t.Errorf("%s: %+v of %d, want %+v", name, got, status.Total, c.want)
		}
	}
}

// TestW05CountsOfManyShards: shards are counted even if there are too many to list, also in an
// outcome of an earlier version.
func TestW05CountsOfManyShards(t *testing.T) {
	t.Parallel()
	record := jobtree.RunRecord{RunRequest: asked(jobrun.AssignEach), Cancelled: &jobtree.RunCancel{By: "root"}}
	for n := range 2000 {
		record.Failed, record.Cut = append(record.Failed, 4*n), append(record.Cut, 4*n+2)
	}
	data, err := Settle(record, noon).Outcome.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]jobrun.Counts{
		string(data): {Failed: 2000, Cancelled: 2000},
		`{"v":1,"state":"cancelled","ok":1,"failed":2,"failedShards":"1-2","cutShards":"3-5"}`: {OK: 1, Failed: 2, Cancelled: 3},
	} {
		o, err := jobtree.DecodeRunOutcome([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		status := o.Shown()
		if got := status.Counts(); got != want || status.Total != got.OK+got.Failed+got.Skipped+got.Cancelled {
			t.Errorf("%+v of %d, want %+v", got, status.Total, want)
		}
	}
}

// TestExpiryBeginsAnew: a run that waits again gets its whole expiry time again, no matter how long
// or how often its handlers ran.
func TestExpiryBeginsAnew(t *testing.T) {
	t.Parallel()
	now := noon
	r := asked(jobrun.AssignOne, func(r *jobtree.RunRequest) { r.Retries = 100 })
	for k, result := range slices.Repeat([]Result{{Stopped: true}, {Err: "x"}, {Snooze: time.Minute}}, 20) {
		now = now.Add(5 * time.Hour)
		record := Claim(OpenOne(r, 0, 2, "a", now), []int{0}, jobtree.RunClaim{Nonce: "n", At: now.UnixMilli()})
		next := End(record, "n", map[int]Result{0: result}, now)
		if k == 0 {
			next = Lose(record, []int{0}, false, now)
		}
		due := max(next.Again.Due, now.UnixMilli())
		if r = *next.Again; r.Expires != due+time.Hour.Milliseconds() {
			t.Fatalf("%d: it expires %v after %v", k, time.UnixMilli(r.Expires), time.UnixMilli(due))
		}
	}
}

// TestR33RetryOfAFireTimeExpires: the retry of a fire time keeps its expiry, which is the next fire
// time, and fails if its next attempt would come later.
func TestR33RetryOfAFireTimeExpires(t *testing.T) {
	t.Parallel()
	next := noon.Add(time.Minute).UnixMilli()
	for name, c := range map[string]struct {
		at     time.Duration // when its attempt ends
		result Result
		state  jobrun.State
	}{
		"in time":                      {30 * time.Second, Result{Err: "x"}, jobrun.Scheduled},
		"too late":                     {45 * time.Second, Result{Err: "x"}, jobrun.Failed},
		"after the next fire time":     {2 * time.Minute, Result{Err: "x"}, jobrun.Failed},
		"the handler asks for soon":    {45 * time.Second, Result{Err: "x", After: time.Second}, jobrun.Scheduled},
		"the handler asks for later":   {30 * time.Second, Result{Err: "x", After: time.Minute}, jobrun.Failed},
		"the handler puts it off":      {30 * time.Second, Result{Snooze: time.Second}, jobrun.Scheduled},
		"it succeeded after that time": {2 * time.Minute, Result{}, jobrun.Succeeded},
	} {
		r := asked(jobrun.AssignEach, func(r *jobtree.RunRequest) {
			r.By.Kind, r.Fire, r.Expires, r.Retries, r.Attempt, r.Backoff = ByRetry, noon.UnixMilli(), next, 5, 2, 10_000
		})
		n := End(begun(r), "n", map[int]Result{0: c.result, 1: {}}, noon.Add(c.at))
		if got := stateOf(n); got != c.state || n.Again != nil && n.Again.Expires != next {
			t.Errorf("%s: %s, want %s; %+v", name, got, c.state, n.Again)
		}
	}
}

// TestResultsOfEarlierAttempts: earlier results stay with the run; a failed shard's result is
// replaced.
func TestResultsOfEarlierAttempts(t *testing.T) {
	t.Parallel()
	r := asked(jobrun.AssignEach, func(r *jobtree.RunRequest) { r.Retries = 1 })
	first := End(begun(r), "n", map[int]Result{0: {Value: jobtree.RunResult(`"a"`)}, 1: {Err: "x", Value: jobtree.RunResult(`"b"`)}}, noon).Again
	again := func(n int) Result { return Result{Value: jobtree.RunResult(fmt.Sprintf(`"again %d"`, n))} }
	for name, c := range map[string]struct {
		o    *jobtree.RunOutcome
		want map[int]jobtree.RunResult
	}{
		"succeeded":        {settled(Open(*first, 2, nil, "a", noon), again).Outcome, map[int]jobtree.RunResult{0: jobtree.RunResult(`"a"`), 1: jobtree.RunResult(`"again 1"`)}},
		"without a result": {settled(Open(*first, 2, nil, "a", noon), fine).Outcome, map[int]jobtree.RunResult{0: jobtree.RunResult(`"a"`)}},
		"disabled":         {Open(*first, 2, []int{1}, "a", noon).Outcome, map[int]jobtree.RunResult{0: jobtree.RunResult(`"a"`)}},
	} {
		if diff := cmp.Diff(c.want, c.o.Results); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestOutcomeNamesWhatWasRequested: a later attempt's outcome has all requested shards, not only
// the failed ones.
func TestOutcomeNamesWhatWasRequested(t *testing.T) {
	t.Parallel()
	if o := settled(Open(failedOnce(t, 1), 4, nil, "a", noon), fine).Outcome; o.Shards != nil {
		t.Errorf("of all: %v", o.Shards)
	}
	some := failedOnce(t, 1)
	some.SoFar = nil
	if o := settled(Open(some, 4, nil, "a", noon), fine).Outcome; o.Shards.String() != "1-3" {
		t.Errorf("of some: %v", o.Shards)
	}
	if o := ExpiredOutcome(failedOnce(t, 1), noon); o.Shards.String() != "0-3" {
		t.Errorf("of an expired run: %v", o.Shards)
	}
}
