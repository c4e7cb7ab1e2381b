package engine

import (
	"context"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// unobserved does what a run tells observers and tracers, with neither.
func unobserved(ctx context.Context, j *Job, b *batch, s view.Shard) {
	j.observe(host.Observation{Event: host.Fired})
	j.observe(host.Observation{Event: host.RunBegan, Items: len(b.shards)})
	ctx, run := b.beginRunSpan(ctx)
	_, one := b.beginShardSpan(ctx, s)
	j.endSpan(one, spanFailure(nil))
	j.endSpan(run, "")
	j.observeRun(b, 0)
	j.observeUnassigned(nil)
}

// TestUnobservedRunsAllocateNothing: who wants no metrics pays for none.
func TestUnobservedRunsAllocateNothing(t *testing.T) {
	j := &Job{env: &host.Host{}}
	b := &batch{job: j, view: &view.View{}, shards: make([]view.Shard, 3)}
	if n := testing.AllocsPerRun(100, func() { unobserved(t.Context(), j, b, view.Shard{}) }); n != 0 {
		t.Errorf("%v allocations per fire without an observer", n)
	}
}

func BenchmarkUnobservedRun(b *testing.B) {
	j := &Job{env: &host.Host{}}
	batch := &batch{job: j, view: &view.View{}, shards: make([]view.Shard, 3)}
	b.ReportAllocs()
	for b.Loop() {
		unobserved(b.Context(), j, batch, view.Shard{})
	}
}
