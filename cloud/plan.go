package cloud

import (
	"slices"
	"strconv"
	"time"
)

const (
	// DefaultGrace is how late a fire time may be and still be launched, whether the job
	// makes up for missed ones or not: another scheduler begins to lead within it.
	DefaultGrace = 2 * time.Minute
	// MaxGrace bounds it.
	MaxGrace = time.Hour
	// ResumeWithin is how old a suspended run may be that goes on when its job is enabled.
	ResumeWithin = time.Hour
	// maxScan is how many fire times one plan looks at. Of more, which only a job without
	// a leader for long has, the rest is missed without being counted.
	maxScan = 10_000
)

// Situation is all that a plan depends on.
type Situation struct {
	// Definition has the cursor and what is pending.
	Definition Definition
	// Schedule is that of the job, zero if it has none or Refused says why.
	Schedule Schedule
	// Refused says why the job is not accepted, "" if it is.
	Refused string
	// App is nil if there is no application of the job's.
	App *App
	Now time.Time
	// Grace is DefaultGrace if it is zero.
	Grace time.Duration
	// Runs are those of the job that exist, ended or not.
	Runs []RunStatus
}

// Off reports whether nothing may be launched: the job is not accepted or disabled, or its
// application is, or there is none.
func (s Situation) Off() bool {
	return s.Refused != "" || s.App == nil || s.App.Disabled || s.Definition.Job.Disabled
}

// Plan says what there is to do for a job, in the order in which it has to be done, and
// when to ask again if nothing happens before; zero for never. It looks at its argument
// and nothing else.
//
// A fire time is launched when it comes, and up to Grace later. If a run went on at that
// time, [Job.Overlap] decides. If none did and one goes on now, as after a change of the
// leader, it becomes pending whatever the overlap says, because it would have run in time.
// What is older than Grace becomes pending with Misfire, and is missed without.
func Plan(s Situation) (actions []Action, wake time.Time) {
	p := newPlanner(s)
	if p.job.Type == TypeDaemon {
		return nil, time.Time{}
	}
	p.placeCursor()
	p.settle()
	if p.Off() {
		p.standStill()
	} else {
		p.resume()
		p.launchWaiting()
		p.takeFires()
	}
	return p.actions, p.wake()
}

type planner struct {
	Situation
	job     Job
	overlap Overlap
	cursor  time.Time
	// pending and requests are what is left of the status's.
	pending  []time.Time
	requests []Request
	exists   map[string]bool // runs by name
	busy     bool            // a run goes on that no other may overlap
	makingUp time.Time       // until when fire times wait that come meanwhile
	actions  []Action
}

func newPlanner(s Situation) *planner {
	if s.Grace <= 0 || s.Grace > MaxGrace {
		s.Grace = DefaultGrace
	}
	p := &planner{
		Situation: s, job: s.Definition.Job, overlap: s.Definition.Job.Overlap(), cursor: s.Definition.Status.LastFire,
		pending: slices.Clone(s.Definition.Status.Pending), requests: slices.Clone(s.Definition.Status.Requests), makingUp: s.Definition.Status.MakingUp,
		exists: make(map[string]bool, len(s.Runs)),
	}
	for _, r := range s.Runs {
		p.exists[r.Name] = true
		if !r.State.Ended() && p.overlap != OverlapAllow {
			p.busy = true
		}
	}
	return p
}

func (p *planner) do(a Action) { p.actions = append(p.actions, a) }

// move sets the cursor behind what an action settles.
func (p *planner) move(a Action, to time.Time) {
	p.cursor, a.Cursor, a.Schedule = to, to, p.Schedule.Fingerprint()
	p.do(a)
}

// placeCursor finds where the fire times begin that nobody has settled: behind the status's
// cursor and the newest run. Another schedule counts from its change on, and a job that no
// scheduler has seen from its beginning, or from now on if that was long ago.
func (p *planner) placeCursor() {
	for _, r := range p.Runs {
		if r.Origin != OriginManual && r.Fire.After(p.cursor) {
			p.cursor = r.Fire
		}
	}
	status, fingerprint := p.Definition.Status, p.Schedule.Fingerprint()
	if status.Schedule == fingerprint && !p.cursor.IsZero() {
		return
	}
	if p.Refused != "" {
		return // Its schedule cannot be read; the old one still counts.
	}
	since, certain := p.Now, false
	switch changed := p.Definition.Changed; {
	case status.Schedule == "" && p.cursor.IsZero():
		made := p.Definition.Created
		if changed.After(made) {
			made = changed
		}
		if !made.IsZero() && !made.After(p.Now) && p.Now.Sub(made) <= p.Grace {
			since, certain = made, true
		}
	case status.Schedule == "":
		// A scheduler launched runs and wrote nothing yet, or the job was not accepted.
		if since, certain = p.cursor, true; changed.After(since) && changed.Before(p.Now) {
			since = changed
		}
	case !changed.IsZero() && !changed.After(p.Now):
		since, certain = changed, true
	}
	if since.Before(p.cursor) {
		since = p.cursor
	}
	p.move(Action{Do: DoBegin, Certain: certain, Why: "the schedule is new"}, since)
}

