package engine

import (
	"context"
	"errors"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
)

// foundNew founds the job if the registry does not have it, and reports whether
// it did.
func (j *Job) foundNew(ctx context.Context, session zk.Session) (bool, error) {
	if j.control.known || !j.env.absent(j.Name()) {
		if _, exists, err := j.env.Client.Exists(ctx, j.tree.Root()); err != nil || exists {
			return false, err
		}
	}
	err := j.found(ctx, session)
	j.control.known = true
	return err == nil, zk.Ignore(err, zk.ErrNodeExists)
}

// found brings a job into being that the registry does not know: one
// transaction writes what registration, election and the first assignment
// would write one after the other, some fifty requests. Nobody else can be
// registered for a job that does not exist, so there is nobody to be elected
// against and nobody else to get a shard; and should another instance found the
// same job at this moment, one of the two is refused and registers as usual.
//
// It fails with zk.ErrNodeExists when the job exists.
func (j *Job) found(ctx context.Context, session zk.Session) error {
	declared, err := j.declared(ctx, nil)
	if err != nil {
		return err
	}
	config, err := declared.Encode()
	if err != nil {
		return err
	}
	class := j.def.Class
	if class == "" {
		class = j.Name() // Java 3.0.2 takes an empty class for a conflict.
	}
	status := jobtree.ServerEnabled
	if declared.Disabled {
		status = jobtree.ServerDisabled
	}
	persistent := func(path string, data string) zk.Op { return zk.CreateOp(path, []byte(data), zk.Persistent) }
	server, instance := j.tree.Server(j.env.IP), j.tree.Instance(j.id)
	ops := []zk.Op{
		persistent(j.tree.Root(), class), persistent(j.tree.Config(), string(config)),
		persistent(nodes.Parent(server), ""), persistent(server, status),
		persistent(nodes.Parent(instance), ""),
		zk.CreateOp(instance, jobtree.EncodeInstance(jobtree.InstanceInfo{ID: j.id, ServerIP: j.env.IP}), zk.Ephemeral),
		persistent(j.tree.Extension(), ""), persistent(j.tree.Agents(), ""),
		zk.CreateOp(j.nodes.Agent(j.id), j.env.announcement(), zk.Ephemeral),
	}
	assignment := j.assignOps()
	if len(nodes.Chunks(nodes.Singly(append(ops, assignment...)))) > 1 {
		assignment = nil // Too many shards for one transaction: they are assigned as usual.
	}
	ops = append(ops, assignment...)
	// Together with those of other jobs, as an agent starts with many.
	err = j.env.Client.MultiBatched(ctx, ops...)
	if refused := (*zk.MultiError)(nil); errors.As(err, &refused) && refused.Index == 0 && errors.Is(err, zk.ErrNoNode) {
		if _, err := j.env.Client.CreateAll(ctx, j.env.Tree.Root(), nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists) != nil {
			return err
		}
		err = j.env.Client.MultiBatched(ctx, ops...)
	}
	if err != nil {
		return err
	}
	j.enter(session)
	c := &j.control
	c.founded, c.givesWay = true, true
	if assignment != nil {
		c.lead.absent.at = time.Now() // There is no server but this one's, and no trigger.
		c.lead.orphans = orphans{looked: true, at: time.Now(), instances: []string{j.id}}
		c.assigned = make([]string, j.def.Config.Shards)
		for n := range c.assigned {
			c.assigned[n] = j.id
			c.mine = append(c.mine, n)
		}
		c.untouched, c.noted = true, firerecord.Kept(j.def.Config)
		j.cache.watchShards(j.def.Config, c.mine)
	}
	return nil
}

// assignOps make this instance the leader and give it every shard. There are
// none when it may not run anything, or when a strategy is at work that
// remembers whom it gave something, or is of the user's own.
func (j *Job) assignOps() []zk.Op {
	c := j.def.Config
	if _, err := sharding.ByName(c.StrategyType); err != nil || c.Disabled || c.StrategyType == sharding.NameSingleShardingBalance {
		return nil
	}
	election, flags := nodes.Parent(j.tree.LeaderInstance()), j.nodes.Flags()
	ops := []zk.Op{
		zk.CreateOp(nodes.Parent(election), nil, zk.Persistent), zk.CreateOp(election, nil, zk.Persistent),
		zk.CreateOp(j.tree.LeaderInstance(), []byte(j.id), zk.Ephemeral),
		zk.CreateOp(flags, nil, zk.Persistent), zk.CreateOp(j.tree.Sharding(), nil, zk.Persistent),
	}
	for n := range c.Shards {
		ops = append(ops, zk.CreateOp(j.tree.Item(n), nil, zk.Persistent),
			zk.CreateOp(j.tree.ItemInstance(n), []byte(j.id), zk.Persistent))
	}
	if !firerecord.Kept(c) {
		return ops
	}
	record := jobtree.FireRecord{Through: j.env.now(), Owner: j.id}.Encode()
	ops = append(ops, zk.CreateOp(j.tree.FireRecords(), firetime.NewEra(c, 0, j.env.now()).Encode(), zk.Persistent))
	for n := range c.Shards {
		ops = append(ops, zk.CreateOp(j.tree.FireRecord(n), record, zk.Persistent))
	}
	return ops
}

// Survey looks once which jobs the registry has, so that those to be registered
// next need not look each. It is a hint and no more: without an answer, and for
// jobs that come later, everything works as well.
func (e *Env) Survey(ctx context.Context) {
	names, _, err := e.Client.Children(ctx, e.Tree.Root())
	if err != nil && !errors.Is(err, zk.ErrNoNode) {
		return
	}
	present := make(map[string]bool, len(names))
	for _, name := range names {
		present[name] = true
	}
	e.present.Store(&present)
}

// Surveyed ends the time in which the answer is of use.
func (e *Env) Surveyed() { e.present.Store(nil) }

// absent reports whether the registry is known not to have had a job a moment ago.
func (e *Env) absent(job string) bool {
	present := e.present.Load()
	return present != nil && !(*present)[job]
}
