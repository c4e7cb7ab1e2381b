package cloud

import (
	"slices"
	"strconv"
	"time"
)

const (
	// Grace is how late a fire time may still be launched, even without misfire. A new
	// leader takes over within this time.
	Grace = 2 * time.Minute

	// ResumeWithin is the maximum age of a suspended run for it to resume when its job is enabled.
	ResumeWithin = time.Hour
	// maxScan is the number of fire times that one plan checks. If there are more, after a long
	// time without a leader, we drop the rest as missed without counting it.
	maxScan = 10_000
)

// Situation is the input of [Plan].
type Situation struct {
	// Definition has the cursor, and the pending fire times and requests.
	Definition Definition
	// Schedule is zero if the job has none, or if Refused is set.
	Schedule Schedule
	// Refused is the reason why the job is not accepted, "" if it is.
	Refused string
	// App is nil if the job's application doesn't exist.
	App *App
	Now time.Time
	// Runs are the job's existing runs, ended or not.
	Runs []RunStatus
}

// Off reports whether launches are forbidden: the job is not accepted or disabled, or its
// application is disabled or missing.
func (s Situation) Off() bool {
	return s.Refused != "" || s.App == nil || s.App.Disabled || s.Definition.Job.Disabled
}

// Plan returns the actions for a job in the order to carry them out, and when to plan again if
// nothing else happens, zero for never. It only depends on its argument.
//
// A fire time is launched when it's due, and up to [Grace] later. If a run was active at that time,
// [Job.Overlap] decides. If none was active then but one is now, for example after a change of the
// leader, we make the fire time pending regardless of the overlap, because it would have run in
// time. Fire times older than [Grace] become pending with Misfire, and are missed without it.
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
	// pending and requests are the remaining ones of the status.
	pending  []time.Time
	requests []Request
	exists   map[string]bool // runs by name
	busy     bool            // an active run forbids others
	makingUp time.Time       // until when new fire times wait in pending
	actions  []Action
}

func newPlanner(s Situation) *planner {
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

// move moves the cursor past the fire times that an action settles.
func (p *planner) move(a Action, to time.Time) {
	p.cursor, a.Cursor, a.Schedule = to, to, p.Schedule.Fingerprint()
	p.do(a)
}

// placeCursor finds the start of the unsettled fire times: after the status's cursor and the newest
// run. A changed schedule starts at its change. A job that no scheduler has seen starts at its
// creation, or now if that was long ago.
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
		return // The schedule is unreadable, so the old one still counts.
	}
	since, certain := p.Now, false
	switch changed := p.Definition.Changed; {
	case status.Schedule == "" && p.cursor.IsZero():
		made := p.Definition.Created
		if changed.After(made) {
			made = changed
		}
		if !made.IsZero() && !made.After(p.Now) && p.Now.Sub(made) <= Grace {
			since, certain = made, true
		}
	case status.Schedule == "":
		// A scheduler launched runs but has written nothing yet, or the job was not accepted.
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

// settle drops fire times and requests that were launched but are still in the status.
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

// standStill lets the fire times of a job pass that may not launch. A disabled job loses its
// pending fire times and requests, and its runs end as configured.
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
		p.move(Action{Do: DoAdvance, Why: "disabled or refused"}, p.Now)
	}
}

// wayOff returns how active runs end: by the switch of the job, or else of its application. If the
// application's switch suspends runs, we store that first, because they should resume when it's
// enabled, and by then the switch no longer shows it.
func (p *planner) wayOff() (way Way) {
	if p.job.Disabled {
		way = p.Definition.Status.Running
	}
	if p.App == nil || !p.App.Disabled || way != "" && way != wayResume {
		return way
	}
	if p.App.Running == EndSuspend && p.Definition.Status.Running != wayResume && slices.ContainsFunc(p.Runs, suspendable) {
		p.do(Action{Do: DoSuspends, Why: "the application is disabled"})
	}
	return p.App.Running
}

