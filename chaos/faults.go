package main

import (
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/relay"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// kind is one kind of fault. run causes and repairs it. If ctx ends, run repairs it early.
type kind struct {
	name   string
	silent bool // it keeps no agent from running its jobs
	run    func(ctx context.Context, r *rand.Rand, note func(target string, frozen bool))
}

// farAway is longer than an instance may be away before the leader stops looking for its missed
// fire times: a minute and two session timeouts.
const farAway = 60*time.Second + 2*sessionTimeout

// overFire waits until shortly before the fire time of a job with a long period. It returns how
// long an agent must be away from now on, so that others run that fire time and it's no longer
// recent when the agent returns.
func (c *campaign) overFire(ctx context.Context, r *rand.Rand) (away time.Duration) {
	const period = 2 * time.Minute // of the job two-minutes, and of every second fire time of four-minutes
	before := between(r, 2*time.Second, 3*sessionTimeout)
	left := time.Until(time.Now().Add(before).Truncate(period).Add(period).Add(-before))
	pause(ctx, left)
	return before + farAway + between(r, 3*time.Second, 20*time.Second)
}

// longCampaign is the minimum duration in minutes for long faults.
const longCampaign = 6

// faultSequences returns sequences of kinds that run in parallel. Kinds in one sequence never overlap.
func (c *campaign) faultSequences() [][]kind {
	fleet, java := c.agents[:goAgents], c.agents[goAgents:]
	sequences := [][]kind{c.agentKinds(fleet[:2]), c.serverKinds()}
	if c.opts.minutes < longCampaign {
		sequences = append(sequences, c.agentKinds(fleet[2:]))
	} else {
		sequences = append(sequences, c.agentKinds(fleet[3:]), c.longKinds(fleet[2:3]))
	}
	if len(java) > 0 {
		sequences = append(sequences, []kind{{name: "java-kill", run: c.restarting(java, false)}, {name: "java-drain", run: c.restarting(java, true)}})
	}
	return sequences
}

// longKinds keep an agent away for so long that the fleet goes on without it.
func (c *campaign) longKinds(agents []*agent) []kind {
	return []kind{
		{name: "agent-pause-minute", run: func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
			away := c.overFire(ctx, r)
			c.freezing(agents, away, away)(ctx, r, note)
		}},
		{name: "link-cut-minute", run: func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
			away := c.overFire(ctx, r)
			c.linking(agents, away, away, relay.Fault{Requests: relay.Swallow, Answers: relay.Swallow})(ctx, r, note)
		}},
	}
}

// follow runs the kinds of a sequence in random order, again and again, during storms.
func (c *campaign) follow(ctx context.Context, sequence []kind, r *rand.Rand) {
	for {
		for _, k := range shuffled(r, sequence) {
			if !c.awaitStorm(ctx) || !pause(ctx, between(r, 500*time.Millisecond, 4*time.Second)) {
				return
			}
			c.strike(ctx, k, r)
		}
	}
}

func (c *campaign) strike(ctx context.Context, k kind, r *rand.Rand) {
	index := -1
	note := func(target string, frozen bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		if index < 0 {
			index = len(c.Faults)
			c.Faults = append(c.Faults, disturbance{Kind: k.name, Target: target, Frozen: frozen, Silent: k.silent, Span: judge.Span{From: time.Now()}})
			c.Counts[k.name]++
		}
	}
	k.run(ctx, r, note)
	c.mu.Lock()
	defer c.mu.Unlock()
	if index >= 0 {
		c.Faults[index].To = time.Now()
	}
}

// agentKinds returns the faults of the agents of a sequence.
func (c *campaign) agentKinds(agents []*agent) []kind {
	var mortal []*agent
	for _, a := range agents {
		if !a.steady {
			mortal = append(mortal, a)
		}
	}
	return []kind{
		{name: "agent-kill", run: c.restarting(mortal, false)},
		{name: "agent-drain", run: c.restarting(mortal, true)},
		{name: "agent-shutdown", run: c.shutDown(mortal)},
		{name: "agent-pause-short", run: c.freezing(agents, time.Second, sessionTimeout*3/5)},
		{name: "agent-pause-long", run: c.freezing(agents, sessionTimeout*5/4, 3*sessionTimeout)},
		{name: "link-stall", run: c.linking(agents, time.Second, 2*sessionTimeout, relay.Fault{Requests: relay.Stall, Answers: relay.Stall})},
		{name: "link-half-requests", run: c.linking(agents, time.Second, 2*sessionTimeout, relay.Fault{Requests: relay.Swallow})},
		{name: "link-half-answers", run: c.linking(agents, time.Second, 2*sessionTimeout, relay.Fault{Answers: relay.Swallow})},
		{name: "link-delay", run: c.linking(agents, 2*time.Second, 8*time.Second, relay.Fault{Delay: 150 * time.Millisecond})},
		{name: "link-reset", run: c.linking(agents, 0, 300*time.Millisecond, relay.Fault{Refuse: true})},
	}
}

type fault = func(ctx context.Context, r *rand.Rand, note func(target string, frozen bool))

// end ends an agent. Our agents must end in time, even if other parts are broken. We don't judge how long
// Java's agents take without ZooKeeper and its database.
func (c *campaign) end(a *agent, drain bool) {
	if !a.end(drain) && !a.java {
		c.trouble("drain", "%s did not end within 40 s of SIGTERM and was killed", a.name)
	}
}

// restarting ends an agent, with kill -9 or SIGTERM, and starts it again.
func (c *campaign) restarting(agents []*agent, drain bool) fault {
	return func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
		a := pick(r, agents)
		if !a.claim() {
			return // It has just ended by itself and is being started.
		}
		note(a.name, false)
		c.end(a, drain)
		pause(ctx, pick(r, []time.Duration{0, between(r, 0, 3*time.Second), between(r, sessionTimeout, 2*sessionTimeout)}))
		c.revive(a)
	}
}

