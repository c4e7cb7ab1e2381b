package fleetsim_test

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

type faultKind string

// The kinds, numbered as in the reliability plan.
const (
	crash       faultKind = "F1 crash"
	drain       faultKind = "F2 drain"
	pause       faultKind = "F3 pause"
	partition   faultKind = "F4 partition"
	slowReplies faultKind = "F5 slow replies"
	restart     faultKind = "F6 ZooKeeper restart"
	expiry      faultKind = "F7 expiry"
	replyLost   faultKind = "F8 reply lost"
	requestLost faultKind = "F9 request lost"
	watchLost   faultKind = "F10 watch lost"
	equalIDs    faultKind = "F11 equal ids"
	churn       faultKind = "F12 churn"
	edit        faultKind = "F13 edit"
	skewedClock faultKind = "F14 skewed clock"
	severed     faultKind = "F4 broken connections"
)

var allFaults = []faultKind{
	crash, drain, pause, partition, slowReplies, restart, expiry,
	replyLost, requestLost, watchLost, equalIDs, churn, edit, severed,
}

// countedFaults are the faults that should occur in a long run. Clock skew has its own plan.
var countedFaults = append(slices.Clone(allFaults), skewedClock, holds, timedOut)

// fault applies one fault to the fleet. Some last for a while; no process suffers two of these at
// once.
func (w *world) fault(kind faultKind) {
	p := w.victim()
	switch kind {
	case crash:
		w.crashOne(p)
	case drain:
		w.drainOne(p)
	case pause:
		w.pauseOne(p)
	case partition:
		w.partitionOne(p)
	case slowReplies:
		w.slowDown(p)
	case restart:
		w.restartServer()
	case expiry:
		w.expireSome(p)
	case equalIDs:
		w.doubleOne(p)
	case churn:
		w.churnSome()
	case edit:
		w.edit()
	case replyLost, requestLost, watchLost, severed:
		// The first three happen to the traffic, and need some: see spoilTraffic.
		if chance(w.random, 50) {
			w.drainOne(p)
		} else {
			w.counts.add(kind)
			w.note("", "fault", "%s: all connections break", kind)
			w.srv.DropConnections()
		}
	}
}

// victim picks a process that serves and suffers no lasting fault, or nil.
func (w *world) victim() *process {
	var list []*process
	for _, p := range w.processes {
		p.mu.Lock()
		if !p.left && !p.dead() && !p.busy {
			list = append(list, p)
		}
		p.mu.Unlock()
	}
	if len(list) == 0 {
		return nil
	}
	return pick(w.random, list...)
}

// lasting ends a fault after d, or when the fleet is healed.
func (w *world) lasting(p *process, d time.Duration, end func()) {
	p.mu.Lock()
	p.busy = true
	p.mu.Unlock()
	w.tasks.Go(func() {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-w.healing:
		}
		end()
		p.mu.Lock()
		p.busy = false
		p.mu.Unlock()
	})
}

func (w *world) upTo(d time.Duration) time.Duration {
	return time.Duration(w.random.Int64N(int64(d))) + time.Millisecond
}

// crashOne kills a process. It returns soon, late or never, sometimes at once under its old id.
func (w *world) crashOne(p *process) {
	if p == nil || w.serving() < 2 && chance(w.random, 70) {
		return
	}
	w.counts.add(crash)
	w.note("", "fault", "%s crashes", p.name)
	w.disturb(w.plan.session + reconnection)
	p.crash()
	suffix := w.freshSuffix()
	back := time.Duration(0)
	switch w.random.IntN(4) {
	case 0:
		suffix = p.suffix
		back = w.upTo(time.Second)
	case 1:
		back = w.upTo(2 * w.plan.session)
	case 2:
		if w.serving() > 0 {
			return
		}
	}
	time.Sleep(back)
	w.start(p.slot, suffix)
}

func (w *world) drainOne(p *process) {
	if p == nil {
		return
	}
	w.counts.add(drain)
	limit := pick(w.random, 10*time.Millisecond, w.longest()/2, w.longest()+time.Second)
	w.note("", "fault", "%s drains within %v", p.name, limit)
	w.disturb(limit + reconnection)
	first := chance(w.random, 30)
	if first { // as in a rolling deployment
		w.start(len(w.processes), w.freshSuffix())
		time.Sleep(w.upTo(time.Second))
	}
	p.drain(limit)
	if !first {
		time.Sleep(w.upTo(3 * time.Second))
		w.start(p.slot, w.freshSuffix())
	}
}

// pauseOne freezes a process like SIGSTOP: its network is blocked, and its handlers make no
// progress. Its timers go on; see the package documentation.
func (w *world) pauseOne(p *process) {
	if p == nil {
		return
	}
	w.counts.add(pause)
	d := pick(w.random, w.plan.session/2, w.plan.session*3/2, w.plan.session*3)
	w.note("", "fault", "%s is paused for %v", p.name, d)
	from := time.Now()
	w.disturb(d + reconnection)
	p.running.set(false)
	p.link.shut(true, true)
	w.lasting(p, d, func() {
		w.history.Excuse(p.name, judge.Span{From: from, To: time.Now()})
		w.history.Cut(p.name, judge.Span{From: from, To: time.Now()})
		w.note("", "fault", "%s goes on", p.name)
		p.link.heal()
		p.running.set(true)
	})
}

