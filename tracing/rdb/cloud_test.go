package rdb_test

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestCloudCounts: a bucket should have the maximum of its minutes, and be unknown without a count.
// The first count of a minute should win, and counts older than 400 days should be deleted.
func TestCloudCounts(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		hour := noon.UTC().Truncate(time.Hour)
		at := func(minutes int) time.Time { return hour.Add(time.Duration(minutes) * time.Minute) }
		reader := rdb.NewStore(db.Database)
		counts := func(interval rdb.Interval, from, to time.Time) []rdb.CloudCount {
			t.Helper()
			list, err := reader.CloudCounts(t.Context(), interval, from, to)
			if err != nil {
				t.Fatal(err)
			}
			return list
		}
		for _, c := range []rdb.CloudCount{
			{Time: hour.AddDate(-2, 0, 0), TasksRunning: 9, JobsRunning: 9, JobsRegistered: 9},
			{Time: at(-58).Add(20 * time.Second), TasksRunning: 7, JobsRunning: 1, JobsRegistered: 3},
			{Time: at(-57), TasksRunning: 2, JobsRunning: 2, JobsRegistered: 4},
			{Time: at(-57), TasksRunning: 100, JobsRunning: 100, JobsRegistered: 100},
			{Time: at(0)},
		} {
			if err := rdb.NoteCloudCount(t.Context(), db.Database, c); err != nil {
				t.Fatal(err)
			}
		}
		want := []rdb.CloudCount{{Time: at(-59)}, {Time: at(-58), TasksRunning: 7, JobsRunning: 1, JobsRegistered: 3, Known: true}, {Time: at(-57), TasksRunning: 2, JobsRunning: 2, JobsRegistered: 4, Known: true}}
		if diff := cmp.Diff(want, counts(rdb.Minute, at(-59), at(-57))); diff != "" {
			t.Errorf("minutes (-want +got)\n%s", diff)
		}
		want = []rdb.CloudCount{{Time: at(-120)}, {Time: at(-60), TasksRunning: 7, JobsRunning: 2, JobsRegistered: 4, Known: true}, {Time: at(0), Known: true}}
		if diff := cmp.Diff(want, counts(rdb.Hour, at(-120), at(59))); diff != "" {
			t.Errorf("hours (-want +got)\n%s", diff)
		}
		if old := counts(rdb.Day, hour.AddDate(-2, 0, 0), hour.AddDate(-2, 0, 0)); old[0].Known {
			t.Errorf("two years ago: %+v", old)
		}
		if _, err := reader.CloudCounts(t.Context(), "week", hour, hour); !errors.Is(err, rdb.ErrInvalidFilter) {
			t.Errorf("by week: %v", err)
		}
	})
}

// TestCloudCountsOfAJavaEngine: its database has no table for them.
func TestCloudCountsOfAJavaEngine(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if err := db.Exec("DROP TABLE CLOUD_STATISTICS").Error; err != nil {
			t.Fatal(err)
		}
		list, err := rdb.NewStore(db.Database).CloudCounts(t.Context(), rdb.Day, noon, noon)
		if err != nil || len(list) != 1 || list[0].Known {
			t.Errorf("%+v, %v", list, err)
		}
	})
}
