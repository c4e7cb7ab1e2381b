package control

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/firetime"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// ConflictError says that another program serves a job of this name.
type ConflictError struct {
	Job, Stored, Own string

	// Legacy tells that the stored job is one of ElasticJob 2.1.
	Legacy bool
}

// Error uses ElasticJob's own words, which operators search for.
func (e *ConflictError) Error() string {
	if e.Legacy {
		return fmt.Sprintf("Job conflict with register center. The job '%s' in register center is one of ElasticJob 2.1 (class '%s'), "+
			"whose agents cannot share a job with those of 3.0: end them and remove the job, or choose another name", e.Job, e.Stored)
	}
	return fmt.Sprintf("Job conflict with register center. The job '%s' in register center's class is '%s', your job class is '%s'", e.Job, e.Stored, e.Own)
}

// Outcome is how a registration ended.
type Outcome int

// The outcomes of a registration that did not fail.
const (
	Entered Outcome = iota // the instance is in the tree, and its nodes are watched
	Founded                // so is the job; the other jobs of the agent should be founded first
	Gone                   // the job was removed while this instance was away
)

// Register brings the instance into the tree under a new session: it settles the configuration
// (only the first time), the server node, the instance node and the watches. Every step may be
// repeated.
func (c *Controller) Register(ctx context.Context, session zk.Session, first bool) (Outcome, error) {
	c.Host.NoteSession(session.ID)
	if first {
		switch done, err := c.foundNew(ctx); {
		case err != nil:
			return Entered, fmt.Errorf("found: %w", err)
		case done:
			return Founded, nil
		}
		if err := c.settleConfig(ctx); err != nil {
			return Entered, fmt.Errorf("settle configuration: %w", err)
		}
		// Otherwise the note of an earlier instance with this id would hide a loss of this one.
		if err := c.Host.Client.Delete(ctx, c.Tree.Left(c.Self.ID()), zk.AnyVersion); zk.Ignore(err, zk.ErrNoNode) != nil {
			return Entered, fmt.Errorf("forget that the previous instance has left: %w", err)
		}
	} else if _, exists, err := c.Host.Client.Exists(ctx, c.Tree.Config()); err != nil {
		return Entered, fmt.Errorf("look for the configuration: %w", err)
	} else if !exists {
		c.Log.InfoContext(ctx, "job was removed while this instance was away; it serves again after a restart")
		return Gone, nil
	}
	if err := c.announceServer(ctx); err != nil {
		return Entered, fmt.Errorf("register server: %w", err)
	}
	if err := c.announceInstance(ctx, session); err != nil {
		return Entered, fmt.Errorf("register instance: %w", err)
	}
	if !first {
		if err := c.ClearOwnMarkers(ctx); err != nil {
			return Entered, fmt.Errorf("clear own running markers: %w", err)
		}
		c.returned = true
	}
	c.enter()
	return Entered, nil
}

// enter forgets what was true under the session before.
func (c *Controller) enter() {
	c.watch()
	c.assigned, c.instances, c.departing, c.born = nil, nil, nil, 0
	c.share, c.doubts = share{claims: claimLimit}, nil
	c.leader.EndTerm()
}

// settleConfig checks for a conflict and writes the job's class and
// configuration if the tree has none, or if the job says overwrite. Otherwise
// the stored configuration counts, as in ElasticJob.
func (c *Controller) settleConfig(ctx context.Context) error {
	for {
		class, rootStat, err := c.Host.Client.Get(ctx, c.Tree.Root())
		rootExists := err == nil
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		stored := strings.TrimSpace(string(class))
		if err := c.conflict(stored, c.Def.Class); err != nil {
			return err
		}
		data, stat, err := c.Host.Client.Get(ctx, c.Tree.Config())
		configExists := err == nil
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		if stored, err := jobconfig.Decode(data); err == nil && stored.Generation == jobconfig.Generation2x {
			return &ConflictError{Job: c.Tree.Name(), Stored: stored.JobClass, Own: c.Def.Class, Legacy: true}
		}
		if configExists && !c.Def.Config.Overwrite {
			return nil
		}
		declared, err := c.declared(ctx, data)
		if err != nil {
			return err
		}
		config, err := overwriting(declared, data)
		if err != nil {
			return err
		}
		if configExists && bytes.Equal(data, config) {
			return nil
		}
		own := c.Def.Class
		if own == "" || jobtree.SameClass(stored, own) {
			own = stored // Java agents compare every character.
		}
		if own == "" {
			own = c.Tree.Name() // Java 3.0.2 takes an empty class for a conflict.
		}
		// The order within the transaction is Java's: configuration, then class.
		var ops []zk.Op
		if rootExists {
			ops = append(ops, configOp(c.Tree.Config(), config, configExists, stat.Version), zk.SetOp(c.Tree.Root(), []byte(own), rootStat.Version))
		} else {
			if _, err := c.Host.Client.CreateAll(ctx, c.Host.Tree.Root(), nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists) != nil {
				return err
			}
			ops = append(ops, zk.CreateOp(c.Tree.Root(), []byte(own), zk.Persistent), configOp(c.Tree.Config(), config, false, 0))
		}
		err = c.Host.Client.Multi(ctx, ops...)
		if errors.Is(err, zk.ErrNodeExists) || errors.Is(err, zk.ErrBadVersion) || errors.Is(err, zk.ErrNoNode) {
			continue // Another instance starts at the same moment: look again.
		}
		return err
	}
}

