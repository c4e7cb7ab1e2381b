package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/ledger"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

const (
	namespace      = "chaos"
	goAgents       = 5
	javaAgents     = 2
	sessionTimeout = 5 * time.Second
)

// tempo has the durations of a campaign's parts.
type tempo struct {
	// Storms and calms alternate. In a calm the fleet should repair itself, and we can judge fire
	// times missed without a disturbance.
	storm, calm time.Duration
	// quiet is how long the fleet is watched at the end. It's longer than the longest period. apart
	// is the time between the two snapshots of the tree. It's longer than any handler takes.
	quiet, apart time.Duration
	// spare is additional time for the fleet to repair itself.
	spare time.Duration
}

var usual = tempo{storm: 45 * time.Second, calm: 35 * time.Second, quiet: 45 * time.Second, apart: 15 * time.Second, spare: 10 * time.Second}

// campaign is a fleet and everything that happens to it.
type campaign struct {
	opts options
	dir  string
	dsn  string
	jobs []ledger.Job

	tempo
	sequences func() [][]kind
	operated  bool // the operator gives commands

	zookeeper *zktest.Ensemble
	maria     *storetest.MariaDB
	database  *store.DB
	tree      *zk.Client
	paths     jobtree.Namespace
	agents    []*agent
	console   *console

	stormGate sync.RWMutex // locked for writing outside of storms
	clocks    clocks       // at the beginning

	mu sync.Mutex
	evidence
}

func newCampaign(o options, dir string) *campaign {
	c := &campaign{opts: o, dir: dir, tempo: usual, operated: true, clocks: readClocks(), jobs: jobsFor(o.rate, o.java != "")}
	c.evidence = newEvidence(o)
	c.sequences = c.faultSequences
	return c
}

func (c *campaign) jobsFile() string { return filepath.Join(c.dir, "jobs.json") }

// random returns an activity's own source, so that other activities don't change its choices.
func (c *campaign) random(activity uint64) *rand.Rand {
	return rand.New(rand.NewPCG(c.opts.seed, activity))
}

// perform runs the campaign until its verdict.
func (c *campaign) perform(ctx context.Context) error {
	if err := c.setUp(ctx); err != nil {
		return fmt.Errorf("set up: %w", err)
	}
	c.tell("the fleet serves %d jobs", len(c.jobs))
	c.History.Begin = time.Now()
	for _, job := range c.jobs {
		c.History.Jobs[job.Name] = judged(job, c.History.Begin)
	}
	watching, stopWatching := context.WithCancel(ctx)
	var watchers sync.WaitGroup
	watchers.Go(func() { c.sample(watching) })
	watchers.Go(func() { c.look(watching) })
	err := c.disturb(ctx)
	if err == nil {
		err = c.settleDown(ctx)
	}
	stopWatching()
	watchers.Wait()
	if err != nil {
		return err
	}
	if err := c.collect(ctx); err != nil {
		return fmt.Errorf("collect: %w", err)
	}
	if err := c.saveEvidence(); err != nil {
		return fmt.Errorf("store the evidence: %w", err)
	}
	return c.verdict()
}

func (c *campaign) tell(format string, args ...any) {
	fmt.Printf("%s %s\n", time.Now().Format("15:04:05"), fmt.Sprintf(format, args...))
}

// trouble records a violation that no rule of the judge finds.
func (c *campaign) trouble(rule, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.Troubles = append(c.Troubles, judge.Violation{Rule: rule, Item: -1, At: time.Now(), Text: fmt.Sprintf(format, args...)})
}

