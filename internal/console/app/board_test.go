package app

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// oneJob is a history with the runs of one job, which counts how often it is asked
// for them.
type oneJob struct {
	History
	rows  []tracing.Execution // the newest first
	asked int
	gone  error
}

func (h *oneJob) LastRuns(_ context.Context, jobs []string, most int) (map[string][]tracing.Execution, error) {
	if h.gone != nil {
		return nil, h.gone
	}
	h.asked++
	return map[string][]tracing.Execution{jobs[0]: h.rows[:min(most, len(h.rows))]}, nil
}

func (*oneJob) Executions(context.Context, rdb.ExecutionFilter) (page rdb.ExecutionPage, err error) {
	return page, nil
}

// alike is a history in which all jobs ran at the same times.
type alike struct {
	History
	rows []tracing.Execution
}

func (h *alike) LastRuns(_ context.Context, jobs []string, most int) (map[string][]tracing.Execution, error) {
	all := make(map[string][]tracing.Execution)
	for _, job := range jobs {
		all[job] = h.rows[:min(most, len(h.rows))]
	}
	return all, nil
}

func (*alike) Executions(context.Context, rdb.ExecutionFilter) (page rdb.ExecutionPage, err error) {
	return page, nil
}

// TestW90TheHistoryIsAwayAtOnce: while the history can't be read, nothing is concluded from the last
// reading of it: its file was replaced, or a table is gone. Who asked and left tells nothing of it.
func TestW90TheHistoryIsAwayAtOnce(t *testing.T) {
	var b board
	jobs := []statistics.Job{{Name: "j", Shards: 1, Status: statistics.StatusOK}}
	now := time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)
	history := &oneJob{rows: wentWell(2, 1)}
	fired := func(context.Context, string) (statistics.Fired, error) { return statistics.Fired{}, nil }
	for _, step := range []struct {
		gone error
		want explain.State
	}{
		{nil, explain.Healthy}, {rdb.ErrRemoved, explain.Unknown}, {nil, explain.Healthy}, {errors.New("no such table: JOB_EXECUTION_LOG"), explain.Unknown},
		{nil, explain.Healthy}, {context.Canceled, explain.Healthy}, {context.DeadlineExceeded, explain.Unknown},
	} {
		history.gone = step.gone
		b.reread("j")
		if err := b.refresh(t.Context(), history, fired, jobs, now); !errors.Is(err, step.gone) {
			t.Fatal(err)
		}
		if got := b.look(jobs, false, now).States[0]; got != step.want {
			t.Errorf("%v: the state is %s, want %s", step.gone, got, step.want)
		}
	}
}

// TestW90ALateJobIsReadAgain: the row of a run by a clock that is minutes behind isn't among the newest
// ones, but the job isn't late any longer.
func TestW90ALateJobIsReadAgain(t *testing.T) {
	var b board
	start := time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)
	history := &alike{rows: wentWell(2, 1)}
	jobs := make([]statistics.Job, 2*boardRound) // the turn of one comes seldom
	for i := range jobs {
		jobs[i] = statistics.Job{Name: fmt.Sprint("other", i), Status: statistics.StatusReading}
	}
	late := &jobs[len(jobs)-1]
	b.newest = start.Add(12 * time.Minute) // The database takes rows.
	*late = statistics.Job{Name: "mail", Status: statistics.StatusOK, Shards: 1, Cron: "0 * * * * ?", TimeZone: "GMT", ReadySince: start, Owners: []string{owner}, OwnersSince: []time.Time{start.Add(-time.Hour)}}
	state := func(now time.Time) explain.State {
		t.Helper()
		if err := b.refresh(t.Context(), history, nothingFired, jobs, now); err != nil {
			t.Fatal(err)
		}
		return b.look(jobs, false, now).States[len(jobs)-1]
	}
	now := start.Add(12 * time.Minute)
	state(now)
	if got := state(now); got != explain.Late {
		t.Fatalf("it's %s, not late", got)
	}
	again := history.rows[0]
	again.ID, again.RunID, again.StartTime, again.CompleteTime = "new", "new", now.Add(-time.Second), now
	history.rows = slices.Insert(history.rows, 0, again)
	if got := state(now); got == explain.Late {
		t.Error("it's late although its row is there")
	}
}

