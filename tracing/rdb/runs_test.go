package rdb_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// manyRuns returns a past of three jobs: one with run ids, attempts, losses and failovers, one of a
// Java engine, and one with runs of minutes.
func manyRuns(n int) []tracing.Execution {
	random := rand.New(rand.NewPCG(14, 2))
	var rows []tracing.Execution
	add := func(e tracing.Execution, took time.Duration, cause string) {
		e.ID = fmt.Sprintf("id-%05d", random.IntN(90)*1000+len(rows))
		if took > 0 {
			e = ended(e, took, cause)
		}
		rows = append(rows, e)
	}
	for i := range n {
		at := noon.Add(time.Duration(i) * 10 * time.Second)
		for item := range 3 {
			start := at.Add(time.Duration(random.IntN(400)) * time.Millisecond)
			own := run("", "own", item, start)
			own.RunID, own.Attempt, own.ScheduledAt = fmt.Sprintf("F%d", at.UnixMilli()), 1, at
			own.Trigger = []tracing.Trigger{tracing.TriggerSchedule, tracing.TriggerManual}[i%2]
			own.IP = fmt.Sprintf("10.0.0.%d", item)
			java := run("", "java", item, start)
			java.Source = []tracing.Source{tracing.SourceNormal, tracing.SourceMisfire}[i%7/6]
			long := run("", "long", item, start)
			long.RunID = "L" + own.RunID
			switch random.IntN(8) {
			case 0: // the next attempt succeeds
				add(own, time.Second, "first boom")
				own.Attempt, own.StartTime, own.IP = 2, start.Add(2*time.Second), "10.0.0.9"
				add(own, time.Second, "")
				add(java, time.Second, "Java BOOM")
			case 1:
				add(own, 2*time.Second, "boom")
				add(java, 0, "")
			case 2:
				add(own, 0, "")
				add(java, time.Second, "")
			case 3: // only these words, in this case, at the beginning
				add(own, time.Second, []string{tracing.CauseCancelled, tracing.CauseCancelled + ": EOF"}[i%2])
				add(java, time.Second, []string{"The run was cancelled", "child: " + tracing.CauseCancelled}[i%2])
			default:
				add(own, time.Second, "")
				add(java, time.Second, "")
			}
			if i%20 == 0 {
				add(long, 3*time.Minute+time.Duration(item)*time.Second, "")
			}
		}
	}
	return known(rows)
}

type modelRun struct {
	key   string
	at    time.Time
	id    string
	state rdb.RunState
}

// modelRuns answers a filter by checking every row.
func modelRuns(rows []tracing.Execution, f rdb.RunFilter) []string {
	byRun := map[string][]tracing.Execution{}
	for _, e := range rows {
		id, _ := rdb.RunOf(e)
		byRun[e.JobName+" "+id] = append(byRun[e.JobName+" "+id], e)
	}
	var found []modelRun
	for key, of := range byRun {
		r := modelRun{key: key, state: modelState(of)}
		for _, e := range of {
			state := rdb.StateOf(e)
			overlaps := (f.To.IsZero() || !e.StartTime.After(f.To)) && (f.From.IsZero() || !e.StartTime.Before(f.From) ||
				!f.StartedIn && (state == rdb.RunRunning || !e.CompleteTime.Before(f.From)))
			matches := overlaps && (f.JobName == "" || e.JobName == f.JobName) && strings.HasPrefix(e.JobName, f.JobPrefix) &&
				(f.Jobs == nil || slices.Contains(f.Jobs, e.JobName)) &&
				(f.IP == "" || e.IP == f.IP) && (f.Trigger == "" || rdb.TriggerOf(e) == f.Trigger) &&
				(f.FailureText == "" || strings.Contains(strings.ToLower(e.FailureCause), strings.ToLower(f.FailureText))) &&
				(f.MinDuration == 0 || !e.CompleteTime.IsZero() && e.CompleteTime.Sub(e.StartTime) >= f.MinDuration) &&
				(f.State == "" || f.FailureText != "" || state == f.State)
			if matches && (r.id == "" || e.StartTime.Before(r.at) || e.StartTime.Equal(r.at) && e.ID < r.id) {
				r.at, r.id = e.StartTime, e.ID
			}
		}
		if r.id != "" && (f.State == "" || r.state == f.State) {
			found = append(found, r)
		}
	}
	before := func(r modelRun) int {
		if f.From.IsZero() || !r.at.Before(f.From) {
			return 0
		}
		return 1
	}
	slices.SortFunc(found, func(a, b modelRun) int {
		return cmp.Or(before(a)-before(b), b.at.Compare(a.at), cmp.Compare(b.id, a.id))
	})
	var keys []string
	for _, r := range found {
		keys = append(keys, r.key+" "+string(r.state))
	}
	return keys
}

