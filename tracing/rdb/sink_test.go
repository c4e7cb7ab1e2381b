package rdb_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func run(id, job string, item int, start time.Time) tracing.Execution {
	return tracing.Execution{ID: id, JobName: job, TaskID: job + "@-@0,1@-@READY@-@10.0.0.1@-@7_" + id, Hostname: "h1",
		IP: "10.0.0.1", Source: tracing.SourceNormal, Item: item, StartTime: start}
}

func ended(e tracing.Execution, took time.Duration, cause string) tracing.Execution {
	e.CompleteTime, e.FailureCause, e.Success = e.StartTime.Add(took), cause, cause == ""
	return e
}

func events(executions ...tracing.Execution) []tracing.Event {
	var list []tracing.Event
	for _, e := range executions {
		list = append(list, tracing.Event{Execution: &e})
	}
	return list
}

func trail(statuses ...tracing.Status) []tracing.Event {
	var list []tracing.Event
	for _, s := range statuses {
		list = append(list, tracing.Event{Status: &s})
	}
	return list
}

func step(id string, state tracing.State, at time.Time) tracing.Status {
	return tracing.Status{ID: id, JobName: "j", TaskID: "t", SlaveID: "10.0.0.1", Source: tracing.StatusSourceLite,
		ExecutionType: tracing.ExecutionTypeReady, Items: []int{0, 1}, State: state, CreationTime: at}
}

func write(t *testing.T, db *store.DB, list []tracing.Event) {
	t.Helper()
	if err := rdb.NewSink(db.Database).Write(t.Context(), list); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, db *store.DB, table string) int {
	t.Helper()
	var n int
	if err := db.Raw("SELECT COUNT(*) FROM " + table).Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// TestOrderDoesNotMatter writes starts and ends in any order, repeatedly and in any batches. The
// rows should always be the same.
func TestOrderDoesNotMatter(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		sink, reader, round := rdb.NewSink(db.Database), rdb.NewStore(db.Database), 0
		rapid.Check(t, func(rt *rapid.T) {
			round++
			job := fmt.Sprintf("job%d", round)
			want := map[string]tracing.Execution{}
			var all []tracing.Event
			for i := range rapid.IntRange(1, 6).Draw(rt, "runs") {
				start := run(fmt.Sprintf("%s-%d", job, i), job, i, noon.Add(time.Duration(i)*time.Millisecond))
				want[start.ID] = start
				kind := rapid.SampledFrom([]string{"start", "success", "failure", "end only"}).Draw(rt, "kind")
				end := ended(start, 1234*time.Millisecond, map[string]string{"failure": "boom"}[kind])
				if kind != "end only" {
					all = append(all, events(start)...)
				}
				if kind != "start" {
					all = append(all, events(end)...)
					want[start.ID] = end
				}
				if rapid.Bool().Draw(rt, "again") {
					all = append(all, all[len(all)-1])
				}
			}
			all = rapid.Permutation(all).Draw(rt, "order")
			for len(all) > 0 {
				n := rapid.IntRange(1, len(all)).Draw(rt, "batch")
				for range rapid.IntRange(1, 2).Draw(rt, "deliveries") {
					if err := sink.Write(t.Context(), all[:n]); err != nil {
						rt.Fatal(err)
					}
				}
				all = all[n:]
			}
			page, err := reader.Executions(t.Context(), rdb.ExecutionFilter{JobName: job})
			if err != nil {
				rt.Fatal(err)
			}
			got := map[string]tracing.Execution{}
			for _, row := range page.Rows {
				got[row.ID] = row
			}
			if diff := cmp.Diff(want, got); diff != "" || len(page.Rows) != len(want) {
				rt.Fatal(diff)
			}
		})
	})
}

func TestStatusIsWrittenOnce(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		a, b := step("a", tracing.StateStaging, noon), step("b", tracing.StateRunning, noon.Add(time.Millisecond))
		write(t, db, trail(a, b, a))
		write(t, db, trail(b, a))
		page, err := rdb.NewStore(db.Database).Statuses(t.Context(), rdb.StatusFilter{TaskID: "t"})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]tracing.Status{b, a}, page.Rows); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestMS46HugeAndOddTexts: long texts should be cut, impossible characters replaced, and the batch stored.