// owner has the shards of the jobs.
const owner = "10.0.0.1@-@7"

// wentWell are so many runs of a job of so many shards.
func wentWell(runs, shards int) (rows []tracing.Execution) {
	began := time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)
	for run := range runs {
		for shard := range shards {
			at := began.Add(-time.Duration(run) * time.Minute)
			rows = append(rows, tracing.Execution{
				ID: fmt.Sprintf("%d-%d", run, shard), JobName: "mail", Item: shard, RunID: fmt.Sprintf("run-%d", run), Attempt: 1,
				StartTime: at, CompleteTime: at.Add(time.Second), Success: true, TaskID: jobtree.TaskID("mail", []int{shard}, owner, ""),
			})
		}
	}
	return rows
}

// TestAShardOfALongRunIsntMissing: shards that a glance at the newest runs doesn't show were in a longer run, which is
// looked for before they count as missing.
func TestAShardOfALongRunIsntMissing(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 11, 23, 5, 0, 0, 0, time.UTC)
	now := began.Add(2*time.Minute + 3*time.Second)
	row := func(fire time.Time, shard int, took time.Duration) tracing.Execution {
		return tracing.Execution{
			ID: fmt.Sprintf("%v-%d", fire, shard), JobName: "mail", Item: shard, RunID: fire.Format(time.TimeOnly), Attempt: 1, ScheduledAt: fire,
			Trigger: tracing.TriggerSchedule, StartTime: fire, CompleteTime: fire.Add(took), Success: true,
			TaskID: jobtree.TaskID("mail", []int{shard}, owner, ""),
		}
	}
	j := statistics.Job{
		Name: "mail", Status: statistics.StatusOK, Cron: "0/10 * * * * ?", TimeZone: "GMT+0", Shards: 2, Instances: 2, Recorded: true, Misfire: true,
		ReadySince: began.Add(-time.Hour), Changed: began.Add(-time.Hour),
	}
	for name, c := range map[string]struct {
		before []tracing.Execution
		want   explain.State
	}{
		"it ran until now": {[]tracing.Execution{row(began, 1, 2*time.Minute), row(began, 0, time.Second)}, explain.Healthy},
		"it never ran":     {[]tracing.Execution{row(began, 0, time.Second)}, explain.Partial},
	} {
		var rows []tracing.Execution
		for n := 12; n > 0; n-- {
			rows = append(rows, row(began.Add(time.Duration(n)*10*time.Second), 0, time.Second))
		}
		var b board
		if err := b.learn(t.Context(), &oneJob{rows: append(rows, c.before...)}, []statistics.Job{j}); err != nil {
			t.Fatal(err)
		}
		d := b.entries[j.Name].open.Planned(&j)
		if got := explain.Judge(explain.Evidence{Job: &j, Runs: d, Known: true, Now: now}); got.State != c.want {
			t.Errorf("%s: %s by %+v, want %s", name, got.State, got.Finding, c.want)
		}
	}
}

// TestTheHistoryOfAJobThatIsStillBeingRead: its runs are read once where they are
// of a usual size, and nothing is concluded from a part of one.
func TestTheHistoryOfAJobThatIsStillBeingRead(t *testing.T) {
	t.Parallel()
	for shards, first := range map[int]int{1: 1, 10: 10, 100: 0} {
		history, b := &oneJob{rows: wentWell(30, shards)}, &board{}
		now := history.rows[0].StartTime.Add(time.Minute)
		look := func(j statistics.Job) (d *explain.Digest, asked int) {
			history.asked = 0
			if err := b.learn(t.Context(), history, []statistics.Job{j}); err != nil {
				t.Fatal(err)
			}
			return b.look([]statistics.Job{j}, false, now).Digest(j.Name), history.asked
		}
		if d, asked := look(statistics.Job{Name: "mail", Status: statistics.StatusReading}); d.Shards != first || asked != 1 {
			t.Errorf("%d shards: after %d questions a run of %d, want %d", shards, asked, d.Shards, first)
		}
		if d, _ := look(statistics.Job{Name: "mail", Status: statistics.StatusOK, Shards: shards}); d.Shards != shards || d.Bad() {
			t.Errorf("%d shards: %+v", shards, d)
		}
	}
}

