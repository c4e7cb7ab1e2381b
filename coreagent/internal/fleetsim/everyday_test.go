package fleetsim_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// Like TestSimHours, with the fleets that most users have. They're mostly left alone, and faults
// happen close to a fire time. SIM_EVERYDAY is the number of seeds.
func TestSimEveryday(t *testing.T) {
	t.Parallel()
	runKind(t, everydayKind)
}

func simulateEveryday(t *testing.T, seed uint64) *result {
	p, random := newEverydayPlan(seed)
	return simulatePlan(t, seed, p, random)
}

// everyday is the disturbed phase of an everyday fleet: rounds with one fire time each and faults
// around it.
func (w *world) everyday() {
	e := w.plan.everyday
	for range e.rounds {
		at, found := w.nextFire()
		if !found {
			return
		}
		faults := 1
		if !e.calm {
			faults += e.random.IntN(3)
		}
		near := e.nearFire()
		for range faults {
			kind := everydayFaults[e.random.IntN(len(everydayFaults))]
			if !chance(e.random, 40) { // otherwise they come at the same moment
				near = e.nearFire()
			}
			when := near
			if kind == overFire {
				when = -w.upTo(min(15*time.Minute, time.Until(at)))
			}
			w.later(time.Until(at.Add(when)), func() { w.everydayFault(kind, at) })
		}
		w.sleep(time.Until(at.Add(2*time.Minute)) + w.upTo(50*time.Minute))
	}
}

// soon is the longest time to a fire time that an everyday fleet waits for, because a day without
// events shows nothing.
const soon = 3 * time.Hour

// nextFire returns a fire time of one of the jobs that leaves time to prepare, or false if all are
// a day away.
func (w *world) nextFire() (time.Time, bool) {
	var times []time.Time
	for _, job := range w.plan.edited {
		if s := w.tree.settings(job.job.Name).Schedule; s != nil {
			if at := s.Next(time.Now().Add(2 * time.Minute)); time.Until(at) < soon {
				times = append(times, at)
			}
		}
	}
	if len(times) == 0 {
		return time.Time{}, false
	}
	return pick(w.random, times...), true
}

// quietEveryday is the quiet phase: one fire time without any remaining fault.
func (w *world) quietEveryday() {
	w.awaitIdle()
	w.history.Quiet = time.Now()
	w.note("", "fleet", "quiet")
	w.snapshot()
	if at, found := w.nextFire(); found {
		time.Sleep(time.Until(at) + w.longest() + time.Minute)
	}
	w.awaitIdle()
	w.snapshot()
	w.history.Over(time.Now())
	w.note("", "fleet", "ends")
}

func (w *world) everydayFault(kind faultKind, at time.Time) {
	p := w.victim()
	switch kind {
	case crash:
		for range pick(w.random, 1, 1, 2, w.plan.agents-1) {
			w.leave(w.victim(), kind, func(p *process) { p.crash() })
		}
	case drain:
		w.leave(p, kind, func(p *process) { p.drain(pick(w.random, time.Second, w.longest()+time.Second)) })
	case partition:
		w.cutOff(p)
	case pause:
		w.freeze(p)
	case expiry:
		w.expireSome(p)
	case severed:
		w.counts.add(kind)
		w.note("", "fault", "all connections break")
		w.srv.DropConnections()
	case restart:
		w.serverAway()
	case scaleOut:
		w.counts.add(kind)
		w.disturb(reconnection)
		p := w.start(len(w.processes), w.freshSuffix())
		w.later(w.outage(), func() {
			if p.serving() {
				w.disturb(w.plan.session + reconnection)
				p.drain(w.longest() + time.Second)
			}
		})
	case removal:
		w.removeJob(p)
	case overFire:
		w.closeOver(at)
	default:
		w.actionOfHours(kind)
	}
}

// outage draws the length of an outage: seconds or minutes.
func (w *world) outage() time.Duration {
	return pick(w.random, w.upTo(5*time.Second), w.upTo(time.Minute), w.upTo(12*time.Minute), w.upTo(50*time.Minute))
}

// removeJob removes a job from an agent, often while its connection is broken, and adds it again
// later.
func (w *world) removeJob(p *process) {
	if p == nil {
		return
	}
	job := pick(w.random, w.plan.edited...)
	w.counts.add(removal)
	w.note(job.job.Name, "fault", "%s removes the job", p.name)
	w.disturb(w.plan.session + reconnection)
	switch w.random.IntN(3) {
	case 0:
		w.srv.DropConnections()
	case 1:
		p.link.cut(false)
	}
	ctx, cancel := context.WithTimeout(w.life, w.longest()+5*time.Second)
	defer cancel()
	err := p.agent.Remove(ctx, job.job.Name)
	if errors.Is(err, coreagent.ErrAgentClosed) || errors.Is(err, coreagent.ErrUnknownJob) {
		return // It was removed earlier.
	}
	w.note(job.job.Name, p.name, "removed: %v", err)
	w.history.Leave(job.job.Name, p.name, time.Now())
	w.later(pick(w.random, w.outage(), w.upTo(soon)), func() {
		if !p.serving() {
			return
		}
		w.disturb(reconnection)
		w.note(job.job.Name, "fault", "%s adds the job again", p.name)
		if err := p.agent.Add(job.job, p.handler(job)); err != nil {
			w.fail("add %s to %s again: %v", job.job.Name, p.name, err)
		}
	})
}

// closeOver disables all of the jobs' servers over a fire time. In that time an instance is cut off
// and returns before or after they're enabled, or a new one joins.
func (w *world) closeOver(at time.Time) {
	w.counts.add(overFire)
	enabled := at.Add(w.upTo(20 * time.Minute))
	op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
	for _, j := range w.plan.edited {
		job := j.job.Name
		w.act(job, "disables every server", func(ctx context.Context) error { _, err := op.Disable(ctx, job); return err })
		w.later(time.Until(enabled), func() {
			w.act(job, "enables every server", func(ctx context.Context) error { _, err := op.Enable(ctx, job); return err })
		})
	}
	switch w.random.IntN(5) {
	case 0, 1:
		back := enabled.Add(w.upTo(40*time.Minute) - 10*time.Minute)
		w.later(time.Until(at)/2, func() { w.cutOffFor(w.victim(), max(time.Second, time.Until(back))) })
	case 2, 3:
		w.later(time.Until(enabled)+w.upTo(time.Minute), func() { w.everydayFault(scaleOut, at) })
	}
}

var everydayKind = kind{"SimEveryday", "SIM_EVERYDAY", simulateEveryday, countedEveryday, everydaySeeds, newEverydayPlan}

// everydaySeeds are fleets that failed before the engine settled a fire time over all sources, or
// during that work.
var everydaySeeds = []uint64{4, 5, 9, 27, 33, 40, 55, 81, 88, 228, 246, 297, 295, 1134, 1163, 1229, 17959000100181}
