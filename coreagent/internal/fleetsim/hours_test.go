package fleetsim_test

import (
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// Like TestMS21SimFleets, with jobs that run every few minutes, hours and days. SIM_HOURS is the number
// of seeds.
func TestSimHours(t *testing.T) {
	t.Parallel()
	runKind(t, hoursKind)
}

// quietHours is the quiet phase of a fleet of hours. Each job should have a fire time before a
// process joins, after that, and after one has left.
func (w *world) quietHours() {
	w.awaitIdle()
	w.history.Quiet = time.Now()
	w.note("", "fleet", "quiet")
	w.snapshot()
	w.requests.requestFew()
	w.awaitFires()
	p := w.start(len(w.processes), w.freshSuffix())
	w.awaitFires()
	if w.serving() > 1 {
		w.note("", p.name, "drains")
		p.drain(w.longest() + 5*time.Second)
	}
	w.awaitFires()
	w.snapshot()
	time.Sleep(2*w.longest() + time.Minute)
	w.awaitIdle()
	w.snapshot()
	w.history.Over(time.Now())
	w.note("", "fleet", "ends")
}

// awaitFires sleeps until each job had a fire time and its runs have ended.
func (w *world) awaitFires() {
	var last time.Time
	for name := range w.history.Jobs {
		if s := w.tree.settings(name).Schedule; s != nil {
			last = latest(last, s.Next(time.Now().Add(w.history.Skew)))
		}
	}
	time.Sleep(time.Until(last) + w.longest() + 2*w.history.Skew + time.Minute)
	w.awaitIdle()
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// awaitIdle waits until nothing runs and no fire time is near.
func (w *world) awaitIdle() {
	for busy := true; busy; {
		time.Sleep(13 * time.Second)
		busy = w.history.Running()
		for name := range w.history.Jobs {
			if s := w.tree.settings(name).Schedule; s != nil {
				next := s.Next(time.Now().Add(-w.history.Skew - 2*time.Second))
				busy = busy || time.Until(next) < w.history.Skew+time.Second
			}
		}
	}
}

// The fire times of a schedule after a given time.
func TestSimScheduleLists(t *testing.T) {
	t.Parallel()
	s, err := judge.NewSchedule("", "0 30 0/6 * * ?", "GMT+01:00", nil)
	if err != nil {
		t.Fatal(err)
	}
	day := func(hour, minute int) time.Time { return time.Date(2030, 1, 1, hour, minute, 0, 0, time.UTC) }
	got := s.Between(day(5, 30), day(17, 30))
	if want := []time.Time{day(11, 30), day(17, 30)}; !slices.EqualFunc(got, want, time.Time.Equal) {
		t.Errorf("fire times %v, want %v", got, want)
	}
	if s.Gap != 6*time.Hour || !s.Holds(day(11, 30)) || s.Holds(day(12, 30)) {
		t.Errorf("gap %v, holds 11:30 %v, 12:30 %v", s.Gap, s.Holds(day(11, 30)), s.Holds(day(12, 30)))
	}
}
