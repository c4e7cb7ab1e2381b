package explain_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// TestW90TheRegistryIsReadAgain: without a recorder, a job is judged by the fire times in the
// registry. They should be read again after each fire time. If the job stops, it must be late.
func TestW90TheRegistryIsReadAgain(t *testing.T) {
	t.Parallel()
	j := &statistics.Job{
		Name: "j", Status: statistics.StatusOK, Cron: "0 * * * * ?", TimeZone: "GMT+0", Shards: 1, Instances: 1,
		Recorded: true, ReadySince: noon.Add(-time.Hour), Changed: noon.Add(-time.Hour),
	}
	d := (&explain.Digest{}).Planned(j)
	if !d.WantsFired(j, noon.Add(30*time.Second)) {
		t.Fatal("the registry isn't asked although no run is on record")
	}
	read := func(at, through time.Time) {
		d = d.With(&statistics.Fired{At: at, Shards: map[int]statistics.FiredShard{0: {Completed: through, Through: through}}}, false).Planned(j)
	}
	for minute := range 5 {
		at := noon.Add(time.Duration(minute) * time.Minute)
		read(at.Add(30*time.Second), at)
		if state := explain.StateOf(explain.Evidence{Job: j, Runs: d, Known: true, Now: at.Add(40 * time.Second)}); state != explain.Unknown || d.WantsFired(j, at.Add(40*time.Second)) {
			t.Errorf("%s after the fire time %s, read again: %v", state, at, d.WantsFired(j, at.Add(40*time.Second)))
		}
		if !d.WantsFired(j, at.Add(80*time.Second)) {
			t.Errorf("not read again after the fire time that follows %s", at)
		}
	}
	last := noon.Add(4 * time.Minute)
	read(last.Add(80*time.Second), last)
	got := explain.Judge(explain.Evidence{Job: j, Runs: d, Known: true, Now: last.Add(81 * time.Second)})
	if got.State != explain.Late || !got.Due.Equal(last.Add(time.Minute)) {
		t.Errorf("%s, due %v, of a job that has stopped after %v", got.State, got.Due, last)
	}
}

// unmonitored returns a job with one owner that keeps no records in the registry.
func unmonitored() *statistics.Job {
	return &statistics.Job{
		Name: "j", Status: statistics.StatusOK, Cron: "0 * * * * ?", TimeZone: "GMT+0", Shards: 1, Instances: 1, Misfire: true,
		Owners: []string{"10.0.0.1@-@7"}, OwnersSince: []time.Time{noon.Add(-time.Hour)}, ReadySince: noon.Add(-time.Hour), Changed: noon.Add(-time.Hour),
	}
}

// runBy returns an instance's run that starts in the given minute.
func runBy(id string, minute int, took time.Duration) explain.Run {
	at := noon.Add(time.Duration(minute) * time.Minute)
	return explain.Run{ScheduledAt: at, Start: at, End: at.Add(took), Shards: []explain.ShardRun{{Outcome: explain.Succeeded, Instance: id}}}
}

// TestW90RecorderOfTheOwner: without records in the registry, a job should only be late if its
// owner has recorded a run since it registered. Runs in an earlier digest count, too.
func TestW90RecorderOfTheOwner(t *testing.T) {
	t.Parallel()
	const owner = "10.0.0.1@-@7"
	before := explain.DigestOf([]explain.Run{runBy(owner, -5, time.Second)}, true)
	restarted := unmonitored()
	restarted.OwnersSince = []time.Time{noon.Add(30 * time.Second)}
	for name, c := range map[string]struct {
		job    *statistics.Job
		by     string
		before *explain.Digest
		want   explain.State
	}{
		"it records":                       {unmonitored(), owner, nil, explain.Late},
		"another process recorded":         {unmonitored(), "10.0.0.1@-@6", nil, explain.Unknown},
		"it recorded before":               {unmonitored(), "10.0.0.1@-@6", &before, explain.Late},
		"it hasn't since it was restarted": {restarted, owner, nil, explain.Unknown},
	} {
		d := explain.DigestOf([]explain.Run{runBy(c.by, 0, time.Second)}, true)
		e := explain.Evidence{Job: c.job, Runs: d.After(c.before).Planned(c.job), Known: true, Now: noon.Add(12 * time.Minute)}
		got := explain.Judge(e)
		if got.State != c.want || got.Proven {
			t.Errorf("%s: %s, proven %v, want %s", name, got.State, got.Proven, c.want)
		}
		if c.want == explain.Late && !strings.HasPrefix(got.Finding.Sentence, "No run of the fire time 2026-11-22 12:01:00 UTC is on record.") {
			t.Errorf("%s: %s", name, got.Finding.Sentence)
		}
	}
}

// TestW85DroppedWithoutMonitorExecution: misfire has no effect without monitorExecution, so a fire
// time during a run is lost.
func TestW85DroppedWithoutMonitorExecution(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	d := explain.DigestOf([]explain.Run{runBy("10.0.0.1@-@7", 0, 90*time.Second), runBy("10.0.0.1@-@7", -2, 90*time.Second)}, true)
	e := explain.Evidence{Job: j, Runs: d.Planned(j), Known: true, Now: noon.Add(95 * time.Second)}
	if got := explain.Judge(e); got.State != explain.Late || got.Finding.Code != statistics.CodeDropped {
		t.Errorf("%s by %+v", got.State, got.Finding)
	}
}

