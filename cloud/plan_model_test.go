package cloud

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"
)

// planModel carries out plans for one job like a scheduler, with maps as the store and the engine,
// and tracks every fire time. The scheduler may crash at any point.
type planModel struct {
	t        *rapid.T
	schedule Schedule
	app      App
	start    time.Time
	now      time.Time
	stored   Definition // survives a crash
	memory   Status
	runs     []RunStatus
	launched map[time.Time]int // number of runs per fire time
	// The fates of other fire times, in memory and stored.
	fates, storedFates map[time.Time]string
	offTimes           map[time.Time]bool
}

func newPlanModel(t *rapid.T) *planModel {
	m := &planModel{t: t, app: NewApp("shop"), launched: map[time.Time]int{}, fates: map[time.Time]string{}, storedFates: map[time.Time]string{}, offTimes: map[time.Time]bool{}}
	m.start = time.Date(2026, 10, 25, 0, 55, 0, 0, time.UTC) // Five minutes before a clock change in Berlin.
	m.now = m.start
	job := NewJob("settlement", "shop", 1)
	job.Cron = rapid.SampledFrom([]string{"* * * * * ?", "0/5 * * * * ?", "0 * * * * ?", "0 0/10 * * * ?"}).Draw(t, "cron")
	job.TimeZone = "Europe/Berlin"
	job.Misfire = rapid.Bool().Draw(t, "misfire")
	job.Props = map[string]string{PropPendingMax: rapid.SampledFrom([]string{"1", "3", "100"}).Draw(t, "max")}
	if o := rapid.SampledFrom([]Overlap{"", OverlapQueueOne, OverlapQueueAll, OverlapSkip, OverlapAllow}).Draw(t, "overlap"); o != "" {
		job.Props[PropOverlap] = string(o)
	}
	var err error
	if m.schedule, err = job.Schedule(time.UTC); err != nil {
		t.Fatal(err)
	}
	m.stored = Definition{Job: job, UID: "1", Created: m.start}
	m.memory = m.stored.Status.Clone()
	return m
}

func (m *planModel) situation() Situation {
	d := m.stored.Clone()
	d.Status = m.memory.Clone()
	return Situation{Definition: d, Schedule: m.schedule, App: &m.app, Now: m.now, Runs: m.runs}
}

func (m *planModel) flush() {
	m.stored.Status = m.memory.Clone()
	m.storedFates = cloneFates(m.fates)
}

func cloneFates(fates map[time.Time]string) map[time.Time]string {
	clone := make(map[time.Time]string, len(fates))
	for t, f := range fates {
		clone[t] = f
	}
	return clone
}

func (m *planModel) crash() {
	m.memory, m.fates = m.stored.Status.Clone(), cloneFates(m.storedFates)
}

// step plans until there is nothing to do, and carries out at most the given number of actions.
func (m *planModel) step(most int) {
	for range 300 {
		actions, wake := Plan(m.situation())
		if len(actions) == 0 {
			if !wake.IsZero() && !wake.After(m.now) {
				m.t.Fatalf("nothing to do at %v, and yet to be asked again at %v", m.now, wake)
			}
			return
		}
		for _, a := range actions {
			if most--; most < 0 {
				return
			}
			m.carryOut(a)
		}
	}
	m.t.Fatalf("a plan comes to no end")
}

func (m *planModel) carryOut(a Action) {
	before := m.memory.LastFire
	switch a.Do {
	case DoLaunch:
		m.launch(a)
	case DoMiss:
		m.eachFire(before, a, func(t time.Time) {
			if age := m.now.Sub(t); age <= Grace && len(m.memory.Pending) < m.stored.Job.PendingMax() {
				m.t.Fatalf("%v is missed at the age of %s with %d pending", t, age, len(m.memory.Pending))
			}
			m.fates[t] = "missed"
		})
	case DoMerge:
		m.eachFire(before, a, func(t time.Time) {
			if !slices.ContainsFunc(m.runs, func(r RunStatus) bool {
				return !r.Created.After(t) && (r.Ended.IsZero() || r.Ended.After(t))
			}) {
				m.t.Fatalf("%v is merged although nothing ran then", t)
			}
			m.fates[t] = "merged"
		})
	case DoForget, DoPostpone, DoAdvance, DoBegin, DoSettled:
	case DoEnd, DoResume:
		m.t.Fatalf("%v was not asked for", a)
	}
	if a.Cursor.Before(before) && !a.Cursor.IsZero() {
		m.t.Fatalf("%v sets the cursor back from %v", a, before)
	}
	a.Apply(&m.memory)
	if a.Durable() || a.Do == DoBegin { // Certain actions are also written at once, without waiting for it.
		m.flush()
	}
	m.check()
}

func (m *planModel) eachFire(after time.Time, a Action, visit func(time.Time)) {
	count := 0
	for at := a.First.Add(-time.Second); ; {
		t, ok := m.schedule.Next(at)
		if !ok || t.After(a.Last) {
			break
		}
		if at = t; m.launched[t] == 0 && !slices.ContainsFunc(m.memory.Pending, t.Equal) {
			count++
			visit(t)
		}
	}
	if count != a.Count {
		m.t.Fatalf("%v counts %d, there are %d after %v", a, a.Count, count, after)
	}
}

