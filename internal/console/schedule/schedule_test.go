package schedule_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/schedule"
)

var noon = time.Date(2026, 11, 21, 12, 0, 7, 0, time.UTC)

// TestFiresAndGap: the next fires in the zone, and the shortest time between two.
func TestFiresAndGap(t *testing.T) {
	t.Parallel()
	r := schedule.Look(t.Context(), schedule.Question{Cron: "0 0 2,5 * * ?", TimeZone: "GMT+8", Now: noon})
	if r.Err != nil || len(r.Fires) != schedule.Listed || r.Fires[0].Format(time.RFC3339) != "2026-11-22T02:00:00+08:00" || r.Gap != 3*time.Hour || len(r.Changes) != 0 || r.Assumed {
		t.Errorf("%+v", r)
	}
	if len(r.Fields) != 6 || r.Fields[2] != (schedule.Part{Name: "hour", Text: "2,5"}) {
		t.Errorf("fields %v", r.Fields)
	}
	for name, q := range map[string]schedule.Question{"cron": {Cron: "0 0 2 * *"}, "timeZone": {Cron: "0 0 2 * * ?", TimeZone: "Berlin"}} {
		if q.Now = noon; schedule.Look(t.Context(), q).Field != name {
			t.Errorf("%s is not what is wrong with %+v", name, q)
		}
	}
	if r := schedule.Look(t.Context(), schedule.Question{Now: noon}); !r.None {
		t.Errorf("no expression: %+v", r)
	}
	if r := schedule.Look(t.Context(), schedule.Question{Cron: "0 0 0 1 1 ? 2020", TimeZone: "GMT", Now: noon}); r.Err != nil || len(r.Fires) != 0 {
		t.Errorf("a schedule that is over: %+v", r)
	}
}

// TestHerd: who fires at the same second, and the first second at which fewer do.
func TestHerd(t *testing.T) {
	t.Parallel()
	var others []schedule.Other
	for i := range 40 {
		others = append(others, schedule.Other{Name: fmt.Sprint("o", i), Cron: fmt.Sprintf("%d 0 * * * ?", i%4), TimeZone: "GMT", Shards: 2})
	}
	others = append(others, schedule.Other{Name: "itself", Cron: "0 0 2 * * ?", TimeZone: "GMT", Shards: 9}, schedule.Other{Name: "bad", Cron: "x"}, schedule.Other{Name: "elsewhere", Cron: "0 30 7 * * ?", TimeZone: "GMT+05:30", Shards: 1})
	q := schedule.Question{Job: "itself", Cron: "0 0 2 * * ?", TimeZone: "GMT", Now: noon, Others: others}
	if h := schedule.Look(t.Context(), q).Herd; h != (schedule.Herd{Jobs: 11, Shards: 21, Quiet: 4, QuietJobs: 0, Cron: "4 0 2 * * ?"}) {
		t.Errorf("%+v", h)
	}
	q.Cron = "0/30 0 2 * * ?" // names no one second
	if h := schedule.Look(t.Context(), q).Herd; h.Jobs != 11 || h.Quiet != -1 || h.Cron != "" {
		t.Errorf("%+v", h)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if h := schedule.Look(ended, q).Herd; !h.Partial {
		t.Errorf("without time: %+v", h)
	}
}
