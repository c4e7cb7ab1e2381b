package statistics_test

import (
	"context"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// fleet is a job with some agents and an operator, in a bubble.
type fleet struct {
	*testing.T
	rand     *rand.Rand
	srv      *coreagenttest.Server
	client   *zk.Client
	reader   *statistics.Reader
	operator *lifecycle.Operator
	job      jobtree.Job
	shards   int
	static   bool
	agents   map[string]*coreagent.Agent // by id
	off      map[string]bool             // disabled servers
}

func (f *fleet) start(id string) {
	f.Helper()
	ip, suffix, _ := strings.Cut(id, "@-@")
	agent, err := coreagent.New(coreagent.Config{
		Namespace: f.job.Namespace().String(), Address: ip, InstanceSuffix: suffix,
		ZooKeeper: f.srv.ZooKeeper(), Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		f.Fatal(err)
	}
	agent.HandleFunc(coreagent.Job{Name: f.job.Name(), Shards: f.shards, StaticSharding: f.static}, func(context.Context, *coreagent.Shard) error { return nil })
	if err := agent.Start(f.Context()); err != nil {
		f.Fatal(err)
	}
	f.agents[id] = agent
}

func (f *fleet) stop(id string) {
	f.Helper()
	if err := f.agents[id].Stop(context.Background()); err != nil {
		f.Error(err)
	}
	delete(f.agents, id)
}

func (f *fleet) configure(change statistics.Change) {
	f.Helper()
	config, version, err := f.operator.Config(f.Context(), f.job.Name())
	if err != nil {
		f.Fatal(err)
	}
	if change.Shards > 0 {
		config.Shards = change.Shards
	}
	if change.Strategy != "" {
		config.StrategyType = change.Strategy
	}
	if _, err := f.operator.SetConfig(f.Context(), f.job.Name(), config, version); err != nil {
		f.Fatal(err)
	}
}

func (f *fleet) happen(change statistics.Change) {
	f.Helper()
	for _, id := range change.Leave {
		f.stop(id)
	}
	for _, id := range change.Join {
		f.start(id)
	}
	for _, ip := range change.Disable {
		if _, err := f.operator.DisableServer(f.Context(), f.job.Name(), ip); err != nil {
			f.Fatal(err)
		}
		f.off[ip] = true
	}
	for _, ip := range change.Enable {
		if _, err := f.operator.EnableServer(f.Context(), f.job.Name(), ip); err != nil {
			f.Fatal(err)
		}
		delete(f.off, ip)
	}
	if change.Shards > 0 || change.Strategy != "" {
		f.configure(change)
	}
}

// invent returns a random valid change. It has two parts only if their order doesn't matter.
func (f *fleet) invent() statistics.Change {
	var change statistics.Change
	present := slices.Sorted(maps.Keys(f.agents))
	for range 1 + f.rand.IntN(2) {
		id := ids[f.rand.IntN(len(ids))]
		ip := jobtree.InstanceIP(id)
		switch f.rand.IntN(6) {
		case 0, 1:
			if f.agents[id] == nil {
				change.Join = []string{id}
			} else if len(present) > 1 {
				change.Leave = []string{id}
			}
		case 2, 3:
			if f.off[ip] {
				change.Enable = []string{ip}
			} else if slices.ContainsFunc(present, func(id string) bool { return jobtree.InstanceIP(id) == ip }) {
				change.Disable = []string{ip}
			}
		case 4:
			change.Shards = 1 + f.rand.IntN(12)
		default:
			change.Strategy = []string{sharding.NameAverage, sharding.NameOdevity, sharding.NameRoundRobin}[f.rand.IntN(3)]
		}
		if f.static {
			break
		}
	}
	if len(change.Enable) > 0 && len(change.Disable) > 0 && change.Enable[0] == change.Disable[0] {
		change.Disable = nil
	}
	return change
}

func parts(c statistics.Change) int {
	n := len(c.Leave) + len(c.Join) + len(c.Disable) + len(c.Enable)
	if c.Shards > 0 {
		n++
	}
	if c.Strategy != "" {
		n++
	}
	return n
}

// owners waits for the fleet to settle and returns the shards' owners.
func (f *fleet) owners() []string {
	f.Helper()
	time.Sleep(5 * time.Second) // in virtual time
	d, err := f.reader.Job(f.Context(), f.job.Name())
	if err != nil {
		f.Fatal(err)
	}
	if available := slices.ContainsFunc(d.Instances, func(i statistics.Instance) bool { return i.Enabled }); (d.ReshardingNeeded || d.Resharding) && available {
		f.Errorf("the shards are still being assigned among %+v", d.Instances)
	}
	var owners []string
	for _, shard := range d.Shards {
		owners = append(owners, shard.Instance)
	}
	return owners
}

// TestPlanReshardIsWhatHappens: after each of a thousand random changes to fleets of real agents,
// the shards must be where the plan predicted.
func TestPlanReshardIsWhatHappens(t *testing.T) {
	t.Parallel()
	const fleets, changes = 50, 20
	for seed := range uint64(fleets) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				checkPlans(t, seed, changes)
			})
		})
	}
}

