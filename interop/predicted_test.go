//go:build interop

package interop

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/jobtree/treetest"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// evenName is the name of a job whose shards ODEVITY assigns in reverse, and that
// ROUND_ROBIN rotates by two among four as among three.
const evenName = "2"

// TestPlanReshardBesideJava has the plan of what would move come true where a
// Java leader reshards, among agents of its own kind and among both.
func TestPlanReshardBesideJava(t *testing.T) {
	strategies := []string{sharding.NameRoundRobin, sharding.NameOdevity, sharding.NameAverage}
	withJava(t, func(t *testing.T, version string) {
		t.Run("java alone", func(t *testing.T) {
			t.Parallel()
			f := newFleetAt(t, version, place{job: evenName}, "--shards=5")
			leader := f.start(java)
			f.awaitLeader(leader)
			agents := []*process{leader}
			for n := range 3 {
				agents = append(agents, f.launchJava(fmt.Sprint("java ", n+2)))
			}
			for _, p := range agents[1:] {
				f.awaitReady(p)
			}
			f.reshard(agents...)
			for n, strategy := range strategies {
				f.comesTrue(statistics.Change{Strategy: strategy, Shards: 10 - n}, agents...)
				// At last the leader itself goes, and who takes its place reshards.
				leaves := agents[len(agents)-1]
				if n == 2 {
					leaves = leader
				}
				agents = slices.DeleteFunc(agents, func(p *process) bool { return p == leaves })
				f.comesTrue(statistics.Change{Leave: []string{leaves.id}}, append([]*process{leaves}, agents...)...)
			}
		})
		t.Run("both kinds", func(t *testing.T) {
			t.Parallel()
			f := newFleetAt(t, version, place{job: evenName}, "--shards=5")
			leader, low := f.startLed(java)
			second, high := f.launchJava("java 2"), f.startGo("high", highAddress)
			f.awaitReady(second)
			agents := []*process{leader, second, low, high}
			f.reshard(agents...)
			for n, strategy := range strategies {
				f.unmoved(strategy, agents...)
				f.comesTrue(statistics.Change{Shards: 10 - n}, agents...)
				f.comesTrue(statistics.Change{Disable: []string{lowAddress}}, agents...)
				f.comesTrue(statistics.Change{Enable: []string{lowAddress}, Shards: 6 + n}, agents...)
				f.comesTrue(statistics.Change{Leave: []string{high.id}}, agents...)
				high = f.comesTrue(statistics.Change{Join: []string{highAddress + "@-@1"}}, leader, second, low)
				agents[3] = high
			}
		})
	})
}

// comesTrue asks what a change would move, makes it happen and compares that
// with what the Java leader assigned. The agents are those before the change; it
// returns the one that came, if one did.
func (f *fleet) comesTrue(change statistics.Change, agents ...*process) (came *process) {
	f.t.Helper()
	before := f.ownersNow(f.t.Context())
	plan, err := f.reader().PlanReshard(f.t.Context(), f.job.Name(), change)
	if err != nil || !plan.Reshards {
		f.t.Fatalf("%+v: plan %+v, %v", change, plan, err)
	}
	for _, id := range change.Leave {
		k := slices.IndexFunc(agents, func(p *process) bool { return p.id == id })
		agents[k].terminate()
		f.awaitDeparture(agents[k])
		agents = slices.Delete(slices.Clone(agents), k, k+1)
	}
	for _, ip := range change.Disable {
		f.obeyed(f.operator().DisableServer(f.t.Context(), f.job.Name(), ip))
	}
	for _, ip := range change.Enable {
		f.obeyed(f.operator().EnableServer(f.t.Context(), f.job.Name(), ip))
	}
	if change.Shards > 0 || change.Strategy != "" {
		f.change(change)
	}
	for _, id := range change.Join { // Nobody knows the number of a process that is to come.
		came = f.startGo("came", jobtree.InstanceIP(id))
		agents = append(slices.Clone(agents), came)
		for n := range plan.Owners {
			plan.Owners[n] = strings.ReplaceAll(plan.Owners[n], id, came.id)
		}
		for n := range plan.Moves {
			plan.Moves[n].To = strings.ReplaceAll(plan.Moves[n].To, id, came.id)
		}
	}
	f.awaitExists(f.job.Necessary())
	f.reshard(agents...)
	after := f.ownersNow(f.t.Context())
	if diff := cmp.Diff(after, plan.Owners); diff != "" {
		f.t.Fatalf("%+v: owners (-what happened +plan %+v):\n%s", change, plan, diff)
	}
	if diff := cmp.Diff(movesBetween(before, after), plan.Moves); diff != "" {
		f.t.Fatalf("%+v: moves (-what happened +plan %+v):\n%s", change, plan, diff)
	}
	return came
}

