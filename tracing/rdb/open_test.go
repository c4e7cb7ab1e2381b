package rdb_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestOpenAndMigrate: a program with only a data source name should be able to record and read runs
// on each database. Migrating twice should change nothing.
func TestOpenAndMigrate(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db, err := rdb.Open(t.Context(), store.Source(dsn), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Ping(t.Context()); err != nil {
			t.Error(err)
		}
		start := time.Date(2026, 11, 21, 8, 0, 0, 0, time.UTC)
		want := tracing.Execution{ID: "run-1", JobName: "invoices", TaskID: "t", Hostname: "h", IP: "10.0.0.1", Source: tracing.SourceNormal, StartTime: start, CompleteTime: start.Add(time.Second), Success: true}
		if err := rdb.NewSink(db).Write(t.Context(), []tracing.Event{{Execution: &want}}); err != nil {
			t.Fatal(err)
		}
		got, err := rdb.NewStore(db).Execution(t.Context(), "run-1")
		if err != nil || got.JobName != "invoices" || !got.StartTime.Equal(start) {
			t.Errorf("%+v, %v", got, err)
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
		if err := db.Ping(t.Context()); err == nil {
			t.Error("a closed database answers")
		}
	})
}

func TestOpenSaysWhy(t *testing.T) {
	t.Parallel()
	for dsn, want := range map[string]error{
		"oracle://u:hunter2@h/db":             rdb.ErrBadDSN,
		"mysql://u:hunter2@127.0.0.1:1/db":    rdb.ErrUnreachable,
		"postgres://u:hunter2@127.0.0.1:1/db": rdb.ErrUnreachable,
	} {
		_, err := rdb.Open(t.Context(), store.Source(dsn), slog.New(slog.DiscardHandler))
		if !errors.Is(err, want) || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%q: %v, want %v", dsn, err, want)
		}
	}
}
