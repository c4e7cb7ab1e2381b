package fleetsim_test

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// Faults that only a fleet of hours has. The others last longer.
const (
	fleetDown faultKind = "H1 whole fleet down"
	schedules faultKind = "H2 schedule edited"
	switches  faultKind = "H3 switches edited"
	numbers   faultKind = "H4 shard number edited"
	closings  faultKind = "H5 servers disabled"
	shardOff  faultKind = "H6 shard disabled"
	junk      faultKind = "H7 junk nodes"
	edges     faultKind = "H8 numbers at their edges"
	clockStep faultKind = "H9 clock steps"
	clockFar  faultKind = "H10 clock off by hours"
	triggers  faultKind = "H11 triggers"
	holds     faultKind = "H12 job held"
	timedOut  faultKind = "H13 timeout"
)

// hoursFaults are the faults that a plan draws from; clocks have plans of their own.
var hoursFaults = []faultKind{
	crash, crash, drain, drain, pause, pause, partition, partition, partition, restart, expiry, severed,
	fleetDown, fleetDown, schedules, schedules, switches, switches, numbers, closings, closings, shardOff, junk, edges, triggers,
}

// countedHours are the faults that should occur in a long run.
var countedHours = []faultKind{
	crash, drain, pause, partition, restart, expiry, severed, fleetDown, schedules, switches, numbers, closings, shardOff, junk, edges,
	clockStep, clockFar, triggers, holds, timedOut,
}

// longFor draws the length of a fault: seconds as often as hours.
func (w *world) longFor() time.Duration {
	if w.plan.everyday != nil {
		return w.outage()
	}
	const least, most = time.Second, 5 * time.Hour
	return time.Duration(float64(least) * math.Pow(float64(most/least), w.random.Float64()))
}

// pauseHours waits for the next fault, often until close to a fire time.
func (w *world) pauseHours() {
	w.sleep(w.upTo(w.plan.pace))
	if chance(w.random, 50) {
		s := w.tree.settings(pick(w.random, w.plan.edited...).job.Name)
		near := pick(w.random, 100*time.Millisecond, 5*time.Second, 2*time.Minute, 10*time.Minute)
		if s.Schedule != nil {
			w.sleep(time.Until(s.Schedule.Next(time.Now()).Add(w.upTo(near) - near*2/3)))
		}
	}
}

// pending is work for the main goroutine at a given time.
type pending struct {
	at time.Time
	do func()
}

// later runs do after d, or when the fleet is healed.
func (w *world) later(d time.Duration, do func()) {
	w.pending = append(w.pending, pending{time.Now().Add(d), do})
}

// sleep waits and does the work due in the meantime.
func (w *world) sleep(d time.Duration) {
	end := time.Now().Add(d)
	for len(w.pending) > 0 {
		slices.SortStableFunc(w.pending, func(a, b pending) int { return a.at.Compare(b.at) })
		first := w.pending[0]
		if first.at.After(end) {
			break
		}
		time.Sleep(time.Until(first.at))
		w.pending = w.pending[1:]
		first.do()
	}
	time.Sleep(time.Until(end))
}

func (w *world) finish() {
	for len(w.pending) > 0 {
		first := w.pending[0]
		w.pending = w.pending[1:]
		first.do()
	}
}

// suffers marks a process as busy with a fault that ends after d.
func (w *world) suffers(p *process, d time.Duration, end func()) {
	busy := func(on bool) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.busy = on
	}
	busy(true)
	w.later(d, func() {
		end()
		busy(false)
	})
}

// faultOfHours applies one fault to a fleet of hours.
func (w *world) faultOfHours(kind faultKind) {
	p := w.victim()
	switch kind {
	case crash:
		w.leave(p, kind, func(p *process) { p.crash() })
	case drain:
		limit := pick(w.random, time.Second, w.longest()+time.Second)
		w.leave(p, kind, func(p *process) { p.drain(limit) })
	case pause:
		w.freeze(p)
	case partition:
		w.cutOff(p)
	case restart:
		w.serverAway()
	case expiry:
		w.expireSome(p)
	case severed, replyLost, requestLost, watchLost:
		w.counts.add(kind)
		w.note("", "fault", "all connections break")
		w.srv.DropConnections()
	case fleetDown:
		w.bringDown()
	case clockStep:
		w.stepClock(p)
	case clockFar:
		w.clockAway(p)
	case junk:
		w.addForeignNodes()
	default:
		w.actionOfHours(kind)
	}
}

// leave takes a process away, and starts one in its place up to hours later.
func (w *world) leave(p *process, kind faultKind, how func(p *process)) {
	if p == nil {
		return
	}
	w.counts.add(kind)
	d := w.longFor()
	w.note("", "fault", "%s: %s, back after %v", kind, p.name, d)
	w.disturb(w.plan.session + reconnection)
	how(p)
	suffix := w.freshSuffix()
	if chance(w.random, 20) {
		suffix = p.suffix
	}
	w.later(d, func() {
		w.disturb(reconnection)
		w.start(p.slot, suffix)
	})
}

func (w *world) freeze(p *process) {
	if p == nil {
		return
	}
	w.counts.add(pause)
	d, from := w.longFor(), time.Now()
	w.note("", "fault", "%s is paused for %v", p.name, d)
	w.disturb(min(d, w.plan.session) + reconnection)
	p.running.set(false)
	p.link.shut(true, true)
	w.suffers(p, d, func() {
		w.editUnseen()
		w.history.Excuse(p.name, judge.Span{From: from, To: time.Now()})
		w.history.Cut(p.name, judge.Span{From: from, To: time.Now()})
		w.note("", "fault", "%s goes on", p.name)
		w.disturb(w.plan.session + reconnection)
		p.link.heal()
		p.running.set(true)
	})
}

