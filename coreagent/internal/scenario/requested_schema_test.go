package scenario_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

type invoiceParams struct {
	Month string `json:"month" param:"required;pattern=^\\d{4}-\\d{2}$"`
}

type laterInvoiceParams struct {
	Month  string `json:"month" param:"required;pattern=^\\d{4}-\\d{2}$"`
	DryRun bool   `json:"dryRun,omitempty"`
}

// serveTrigger starts the n-th agent with a handler that takes parameters of type P.
func serveTrigger[P any](w *workshop, n int, job coreagent.Job) *member {
	w.Helper()
	m := w.agent(n)
	job.Name, job.Shards = "invoices", 1
	w.must(m.Add(job, coreagent.NewTrigger[P]("invoices").Handler(func(ctx context.Context, s *coreagent.Shard, _ P) error {
		return w.work(ctx, m.id, s)
	})))
	m.start()
	return m
}

// TestSchemaOfParameters: an agent should publish the schema of its job's parameters once. Requests
// that don't match the schema should be refused, and the newest version's schema should apply. If a
// foreign program writes an invalid schema, any parameters should be accepted.
func TestSchemaOfParameters(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, srv *zkfake.Server) {
		w := newWorkshop(b, nil)
		serveTrigger[invoiceParams](w, 1, coreagent.Job{})
		w.await("the schema is there", func() bool { return w.exists(w.job.Params()) })
		stored, err := w.store.Schema(w.ctx())
		if err != nil || !strings.Contains(string(stored.Text), `"month"`) || stored.By == "" || stored.At.IsZero() {
			t.Fatalf("%v: %+v", err, stored)
		}
		for params, want := range map[string]string{
			``:                                  "parameters refused: month: is missing",
			`{"month":"2026"}`:                  `parameters refused: month: "2026" is not allowed; want text that matches ^\d{4}-\d{2}$`,
			`{"month":"2026-10","dryRun":true}`: "parameters refused: dryRun: is unknown",
		} {
			_, err := w.store.Submit(w.ctx(), jobrun.Request{Params: []byte(params)})
			if !errors.Is(err, jobrun.ErrParams) || err.Error() != want {
				t.Errorf("%s: %v, want %s", params, err, want)
			}
		}
		w.awaitState(w.submit(jobrun.Request{Params: []byte(`{"month":"2026-10"}`)}), jobrun.Succeeded)

		before := w.stat(w.job.Params()).Version
		serveTrigger[invoiceParams](w, 2, coreagent.Job{})
		time.Sleep(time.Second)
		if v := w.stat(w.job.Params()).Version; v != before {
			t.Errorf("what stands there already was written again: version %d", v)
		}
		serveTrigger[laterInvoiceParams](w, 3, coreagent.Job{})
		w.await("the later schema is there", func() bool { return w.stat(w.job.Params()).Version > before })
		w.awaitState(w.submit(jobrun.Request{Params: []byte(`{"month":"2026-10","dryRun":true}`)}), jobrun.Succeeded)

		w.put(w.job.Params(), `{"schema":{"type":"anything"}}`)
		if stored, err := w.store.Schema(w.ctx()); err != nil || stored.Text != nil {
			t.Errorf("a stranger's: %v %+v", err, stored)
		}
		w.submit(jobrun.Request{Params: []byte(`{"x":1}`)})
		w.must(w.client.Delete(w.ctx(), w.job.Params(), zk.AnyVersion))
		w.submit(jobrun.Request{})
	})
}

// TestRetryOfAFireHasNoParameters: a job's schema requires parameters, but a fire time has none.
// Its next attempt should still run.
func TestRetryOfAFireHasNoParameters(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		var failed atomic.Bool
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error {
			if failed.Swap(true) {
				return nil
			}
			return errPaper
		})
		serveTrigger[invoiceParams](w, 1, coreagent.Job{Schedule: coreagent.Schedule{Cron: "0 0 * * * ?"}, Props: map[string]string{runs.PropRetries: "1", runs.PropBackoff: "1s"}})
		sleepUntilNext(time.Hour)
		w.await("the next attempt was executed", func() bool {
			w.mu.Lock()
			defer w.mu.Unlock()
			return len(w.done) == 2 && w.done[1].run != "" && w.done[1].err == nil
		})
	})
}

// TestR67WrongProperty: another console has stored an invalid property. The default should apply,
// the log should name the property, and the job's other properties should stay.
func TestR67WrongProperty(t *testing.T) {
	bubbleForBoth(t, func(b *fixture, props map[string]string) {
		w := newWorkshop(b, func(context.Context, *coreagent.Shard) error { return errPaper })
		w.open(1, coreagent.Job{}, with(props, map[string]string{runs.PropRetries: "1", runs.PropBackoff: "0s"}))
		first := w.submit(jobrun.Request{})
		w.awaitState(first, jobrun.Failed)
		b.configure("invoices", func(c *jobconfig.Config) { c.Props[runs.PropRetries] = "many" })
		b.await("the log names the property", func() bool { return b.log.count(`run.retries: \"many\" is not allowed`) > 0 })
		second := w.submit(jobrun.Request{})
		w.awaitState(second, jobrun.Failed)
		if before, now := len(w.executions(first)), len(w.executions(second)); before != 2 || now != 1 {
			b.Errorf("%d executions with one retry, %d with a wrong number of them", before, now)
		}
		w.awaitNoRuns()
	})
}
