package rdb_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// TestA43StatesOfRows: rows of agents and Java engines get their state from recorded evidence only.
func TestA43StatesOfRows(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		at := func(seconds int) time.Time { return noon.Add(time.Duration(seconds) * time.Second) }
		rows := []tracing.Execution{
			run("going on", "j", 0, at(10)),
			run("of another shard", "j", 1, at(-86400)), // age is no evidence
			run("lost", "j", 0, at(5)),
			ended(run("good", "j", 0, at(6)), time.Second, ""),
			ended(run("bad", "j", 0, at(7)), time.Second, "boom"),
			ended(run("cancelled", "j", 0, at(8)), time.Second, tracing.CauseCancelled+": EOF"),
			run("of another job", "k", 0, at(1)),
		}
		write(t, db, events(rows...))
		storetest.InsertJavaRows(t, db, storetest.Java304, false) // one succeeded, one failed without a completion
		reader := rdb.NewStore(db.Database)
		got := map[rdb.RunState][]string{}
		for _, state := range []rdb.RunState{rdb.RunRunning, rdb.RunLost, rdb.RunSuccess, rdb.RunFailed, rdb.RunCancelled} {
			page, err := reader.Executions(t.Context(), rdb.ExecutionFilter{State: state})
			if err != nil {
				t.Fatal(err)
			}
			for _, e := range page.Rows {
				if rdb.StateOf(e) != state {
					t.Errorf("%s is found as %s and is %s", e.ID, state, rdb.StateOf(e))
				}
				if year := e.CompleteTime.Year(); year != 1 && year != 2026 {
					t.Errorf("%s was complete at %s", e.ID, e.CompleteTime)
				}
				id := e.ID
				if e.JobName == "java" {
					id = fmt.Sprint("java ", e.Item)
				}
				got[state] = append(got[state], id)
			}
		}
		want := map[rdb.RunState][]string{
			rdb.RunRunning: {"going on", "of another job", "of another shard"}, rdb.RunLost: {"lost"},
			rdb.RunSuccess: {"good", "java 0"}, rdb.RunFailed: {"bad", "java 1"}, rdb.RunCancelled: {"cancelled"},
		}
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got)\n%s", diff)
		}
		// The late end is correct.
		write(t, db, events(ended(rows[2], time.Hour, "")))
		if e, err := reader.Execution(t.Context(), "lost"); err != nil || rdb.StateOf(e) != rdb.RunSuccess {
			t.Errorf("%+v, %v", e, err)
		}
	})
}

// compared orders rows as in an ascending list sorted by the key.
func compared(key rdb.SortKey, a, b tracing.Execution) int {
	byKey := 0
	switch key {
	case rdb.SortComplete:
		byKey = a.CompleteTime.Compare(b.CompleteTime)
	case rdb.SortDuration:
		byKey = cmp.Compare(duration(a), duration(b))
	case rdb.SortJob:
		byKey = strings.Compare(a.JobName, b.JobName)
	case rdb.SortIP:
		byKey = strings.Compare(a.IP, b.IP)
	}
	return cmp.Or(byKey, a.StartTime.Compare(b.StartTime), strings.Compare(a.ID, b.ID))
}

// duration returns a negative value without an end.
func duration(e tracing.Execution) time.Duration {
	if e.CompleteTime.IsZero() {
		return -1
	}
	return e.CompleteTime.Sub(e.StartTime)
}

