package statistics

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Change is a possible change of a job. All of its parts happen at once. With the zero value, a
// plan shows a resharding without any change.
type Change struct {
	// Leave has the ids of instances that leave, and Join the ids of new instances. The server of a
	// new instance is enabled, unless it's already registered or the configuration has disabled:
	// true.
	Leave, Join []string
	// Disable and Enable have addresses of servers.
	Disable, Enable []string
	// Shards is the new number of shards, at most [jobconfig.MaxShards]; 0 means no change.
	Shards int
	// Strategy is the new sharding strategy; empty means no change. The name of the default is
	// AVG_ALLOCATION.
	Strategy string
}

// changesMembership reports whether instances or servers change. If so, every Java agent announces
// a resharding.
func (c Change) changesMembership() bool {
	return len(c.Leave)+len(c.Join)+len(c.Disable)+len(c.Enable) > 0
}

// Move is a change of a shard's owner.
type Move struct {
	Item int
	// From is the current owner, live or not; empty if the shard has none or doesn't exist yet. To
	// is the new owner; empty if the shard will be removed.
	From, To string
}

// ReshardPlan is the predicted effect of a [Change].
type ReshardPlan struct {
	Job string
	// Reshards is set if the leader would assign the shards again. Reason explains it either way.
	Reshards bool
	Reason   string
	// Moves are sorted by shard. They're empty if the new assignment is the same as the old one.
	Moves []Move
	// Owners are the owners after the change, by shard; empty for a shard without an owner. There
	// is one for each configured shard. There are more if old shards stay because the leader
	// doesn't reshard.
	Owners []string
	// Instances are the instances that may get shards after the change, in the order in which the
	// strategy sees them.
	Instances []string
	// Waits are the moved shards that are running now, because the leader waits until they end.
	// Without monitorExecution we can't know.
	Waits []int
}

var (
	// ErrInvalidChange means that the change is impossible: it names an instance or a server that
	// doesn't exist, or a number of shards below one.
	ErrInvalidChange = errors.New("impossible change")
	// ErrUnpredictable means that the owners can't be predicted, because the strategy depends on
	// the time of day or is known only to the agents.
	ErrUnpredictable = errors.New("not predictable")
)

// PlanReshard predicts which shards would move if a change happened now. It runs the strategies
// that leaders run, and writes nothing. A Go leader reshards at once and a Java leader at the next
// fire time, with the same result. But a Java leader ignores a change of only the strategy.
//
// The error wraps ErrJobNotFound, ErrInvalidChange or ErrUnpredictable.
func (r *Reader) PlanReshard(ctx context.Context, name string, change Change) (*ReshardPlan, error) {
	op := fmt.Sprintf("plan the resharding of job %q", name)
	if err := jobtree.ValidateNodeName(name); err != nil {
		return nil, fmt.Errorf("%s: %w: %w", op, ErrJobNotFound, err)
	}
	if err := change.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	ctx, cancel := withDeadline(ctx)
	defer cancel()
	e, err := r.newFetcher().evidence(ctx, r.ns.Job(name), forDetail)
	if err == nil && !e.config.exists {
		err = ErrJobNotFound
	}
	if err != nil {
		return nil, wrap(op, err)
	}
	plan, err := e.plan(change)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", op, err)
	}
	return plan, nil
}

const maxNamed = 1000

// check rejects an invalid change before we allocate memory for it.
func (c Change) check() error {
	if named := len(c.Leave) + len(c.Join) + len(c.Disable) + len(c.Enable); named > maxNamed {
		return fmt.Errorf("%w: it names %d instances and servers, more than %d", ErrInvalidChange, named, maxNamed)
	}
	switch {
	case c.Shards < 0:
		return fmt.Errorf("%w: %d shards", ErrInvalidChange, c.Shards)
	case c.Shards > jobconfig.MaxShards:
		return fmt.Errorf("%w: %d shards are more than the %d that a job can have", ErrInvalidChange, c.Shards, jobconfig.MaxShards)
	}
	return nil
}

func (e *evidence) plan(change Change) (*ReshardPlan, error) {
	plan := &ReshardPlan{Job: e.job.Name()}
	if e.decoded == nil || e.configErr != nil {
		plan.Reason = "no leader reshards while the configuration cannot be used"
		return plan, nil
	}
	config := *e.decoded
	if change.Shards > 0 {
		config.Shards = change.Shards
	}
	if change.Strategy != "" {
		config.StrategyType = change.Strategy
	}
	var err error
	if plan.Instances, err = e.fleet(change, &config); err != nil {
		return nil, err
	}
	before, err := e.fleet(Change{}, e.decoded)
	if err != nil {
		return nil, err
	}
	plan.Owners = e.owners(config.Shards)
	flagged := e.necessary.exists || e.processing.exists
	state := e.shardingState(&config, plan.Instances)
	state.Basis = sharding.Topology(e.decoded.Shards, e.decoded.StrategyType, before)
	unserved := state.Unserved()
	switch {
	case len(plan.Instances) == 0:
		plan.Reason = "no instance would be there to get shards"
		return plan, nil
	case flagged:
		plan.Reason = "a resharding is announced already"
	case config.StaticSharding && state.Existing == config.Shards:
		if plan.Reason = "staticSharding is on, so no leader reshards"; unserved != "" {
			plan.Reason += ", although " + unserved
		}
		return plan, nil
	case state.Existing == config.Shards && unserved == "" && config.StrategyType != e.decoded.StrategyType && e.javas(e.leader.data) && !change.changesMembership():
		plan.Reason = "the leader is an agent of Java's: it applies another strategy only when the instances, the servers or the number of shards change"
		return plan, nil
	default:
		plan.Reason = state.Reason()
	}
	wanted, err := assign(e.job.Name(), &config, plan.Instances)
	if err != nil {
		return nil, err
	}
	if plan.Reason == "" { // A new leader decides in the same way.
		state.Basis, state.Wanted = "", func() (map[string][]int, error) { return wanted, nil }
		plan.Reason = state.Reason()
	}
	plan.move(e, sharding.Owners(wanted, config.Shards))
	if plan.Reshards = len(plan.Moves) > 0 || flagged; !plan.Reshards {
		plan.Reason = "the shards are where they would be assigned"
	}
	return plan, nil
}