// unmoved gives the job another strategy, of which a Java leader takes no
// notice, as the plan says.
func (f *fleet) unmoved(strategy string, agents ...*process) {
	f.t.Helper()
	before := f.ownersNow(f.t.Context())
	plan, err := f.reader().PlanReshard(f.t.Context(), f.job.Name(), statistics.Change{Strategy: strategy})
	if err != nil || plan.Reshards || len(plan.Moves) > 0 {
		f.t.Fatalf("%s: plan %+v, %v", strategy, plan, err)
	}
	f.change(statistics.Change{Strategy: strategy})
	f.pass(time.Now().Add(moment))
	if f.exists(f.t.Context(), f.job.Necessary()) {
		f.t.Errorf("%s is announced", strategy)
	}
	f.reshard(agents...)
	if diff := cmp.Diff(f.ownersNow(f.t.Context()), plan.Owners); diff != "" || !slices.Equal(before, plan.Owners) {
		f.t.Fatalf("%s: owners %v (-what happened +plan %+v):\n%s", strategy, before, plan, diff)
	}
}

// change stores another number of shards or strategy.
func (f *fleet) change(change statistics.Change) {
	f.t.Helper()
	f.configure(func(c *jobconfig.Config) {
		if change.Shards > 0 {
			c.Shards = change.Shards
		}
		if change.Strategy != "" {
			c.StrategyType = change.Strategy
		}
	})
}

// reshard triggers runs until no resharding is announced any more, and until those
// who own something have run: each Java agent announces what it sees, and the
// last to see something may do so after the leader has resharded.
func (f *fleet) reshard(agents ...*process) {
	f.t.Helper()
	for again := true; again; again = f.exists(f.t.Context(), f.job.Necessary()) {
		from := time.Now()
		var triggers []string
		for _, p := range agents {
			triggers = append(triggers, f.job.Trigger(p.id))
		}
		f.triggerUnasked(agents...)
		f.awaitAbsent(triggers...)
		f.pass(time.Now().Add(moment / 4)) // For those who announce late.
		f.until(patience, func(ctx context.Context) error {
			owners := f.ownersNow(ctx)
			runs := f.runsSince(from)
			for _, p := range agents {
				ran := slices.ContainsFunc(runs, func(r *run) bool { return r.agent == p && !r.end.IsZero() })
				if slices.Contains(owners, p.id) && !ran {
					return fmt.Errorf("%s has not run", p.name)
				}
			}
			if len(runs) == 0 || f.exists(ctx, f.job.Processing()) {
				return errors.New("nothing has run")
			}
			return nil
		})
	}
	for n := range f.ownersNow(f.t.Context()) {
		f.awaitAbsent(f.job.ItemRunning(n)) // Until then an agent drops the next trigger.
	}
}

func (f *fleet) reader() *statistics.Reader {
	return statistics.NewReader(treetest.Registry(f.client, f.tree))
}

// ownersNow lists the owners of all shards there are.
func (f *fleet) ownersNow(ctx context.Context) []string {
	f.t.Helper()
	names, _, err := f.client.Children(ctx, f.job.Sharding())
	if err != nil && !errors.Is(err, zk.ErrNoNode) { // Before the first resharding there are none.
		f.t.Fatal(err)
	}
	var owners []string
	for n := range names {
		owners = append(owners, f.get(ctx, f.job.ItemInstance(n)))
	}
	return owners
}

