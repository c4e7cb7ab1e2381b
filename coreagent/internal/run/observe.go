package run

import (
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
)

// observe tells of something about the job. It costs nothing where nobody
// counts, and may be called with locks held: Env.Observe only stores.
func (w *Worker) observe(o host.Observation) {
	w.Host.Report(w.Tree.Name(), o)
}

// observeRun tells of a run's end.
func (w *Worker) observeRun(b *batch, failed int) {
	if w.Host.Observe == nil {
		return
	}
	late := b.began
	if late.IsZero() {
		late = w.Host.Time() // It did not come to its shards.
	}
	w.observe(host.Observation{
		Event: host.RunEnded, Source: b.kind.source(), Regular: b.kind == fireTime, Items: len(b.shards), Failed: failed,
		Cancelled: failed > 0 && b.ctx.Err() != nil, Late: late.Sub(b.at), Took: time.Since(b.performed), At: w.Host.Time(),
	})
}