// TestW90RunsWithoutRows: if a job has no rows but has completed fire times in the registry, it
// should be neither healthy nor late, even after a restart. It must stop being late as soon as it
// runs again.
func TestW90RunsWithoutRows(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Recorded, j.ReadySince = true, noon.Add(10*time.Second)
	d := (&explain.Digest{}).Planned(j)
	if !d.WantsFired(j, noon.Add(20*time.Second)) {
		t.Error("the registry isn't asked for runs before the restart")
	}
	state := func(read, completed, now time.Time) explain.Judgement {
		d = d.With(&statistics.Fired{At: read, Shards: map[int]statistics.FiredShard{0: {Completed: completed, Through: completed}}}, false).Planned(j)
		return explain.Judge(explain.Evidence{Job: j, Runs: d, Known: true, Now: now})
	}
	at := noon.Add(20 * time.Second)
	if got := state(at, noon, at); got.State != explain.Unknown || !strings.HasPrefix(got.Finding.Sentence, "The job ran last at 2026-11-22 12:00:00 UTC") {
		t.Errorf("%s by %+v", got.State, got.Finding)
	}
	at = noon.Add(5*time.Minute + 30*time.Second)
	if got := state(at, noon, at); got.State != explain.Late || !got.Proven {
		t.Errorf("%s, proven %v, of a frozen job", got.State, got.Proven)
	}
	if at = at.Add(time.Minute); !d.WantsFired(j, at) {
		t.Fatal("the registry isn't asked again")
	}
	if got := state(at, noon.Add(6*time.Minute), at); got.State != explain.Unknown {
		t.Errorf("%s of a job that runs again", got.State)
	}
}

// TestW85RecordsReadDuringARun: agents record a fire time at the end of its run, so records that were read
// before don't prove that it passed without one. They should be read again once the run is over.
func TestW85RecordsReadDuringARun(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Recorded, j.Monitored, j.RunningShards = true, true, 1
	read := func(at, completed time.Time, running bool) *explain.Digest {
		return (&explain.Digest{}).With(&statistics.Fired{At: at, Shards: map[int]statistics.FiredShard{0: {Completed: completed, Through: completed}}}, running).Planned(j)
	}
	d := read(noon.Add(20*time.Second), noon.Add(-time.Minute), true)
	if d.WantsFired(j, noon.Add(30*time.Second)) {
		t.Error("the records are read at each look during the run")
	}
	j.RunningShards = 0
	over := noon.Add(40 * time.Second)
	if got := explain.StateOf(explain.Evidence{Job: j, Runs: d, Known: true, Now: over}); got != explain.Unknown || !d.WantsFired(j, over) {
		t.Errorf("%s after the run, read again: %v", got, d.WantsFired(j, over))
	}
	d = read(over, noon.Add(-time.Minute), false)
	if got := explain.StateOf(explain.Evidence{Job: j, Runs: d, Known: true, Now: over}); got != explain.Late {
		t.Errorf("%s by records that were read after the run", got)
	}
}

// TestW84TheNewestFailure: earlier runs failed for other shards and other reasons, but the newest
// failure counts.
func TestW84TheNewestFailure(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	failed := func(minute, item int, cause string) explain.Run {
		r := runBy("10.0.0.1@-@7", minute, time.Second)
		r.Shards[0].Item, r.Shards[0].Outcome, r.Cause, r.CauseItem = item, explain.Failed, cause, item
		return r
	}
	d := explain.DigestOf([]explain.Run{failed(0, 0, "timeout"), failed(-1, 0, "disk full")}, true)
	got := explain.Judge(explain.Evidence{Job: j, Runs: &d, Known: true, Now: noon})
	if want := "The last 2 runs on record failed; in the newest shard 0 failed: timeout."; got.Finding.Sentence != want {
		t.Errorf("%q, want %q", got.Finding.Sentence, want)
	}
}

// TestW29Crashes: if instances are lost again and again, the job must not be running or healthy,
// although the sessions of dead processes last for a while.
func TestW29Crashes(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.RunningShards = 1
	d := explain.DigestOf([]explain.Run{runBy("10.0.0.1@-@7", 0, time.Second)}, true)
	for n, want := range map[int]explain.State{2: explain.Running, 3: explain.Unstable} {
		got := explain.Judge(explain.Evidence{Job: j, Runs: d.WithCrashes(n, noon.Add(-time.Minute)).Planned(j), Known: true, Now: noon.Add(10 * time.Second)})
		if got.State != want {
			t.Errorf("%d crashes: %s, want %s", n, got.State, want)
		}
		if want == explain.Unstable && got.Finding.Sentence != "The job lost an instance 3 times since 2026-11-22 11:59:00 UTC: the process ended, or lost ZooKeeper." {
			t.Error(got.Finding.Sentence)
		}
	}
}

