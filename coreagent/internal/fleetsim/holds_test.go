package fleetsim_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/runs"
	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// holdPlan decides how an operator holds jobs and releases them. It has its own random stream.
type holdPlan struct {
	random      *rand.Rand
	pace        time.Duration // between two holds, at most
	least, most time.Duration // of a hold
}

// newHoldPlan draws a plan, or nil if no job is held. unit is a second or an hour.
func newHoldPlan(seed uint64, unit time.Duration) *holdPlan {
	random := rand.New(rand.NewPCG(seed, 0x17))
	if replayed(seed) || !chance(random, 35) {
		return nil
	}
	if unit == time.Hour {
		return &holdPlan{random: random, pace: pick(random, 2*unit, 5*unit), least: 10 * time.Second, most: 6 * unit}
	}
	return &holdPlan{random: random, pace: pick(random, 8*unit, 20*unit), least: unit / 2, most: 40 * unit}
}

// holder is an operator who holds and releases jobs during the faults. A nil holder does nothing.
type holder struct {
	world *world
	plan  *holdPlan
	life  context.Context
	quit  context.CancelFunc
	tasks sync.WaitGroup
}

// beginHolds begins to hold jobs if the plan has any holds.
func (w *world) beginHolds() *holder {
	if w.plan.holds == nil {
		return nil
	}
	h := &holder{world: w, plan: w.plan.holds}
	h.life, h.quit = context.WithCancel(w.life)
	h.tasks.Go(func() {
		for h.sleep(time.Duration(h.plan.random.Int64N(int64(h.plan.pace)))) {
			h.hold()
		}
	})
	return h
}

// sleep waits. It returns false if the holds must end.
func (h *holder) sleep(d time.Duration) bool {
	timer := time.NewTimer(d + time.Millisecond)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-h.life.Done():
		return false
	}
}

// hold holds a job for a while. The job may be triggered in that time.
func (h *holder) hold() {
	random, w := h.plan.random, h.world
	job := pick(random, w.plan.jobs...).job.Name
	what := pick(random, jobrun.HeldSchedule, jobrun.HeldSchedule, jobrun.HeldAll, jobrun.HeldRequests)
	d := time.Duration(float64(h.plan.least) * math.Pow(float64(h.plan.most/h.plan.least), random.Float64()))
	trigger, after := chance(random, 40), time.Duration(random.Int64N(int64(d)))
	w.counts.add(holds)
	h.act(job, "holds "+string(what), func(ctx context.Context) error {
		return h.store(job).Hold(ctx, jobtree.Hold{What: what, By: "root", Reason: "simulated"})
	})
	if !h.sleep(after) {
		return
	}
	if trigger && job != requestedJob {
		op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
		if pressed := time.Now(); h.act(job, "triggers the job that is held", func(ctx context.Context) error { return w.trigger(ctx, op, job) }) && w.tree.settings(job).Held {
			w.mu.Lock()
			w.history.Jobs[job].HeldTriggers = append(w.history.Jobs[job].HeldTriggers, pressed)
			w.mu.Unlock()
		}
	}
	if h.sleep(d - after) {
		h.act(job, "releases the job", h.store(job).Release)
	}
}

func (h *holder) store(job string) runs.Store {
	return runs.Store{Client: h.world.operator, Tree: namespace().Job(job), Now: time.Now}
}

// act takes an action, and reports whether it was answered.
func (h *holder) act(job, what string, do func(ctx context.Context) error) bool {
	ctx, cancel := context.WithTimeout(h.world.life, 8*time.Second)
	defer cancel()
	h.world.note(job, "operator", "%s", what)
	err := do(ctx)
	if err != nil {
		h.world.note(job, "operator", "%s: %v", what, err)
	}
	if !expected(err) && !errors.Is(err, jobrun.ErrHeld) {
		h.world.fail("operator %s: %v", what, err)
	}
	return err == nil
}

// end ends the holds and releases all jobs.
func (h *holder) end() {
	if h == nil {
		return
	}
	h.quit()
	h.tasks.Wait()
	for _, j := range h.world.plan.jobs {
		h.world.insist("releases the job", func() error {
			if err := h.store(j.job.Name).Release(h.world.life); !errors.Is(err, jobrun.ErrHeld) {
				return err
			}
			return nil
		})
	}
}

// held records when the schedule of a job is held.
func (o *observer) held(j *watchedJob, c zkfake.Change) {
	hold := jobtree.DecodeHold(c.Data)
	if held := c.Type != wire.NodeDeleted && hold.Schedule(); held != j.settings.Held {
		j.settings.Held = held
		j.snapshot()
		j.history.Settings[len(j.history.Settings)-1].HeldOnly = true
		if h := j.history; held {
			h.Holds = append(h.Holds, judge.Span{From: time.Now()})
		} else {
			h.Holds[len(h.Holds)-1].To = time.Now()
		}
	}
	o.tell(j.history.Name, c, "hold of "+string(hold.What))
}
