package run

import (
	"context"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/host"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
)

// unobserved makes all calls to observers and tracers in a run, without any of them.
func unobserved(ctx context.Context, w *Worker, b *batch, s view.Shard) {
	w.Host.Report(w.Tree.Name(), host.Observation{Event: host.Fired})
	w.Host.Report(w.Tree.Name(), host.Observation{Event: host.RunBegan, Items: len(b.shards)})
	ctx, run := b.beginRunSpan(ctx)
	_, one := b.beginShardSpan(ctx, s)
	w.endSpan(one, spanFailure(nil))
	w.endSpan(run, "")
	w.observeRun(b, 0)
}

func TestUnobservedRunsAllocateNothing(t *testing.T) {
	w := &Worker{Parts: &Parts{Host: &host.Host{}}}
	b := &batch{Parts: w.Parts, worker: w, view: &view.View{}, shards: make([]view.Shard, 3)}
	if n := testing.AllocsPerRun(100, func() { unobserved(t.Context(), w, b, view.Shard{}) }); n != 0 {
		t.Errorf("%v allocations per fire without an observer", n)
	}
}

func BenchmarkUnobservedRun(b *testing.B) {
	w := &Worker{Parts: &Parts{Host: &host.Host{}}}
	batch := &batch{Parts: w.Parts, worker: w, view: &view.View{}, shards: make([]view.Shard, 3)}
	b.ReportAllocs()
	for b.Loop() {
		unobserved(b.Context(), w, batch, view.Shard{})
	}
}
