package health_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// cancelledAfter is a run that failed, after which another one was cancelled.
func cancelledAfter() []tracing.Execution {
	before := exec("r0", 0, 1, time.Hour, "failed")
	before.FailureCause = "refused"
	return []tracing.Execution{before}
}

// superseded is an execution of a requested run that succeeded on another shard.
func superseded(e tracing.Execution) tracing.Execution {
	e.Superseded = true
	return e
}

// TestW91ALostShardRunsAgain: a requested run that lost a shard hasn't failed while it isn't over, unless another
// shard failed.
func TestW91ALostShardRunsAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		other      string // the other shard's end
		unfinished bool
		want       bool
	}{
		"it runs again":                 {"ok", true, false},
		"the other one is lost, too":    {"lost", true, false},
		"the other one failed":          {"failed", true, true},
		"it was lost too often":         {"ok", false, true},
		"both were lost, and it's over": {"lost", false, true},
	} {
		rows := []tracing.Execution{exec("r1", 0, 1, time.Minute, "lost"), exec("r1", 1, 1, time.Minute, c.other), exec("r0", 0, 1, time.Hour, "ok")}
		for i := range rows {
			rows[i].Unfinished = c.unfinished && !rows[i].Success
		}
		if d := explain.DigestOf(health.RunsOf(rows), true); d.Bad() != c.want || d.Running > 0 {
			t.Errorf("%s: bad %t, want %t: %+v", name, d.Bad(), c.want, d)
		}
	}
}

// TestW29CancelledIsNoFailure: a run that was cancelled isn't a failure of its job, and neither is a shard that
// a handler skipped or put off. Another shard of a cancelled run may have failed.
func TestW29CancelledIsNoFailure(t *testing.T) {
	t.Parallel()
	ended := func(item int, success bool, cause string) tracing.Execution {
		e := exec("r1", item, 1, time.Minute, "failed")
		e.Success, e.FailureCause = success, cause
		return e
	}
	for name, c := range map[string]struct {
		rows   []tracing.Execution
		failed []int
		cause  string
	}{
		"cancelled":                  {[]tracing.Execution{ended(0, false, tracing.CauseCancelled), ended(1, false, tracing.CauseCancelled+": EOF")}, nil, ""},
		"cancelled, and a failed":    {[]tracing.Execution{ended(0, false, tracing.CauseCancelled), ended(1, false, "refused")}, []int{1}, "refused"},
		"failed before":              {append(cancelledAfter(), ended(0, false, tracing.CauseCancelled)), []int{0}, "refused"},
		"moved to another shard":     {[]tracing.Execution{superseded(ended(0, false, "the agent is stopping")), ended(1, true, "")}, nil, ""},
		"moved, and its row is late": {[]tracing.Execution{superseded(ended(0, false, "refused"))}, nil, ""},
		"skipped":                    {[]tracing.Execution{ended(0, true, "skipped: nothing to do"), ended(1, true, "")}, nil, ""},
		"it quotes a cancel":         {[]tracing.Execution{ended(0, false, "child: "+tracing.CauseCancelled)}, []int{0}, "child: " + tracing.CauseCancelled},
	} {
		d := explain.DigestOf(health.RunsOf(c.rows), true)
		if len(d.Failed) != len(c.failed) || len(c.failed) > 0 && d.Failed[0] != c.failed[0] || d.Cause != c.cause || d.LastStart.IsZero() {
			t.Errorf("%s: %v failed: %q", name, d.Failed, d.Cause)
		}
	}
}