// TestW82OneShardMissedItsFireTime: if only one shard missed its fire time, the job must not be
// healthy once we know that the shard won't run: some seconds after the end of the run, if no other
// run is on.
func TestW82OneShardMissedItsFireTime(t *testing.T) {
	t.Parallel()
	const owner, other = "10.0.0.1@-@7", "10.0.0.2@-@9"
	run := func(minute int, took time.Duration, items ...int) explain.Run {
		r := runBy(owner, minute, took)
		r.Trigger, r.Shards = tracing.TriggerSchedule, nil
		for _, n := range items {
			r.Shards = append(r.Shards, explain.ShardRun{Item: n, Outcome: explain.Succeeded, Instance: []string{owner, other}[n]})
		}
		return r
	}
	manual := run(-1, time.Second, 0)
	manual.Trigger, manual.Start, manual.End = tracing.TriggerManual, noon.Add(5*time.Second), noon.Add(6*time.Second)
	goes := run(0, 0, 0)
	goes.End, goes.Shards[0].Outcome = time.Time{}, explain.Goes
	off := &statistics.Fired{At: noon.Add(20 * time.Second), Shards: map[int]statistics.FiredShard{
		0: {Completed: noon, Through: noon}, 1: {Completed: noon.Add(-2 * time.Minute), Through: noon.Add(15 * time.Second)},
	}}
	for name, c := range map[string]struct {
		runs  []explain.Run
		fired *statistics.Fired
		after time.Duration
		want  explain.State
	}{
		"too early to tell":                  {[]explain.Run{run(0, time.Second, 0), run(-1, time.Second, 0, 1)}, nil, 9 * time.Second, explain.Healthy},
		"sure":                               {[]explain.Run{run(0, time.Second, 0), run(-1, time.Second, 0, 1)}, nil, 12 * time.Second, explain.Partial},
		"both ran":                           {[]explain.Run{run(0, time.Second, 0, 1), run(-1, time.Second, 0, 1)}, nil, 12 * time.Second, explain.Healthy},
		"the other one goes on":              {[]explain.Run{goes, run(-1, time.Second, 0, 1)}, nil, 40 * time.Second, explain.Running},
		"it was busy, and makes up for it":   {[]explain.Run{run(0, time.Second, 0), run(-1, 75*time.Second, 1)}, nil, 20 * time.Second, explain.Healthy},
		"it was busy, and made up for it":    {[]explain.Run{run(0, 30*time.Second, 1), run(0, time.Second, 0), run(-1, 75*time.Second, 1)}, nil, 45 * time.Second, explain.Healthy},
		"it was busy, and made nothing good": {[]explain.Run{run(0, time.Second, 0), run(-1, 75*time.Second, 1)}, nil, 30 * time.Second, explain.Partial},
		"an older run is repeated":           {[]explain.Run{manual, run(0, time.Second, 0, 1), run(-1, time.Second, 0, 1)}, nil, 20 * time.Second, explain.Healthy},
		"the next one has just run":          {[]explain.Run{run(0, time.Second, 0), run(-1, time.Second, 0), run(-2, time.Second, 0, 1)}, nil, 5 * time.Second, explain.Partial},
		"it takes part again":                {[]explain.Run{run(0, time.Second, 0, 1), run(-1, time.Second, 0), run(-2, time.Second, 0, 1)}, nil, 5 * time.Second, explain.Healthy},
		"it was off then":                    {[]explain.Run{run(0, time.Second, 0), run(-1, time.Second, 0)}, off, 20 * time.Second, explain.Healthy},
	} {
		j := unmonitored()
		j.Shards, j.Recorded, j.Owners = 2, true, []string{owner, other}
		j.OwnersSince = append(j.OwnersSince, j.OwnersSince[0])
		d := explain.DigestOf(c.runs, true)
		e := explain.Evidence{Job: j, Runs: d.With(c.fired, false).Planned(j), Known: true, Now: noon.Add(c.after)}
		if got := explain.Judge(e); got.State != c.want {
			t.Errorf("%s: %s by %+v, want %s", name, got.State, got.Finding, c.want)
		}
	}
}

