package cloud

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// planned returns the situation of a job with a cron expression and the cursor at noon.
func planned(t *testing.T, cron string, change func(*Job)) Situation {
	t.Helper()
	job := NewJob("settlement", "shop", 3)
	job.Cron, job.Misfire = cron, false
	if change != nil {
		change(&job)
	}
	schedule, err := job.Schedule(time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	app := NewApp("shop")
	return Situation{
		Definition: Definition{Job: job, UID: "1", Created: noon.Add(-time.Hour), Changed: noon.Add(-time.Hour), Status: Status{LastFire: noon, Schedule: schedule.Fingerprint()}},
		Schedule:   schedule, App: &app, Now: noon,
	}
}

// words formats actions briefly, with times as minutes and seconds.
func words(actions []Action) string {
	var lines []string
	for _, a := range actions {
		line := string(a.Do)
		if a.Do == DoLaunch {
			line += " " + string(a.Origin) + " " + a.Fire.UTC().Format("04:05")
		} else if a.Run != "" {
			line += " " + a.Run
		}
		for _, t := range a.Times {
			line += " " + t.UTC().Format("04:05")
		}
		for _, k := range a.Keys {
			line += " " + k
		}
		if a.Count > 0 {
			line += fmt.Sprintf(" %d %s-%s", a.Count, a.First.UTC().Format("04:05"), a.Last.UTC().Format("04:05"))
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "; ")
}

func running(since time.Duration) RunStatus {
	fire := noon.Add(since)
	return RunStatus{Name: RunName("settlement", fire), Fire: fire, Origin: OriginCron, State: RunRunning, Created: fire}
}

func ended(since, until time.Duration) RunStatus {
	r := running(since)
	r.State, r.Ended = RunSucceeded, noon.Add(until)
	return r
}

func overlap(o Overlap, misfire bool) func(*Job) {
	return func(j *Job) {
		j.Misfire = misfire
		if o != "" {
			j.Props = map[string]string{PropOverlap: string(o)}
		}
	}
}

func pending(seconds ...int) func(*Situation) {
	return func(s *Situation) {
		for _, n := range seconds {
			s.Definition.Status.Pending = append(s.Definition.Status.Pending, noon.Add(time.Duration(n)*time.Second))
		}
	}
}

func having(runs ...RunStatus) func(*Situation) { return func(s *Situation) { s.Runs = runs } }

var planCases = map[string]struct {
	cron   string
	job    func(*Job)
	change []func(*Situation)
	now    time.Duration
	want   string
}{
	"nothing is due":       {"0 * * * * ?", nil, nil, 59 * time.Second, ""},
	"a fire time comes":    {"0 * * * * ?", nil, nil, time.Minute, "launch cron 01:00"},
	"it comes late":        {"0 * * * * ?", nil, nil, 119 * time.Second, "launch cron 01:00"},
	"CL02: a new leader":   {"0/5 * * * * ?", nil, nil, 19 * time.Second, "launch cron 00:05; postpone 00:10 00:15"},
	"CL01: the run exists": {"0 * * * * ?", nil, []func(*Situation){having(running(time.Minute))}, 61 * time.Second, ""},
	"CL10: misfire off":    {"0 0/5 * * * ?", nil, nil, 11 * time.Minute, "miss 1 05:00-05:00; launch cron 10:00"},
	"CL10: all too old":    {"0 0/5 * * * ?", nil, nil, 14 * time.Minute, "miss 2 05:00-10:00"},
	"CL11: misfire on":     {"0 0/5 * * * ?", overlap("", true), nil, 11 * time.Minute, "postpone 05:00 10:00"},
	"CL11: the bound": {"0 * * * * ?", func(j *Job) { j.Misfire, j.Props = true, map[string]string{PropPendingMax: "2"} }, nil, 6 * time.Minute,
		"postpone 01:00 02:00; miss 4 03:00-06:00"},
	"CL40: queue one":               {"0/5 * * * * ?", overlap("", false), []func(*Situation){having(running(0))}, 5 * time.Second, "postpone 00:05"},
	"CL40: queue one, the second":   {"0/5 * * * * ?", overlap("", false), []func(*Situation){having(running(0)), pending(-5)}, 5 * time.Second, "merge 1 00:05-00:05"},
	"CL40: queue all":               {"0/5 * * * * ?", overlap("", true), []func(*Situation){having(running(0)), pending(-5)}, 5 * time.Second, "postpone 00:05"},
	"CL40: one, although misfire":   {"0/5 * * * * ?", overlap(OverlapQueueOne, true), []func(*Situation){having(running(0)), pending(-5)}, 5 * time.Second, "merge 1 00:05-00:05"},
	"CL40: all, without misfire":    {"0/5 * * * * ?", overlap(OverlapQueueAll, false), []func(*Situation){having(running(0)), pending(-5)}, 5 * time.Second, "postpone 00:05"},
	"CL40: skip":                    {"0/5 * * * * ?", overlap(OverlapSkip, true), []func(*Situation){having(running(0))}, 10 * time.Second, "merge 2 00:05-00:10"},
	"CL40: allow":                   {"0/5 * * * * ?", overlap(OverlapAllow, false), []func(*Situation){having(running(0))}, 10 * time.Second, "launch cron 00:05; launch cron 00:10"},
	"skip what ran then":            {"0/5 * * * * ?", overlap(OverlapSkip, false), []func(*Situation){having(ended(0, 6*time.Second))}, 10 * time.Second, "merge 1 00:05-00:05; launch cron 00:10"},
	"a pending one goes first":      {"0/5 * * * * ?", nil, []func(*Situation){pending(-5), having(ended(-10*time.Second, 4*time.Second))}, 5 * time.Second, "launch pending 59:55; postpone 00:05"},
	"a pending fire time that ran":  {"0 * * * * ?", nil, []func(*Situation){pending(0), having(ended(0, time.Second))}, time.Second, "forget 00:00"},
	"no active run any longer":      {"0 * * * * ?", nil, []func(*Situation){pending(0)}, time.Second, "launch pending 00:00"},
	"skip, and a gap of the leader": {"0/5 * * * * ?", overlap(OverlapSkip, false), nil, 10 * time.Second, "launch cron 00:05; postpone 00:10"},
	"CL20: no application":          {"0 * * * * ?", nil, []func(*Situation){func(s *Situation) { s.App = nil }}, 61 * time.Second, "advance"},
	"the application is disabled": {"0 * * * * ?", nil, []func(*Situation){pending(0), having(running(0)), func(s *Situation) { s.App.Disabled, s.App.Running = true, EndKill }}, time.Second,
		"forget 00:00; end settlement-1795348800"},
	"CL47: suspended with its application": {"0 0 0 * * ?", nil, []func(*Situation){having(running(0)), func(s *Situation) { s.App.Disabled, s.App.Running = true, EndSuspend }}, time.Second,
		"suspends; end settlement-1795348800"},
	"CL47: that is written": {"0 0 0 * * ?", nil, []func(*Situation){having(running(0)), func(s *Situation) {
		s.App.Disabled, s.App.Running, s.Definition.Status.Running = true, EndSuspend, wayResume
	}}, time.Second, "end settlement-1795348800"},
	"CL47: no run goes on": {"0 0 0 * * ?", nil, []func(*Situation){having(ended(0, time.Second)), func(s *Situation) { s.App.Disabled, s.App.Running = true, EndSuspend }}, 2 * time.Second, ""},
	"CL19: not accepted":   {"0 * * * * ?", nil, []func(*Situation){func(s *Situation) { s.Refused = "the name is in use" }}, 61 * time.Second, "advance"},
	"a daemon":             {"0 * * * * ?", func(j *Job) { j.Type = TypeDaemon }, nil, time.Hour, ""},
	"no expression":        {"", nil, nil, time.Hour, ""},
	"it is over":           {"0 * * * * ?", func(j *Job) { j.EndTime = "2026-11-22T12:00:30Z" }, nil, time.Hour, ""},
	"a year without a leader": {"* * * * * ?", nil, nil, 365 * day,
		"miss 10000 00:01-58:00; launch cron 58:00; postpone" + seconds(58*60+1, 59*60+40) + "; miss 20 59:41-00:00"},
	"CL43: an hour forward": {"0 0/30 * * * ?", nil, nil, time.Hour + 100*time.Second, "miss 1 30:00-30:00; launch cron 00:00"},
	"CL43: an hour back":    {"0 * * * * ?", nil, nil, -time.Hour, ""},
}

// TestPlan checks the actions in one situation each.
func TestPlan(t *testing.T) {
	t.Parallel()
	for name, c := range planCases {
		s := planned(t, c.cron, c.job)
		s.Now = noon.Add(c.now)
		for _, change := range c.change {
			change(&s)
		}
		actions, wake := Plan(s)
		if got := words(actions); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", name, got, c.want)
		}
		if !wake.IsZero() && !wake.After(s.Now) {
			t.Errorf("%s: to be asked again at %v", name, wake)
		}
	}
}

func seconds(from, to int) string {
	var b strings.Builder
	for n := from; n <= to; n++ {
		fmt.Fprintf(&b, " %02d:%02d", n/60%60, n%60)
	}
	return b.String()
}

// TestCL47Switches: the effect of a job's switch on its runs and pending fire times.
func TestCL47Switches(t *testing.T) {
	t.Parallel()
	suspended := running(0)
	suspended.State = RunSuspended
	for name, c := range map[string]struct {
		disabled bool
		running  Way
		run      RunStatus
		now      time.Duration
		want     string
	}{
		"killed":                {true, EndKill, running(0), time.Second, "end settlement-1795348800"},
		"killed while it waits": {true, EndKill, suspended, time.Second, "end settlement-1795348800"},
		"suspended":             {true, EndSuspend, running(0), time.Second, "end settlement-1795348800"},
		"suspended already":     {true, EndSuspend, suspended, time.Second, ""},
		"it may finish":         {true, "", running(0), time.Second, ""},
		"enabled":               {false, "", suspended, time.Minute - 1, "resume settlement-1795348800; settled"},
		"enabled after an hour": {false, "", suspended, time.Hour + time.Second, "end settlement-1795348800; settled"},
	} {
		s := planned(t, "0 0 0 * * ?", nil)
		s.Now, s.Runs = noon.Add(c.now), []RunStatus{c.run}
		s.Definition.Job.Disabled = !c.disabled
		s.Definition.Status.Pending = []time.Time{noon.Add(-time.Hour)}
		s.Definition.SetDisabled(c.disabled, c.running, s.Now)
		if len(s.Definition.Status.Pending) > 0 {
			t.Errorf("%s: %v is pending still", name, s.Definition.Status.Pending)
		}
		actions, _ := Plan(s)
		if got := words(actions); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestPlanForgetsWhatIsDisabled: a job that was disabled in the store directly should also lose its
// pending fire times.
func TestPlanForgetsWhatIsDisabled(t *testing.T) {
	t.Parallel()
	s := planned(t, "0 * * * * ?", nil)
	s.Definition.Job.Disabled = true
	s.Definition.Status.Pending = []time.Time{noon}
	s.Definition.Status.Requests = []Request{{Key: "k", Asked: noon}}
	actions, _ := Plan(s)
	if got := words(actions); got != "forget 00:00 k" || !actions[0].Durable() {
		t.Errorf("%q", got)
	}
}

// TestPlanRequests: requests come before fire times, and wait for their time and for each other.
func TestPlanRequests(t *testing.T) {
	t.Parallel()
	s := planned(t, "0 * * * * ?", nil)
	s.Now = noon.Add(time.Second)
	s.Definition.Status.Requests = []Request{{Key: "later", Asked: noon, NotBefore: noon.Add(30 * time.Second)}, {Key: "now", Asked: noon}}
	s.Definition.Status.Pending = []time.Time{noon}
	actions, wake := Plan(s)
	if got := words(actions); got != "launch manual 00:00" || actions[0].Request.Key != "now" || actions[0].Run != ManualRunName("settlement", "now") {
		t.Errorf("%q", got)
	}
	if !wake.Equal(noon.Add(30 * time.Second)) {
		t.Errorf("to be asked again at %v", wake)
	}
	actions[0].Apply(&s.Definition.Status)
	if len(s.Definition.Status.Requests) != 1 {
		t.Errorf("what was launched is pending still: %v", s.Definition.Status.Requests)
	}
	s.Runs = []RunStatus{{Name: ManualRunName("settlement", "later"), Origin: OriginManual, State: RunSucceeded, Fire: noon, Ended: noon}}
	if actions, _ := Plan(s); words(actions) != "forget later; launch pending 00:00" {
		t.Errorf("%q", words(actions))
	}
}

// TestPlanOfANewSchedule: a changed expression starts at its change, or when it's noticed, and a
// new job at its creation, CL25.
func TestPlanOfANewSchedule(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*Definition)
		want   string
	}{
		"changed a minute ago": {func(d *Definition) { d.Status.Schedule, d.Changed = "another", noon.Add(29*time.Minute) }, "begin; launch cron 30:00"},
		"changed just now":     {func(d *Definition) { d.Status.Schedule, d.Changed = "another", noon.Add(30*time.Minute) }, "begin"},
		"unknown when":         {func(d *Definition) { d.Status.Schedule, d.Changed = "another", time.Time{} }, "begin"},
		"CL25: made just now":  {func(d *Definition) { d.Status, d.Created = Status{}, noon.Add(29*time.Minute) }, "begin; launch cron 30:00"},
		"never seen":           {func(d *Definition) { d.Status, d.Created = Status{}, noon.Add(-time.Hour) }, "begin"},
		"not changed":          {func(*Definition) {}, "miss 2 10:00-20:00; launch cron 30:00"},
	} {
		s := planned(t, "0 0/10 * * * ?", nil)
		s.Now = noon.Add(30 * time.Minute)
		c.change(&s.Definition)
		actions, _ := Plan(s)
		if got := words(actions); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		for _, a := range actions {
			a.Apply(&s.Definition.Status)
			if a.Do == DoLaunch {
				s.Runs = append(s.Runs, ended(30*time.Minute, 30*time.Minute))
			}
		}
		for len(actions) > 0 && actions[len(actions)-1].Do == DoPostpone {
			actions = actions[:len(actions)-1]
		}
		if again, _ := Plan(s); len(again) > 0 {
			t.Errorf("%s: %q when asked again", name, words(again))
		}
	}
}

// TestCL44ChangesOfTheClock: during the repeated hour and the skipped hour, fire times follow the job's rule.
func TestCL44ChangesOfTheClock(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		from time.Time
		rule string
		want string
	}{
		"forward":       {time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC), "", ""},
		"forward, once": {time.Date(2026, 3, 29, 0, 0, 0, 0, time.UTC), "once", "01:00:00"},
		"back":          {time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC), "", "01:30:00"},
		"back, once":    {time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC), "once", "00:30:00"},
	} {
		s := planned(t, "0 30 2 * * ?", func(j *Job) { j.TimeZone, j.ClockChange = "Europe/Berlin", c.rule })
		s.Definition.Status.LastFire = c.from
		var fires []string
		for s.Now = c.from; s.Now.Before(c.from.Add(3 * time.Hour)); s.Now = s.Now.Add(time.Minute) {
			actions, _ := Plan(s)
			for _, a := range actions {
				if a.Apply(&s.Definition.Status); a.Do == DoLaunch {
					fires = append(fires, a.Fire.UTC().Format("15:04:05"))
				}
			}
		}
		if got := strings.Join(fires, " "); got != c.want {
			t.Errorf("%s: fires at %q, want %q", name, got, c.want)
		}
	}
}

