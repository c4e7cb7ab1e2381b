package control

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
func (c *Controller) foundNew(ctx context.Context) (bool, error) {
	if c.known || !c.Host.Absent(c.Tree.Name()) {
		if _, exists, err := c.Host.Client.Exists(ctx, c.Tree.Root()); err != nil || exists {
			return false, err
		}
	}
	err := c.found(ctx)
	c.known = true
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
func (c *Controller) found(ctx context.Context) error {
	declared, err := c.declared(ctx, nil)
	if err != nil {
		return err
	}
	config, err := declared.Encode()
	if err != nil {
		return err
	}
	class := c.Def.Class
	if class == "" {
		class = c.Tree.Name() // Java 3.0.2 takes an empty class for a conflict.
	}
	status := jobtree.ServerEnabled
	if declared.Disabled {
		status = jobtree.ServerDisabled
	}
	persistent := func(path string, data string) zk.Op { return zk.CreateOp(path, []byte(data), zk.Persistent) }
	server, instance := c.Tree.Server(c.Host.IP), c.Tree.Instance(c.Self.ID())
	ops := []zk.Op{
		persistent(c.Tree.Root(), class), persistent(c.Tree.Config(), string(config)),
		persistent(nodes.Parent(server), ""), persistent(server, status),
		persistent(nodes.Parent(instance), ""),
		zk.CreateOp(instance, jobtree.EncodeInstance(jobtree.InstanceInfo{ID: c.Self.ID(), ServerIP: c.Host.IP}), zk.Ephemeral),
		persistent(c.Tree.Extension(), ""), persistent(c.Tree.Agents(), ""),
		zk.CreateOp(c.Nodes.Agent(c.Self.ID()), c.Host.Announcement(), zk.Ephemeral),
	}
	assignment := c.assignOps()
	if len(nodes.Chunks(nodes.Singly(append(ops, assignment...)))) > 1 {
		assignment = nil // Too many shards for one transaction: they are assigned as usual.
	}
	ops = append(ops, assignment...)
	// Together with those of other jobs, as an agent starts with many.
	err = c.Host.Client.MultiTogether(ctx, ops...)
	if refused := (*zk.MultiError)(nil); errors.As(err, &refused) && refused.Index == 0 && errors.Is(err, zk.ErrNoNode) {
		if _, err := c.Host.Client.CreateAll(ctx, c.Host.Tree.Root(), nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists) != nil {
			return err
		}
		err = c.Host.Client.MultiTogether(ctx, ops...)
	}
	if err != nil {
		return err
	}
	c.enter()
	c.founded = true
	if assignment != nil {
		c.lead.absent.at = time.Now() // There is no server but this one's, and no trigger.
		c.lead.orphans = orphans{looked: true, at: time.Now(), instances: []string{c.Self.ID()}}
		c.assigned = make([]string, c.Def.Config.Shards)
		for n := range c.assigned {
			c.assigned[n] = c.Self.ID()
			c.mine = append(c.mine, n)
		}
		c.untouched, c.noted = true, firerecord.Kept(c.Def.Config)
		c.Cache.WatchShards(c.Def.Config, c.mine)
	}
	return nil
}

// assignOps make this instance the leader and give it every shard. There are
// none when it may not run anything, or when a strategy is at work that
// remembers whom it gave something, or is of the user's own.
func (c *Controller) assignOps() []zk.Op {
	config := c.Def.Config
	if _, err := sharding.ByName(config.StrategyType); err != nil || config.Disabled || config.StrategyType == sharding.NameSingleShardingBalance {
		return nil
	}
	election, flags := nodes.Parent(c.Tree.LeaderInstance()), c.Nodes.Flags()
	ops := []zk.Op{
		zk.CreateOp(nodes.Parent(election), nil, zk.Persistent), zk.CreateOp(election, nil, zk.Persistent),
		zk.CreateOp(c.Tree.LeaderInstance(), []byte(c.Self.ID()), zk.Ephemeral),
		zk.CreateOp(flags, nil, zk.Persistent), zk.CreateOp(c.Tree.Sharding(), nil, zk.Persistent),
	}
	for n := range config.Shards {
		ops = append(ops, zk.CreateOp(c.Tree.Item(n), nil, zk.Persistent),
			zk.CreateOp(c.Tree.ItemInstance(n), []byte(c.Self.ID()), zk.Persistent))
	}
	if !firerecord.Kept(config) {
		return ops
	}
	record := jobtree.FireRecord{Through: c.Host.Time(), Owner: c.Self.ID()}.Encode()
	ops = append(ops, zk.CreateOp(c.Tree.FireRecords(), firetime.NewEra(config, 0, c.Host.Time()).Encode(), zk.Persistent))
	for n := range config.Shards {
		ops = append(ops, zk.CreateOp(c.Tree.FireRecord(n), record, zk.Persistent))
	}
	return ops
}