// TestA44FiltersAndSorting compares pages of random filters in every order with a search in memory:
// rows, their order and totals.
func TestA44FiltersAndSorting(t *testing.T) {
	jobs := []string{"a_b", tracing.CauseCancelled + ": timed out", "a%b", "axb", "a", "作业", "b"}
	causes := []string{"", "", "", "Connection TIMED out", "timed out after 50%", "a_b", "超时: no answer"}
	var rows []tracing.Execution
	random := rapid.Custom(func(t *rapid.T) tracing.Execution {
		e := run("", rapid.SampledFrom(jobs).Draw(t, "job"), rapid.IntRange(0, 2).Draw(t, "item"),
			noon.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "start"))*100*time.Millisecond))
		e.IP = fmt.Sprintf("10.0.0.%d", rapid.IntRange(8, 11).Draw(t, "ip"))
		if rapid.IntRange(0, 4).Draw(t, "ended") > 0 {
			e = ended(e, time.Duration(rapid.IntRange(0, 5).Draw(t, "took"))*700*time.Millisecond, rapid.SampledFrom(causes).Draw(t, "cause"))
		}
		return e
	})
	for i := range 200 {
		e := random.Example(i)
		e.ID = fmt.Sprintf("id-%04d", i*7919%10007)
		rows = append(rows, e)
	}
	known(rows)
	maybe := func(t *rapid.T, name string) bool { return rapid.IntRange(0, 3).Draw(t, name) == 0 }
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, events(rows...))
		reader := rdb.NewStore(db.Database)
		ctx := t.Context()
		rapid.Check(t, func(t *rapid.T) {
			reader.LookAt(rapid.SampledFrom([]int{9, 60, rdb.MaxLooked}).Draw(t, "looks"))
			f := drawFilter(t, maybe, jobs)
			var want, got []string
			for _, e := range slices.SortedFunc(slices.Values(rows), func(a, b tracing.Execution) int {
				if f.Ascending {
					return compared(f.Sort, a, b)
				}
				return compared(f.Sort, b, a)
			}) {
				if matches(f, e) && strings.HasPrefix(e.JobName, f.JobPrefix) && (f.MinDuration == 0 || duration(e) >= f.MinDuration) &&
					strings.Contains(strings.ToLower(e.FailureCause), strings.ToLower(f.FailureText)) {
					want = append(want, e.ID)
				}
			}
			for turns := 0; ; turns++ {
				page, err := reader.Executions(ctx, f)
				if err != nil {
					t.Fatal(err)
				}
				for _, e := range page.Rows {
					got = append(got, e.ID)
				}
				if f.Cursor = page.NextCursor; f.Cursor == "" || turns > 400 {
					break
				}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				t.Fatalf("%+v (-want +got)\n%s", f, diff)
			}
			n, exact, err := reader.CountExecutions(ctx, f, 1_000)
			if err != nil || n > len(want) || exact && n != len(want) {
				t.Fatalf("%+v: counted %d (exact: %t), there are %d: %v", f, n, exact, len(want), err)
			}
		})
	})
}

func drawFilter(t *rapid.T, maybe func(t *rapid.T, name string) bool, jobs []string) rdb.ExecutionFilter {
	f := rdb.ExecutionFilter{
		Sort:      rapid.SampledFrom([]rdb.SortKey{"", rdb.SortStart, rdb.SortComplete, rdb.SortDuration, rdb.SortJob, rdb.SortIP}).Draw(t, "sort"),
		Ascending: rapid.Bool().Draw(t, "ascending"), Limit: rapid.SampledFrom([]int{3, 50, 1000}).Draw(t, "limit"),
	}
	if maybe(t, "job") {
		f.JobName = rapid.SampledFrom(append(jobs, "A_B", "a%")).Draw(t, "jobName")
	}
	if maybe(t, "prefix") {
		f.JobPrefix = rapid.SampledFrom([]string{"a", "a_", "a%", "作", "A", "%", "!"}).Draw(t, "jobPrefix")
	}
	if maybe(t, "ip") {
		f.IP = fmt.Sprintf("10.0.0.%d", rapid.IntRange(8, 12).Draw(t, "address"))
	}
	if maybe(t, "item") {
		item := rapid.IntRange(0, 3).Draw(t, "number")
		f.Item = &item
	}
	if maybe(t, "state") {
		f.State = rapid.SampledFrom([]rdb.RunState{rdb.RunRunning, rdb.RunSuccess, rdb.RunFailed, rdb.RunLost, rdb.RunCancelled}).Draw(t, "is")
	}
	if maybe(t, "text") {
		f.FailureText = rapid.SampledFrom([]string{"timed", "TIMED OUT", "50%", "a_b", "a%b", "超时", "!"}).Draw(t, "part")
	}
	if maybe(t, "duration") {
		f.MinDuration = time.Duration(rapid.IntRange(1, 4).Draw(t, "atLeast")) * 700 * time.Millisecond
	}
	if maybe(t, "from") {
		f.From = noon.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "from")) * 100 * time.Millisecond)
	}
	if maybe(t, "to") {
		f.To = noon.Add(time.Duration(rapid.IntRange(0, 30).Draw(t, "to")) * 100 * time.Millisecond)
	}
	if f.To.Before(f.From) && !f.To.IsZero() {
		f.From, f.To = f.To, f.From
	}
	return f
}