// TestAGlanceThatShowedTooLittle is not repeated before it is known how much is to be read.
func TestAGlanceThatShowedTooLittle(t *testing.T) {
	t.Parallel()
	history, b := &oneJob{rows: wentWell(3, 100)}, &board{}
	now := history.rows[0].StartTime
	look := func(name string, s statistics.Status, shards, asked int) {
		t.Helper()
		history.asked, now = 0, now.Add(boardEvery)
		if err := b.refresh(t.Context(), history, nothingFired, []statistics.Job{{Name: name, Status: s, Shards: shards}}, now); err != nil {
			t.Fatal(err)
		}
		if history.asked != asked {
			t.Errorf("%s, %s: %d questions, want %d", name, s, history.asked, asked)
		}
	}
	look("mail", statistics.StatusReading, 0, 1)
	look("mail", statistics.StatusReading, 0, 0)
	look("other", statistics.StatusReading, 0, 1)
	look("mail", statistics.StatusReading, 0, 1) // It did not exist meanwhile.
	look("mail", statistics.StatusReading, 0, 0)
	look("mail", statistics.StatusOK, 100, 1)
}

// sideBySide is a history that notes how much it is asked for at the same time.
type sideBySide struct {
	alike
	mu         sync.Mutex
	now        int // questions
	most, rows int
	asked      map[string]int
	fails      string // the job whose question fails
}

func (h *sideBySide) LastRuns(ctx context.Context, jobs []string, most int) (map[string][]tracing.Execution, error) {
	h.mu.Lock()
	h.now++
	h.most, h.rows = max(h.most, h.now), max(h.rows, len(jobs)*most)
	for _, job := range jobs {
		h.asked[job]++
	}
	h.mu.Unlock()
	runtime.Gosched()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.now--
	if slices.Contains(jobs, h.fails) {
		return nil, errors.New("the disk is full")
	}
	return h.alike.LastRuns(ctx, jobs, most)
}

// TestManyHistoriesAreReadSideBySide: each job once, no more executions at a time than
// have room, by no more readers than leave connections to requests.
func TestManyHistoriesAreReadSideBySide(t *testing.T) {
	t.Parallel()
	history, b := &sideBySide{alike: alike{rows: wentWell(3, 2)}, asked: make(map[string]int)}, &board{}
	var jobs []statistics.Job
	for i := range 1500 {
		jobs = append(jobs, statistics.Job{Name: fmt.Sprintf("mail-%04d", i), Status: statistics.StatusOK, Shards: []int{2, 10, 40}[i%3]})
	}
	if err := b.learn(t.Context(), history, jobs); err != nil {
		t.Fatal(err)
	}
	for _, j := range jobs {
		if history.asked[j.Name] != 1 || b.entries[j.Name] == nil {
			t.Fatalf("%s: asked for %d times, learned %+v", j.Name, history.asked[j.Name], b.entries[j.Name])
		}
	}
	if history.most > boardReaders || history.rows > boardRows {
		t.Errorf("%d questions at the same time, up to %d executions", history.most, history.rows)
	}
	history.fails = jobs[700].Name
	if err := b.learn(t.Context(), history, jobs); err == nil {
		t.Error("a history that cannot be read is no error")
	}
}