func checkPlans(t *testing.T, seed uint64, changes int) {
	f := &fleet{
		T: t, rand: rand.New(rand.NewPCG(seed, 4)), srv: coreagenttest.NewPipeServer(t),
		agents: make(map[string]*coreagent.Agent), off: make(map[string]bool),
	}
	ns, err := jobtree.NewNamespace("plans")
	if err != nil {
		t.Fatal(err)
	}
	f.job, f.shards, f.static = ns.Job(fmt.Sprintf("job-%d", seed)), 1+f.rand.IntN(12), f.rand.IntN(6) == 0
	f.client, err = zk.Connect(t.Context(), zk.Config{Servers: []string{f.srv.Addr()}, Dial: f.srv.Dial, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer f.client.Close()
	f.reader, f.operator = statistics.NewReader(treetest.Registry(f.client, ns)), lifecycle.NewOperator(treetest.Registry(f.client, ns))
	for _, id := range ids[:1+f.rand.IntN(3)] {
		f.start(id)
	}
	defer func() {
		for id := range maps.Clone(f.agents) {
			f.stop(id)
		}
	}()
	before := f.owners()
	moved := 0
	for n := 0; n < changes; n++ {
		change := f.invent()
		plan, err := f.reader.PlanReshard(t.Context(), f.job.Name(), change)
		if err != nil {
			t.Fatalf("change %d: %+v: %v", n, change, err)
		}
		if len(plan.Instances) == 0 && parts(change) > 1 {
			n-- // The shards that stay depend on the order of the parts.
			continue
		}
		f.happen(change)
		after := f.owners()
		if diff := cmp.Diff(after, plan.Owners); diff != "" {
			t.Fatalf("change %d: %+v: owners (-what happened +plan %+v):\n%s", n, change, plan, diff)
		}
		if diff := cmp.Diff(movesBetween(before, after), plan.Moves); diff != "" {
			t.Fatalf("change %d: %+v: moves (-what happened +plan %+v):\n%s", n, change, plan, diff)
		}
		moved += len(plan.Moves)
		before = after
		f.checkNoFalseAlarm()
	}
	if moved == 0 && !f.static {
		t.Error("nothing ever moved: the test checks nothing")
	}
}

// checkNoFalseAlarm fails if a settled fleet has findings that the operator didn't cause.
func (f *fleet) checkNoFalseAlarm() {
	f.Helper()
	e, err := f.reader.Explain(f.Context(), f.job.Name())
	if err != nil {
		f.Fatal(err)
	}
	off := 0
	for id := range f.agents {
		if f.off[jobtree.InstanceIP(id)] {
			off++
		}
	}
	disabled := 0
	for _, finding := range e.Findings {
		switch finding.Code {
		case statistics.CodeServerDisabled:
			disabled++
		case statistics.CodeJobDisabled, statistics.CodeNoEnabledInstance:
			if off < len(f.agents) {
				f.Errorf("%d of %d instances are switched off: %s", off, len(f.agents), finding.Sentence)
			}
			if finding.Code == statistics.CodeJobDisabled {
				disabled = off // There's one finding for the whole job, and none for each server.
			}
		case statistics.CodeItemBeyond:
			if off < len(f.agents) {
				f.Errorf("somebody could have removed them: %s", finding.Sentence)
			}
		case statistics.CodeItemOwnerGone, statistics.CodeItemOwnerDisabled:
			if !f.static {
				f.Errorf("a false alarm: %+v", finding)
			}
		default:
			f.Errorf("a false alarm: %+v", finding)
		}
	}
	if disabled != off {
		f.Errorf("%d of %d instances are switched off, %d were noticed: %+v", off, len(f.agents), disabled, e.Findings)
	}
}

func movesBetween(before, after []string) []statistics.Move {
	var moves []statistics.Move
	for n := range max(len(before), len(after)) {
		var m statistics.Move
		if m.Item = n; n < len(before) {
			m.From = before[n]
		}
		if n < len(after) {
			m.To = after[n]
		}
		if m.From != m.To {
			moves = append(moves, m)
		}
	}
	return moves
}