func (c *campaign) revive(a *agent) {
	if err := a.start(); err != nil {
		c.trouble("campaign", "%s cannot be started: %v", a.name, err)
	}
}

func (c *campaign) freezing(agents []*agent, from, to time.Duration) fault {
	return func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
		a := pick(r, agents)
		note(a.name, true)
		a.signal(syscall.SIGSTOP)
		pause(ctx, between(r, from, to))
		a.signal(syscall.SIGCONT)
	}
}

// linking disturbs an agent's connections to ZooKeeper for a while.
func (c *campaign) linking(agents []*agent, from, to time.Duration, f relay.Fault) fault {
	return func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
		a := pick(r, agents)
		note(a.name, false)
		links := a.links
		if r.IntN(3) == 0 && from < farAway && !f.Refuse {
			links = links[:1+r.IntN(2)] // some servers stay reachable
		}
		for _, link := range links {
			link.Set(f)
			if f.Refuse {
				link.Reset()
			}
		}
		pause(ctx, between(r, from, to))
		a.cut(relay.Fault{})
	}
}

// shutDown shuts down one job of an agent through the console, and restarts the agent later.
func (c *campaign) shutDown(agents []*agent) fault {
	return func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
		a, job := pick(r, agents), pick(r, c.jobs)
		note(a.name, false)
		c.command(ctx, "shutdown", job.Name, "POST", "/api/servers/"+a.address+"/jobs/"+job.Name+"/shutdown", nil)
		pause(ctx, between(r, time.Second, 5*time.Second))
		if !a.claim() {
			return
		}
		c.end(a, true)
		c.revive(a)
	}
}

// serverKinds returns the faults of everything that the agents depend on.
func (c *campaign) serverKinds() []kind {
	self := os.Args[0]
	hogging := func(what string) fault {
		return func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
			d := between(r, 3*time.Second, 8*time.Second)
			note("", false)
			p, err := start(exec.Command(self, "-hog", what, "-hog-for", d.String()), c.dir+"/hog.log", "")
			if err != nil {
				c.trouble("campaign", "the hog cannot be started: %v", err)
				return
			}
			pause(ctx, d)
			p.kill()
		}
	}
	kinds := []kind{
		{name: "zk-kill-leader", run: c.killServers(func(r *rand.Rand) []*zktest.ZooKeeper { return c.byRole(true, 1) })},
		{name: "zk-kill-follower", run: c.killServers(func(r *rand.Rand) []*zktest.ZooKeeper { return c.byRole(false, 1) })},
		{name: "zk-kill-two", run: c.killServers(func(r *rand.Rand) []*zktest.ZooKeeper { return shuffled(r, c.zookeeper.Members)[:2] })},
		{name: "zk-kill-all", run: c.killServers(func(*rand.Rand) []*zktest.ZooKeeper { return c.zookeeper.Members })},
		{name: "zk-freeze", run: c.freezeServer},
		{name: "db-kill", silent: true, run: c.killDatabase},
		{name: "db-freeze", silent: true, run: c.freezeDatabase},
		{name: "console-kill", silent: true, run: c.killConsole},
		{name: "cpu-hog", run: hogging("cpu")},
		{name: "disk-hog", run: hogging("disk")},
	}
	if losing() {
		kinds = append(kinds, kind{name: "packet-loss", run: c.losePackets})
	}
	return kinds
}

// byRole returns members that lead, or members that don't.
func (c *campaign) byRole(leader bool, n int) []*zktest.ZooKeeper {
	leads := c.zookeeper.Leader()
	var list []*zktest.ZooKeeper
	for _, z := range c.zookeeper.Members {
		if (z == leads) == leader && len(list) < n {
			list = append(list, z)
		}
	}
	return list
}

func (c *campaign) killServers(choose func(*rand.Rand) []*zktest.ZooKeeper) fault {
	return func(ctx context.Context, r *rand.Rand, note func(string, bool)) {
		victims := choose(r)
		if len(victims) == 0 {
			return // There's no leader right now.
		}
		note("", false)
		for _, z := range victims {
			z.Kill()
		}
		pause(ctx, between(r, 0, 2*sessionTimeout))
		if err := c.zookeeper.Start(victims...); err != nil {
			c.trouble("campaign", "%v", err)
		}
	}
}

func (c *campaign) freezeServer(ctx context.Context, r *rand.Rand, note func(string, bool)) {
	z := pick(r, c.zookeeper.Members)
	note("", false)
	z.Pause()
	pause(ctx, between(r, time.Second, 2*sessionTimeout))
	z.Resume()
}

func (c *campaign) killDatabase(ctx context.Context, r *rand.Rand, note func(string, bool)) {
	note("", false)
	c.maria.Kill()
	pause(ctx, between(r, 0, 10*time.Second))
	if err := c.maria.Start(); err != nil {
		c.trouble("campaign", "%v", err)
	}
}

func (c *campaign) freezeDatabase(ctx context.Context, r *rand.Rand, note func(string, bool)) {
	note("", false)
	if err := c.maria.Freeze(); err != nil {
		c.trouble("campaign", "%v", err)
		return
	}
	pause(ctx, between(r, time.Second, 10*time.Second))
	if err := c.maria.Continue(); err != nil {
		c.trouble("campaign", "%v", err)
	}
}

func (c *campaign) killConsole(ctx context.Context, r *rand.Rand, note func(string, bool)) {
	note("", false)
	c.console.process.kill()
	pause(ctx, between(r, 0, 3*time.Second))
	if err := c.console.start(ctx); err != nil {
		c.trouble("console", "%v", err)
	}
}
