package fleetsim_test

import (
	"log/slog"
	"testing"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/engine"
	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// Agents survive a panic of the engine, but the seed should still fail.
func TestV17PanicFailsTheSimulation(t *testing.T) {
	t.Parallel()
	w := &world{history: judge.NewHistory()}
	log := slog.New(&recorder{world: w, process: &process{world: w, name: "p1.1"}})
	log.With("job", "job0").Error("something else")
	if len(w.problems) > 0 {
		t.Fatalf("problems %q", w.problems)
	}
	log.With("job", "job0").Error(engine.PanicMessage, "activity", "control", "panic", "planted") //nolint:sloglint // a constant of the engine
	if r := (&result{problems: w.problems}); !r.failed() {
		t.Error("a seed with a panic does not fail")
	}
}