// settle forgets what was launched before it was taken out of the status.
func (p *planner) settle() {
	var times []time.Time
	var keys []string
	p.pending = slices.DeleteFunc(p.pending, func(t time.Time) bool {
		done := p.exists[RunName(p.job.Name, t)]
		if done {
			times = append(times, t)
		}
		return done
	})
	p.requests = slices.DeleteFunc(p.requests, func(r Request) bool {
		done := p.exists[ManualRunName(p.job.Name, r.Key)]
		if done {
			keys = append(keys, r.Key)
		}
		return done
	})
	if len(times)+len(keys) > 0 {
		p.do(Action{Do: DoForget, Times: times, Keys: keys, Why: "launched"})
	}
}

// standStill is what becomes of a job that may not launch: fire times pass. One that was
// disabled has nothing pending, and its runs end as was asked.
func (p *planner) standStill() {
	disabled := p.job.Disabled || p.App != nil && p.App.Disabled
	if disabled && len(p.pending)+len(p.requests) > 0 {
		a := Action{Do: DoForget, Times: p.pending, Why: "disabled"}
		for _, r := range p.requests {
			a.Keys = append(a.Keys, r.Key)
		}
		p.pending, p.requests = nil, nil
		p.do(a)
	}
	way := p.wayOff()
	for _, r := range p.Runs {
		if way == EndKill && !r.State.Ended() || way == EndSuspend && suspendable(r) {
			p.do(Action{Do: DoEnd, Run: r.Name, Way: way, Why: "disabled"})
		}
	}
	unread := p.Refused != "" && !p.Schedule.Fires() && p.Definition.Status.Schedule != "" && p.Now.After(p.cursor)
	if next, ok := p.Schedule.Next(p.cursor); unread || ok && !next.After(p.Now) {
		p.move(Action{Do: DoAdvance, Why: "it may not run"}, p.Now)
	}
}

// wayOff is how runs end that go on: as the switch of the job says, or else that of its
// application. That an application's has suspended some is written first: they go on when
// it is enabled, and it says nothing of that any more by then.
func (p *planner) wayOff() (way Way) {
	if p.job.Disabled {
		way = p.Definition.Status.Running
	}
	if p.App == nil || !p.App.Disabled || way != "" && way != endResume {
		return way
	}
	if p.App.Running == EndSuspend && p.Definition.Status.Running != endResume && slices.ContainsFunc(p.Runs, suspendable) {
		p.do(Action{Do: DoSuspends, Why: "the application is disabled"})
	}
	return p.App.Running
}

func suspendable(r RunStatus) bool { return r.State == RunWaiting || r.State == RunRunning }

// resume goes on with what was suspended when the job or its application was disabled, and
// ends what has been suspended for so long that its fire time means nothing any more.
func (p *planner) resume() {
	if p.Definition.Status.Running != endResume {
		return
	}
	for _, r := range p.Runs {
		switch {
		case r.State != RunSuspended:
		case p.Now.Sub(r.Created) <= ResumeWithin:
			p.do(Action{Do: DoResume, Run: r.Name, Why: "it was enabled"})
		default:
			p.do(Action{Do: DoEnd, Run: r.Name, Way: EndKill, Why: "suspended for longer than " + ResumeWithin.String()})
		}
	}
	p.do(Action{Do: DoSettled})
}

// launchWaiting launches what has waited: requests first, since somebody waits for them,
// then the oldest fire times.
func (p *planner) launchWaiting() {
	for len(p.requests) > 0 && !p.busy {
		next := slices.IndexFunc(p.requests, func(r Request) bool { return !r.NotBefore.After(p.Now) })
		if next < 0 {
			break
		}
		r := p.requests[next]
		p.requests = slices.Delete(p.requests, next, next+1)
		p.launch(Action{Run: ManualRunName(p.job.Name, r.Key), Fire: r.Asked, Origin: OriginManual, Request: &r})
	}
	for len(p.pending) > 0 && !p.busy {
		t := p.pending[0]
		p.pending = p.pending[1:]
		p.launch(Action{Run: RunName(p.job.Name, t), Fire: t, Origin: OriginPending})
	}
}

func (p *planner) launch(a Action) {
	a.Do = DoLaunch
	p.busy = p.overlap != OverlapAllow
	p.exists[a.Run] = true
	p.do(a)
}

// takeFires judges the fire times that came since the cursor.
func (p *planner) takeFires() {
	old := p.Now.Add(-p.Grace)
	p.takeOld(old)
	for range maxScan {
		t, ok := p.Schedule.Next(p.cursor)
		if !ok || t.After(p.Now) {
			return
		}
		p.take(t)
	}
}