// TestA46DatabasesOfJava: both lists should work on the tables of either engine, before and after our migration.
func TestA46DatabasesOfJava(t *testing.T) {
	for _, version := range []string{storetest.Java304, storetest.Java305} {
		t.Run(version, func(t *testing.T) {
			storetest.EachDSN(t, func(t *testing.T, dsn string) {
				db := storetest.Open(t, dsn)
				storetest.CreateJavaTables(t, db, version)
				storetest.InsertJavaRows(t, db, version, false)
				for _, migrated := range []bool{false, true} {
					if migrated {
						if err := db.Migrate(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					reader := rdb.NewStore(db.Database)
					for _, f := range []rdb.ExecutionFilter{
						{JobName: "java"}, {JobPrefix: "ja", Sort: rdb.SortDuration}, {Sort: rdb.SortComplete, Ascending: true}, {IP: "10.0.0.1", Sort: rdb.SortJob},
					} {
						page, err := reader.Executions(t.Context(), f)
						if err != nil || len(page.Rows) != 2 {
							t.Errorf("migrated %t, %+v: %d rows, %v", migrated, f, len(page.Rows), err)
						}
					}
					if page, err := reader.Executions(t.Context(), rdb.ExecutionFilter{FailureText: "illegalstate"}); err != nil || len(page.Rows) != 1 {
						t.Errorf("migrated %t: %+v, %v", migrated, page, err)
					}
					steps, err := reader.Statuses(t.Context(), rdb.StatusFilter{Source: tracing.StatusSourceLite})
					if err != nil || len(steps.Rows) != 1 || steps.Rows[0].Source != tracing.StatusSourceLite {
						t.Errorf("migrated %t: %+v, %v", migrated, steps, err)
					}
					points, err := reader.Statistics(t.Context(), "java", rdb.Hour, noon, noon)
					if results, err2 := reader.Results(t.Context(), "online", noon); err != nil || err2 != nil || points[0].Known || results.Complete {
						t.Errorf("migrated %t: %+v, %v, %+v, %v", migrated, points, err, results, err2)
					}
					if names, err := reader.Suggest(t.Context(), rdb.SuggestStatusJobs, "j"); err != nil || len(names) != 1 {
						t.Errorf("migrated %t: %v, %v", migrated, names, err)
					}
				}
			})
		})
	}
}

// TestA47Suggestions: a prefix is taken literally, and at most 20 values are returned.
func TestA47Suggestions(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		var rows []tracing.Execution
		var steps []tracing.Status
		names := []string{"50%", "50% more", "500", "a_b", "a_b.c", "axb", "A_b", "作业", "100!"}
		for i := range 30 {
			names = append(names, fmt.Sprintf("many-%02d", i))
		}
		for i, name := range names {
			e := run(fmt.Sprint("id-", i), name, 0, noon)
			e.IP = fmt.Sprintf("10.0.%d.1", i)
			again := e
			again.ID = fmt.Sprint("again-", i)
			rows = append(rows, e, again)
			st := step(fmt.Sprint("id-", i), tracing.StateRunning, noon)
			st.JobName = name
			steps = append(steps, st)
		}
		write(t, db, append(events(rows...), trail(steps...)...))
		reader := rdb.NewStore(db.Database)
		for _, c := range []struct {
			of     rdb.Suggestion
			prefix string
			want   []string
		}{
			{rdb.SuggestJobs, "50%", []string{"50%", "50% more"}}, {rdb.SuggestJobs, "a_b", []string{"a_b", "a_b.c"}}, {rdb.SuggestJobs, "作", []string{"作业"}},
			{rdb.SuggestJobs, "100!", []string{"100!"}}, {rdb.SuggestJobs, "nobody", []string{}}, {rdb.SuggestJobs, "a\x00", []string{}},
			{rdb.SuggestStatusJobs, "a_", []string{"a_b", "a_b.c"}}, {rdb.SuggestIPs, "10.0.1.", []string{"10.0.1.1"}},
		} {
			got, err := reader.Suggest(t.Context(), c.of, c.prefix)
			if diff := gocmp.Diff(c.want, got); diff != "" || err != nil {
				t.Errorf("%s %q: %v %s", c.of, c.prefix, err, diff)
			}
		}
		for _, prefix := range []string{"", "many"} {
			if got, err := reader.Suggest(t.Context(), rdb.SuggestJobs, prefix); err != nil || len(got) != rdb.MaxSuggestions || !slices.IsSorted(got) {
				t.Errorf("%q: %d values, %v", prefix, len(got), err)
			}
		}
	})
}