// TestADigestInUseStaysAsItIs: a change of the schedule makes another one.
func TestADigestInUseStaysAsItIs(t *testing.T) {
	t.Parallel()
	history, b := &oneJob{rows: wentWell(3, 2)}, &board{}
	j := statistics.Job{Name: "mail", Status: statistics.StatusOK, Shards: 2, Cron: "0 * * * * ?", TimeZone: "GMT", ReadySince: history.rows[0].StartTime}
	now := j.ReadySince.Add(time.Minute)
	if err := b.learn(t.Context(), history, []statistics.Job{j}); err != nil {
		t.Fatal(err)
	}
	first := b.look([]statistics.Job{j}, false, now).Digest(j.Name)
	was := *first
	if again := b.look([]statistics.Job{j}, false, now).Digest(j.Name); again != first {
		t.Error("another digest for the same schedule")
	}
	many := func(j statistics.Job) []statistics.Job {
		list := []statistics.Job{j}
		for i := range boardShared {
			list = append(list, statistics.Job{Name: fmt.Sprintf("other-%03d", i)})
		}
		return list
	}
	two := many(j)
	of := func(jobs []statistics.Job) *explain.Digest { return b.look(jobs, false, now).Digest(j.Name) }
	for _, list := range [][]statistics.Job{two, two, two[:1]} {
		if of(list) != first {
			t.Error("a list has another digest than its job")
		}
	}
	history.rows = wentWell(2, 2)
	if err := b.learn(t.Context(), history, two[:1]); err != nil {
		t.Fatal(err)
	}
	if of(two) == first {
		t.Error("what was learned is not seen by who looks at the same list")
	}
	history.rows = wentWell(3, 2)
	if err := b.learn(t.Context(), history, two[:1]); err != nil {
		t.Fatal(err)
	}
	first = of(two)
	j.Cron, j.ConfigVersion = "0 0 * * * ?", j.ConfigVersion+1
	changed := b.look([]statistics.Job{j}, false, now).Digest(j.Name)
	if of(many(j)) != changed {
		t.Error("another list has the digest of the one before")
	}
	if changed == first || !first.Same(&was) {
		t.Errorf("the digest in use was changed: %+v", first)
	}
	if d := b.look([]statistics.Job{{Name: "other"}}, false, now).Digest("other"); d == nil || !d.LastStart.IsZero() {
		t.Errorf("a job without runs: %+v", d)
	}
}

// TestAListIsJudgedOnceUntilSomethingChanges: who asks about the same list has what was
// concluded for the one before, and no longer than it is true.
func TestAListIsJudgedOnceUntilSomethingChanges(t *testing.T) {
	t.Parallel()
	history, b := &alike{rows: wentWell(3, 2)}, &board{}
	start := history.rows[0].StartTime
	list := make([]statistics.Job, boardShared)
	for i := range list {
		list[i] = statistics.Job{Name: fmt.Sprintf("mail-%03d", i), Status: statistics.StatusOK, Shards: 2, Cron: "0 0 * * * ?", TimeZone: "GMT", ReadySince: start, Owners: []string{owner}, OwnersSince: []time.Time{start.Add(-time.Hour)}}
	}
	read := func(at time.Time) {
		t.Helper()
		if err := b.refresh(t.Context(), history, nothingFired, list, at); err != nil {
			t.Fatal(err)
		}
	}
	read(start.Add(time.Minute))
	now := start.Add(time.Minute)
	first := b.look(list, false, now)
	if again := b.look(list, false, now.Add(time.Second)); again.Standing != first.Standing {
		t.Error("the same list is judged again although nothing changed")
	}
	if masked := b.look(list, true, now); masked.Standing == first.Standing {
		t.Error("who may only look has what others may see")
	}
	if first.ByState[explain.Healthy] != len(list) || first.States[0] != explain.Healthy {
		t.Errorf("states %v", first.ByState)
	}
	if gone := b.look(list, false, now.Add(boardTrust)); gone.NeverRan[0] || gone.Known() || gone.Standing == first.Standing {
		t.Error("a history that was not read for long is still judged by")
	}
	other := slices.Clone(list)
	other[0].Status, other[0].Findings = statistics.StatusCrashed, nobodyThere
	if down := b.look(other, false, now); down.States[0] != explain.Down || down.ByStatus[statistics.StatusCrashed] != 1 {
		t.Errorf("another list has the states of the one before: %v", down.ByState)
	}
	history.rows = nil
	if err := b.learn(t.Context(), history, list[1:2]); err != nil {
		t.Fatal(err)
	}
	if learned := b.look(list, false, now); !learned.NeverRan[1] || learned.ByState[query.NeverRan] != 1 {
		t.Error("what was learned is not seen by who asks about the same list")
	}
	history.rows = wentWell(3, 2)
	read(now)
	b.look(list, false, now)
	b.at = start.Add(3 * time.Hour) // Two fire times passed, and only rows of other jobs were seen.
	b.newest = b.at
	if late := b.look(list, false, start.Add(3*time.Hour)); late.States[0] != explain.Late || late.ByState[explain.Late] != len(list) {
		t.Errorf("time alone makes no job late: %v", late.ByState)
	}
	if b.failing != 0 {
		t.Errorf("%d jobs fail", b.failing)
	}
}