func TestMS46HugeAndOddTexts(t *testing.T) {
	odd := "数据 😀 ' \" \\ ; -- \x00 é\n"
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		reader := rdb.NewStore(db.Database)
		for name, text := range map[string]string{
			"unicode": odd,
			"exact":   strings.Repeat("😀", tracing.MaxText),
			"huge":    strings.Repeat("数", 100_000),
			"broken":  "a\xffb\xf0\x9f\x98",
		} {
			e := ended(run(name, "texts", 0, noon), time.Second, text)
			st := step(name, tracing.StateError, noon)
			st.Message = text
			write(t, db, append(events(e), trail(st)...))
			want := strings.ToValidUTF8(text, "\uFFFD")
			if db.Dialect == store.Postgres { // its texts can't hold the character zero
				want = strings.ReplaceAll(want, "\x00", "\uFFFD")
			}
			if runes := []rune(want); len(runes) > tracing.MaxText {
				want = string(runes[:tracing.MaxText])
			}
			got, err := reader.Execution(t.Context(), name)
			if err != nil {
				t.Fatal(err)
			}
			if got.FailureCause != want {
				t.Errorf("%s: cause of %d characters differs", name, utf8.RuneCountInString(got.FailureCause))
			}
		}
		wide := strings.Repeat("é", 1000)
		e := run("wide", "j", 0, noon)
		e.Hostname, e.Source = wide, tracing.Source(wide)
		write(t, db, events(e))
		got, err := reader.Execution(t.Context(), "wide")
		if err != nil || got.Hostname != wide[:510] || string(got.Source) != wide[:40] {
			t.Errorf("%v %v", got, err)
		}
	})
}

func TestRejectedEvents(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		sink := rdb.NewSink(db.Database)
		bad := [][]tracing.Event{{{}}, events(run("", "j", 0, noon)), events(run("x", "", 0, noon)), trail(tracing.Status{ID: "x"}),
			events(run("x", "j", 1<<40, noon))}
		if db.Dialect == store.MySQL {
			bad = append(bad, events(run("x", "j", 0, noon.AddDate(500, 0, 0))))
		}
		for _, list := range bad {
			err := sink.Write(t.Context(), append(events(run("good", "j", 0, noon)), list...))
			if !errors.Is(err, tracing.ErrRejected) {
				t.Errorf("%+v: %v", list, err)
			}
		}
		if n := count(t, db, "JOB_EXECUTION_LOG"); n != 0 {
			t.Errorf("%d rows of refused batches", n)
		}
	})
}

func TestTimesAreUTC(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		at := time.Date(2026, 11, 21, 20, 0, 0, 123_999_999, time.FixedZone("CST", 8*3600))
		write(t, db, events(ended(run("x", "j", 0, at), time.Second, "")))
		got, err := rdb.NewStore(db.Database).Execution(t.Context(), "x")
		if want := noon.Add(123 * time.Millisecond); err != nil || !got.StartTime.Equal(want) || got.StartTime.Location() != time.UTC {
			t.Fatal(got.StartTime, err)
		}
		var raw string
		db.Raw("SELECT CONCAT(start_time, '') FROM JOB_EXECUTION_LOG").Scan(&raw)
		if db.Dialect == store.SQLite {
			db.Raw("SELECT start_time || '' FROM JOB_EXECUTION_LOG").Scan(&raw)
		}
		if raw != "2026-11-21 12:00:00.123" {
			t.Fatal(raw)
		}
	})
}

// TestManyThroughAsync covers the whole path: producers, the recorder, the database.
func TestManyThroughAsync(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const producers, runs = 4, 1000
		recorder := tracing.NewAsync(rdb.NewSink(db.Database), tracing.AsyncOptions{QueueSize: 20_000})
		var wg sync.WaitGroup
		for p := range producers {
			wg.Go(func() {
				for i := range runs {
					e := run(fmt.Sprintf("%d-%d", p, i), "load", i%10, noon.Add(time.Duration(i)*time.Millisecond))
					recorder.RecordExecution(e)
					recorder.RecordExecution(ended(e, time.Second, ""))
					if i%2 == 0 {
						recorder.RecordStatus(step(e.ID, tracing.StateFinished, e.StartTime))
					}
				}
			})
		}
		wg.Wait()
		if err := recorder.Close(t.Context()); err != nil {
			t.Fatal(err)
		}
		if stats := recorder.Stats(); stats.Written != 10_000 || stats.Dropped+stats.Failed != 0 {
			t.Fatalf("%+v", stats)
		}
		if n := count(t, db, "JOB_EXECUTION_LOG"); n != producers*runs {
			t.Errorf("%d executions", n)
		}
		if n := count(t, db, "JOB_STATUS_TRACE_LOG"); n != producers*runs/2 {
			t.Errorf("%d statuses", n)
		}
		finished, _, err := rdb.NewStore(db.Database).CountExecutions(t.Context(), rdb.ExecutionFilter{State: rdb.RunSuccess}, 1_000_000)
		if err != nil || finished != producers*runs {
			t.Errorf("%d finished, %v", finished, err)
		}
	})
}

