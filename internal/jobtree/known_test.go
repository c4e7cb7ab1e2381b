package jobtree

import (
	"math"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestW61Unknown: enumerations and numbers that this version doesn't know become unknown.
func TestW61Unknown(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]jobrun.State{"failed": jobrun.Failed, "paused": jobrun.Unknown, "": jobrun.Unknown, "FAILED": jobrun.Unknown} {
		if got := Known(text, jobrun.States...); got != want {
			t.Errorf("Known(%q) = %q, want %q", text, got, want)
		}
	}
	for n, want := range map[int]int{-5: 0, 0: 0, 1: 1, jobconfig.MaxShards: jobconfig.MaxShards, jobconfig.MaxShards + 1: 0, math.MaxInt: 0, math.MinInt: 0} {
		if got := ShardCount(n); got != want {
			t.Errorf("ShardCount(%d) = %d, want %d", n, got, want)
		}
	}
	for millis, want := range map[int64]time.Time{
		0: {}, -1: {}, 1: time.UnixMilli(1), latestMillis: time.UnixMilli(latestMillis), latestMillis + 1: {}, math.MaxInt64: {}, math.MinInt64: {},
	} {
		if got := Moment(millis); !got.Equal(want) {
			t.Errorf("Moment(%d) = %v, want %v", millis, got, want)
		}
	}
	run := RunOutcome{
		State: "paused", OK: -5, Failed: 100_001, FailedShards: RunShards{1, 2}, Attempt: math.MaxInt, At: math.MaxInt64, By: RunBy{Kind: "robot"}, Assign: "some",
		Errors: map[int]string{-5: "a", 3: "b", 100_001: "c"},
	}.Shown()
	if run.State != jobrun.Unknown || run.CountOK != 0 || run.CountFailed != 0 || run.Total != 2 || run.Attempt != 0 || !run.Submitted.IsZero() ||
		run.By.Kind != "unknown" || run.Assign != "unknown" || len(run.Errors) != 1 || run.Errors[3] != "b" || !run.State.Ended() {
		t.Errorf("%+v", run)
	}
}

// TestW61UnknownIsWrittenBack: an instance that changes a record should keep the data of a later version.
func TestW61UnknownIsWrittenBack(t *testing.T) {
	t.Parallel()
	const stored = `{"v":1,"id":"r","at":1,"by":{"kind":"robot"},"due":1,"deal":"some","overlap":"later","attempt":1,"life":"a","open":{"at":1,"by":"x"},"total":1,"pace":"slow"}`
	record, err := DecodeRunRecord([]byte(stored))
	if err != nil {
		t.Fatal(err)
	}
	record.Shown()
	data, err := record.Encode()
	if err != nil {
		t.Fatal(err)
	}
	again, err := DecodeRunRecord(data)
	if err != nil || again.By.Kind != "robot" || again.Assign != "some" || again.Overlap != "later" || string(again.unknown["pace"]) != `"slow"` {
		t.Errorf("%s: %v", data, err)
	}
}
