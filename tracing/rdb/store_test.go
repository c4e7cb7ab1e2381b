package rdb_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// history returns rows with few distinct start times, so that pages end within rows of one time.
func history(n int) []tracing.Execution {
	random := rand.New(rand.NewPCG(7, 7))
	var rows []tracing.Execution
	for i := range n {
		e := run(fmt.Sprintf("id-%04d", random.IntN(10000)*1000+i), fmt.Sprintf("job%d", random.IntN(4)), random.IntN(3),
			noon.Add(time.Duration(random.IntN(20))*100*time.Millisecond))
		e.IP = fmt.Sprintf("10.0.0.%d", random.IntN(2))
		e.TaskID = fmt.Sprintf("task%d", random.IntN(10))
		e.Source = []tracing.Source{tracing.SourceNormal, tracing.SourceMisfire}[random.IntN(2)]
		switch random.IntN(3) {
		case 0:
			e = ended(e, time.Second, "")
		case 1:
			e = ended(e, time.Second, []string{"boom", tracing.CauseCancelled, "THE RUN WAS CANCELLED"}[i%3])
		}
		rows = append(rows, e)
	}
	return known(rows)
}

// known sets Lost for each run without an end whose shard has run again.
func known(rows []tracing.Execution) []tracing.Execution {
	type item struct {
		job  string
		item int
	}
	latest := map[item]time.Time{}
	for _, e := range rows {
		if of := (item{e.JobName, e.Item}); e.StartTime.After(latest[of]) {
			latest[of] = e.StartTime
		}
	}
	for i, e := range rows {
		rows[i].Lost = e.Running() && latest[item{e.JobName, e.Item}].After(e.StartTime)
	}
	return rows
}

func matches(f rdb.ExecutionFilter, e tracing.Execution) bool {
	return (f.JobName == "" || f.JobName == e.JobName) && (f.IP == "" || f.IP == e.IP) &&
		(f.TaskID == "" || f.TaskID == e.TaskID) && (f.Item == nil || *f.Item == e.Item) &&
		(f.Source == "" || f.Source == e.Source) && (f.State == "" || f.State == rdb.StateOf(e)) &&
		(f.From.IsZero() || !e.StartTime.Before(f.From)) && (f.To.IsZero() || !e.StartTime.After(f.To))
}

func TestExecutionFilters(t *testing.T) {
	item := 1
	filters := []rdb.ExecutionFilter{
		{}, {JobName: "job1"}, {JobName: "JOB1"}, {JobName: "job%"}, {IP: "10.0.0.1"}, {TaskID: "task3"}, {Item: &item},
		{Source: tracing.SourceMisfire}, {State: rdb.RunRunning}, {State: rdb.RunLost}, {State: rdb.RunSuccess}, {State: rdb.RunFailed}, {State: rdb.RunCancelled},
		{From: noon.Add(500 * time.Millisecond)}, {To: noon.Add(500 * time.Millisecond)},
		{From: noon.Add(300 * time.Millisecond), To: noon.Add(900 * time.Millisecond), JobName: "job2", State: rdb.RunFailed},
		{From: noon, To: noon}, {JobName: "job0", IP: "10.0.0.0", Item: &item, Source: tracing.SourceNormal},
	}
	rows := history(600)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, events(rows...))
		reader := rdb.NewStore(db.Database)
		for _, filter := range filters {
			var want, got []tracing.Execution
			for _, row := range newest(rows) {
				if matches(filter, row) {
					want = append(want, row)
				}
			}
			for _, filter.Limit = range []int{7, 1000} {
				got, filter.Cursor = nil, ""
				for pages := 0; ; pages++ {
					page, err := reader.Executions(t.Context(), filter)
					if err != nil {
						t.Fatal(err)
					}
					got = append(got, page.Rows...)
					if filter.Cursor = page.NextCursor; filter.Cursor == "" || pages > 200 {
						break
					}
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%+v (-want +got):\n%s", filter, diff)
				}
			}
			for atMost, n := range map[int]int{1_000_000: len(want), 5: min(5, len(want))} {
				if got, exact, err := reader.CountExecutions(t.Context(), filter, atMost); err != nil || got != n || exact != (n < atMost) {
					t.Errorf("%+v: counted %d, want %d, %v", filter, got, n, err)
				}
			}
		}
	})
}