// takeOld judges those that are older than the grace.
func (p *planner) takeOld(before time.Time) {
	from := p.cursor
	next := func() (time.Time, bool) {
		t, ok := p.Schedule.Next(from)
		return t, ok && t.Before(before)
	}
	if p.job.Misfire {
		var times []time.Time
		for {
			t, ok := next()
			if !ok || p.room() < 1 || len(p.pending) > 0 && (p.overlap == OverlapQueueOne || p.overlap == OverlapSkip) {
				break
			}
			if from = t; !p.known(t) {
				times, p.pending = append(times, t), append(p.pending, t)
			}
		}
		if len(times) > 0 {
			p.move(Action{Do: DoPostpone, Times: times, Why: "missed, and the job makes up for that"}, from)
		}
	}
	rest := Action{Do: DoMiss, Why: "older than " + p.Grace.String()}
	if p.job.Misfire {
		rest.Why = "no room: " + strconv.Itoa(len(p.pending)) + " are pending"
	}
	for rest.Count < maxScan {
		t, ok := next()
		if !ok {
			break
		}
		if from = t; p.known(t) {
			continue
		}
		if rest.Count++; rest.First.IsZero() {
			rest.First = t
		}
		rest.Last = t
	}
	if rest.Count == maxScan {
		from, rest.Last, rest.AtLeast = before.Add(-1), before, true
	}
	if rest.Count > 0 {
		p.move(rest, from)
	}
}

// known says whether a fire time is settled already, whatever the cursor says.
func (p *planner) known(t time.Time) bool {
	return p.exists[RunName(p.job.Name, t)] || slices.ContainsFunc(p.pending, t.Equal)
}

// room is how many more fire times may be pending.
func (p *planner) room() int { return p.job.PendingMax() - len(p.pending) }

// take judges a fire time within the grace.
func (p *planner) take(t time.Time) {
	overlapped := p.overlapped(t)
	inTheWay := overlapped && !t.Before(p.makingUp)
	switch {
	case p.known(t):
		p.move(Action{Do: DoAdvance, Why: "it ran"}, t)
	case inTheWay && p.overlap == OverlapSkip:
		p.count(DoMerge, t, "a run went on, and the job skips what overlaps")
	case !p.busy && len(p.pending) == 0:
		p.cursor, p.makingUp = t, time.Time{}
		p.launch(Action{Run: RunName(p.job.Name, t), Fire: t, Origin: OriginCron, Cursor: t, Schedule: p.Schedule.Fingerprint()})
	case inTheWay && p.overlap == OverlapQueueOne && len(p.pending) > 0:
		p.count(DoMerge, t, "one is pending already")
	case p.room() < 1:
		p.count(DoMiss, t, "no room: "+strconv.Itoa(len(p.pending))+" are pending")
	default:
		p.postpone(t, overlapped)
	}
}

// postpone makes a fire time wait. One that no run overlapped is made up for: it would have
// run in time. Those that come while the job catches up wait behind it; not for longer than
// the grace, or a job whose runs take longer than its period would never catch up.
func (p *planner) postpone(t time.Time, overlapped bool) {
	var until time.Time
	if !overlapped && !p.Now.Before(p.makingUp) {
		until = p.Now.Add(p.Grace)
		p.makingUp = until
	}
	p.pending = append(p.pending, t)
	if last := len(p.actions) - 1; last >= 0 && p.actions[last].Do == DoPostpone {
		a := &p.actions[last]
		a.Times = append(a.Times, t)
		p.cursor, a.Cursor = t, t
		if !until.IsZero() {
			a.Until = until
		}
		return
	}
	p.move(Action{Do: DoPostpone, Times: []time.Time{t}, Until: until, Why: "a run goes on"}, t)
}

// count counts a fire time that does not run, together with those before it that do not
// for the same reason.
func (p *planner) count(do Do, t time.Time, why string) {
	if last := len(p.actions) - 1; last >= 0 && p.actions[last].Do == do && p.actions[last].Why == why {
		a := &p.actions[last]
		a.Count++
		p.cursor, a.Last, a.Cursor = t, t, t
		return
	}
	p.move(Action{Do: do, Count: 1, First: t, Last: t, Why: why}, t)
}

// overlapped says whether another run went on at a fire time. One that began then or later,
// because its own was late, does not count: it would not have been in the way.
func (p *planner) overlapped(t time.Time) bool {
	if p.overlap == OverlapAllow {
		return false
	}
	return slices.ContainsFunc(p.Runs, func(r RunStatus) bool {
		return r.Created.Before(t) && (!r.State.Ended() || r.Ended.After(t))
	})
}

// wake is when something is due that no event announces.
func (p *planner) wake() time.Time {
	var wake time.Time
	earlier := func(t time.Time) {
		if wake.IsZero() || t.Before(wake) {
			wake = t
		}
	}
	if next, ok := p.Schedule.Next(p.cursor); ok {
		earlier(next)
	}
	for _, r := range p.requests {
		if r.NotBefore.After(p.Now) {
			earlier(r.NotBefore)
		}
	}
	return wake
}
