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

// ConflictError is returned if another program serves a job of the same name.
type ConflictError struct {
	Job, Stored, Own string

	// Legacy is set if the stored job belongs to ElasticJob 2.1.
	Legacy bool
}

// Error uses ElasticJob's wording, because operators search for it.
func (e *ConflictError) Error() string {
	if e.Legacy {
		return fmt.Sprintf("Job conflict with register center. The job '%s' in register center is a job of ElasticJob 2.1 (class '%s'), "+
			"and its agents can't share a job with agents of 3.0. Stop them and remove the job, or choose another name", e.Job, e.Stored)
	}
	return fmt.Sprintf("Job conflict with register center. The job '%s' in register center's class is '%s', your job class is '%s'", e.Job, e.Stored, e.Own)
}

// Outcome is the result of a registration.
type Outcome int

// Outcomes of a successful registration.
const (
	Entered Outcome = iota // the instance is in the tree, and its nodes are watched
	Founded                // the job is, too, so the agent should found its other jobs first
	Gone                   // the job was removed while this instance was away
)

// Register adds the instance to the tree under a new session: the configuration (only the first
// time), the server node, the instance node and the watches. Every step may be repeated.
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
		// Otherwise the note of an earlier instance with this id would hide the loss of this one.
		if err := c.Host.Client.Delete(ctx, c.Tree.Left(c.Self.ID()), zk.AnyVersion); zk.Ignore(err, zk.ErrNoNode) != nil {
			return Entered, fmt.Errorf("delete the previous instance's departure note: %w", err)
		}
	} else if _, exists, err := c.Host.Client.Exists(ctx, c.Tree.Config()); err != nil {
		return Entered, fmt.Errorf("look for the configuration: %w", err)
	} else if !exists {
		c.Log.InfoContext(ctx, "job was removed while this instance was away; restart the agent to serve it again")
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

func (c *Controller) enter() {
	c.watch()
	c.assigned, c.instances, c.departing, c.born = nil, nil, nil, 0
	c.share, c.Doubts = share{claims: claimLimit}, nil
	c.leader.EndTerm()
}

// settleConfig checks for a conflict and writes the job's class and configuration if the tree has
// none or if the job overwrites it. Otherwise, as in ElasticJob, the stored configuration counts.
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
			own = stored // Java agents compare the exact text.
		}
		if own == "" {
			own = c.Tree.Name() // Java 3.0.2 considers an empty class a conflict.
		}
		// As in Java, the configuration comes before the class in the transaction.
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
			continue // Another instance is starting at the same time, so look again.
		}
		return err
	}
}

// overwriting encodes a configuration that replaces a stored one. Settings of others in the stored
// one, such as the tracing of Java agents, survive.
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

// announceServer writes the server node if it's absent or blank. Java writes it at every start and
// so undoes an operator's DISABLED. We leave it until the operator enables the server.
func (c *Controller) announceServer(ctx context.Context) error {
	path := c.Tree.Server(c.Host.IP)
	data, stat, err := c.Host.Client.Get(ctx, path)
	switch {
	case err == nil && len(bytes.TrimSpace(data)) > 0:
		return nil
	case err != nil && !errors.Is(err, zk.ErrNoNode):
		return err
	}
	disabled, failed := c.startsDisabled(ctx)
	if failed != nil {
		return failed
	}
	status := jobtree.ServerValue(!disabled, jobconfig.Generation3x)
	if err == nil {
		_, err = c.Host.Client.Set(ctx, path, status, stat.Version)
		return zk.Ignore(err, zk.ErrBadVersion)
	}
	return zk.Ignore(c.Nodes.Create(ctx, path, status, zk.Persistent), zk.ErrNodeExists)
}

// startsDisabled reports whether a server that is new to the job is disabled. As in ElasticJob's
// JobScheduler.registerStartUpInfo, the stored configuration decides.
func (c *Controller) startsDisabled(ctx context.Context) (bool, error) {
	data, _, err := c.Host.Client.Get(ctx, c.Tree.Config())
	if err = zk.Ignore(err, zk.ErrNoNode, zk.ErrNoAuth); err != nil {
		return false, err
	}
	if stored, err := jobconfig.Decode(data); err == nil {
		return stored.Disabled, nil
	}
	return c.Def.Config.Disabled, nil
}