// TestW82FireTimesAhead: an agent with a clock ahead records fire times that haven't come yet. The
// shards of other agents can't have missed these.
func TestW82FireTimesAhead(t *testing.T) {
	t.Parallel()
	const ahead, other = "10.0.0.1@-@7", "10.0.0.2@-@9"
	run := func(minute int, items ...int) explain.Run {
		r := runBy(ahead, minute, time.Second)
		r.Trigger, r.Shards = tracing.TriggerSchedule, nil
		for _, n := range items {
			r.Shards = append(r.Shards, explain.ShardRun{Item: n, Outcome: explain.Succeeded, Instance: []string{ahead, other}[n]})
		}
		return r
	}
	goes := run(-2, 1)
	goes.End, goes.Shards[0].Outcome = time.Time{}, explain.Goes
	for name, c := range map[string]struct {
		runs  []explain.Run
		want  explain.State
		since int  // the minute
		off   bool // shard 1 was off, by the registry's records
	}{
		"all that were kept are ahead": {[]explain.Run{run(6, 0), run(5, 0), run(4, 0), run(3, 0), run(2, 0), run(1, 0), run(0, 0, 1), run(-1, 0, 1)}, explain.Healthy, 0, false},
		"the other one takes part":     {[]explain.Run{run(3, 0), run(2, 0), run(1, 0), run(0, 0, 1), run(-1, 0, 1)}, explain.Healthy, 0, false},
		"the other one missed two":     {[]explain.Run{run(2, 0), run(1, 0), run(0, 0), run(-1, 0), run(-2, 0, 1), run(-3, 0, 1)}, explain.Partial, -1, false},
		"the other one was off":        {[]explain.Run{run(2, 0), run(1, 0), run(0, 0), run(-1, 0), run(-2, 0, 1), run(-3, 0, 1)}, explain.Healthy, 0, true},
		"the other one runs":           {[]explain.Run{run(2, 0), run(1, 0), goes, run(-3, 0, 1)}, explain.Running, 0, false},
	} {
		j := unmonitored()
		j.Shards, j.Owners = 2, []string{ahead, other}
		j.OwnersSince = append(j.OwnersSince, j.OwnersSince[0])
		d := explain.DigestOf(c.runs, true)
		if c.off {
			j.Recorded = true
			d = *d.With(&statistics.Fired{At: noon.Add(20 * time.Second), Shards: map[int]statistics.FiredShard{
				0: {Completed: noon.Add(2 * time.Minute), Through: noon.Add(2 * time.Minute)}, 1: {Completed: noon.Add(-2 * time.Minute), Through: noon.Add(15 * time.Second)},
			}}, false)
		}
		e := explain.Evidence{Job: j, Runs: d.Planned(j), Known: true, Now: noon.Add(20 * time.Second)}
		got := explain.Explain(&statistics.Explanation{}, e)
		if got.State != c.want {
			t.Errorf("%s: %s by %+v, want %s", name, got.State, got.Finding, c.want)
		}
		if want := noon.Add(time.Duration(c.since) * time.Minute); c.want == explain.Partial && !got.Since.Equal(want) {
			t.Errorf("%s: since %s, want %s", name, got.Since, want)
		}
		for _, f := range got.Findings {
			if f.Since.After(e.Now) || f.Code == statistics.CodeOverrun {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
}

// TestW82AShardOfABusyInstance: an instance runs nothing else while one of its shards runs. Its
// other shards belong to that run, so they must not count as missing in the runs of other
// instances. The job fires every 30 seconds, and shard 0 takes 70 seconds.
func TestW82AShardOfABusyInstance(t *testing.T) {
	t.Parallel()
	const slow, other = "10.0.0.1@-@7", "10.0.0.2@-@9"
	at := func(second int) time.Time { return noon.Add(time.Duration(second) * time.Second) }
	run := func(fire, end int, items ...int) explain.Run { // If end is 0, shard 0 still runs.
		r := explain.Run{ScheduledAt: at(fire), Start: at(fire), Trigger: tracing.TriggerSchedule}
		if end > 0 {
			r.End = at(end)
		}
		for _, n := range items {
			s := explain.ShardRun{Item: n, Outcome: explain.Succeeded, Instance: []string{slow, other}[n%2]}
			if n == 0 && end == 0 {
				s.Outcome = explain.Goes
			}
			r.Shards = append(r.Shards, s)
		}
		return r
	}
	quick := func(fires ...int) (runs []explain.Run) { // runs of shard 1 only
		for _, fire := range fires {
			runs = append(runs, run(fire, fire+1, 1))
		}
		return runs
	}
	and := func(runs []explain.Run, more ...explain.Run) []explain.Run { return append(runs, more...) }
	away := run(0, 0, 0, 1, 3)
	for name, c := range map[string]struct {
		runs    []explain.Run // the newest first
		running int
		misfire bool
		after   int
		want    explain.State
		code    statistics.Code
		missed  []int
		overrun bool // expect an overrun as the first finding
	}{
		"its instance is busy":             {and(quick(60, 30), run(0, 0, 0, 1, 2), run(-90, -20, 0, 1, 2)), 2, true, 75, explain.Running, "", nil, true},
		"it is in the newest run":          {and([]explain.Run{run(90, 0, 0, 1, 2)}, and(quick(60, 30), run(0, 70, 0, 1, 2))...), 2, true, 95, explain.Running, "", nil, false},
		"it is in a run before":            {and(quick(90), and([]explain.Run{run(60, 0, 0, 1, 2)}, and(quick(30, 0), run(-90, -20, 0, 1, 2))...)...), 2, true, 101, explain.Running, "", nil, true},
		"its instance was busy":            {and(quick(60, 30), run(0, 70, 0, 1, 2)), 0, true, 75, explain.Healthy, "", nil, false},
		"nothing made up for it":           {and(quick(60, 30), run(0, 70, 0, 1, 2)), 0, true, 85, explain.Partial, statistics.CodeShardsMissed, []int{0, 2}, false},
		"its fire times are lost":          {and(quick(60, 30), run(0, 70, 0, 1, 2)), 0, false, 75, explain.Partial, statistics.CodeDropped, []int{0, 2}, false},
		"of an instance that isn't busy":   {and(quick(60, 30), away, run(-90, -20, 0, 1, 2)), 1, true, 75, explain.Partial, statistics.CodeShardsMissed, []int{2}, false},
		"it is in no run that is on":       {and(quick(60, 30), run(0, 0, 0, 1), run(-30, -29, 0, 1)), 1, true, 75, explain.Partial, statistics.CodeShardsMissed, []int{2}, false},
		"the run that is on wasn't read":   {quick(60, 30, 0), 2, true, 75, explain.Running, "", nil, false},
		"nothing else is on, and it's off": {quick(60, 30, 0), 0, true, 75, explain.Partial, statistics.CodeShardsMissed, []int{0, 2}, false},
	} {
		j := unmonitored()
		j.Cron, j.Shards, j.Recorded, j.Misfire, j.RunningShards, j.Owners = "0/30 * * * * ?", 3, true, c.misfire, c.running, []string{slow, other}
		j.OwnersSince = append(j.OwnersSince, j.OwnersSince[0])
		d := explain.DigestOf(c.runs, true)
		e := explain.Evidence{Job: j, Runs: d.Planned(j), Known: true, Now: at(c.after)}
		got := explain.Judge(e)
		code, items := statistics.Code(""), []int(nil)
		if got.Finding != nil {
			code, items = got.Finding.Code, got.Finding.Items
		}
		if got.State != c.want || code != c.code || !slices.Equal(items, c.missed) {
			t.Errorf("%s: %s by %+v, want %s", name, got.State, got.Finding, c.want)
		}
		answer := explain.Explain(&statistics.Explanation{}, e)
		if c.overrun && (len(answer.Findings) == 0 || answer.Findings[0].Code != statistics.CodeOverrun) {
			t.Errorf("%s: the run isn't blamed first: %+v", name, answer.Findings)
		}
	}
}

// TestW83OnTimeSinceAWholeSecond: the job was released a moment after a fire time, within its second, so that
// fire time does not count as on time.
func TestW83OnTimeSinceAWholeSecond(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.ReadySince = noon.Add(400 * time.Millisecond)
	d := explain.DigestOf([]explain.Run{runBy(j.Owners[0], -1, time.Second)}, true)
	got := explain.Explain(&statistics.Explanation{}, explain.Evidence{Job: j, Runs: d.Planned(j), Known: true, Now: noon.Add(2 * time.Second)})
	at := slices.IndexFunc(got.Checks, func(c statistics.Check) bool { return c.Code == statistics.CheckOnTime })
	if at < 0 || !got.Checks[at].Since.Equal(noon.Add(time.Second)) || !strings.Contains(got.Checks[at].Sentence, "12:00:01 UTC") {
		t.Errorf("%+v", got.Checks)
	}
}

// TestW83NotOnTimeAfterAFireTime: once a fire time has passed, the check that none passed without a run holds
// again when its run is known.
func TestW83NotOnTimeAfterAFireTime(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	for newest, after := range map[int]time.Duration{0: 59 * time.Second, 1: 62 * time.Second, -1: 2 * time.Second} {
		d := explain.DigestOf([]explain.Run{runBy(j.Owners[0], newest, time.Second), runBy(j.Owners[0], -9, time.Second)}, true)
		got := explain.Explain(&statistics.Explanation{}, explain.Evidence{Job: j, Runs: d.Planned(j), Known: true, Now: noon.Add(after)})
		holds := slices.ContainsFunc(got.Checks, func(c statistics.Check) bool { return c.Code == statistics.CheckOnTime })
		if want := newest >= 0; holds != want {
			t.Errorf("newest run at minute %d, %v after noon: %v, want %v", newest, after, holds, want)
		}
	}
}

// TestW81DueForTheFirstTime: a job that runs once a day isn't Healthy when its first fire time has passed and
// no run is on record.
func TestW81DueForTheFirstTime(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Cron, j.Recorded, j.ReadySince = "0 0 12 * * ?", true, noon.Add(-time.Minute)
	for after, want := range map[time.Duration]explain.State{5 * time.Second: explain.Healthy, 15 * time.Second: explain.Unknown} {
		d, now := (&explain.Digest{}).Planned(j), noon.Add(after)
		got := explain.Judge(explain.Evidence{Job: j, Runs: d, Known: true, Now: now})
		if got.State != want || !d.WantsFired(j, now) {
			t.Errorf("%v after its first fire time: %s, want %s", after, got.State, want)
		}
	}
}

// TestW85LateInPart: if other shards ran at the fire time, only the others are late.
func TestW85LateInPart(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Shards, j.Recorded, j.Owners = 2, true, []string{"10.0.0.1@-@7", "10.0.0.2@-@9"}
	j.OwnersSince = append(j.OwnersSince, j.OwnersSince[0])
	none := (&explain.Digest{}).Planned(j)
	for behind, want := range map[time.Duration]string{0: "passed without a run of shard 1. It was up to 10.0.0.2@-@9", time.Minute: "passed without a run. It was up to"} {
		at := noon.Add(-behind)
		fired := &statistics.Fired{At: noon.Add(15 * time.Second), Shards: map[int]statistics.FiredShard{
			0: {Completed: at, Through: at, Owner: j.Owners[0]}, 1: {Completed: noon.Add(-time.Minute), Through: noon.Add(-time.Minute), Owner: "10.0.0.2@-@8"},
		}}
		got := explain.Judge(explain.Evidence{Job: j, Runs: none.With(fired, false).Planned(j), Known: true, Now: noon.Add(15 * time.Second)})
		if got.State != explain.Late || !strings.Contains(got.Finding.Sentence, want) {
			t.Errorf("%s by %+v, want %q", got.State, got.Finding, want)
		}
	}
}

// TestW84ARunWithoutARecordedEnd: an execution without a recorded end looks lost as soon as its shard begins
// again. If the registry shows that it ran to its end, the job doesn't fail.
func TestW84ARunWithoutARecordedEnd(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Recorded = true
	lost := runBy(j.Owners[0], 0, time.Second)
	lost.Shards[0].Outcome = explain.Lost
	for completed, want := range map[time.Duration]explain.State{0: explain.Unknown, -time.Minute: explain.Failing} {
		at := noon.Add(completed)
		d := explain.DigestOf([]explain.Run{lost, runBy(j.Owners[0], -1, time.Second)}, true)
		if !d.Planned(j).WantsFired(j, noon.Add(20*time.Second)) {
			t.Error("the registry isn't asked")
		}
		fired := &statistics.Fired{At: noon.Add(20 * time.Second), Shards: map[int]statistics.FiredShard{0: {Completed: at, Through: at}}}
		got := explain.Explain(&statistics.Explanation{}, explain.Evidence{Job: j, Runs: d.With(fired, false).Planned(j), Known: true, Now: noon.Add(30 * time.Second)})
		failing := slices.ContainsFunc(got.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeFailing })
		if got.State != want || failing != (want == explain.Failing) {
			t.Errorf("completed %v: %s by %+v, want %s", completed, got.State, got.Finding, want)
		}
	}
}

// TestW82SinceAShardIsMissing: the start of a shard's absence stays, although only the newest runs are read.
func TestW82SinceAShardIsMissing(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Shards = 2
	var before *explain.Digest
	for last := range 12 {
		var runs []explain.Run
		for minute := last; minute > last-8; minute-- {
			r := runBy(j.Owners[0], minute, time.Second)
			if r.Trigger = tracing.TriggerSchedule; minute < 1 {
				r.Shards = append(r.Shards, explain.ShardRun{Item: 1, Outcome: explain.Succeeded, Instance: j.Owners[0]})
			}
			runs = append(runs, r)
		}
		d := explain.DigestOf(runs, false)
		before = d.After(before)
		got := explain.Judge(explain.Evidence{Job: j, Runs: before.Planned(j), Known: true, Now: noon.Add(time.Duration(last)*time.Minute + 20*time.Second)})
		if last > 0 && (got.State != explain.Partial || !got.Since.Equal(noon.Add(time.Minute))) {
			t.Errorf("minute %d: %s since %s", last, got.State, got.Since)
		}
	}
}

// TestW81ItRanByTheRegistry: a job has run if the registry shows it, although no run is on record.
func TestW81ItRanByTheRegistry(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Recorded = true
	none := (&explain.Digest{}).Planned(j)
	fired := none.With(&statistics.Fired{At: noon, Shards: map[int]statistics.FiredShard{0: {Completed: noon, Through: noon}}}, false)
	for d, want := range map[*explain.Digest]bool{none: true, fired.Planned(j): false} {
		if got := explain.Judge(explain.Evidence{Job: j, Runs: d, Known: true, Now: noon.Add(time.Second)}); got.NeverRan != want {
			t.Errorf("never ran: %v, want %v", got.NeverRan, want)
		}
	}
}

// TestW90AFireTimePassedBeforeTheInstanceCame: a fire time that no instance served must not be
// forgotten when the job is served again. Until the next run, it's unknown whether the job missed
// it.
func TestW90AFireTimePassedBeforeTheInstanceCame(t *testing.T) {
	t.Parallel()
	const owner = "10.0.0.1@-@7"
	manual := runBy(owner, 4, time.Second)
	manual.Trigger, manual.ScheduledAt = tracing.TriggerManual, time.Time{}
	last := func(minute int) []explain.Run { return []explain.Run{runBy(owner, minute, time.Second)} }
	for name, c := range map[string]struct {
		runs  []explain.Run
		able  time.Duration
		ready time.Duration
		after time.Duration
		want  explain.State
	}{
		"it came after a fire time":       {last(0), -time.Hour, 210 * time.Second, 5 * time.Minute, explain.Unknown},
		"it may make up for it yet":       {last(0), -time.Hour, 210 * time.Second, 215 * time.Second, explain.Healthy},
		"it made up for it":               {last(3), -time.Hour, 210 * time.Second, 5 * time.Minute, explain.Healthy},
		"a run by hand made up for it":    {append([]explain.Run{manual}, last(0)...), -time.Hour, 210 * time.Second, 5 * time.Minute, explain.Healthy},
		"it came before":                  {last(0), -time.Hour, 170 * time.Second, 175 * time.Second, explain.Healthy},
		"it was switched on since":        {last(0), 210 * time.Second, 210 * time.Second, 5 * time.Minute, explain.Healthy},
		"it never ran":                    {nil, -time.Minute, 210 * time.Second, 5 * time.Minute, explain.Unknown},
		"it never ran, and was made then": {nil, 210 * time.Second, 210 * time.Second, 5 * time.Minute, explain.Healthy},
	} {
		if c.want == explain.Unknown { // The history may have been pruned since.
			j := unmonitored()
			j.Cron, j.Recorded, j.AbleSince, j.ReadySince = "0 0,3 12 * * ?", true, noon.Add(c.able), noon.Add(c.ready)
			d, now := explain.DigestOf(c.runs, true), noon.Add(c.after)
			if !d.Planned(j).WantsFired(j, now) {
				t.Errorf("%s: the registry isn't asked", name)
			}
			at := noon.Add(3 * time.Minute)
			fired := &statistics.Fired{At: now, Shards: map[int]statistics.FiredShard{0: {Completed: at, Through: at}}}
			got := explain.Judge(explain.Evidence{Job: j, Runs: d.With(fired, false).Planned(j), Known: true, Now: now})
			if got.Passed {
				t.Errorf("%s, and the registry shows that it ran: %+v", name, got.Finding)
			}
		}
		for _, recorded := range []bool{false, true} {
			j := unmonitored()
			j.Cron, j.Misfire, j.Recorded = "0 0,3 12 * * ?", false, recorded
			j.AbleSince, j.ReadySince = noon.Add(c.able), noon.Add(c.ready)
			d := explain.DigestOf(c.runs, true)
			got := explain.Judge(explain.Evidence{Job: j, Runs: d.Planned(j), Known: true, Now: noon.Add(c.after)})
			if got.State != c.want || got.State == explain.Unknown && !strings.HasSuffix(got.Finding.Sentence, "the first of the live ones came at 2026-11-22 12:03:30 UTC.") {
				t.Errorf("%s, recorded %v: %s by %+v, want %s", name, recorded, got.State, got.Finding, c.want)
			}
		}
	}
}

// TestW85FireTimesThatRanEarly: after the clock of an agent was ahead, Explain must not announce fire
// times that have run already, whether the rows of the runs or the records in the registry show it.
func TestW85FireTimesThatRanEarly(t *testing.T) {
	t.Parallel()
	const ahead, other = "10.0.0.1@-@7", "10.0.0.2@-@9"
	run := func(minute int, ids ...string) explain.Run {
		r := runBy(ahead, minute, time.Second)
		r.Trigger, r.Shards = tracing.TriggerSchedule, nil
		for n, id := range ids {
			r.Shards = append(r.Shards, explain.ShardRun{Item: n, Outcome: explain.Succeeded, Instance: id})
		}
		return r
	}
	records := func(minutes ...int) *statistics.Fired {
		fired := statistics.Fired{At: noon.Add(20 * time.Second), Shards: map[int]statistics.FiredShard{}}
		for n, m := range minutes {
			at := noon.Add(time.Duration(m) * time.Minute)
			fired.Shards[n] = statistics.FiredShard{Completed: at, Through: at}
		}
		return &fired
	}
	for name, c := range map[string]struct {
		runs  []explain.Run
		fired *statistics.Fired
		next  int // the minute
	}{
		"by its rows":             {[]explain.Run{run(2, ahead, ahead), run(1, ahead, ahead), run(0, ahead, ahead)}, nil, 3},
		"by the records":          {[]explain.Run{run(0, ahead, ahead)}, records(2, 2), 3},
		"one shard by the rows":   {[]explain.Run{run(2, ahead), run(1, ahead), run(0, ahead, other), run(-1, ahead, other)}, nil, 1},
		"one by the records":      {[]explain.Run{run(0, ahead, other)}, records(2, 0), 1},
		"one is ahead of another": {[]explain.Run{run(0, ahead, other)}, records(3, 2), 3},
		"none":                    {[]explain.Run{run(0, ahead, other)}, records(0, 0), 1},
	} {
		j := unmonitored()
		j.Shards, j.Owners, j.Recorded = 2, []string{ahead, other}, true
		j.OwnersSince = append(j.OwnersSince, j.OwnersSince[0])
		d := explain.DigestOf(c.runs, true)
		e := explain.Evidence{Job: j, Runs: d.With(c.fired, false).Planned(j), Known: true, Now: noon.Add(20 * time.Second)}
		got := explain.Explain(&statistics.Explanation{NextFire: noon.Add(time.Minute), Zone: "UTC"}, e)
		if want := noon.Add(time.Duration(c.next) * time.Minute); !got.NextFire.Equal(want) || !strings.Contains(got.Summary, want.Format(time.TimeOnly)) {
			t.Errorf("%s: next %s, want %s: %s", name, got.NextFire, want, got.Summary)
		}
		early := slices.ContainsFunc(got.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeFiredEarly })
		if want := c.next > 1; early != want || got.State != explain.Healthy {
			t.Errorf("%s: %s by %+v", name, got.State, got.Findings)
		}
	}
}

// TestW84SinceDoesNotMove: the start of a failure must not move while the job keeps failing,
// although we only read the newest runs. If we never read the first failure, it should be unknown.
func TestW84SinceDoesNotMove(t *testing.T) {
	t.Parallel()
	read := func(first, last int) *explain.Digest { // the runs of these minutes, all of them failed
		var runs []explain.Run
		for minute := last; minute >= first; minute-- {
			r := runBy("10.0.0.1@-@7", minute, time.Second)
			r.Shards[0].Outcome, r.Cause = explain.Failed, "refused"
			runs = append(runs, r)
		}
		d := explain.DigestOf(runs, first == 0)
		return &d
	}
	from := read(0, 5)
	for name, c := range map[string]struct {
		d    *explain.Digest
		want time.Time
	}{
		"all runs are read":             {from, noon},
		"the newest runs follow":        {read(2, 11).After(from), noon},
		"and follow again":              {read(9, 20).After(read(2, 11).After(from)), noon},
		"runs between them weren't":     {read(9, 20).After(from), time.Time{}},
		"nothing was read before":       {read(9, 20), time.Time{}},
		"it wasn't known before either": {read(9, 20).After(read(5, 15)), time.Time{}},
	} {
		j := unmonitored()
		got := explain.Judge(explain.Evidence{Job: j, Runs: c.d.Planned(j), Known: true, Now: noon.Add(20*time.Minute + 5*time.Second)})
		if got.State != explain.Failing || !got.Since.Equal(c.want) {
			t.Errorf("%s: %s since %s, want %s", name, got.State, got.Since, c.want)
		}
	}
}

// TestW90RowsMayBeLate: without records in the registry, a job must not be late while its owner's
// rows may be late. They can't be late after some minutes, or once the owner has recorded a newer
// run of another job.
func TestW90RowsMayBeLate(t *testing.T) {
	t.Parallel()
	const owner, other = "10.0.0.1@-@7", "10.0.0.2@-@9"
	for name, c := range map[string]struct {
		by    string // the instance that recorded another job's run
		at    int    // the minute of that run
		after time.Duration
		want  explain.State
	}{
		"its rows may be late":           {owner, 0, 5 * time.Minute, explain.Unknown},
		"its other rows come":            {owner, 2, 5 * time.Minute, explain.Late},
		"the rows of another owner come": {other, 2, 5 * time.Minute, explain.Unknown},
		"for long":                       {other, 2, 12 * time.Minute, explain.Late},
	} {
		j := unmonitored()
		d, of := explain.DigestOf([]explain.Run{runBy(owner, 0, time.Second)}, true), explain.DigestOf([]explain.Run{runBy(c.by, c.at, time.Second)}, true)
		var w explain.Writers
		w.Note(&of)
		e := explain.Evidence{Job: j, Runs: d.Planned(j), Known: true, Newest: noon.Add(4 * time.Minute), Writers: &w, Now: noon.Add(c.after)}
		if got := explain.Judge(e); got.State != c.want {
			t.Errorf("%s: %s by %+v, want %s", name, got.State, got.Finding, c.want)
		}
	}
}

// TestW90ARunOverAFireTimeHasEnded: after a long run, the run that makes up for the passed fire
// times should have a moment to start.
func TestW90ARunOverAFireTimeHasEnded(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Recorded = true
	d := explain.DigestOf([]explain.Run{runBy("10.0.0.1@-@7", 0, 3*time.Minute)}, true)
	for after, want := range map[time.Duration]explain.State{8 * time.Second: explain.Healthy, 15 * time.Second: explain.Late} {
		now := noon.Add(3*time.Minute + after)
		fired := &statistics.Fired{At: now, Shards: map[int]statistics.FiredShard{0: {Completed: noon, Through: noon}}}
		got := explain.Judge(explain.Evidence{Job: j, Runs: d.With(fired, false).Planned(j), Known: true, Now: now})
		if got.State != want {
			t.Errorf("%s after the end: %s, want %s", after, got.State, want)
		}
	}
}

// TestTheRowOfAnEndIsLate: with monitorExecution, a job is running as long as the registry shows
// it. If the end of the run still isn't recorded some seconds later, the result should be unknown.
func TestTheRowOfAnEndIsLate(t *testing.T) {
	t.Parallel()
	j := &statistics.Job{
		Name: "j", Cron: "0 0 * * * ?", TimeZone: "GMT+0", Shards: 1, Instances: 1, Status: statistics.StatusOK, Monitored: true,
		ReadySince: noon.Add(-time.Hour), RunningShards: 1,
	}
	digest := explain.DigestOf([]explain.Run{
		{ScheduledAt: noon, Start: noon, Trigger: tracing.TriggerSchedule, Shards: []explain.ShardRun{{Outcome: explain.Goes, Instance: "a"}}},
		{ScheduledAt: noon.Add(-time.Hour), Start: noon.Add(-time.Hour), End: noon.Add(-time.Hour), Shards: []explain.ShardRun{{Outcome: explain.Succeeded, Instance: "a"}}},
	}, true)
	d := digest.Planned(j)
	for _, step := range []struct {
		after  time.Duration
		marked int
		want   explain.State
	}{
		{time.Second, 1, explain.Running}, {20 * time.Minute, 1, explain.Running}, {21 * time.Minute, 0, explain.Healthy},
		{21*time.Minute + 9*time.Second, 0, explain.Healthy}, {21*time.Minute + 11*time.Second, 0, explain.Unknown},
		{22 * time.Minute, 1, explain.Running}, {23 * time.Minute, 0, explain.Healthy},
	} {
		j.RunningShards = step.marked
		now := noon.Add(step.after)
		reread := digest
		d = reread.After(d).Planned(j).Seen(j, now)
		if got := explain.StateOf(explain.Evidence{Job: j, Runs: d, Known: true, Now: now}); got != step.want {
			t.Errorf("after %s with %d markers: %s, want %s", step.after, step.marked, got, step.want)
		}
	}
}

// TestNoInstanceServedTheJob: a fire time is lost if we know that no instance served the job at
// that time.
func TestNoInstanceServedTheJob(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		misfire     bool
		from, until time.Duration // the time without an instance
		want        explain.State
	}{
		"none was there":                {from: -30 * time.Second, until: 3 * time.Minute, want: explain.Late},
		"none was there until now":      {from: -30 * time.Second, want: explain.Late},
		"it left just then":             {from: 0, until: 3 * time.Minute, want: explain.Unknown},
		"nothing was seen at that time": {from: -30 * time.Second, until: -10 * time.Second, want: explain.Unknown},
		"it may be made up for":         {misfire: true, from: -30 * time.Second, until: 3 * time.Minute, want: explain.Unknown},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			j := &statistics.Job{
				Name: "j", Status: statistics.StatusOK, Cron: "0 0 * * * ?", TimeZone: "GMT+0", Shards: 1, Instances: 1, Recorded: true,
				Monitored: true, Misfire: c.misfire, Owners: []string{"a"}, OwnersSince: []time.Time{noon.Add(3 * time.Minute)},
				AbleSince: noon.AddDate(0, 0, -9), ReadySince: noon.Add(3 * time.Minute),
			}
			last := noon.Add(-time.Hour)
			d := explain.DigestOf([]explain.Run{
				{ScheduledAt: last, Start: last, End: last.Add(time.Second), Trigger: tracing.TriggerSchedule, Shards: []explain.ShardRun{{Outcome: explain.Succeeded, Instance: "b"}}},
			}, true)
			until := time.Time{}
			if c.until != 0 {
				until = noon.Add(c.until)
			}
			seen := d.Planned(j).WithUnserved(noon.Add(c.from), until)
			got := explain.Judge(explain.Evidence{Job: j, Runs: seen, Known: true, Now: noon.Add(10 * time.Minute)})
			if got.State != c.want || !got.Due.Equal(noon) {
				t.Fatalf("%s, due %v, want %s", got.State, got.Due, c.want)
			}
			if lost := strings.Contains(got.Finding.Sentence, "passed while no instance served the job, and is lost"); lost != (c.want == explain.Late) {
				t.Error(got.Finding.Sentence)
			}
		})
	}
}

