package scenario_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Two versions of a program: the later one has an additional parameter.
const (
	earlierSchema = `{"type":"object","properties":{"month":{"type":"string"}},"additionalProperties":false}`
	laterSchema   = `{"type":"object","properties":{"month":{"type":"string"},"size":{"type":"integer"}},"additionalProperties":false}`
)

// TestR48RunOfALaterVersion: if an agent doesn't know all parameters of a run, it should leave the
// run to others and log that once. If the stored schema refuses the parameters, the run should fail
// permanently.
func TestR48RunOfALaterVersion(t *testing.T) {
	t.Parallel()
	bubble(t, func(b *fixture, _ *zkfake.Server) {
		w := newWorkshop(b, nil)
		var mu sync.Mutex
		ran := make(map[string]string) // the member that ran each run
		open := func(n int, schema string) *member {
			m := b.agent(n)
			b.must(m.Add(coreagent.Job{Name: "invoices", Shards: 2, Requests: coreagent.Requests{Assign: coreagent.AssignOne, Schema: []byte(schema)}, Retry: coreagent.Retry{Retries: 3}},
				coreagent.HandlerFunc(func(_ context.Context, s *coreagent.Shard) error {
					mu.Lock()
					defer mu.Unlock()
					ran[s.Run.ID] = m.id
					return nil
				})))
			return m.start()
		}
		earlier := open(1, earlierSchema)
		w.awaitState(w.submit(jobrun.Request{Params: []byte(`{"month":"2026-10"}`)}), jobrun.Succeeded)
		data, err := jobtree.RunSchema{Schema: []byte(laterSchema), By: "10.0.0.9@-@9"}.Encode()
		b.must(err)
		b.must(b.client.Multi(b.ctx(), zk.SetOp(w.job.Params(), data, zk.AnyVersion))) // As the later version would.
		left := w.submit(jobrun.Request{Params: []byte(`{"month":"2026-10","size":7}`)})
		plain := w.submit(jobrun.Request{Params: []byte(`{"month":"2026-11"}`)})
		w.awaitState(plain, jobrun.Succeeded)
		time.Sleep(time.Minute)
		if state := w.status(left).State; state != jobrun.Queued {
			t.Errorf("the run that only the later version knows is %s", state)
		}
		if n := b.log.count("left to other instances"); n != 1 {
			t.Errorf("said %d times", n)
		}
		later := open(2, laterSchema)
		w.awaitState(left, jobrun.Succeeded)
		if ran[left] != later.id || ran[plain] != earlier.id {
			t.Errorf("%v", ran)
		}

		refused := w.submit(jobrun.Request{Params: []byte(`{"size":7}`), Delay: 5 * time.Second})
		data, err = jobtree.RunSchema{Schema: []byte(earlierSchema), By: "10.0.0.9@-@9"}.Encode()
		b.must(err)
		b.must(b.client.Multi(b.ctx(), zk.SetOp(w.job.Params(), data, zk.AnyVersion)))
		b.must(later.Stop(b.ctx()))
		got := w.awaitState(refused, jobrun.Failed)
		if got.Attempt != 1 || !strings.Contains(got.Errors[0]+got.Errors[1], "parameters refused: size: is unknown") || ran[refused] != "" {
			t.Errorf("%+v", got)
		}
		w.awaitNoRuns()
	})
}
