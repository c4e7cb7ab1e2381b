package fleetsim_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// edit applies an operator's action to a job, sometimes two at once.
func (w *world) edit() {
	if !chance(w.random, 20) {
		w.operate(pick(w.random, w.plan.edited...).job.Name)
		return
	}
	var both sync.WaitGroup
	name := pick(w.random, w.plan.edited...).job.Name
	first, second := w.newAction(name), w.newAction(name)
	both.Go(first)
	both.Go(second)
	both.Wait()
}

func (w *world) operate(job string) { w.newAction(job)() }

// newAction draws an action, including all its random parts.
func (w *world) newAction(job string) func() {
	op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
	ctx, random := w.life, w.random
	address := address(pick(random, w.processes...).slot)
	shard := random.IntN(max(1, w.tree.settings(job).Items))
	var what string
	var do func() error
	switch random.IntN(10) {
	case 0, 1, 2, 3:
		change := w.newChange()
		what, do = "changes the configuration", func() error { return w.reconfigure(ctx, op, job, change) }
	case 4:
		what, do = fmt.Sprintf("disables shard %d", shard), func() error { return op.DisableShard(ctx, job, shard) }
	case 5:
		what, do = fmt.Sprintf("enables shard %d", shard), func() error { return op.EnableShard(ctx, job, shard) }
	case 6:
		what, do = "disables server "+address, func() error { _, err := op.DisableServer(ctx, job, address); return err }
	case 7:
		what, do = "enables the job", func() error { _, err := op.Enable(ctx, job); return err }
	default:
		what, do = "triggers the job", func() error { return w.trigger(ctx, op, job) }
	}
	return func() {
		w.counts.add(edit)
		w.note(job, "operator", "%s", what)
		w.disturb(reconnection)
		if err := do(); !expected(err) {
			w.fail("operator %s: %v", what, err)
		}
	}
}

// expected reports whether an action may end with err in a fleet under faults.
func expected(err error) bool {
	return retriable(err) || errors.Is(err, lifecycle.ErrNotFound) || errors.Is(err, lifecycle.ErrConflict) ||
		errors.Is(err, lifecycle.ErrUnavailable) || errors.Is(err, lifecycle.ErrInvalid) || errors.Is(err, lifecycle.ErrNoInstances)
}

func (w *world) newChange() func(*jobconfig.Config) {
	random := w.random
	shards, cron := 1+random.IntN(12), crons[pick(random, 5*time.Second, 10*time.Second, 20*time.Second)]
	strategy := pick(random, "AVG_ALLOCATION", "ODEVITY", "ROUND_ROBIN")
	switch random.IntN(8) {
	case 0, 1, 2:
		return func(c *jobconfig.Config) { c.Shards = shards }
	case 3:
		return func(c *jobconfig.Config) {
			if c.Cron != "" {
				c.Cron = cron
			}
		}
	case 4:
		return func(c *jobconfig.Config) { c.Failover = !c.Failover && c.MonitorExecution }
	case 5:
		return func(c *jobconfig.Config) { c.Misfire = !c.Misfire }
	case 6:
		return func(c *jobconfig.Config) { c.StrategyType = strategy }
	}
	return func(c *jobconfig.Config) { c.Shards, c.Parameter = shards, "edited" }
}

func (w *world) reconfigure(ctx context.Context, op *lifecycle.Operator, job string, change func(*jobconfig.Config)) error {
	config, version, err := op.Config(ctx, job)
	if err != nil {
		return err
	}
	change(config)
	_, err = op.SetConfig(ctx, job, config, version)
	return err
}

func (w *world) trigger(ctx context.Context, op *lifecycle.Operator, job string) error {
	h := w.history.Jobs[job]
	w.mu.Lock()
	h.Triggers = append(h.Triggers, time.Now())
	w.mu.Unlock()
	_, err := op.Trigger(ctx, job)
	return err
}

// insist repeats an action until a server has accepted it, because the server may just have
// returned.
func (w *world) insist(what string, do func() error) {
	for range 300 {
		err := do()
		if err == nil {
			return
		}
		if !expected(err) {
			w.fail("operator %s: %v", what, err)
			return
		}
		time.Sleep(100 * time.Millisecond)
	}
	w.fail("operator %s: no server has taken the action for half a minute", what)
}

// enableEnough enables at least one server and the shards, because something should run in the
// quiet phase.
func (w *world) enableEnough() {
	op := lifecycle.NewOperator(treetest.Registry(w.operator, namespace()))
	for name := range w.history.Jobs {
		enabled := 0
		off := make(map[string]bool)
		w.tree.mu.Lock()
		for path, disabled := range w.tree.jobs[name].disabled {
			if server, ok := strings.CutPrefix(path, "servers/"); ok && disabled {
				off[server] = true
			}
		}
		w.tree.mu.Unlock()
		for _, p := range w.processes {
			if p.serving() && !off[address(p.slot)] {
				enabled++
			}
		}
		if enabled > 0 {
			continue
		}
		w.insist("enables the job "+name, func() error { _, err := op.Enable(w.life, name); return err })
	}
}