// TestManyWriters writes overlapping batches from several sinks, like agents that retry after a lost reply.
func TestManyWriters(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var wg sync.WaitGroup
		for w := range 6 {
			wg.Go(func() {
				sink, random := rdb.NewSink(db.Database), rand.New(rand.NewPCG(1, uint64(w)))
				for range 20 {
					var list []tracing.Event
					for range 50 {
						n := random.IntN(300)
						e := run(fmt.Sprint(n), "shared", n, noon)
						list = append(list, events(e, ended(e, time.Second, ""))...)
						list = append(list, trail(step(fmt.Sprint(n), tracing.StateRunning, noon))...)
					}
					if err := sink.Write(t.Context(), list); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		executions, statuses := count(t, db, "JOB_EXECUTION_LOG"), count(t, db, "JOB_STATUS_TRACE_LOG")
		if executions < 290 || executions > 300 || statuses != executions {
			t.Fatal(executions, statuses)
		}
	})
}

// TestTablesOfJava reads and writes tables that Java engines created, before and after our migrations.
func TestTablesOfJava(t *testing.T) {
	for _, version := range []string{storetest.Java304, storetest.Java305} {
		for _, migrated := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/migrated=%t", version, migrated), func(t *testing.T) {
				storetest.EachDSN(t, func(t *testing.T, dsn string) {
					db := storetest.Open(t, dsn)
					storetest.CreateJavaTables(t, db, version)
					storetest.InsertJavaRows(t, db, version, db.Dialect == store.MySQL)
					if migrated {
						if err := db.Migrate(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					start := run("ours", "java", 2, noon)
					list := append(events(start), trail(step("s1", tracing.StateStaging, noon), step("s2", tracing.StateRunning, noon))...)
					write(t, db, list)
					write(t, db, list)
					write(t, db, events(ended(start, time.Second, "boom")))

					reader := rdb.NewStore(db.Database)
					page, err := reader.Executions(t.Context(), rdb.ExecutionFilter{JobName: "java"})
					if err != nil {
						t.Fatal(err)
					}
					var states []string
					for _, row := range page.Rows {
						states = append(states, fmt.Sprintf("%d %s", row.Item, rdb.StateOf(row)))
					}
					if diff := cmp.Diff([]string{"2 failed", "1 failed", "0 success"}, states); diff != "" {
						t.Error(diff)
					}
					failed, err := reader.Executions(t.Context(), rdb.ExecutionFilter{State: rdb.RunFailed})
					if err != nil || len(failed.Rows) != 2 {
						t.Errorf("%d failed, %v", len(failed.Rows), err)
					}
					statuses, err := reader.Statuses(t.Context(), rdb.StatusFilter{TaskID: "t", Source: tracing.StatusSourceLite})
					if err != nil {
						t.Fatal(err)
					}
					want := []tracing.Status{step("s2", tracing.StateRunning, noon), step("s1", tracing.StateStaging, noon)}
					if diff := cmp.Diff(want, statuses.Rows); diff != "" {
						t.Error(diff)
					}
					none, err := reader.Statuses(t.Context(), rdb.StatusFilter{Source: "CLOUD_EXECUTOR"})
					if err != nil || len(none.Rows) != 0 {
						t.Errorf("%d rows of the cloud, %v", len(none.Rows), err)
					}
				})
			})
		}
	}
}

func TestSinkFailures(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		err := rdb.NewSink(db.Database).Write(t.Context(), events(run("x", "j", 0, noon)))
		if err == nil || errors.Is(err, tracing.ErrRejected) || !strings.Contains(err.Error(), "run the migrations") {
			t.Errorf("without tables: %v", err)
		}
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := rdb.NewSink(db.Database).Write(ctx, events(run("x", "j", 0, noon))); !errors.Is(err, context.Canceled) {
			t.Errorf("cancelled: %v", err)
		}
		if db.Dialect == store.SQLite {
			readOnly := storetest.Open(t, dsn+"?mode=ro")
			err := rdb.NewSink(readOnly.Database).Write(t.Context(), events(run("x", "j", 0, noon)))
			if err == nil || errors.Is(err, tracing.ErrRejected) || !strings.Contains(err.Error(), "readonly") {
				t.Errorf("read-only: %v", err)
			}
		}
		if n := count(t, db, "JOB_EXECUTION_LOG"); n != 0 {
			t.Errorf("%d rows", n)
		}
	})
}

// TestEmptyBatch also checks an unsupported dialect. It needs no database.
func TestEmptyBatch(t *testing.T) {
	if err := rdb.NewSink(&rdb.DB{}).Write(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
}

func newest(rows []tracing.Execution) []tracing.Execution {
	rows = slices.Clone(rows)
	slices.SortFunc(rows, func(a, b tracing.Execution) int {
		if c := b.StartTime.Compare(a.StartTime); c != 0 {
			return c
		}
		return strings.Compare(b.ID, a.ID)
	})
	return rows
}