// TestPlanKnowsWhatIsSettled: a pending fire time, or one with a run (named without a jitter's
// fraction of a second), is not handled again when the cursor is behind.
func TestPlanKnowsWhatIsSettled(t *testing.T) {
	t.Parallel()
	s := planned(t, "0 * * * * ?", func(j *Job) { j.Props = map[string]string{"schedule.jitter": "20s"} })
	fire, _ := s.Schedule.Next(noon)
	s.Now = fire
	if fire.Nanosecond() == 0 {
		t.Fatalf("the jitter adds no part of a second to %v", fire)
	}
	actions, _ := Plan(s)
	if len(actions) != 1 || actions[0].Do != DoLaunch {
		t.Fatalf("%q", words(actions))
	}
	run := StatusOf(Run{Name: actions[0].Run, Job: s.Definition.Job, Fire: fire.Truncate(time.Second), Origin: OriginCron}, fire)
	s.Runs = []RunStatus{run}
	if actions, _ := Plan(s); words(actions) != "advance" {
		t.Errorf("it ran: %q", words(actions))
	}
	s.Runs, s.Definition.Status.Pending = []RunStatus{running(0)}, []time.Time{fire}
	if actions, _ := Plan(s); words(actions) != "advance" {
		t.Errorf("it is pending: %q", words(actions))
	}
}