// shardingState returns the state by which a leader decides, as the tree shows it.
func (e *evidence) shardingState(config *jobconfig.Config, instances []string) sharding.State {
	shards := jobtree.ShardCount(config.Shards)
	return sharding.State{
		Shards: shards, Strategy: config.StrategyType, Static: config.StaticSharding,
		Existing: len(e.items), Owners: e.owners(shards)[:shards], Instances: instances,
	}
}

func assign(job string, config *jobconfig.Config, instances []string) (map[string][]int, error) {
	if config.StrategyType == sharding.NameSingleShardingBalance {
		return nil, fmt.Errorf("%w: %s chooses by the time of day", ErrUnpredictable, config.StrategyType)
	}
	strategy, err := sharding.ByName(config.StrategyType)
	if err != nil {
		return nil, fmt.Errorf("%w: only its agents know the strategy %q", ErrUnpredictable, config.StrategyType)
	}
	return strategy.Assign(instances, job, config.Shards), nil
}

// move fills in Moves, Waits and Owners.
func (p *ReshardPlan) move(e *evidence, wanted []string) {
	running := make(map[int]bool)
	for _, item := range e.items {
		running[item.number] = item.running.exists
	}
	for n, to := range wanted {
		if p.Owners[n] != to {
			p.Moves = append(p.Moves, Move{n, p.Owners[n], to})
		}
	}
	for _, item := range e.items {
		if item.number >= len(wanted) {
			p.Moves = append(p.Moves, Move{item.number, item.instance.data, ""})
		}
	}
	for _, m := range p.Moves {
		if running[m.Item] {
			p.Waits = append(p.Waits, m.Item)
		}
	}
	p.Owners = wanted
}

// owners returns the current owners of the configured shards, and of existing shards beyond them.
func (e *evidence) owners(configured int) []string {
	total := configured
	for _, item := range e.items {
		if item.number < jobconfig.MaxShards {
			total = max(total, item.number+1)
		}
	}
	owners := make([]string, total)
	for _, item := range e.items {
		if item.number < total {
			owners[item.number] = item.instance.data
		}
	}
	return owners
}

// fleet returns the instances that may get shards after a change, in the order of SortInstances.
func (e *evidence) fleet(change Change, config *jobconfig.Config) ([]string, error) {
	g := config.Generation
	servers := make(map[string][]byte, len(e.serverIPs))
	for i, ip := range e.serverIPs {
		servers[ip] = []byte(e.servers[i].data)
	}
	for _, id := range change.Leave {
		if !slices.Contains(e.instanceIDs, id) {
			return nil, fmt.Errorf("%w: no instance %s is there to leave", ErrInvalidChange, id)
		}
	}
	// An instance registers its server before itself, unless the server is already registered.
	for _, id := range change.Join {
		if err := jobtree.ValidateInstanceID(id); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrInvalidChange, err)
		}
		if slices.Contains(e.instanceIDs, id) && !slices.Contains(change.Leave, id) {
			return nil, fmt.Errorf("%w: instance %s is there already", ErrInvalidChange, id)
		}
		if ip := jobtree.InstanceIP(id); !slices.Contains(e.serverIPs, ip) {
			servers[ip] = jobtree.ServerValue(!config.Disabled, g)
		}
	}
	for _, switched := range []struct {
		ips []string
		on  bool
	}{{change.Disable, false}, {change.Enable, true}} {
		for _, ip := range switched.ips {
			if _, known := servers[ip]; !known {
				return nil, fmt.Errorf("%w: the job has no server %s", ErrInvalidChange, ip)
			}
			servers[ip] = jobtree.ServerValue(switched.on, g)
		}
	}
	lookup := func(ip string) ([]byte, bool) {
		data, registered := servers[ip]
		return data, registered
	}
	var ids []string
	for i, id := range e.instanceIDs {
		info, standing, _ := jobtree.JudgeInstance(id, []byte(e.instances[i].data), g, lookup)
		if standing == jobtree.Serves && !slices.Contains(change.Leave, id) {
			ids = append(ids, info.ID)
		}
	}
	for _, id := range change.Join {
		info := jobtree.InstanceInfo{ID: id, ServerIP: jobtree.InstanceIP(id)}
		if info.Standing(g, lookup) == jobtree.Serves && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	sharding.SortInstances(ids)
	return ids, nil
}