// partitionOne separates a process from the server: both ways, one way, with refused connections,
// or half-open.
func (w *world) partitionOne(p *process) {
	if p == nil {
		return
	}
	w.counts.add(partition)
	d := w.upTo(3 * w.plan.session)
	how := pick(w.random, "both ways", "inbound", "outbound", "refused", "half-open")
	w.note("", "fault", "%s is partitioned %s for %v", p.name, how, d)
	w.disturb(d + reconnection)
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
	case "half-open": // new connections are made and stay mute
		p.link.mute()
	}
	w.lasting(p, d, func() {
		w.history.Cut(p.name, judge.Span{From: from, To: time.Now()})
		w.note("", "fault", "%s is connected again", p.name)
		p.link.heal()
	})
}

// restartServer stops the server for up to twice the session timeout.
func (w *world) restartServer() {
	w.counts.add(restart)
	d := pick(w.random, w.upTo(500*time.Millisecond), w.upTo(w.plan.session), w.upTo(2*w.plan.session))
	w.note("", "fault", "ZooKeeper restarts, away for %v", d)
	w.disturb(d + reconnection)
	w.srv.Stop()
	time.Sleep(d)
	if err := w.srv.Start(); err != nil {
		w.fail("restart: %v", err)
	}
	w.note("", "fault", "ZooKeeper is back")
	for _, info := range w.srv.Sessions() {
		if p := w.tree.owner(info.ID); p != nil && !p.serving() {
			// A restarted server gives every session its full timeout again, including sessions of
			// dead processes.
			w.disturb(w.plan.session + reconnection)
		}
	}
}

// expireSome ends the sessions of one, some or all processes early. The clients only know after
// they reconnect, or when their local clock shows it.
func (w *world) expireSome(p *process) {
	if p == nil {
		return
	}
	w.counts.add(expiry)
	victims := []*process{p}
	if chance(w.random, 40) {
		victims = nil
		all := chance(w.random, 50)
		for _, q := range w.processes {
			if q.serving() && (all || chance(w.random, 50)) {
				victims = append(victims, q)
			}
		}
	}
	for _, info := range w.srv.Sessions() {
		owner := w.tree.owner(info.ID)
		if owner == nil || !slices.Contains(victims, owner) {
			continue
		}
		now := time.Now()
		w.history.Excuse(owner.name, judge.Span{From: now, To: now.Add(w.plan.session)})
		w.note("", "fault", "the session of %s is ended", owner.name)
		w.disturb(w.plan.session + reconnection)
		w.srv.ExpireSession(info.ID)
	}
}

// doubleOne starts a second process with the same address and suffix.
func (w *world) doubleOne(p *process) {
	if p == nil || w.serving() >= w.plan.agents+4 {
		return
	}
	w.counts.add(equalIDs)
	w.note("", "fault", "another process takes the id of %s", p.name)
	w.disturb(reconnection)
	w.start(p.slot, p.suffix)
}

// churnSome makes instances join and leave, one event each 200 ms.
func (w *world) churnSome() {
	events := 5 + w.random.IntN(15)
	w.note("", "fault", "churn: %d events", events)
	for range events {
		w.counts.add(churn)
		w.disturb(reconnection)
		p := w.victim()
		switch w.random.IntN(4) {
		case 0:
			if p != nil && w.serving() > 1 {
				w.note("", "fault", "churn: %s crashes", p.name)
				w.disturb(w.plan.session + reconnection)
				p.crash()
			}
		case 1:
			if p != nil && w.serving() > 1 {
				w.note("", "fault", "churn: %s drains", p.name)
				w.tasks.Go(func() { p.drain(time.Second) })
			}
		default:
			if w.serving() < w.plan.agents+6 {
				w.start(len(w.processes)%250, w.freshSuffix())
			}
		}
		time.Sleep(200 * time.Millisecond)
	}
}

// setClock sets the clock of a process, as an operator or a time service does.
func (w *world) setClock() {
	c := w.plan.clocks
	if c == nil || !chance(c.random, 20) {
		return
	}
	p := w.processes[c.random.IntN(len(w.processes))]
	off, wrong := c.skew()
	if !p.serving() || wrong || p.wrong {
		return
	}
	w.counts.add(skewedClock)
	w.note("", "fault", "the clock of %s is set, it is off by %v now", p.name, off)
	w.disturb(reconnection)
	p.skew.Store(int64(off))
}

// setClocksRight corrects the clocks that are so wrong that jobs don't run.
func (w *world) setClocksRight() {
	for _, p := range w.processes {
		if p.serving() && p.wrong {
			p.wrong = false
			w.note("", "fault", "the clock of %s is set right", p.name)
			w.disturb(reconnection)
			p.skew.Store(0)
		}
	}
}

