package ledger_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

func read(t *testing.T, path string) (list []ledger.Record) {
	t.Helper()
	if err := ledger.Read(path, func(r ledger.Record) { list = append(list, r) }); err != nil {
		t.Fatal(err)
	}
	return list
}

// Two processes write one after the other. A line that the first one's end cut off should not hide
// a complete line.
func TestLedgerSurvivesACut(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "ledger")
	book, err := ledger.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := book.Write(ledger.Record{What: ledger.Began, Job: "a", Item: 3, Token: 7}); err != nil {
		t.Fatal(err)
	}
	if err := book.Write(ledger.Record{What: ledger.Ended, Job: "a", Outcome: ledger.Done}); err != nil {
		t.Fatal(err)
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	list := read(t, path)
	if len(list) != 2 || list[0].Token != 7 || list[0].Item != 3 || list[1].Outcome != ledger.Done {
		t.Errorf("read %+v", list)
	}
	if list[0].PID != os.Getpid() || list[1].Mono < list[0].Mono || list[0].Wall == 0 {
		t.Errorf("stamps of %+v", list)
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString(`{"what":"beg`); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if list := read(t, path); len(list) != 2 {
		t.Errorf("a line that is cut off: read %+v", list)
	}
}

// The schedule of each period should fire at its multiples, which our judge takes as fire times.
func TestCronOfFiresAtMultiples(t *testing.T) {
	t.Parallel()
	for _, seconds := range []int{1, 2, 3, 5, 10, 30, 60, 120, 240} {
		expression, err := quartz.Parse(ledger.CronOf(seconds))
		if err != nil {
			t.Fatal(err)
		}
		at := time.Date(2026, 11, 22, 23, 55, 1, 0, time.UTC)
		for range 100 {
			next, ok := expression.Next(at, time.UTC)
			if want := at.Truncate(time.Duration(seconds) * time.Second).Add(time.Duration(seconds) * time.Second); !ok || !next.Equal(want) {
				t.Fatalf("period %d: after %v comes %v, want %v", seconds, at, next, want)
			}
			at = next
		}
	}
}

// A handler's duration should depend only on shard and fire time, and stay within its limits.
func TestTakesIsBounded(t *testing.T) {
	t.Parallel()
	job := ledger.Job{Shortest: 20, Longest: 50, FailOneIn: 3}
	var seen []time.Duration
	failed := 0
	for i := range 300 {
		fire := time.Unix(int64(i), 0)
		took := job.Takes(i%5, fire)
		if took < 20*time.Millisecond || took > 50*time.Millisecond || took != job.Takes(i%5, fire) {
			t.Fatalf("takes %v", took)
		}
		if !slices.Contains(seen, took) {
			seen = append(seen, took)
		}
		if job.Fails(i%5, fire) {
			failed++
		}
	}
	if len(seen) < 20 || failed < 60 || failed > 140 {
		t.Errorf("%d different times, %d failures of 300", len(seen), failed)
	}
}
