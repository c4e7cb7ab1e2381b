package cloud

import (
	"testing"
	"time"

	"pgregory.net/rapid"
)

// TestFireTimesDoNotDependOnWhereOneLooksFrom: every moment before a fire time has the same next
// fire time, even across clock changes. Quartz differs in the repeated hour.
func TestFireTimesDoNotDependOnWhereOneLooksFrom(t *testing.T) {
	t.Parallel()
	changes := []struct {
		zone string
		at   time.Time
	}{
		{"Europe/Berlin", time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC)},
		{"Europe/Berlin", time.Date(2026, 3, 29, 1, 0, 0, 0, time.UTC)},
		{"America/New_York", time.Date(2026, 11, 1, 6, 0, 0, 0, time.UTC)},
		{"Australia/Lord_Howe", time.Date(2026, 4, 4, 15, 0, 0, 0, time.UTC)},
		{"America/Havana", time.Date(2026, 11, 1, 5, 0, 0, 0, time.UTC)},
	}
	crons := []string{
		"* * * * * ?", "0/5 * * * * ?", "0 * * * * ?", "0 0/10 * * * ?", "0 0/30 * * * ?", "0 0 * * * ?", "0 30 2 * * ?", "0 45 1 * * ?",
		"0 15 0 * * ?", "0 30/30 0-3 * * ?", "7 0/7 2 * * ?", "0 0 0/2 * * ?", "0 40 1,2 ? * SUN", "0 10 2 L 10 ?",
	}
	rapid.Check(t, func(t *rapid.T) {
		change := rapid.SampledFrom(changes).Draw(t, "change")
		job := NewJob("settlement", "shop", 1)
		job.Cron, job.TimeZone = rapid.SampledFrom(crons).Draw(t, "cron"), change.zone
		job.ClockChange = rapid.SampledFrom([]string{"", "once"}).Draw(t, "rule")
		if jitter := rapid.SampledFrom([]string{"", "400ms"}).Draw(t, "jitter"); jitter != "" {
			job.Props = map[string]string{"schedule.jitter": jitter}
		}
		s, err := job.Schedule(time.UTC)
		if err != nil {
			t.Fatal(err)
		}
		from := change.at.Add(time.Duration(rapid.IntRange(-8000, 4000).Draw(t, "s")) * time.Second)
		next, ok := s.Next(from)
		if !ok || !next.After(from) {
			t.Fatalf("after %v comes %v, %t", from, next, ok)
		}
		within := min(next.Sub(from)-time.Millisecond, 3*time.Hour)
		if within <= 0 {
			return
		}
		later := from.Add(time.Duration(rapid.Int64Range(0, int64(within/time.Millisecond)).Draw(t, "ms")) * time.Millisecond)
		if again, _ := s.Next(later); !again.Equal(next) {
			t.Fatalf("after %v comes %v, and after %v %v", from, next, later, again)
		}
	})
}

// TestCL44ASwitchInTheHourThatComesTwiceLosesNothing: a job enabled or rescheduled in the first pass
// of the repeated hour runs from the start of the second pass, as it would have without the switch.
func TestCL44ASwitchInTheHourThatComesTwiceLosesNothing(t *testing.T) {
	t.Parallel()
	back := time.Date(2026, 10, 25, 1, 0, 0, 0, time.UTC) // 03:00 becomes 02:00.
	moment := back.Add(-88 * time.Second)
	for name, change := range map[string]func(*Definition){
		"never switched": func(d *Definition) { d.Status.LastFire = back.Add(-time.Hour - time.Second) },
		"enabled":        func(d *Definition) { d.SetDisabled(true, "", moment); d.SetDisabled(false, "", moment) },
		"changed":        func(d *Definition) { d.Status.Schedule, d.Changed = "another", moment },
	} {
		s := planned(t, "* * * * * ?", func(j *Job) { j.TimeZone = "Europe/Berlin" })
		s.Definition.Status.LastFire = back.Add(-2 * time.Hour)
		change(&s.Definition)
		s.Now = moment
		actions, wake := Plan(s)
		for _, a := range actions {
			a.Apply(&s.Definition.Status)
		}
		if !wake.Equal(back) {
			t.Errorf("%s: to be asked again at %v", name, wake)
		}
		s.Now = back
		if actions, _ = Plan(s); words(actions) != "launch cron 00:00" {
			t.Errorf("%s: %q", name, words(actions))
		}
	}
}

// TestFired: the cursor is a fire time only after one was settled. It isn't where a job was
// created, enabled or rescheduled, or while it's off, even at a whole second.
func TestFired(t *testing.T) {
	t.Parallel()
	s := planned(t, "0 * * * * ?", nil)
	s.Definition.Status = Status{}
	s.Definition.Created = noon.Add(-30 * time.Second)
	s.Definition.Changed = s.Definition.Created
	at := func(now time.Time) {
		s.Now = now
		actions, _ := Plan(s)
		for _, a := range actions {
			a.Apply(&s.Definition.Status)
		}
	}
	fired := func(what string, want time.Time) {
		t.Helper()
		if got, ok := s.Schedule.Fired(s.Definition); ok != !want.IsZero() || ok && !got.Equal(want) {
			t.Errorf("%s: the last fire time is %v, %t, want %v; the cursor is %v", what, got, ok, want, s.Definition.Status.LastFire)
		}
	}
	none := time.Time{}
	fired("never seen", none)
	at(noon.Add(-29 * time.Second))
	fired("a scheduler has seen it", none)
	at(noon.Add(20 * time.Millisecond))
	fired("it has fired", noon)
	s.Definition.Status.Missed = 0
	at(noon.Add(10*time.Minute + time.Second)) // The grace is two minutes.
	if fired("some were missed, others made up for", noon.Add(10*time.Minute)); s.Definition.Status.Missed == 0 {
		t.Error("none was missed")
	}
	s.Definition.SetDisabled(true, "", noon.Add(11*time.Minute))
	fired("it was disabled", noon.Add(10*time.Minute))
	at(noon.Add(12*time.Minute + time.Millisecond))
	fired("a fire time passed before", none)
	s.Definition.SetDisabled(false, "", noon.Add(13*time.Minute+30*time.Second))
	fired("it was enabled", none)
	at(noon.Add(14 * time.Minute))
	fired("it fires again", noon.Add(14*time.Minute))
	// Created or rescheduled at a fire time: the cursor starts there, and nothing has fired.
	s.Definition.Created, s.Definition.Changed, s.Definition.Status = noon, noon, Status{}
	at(noon.Add(time.Millisecond))
	fired("made at a fire time", none)
	s.Definition.Changed, s.Definition.Status.Schedule = noon.Add(time.Minute), "another"
	at(noon.Add(time.Minute + time.Millisecond))
	fired("changed at a fire time", none)
	s.Schedule = Schedule{}
	fired("no expression", none)
}
