package runs

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// TestR39PlanOfABackfill: both ends should be included, times that the schedule leaves out should
// be listed separately, and an impossible backfill should be refused with the reason.
func TestR39PlanOfABackfill(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	day := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC) // a Friday
	config := func(cron string, props map[string]string) *jobconfig.Config {
		c := jobconfig.New("job", 1)
		c.Cron, c.TimeZone, c.Props = cron, "GMT", props
		return c
	}
	hourly := config("0 0 * * * ?", map[string]string{"schedule.exclude": "SAT", "schedule.until": "2026-11-22T03:00:00Z", "schedule.jitter": "10m"})
	plan, err := PlanBackfill("job", hourly, jobrun.Backfill{From: day.Add(22 * time.Hour), To: day.Add(53 * time.Hour)}, now)
	if err != nil {
		t.Fatal(err)
	}
	if len(plan.Times) != 2+3 || !plan.Times[0].Equal(day.Add(22*time.Hour)) || !plan.Times[4].Equal(day.Add(50*time.Hour)) {
		t.Errorf("times %v", plan.Times)
	}
	if plan.RefusedCount != 24+3 || plan.Refused[0].Property != "schedule.exclude" || !plan.Refused[26].At.Equal(day.Add(53*time.Hour)) || plan.Refused[26].Property != "schedule.until" {
		t.Errorf("%d refused: %v", plan.RefusedCount, plan.Refused)
	}
	for want, test := range map[string]struct {
		config   *jobconfig.Config
		from, to time.Time
		kind     error
	}{
		"more than 200000 fire times; at most 100000 at": {config("* * * * * ?", nil), day.AddDate(-3, 0, 0), day, jobrun.ErrOptions},
		"the time zone of job \"job\" cannot be read":    {config("0 * * * * ?", map[string]string{"schedule.zone": "Nowhere/At_All"}), day, day, jobrun.ErrNoSchedule},
		"has yet to come":                  {hourly, day, now.Add(time.Second), jobrun.ErrOptions},
		"is before From":                   {hourly, day, day.Add(-time.Second), jobrun.ErrOptions},
		"From: is missing":                 {hourly, time.Time{}, day, jobrun.ErrOptions},
		`job "job" has no cron expression`: {config("", nil), day, day, jobrun.ErrNoSchedule},
		`schedule.until: "soon" is not allowed; want a time`: {config("0 * * * * ?", map[string]string{"schedule.until": "soon"}), day, day, jobrun.ErrNoSchedule},
	} {
		_, err := PlanBackfill("job", test.config, jobrun.Backfill{From: test.from, To: test.to}, now)
		if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v\nwant %s", err, want)
		}
	}
}

// TestW07BackfillBounds: the largest backfill and the widest window are accepted, and one more or
// less is refused with the bound.
func TestW07BackfillBounds(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 25, 12, 0, 0, 0, time.UTC)
	config := jobconfig.New("job", 1)
	config.Cron, config.TimeZone = "* * * * * ?", "GMT"
	last := now.Add(-time.Hour)
	for _, test := range []struct {
		times, parallel int
		want            string // of the error; empty if accepted
	}{
		{jobrun.MostBackfilled, 0, ""},
		{jobrun.MostBackfilled + 1, 0, "100001 fire times; at most 100000 at once"},
		{1, jobrun.MostBackfillParallel, ""},
		{1, 1, ""},
		{1, jobrun.MostBackfillParallel + 1, "Parallel: 101 is not allowed; want 1 to 100, or 0 for 100"},
		{1, -1, "Parallel: -1 is not allowed"},
	} {
		b := jobrun.Backfill{From: last.Add(-time.Duration(test.times-1) * time.Second), To: last, Parallel: test.parallel}
		plan, err := PlanBackfill("job", config, b, now)
		switch {
		case test.want != "":
			if !errors.Is(err, jobrun.ErrOptions) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v\nwant %s", err, test.want)
			}
		case err != nil || len(plan.Times) != test.times || !plan.Times[0].Equal(b.From):
			t.Errorf("%d times with parallel %d: %d planned, %v", test.times, test.parallel, len(plan.Times), err)
		}
	}
}

// fill returns a bundle with an agent for backfills, and n fire times.
func fill(t *testing.T, addr string, n int) (b *bundle, times []time.Time) {
	t.Helper()
	b = newBundle(t, addr, nil)
	b.Plant(t, "job/extension/agents/10.0.0.1@-@7 [E] = go runs=1 backfills=1")
	for i := range n {
		times = append(times, b.now.Truncate(time.Second).Add(time.Duration(i-n)*time.Minute))
	}
	return b, times
}