// overwriting encodes a configuration that takes the place of a stored one. What
// the stored one has of others, such as the tracing of Java agents, survives.
func overwriting(config *jobconfig.Config, data []byte) ([]byte, error) {
	if stored, err := jobconfig.Decode(data); err == nil {
		config = config.Onto(stored)
	}
	return config.Encode()
}

func configOp(path string, data []byte, exists bool, version int32) zk.Op {
	if exists {
		return zk.SetOp(path, data, version)
	}
	return zk.CreateOp(path, data, zk.Persistent)
}

// announceServer writes the server node if it is absent or blank. Java writes
// it at every start and thereby undoes an operator's DISABLED; here the
// operator's word stays until the operator takes it back.
func (c *Controller) announceServer(ctx context.Context) error {
	path := c.Tree.Server(c.Host.IP)
	data, stat, err := c.Host.Client.Get(ctx, path)
	switch {
	case err == nil && len(bytes.TrimSpace(data)) > 0:
		return nil
	case err != nil && !errors.Is(err, zk.ErrNoNode):
		return err
	}
	status, failed := c.firstStatus(ctx)
	if failed != nil {
		return failed
	}
	if err == nil {
		_, err = c.Host.Client.Set(ctx, path, []byte(status), stat.Version)
		return zk.Ignore(err, zk.ErrBadVersion)
	}
	return zk.Ignore(c.Nodes.Create(ctx, path, []byte(status), zk.Persistent), zk.ErrNodeExists)
}

// firstStatus is the status of a server that the job hasn't seen yet: as the stored configuration has
// it, as in ElasticJob's JobScheduler.registerStartUpInfo.
func (c *Controller) firstStatus(ctx context.Context) (string, error) {
	disabled := c.Def.Config.Disabled
	data, _, err := c.Host.Client.Get(ctx, c.Tree.Config())
	if err = zk.Ignore(zk.Ignore(err, zk.ErrNoNode), zk.ErrNoAuth); err != nil {
		return "", err
	}
	if stored, err := jobconfig.Decode(data); err == nil {
		disabled = stored.Disabled
	}
	if disabled {
		return jobtree.ServerDisabled, nil
	}
	return jobtree.ServerEnabled, nil
}

// announceInstance creates the ephemeral instance node. One of our own earlier
// sessions may still own it: it is replaced. One of somebody else's living
// session means that the id is taken: two containers with the same address and
// process number, for example. Then this instance takes a unique id.
func (c *Controller) announceInstance(ctx context.Context, session zk.Session) error {
	for {
		path := c.Tree.Instance(c.Self.ID())
		info := jobtree.EncodeInstance(jobtree.InstanceInfo{ID: c.Self.ID(), ServerIP: c.Host.IP})
		err := c.createInstance(ctx, info)
		if !errors.Is(err, zk.ErrNodeExists) {
			return err
		}
		stat, exists, err := c.Host.Client.Exists(ctx, path)
		switch {
		case err != nil:
			return err
		case !exists:
			continue
		case stat.EphemeralOwner == session.ID:
			return nil
		case c.Host.Ours(stat.EphemeralOwner):
			if err := zk.Ignore(c.Host.Client.Delete(ctx, path, zk.AnyVersion), zk.ErrNoNode); err != nil {
				return err
			}
		default:
			id := jobtree.NewInstanceID(c.Host.IP, c.Host.Suffix+"-"+strings.ToLower(rand.Text()[:6]))
			c.Log.WarnContext(ctx, "instance id is taken by another living session; using a unique one", "taken", c.Self.ID(), "instance", id)
			c.Self.Rename(id)
		}
	}
}

