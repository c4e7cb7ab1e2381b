package rdb_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// collect counts until nothing is missing. A slow database needs several calls.
func collect(t *testing.T, db *store.DB, now time.Time) {
	t.Helper()
	for complete := false; !complete; {
		var err error
		if complete, err = rdb.Count(t.Context(), db.Database, now); err != nil {
			t.Fatal(err)
		}
	}
}

// TestALongHistoryIsCountedLittleByLittle: a call returns after its time, even if most buckets are
// missing, and the next call continues. The newest buckets come first.
func TestALongHistoryIsCountedLittleByLittle(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		const hours = 6
		now := noon.Truncate(time.Hour).Add(30 * time.Second)
		write(t, db, events(ended(run("first", "j", 0, now.Add(-hours*time.Hour)), time.Second, "")))
		reader := rdb.NewStore(db.Database)
		for call := 1; ; call++ {
			complete, err := rdb.CountLittle(t.Context(), db.Database, now)
			if err != nil {
				t.Fatal(err)
			}
			points, err := reader.Statistics(t.Context(), "", rdb.Hour, now.Add(-hours*time.Hour), now)
			if err != nil {
				t.Fatal(err)
			}
			known := 0
			for i, p := range points {
				if p.Known {
					known++
				} else if i > hours-call-1 { // this hour, the previous one, and one more per call
					t.Fatalf("after %d calls %s is not counted", call, p.Time)
				}
			}
			if want := min(hours+1, call+2); known != want {
				t.Fatalf("after %d calls %d hours are known, want %d", call, known, want)
			}
			if known == hours+1 {
				if complete {
					t.Error("it is complete though minutes are missing")
				}
				break
			}
		}
		collect(t, db, now)
		if complete, err := rdb.CountLittle(t.Context(), db.Database, now); err != nil || !complete {
			t.Errorf("nothing is missing: %v, %v", complete, err)
		}
	})
}

// TestA50GapsAndReruns: buckets without a count are unknown, not zero, and so is the time before.
// Counting again changes nothing, and late rows are counted.
func TestA50GapsAndReruns(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		reader := rdb.NewStore(db.Database)
		at := func(hours, minutes int) time.Time {
			return noon.Truncate(time.Hour).Add(time.Duration(hours)*time.Hour + time.Duration(minutes)*time.Minute)
		}
		put := func(id string, end time.Time, cause string) {
			write(t, db, events(ended(run(id, "j", 0, end.Add(-time.Second)), time.Second, cause)))
		}
		// A busy minute, then no counting for thirty hours.
		for i := range 10 {
			put(fmt.Sprint("busy", i), at(0, 1), map[bool]string{true: "boom"}[i == 0])
		}
		collect(t, db, at(0, 3))
		put("back", at(30, 1), "")
		for range 2 {
			collect(t, db, at(30, 5))
		}
		points := func(job string, interval rdb.Interval, from, to time.Time) []rdb.Point {
			t.Helper()
			list, err := reader.Statistics(t.Context(), job, interval, from, to)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		got := points("", rdb.Minute, at(0, 0), at(0, 3))
		want := []rdb.Point{{Time: at(0, 0)}, {Time: at(0, 1), Success: 9, Failed: 1, Known: true}, {Time: at(0, 2), Known: true}, {Time: at(0, 3)}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("minutes (-want +got)\n%s", diff)
		}
		if gap := points("", rdb.Minute, at(3, 0), at(3, 0)); gap[0].Known || gap[0].Success+gap[0].Failed != 0 {
			t.Errorf("while the collector was away: %+v", gap)
		}
		// The missing hours are counted from the log.
		for _, p := range points("", rdb.Hour, at(0, 0), at(30, 0)) {
			want := rdb.Point{Time: p.Time, Known: true}
			switch {
			case p.Time.Equal(at(0, 0)):
				want.Success, want.Failed = 9, 1
			case p.Time.Equal(at(30, 0)):
				want.Success = 1
			}
			if p != want {
				t.Errorf("%+v, want %+v", p, want)
			}
		}
		if before := points("j", rdb.Hour, at(-2, 0), at(-1, 0)); before[0].Known || before[1].Known {
			t.Errorf("before anything was recorded: %+v", before)
		}
		// Later: a run that waited in a spool. Earlier: the log is pruned.
		countLate(t, put, at, db, points)
		refusedPeriods(t, reader)
	})
}

