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
	if j.control.known || !j.Host.Absent(j.Name()) {
		if _, exists, err := j.Host.Client.Exists(ctx, j.Tree.Root()); err != nil || exists {
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
	class := j.Def.Class
	if class == "" {
		class = j.Name() // Java 3.0.2 takes an empty class for a conflict.
	}
	status := jobtree.ServerEnabled
	if declared.Disabled {
		status = jobtree.ServerDisabled
	}
	persistent := func(path string, data string) zk.Op { return zk.CreateOp(path, []byte(data), zk.Persistent) }
	server, instance := j.Tree.Server(j.Host.IP), j.Tree.Instance(j.id)
	ops := []zk.Op{
		persistent(j.Tree.Root(), class), persistent(j.Tree.Config(), string(config)),
		persistent(nodes.Parent(server), ""), persistent(server, status),
		persistent(nodes.Parent(instance), ""),
		zk.CreateOp(instance, jobtree.EncodeInstance(jobtree.InstanceInfo{ID: j.id, ServerIP: j.Host.IP}), zk.Ephemeral),
		persistent(j.Tree.Extension(), ""), persistent(j.Tree.Agents(), ""),
		zk.CreateOp(j.Nodes.Agent(j.id), j.Host.Announcement(), zk.Ephemeral),
	}
	assignment := j.assignOps()
	if len(nodes.Chunks(nodes.Singly(append(ops, assignment...)))) > 1 {
		assignment = nil // Too many shards for one transaction: they are assigned as usual.
	}
	ops = append(ops, assignment...)
	// Together with those of other jobs, as an agent starts with many.
	err = j.Host.Client.MultiTogether(ctx, ops...)
	if refused := (*zk.MultiError)(nil); errors.As(err, &refused) && refused.Index == 0 && errors.Is(err, zk.ErrNoNode) {
		if _, err := j.Host.Client.CreateAll(ctx, j.Host.Tree.Root(), nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists) != nil {
			return err
		}
		err = j.Host.Client.MultiTogether(ctx, ops...)
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
		c.assigned = make([]string, j.Def.Config.Shards)
		for n := range c.assigned {
			c.assigned[n] = j.id
			c.mine = append(c.mine, n)
		}
		c.untouched, c.noted = true, firerecord.Kept(j.Def.Config)
		j.Cache.WatchShards(j.Def.Config, c.mine)
	}
	return nil
}

// assignOps make this instance the leader and give it every shard. There are
// none when it may not run anything, or when a strategy is at work that
// remembers whom it gave something, or is of the user's own.
func (j *Job) assignOps() []zk.Op {
	c := j.Def.Config
	if _, err := sharding.ByName(c.StrategyType); err != nil || c.Disabled || c.StrategyType == sharding.NameSingleShardingBalance {
		return nil
	}
	election, flags := nodes.Parent(j.Tree.LeaderInstance()), j.Nodes.Flags()
	ops := []zk.Op{
		zk.CreateOp(nodes.Parent(election), nil, zk.Persistent), zk.CreateOp(election, nil, zk.Persistent),
		zk.CreateOp(j.Tree.LeaderInstance(), []byte(j.id), zk.Ephemeral),
		zk.CreateOp(flags, nil, zk.Persistent), zk.CreateOp(j.Tree.Sharding(), nil, zk.Persistent),
	}
	for n := range c.Shards {
		ops = append(ops, zk.CreateOp(j.Tree.Item(n), nil, zk.Persistent),
			zk.CreateOp(j.Tree.ItemInstance(n), []byte(j.id), zk.Persistent))
	}
	if !firerecord.Kept(c) {
		return ops
	}
	record := jobtree.FireRecord{Through: j.Host.Time(), Owner: j.id}.Encode()
	ops = append(ops, zk.CreateOp(j.Tree.FireRecords(), firetime.NewEra(c, 0, j.Host.Time()).Encode(), zk.Persistent))
	for n := range c.Shards {
		ops = append(ops, zk.CreateOp(j.Tree.FireRecord(n), record, zk.Persistent))
	}
	return ops
}
