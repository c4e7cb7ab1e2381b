//go:build servers

package rdb_test

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestA49MillionRows reads a page of the last 24 hours out of a million rows, with every filter and
// without a full count. TestPlans shows that indexes are used, and `make bench ONLY=query` that it
// takes less than half a second.
func TestA49MillionRows(t *testing.T) {
	server, err := storetest.LaunchMariaDB("--innodb-buffer-pool-size=1G", "--innodb-log-file-size=512M")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := server.End(); err != nil {
			t.Error(err)
		}
	})
	// Only MariaDB gets a million rows, because it generates them fastest. TestPlans shows that the
	// others work the same way.
	million := func(t *testing.T, dsn string, rows int) {
		db := storetest.Open(t, dsn)
		began := time.Now()
		if err := storetest.FillHistory(t.Context(), db, rows); err != nil {
			t.Fatal(err)
		}
		t.Logf("%d rows in %s", rows, time.Since(began).Round(time.Millisecond))
		reader := rdb.NewStore(db.Database)
		day := storetest.HistoryEnd.AddDate(0, 0, -1)
		for name, f := range map[string]rdb.ExecutionFilter{
			"all": {}, "of a job": {JobName: "job-007"}, "by duration": {Sort: rdb.SortDuration}, "failed": {State: rdb.RunFailed},
			"lost": {State: rdb.RunLost}, "with a text": {FailureText: "no such text"}, "by job": {Sort: rdb.SortJob},
		} {
			f.From = day
			began := time.Now()
			page, err := reader.Executions(t.Context(), f)
			if err != nil {
				t.Fatal(err)
			}
			if _, _, err := reader.CountExecutions(t.Context(), f, 10_000); err != nil {
				t.Fatal(err)
			}
			if few := rows < 1_000_000; len(page.Rows) == 0 && name != "with a text" && !few { // a day may have none
				t.Errorf("%s: no rows", name)
			}
			t.Logf("%s: %s", name, time.Since(began))
		}
		runsOfMillions(t, reader, day)
	}
	t.Run("mariadb", func(t *testing.T) { million(t, server.DSN(server.NewDatabase(t))+"?readTimeout=10m", 1_000_000) })
	t.Run("sqlite", func(t *testing.T) { million(t, storetest.SQLiteDSN(t), 8_000) })
	t.Run("postgres", func(t *testing.T) {
		server := storetest.StartPostgres(t)
		million(t, server.DSN(server.NewDatabase(t)), 100_000)
	})
}

// runsOfMillions sends the queries of the runs page. `make bench ONLY=query` measures the times.
func runsOfMillions(t *testing.T, reader *rdb.Store, day time.Time) {
	for name, f := range map[string]rdb.RunFilter{
		"all": {}, "of a job": {JobName: "job-007"}, "failed": {State: rdb.RunFailed}, "lost": {State: rdb.RunLost}, "manual": {Trigger: tracing.TriggerManual},
		"with a text": {FailureText: "timed out"}, "of a server": {IP: "10.0.0.3"}, "of an hour": {To: day.Add(time.Hour)}, "slow": {MinDuration: time.Hour},
	} {
		f.From = day
		for part, ask := range map[string]func() error{
			"list":      func() error { _, err := reader.Runs(t.Context(), f); return err },
			"summary":   func() error { _, err := reader.Summarize(t.Context(), f, storetest.HistoryEnd); return err },
			"histogram": func() error { _, err := reader.Histogram(t.Context(), f, day, storetest.HistoryEnd, 48); return err },
		} {
			began := time.Now()
			if err := ask(); err != nil {
				t.Fatal(err)
			}
			t.Logf("runs %s, %s: %s", name, part, time.Since(began))
		}
	}
}