func refusedPeriods(t *testing.T, reader *rdb.Store) {
	for _, bad := range []func() ([]rdb.Point, error){
		func() ([]rdb.Point, error) { return reader.Statistics(t.Context(), "j", rdb.Minute, noon, noon) },
		func() ([]rdb.Point, error) { return reader.Statistics(t.Context(), "", "week", noon, noon) },
		func() ([]rdb.Point, error) { return reader.Statistics(t.Context(), "", rdb.Day, noon, noon.Add(-1)) },
		func() ([]rdb.Point, error) {
			return reader.Statistics(t.Context(), "", rdb.Minute, noon.AddDate(-1, 0, 0), noon)
		},
	} {
		if _, err := bad(); !errors.Is(err, rdb.ErrInvalidFilter) {
			t.Errorf("%v", err)
		}
	}
}

// countLate: late rows are counted, and deleted rows stay counted.
func countLate(t *testing.T, put func(id string, end time.Time, cause string), at func(hours int, minutes int) time.Time, db *store.DB, points func(job string, interval rdb.Interval, from time.Time, to time.Time) []rdb.Point) {
	put("late", at(30, 2), "boom")
	if err := db.Exec("DELETE FROM JOB_EXECUTION_LOG WHERE id = 'back'").Error; err != nil {
		t.Fatal(err)
	}
	collect(t, db, at(30, 5))
	if got := points("j", rdb.Hour, at(30, 0), at(30, 0)); got[0] != (rdb.Point{Time: at(30, 0), Success: 1, Failed: 1, Known: true}) {
		t.Errorf("%+v", got)
	}
	if got := points("other", rdb.Hour, at(30, 0), at(30, 0)); got[0] != (rdb.Point{Time: at(30, 0), Known: true}) {
		t.Errorf("a job that did not run: %+v", got)
	}
	day := at(30, 0).Truncate(24 * time.Hour)
	days := points("j", rdb.Day, day.AddDate(0, 0, -3), day)
	if days[0].Known || days[3] != (rdb.Point{Time: day, Success: 1, Failed: 1, Known: true}) || days[1].Known || days[2].Known { // half of the first run's day is unknown
		t.Errorf("%+v", days)
	}
}

// TestA51Periods compares each period with a search through the log. Cancelled executions count as neither (W29).
func TestA51Periods(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		now := noon.Truncate(time.Hour).Add(42*time.Minute + 17*time.Second)
		var rows []tracing.Execution
		for i, ago := range []time.Duration{0, 20 * time.Second, time.Minute, 77 * time.Second, 80 * time.Second, 30 * time.Minute, 59 * time.Minute, 61 * time.Minute,
			3 * time.Hour, 26 * time.Hour, 6 * 24 * time.Hour, 7*24*time.Hour - time.Hour, 8 * 24 * time.Hour, 11 * 24 * time.Hour} {
			end := now.Add(-ago)
			rows = append(rows, ended(run(fmt.Sprint("r", i), fmt.Sprint("job", i%3), 0, end.Add(-time.Second)), time.Second, map[int]string{1: "boom", 2: tracing.CauseCancelled}[i%4]))
		}
		rows = append(rows, run("running", "job0", 1, now.Add(-time.Minute)))
		write(t, db, events(rows...))
		storetest.InsertJavaRows(t, db, storetest.Java304, false) // one failed, without a completion
		collect(t, db, now)
		reader := rdb.NewStore(db.Database)
		minute := now.Truncate(time.Minute)
		for period, bounds := range map[string][2]time.Time{
			"lastMinute": {minute.Add(-time.Minute), minute}, "lastHour": {minute.Add(-time.Hour), minute},
			"lastWeek": {now.AddDate(0, 0, -7).Truncate(time.Hour), now.Add(1)}, "online": {time.Time{}, now.Add(1)},
		} {
			page, err := reader.Executions(t.Context(), rdb.ExecutionFilter{})
			if err != nil {
				t.Fatal(err)
			}
			success, failed := 0, 0
			for _, e := range page.Rows {
				end := e.CompleteTime
				if end.IsZero() {
					end = e.StartTime
				}
				if e.Running() || end.Before(bounds[0]) || !end.Before(bounds[1]) {
					continue
				}
				switch rdb.StateOf(e) {
				case rdb.RunSuccess:
					success++
				case rdb.RunFailed:
					failed++
				}
			}
			got, err := reader.Results(t.Context(), period, now)
			if err != nil || got.Success != success || got.Failed != failed || !got.Complete {
				t.Errorf("%s: %+v, want %d and %d, %v", period, got, success, failed, err)
			}
		}
		if later, err := reader.Results(t.Context(), "lastMinute", now.Add(time.Hour)); err != nil || later.Complete || later.Success != 0 {
			t.Errorf("an uncounted minute: %+v, %v", later, err)
		}
		if _, err := reader.Results(t.Context(), "lastYear", now); !errors.Is(err, rdb.ErrInvalidFilter) {
			t.Error(err)
		}
	})
}