// TestCompareTellsOfAnotherState: also after the list has become another one.
func TestCompareTellsOfAnotherState(t *testing.T) {
	t.Parallel()
	b := &board{}
	var changed []string
	defer b.changed.Subscribe(func(job string) { changed = append(changed, job) })()
	job := func(name string, s statistics.Status) statistics.Job {
		j := statistics.Job{Name: name, Status: s}
		if s == statistics.StatusCrashed {
			j.Findings = nobodyThere
		}
		return j
	}
	for _, step := range []struct {
		jobs []statistics.Job
		want []string
	}{
		{[]statistics.Job{job("a", statistics.StatusOK), job("b", statistics.StatusOK)}, nil},
		{[]statistics.Job{job("a", statistics.StatusOK), job("b", statistics.StatusCrashed)}, []string{"b"}},
		{[]statistics.Job{job("a", statistics.StatusOK), job("aa", statistics.StatusCrashed), job("b", statistics.StatusOK)}, []string{"b"}},
		{[]statistics.Job{job("aa", statistics.StatusCrashed), job("b", statistics.StatusOK)}, nil},
		{[]statistics.Job{job("aa", statistics.StatusOK), job("b", statistics.StatusOK)}, []string{"aa"}},
	} {
		changed = nil
		if b.compare(step.jobs, time.Now()); !slices.Equal(changed, step.want) {
			t.Errorf("changed: %v, want %v", changed, step.want)
		}
	}
}

// TestW88TheBoardRemembersObstacles: also after their nodes have gone, with the time until which it
// saw them.
func TestW88TheBoardRemembersObstacles(t *testing.T) {
	t.Parallel()
	s := &Console{}
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	held := statistics.Finding{Code: statistics.CodeHeld, Effect: statistics.EffectJob, Sentence: "The job is held by billing.", Since: noon.Add(-time.Minute)}
	for i, findings := range [][]statistics.Finding{nil, {held}, {held}, nil, nobodyThere, nil} {
		jobs := []statistics.Job{{Name: "mail", Status: statistics.StatusOK, Cron: "0 0 * * * ?", Findings: findings}}
		s.board.compare(jobs, noon.Add(time.Duration(i)*time.Second))
	}
	got := s.notedOf(i18n.English, "mail", false)
	if len(got) != 2 || got[0].Sentence != held.Sentence || !got[0].From.Equal(held.Since) || !got[0].Until.Equal(noon.Add(2*time.Second)) || !got[0].Whole {
		t.Errorf("remembered: %+v", got)
	}
	if got := s.notedOf(i18n.English, "other", false); len(got) > 0 {
		t.Errorf("of another job: %+v", got)
	}
}

// nobodyThere is the finding about a job without an instance.
var nobodyThere = []statistics.Finding{{Code: statistics.CodeNoInstance, Effect: statistics.EffectJob}}

// nothingFired is a registry in which no agent records anything.
func nothingFired(context.Context, string) (statistics.Fired, error) { return statistics.Fired{}, nil }

// TestW90NoRowsAreWritten: the board knows until when the database took rows. If it has none since
// the fire time, of no job, it's unknown whether a job ran that keeps no records in the registry.
func TestW90NoRowsAreWritten(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 11, 29, 12, 0, 0, 0, time.UTC)
	job := statistics.Job{Name: "a", Status: statistics.StatusOK, Cron: "0 0 * * * ?", TimeZone: "GMT", Shards: 1, ReadySince: noon.Add(-time.Hour), Owners: []string{owner}, OwnersSince: []time.Time{noon.Add(-time.Hour)}}
	ran := explain.DigestOf([]explain.Run{{
		ScheduledAt: noon, Start: noon, End: noon.Add(time.Second), Shards: []explain.ShardRun{{Outcome: explain.Succeeded, Instance: owner}},
	}}, true)
	for name, c := range map[string]struct {
		other time.Time // the newest run of another job
		want  explain.State
	}{
		"no rows":             {noon.Add(time.Minute), explain.Unknown},
		"rows of another job": {noon.Add(time.Hour + time.Second), explain.Late},
	} {
		b := &board{at: noon.Add(90 * time.Minute), entries: map[string]*boardEntry{
			"a": {open: &ran}, "b": {open: &explain.Digest{LastStart: c.other}},
		}}
		b.noteNewest()
		if got := b.look([]statistics.Job{job}, false, b.at).States[0]; got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