// TestPagesStayInPlace reads pages while newer rows arrive.
func TestPagesStayInPlace(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		rows := history(100)
		write(t, db, events(rows...))
		reader := rdb.NewStore(db.Database)
		var got []tracing.Execution
		filter := rdb.ExecutionFilter{Limit: 9}
		for i := 0; ; i++ {
			page, err := reader.Executions(t.Context(), filter)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, page.Rows...)
			write(t, db, events(run(fmt.Sprintf("new-%d", i), "new", 0, noon.Add(time.Hour+time.Duration(i)))))
			if filter.Cursor = page.NextCursor; filter.Cursor == "" {
				break
			}
		}
		if diff := cmp.Diff(newest(rows), got); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestStatusTrail(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var all []tracing.Status
		for i := range 60 {
			st := step(fmt.Sprintf("s%02d", (i*37)%60), []tracing.State{tracing.StateStaging, tracing.StateRunning, tracing.StateFinished}[i%3],
				noon.Add(time.Duration(i/3)*time.Second))
			st.TaskID, st.JobName, st.SlaveID = fmt.Sprintf("task%d", i/3%4), fmt.Sprintf("job%d", i/3%2), fmt.Sprintf("ip%d", i/3%3)
			all = append(all, st)
		}
		write(t, db, trail(all...))
		reader := rdb.NewStore(db.Database)

		page, err := reader.Statuses(t.Context(), rdb.StatusFilter{TaskID: "task1"})
		if err != nil {
			t.Fatal(err)
		}
		var want []tracing.Status
		for _, st := range slices.Backward(all) {
			if st.TaskID == "task1" {
				want = append(want, st)
			}
		}
		if diff := cmp.Diff(want, page.Rows); diff != "" {
			t.Error(diff)
		}

		// Every row should appear once, for any filter and page size.
		for _, filter := range []rdb.StatusFilter{
			{}, {JobName: "job1"}, {SlaveID: "ip2"}, {State: tracing.StateRunning}, {ExecutionType: tracing.ExecutionTypeReady},
			{Source: tracing.StatusSourceLite, From: noon.Add(5 * time.Second), To: noon.Add(9 * time.Second)}, {ExecutionType: "x"},
		} {
			want, got := map[string]int{}, map[string]int{}
			for _, st := range all {
				if (filter.JobName == "" || filter.JobName == st.JobName) && (filter.SlaveID == "" || filter.SlaveID == st.SlaveID) &&
					(filter.State == "" || filter.State == st.State) && filter.ExecutionType != "x" &&
					(filter.From.IsZero() || !st.CreationTime.Before(filter.From) && !st.CreationTime.After(filter.To)) {
					want[st.ID]++
				}
			}
			filter.Limit = 4
			for {
				page, err := reader.Statuses(t.Context(), filter)
				if err != nil {
					t.Fatal(err)
				}
				for _, st := range page.Rows {
					got[st.ID]++
				}
				if filter.Cursor = page.NextCursor; filter.Cursor == "" {
					break
				}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%+v: %s", filter, diff)
			}
			if n, exact, err := reader.CountStatuses(t.Context(), filter, 1000); err != nil || n != len(want) || !exact {
				t.Errorf("%+v: %d, %v", filter, n, err)
			}
		}
	})
}

// counter counts the statements GORM runs.
type counter struct {
	logger.Interface
	n *int
}

func (c counter) Trace(context.Context, time.Time, func() (string, int64), error) { *c.n++ }