// TestW82AShardThatWasOff: without records in the registry, runs don't count for a shard that was disabled
// at that time, as the console has seen.
func TestW82AShardThatWasOff(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Cron, j.Shards = "0 * * * * ?", 2
	var runs []explain.Run
	for minute := range 3 {
		at := noon.Add(time.Duration(-minute) * time.Minute)
		shards := []explain.ShardRun{{Item: 0, Outcome: explain.Succeeded, Instance: j.Owners[0]}}
		runs = append(runs, explain.Run{ScheduledAt: at, Start: at, End: at.Add(time.Second), Trigger: tracing.TriggerSchedule, Shards: shards})
	}
	for name, c := range map[string]struct {
		off  map[int]time.Time
		want explain.State
	}{
		"nothing is known":             {nil, explain.Partial},
		"it was off":                   {map[int]time.Time{1: noon.Add(15 * time.Second)}, explain.Healthy},
		"it was off, as seen last":     {map[int]time.Time{1: {}}, explain.Healthy},
		"it was on at the last one":    {map[int]time.Time{1: noon.Add(-30 * time.Second)}, explain.Partial},
		"it was off before these runs": {map[int]time.Time{1: noon.Add(-time.Hour)}, explain.Partial},
		"another shard was off":        {map[int]time.Time{0: noon.Add(15 * time.Second)}, explain.Partial},
	} {
		d := explain.DigestOf(runs, true)
		e := explain.Evidence{Job: j, Runs: d.WithOff(c.off).Planned(j), Known: true, Now: noon.Add(20 * time.Second)}
		if got := explain.Judge(e); got.State != c.want {
			t.Errorf("%s: %s by %+v, want %s", name, got.State, got.Finding, c.want)
		}
	}
}

// TestW90AFireTimePassesDuringARun: while a run is on, it's known that the job runs, even if no process
// has recorded anything since the last fire time.
func TestW90AFireTimePassesDuringARun(t *testing.T) {
	t.Parallel()
	j := unmonitored()
	j.Monitored = true
	digest := explain.DigestOf([]explain.Run{{ScheduledAt: noon, Start: noon, Trigger: tracing.TriggerSchedule, Shards: []explain.ShardRun{{Outcome: explain.Goes, Instance: j.Owners[0]}}}}, true)
	for running, want := range map[int]bool{1: false, 0: true} {
		j.RunningShards = running
		got := explain.Explain(&statistics.Explanation{}, explain.Evidence{Job: j, Runs: digest.Planned(j), Known: true, Newest: noon, Now: noon.Add(75 * time.Second)})
		claimed := slices.ContainsFunc(got.Findings, func(f statistics.Finding) bool { return f.Code == statistics.CodeNotRecorded })
		if claimed != want {
			t.Errorf("%d shards running: unknown whether the job runs: %v, want %v", running, claimed, want)
		}
	}
}