func modelState(rows []tracing.Execution) rdb.RunState {
	last := map[int]tracing.Execution{}
	for _, e := range rows {
		if l, ok := last[e.Item]; !ok || e.Attempt > l.Attempt {
			last[e.Item] = e
		}
	}
	count := map[rdb.RunState]int{}
	for _, e := range last {
		count[rdb.StateOf(e)]++
	}
	for _, state := range []rdb.RunState{rdb.RunRunning, rdb.RunFailed, rdb.RunLost, rdb.RunCancelled} {
		if count[state] > 0 {
			return state
		}
	}
	return rdb.RunSuccess
}

// TestRuns reads all pages of each filter and compares them with the model's answers.
func TestRuns(t *testing.T) {
	minute := noon.Add(4*time.Minute + 3*time.Second)
	filters := map[string]rdb.RunFilter{
		"all": {}, "of a job": {JobName: "own"}, "of no job": {JobName: "nobody"}, "by prefix": {JobPrefix: "ja"},
		"of some jobs": {Jobs: []string{"java", "nobody"}}, "of some that failed": {Jobs: []string{"java", "own"}, State: rdb.RunFailed},
		"failed": {State: rdb.RunFailed}, "running": {State: rdb.RunRunning}, "lost": {State: rdb.RunLost}, "succeeded": {State: rdb.RunSuccess},
		"W29 cancelled": {State: rdb.RunCancelled}, "W29 cancelled with a text": {State: rdb.RunCancelled, FailureText: "eof"},
		"W29 cancelled, overlapping": {From: minute, To: minute.Add(5 * time.Minute), State: rdb.RunCancelled},
		"manual":                     {Trigger: tracing.TriggerManual}, "misfire": {Trigger: tracing.TriggerMisfire},
		"on an instance": {IP: "10.0.0.9"}, "with a text": {FailureText: "Boom"}, "made good": {FailureText: "first", State: rdb.RunSuccess},
		"long": {MinDuration: time.Minute}, "overlapping": {From: minute, To: minute.Add(time.Minute)},
		"at an instant": {From: minute, To: minute}, "started in": {From: minute, To: minute.Add(time.Minute), StartedIn: true},
		"failed, overlapping": {From: minute, To: minute.Add(time.Minute), State: rdb.RunFailed}, "since": {From: minute, JobName: "long"},
	}
	rows := manyRuns(120)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, events(rows...))
		reader := rdb.NewStore(db.Database)
		for name, f := range filters {
			want := modelRuns(rows, f)
			if len(want) == 0 && name != "of no job" {
				t.Fatalf("%s: the model finds nothing", name)
			}
			var got []string
			f.Limit = 7
			for pages := 0; ; pages++ {
				page, err := reader.Runs(t.Context(), f)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for _, r := range page.Runs {
					got = append(got, r.JobName+" "+r.ID+" "+string(r.State))
				}
				if f.Cursor = page.NextCursor; f.Cursor == "" || pages > 1000 {
					break
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %d runs, want %d:\n%v\n%v", name, len(got), len(want), got, want)
			}
		}
	})
}

