package rdb_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestRequestedRunsThatMove: a requested run that is assigned to one shard may continue on another one. The requested
// run's state decides then, and also if a handler put the run off.
func TestRequestedRunsThatMove(t *testing.T) {
	failed := ended(run("a", "j", 3, noon), time.Second, "refused")
	gone := run("a", "j", 3, noon)
	good := ended(run("b", "j", 1, noon.Add(time.Minute)), time.Second, "")
	putOff := ended(run("b", "j", 1, noon), time.Second, "")
	other := ended(run("c", "j", 0, noon), time.Second, "")
	for name, c := range map[string]struct {
		rows      []tracing.Execution
		state     jobrun.State // of the requested run; "" for none on record
		trigger   tracing.Trigger
		want      rdb.RunState
		shards    int
		succeeded int
	}{
		"failed, and succeeded on another shard": {[]tracing.Execution{failed, good}, jobrun.Succeeded, tracing.TriggerAPI, rdb.RunSuccess, 1, 1},
		"killed, and succeeded on another shard": {[]tracing.Execution{gone, good}, jobrun.Succeeded, tracing.TriggerAPI, rdb.RunSuccess, 1, 1},
		"the row of the other shard is late":     {[]tracing.Execution{failed}, jobrun.Succeeded, tracing.TriggerManual, rdb.RunSuccess, 1, 1},
		"a shard failed":                         {[]tracing.Execution{failed, other}, jobrun.Failed, tracing.TriggerAPI, rdb.RunFailed, 2, 1},
		"no requested run is on record":          {[]tracing.Execution{failed, good}, "", tracing.TriggerAPI, rdb.RunFailed, 2, 1},
		"a run by the schedule":                  {[]tracing.Execution{failed, good}, jobrun.Succeeded, tracing.TriggerSchedule, rdb.RunFailed, 2, 1},
		"killed, and another one runs it again":  {[]tracing.Execution{gone, run("b", "j", 3, noon)}, jobrun.Running, tracing.TriggerAPI, rdb.RunRunning, 1, 0},
		"put off":                                {[]tracing.Execution{putOff}, jobrun.Scheduled, tracing.TriggerAPI, rdb.RunSuccess, 1, 1},
		"between two attempts":                   {[]tracing.Execution{failed}, jobrun.Scheduled, tracing.TriggerAPI, rdb.RunFailed, 1, 0},
		"ended":                                  {[]tracing.Execution{putOff, other}, jobrun.Succeeded, tracing.TriggerAPI, rdb.RunSuccess, 2, 2},
	} {
		t.Run(name, func(t *testing.T) {
			storetest.Each(t, func(t *testing.T, db *store.DB) {
				rows := append([]tracing.Execution(nil), c.rows...)
				for i := range rows {
					rows[i].RunID, rows[i].Trigger, rows[i].Attempt = "r1", c.trigger, i+1
				}
				write(t, db, events(rows...))
				if c.state != "" {
					write(t, db, runEvents(inState(requested("r1", "j", noon), c.state, 2)))
				}
				reader := rdb.NewStore(db.Database)
				r, err := reader.Run(t.Context(), "j", "r1")
				if err != nil || r.State != c.want || r.Shards != c.shards || r.Succeeded != c.succeeded || len(r.Executions) != len(rows) {
					t.Errorf("%+v, %v", r, err)
				}
				if c.want == rdb.RunSuccess && (r.Cause != "" || r.Failed+r.Lost+r.Running > 0 || r.End.IsZero()) {
					t.Errorf("%+v", r)
				}
				page, err := reader.Runs(t.Context(), rdb.RunFilter{JobName: "j"})
				if err != nil || len(page.Runs) != 1 || page.Runs[0].State != c.want {
					t.Errorf("%+v, %v", page.Runs, err)
				}
				page, err = reader.Runs(t.Context(), rdb.RunFilter{JobName: "j", State: rdb.RunFailed})
				if found := len(page.Runs) == 1; err != nil || found != (c.want == rdb.RunFailed) {
					t.Errorf("failed: %+v, %v", page.Runs, err)
				}
				last, err := reader.LastRuns(t.Context(), []string{"j"}, 10)
				if err != nil || len(last["j"]) != len(rows) {
					t.Fatalf("%+v, %v", last, err)
				}
				for _, e := range last["j"] {
					if goesOn := c.state != "" && !c.state.Ended(); e.Unfinished != (goesOn && !e.Success) {
						t.Errorf("%s, of a run in the state %q, is unfinished: %t", e.ID, c.state, e.Unfinished)
					}
				}
				if got := rdb.GroupRuns(last["j"])[0]; got.State != c.want {
					t.Errorf("by its last executions: %+v", got)
				}
				sum, err := reader.Summarize(t.Context(), rdb.RunFilter{JobName: "j"}, noon)
				if err != nil || len(sum.States) != 1 || sum.States[0].Value != string(c.want) {
					t.Errorf("%+v, %v", sum.States, err)
				}
			})
		})
	}
}