// TestPlanCatchesUp: while a job catches up after a change of the leader, new fire times wait, up
// to the grace and until it has caught up.
func TestPlanCatchesUp(t *testing.T) {
	t.Parallel()
	for _, o := range []Overlap{OverlapQueueOne, OverlapSkip} {
		s := planned(t, "0/5 * * * * ?", overlap(o, false))
		do := func(now time.Duration, want string) {
			t.Helper()
			s.Now = noon.Add(now)
			actions, _ := Plan(s)
			if got := words(actions); got != want {
				t.Errorf("%s after %s: %q, want %q", o, now, got, want)
			}
			for _, a := range actions {
				if a.Apply(&s.Definition.Status); a.Do == DoLaunch {
					s.Runs = append(s.Runs, RunStatus{Name: a.Run, Fire: a.Fire, Origin: a.Origin, State: RunRunning, Created: s.Now})
				}
			}
		}
		end := func(now time.Duration) {
			r := &s.Runs[len(s.Runs)-1]
			r.State, r.Ended = RunSucceeded, noon.Add(now)
		}
		do(14*time.Second, "launch cron 00:05; postpone 00:10")
		do(15*time.Second, "postpone 00:15")
		do(20*time.Second, "postpone 00:20")
		for _, step := range []string{"launch pending 00:10", "launch pending 00:15", "launch pending 00:20"} {
			end(21 * time.Second)
			do(21*time.Second, step)
		}
		end(22 * time.Second)
		do(25*time.Second, "launch cron 00:25")
		if !s.Definition.Status.MakingUp.IsZero() {
			t.Errorf("%s: it has caught up, and makes up until %v", o, s.Definition.Status.MakingUp)
		}
	}
	s := planned(t, "0/5 * * * * ?", overlap(OverlapQueueOne, false))
	s.Definition.Status.MakingUp, s.Runs = noon.Add(10*time.Second), []RunStatus{running(0)}
	s.Definition.Status.Pending, s.Now = []time.Time{noon.Add(-5 * time.Second)}, noon.Add(10*time.Second)
	if actions, _ := Plan(s); words(actions) != "postpone 00:05; merge 1 00:10-00:10" {
		t.Errorf("a job that cannot catch up: %q", words(actions))
	}
}

// TestTrim: the newest runs of each kind should be kept, and every name for a quarter of an hour.
func TestTrim(t *testing.T) {
	t.Parallel()
	var runs []RunStatus
	for i := range 20 {
		r := ended(time.Duration(i)*time.Minute, time.Duration(i)*time.Minute)
		if i%4 == 0 {
			r.State = RunFailed
		}
		runs = append(runs, r)
	}
	runs = append(runs, running(-time.Hour))
	if names := Trim(runs, noon.Add(15*time.Minute)); len(names) != 0 {
		t.Errorf("%v are forgotten before a quarter of an hour has passed", names)
	}
	names := Trim(runs, noon.Add(24*time.Hour))
	if len(names) != 15-HistorySucceeded {
		t.Errorf("%d are forgotten: %v", len(names), names)
	}
	for _, kept := range []int{0, 4, 16, 17, 18, 19} {
		if slices.Contains(names, runs[kept].Name) {
			t.Errorf("run %d is forgotten", kept)
		}
	}
}