// TestW29StateOfACancelledRun: a run with a cancelled shard is cancelled unless another shard runs, failed or was
// lost, or a later attempt succeeded.
func TestW29StateOfACancelledRun(t *testing.T) {
	shard := func(item, attempt int, cause string) tracing.Execution {
		e := ended(run("", "j", item, noon.Add(time.Duration(attempt)*time.Minute)), time.Second, cause)
		e.RunID, e.Attempt = "R", attempt
		return e
	}
	cancelled, failed, running := shard(0, 1, tracing.CauseCancelled+": EOF"), shard(1, 1, "boom"), shard(2, 1, "")
	running.CompleteTime, running.Success = time.Time{}, false
	lost := running
	lost.Lost = true
	for name, c := range map[string]struct {
		rows  []tracing.Execution
		state rdb.RunState
		cause string
	}{
		"cancelled":                   {[]tracing.Execution{cancelled}, rdb.RunCancelled, ""},
		"another succeeded":           {[]tracing.Execution{cancelled, shard(1, 1, "")}, rdb.RunCancelled, ""},
		"another failed":              {[]tracing.Execution{cancelled, failed}, rdb.RunFailed, "boom"},
		"another was lost":            {[]tracing.Execution{cancelled, lost}, rdb.RunLost, ""},
		"another runs":                {[]tracing.Execution{cancelled, failed, running}, rdb.RunRunning, "boom"},
		"the next attempt succeeded":  {[]tracing.Execution{cancelled, shard(0, 2, "")}, rdb.RunSuccess, ""},
		"the next attempt was it":     {[]tracing.Execution{failed, shard(1, 2, tracing.CauseCancelled)}, rdb.RunCancelled, ""},
		"the cause only mentions it":  {[]tracing.Execution{shard(0, 1, "child: "+tracing.CauseCancelled)}, rdb.RunFailed, "child: " + tracing.CauseCancelled},
		"it succeeded with the words": {[]tracing.Execution{withSuccess(cancelled)}, rdb.RunSuccess, ""},
	} {
		r := rdb.GroupRuns(c.rows)[0]
		if r.State != c.state || r.Cause != c.cause || r.Running+r.Succeeded+r.Failed+r.Lost+r.Cancelled != r.Shards {
			t.Errorf("%s: %s with the cause %q, want %s and %q: %+v", name, r.State, r.Cause, c.state, c.cause, r)
		}
	}
}

func withSuccess(e tracing.Execution) tracing.Execution {
	e.Success = true
	return e
}

