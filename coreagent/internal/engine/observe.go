package engine

import (
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
)

// observe tells of something about the job. It costs nothing where nobody
// counts, and may be called with locks held: Env.Observe only stores.
func (j *Job) observe(o host.Observation) {
	j.env.Tell(j.Name(), o)
}

// observeRun tells of a run's end.
func (j *Job) observeRun(b *batch, failed int) {
	if j.env.Observe == nil {
		return
	}
	late := b.began
	if late.IsZero() {
		late = j.env.Time() // It did not come to its shards.
	}
	j.observe(host.Observation{
		Event: host.RunEnded, Source: b.source, Regular: b.regular, Items: len(b.shards), Failed: failed,
		Cancelled: failed > 0 && b.ctx.Err() != nil, Late: late.Sub(b.at), Took: time.Since(b.performed), At: j.env.Time(),
	})
}
