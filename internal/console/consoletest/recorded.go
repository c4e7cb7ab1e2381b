package consoletest

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// Recorded has a console read the requested runs of the sample from a real database: those
// that the fake has, with how they went, written by the sink of agents.
func Recorded(t testing.TB) func(*app.Options) {
	t.Helper()
	db := storetest.Open(t, storetest.SQLiteDSN(t))
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	sample := sampleRecord()
	var events []tracing.Event
	for _, r := range sample.OldRuns {
		events = append(events, tracing.Event{Run: &r})
	}
	for _, s := range sample.RunStep {
		events = append(events, tracing.Event{Step: &s})
	}
	for _, l := range sample.Lines {
		events = append(events, tracing.Event{Log: &l})
	}
	for _, p := range sample.Progress {
		events = append(events, tracing.Event{Progress: &p})
	}
	if err := rdb.NewSink(db.Database).Write(t.Context(), events); err != nil {
		t.Fatal(err)
	}
	return func(o *app.Options) { o.History = rdb.NewStore(db.Database) }
}