func suspendable(r RunStatus) bool { return r.State == RunWaiting || r.State == RunRunning }

// resume resumes runs that were suspended when the job or its application was disabled. It ends
// runs suspended for longer than [ResumeWithin].
func (p *planner) resume() {
	if p.Definition.Status.Running != wayResume {
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

// launchWaiting launches requests first, because people wait for them, then the oldest pending fire times.
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

// takeFires decides about the fire times since the cursor.
func (p *planner) takeFires() {
	old := p.Now.Add(-Grace)
	p.takeOld(old)
	for range maxScan {
		t, ok := p.Schedule.Next(p.cursor)
		if !ok || t.After(p.Now) {
			return
		}
		p.take(t)
	}
}

// takeOld decides about fire times older than the grace.
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
			p.move(Action{Do: DoPostpone, Times: times, Why: "missed, and the job has misfire on"}, from)
		}
	}
	rest := Action{Do: DoMiss, Why: "older than " + Grace.String()}
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

// known reports whether a fire time is already settled, regardless of the cursor.
func (p *planner) known(t time.Time) bool {
	return p.exists[RunName(p.job.Name, t)] || slices.ContainsFunc(p.pending, t.Equal)
}

// room is how many more fire times may become pending.
func (p *planner) room() int { return p.job.PendingMax() - len(p.pending) }

// take decides about a fire time within the grace.
func (p *planner) take(t time.Time) {
	overlapped := p.overlapped(t)
	inTheWay := overlapped && !t.Before(p.makingUp)
	switch {
	case p.known(t):
		p.move(Action{Do: DoAdvance, Why: "it ran"}, t)
	case inTheWay && p.overlap == OverlapSkip:
		p.count(DoMerge, t, "a run was active, and the job skips overlapping runs")
	case !p.busy && len(p.pending) == 0:
		p.cursor, p.makingUp = t, time.Time{}
		p.launch(Action{Run: RunName(p.job.Name, t), Fire: t, Origin: OriginCron, Cursor: t, Schedule: p.Schedule.Fingerprint()})
	case inTheWay && p.overlap == OverlapQueueOne && len(p.pending) > 0:
		p.count(DoMerge, t, "a fire time is already pending")
	case p.room() < 1:
		p.count(DoMiss, t, "no room: "+strconv.Itoa(len(p.pending))+" are pending")
	default:
		p.postpone(t, overlapped)
	}
}

// postpone makes a fire time pending. If no run was active at the time, it would have run, so the
// job starts to catch up: new fire times wait in pending, but at most for the grace, because a job
// with runs longer than its period would never catch up.
func (p *planner) postpone(t time.Time, overlapped bool) {
	var until time.Time
	if !overlapped && !p.Now.Before(p.makingUp) {
		until = p.Now.Add(Grace)
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
	p.move(Action{Do: DoPostpone, Times: []time.Time{t}, Until: until, Why: "a run is active"}, t)
}

// count counts a fire time that won't run. It joins the previous action if that has the same reason.
func (p *planner) count(do Do, t time.Time, why string) {
	if last := len(p.actions) - 1; last >= 0 && p.actions[last].Do == do && p.actions[last].Why == why {
		a := &p.actions[last]
		a.Count++
		p.cursor, a.Last, a.Cursor = t, t, t
		return
	}
	p.move(Action{Do: do, Count: 1, First: t, Last: t, Why: why}, t)
}

// overlapped reports whether another run was active at a fire time. If a run began at or after it,
// because it was late, we don't count it: without the delay it wouldn't have overlapped.
func (p *planner) overlapped(t time.Time) bool {
	if p.overlap == OverlapAllow {
		return false
	}
	return slices.ContainsFunc(p.Runs, func(r RunStatus) bool {
		return r.Created.Before(t) && (!r.State.Ended() || r.Ended.After(t))
	})
}

// wake returns when the job needs a plan without an event.
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