func TestLastRuns(t *testing.T) {
	rows := history(600)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, events(rows...))
		statements := 0
		reader := rdb.NewStore(database.With(db.Database, db.Session(&gorm.Session{Logger: counter{logger.Discard, &statements}})))
		if _, err := reader.LastRuns(t.Context(), nil, 1); err != nil { // reads the shape of the tables
			t.Fatal(err)
		}
		for _, perJob := range []int{1, 5, 1000} {
			jobs := []string{"job1", "job3", "nothing", "job0", "job1", "JOB1"}
			want := map[string][]tracing.Execution{}
			for _, row := range newest(rows) {
				if slices.Contains(jobs, row.JobName) && len(want[row.JobName]) < perJob {
					want[row.JobName] = append(want[row.JobName], row)
				}
			}
			statements = 0
			got, err := reader.LastRuns(t.Context(), jobs, perJob)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
			if statements != 1 {
				t.Errorf("%d statements", statements)
			}
		}
		var many []string
		for i := range 450 {
			many = append(many, fmt.Sprintf("job%d", i))
		}
		if got, err := reader.LastRuns(t.Context(), many, 3); err != nil || len(got) != 4 {
			t.Errorf("%d jobs with runs, %v", len(got), err)
		}
		if got, err := reader.LastRuns(t.Context(), nil, 3); err != nil || len(got) != 0 {
			t.Errorf("%v, %v", got, err)
		}
	})
}

func TestQueryErrors(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		reader := rdb.NewStore(db.Database)
		ctx := t.Context()
		expect := func(err, want error) {
			t.Helper()
			if !errors.Is(err, want) {
				t.Errorf("want %v, got %v", want, err)
			}
		}
		_, err := reader.Execution(ctx, "nobody")
		expect(err, rdb.ErrNotFound)
		_, err = reader.Executions(ctx, rdb.ExecutionFilter{State: "sideways"})
		expect(err, rdb.ErrInvalidFilter)
		_, err = reader.Executions(ctx, rdb.ExecutionFilter{From: noon, To: noon.Add(-1)})
		expect(err, rdb.ErrInvalidFilter)
		_, _, err = reader.CountExecutions(ctx, rdb.ExecutionFilter{}, 0)
		expect(err, rdb.ErrInvalidFilter)
		_, err = reader.LastRuns(ctx, []string{"x"}, 0)
		expect(err, rdb.ErrInvalidFilter)
		for _, cursor := range []string{"?", "eA", "MTIz"} {
			_, err = reader.Executions(ctx, rdb.ExecutionFilter{Cursor: cursor})
			expect(err, rdb.ErrInvalidCursor)
			_, err = reader.Statuses(ctx, rdb.StatusFilter{Cursor: cursor})
			expect(err, rdb.ErrInvalidCursor)
		}
		stopped, cancel := context.WithCancel(ctx)
		cancel()
		_, err = reader.Executions(stopped, rdb.ExecutionFilter{})
		expect(err, context.Canceled)
		page, err := reader.Executions(ctx, rdb.ExecutionFilter{Limit: 1 << 30})
		if err != nil || len(page.Rows) != 0 || page.NextCursor != "" {
			t.Errorf("%+v, %v", page, err)
		}
	})
}

func TestForeignTimesAreRead(t *testing.T) {
	db := storetest.Open(t, storetest.SQLiteDSN(t))
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	storetest.InsertJavaRows(t, db, storetest.Java304, false)
	page, err := rdb.NewStore(db.Database).Executions(t.Context(), rdb.ExecutionFilter{})
	if err != nil {
		t.Fatal(err)
	}
	want := []time.Time{time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC), time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)}
	var got []time.Time
	for _, row := range page.Rows {
		got = append(got, row.StartTime)
	}
	if diff := cmp.Diff(want, got, cmpopts.EquateApproxTime(0)); diff != "" || strings.Contains(diff, "UTC") {
		t.Fatal(diff)
	}
}
