package fleetsim_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// newDatabase returns the database of a fleet, or nil if it has none.
func (r *requestPlan) newDatabase(seed uint64) *judge.Database {
	if replayed(seed) {
		return nil
	}
	random := rand.New(rand.NewPCG(seed, 0x24))
	r.batch = pick(random, 200*time.Millisecond, time.Second, 5*time.Second)
	return judge.NewDatabase()
}

// record starts the recorder of a process, or returns nil if the fleet has no database.
func (p *process) record() *tracing.Async {
	if r := p.world.plan.requests; r == nil || r.batch == 0 {
		return nil
	}
	return tracing.NewAsync(p, tracing.AsyncOptions{BatchDelay: p.world.plan.requests.batch, Logger: slog.New(slog.DiscardHandler)})
}

// Write stores a batch of a process. The batch of a dead process is lost.
func (p *process) Write(ctx context.Context, events []tracing.Event) error {
	select {
	case <-p.running.wait():
	case <-p.crashed:
	case <-ctx.Done():
		return ctx.Err()
	}
	if p.dead() {
		return errCrashed
	}
	p.world.history.Record(p.name, events)
	return nil
}

func (p *process) closeRecords(ctx context.Context) {
	if p.records != nil {
		_ = p.records.Close(ctx)
	}
}