func (c *campaign) setUp(ctx context.Context) error {
	var err error
	if c.paths, err = jobtree.NewNamespace(namespace); err != nil {
		return err
	}
	if err := ledger.WriteJobs(c.jobsFile(), c.jobs); err != nil {
		return err
	}
	if c.zookeeper, err = zktest.LaunchEnsemble(filepath.Join(c.dir, "zookeeper"), 3, zktest.Options{}); err != nil {
		return err
	}
	if err := c.openDatabase(ctx); err != nil {
		return err
	}
	c.tree, err = zk.Connect(ctx, zk.Config{Servers: c.zookeeper.Servers(), SessionTimeout: sessionTimeout, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	if c.console, err = c.startConsole(ctx); err != nil {
		return err
	}
	if err := errors.Join(c.addAgents(), c.addJavaAgents()); err != nil {
		return err
	}
	for _, a := range c.agents {
		if err := a.start(); err != nil {
			return err
		}
	}
	return c.awaitAll(ctx)
}

func (c *campaign) openDatabase(ctx context.Context) (err error) {
	if c.maria, err = storetest.LaunchMariaDB(); err != nil {
		return err
	}
	if err := c.maria.Create("chaos"); err != nil {
		return err
	}
	c.dsn = c.maria.DSN("chaos")
	if c.database, err = store.Open(ctx, c.dsn, slog.New(slog.DiscardHandler)); err != nil {
		return err
	}
	return c.database.Migrate(ctx)
}

// awaitAll waits until every agent serves every job.
func (c *campaign) awaitAll(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	for _, job := range c.jobs {
		for {
			names, _, err := c.tree.Children(ctx, c.paths.Job(job.Name).Instances())
			if err == nil && len(names) >= c.serving(job) {
				break
			}
			for _, a := range c.agents {
				if _, crashed := a.crashed(); crashed {
					return fmt.Errorf("%s ended as it started:\n%s", a.name, tail(a.log))
				}
			}
			if !pause(ctx, 100*time.Millisecond) {
				return fmt.Errorf("job %s has the instances %v and not %d: %w", job.Name, names, c.serving(job), context.Cause(ctx))
			}
		}
	}
	return nil
}

// serving counts the agents that serve a job.
func (c *campaign) serving(job ledger.Job) int {
	n := 0
	for _, a := range c.agents {
		if !a.java || job.Mixed {
			n++
		}
	}
	return n
}

// pause waits. It returns false if ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	return sleep.For(ctx, d) == nil
}

// disturb alternates storms and calms until the time is over.
func (c *campaign) disturb(ctx context.Context) error {
	end := time.Now().Add(time.Duration(c.opts.minutes * float64(time.Minute)))
	disturbing, stop := context.WithCancel(ctx)
	c.stormGate.Lock()
	var sequences sync.WaitGroup
	for i, sequence := range c.sequences() {
		sequences.Go(func() { c.follow(disturbing, sequence, c.random(uint64(i))) })
	}
	if c.operated {
		sequences.Go(func() { c.operate(disturbing, c.random(1000)) })
	}
	for number := 1; time.Now().Before(end) && ctx.Err() == nil; number++ {
		c.tell("storm %d, %v to go", number, time.Until(end).Round(time.Second))
		c.stormGate.Unlock()
		pause(ctx, min(c.storm, time.Until(end)))
		c.stormGate.Lock()
		if left := time.Until(end); left > c.calm {
			pause(ctx, c.calm)
		}
	}
	stop() // faults in progress finish
	c.stormGate.Unlock()
	sequences.Wait()
	return context.Cause(ctx)
}

// settleDown waits until the fleet has repaired itself, and then watches it.
func (c *campaign) settleDown(ctx context.Context) error {
	if err := c.readSettings(ctx); err != nil {
		return err
	}
	c.History.Healed = time.Now()
	c.tell("the last disturbance is over")
	if !pause(ctx, settle+c.spare) {
		return context.Cause(ctx)
	}
	c.History.Quiet = time.Now()
	if !pause(ctx, c.quiet-c.apart) {
		return context.Cause(ctx)
	}
	if err := c.snapshot(ctx); err != nil {
		return err
	}
	if !pause(ctx, c.apart) {
		return context.Cause(ctx)
	}
	c.console.ask(ctx, "GET", "/api/jobs", nil)
	if err := c.snapshot(ctx); err != nil {
		return err
	}
	c.History.End = time.Now()
	return nil
}

func (c *campaign) snapshot(ctx context.Context) error {
	for _, job := range c.jobs {
		s, root := judge.Snapshot{Job: job.Name, At: time.Now()}, c.paths.Job(job.Name).Root()
		if err := c.walk(ctx, &s, root, ""); err != nil {
			return err
		}
		c.History.Snapshots = append(c.History.Snapshots, s)
	}
	return nil
}

// walk reads a node of a job and all nodes below it.
func (c *campaign) walk(ctx context.Context, s *judge.Snapshot, root, path string) error {
	data, stat, err := c.tree.Get(ctx, root+path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	s.Nodes = append(s.Nodes, judge.Node{Path: path, Data: string(data), Owner: stat.EphemeralOwner, Created: stat.Ctime})
	names, _, err := c.tree.Children(ctx, root+path)
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	for _, name := range names {
		if err := c.walk(ctx, s, root, path+"/"+name); err != nil {
			return err
		}
	}
	return err
}

func (c *campaign) close() {
	for _, a := range c.agents {
		a.close()
	}
	if c.console != nil {
		c.console.process.kill()
	}
	if c.tree != nil {
		_ = c.tree.Close() // there's nothing to lose
	}
	if c.database != nil {
		_ = c.database.Close()
	}
	if c.zookeeper != nil {
		c.zookeeper.Kill()
	}
	if c.maria != nil {
		if err := c.maria.End(); err != nil {
			c.tell("%v", err)
		}
	}
}

// awaitStorm returns true during a storm, or false if no more faults are wanted.
func (c *campaign) awaitStorm(ctx context.Context) bool {
	c.stormGate.RLock()
	defer c.stormGate.RUnlock()
	return ctx.Err() == nil
}

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func between(r *rand.Rand, from, to time.Duration) time.Duration {
	return from + time.Duration(r.Int64N(int64(to-from)+1))
}

func shuffled[T any](r *rand.Rand, list []T) []T {
	list = slices.Clone(list)
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list
}