// healAll ends every fault and ensures that a process serves.
func (w *world) healAll() {
	close(w.healing)
	w.finish()
	w.srv.SetFault(nil)
	w.srv.SetWatchFault(nil)
	time.Sleep(time.Millisecond)
	if w.plan.clocks != nil {
		w.plan.clocks.wrong = false
	}
	w.setClocksRight()
	w.cleanUp()
	for w.serving() < 2 {
		w.start(len(w.processes), w.freshSuffix())
	}
	w.enableEnough()
}

// slowDown delays the replies to one process, or to all, for a while.
func (w *world) slowDown(p *process) {
	if p == nil {
		return
	}
	w.counts.add(slowReplies)
	d := w.upTo(20 * time.Second)
	w.note("", "fault", "replies to %s are slow for %v", p.name, d)
	w.disturb(d + reconnection)
	w.traffic.slow(p, true)
	from := time.Now()
	w.lasting(p, d, func() {
		w.history.Cut(p.name, judge.Span{From: from, To: time.Now()})
		w.note("", "fault", "replies to %s are quick again", p.name)
		w.traffic.slow(p, false)
	})
}

// reconcile is when everything is compared at the latest. The interval is a minute, with jitter.
const reconcile = 67 * time.Second

// A hash of the seed and the request's position decides the traffic faults of each request, so that
// they depend as little as possible on the order of goroutines.
type traffic struct {
	world  *world
	slowed gateSet
}

func (w *world) spoilTraffic() (stop func()) {
	w.traffic = &traffic{world: w, slowed: gateSet{names: make(map[string]bool)}}
	w.srv.SetFault(w.traffic.request)
	if w.plan.drop > 0 {
		w.srv.SetWatchFault(w.traffic.event)
	}
	return func() {
		w.srv.SetFault(nil)
		w.srv.SetWatchFault(nil)
	}
}

func (t *traffic) slow(p *process, on bool) { t.slowed.set(p.name, on) }

// roll returns a number in [0, 1) that only depends on its arguments.
func (t *traffic) roll(salt uint64, parts ...uint64) float64 {
	x := t.world.seed*0x9e3779b97f4a7c15 + salt
	for _, part := range parts {
		x ^= part
		x *= 0xbf58476d1ce4e5b9
		x ^= x >> 29
		x *= 0x94d049bb133111eb
		x ^= x >> 32
	}
	return float64(x>>11) / (1 << 53)
}

func (t *traffic) request(r zkfake.Request) zkfake.Fault {
	w := t.world
	p := w.tree.owner(r.Session)
	if p == nil {
		return w.requests.fault(r) // the operator's, or a first handshake that isn't the operator's
	}
	roll := t.roll(1, r.Conn, r.Seq)
	switch {
	case t.slowed.has(p.name):
		w.counts.add(slowReplies)
		return zkfake.Delay(time.Duration(t.roll(2, r.Conn, r.Seq) * roll * float64(2*time.Second)))
	case roll < w.plan.slow:
		w.disturb(reconnection)
		w.counts.add(slowReplies)
		d := time.Duration(t.roll(3, r.Conn, r.Seq) * float64(2*time.Second))
		w.history.Cut(p.name, judge.Span{From: time.Now(), To: time.Now().Add(d)})
		if t.roll(4, r.Conn, r.Seq) < 0.5 {
			return zkfake.DelayRequest(d)
		}
		return zkfake.Delay(d)
	case r.Op == "ping":
		return zkfake.None
	}
	roll = t.roll(5, r.Conn, r.Seq)
	switch {
	case roll >= w.plan.spoil:
		return zkfake.None
	case slices.Contains(w.plan.faults, replyLost) && (roll < w.plan.spoil/2 || !slices.Contains(w.plan.faults, requestLost)):
		w.counts.add(replyLost)
		w.note("", "fault", "the reply to %s %s of %s is lost", r.Op, r.Path, p.name)
		return zkfake.LoseReply
	}
	w.counts.add(requestLost)
	w.note("", "fault", "the request %s %s of %s is lost", r.Op, r.Path, p.name)
	return zkfake.LoseRequest
}

func (t *traffic) event(e zkfake.WatchEvent) bool {
	w := t.world
	p := w.tree.owner(e.Session)
	if p == nil {
		return false
	}
	n := t.slowed.next()
	switch roll := t.roll(6, n, uint64(p.slot)); {
	case roll < w.plan.drop:
		w.counts.add(watchLost)
		w.note("", "fault", "an event is lost: %s %s for %s", e.Type, e.Path, p.name)
		w.disturb(w.plan.reconcile)
		return true
	case roll > 1-w.plan.echo:
		w.tasks.Go(func() {
			time.Sleep(time.Duration(t.roll(7, n) * float64(10*time.Second)))
			w.srv.SendEvent(e)
		})
	}
	return false
}