// announceInstance creates the ephemeral instance node. If an earlier session of ours still owns
// it, the node is replaced. If another living session owns it, the id is taken, for example by a
// container with the same address and process number. Then this instance takes a unique id.
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
			c.Log.WarnContext(ctx, "instance id belongs to another living session; using a unique one", "taken", c.Self.ID(), "instance", id)
			c.Self.Rename(id)
		}
	}
}

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

// ClearOwnMarkers removes the persistent markers of runs and claims that a lost session
// interrupted. With failover it offers the shards again, because with a single instance no other
// would. Current runs were cancelled with the session. Their markers aren't created again, because
// another instance may hold the shards already.
func (c *Controller) ClearOwnMarkers(ctx context.Context) error {
	names, err := c.Nodes.Children(ctx, c.Tree.Sharding())
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	return c.releaseOwn(ctx, jobtree.ItemNumbers(names), func(n int) []string {
		return []string{c.Tree.ItemRunning(n), c.Tree.ItemFailover(n), c.Tree.ItemFailovering(n)}
	})
}

func (c *Controller) releaseOwn(ctx context.Context, shards []int, markers func(n int) []string) error {
	own, err := nodes.Where(ctx, shards, func(ctx context.Context, n int) (held bool, err error) {
		for _, path := range markers(n) {
			if _, held, err = c.Nodes.HasData(ctx, path, c.Self.ID()); held || err != nil {
				return held, err
			}
		}
		return false, nil
	})
	if err != nil {
		return err
	}
	for _, n := range own {
		if err := c.Failover.Release(ctx, n, c.Self.ID(), true); err != nil {
			return err
		}
	}
	return nil
}

// clearLeftMarkers ends runs of our shards that an earlier process with the same id has left
// behind, for example before a container restart. It offers the shards like a crashed instance's
// shards.
func (c *Controller) clearLeftMarkers(ctx context.Context, shards []int) error {
	return c.releaseOwn(ctx, shards, func(n int) []string { return []string{c.Tree.ItemRunning(n)} })
}

// foundNew creates the job if it's missing from the registry, and reports whether it did.
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

// found creates a job that is missing from the registry. One transaction writes everything that
// registration, election and the first assignment would write in about fifty requests. No other
// instance can be registered for a missing job, so there's no rival for leadership or for shards.
// If another instance creates the same job at the same time, one of the two is refused and
// registers as usual.
//
// It fails with zk.ErrNodeExists if the job exists.
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
		class = c.Tree.Name() // Java 3.0.2 considers an empty class a conflict.
	}
	status := string(jobtree.ServerValue(!declared.Disabled, jobconfig.Generation3x))
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
		assignment = nil // Too many shards for one transaction, so they're assigned as usual.
	}
	ops = append(ops, assignment...)
	// Batched with other jobs, because an agent may start with many.
	err = c.Host.Client.MultiBatched(ctx, ops...)
	if zk.RefusedPath(err) == c.Tree.Root() && errors.Is(err, zk.ErrNoNode) {
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
		c.untouched, c.noted = true, firerecord.Enabled(c.Def.Config)
		c.Cache.WatchShards(c.Def.Config, c.mine)
	}
	return nil
}

// assignOps makes this instance the leader and gives it every shard. It returns nothing if the job
// is disabled, or if the strategy remembers earlier assignments or is user code.
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
	if !firerecord.Enabled(config) {
		return ops
	}
	record := jobtree.FireRecord{Through: c.Host.Time(), Owner: c.Self.ID()}.Encode()
	ops = append(ops, zk.CreateOp(c.Tree.FireRecords(), firetime.NewEra(config, 0, c.Host.Time()).Encode(), zk.Persistent))
	for n := range config.Shards {
		ops = append(ops, zk.CreateOp(c.Tree.FireRecord(n), record, zk.Persistent))
	}
	return ops
}

// declared returns the declared configuration in the dialect of the agents that will read it: the
// dialect of the stored configuration, or else of other jobs in the namespace. Only a job that
// names its executor needs one.
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

// ConflictWith returns the [ConflictError] that a job with this name and another class would get
// now.
func (c *Controller) ConflictWith(ctx context.Context, class string) error {
	data, _, err := c.Host.Client.Get(ctx, c.Tree.Root())
	if err != nil {
		return zk.Ignore(err, zk.ErrNoNode)
	}
	return c.conflict(strings.TrimSpace(string(data)), class)
}
