//go:build servers

package rdb

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// BenchmarkLastRuns reads the run strip of 50 jobs from a history of 100,000 rows, with our
// statement and with a window function.
func BenchmarkLastRuns(b *testing.B) {
	server := storetest.StartMariaDB(b)
	for name, dsn := range map[string]string{"sqlite": storetest.SQLiteDSN(b), "mariadb": server.DSN(server.NewDatabase(b))} {
		db := storetest.Open(b, dsn)
		if err := db.Migrate(b.Context()); err != nil {
			b.Fatal(err)
		}
		const jobs, rows = 50, 100_000
		var names []string
		var args []any
		for i := range jobs {
			names = append(names, fmt.Sprintf("job%d", i))
			args = append(args, names[i])
		}
		noon := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
		sink := NewSink(db.Database)
		for begin := 0; begin < rows; begin += 5000 {
			var list []tracing.Event
			for i := begin; i < begin+5000; i++ {
				at := noon.Add(time.Duration(i) * time.Second)
				list = append(list, tracing.Event{Execution: &tracing.Execution{ID: fmt.Sprint(i), JobName: names[i%jobs],
					StartTime: at, CompleteTime: at, Success: true}})
			}
			if err := sink.Write(b.Context(), list); err != nil {
				b.Fatal(err)
			}
		}
		reader := NewStore(db.Database)
		b.Run(name+"/ours", func(b *testing.B) {
			for b.Loop() {
				if got, err := reader.LastRuns(b.Context(), names, 10); err != nil || len(got) != jobs {
					b.Fatal(len(got), err)
				}
			}
		})
		form, err := probe(b.Context(), db.DB)
		if err != nil {
			b.Fatal(err)
		}
		columns := strings.ReplaceAll(form.executionSelect(), "+", "")
		window := "SELECT " + columns + " FROM (SELECT e.*, ROW_NUMBER() OVER (PARTITION BY job_name ORDER BY start_time DESC, id DESC) AS n FROM " + executionTable + " e" +
			" WHERE job_name IN (?"
		for range jobs - 1 {
			window += ", ?"
		}
		window += ")) e WHERE n <= 10"
		b.Run(name+"/window", func(b *testing.B) {
			for b.Loop() {
				if got, err := reader.executions(b.Context(), 10*jobs, window, args...); err != nil || len(got) != 10*jobs {
					b.Fatal(len(got), err)
				}
			}
		})
	}
}

// BenchmarkWrite stores batches of 200 events.
func BenchmarkWrite(b *testing.B) {
	server := storetest.StartMariaDB(b)
	for name, dsn := range map[string]string{"sqlite": storetest.SQLiteDSN(b), "mariadb": server.DSN(server.NewDatabase(b))} {
		db := storetest.Open(b, dsn)
		if err := db.Migrate(b.Context()); err != nil {
			b.Fatal(err)
		}
		sink, at, n := NewSink(db.Database), time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), 0
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var list []tracing.Event
				for range 100 {
					n++
					e := tracing.Execution{ID: fmt.Sprintf("0198f3c2-%027d", n), JobName: fmt.Sprintf("job%d", n%20), StartTime: at}
					end := e
					end.CompleteTime, end.Success = at, true
					list = append(list, tracing.Event{Execution: &e}, tracing.Event{Execution: &end})
				}
				if err := sink.Write(b.Context(), list); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*200)/b.Elapsed().Seconds(), "events/s")
		})
	}
}