func (m *planModel) launch(a Action) {
	if m.stored.Job.Overlap() != OverlapAllow {
		for _, r := range m.runs {
			if !r.State.Ended() && r.Name != a.Run {
				m.t.Fatalf("%v while %s goes on", a, r.Name)
			}
		}
	}
	if m.app.Disabled || m.stored.Job.Disabled {
		m.t.Fatalf("%v although it is disabled", a)
	}
	if slices.ContainsFunc(m.runs, func(r RunStatus) bool { return r.Name == a.Run }) {
		m.t.Fatalf("%v although the plan knew of that run", a)
	}
	run := Run{Name: a.Run, Job: m.stored.Job, App: m.app, Owner: "1", Fire: a.Fire, Origin: a.Origin}
	m.runs = append(m.runs, StatusOf(run, m.now))
	if a.Request == nil {
		if m.launched[a.Fire]++; m.launched[a.Fire] > 1 {
			m.t.Fatalf("%v ran twice", a.Fire)
		}
		if fate := m.fates[a.Fire]; fate != "" {
			m.t.Fatalf("%v ran and was %s", a.Fire, fate)
		}
	}
	if a.Origin == OriginCron {
		m.settleMerged(a.Fire)
	}
}

// settleMerged: a run survives a crash and shows that earlier fire times were handled. The count of
// the merged ones is stored later.
func (m *planModel) settleMerged(before time.Time) {
	for t, fate := range m.fates {
		if fate == "merged" && t.Before(before) {
			m.storedFates[t] = fate
		}
	}
}

func (m *planModel) check() {
	if most := m.stored.Job.PendingMax(); len(m.memory.Pending) > most {
		m.t.Fatalf("%d are pending, at most %d may be", len(m.memory.Pending), most)
	}
	for i, t := range m.memory.Pending {
		if i > 0 && !t.After(m.memory.Pending[i-1]) {
			m.t.Fatalf("pending is %v", m.memory.Pending)
		}
	}
}

// account checks that every fire time has a fate.
func (m *planModel) account() {
	for at := m.start; ; {
		t, ok := m.schedule.Next(at)
		if !ok || t.After(m.now) {
			return
		}
		at = t
		if m.launched[t] == 0 && m.fates[t] == "" && !m.offTimes[t] && !slices.ContainsFunc(m.memory.Pending, t.Equal) {
			m.t.Fatalf("%v is lost: cursor %v, pending %v", t, m.memory.LastFire, m.memory.Pending)
		}
	}
}

func (m *planModel) endRun(which int) {
	var active []int
	for i, r := range m.runs {
		if !r.State.Ended() {
			active = append(active, i)
		}
	}
	if len(active) > 0 {
		r := &m.runs[active[which%len(active)]]
		r.State, r.Ended = RunSucceeded, m.now
	}
}

// trim forgets runs like a scheduler: not before a quarter of an hour, and only when their data are stored.
func (m *planModel) trim() {
	m.flush()
	m.runs = slices.DeleteFunc(m.runs, func(r RunStatus) bool {
		return r.State.Ended() && m.now.Sub(r.Created) > HistoryAtLeast && m.now.Sub(r.Fire) > HistoryAtLeast
	})
}

func (m *planModel) switchOff(d time.Duration) {
	m.stored.SetDisabled(true, "", m.now)
	m.memory = m.stored.Status.Clone()
	m.step(1000)
	from := m.now
	m.now = m.now.Add(d)
	m.step(1000)
	m.flush()
	m.stored.SetDisabled(false, "", m.now)
	m.memory = m.stored.Status.Clone()
	m.fates = cloneFates(m.storedFates)
	for at := m.start; ; {
		t, ok := m.schedule.Next(at)
		if !ok || t.After(m.now) {
			break
		}
		// Pending fire times are dropped, and so are fire times that no plan has seen.
		if at = t; t.After(from) || m.launched[t] == 0 && m.fates[t] == "" {
			m.offTimes[t] = true
		}
	}
}

// TestPlanKeepsItsPromises: for any order of fire times, ends of runs, crashes, requests, switches and clock jumps,
// a fire time should run at most once and never be lost. It should be missed only if it's older than the grace or
// there is no room, and no two runs should overlap unless the job allows it.
func TestPlanKeepsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := newPlanModel(t)
		requests := 0
		t.Repeat(map[string]func(*rapid.T){
			"passes": func(t *rapid.T) {
				m.now = m.now.Add(time.Duration(rapid.IntRange(1, 20_000).Draw(t, "ms")) * time.Millisecond)
				m.step(1000)
			},
			"leaderless": func(t *rapid.T) {
				m.crash()
				m.now = m.now.Add(time.Duration(rapid.IntRange(1, 900).Draw(t, "s")) * time.Second)
				m.step(1000)
			},
			"crashes within": func(t *rapid.T) {
				m.now = m.now.Add(time.Duration(rapid.IntRange(1, 150).Draw(t, "s")) * time.Second)
				m.step(rapid.IntRange(0, 5).Draw(t, "actions"))
				m.crash()
				m.step(1000)
			},
			"clock jumps back": func(t *rapid.T) {
				was := m.now
				m.now = m.now.Add(-time.Duration(rapid.IntRange(1, 3600).Draw(t, "s")) * time.Second)
				m.step(1000)
				m.now = was
				m.step(1000)
			},
			"run ends": func(t *rapid.T) {
				m.endRun(rapid.IntRange(0, 5).Draw(t, "which"))
				m.step(1000)
			},
			"stored":  func(t *rapid.T) { m.flush() },
			"trimmed": func(t *rapid.T) { m.trim() },
			"asked": func(t *rapid.T) {
				requests++
				d := m.situation().Definition
				if _, err := d.Ask(Request{Key: fmt.Sprint(requests), Asked: m.now}); err == nil {
					m.memory = d.Status
					m.stored.Status.Requests = d.Status.Clone().Requests
				}
				m.step(1000)
			},
			"switched off": func(t *rapid.T) {
				m.switchOff(time.Duration(rapid.IntRange(0, 300).Draw(t, "s")) * time.Second)
				m.step(1000)
			},
			"": func(t *rapid.T) {
				m.t = t
				m.step(1000)
				m.account()
			},
		})
	})
}