// TestOneRun: a run by its id, its counts, and its neighbours; a run of a Java engine by the second
// in which it began.
func TestOneRun(t *testing.T) {
	lost := run("a", "j", 0, noon.Add(5*time.Millisecond))
	again := ended(run("b", "j", 0, noon.Add(time.Minute)), time.Second, "")
	again.IP, again.Attempt, again.Trigger = "10.0.0.2", 1, tracing.TriggerFailover
	failed := ended(run("c", "j", 1, noon.Add(3*time.Millisecond)), time.Second, "503")
	rows := []tracing.Execution{lost, again, failed}
	for i := range rows {
		rows[i].RunID, rows[i].Attempt = "F1", 1
		if rows[i].Trigger == "" {
			rows[i].Trigger = tracing.TriggerSchedule
		}
	}
	madeUp := ended(run("g", "j", 1, noon.Add(2*time.Minute-5*time.Hour)), time.Second, "") // By another instance, which is no failover.
	madeUp.RunID, madeUp.Attempt, madeUp.IP, madeUp.Trigger = "F3", 1, "10.0.0.2", tracing.TriggerMisfire
	missed := run("h", "j", 1, noon.Add(-5*time.Hour))
	missed.RunID, missed.Trigger = "F3", tracing.TriggerSchedule
	earlier := ended(run("d", "j", 0, noon.Add(-time.Hour)), time.Second, "")
	later := ended(run("e", "j", 0, noon.Add(time.Hour+900*time.Millisecond)), time.Second, "")
	later2 := ended(run("f", "j", 1, noon.Add(time.Hour+100*time.Millisecond)), time.Second, "")
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, events(append(rows, earlier, later, later2, missed, madeUp)...))
		reader := rdb.NewStore(db.Database)
		r, err := reader.Run(t.Context(), "j", "F1")
		if err != nil {
			t.Fatal(err)
		}
		if r.State != rdb.RunFailed || r.Shards != 2 || r.Succeeded != 1 || r.Failed != 1 || r.FailedOver != 1 || r.Cause != "503" || r.CauseItem != 1 ||
			r.Grouped || r.Trigger != tracing.TriggerSchedule || !r.Start.Equal(failed.StartTime) || !r.End.Equal(again.CompleteTime) ||
			len(r.Executions) != 3 || !r.Executions[0].Lost || !slices.Equal(r.IPs, []string{"10.0.0.1", "10.0.0.2"}) {
			t.Errorf("%+v", r)
		}
		if r, err := reader.Run(t.Context(), "j", "F3"); err != nil || r.Shards != 1 || len(r.Executions) != 2 || r.FailedOver != 0 {
			t.Errorf("%+v, %v", r, err)
		}
		before, after, err := reader.Neighbours(t.Context(), r)
		if err != nil || before != fmt.Sprintf("at-%d", earlier.StartTime.Unix()) || after != fmt.Sprintf("at-%d", later.StartTime.Unix()) {
			t.Errorf("between %q and %q, %v", before, after, err)
		}
		java, err := reader.Run(t.Context(), "j", after)
		if err != nil || !java.Grouped || java.Shards != 2 || java.State != rdb.RunSuccess {
			t.Errorf("%+v, %v", java, err)
		}
		for _, id := range []string{"F2", "at-77", "at-x", "", "at-99999999999999999999", "\xff"} {
			if _, err := reader.Run(t.Context(), "j", id); !errors.Is(err, rdb.ErrNotFound) {
				t.Errorf("%q: %v", id, err)
			}
		}
		for _, f := range []rdb.RunFilter{{Cursor: "x"}, {Cursor: "b!"}, {State: "odd"}, {From: noon, To: noon.Add(-1)}} {
			if _, err := reader.Runs(t.Context(), f); !errors.Is(err, rdb.ErrInvalidCursor) && !errors.Is(err, rdb.ErrInvalidFilter) {
				t.Errorf("%+v: %v", f, err)
			}
		}
	})
}

// TestRunsOfJavaTables: without the run columns, executions are grouped into runs by the second in
// which they began.
func TestRunsOfJavaTables(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		storetest.CreateJavaTables(t, db, storetest.Java305)
		storetest.InsertJavaRows(t, db, storetest.Java305, false)
		at := time.Date(2026, 11, 20, 10, 0, 0, 0, time.UTC)
		reader := rdb.NewStore(db.Database)
		for _, f := range []rdb.RunFilter{{}, {State: rdb.RunFailed}, {From: at.Add(-time.Second), To: at.Add(time.Second)}, {From: at.Add(500 * time.Millisecond), To: at.Add(time.Minute)}, {FailureText: "illegalstate"}} {
			page, err := reader.Runs(t.Context(), f)
			if err != nil || len(page.Runs) != 1 || !page.Runs[0].Grouped || page.Runs[0].Shards != 2 || page.Runs[0].State != rdb.RunFailed {
				t.Errorf("%+v: %+v, %v", f, page.Runs, err)
			}
		}
		if page, err := reader.Runs(t.Context(), rdb.RunFilter{Trigger: tracing.TriggerManual}); err != nil || len(page.Runs) != 0 {
			t.Errorf("%+v, %v", page.Runs, err)
		}
	})
}