func (b *bundle) start(t *testing.T, times []time.Time, back jobrun.Backfill) jobrun.BackfillProgress {
	t.Helper()
	p, err := b.StartBackfill(t.Context(), times, back)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func (b *bundle) feed(t *testing.T, id string) int {
	t.Helper()
	live, err := b.FeedBackfill(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return live
}

func (b *bundle) wantRuns(t *testing.T, id string, state jobrun.State, want map[jobrun.State]int) jobrun.BackfillProgress {
	t.Helper()
	p, err := b.Store.Backfill(t.Context(), id)
	if err != nil || p.State != state || fmt.Sprint(p.Runs) != fmt.Sprint(want) {
		t.Errorf("backfill %+v, %v\nwant %s with %v", p, err, state, want)
	}
	return p
}

// endFirst ends the first waiting run, and returns it.
func (b *bundle) endFirst(t *testing.T, state jobrun.State) jobrun.Run {
	t.Helper()
	paths, err := b.waitingPaths(t.Context())
	if err != nil || len(paths) == 0 {
		t.Fatal(paths, err)
	}
	status, _, err := b.read(t.Context(), paths[0])
	if err != nil {
		t.Fatal(err)
	}
	ops, err := b.Drop(status.path, status.version, *status.request, OutcomeOf(*status.request, state, "", b.clock()))
	if err == nil {
		err = b.Commit(t.Context(), ops...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return status.Run
}

// TestW07BackfillProgress: a backfill should exist at once, get its runs in portions of its
// Parallel in order of fire time, and count each once, even after outcomes were removed.
func TestW07BackfillProgress(t *testing.T) {
	eachServer(t, func(t *testing.T, other *bundle) {
		b, times := fill(t, other.Addr, 7)
		p := b.start(t, times, jobrun.Backfill{From: times[0], To: times[6], Parallel: 3, Params: json.RawMessage(`{"a": 1}`), By: jobrun.By{Kind: "api", Name: "root"}})
		if p.State != jobrun.Queued || p.Total != 7 || p.Parallel != 3 || p.By.Name != "root" || !p.From.Equal(times[0]) || !p.Next.Equal(times[0]) {
			t.Errorf("new: %+v", p)
		}
		if _, err := b.StartBackfill(t.Context(), times, jobrun.Backfill{}); !errors.Is(err, jobrun.ErrBackfilling) || !strings.Contains(err.Error(), p.ID) {
			t.Errorf("a second one: %v", err)
		}
		if live := b.feed(t, p.ID) + b.feed(t, p.ID); live != 6 {
			t.Errorf("%d are live after two portions of the same three", live)
		}
		b.wantRuns(t, p.ID, jobrun.Queued, map[jobrun.State]int{jobrun.Queued: 7})
		states := []jobrun.State{jobrun.Succeeded, jobrun.Failed, jobrun.Succeeded, jobrun.Skipped, jobrun.Expired, jobrun.Succeeded, jobrun.Cancelled}
		for i, state := range states {
			run := b.endFirst(t, state)
			fired, _, err := b.find(t.Context(), run.ID)
			if err != nil || run.By != (jobrun.By{Kind: ByBackfill, Name: "root"}) || string(run.Params) != `{"a":1}` || fired.State != state {
				t.Errorf("run %d: %+v, %v", i, run, err)
			}
			b.feed(t, p.ID)
		}
		ended := map[jobrun.State]int{jobrun.Succeeded: 3, jobrun.Failed: 1, jobrun.Skipped: 1, jobrun.Expired: 1, jobrun.Cancelled: 1}
		if p := b.wantRuns(t, p.ID, jobrun.Failed, ended); p.Ended.IsZero() || !p.Next.IsZero() {
			t.Errorf("at the end: %+v", p)
		}
		names, err := b.Children(t.Context(), b.Tree.RunsDone())
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names[:5] {
			ops, err := b.CountRemoved(t.Context(), []string{name})
			if err != nil || b.Store.Client.Multi(t.Context(), append(ops, zk.DeleteOp(b.Tree.RunsDone()+"/"+name, zk.AnyVersion))...) != nil {
				t.Fatal(err)
			}
		}
		b.wantRuns(t, p.ID, jobrun.Failed, ended)
		b.later(time.Second)
		second := b.start(t, times[:1], jobrun.Backfill{})
		if list, err := b.Backfills(t.Context()); err != nil || len(list) != 2 || list[0].ID != second.ID || list[1].ID != p.ID {
			t.Errorf("list %+v, %v", list, err)
		}
	})
}

// TestW07BackfillCancel: a cancelled backfill requests no further runs, its waiting runs are
// cancelled, and an agent completes a cancel that was interrupted after its first write.
func TestW07BackfillCancel(t *testing.T) {
	eachServer(t, func(t *testing.T, other *bundle) {
		b, times := fill(t, other.Addr, 50)
		by := jobtree.RunCancel{By: "root", Reason: "wrong month"}
		p := b.start(t, times, jobrun.Backfill{Parallel: 20})
		b.feed(t, p.ID)
		b.endFirst(t, jobrun.Succeeded)
		for range 2 { // It can be repeated.
			if p, err := b.CancelBackfill(t.Context(), p.ID, by); err != nil || p.State != jobrun.Cancelled || p.Cancel.Reason != "wrong month" {
				t.Errorf("cancelled: %+v, %v", p, err)
			}
		}
		b.feed(t, p.ID)
		want := map[jobrun.State]int{jobrun.Succeeded: 1, jobrun.Cancelled: 49}
		b.wantRuns(t, p.ID, jobrun.Cancelled, want)

		p = b.start(t, times, jobrun.Backfill{Parallel: 20})
		b.feed(t, p.ID)
		b.endFirst(t, jobrun.Succeeded)
		node, version, err := b.readBackfill(t.Context(), p.ID)
		if node.Cancelled = &by; err != nil || b.writeBackfill(t.Context(), node, version) != nil {
			t.Fatal(err)
		}
		if live := b.feed(t, p.ID); live != 0 {
			t.Errorf("%d runs are live", live)
		}
		b.wantRuns(t, p.ID, jobrun.Cancelled, want)
		p = b.start(t, times, jobrun.Backfill{})
		if err := b.Store.Client.Delete(t.Context(), b.Tree.RunsSignal(), zk.AnyVersion); err != nil {
			t.Fatal(err)
		}
		if p, err := b.CancelBackfill(t.Context(), p.ID, by); err != nil || p.State != jobrun.Cancelled {
			t.Errorf("cancelled without a signal: %+v, %v", p, err)
		}
		p = b.start(t, times[:1], jobrun.Backfill{})
		b.feed(t, p.ID)
		b.endFirst(t, jobrun.Succeeded)
		if _, err := b.CancelBackfill(t.Context(), p.ID, by); !errors.Is(err, jobrun.ErrRunEnded) {
			t.Errorf("cancel of an ended run: %v", err)
		}
	})
}

// TestW07BackfillKilledHalfWay: despite lost transactions and answers, each fire time should get
// one run, in order, and the backfill's node should have the right progress.
func TestW07BackfillKilledHalfWay(t *testing.T) {
	t.Parallel()
	srv, addr := fakeServer(t)
	b, times := fill(t, addr, 250)
	var writes atomic.Int32
	srv.SetFault(func(r zkfake.Request) (none zkfake.Fault) {
		if r.Op != "multi" || !strings.Contains(r.Path, "/config") {
			return none
		}
		switch writes.Add(1) { // The first three create folders, the fourth stores the backfill.
		case 4, 7:
			return zkfake.LoseReply
		case 5:
			return zkfake.LoseRequest
		}
		return none
	})
	p := b.start(t, times, jobrun.Backfill{})
	ran := 0
	for ran < len(times) {
		live, err := b.FeedBackfill(t.Context(), p.ID)
		if err != nil && !zk.Retriable(err) {
			t.Fatal(err)
		}
		if err != nil {
			if err := b.Store.Client.AwaitConnected(t.Context()); err != nil {
				t.Fatal(err)
			}
			continue
		}
		paths, err := b.waitingPaths(t.Context())
		if err != nil || len(paths) != live || live == 0 {
			t.Fatalf("%d wait of %d, %v", len(paths), live, err)
		}
		b.wantRuns(t, p.ID, map[bool]jobrun.State{true: jobrun.Queued, false: jobrun.Running}[ran == 0],
			withoutZero(map[jobrun.State]int{jobrun.Queued: 250 - ran, jobrun.Cancelled: ran}))
		for _, path := range paths {
			status, _, err := b.read(t.Context(), path)
			if err != nil || status.request.Fire != times[ran].UnixMilli() || status.request.Backfill != p.ID {
				t.Fatalf("run %d: %+v, %v", ran, status.request, err)
			}
			ran++
		}
		if _, err := b.CancelWaiting(t.Context(), jobrun.Waiting{Most: 1000}, jobtree.RunCancel{}); err != nil {
			t.Fatal(err)
		}
	}
}

func withoutZero(m map[jobrun.State]int) map[jobrun.State]int {
	for state, n := range m {
		if n == 0 {
			delete(m, state)
		}
	}
	return m
}

// TestW07BackfillOfThousands: 5,000 fire times are accepted at once, and no more runs wait than
// Parallel allows.
func TestW07BackfillOfThousands(t *testing.T) {
	t.Parallel()
	_, addr := fakeServer(t)
	b, times := fill(t, addr, 5000)
	p := b.start(t, times, jobrun.Backfill{})
	if live := b.feed(t, p.ID); live != jobrun.MostBackfillParallel {
		t.Errorf("%d are live", live)
	}
	b.wantRuns(t, p.ID, jobrun.Queued, map[jobrun.State]int{jobrun.Queued: 5000})
}

// TestW07BackfillRefusals: with agents of an older version, or with parameters that the job no
// longer accepts, a backfill gets no runs and shows the reason.
func TestW07BackfillRefusals(t *testing.T) {
	t.Parallel()
	_, addr := fakeServer(t)
	b, times := fill(t, addr, 3)
	if _, err := b.StartBackfill(t.Context(), nil, jobrun.Backfill{}); !errors.Is(err, jobrun.ErrOptions) {
		t.Errorf("without a fire time: %v", err)
	}
	for _, id := range []string{"", "..", "a/b", "times", NewID(b.now)} {
		if _, err := b.Store.Backfill(t.Context(), id); !errors.Is(err, jobrun.ErrUnknownBackfill) {
			t.Errorf("backfill %q: %v", id, err)
		}
	}
	p := b.start(t, times, jobrun.Backfill{Params: json.RawMessage(`{"a":1}`)})
	b.Plant(t, `job/extension/params = {"schema":{"type":"object","properties":{},"additionalProperties":false},"by":"x","at":1}`)
	if live := b.feed(t, p.ID); live != 0 {
		t.Errorf("%d are live", live)
	}
	if p, err := b.Store.Backfill(t.Context(), p.ID); err != nil || !strings.Contains(p.Problem, "a") {
		t.Errorf("a schema that refuses it: %+v, %v", p, err)
	}
	b.Plant(t, "job/extension/agents/10.0.0.1@-@7 [E] = go runs=1")
	if err := b.CheckBackfill(t.Context(), jobrun.Backfill{}); !errors.Is(err, jobrun.ErrBackfilling) || !strings.Contains(err.Error(), "10.0.0.1@-@7") {
		t.Errorf("with an old agent: %v", err)
	}
}

// TestW07BackfillIDs: run ids are UUIDs of version 7 in order of fire time, and runs of another
// backfill are detected.
func TestW07BackfillIDs(t *testing.T) {
	t.Parallel()
	now := time.Now().Truncate(time.Millisecond)
	b := jobtree.Backfill{ID: NewID(now), At: now.UnixMilli(), Total: jobrun.MostBackfilled}
	last := b.ID
	for i := range b.Total {
		id := b.RunID(i)
		if n, own := b.RunNumber(id); !own || n != i || id <= last || len(id) != 36 || id[14] != '7' {
			t.Fatalf("run %d: %s, read as %d, %v", i, id, n, own)
		}
		last = id
	}
	for _, id := range []string{"", "x", b.ID, NewID(now), strings.Repeat("z", 19) + b.ID[19:]} {
		if n, own := b.RunNumber(id); own {
			t.Errorf("%q is taken for run %d", id, n)
		}
	}
	var times []time.Time
	for i := range 1000 {
		times = append(times, now.Truncate(time.Second).Add(time.Duration(i*i)*time.Second).UTC())
	}
	if read, err := jobtree.DecodeTimes(jobtree.EncodeTimes(times)); err != nil || !slices.Equal(read, times) {
		t.Errorf("%d of %d times, %v", len(read), len(times), err)
	}
	if _, err := jobtree.DecodeTimes([]byte("not compressed")); err == nil {
		t.Error("strange times are read")
	}
}