// watch sets up, or after a new session invalidates, the watched nodes.
func (c *Controller) watch() {
	c.Cache.Invalidate()
	c.Cache.WatchChildren(c.Tree.Instances())
	c.Cache.WatchChildren(c.Nodes.Flags())
	for _, path := range []string{c.Tree.Config(), c.Tree.Server(c.Host.IP), c.Tree.LeaderInstance()} {
		c.Cache.Watch(path)
	}
	c.Cache.WatchFlag(c.Tree.Trigger(c.Self.ID()))
	if !c.Requested.Begun() {
		c.Cache.WatchFlag(c.Tree.RunsSignal())
	}
}

// ClearOwnMarkers removes the persistent markers of runs and claims that a lost
// session interrupted; with failover the shards are offered again, because with
// a single instance nobody else does it. Shards that run at this moment were
// cancelled with the session; their markers are not made again, because another
// instance may hold the shards by now.
func (c *Controller) ClearOwnMarkers(ctx context.Context) error {
	names, err := c.Nodes.Children(ctx, c.Tree.Sharding())
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	shards := jobtree.ItemNumbers(names)
	held := make([]bool, len(shards))
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		for _, path := range []string{c.Tree.ItemRunning(shards[i]), c.Tree.ItemFailover(shards[i]), c.Tree.ItemFailovering(shards[i])} {
			data, _, err := c.Host.Client.Get(ctx, path)
			if zk.Ignore(err, zk.ErrNoNode) != nil {
				return err
			}
			held[i] = held[i] || err == nil && string(data) == c.Self.ID()
		}
		return nil
	}); err != nil {
		return err
	}
	return c.releaseOwn(ctx, shards, held)
}

// releaseOwn releases those of shards that are held under the own id.
func (c *Controller) releaseOwn(ctx context.Context, shards []int, held []bool) error {
	for i, n := range shards {
		if !held[i] {
			continue
		}
		if err := c.Failover.Release(ctx, n, c.Self.ID(), true); err != nil {
			return err
		}
	}
	return nil
}

// clearLeftMarkers ends runs of own shards that an earlier process of the same id
// has left behind, as a container that is started again finds them, and offers
// the shards as those of a crashed instance are.
func (c *Controller) clearLeftMarkers(ctx context.Context, shards []int) error {
	left := make([]bool, len(shards))
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		data, _, err := c.Host.Client.Get(ctx, c.Tree.ItemRunning(shards[i]))
		left[i] = err == nil && string(data) == c.Self.ID()
		return zk.Ignore(err, zk.ErrNoNode)
	}); err != nil {
		return err
	}
	return c.releaseOwn(ctx, shards, left)
}

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
	err = c.Host.Client.MultiBatched(ctx, ops...)
	if refused := (*zk.MultiError)(nil); errors.As(err, &refused) && refused.Index == 0 && errors.Is(err, zk.ErrNoNode) {
		if _, err := c.Host.Client.CreateAll(ctx, c.Host.Tree.Root(), nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists) != nil {
			return err
		}
		err = c.Host.Client.MultiBatched(ctx, ops...)
	}
	if err != nil {
		return err
	}
	c.enter()
	c.founded = true
	if assignment != nil {
		c.leader.Founded()
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

// declared is the configuration as the code declares it, in the words of the
// agents that are to read it: those of what is stored, or else of other jobs in
// the namespace. Only a job that names its executor needs any.
func (c *Controller) declared(ctx context.Context, stored []byte) (*jobconfig.Config, error) {
	config := c.Def.Config
	if config.ExecutorType == "" {
		return config, nil
	}
	dialect, known := jobtree.DialectOf(stored)
	if !known {
		var err error
		if dialect, err = c.Host.Dialect(ctx); err != nil {
			return nil, err
		}
	}
	config = config.Clone()
	config.Dialect = dialect
	return config, nil
}

// conflict returns an error if a job of the stored class can't be served under the class own.
func (c *Controller) conflict(stored, own string) error {
	if stored == "" || own == "" || jobtree.SameClass(stored, own) {
		return nil
	}
	return &ConflictError{Job: c.Tree.Name(), Stored: stored, Own: own}
}

// ConflictWith returns the [ConflictError] that a job of this name and of another class
// would meet now.
func (c *Controller) ConflictWith(ctx context.Context, class string) error {
	data, _, err := c.Host.Client.Get(ctx, c.Tree.Root())
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	return c.conflict(strings.TrimSpace(string(data)), class)
}