func TestSummary(t *testing.T) {
	rows := manyRuns(60)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, events(rows...))
		reader := rdb.NewStore(db.Database)
		sum, err := reader.Summarize(t.Context(), rdb.RunFilter{}, noon)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]int{}
		for _, key := range modelRuns(rows, rdb.RunFilter{}) {
			want[key[strings.LastIndex(key, " ")+1:]]++
		}
		runs := 0
		for _, f := range sum.States {
			if f.Count != want[f.Value] {
				t.Errorf("%s: %d, want %d", f.Value, f.Count, want[f.Value])
			}
			runs += f.Count
		}
		if runs != sum.Runs || len(sum.States) != len(want) || !sum.Complete || len(sum.Jobs) != 3 || len(sum.Causes) != 4 || sum.Before.Count != 0 {
			t.Errorf("%+v", sum)
		}
		if sum.Took.P50 != time.Second || sum.Took.P99 < 3*time.Minute || !sum.Took.Exact {
			t.Errorf("%+v", sum.Took)
		}
		// A day later these are the executions of the day before.
		next := rdb.RunFilter{From: noon.Add(24 * time.Hour), JobName: "java"}
		if sum, err = reader.Summarize(t.Context(), next, noon.Add(48*time.Hour)); err != nil || sum.Before.P50 != time.Second {
			t.Errorf("%+v, %v", sum, err)
		}
		// Executions that began before and are still running count, too.
		at := noon.Add(2 * time.Minute)
		if sum, err = reader.Summarize(t.Context(), rdb.RunFilter{From: at, To: at, JobName: "long"}, at); err != nil || sum.Runs != 1 {
			t.Errorf("%+v, %v", sum, err)
		}
	})
}

// TestHistogram counts executions by start time, with each kind of filter.
func TestHistogram(t *testing.T) {
	rows := manyRuns(60)
	from, to := noon, noon.Add(5*time.Minute)
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		write(t, db, events(rows...))
		reader := rdb.NewStore(db.Database)
		for _, f := range []rdb.RunFilter{{}, {JobName: "own"}, {State: rdb.RunFailed}, {State: rdb.RunCancelled}, {IP: "10.0.0.1"}, {FailureText: "boom"}, {Trigger: tracing.TriggerMisfire}} {
			list, err := reader.Histogram(t.Context(), f, from, to, 10)
			if err != nil || len(list) != 10 {
				t.Fatal(list, err)
			}
			for i, b := range list {
				began, failed := 0, 0
				for _, e := range rows {
					state := rdb.StateOf(e)
					if e.StartTime.Before(b.From) || !e.StartTime.Before(b.To) || f.JobName != "" && e.JobName != f.JobName || f.State != "" && state != f.State ||
						f.IP != "" && e.IP != f.IP || f.FailureText != "" && !strings.Contains(strings.ToLower(e.FailureCause), f.FailureText) ||
						f.Trigger != "" && rdb.TriggerOf(e) != f.Trigger {
						continue
					}
					began++
					if state == rdb.RunFailed || state == rdb.RunLost {
						failed++
					}
				}
				if b.Began != began || b.Failed != failed || b.Capped {
					t.Errorf("%+v: bucket %d is %+v, want %d and %d", f, i, b, began, failed)
				}
			}
		}
		if _, err := reader.Histogram(t.Context(), rdb.RunFilter{}, to, from, 10); !errors.Is(err, rdb.ErrInvalidFilter) {
			t.Errorf("%v", err)
		}
	})
}

func TestCauseOf(t *testing.T) {
	for failure, want := range map[string][2]string{
		"dial tcp 10.0.3.7:3306: connection timed out, attempt 17\nmore": {"dial tcp …: connection timed out, attempt …", ": connection timed out, attempt"},
		`POST "https://mail/x/17": 503 Service Unavailable`:              {`POST "…": … Service Unavailable`, "Service Unavailable"},
		"no space left": {"no space left", "no space left"},
		"can't open":    {"can't open", "can't open"},
		"77":            {"…", ""},
		"":              {"", ""},
	} {
		if cause, literal := rdb.CauseOf(failure); cause != want[0] || literal != want[1] {
			t.Errorf("%q: %q, %q", failure, cause, literal)
		}
	}
	long, _ := rdb.CauseOf(strings.Repeat("失败", 500))
	if n := len([]rune(long)); n != 120 {
		t.Errorf("%d characters", n)
	}
	if bin := rdb.BinOf(0); bin != 0 || rdb.BinOf(time.Second) != 8 || rdb.BinBegin(8) != time.Second || rdb.BinOf(1000*time.Hour) != rdb.DurationBins-1 {
		t.Error(bin, rdb.BinOf(time.Second), rdb.BinBegin(8))
	}
}