func (w *world) cutOff(p *process) { w.cutOffFor(p, w.longFor()) }

func (w *world) cutOffFor(p *process, d time.Duration) {
	if p == nil {
		return
	}
	w.counts.add(partition)
	how := pick(w.random, "both ways", "inbound", "outbound", "refused", "half-open")
	w.note("", "fault", "%s is partitioned %s for %v", p.name, how, d)
	w.disturb(min(d, w.plan.session) + reconnection)
	from := time.Now()
	switch how {
	case "both ways":
		p.link.shut(true, true)
	case "inbound":
		p.link.shut(true, false)
	case "outbound":
		p.link.shut(false, true)
	case "refused":
		p.link.cut(true)
	case "half-open":
		p.link.mute()
	}
	w.suffers(p, d, func() {
		w.editUnseen()
		w.history.Cut(p.name, judge.Span{From: from, To: time.Now()})
		w.note("", "fault", "%s is connected again", p.name)
		w.disturb(w.plan.session + reconnection)
		p.link.heal()
	})
}

// editUnseen edits a schedule just before a process returns that may hold a fire time of the old
// one in memory.
func (w *world) editUnseen() {
	if slices.Contains(w.plan.faults, schedules) && chance(w.random, 40) {
		w.actionOfHours(schedules)
	}
}

func (w *world) serverAway() {
	w.counts.add(restart)
	d := w.longFor() / 2
	w.note("", "fault", "ZooKeeper is away for %v", d)
	w.disturb(d + w.plan.session + reconnection)
	w.srv.Stop()
	time.Sleep(d)
	if err := w.srv.Start(); err != nil {
		w.fail("restart: %v", err)
	}
	w.note("", "fault", "ZooKeeper is back")
}

// bringDown ends every process, and starts as many up to a day later.
func (w *world) bringDown() {
	w.counts.add(fleetDown)
	d, crashed := w.longFor(), chance(w.random, 50)
	if chance(w.random, 20) {
		d *= 6
	}
	w.note("", "fault", "the whole fleet goes down for %v, crashed %v", d, crashed)
	w.disturb(w.plan.session + reconnection)
	var slots []int
	for _, p := range w.processes {
		if !p.serving() {
			continue
		}
		slots = append(slots, p.slot)
		if crashed {
			p.crash()
		} else {
			p.drain(pick(w.random, time.Second, w.longest()+time.Second))
		}
	}
	time.Sleep(d)
	for k, slot := range slots {
		if k > 0 && chance(w.random, 50) {
			time.Sleep(w.upTo(10 * time.Minute))
		}
		w.disturb(reconnection)
		w.start(slot, w.freshSuffix())
	}
}

func (w *world) stepClock(p *process) {
	if p == nil {
		return
	}
	w.counts.add(clockStep)
	off := w.upTo(2*w.plan.clocks.most) - w.plan.clocks.most
	w.note("", "fault", "the clock of %s is set, it is off by %v now", p.name, off)
	w.disturb(reconnection)
	p.skew.Store(int64(off))
}

// clockAway sets a clock wrong by up to hours for a while. The jobs check their clocks, and their
// agent refuses them in that time.
func (w *world) clockAway(p *process) {
	if p == nil || p.wrong {
		return
	}
	w.counts.add(clockFar)
	off, d := 3*w.plan.clocks.most+w.longFor(), w.longFor()
	off *= time.Duration(pick(w.random, 1, -1))
	w.note("", "fault", "the clock of %s is off by %v for %v", p.name, off, d)
	w.disturb(reconnection)
	p.wrong = true
	from := time.Now()
	p.skew.Store(int64(off))
	w.suffers(p, d, func() {
		w.note("", "fault", "the clock of %s is set right", p.name)
		w.disturb(reconnection)
		p.skew.Store(0)
		p.wrong = false
		w.history.Astray = append(w.history.Astray, judge.WrongClock{Span: judge.Span{From: from, To: time.Now()}, Ahead: off})
	})
}

// addForeignNodes adds foreign nodes to the list of instances, and removes them again.
func (w *world) addForeignNodes() {
	w.counts.add(junk)
	name := pick(w.random, "@-@", "x", "10.0.0.1@-@", "@-@7", "10.0.0.1", "a@-@b@-@c", strings.Repeat("long", 60), "{}", "..."+"\u00e9")
	job := namespace().Job(pick(w.random, w.plan.edited...).job.Name)
	path, d := job.Instances()+"/"+name, pick(w.random, 3*time.Second, 3*time.Second, w.longFor())
	flags := pick(w.random, zk.Ephemeral, zk.Persistent)
	w.note("", "fault", "junk: %q for %v", name, d)
	w.disturb(reconnection)
	if _, err := w.operator.Create(w.life, path, nil, flags); !expected(err) {
		w.note("", "fault", "junk: %v", err)
	}
	w.later(d, func() {
		w.disturb(reconnection)
		if err := w.operator.Delete(w.life, path, zk.AnyVersion); !expected(err) {
			w.note("", "fault", "junk: %v", err)
		}
	})
}