// movesBetween is what changed hands.
func movesBetween(before, after []string) []statistics.Move {
	var moves []statistics.Move
	for n := range max(len(before), len(after)) {
		m := statistics.Move{Item: n}
		if n < len(before) {
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

// TestExplainBesideJava asks why a job that a Java agent leads does not run,
// and checks by triggering runs that it is so.
func TestExplainBesideJava(t *testing.T) {
	withJava(t, func(t *testing.T, version string) {
		f := newFleet(t, version, mortal, neverFires, "--shards=2")
		agent := f.start(java)
		f.awaitLeader(agent)
		order, name := f.operator(), f.job.Name()
		runs := func(items []int, agents ...*process) {
			t.Helper()
			from := time.Now()
			f.triggerUnasked(agents...)
			f.awaitRuns(from, len(items))
			f.pass(time.Now().Add(moment)) // For runs that should not be.
			var seen []int
			for _, r := range f.runsSince(from) {
				seen = append(seen, r.item)
			}
			if slices.Sort(seen); !slices.Equal(seen, items) {
				t.Errorf("shards %v ran, want %v", seen, items)
			}
			f.awaitAbsent(f.job.ItemRunning(0), f.job.ItemRunning(1))
		}
		const announced = "RESHARDING_ANNOUNCED NOTHING []"

		f.awaitExists(f.job.Necessary())
		f.explains(announced) // Nothing is assigned yet, and it runs all the same.
		runs([]int{0, 1}, agent)
		f.explains()

		if err := order.DisableShard(t.Context(), name, 1); err != nil {
			t.Fatal(err)
		}
		f.explains("ITEM_DISABLED ITEMS [1]")
		runs([]int{0}, agent)
		if err := order.EnableShard(t.Context(), name, 1); err != nil {
			t.Fatal(err)
		}

		f.obeyed(order.Disable(t.Context(), name))
		f.explains("JOB_DISABLED JOB []")
		runs(nil, agent)
		f.obeyed(order.Enable(t.Context(), name))
		f.awaitLeader(agent)
		f.explains(announced)
		runs([]int{0, 1}, agent)
		f.explains()

		// From here on what is announced is assigned before it is looked at what
		// runs: see assignedByJava.
		explainsTwo(t, f, announced, agent, runs, order, name)
	})
}

// explainsTwo: from here on what is announced is assigned before it is looked at what runs, see assignedByJava.
func explainsTwo(t *testing.T, f *fleet, announced string, agent *process, runs func(items []int, agents ...*process), order *lifecycle.Operator, name string) {
	other := f.start(golang)
	f.explains(announced)
	f.reshard(agent, other)
	runs([]int{0, 1}, agent, other)
	f.explains()
	f.obeyed(order.DisableServer(t.Context(), name, other.ip()))
	f.explains("SERVER_DISABLED SERVER []", announced, "ITEM_OWNER_DISABLED NOTHING [1]")
	f.reshard(agent, other)
	runs([]int{0, 1}, agent, other)
	f.explains("SERVER_DISABLED SERVER []")
	f.obeyed(order.EnableServer(t.Context(), name, other.ip()))
	f.explains(announced)
	f.reshard(agent, other)
	runs([]int{0, 1}, agent, other)
	f.obeyed(order.DisableServer(t.Context(), name, agent.ip()))
	f.awaitLeader(other)
	f.explains("SERVER_DISABLED SERVER []") // Ours reshards at once.
	runs([]int{0, 1}, agent, other)
	f.obeyed(order.EnableServer(t.Context(), name, agent.ip()))

	agent.kill()
	other.kill()
	f.awaitDeparture(agent)
	f.awaitDeparture(other)
	f.explains("NO_INSTANCE JOB []")
}

// explainsMisfires watches until it has been explained of both kinds that they
// miss fire times, and what each makes of it: ours makes up for them when the
// run ends, Java's after the next run.
func (f *fleet) explainsMisfires(owners map[int]string, java *process) {
	f.t.Helper()
	said := make(map[string]string)
	f.until(patience, func(ctx context.Context) error {
		e, err := f.reader().Explain(ctx, f.job.Name())
		if err != nil {
			return err
		}
		for _, each := range e.Findings {
			if each.Code == statistics.CodeMisfireWaiting || each.Code == statistics.CodeOverrun {
				said[fmt.Sprintf("%s %s java %v", each.Code, each.Effect, owners[each.Items[0]] == java.id)] = each.Sentence
			}
		}
		for key, words := range map[string]string{
			"OVERRUN NOTHING java true": "once, after the next run", "OVERRUN NOTHING java false": "once, when the run ends",
			"MISFIRE_WAITING NOTHING java true": "after the next run", "MISFIRE_WAITING NOTHING java false": "when the owner is free",
		} {
			if !strings.Contains(said[key], words) {
				return fmt.Errorf("nobody says %s with %q: %q", key, words, said)
			}
		}
		return nil
	})
}

// explains waits until an explanation has these findings: their codes, effects
// and shards.
func (f *fleet) explains(want ...string) {
	f.t.Helper()
	f.until(patience, func(ctx context.Context) error {
		e, err := f.reader().Explain(ctx, f.job.Name())
		if err != nil {
			return err
		}
		var got []string
		for _, each := range e.Findings {
			got = append(got, fmt.Sprintf("%s %s %v", each.Code, each.Effect, each.Items))
		}
		if !slices.Equal(got, want) {
			return fmt.Errorf("the findings are %q, want %q: %+v", got, want, e.Findings)
		}
		return nil
	})
}
