package scenario_test

import (
	"context"
	"encoding/json"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestR39BackfillOfADay: an hourly job gets a run for each hour of a day, in their order
// and with the hour as fire time, and none twice although the backfill broke off at ten
// and was repeated. Its schedule has a jitter; the times have none.
func TestR39BackfillOfADay(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var fires fireLog
		w := newWorkshop(b, func(ctx context.Context, s *coreagent.Shard) error {
			if s.Run.Requested {
				return fires.handle(ctx, s)
			}
			return nil
		})
		w.open(1, coreagent.Job{Cron: "0 0 * * * ?", TimeZone: "GMT", Jitter: time.Minute, Overlap: coreagent.OverlapSkip}, nil)
		end := time.Now().UTC().Truncate(time.Hour).Add(-time.Hour)
		back := jobrun.Backfill{From: end.Add(-23 * time.Hour), To: end, Params: json.RawMessage(`{"a": 1}`)}
		config, err := w.store.Config(b.ctx())
		b.must(err)
		plan, err := runs.PlanBackfill("invoices", config, back, time.Now())
		b.must(err)
		if len(plan.Times) != 24 || plan.RefusedCount != 0 {
			t.Fatalf("%d fire times, %d refused", len(plan.Times), plan.RefusedCount)
		}
		first, err := w.store.Backfill(b.ctx(), plan.Times[:10], back)
		b.must(err)
		time.Sleep(2 * time.Minute)
		back.Params = json.RawMessage(`{"a":1}`)
		second, err := w.store.Backfill(b.ctx(), plan.Times, back)
		b.must(err)
		if first.Created != 10 || first.Repeated != 0 || second.Created != 14 || second.Repeated != 10 || first.ID == second.ID {
			t.Errorf("first %+v, then %+v", first, second)
		}
		var taken []time.Time
		b.await("all have run", func() bool { taken = append(taken, fires.taken()...); return len(taken) >= 24 })
		time.Sleep(time.Minute)
		if taken = append(taken, fires.taken()...); !slices.EqualFunc(taken, plan.Times, time.Time.Equal) {
			t.Errorf("run for %v\nwant %v", taken, plan.Times)
		}
		back.Params = json.RawMessage(`{"a":2}`)
		if other, err := w.store.Backfill(b.ctx(), plan.Times[:1], back); err != nil || other.Created != 1 {
			t.Errorf("with other parameters: %+v, %v", other, err)
		}
	})
}
