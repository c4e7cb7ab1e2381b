package engine

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
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

// register brings the instance into the tree under a new session: it settles
// the configuration (only the first time), the server node, the instance node
// and the watches. Every step may be repeated.
func (j *Job) register(ctx context.Context, session zk.Session) error {
	j.env.noteSession(session.ID)
	j.mu.Lock()
	first := j.epoch == 0
	j.mu.Unlock()
	if first {
		switch done, err := j.foundNew(ctx, session); {
		case err != nil:
			return fmt.Errorf("found: %w", err)
		case done:
			return nil
		}
		if err := j.settleConfig(ctx); err != nil {
			return j.refuseIf(ctx, fmt.Errorf("settle configuration: %w", err))
		}
		// Otherwise the note of an earlier instance with this id would hide a loss of this one.
		if err := j.env.Client.Delete(ctx, j.tree.Left(j.id), zk.AnyVersion); zk.Ignore(err, zk.ErrNoNode) != nil {
			return fmt.Errorf("forget that the previous instance has left: %w", err)
		}
	} else if _, exists, err := j.env.Client.Exists(ctx, j.tree.Config()); err != nil {
		return fmt.Errorf("look for the configuration: %w", err)
	} else if !exists {
		j.log.InfoContext(ctx, "job was removed while this instance was away; it serves again after a restart")
		j.close(ErrShutdown)
		return nil
	}
	if err := j.announceServer(ctx); err != nil {
		return fmt.Errorf("register server: %w", err)
	}
	if err := j.announceInstance(ctx, session); err != nil {
		return fmt.Errorf("register instance: %w", err)
	}
	if !first {
		if err := j.clearOwnMarkers(ctx); err != nil {
			return fmt.Errorf("clear own running markers: %w", err)
		}
		j.control.returned = true
	}
	j.enter(session)
	return nil
}

// enter begins to serve under a session in which the instance is registered.
func (j *Job) enter(session zk.Session) {
	j.watch()
	j.control.assigned, j.control.instances, j.control.departing, j.control.born = nil, nil, nil, 0
	j.control.share, j.control.doubts = share{claims: claimLimit}, nil
	j.endTerm()
	j.mu.Lock()
	j.epoch = session.Epoch
	j.queue.unreserve(j.queue.taken) // The claims went with the session.
	j.queue.taken, j.queue.returned = nil, nil
	if j.phase == joining {
		j.phase = serving
		select {
		case <-j.started: // It was broken since.
		default:
			close(j.started)
		}
	}
	j.mu.Unlock()
	j.log.Debug("registered", "instance", j.id, "epoch", session.Epoch)
}

// settleConfig checks for a conflict and writes the job's class and
// configuration if the tree has none, or if the job says overwrite. Otherwise
// the stored configuration counts, as in ElasticJob.
func (j *Job) settleConfig(ctx context.Context) error {
	for {
		class, rootStat, err := j.env.Client.Get(ctx, j.tree.Root())
		rootExists := err == nil
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		stored := strings.TrimSpace(string(class))
		if err := j.conflict(stored, j.def.Class); err != nil {
			return err
		}
		data, stat, err := j.env.Client.Get(ctx, j.tree.Config())
		configExists := err == nil
		if err != nil && !errors.Is(err, zk.ErrNoNode) {
			return err
		}
		if stored, err := jobconfig.Decode(data); err == nil && stored.Generation == jobconfig.Generation2x {
			return &ConflictError{Job: j.Name(), Stored: stored.JobClass, Own: j.def.Class, Legacy: true}
		}
		if configExists && !j.def.Config.Overwrite {
			return nil
		}
		declared, err := j.declared(ctx, data)
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
		own := j.def.Class
		if own == "" || jobtree.SameClass(stored, own) {
			own = stored // Java agents compare every character.
		}
		if own == "" {
			own = j.Name() // Java 3.0.2 takes an empty class for a conflict.
		}
		// The order within the transaction is Java's: configuration, then class.
		var ops []zk.Op
		if rootExists {
			ops = append(ops, configOp(j.tree.Config(), config, configExists, stat.Version), zk.SetOp(j.tree.Root(), []byte(own), rootStat.Version))
		} else {
			if _, err := j.env.Client.CreateAll(ctx, j.env.Tree.Root(), nil, zk.Container); zk.Ignore(err, zk.ErrNodeExists) != nil {
				return err
			}
			ops = append(ops, zk.CreateOp(j.tree.Root(), []byte(own), zk.Persistent), configOp(j.tree.Config(), config, false, 0))
		}
		err = j.env.Client.Multi(ctx, ops...)
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
func (j *Job) announceServer(ctx context.Context) error {
	path := j.tree.Server(j.env.IP)
	data, stat, err := j.env.Client.Get(ctx, path)
	switch {
	case err == nil && len(bytes.TrimSpace(data)) > 0:
		return nil
	case err != nil && !errors.Is(err, zk.ErrNoNode):
		return err
	}
	status := jobtree.ServerEnabled
	if j.def.Config.Disabled {
		status = jobtree.ServerDisabled
	}
	if err == nil {
		_, err = j.env.Client.Set(ctx, path, []byte(status), stat.Version)
		return zk.Ignore(err, zk.ErrBadVersion)
	}
	return zk.Ignore(j.nodes.Create(ctx, path, []byte(status), zk.Persistent), zk.ErrNodeExists)
}

// announceInstance creates the ephemeral instance node. One of our own earlier
// sessions may still own it: it is replaced. One of somebody else's living
// session means that the id is taken: two containers with the same address and
// process number, for example. Then this instance takes a unique id.
func (j *Job) announceInstance(ctx context.Context, session zk.Session) error {
	for {
		path := j.tree.Instance(j.id)
		info := jobtree.EncodeInstance(jobtree.InstanceInfo{ID: j.id, ServerIP: j.env.IP})
		err := j.createInstance(ctx, info)
		if !errors.Is(err, zk.ErrNodeExists) {
			return err
		}
		stat, exists, err := j.env.Client.Exists(ctx, path)
		switch {
		case err != nil:
			return err
		case !exists:
			continue
		case stat.EphemeralOwner == session.ID:
			return nil
		case j.env.ours(stat.EphemeralOwner):
			if err := zk.Ignore(j.env.Client.Delete(ctx, path, zk.AnyVersion), zk.ErrNoNode); err != nil {
				return err
			}
		default:
			id := jobtree.NewInstanceID(j.env.IP, j.env.Suffix+"-"+strings.ToLower(rand.Text()[:6]))
			j.log.WarnContext(ctx, "instance id is taken by another living session; using a unique one", "taken", j.id, "instance", id)
			j.mu.Lock()
			j.id = id
			j.mu.Unlock()
		}
	}
}

// watch sets up, or after a new session invalidates, the watched nodes.
func (j *Job) watch() {
	j.mu.Lock()
	cache := j.cache
	j.mu.Unlock()
	if cache != nil {
		cache.Invalidate()
	} else {
		cache = &watched{recipe.NewCache(j.env.Client, j.tree.Root(), func() { j.guard("watch", j.kick) }), j.nodes, j.env.IP, j.env.now}
		cache.WatchChildren(j.tree.Instances())
		cache.WatchChildren(j.nodes.Flags())
	}
	for _, path := range []string{j.tree.Config(), j.tree.Server(j.env.IP), j.tree.LeaderInstance()} {
		cache.Watch(path)
	}
	cache.WatchFlag(j.tree.Trigger(j.id))
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.requested.cache == nil {
		cache.WatchFlag(j.tree.RunsSignal())
	}
	if j.cache == nil { // A run that goes on over sessions reads it without the lock.
		j.cache = cache
	}
}

// clearOwnMarkers removes the persistent markers of runs and claims that a lost
// session interrupted; with failover the shards are offered again, because with
// a single instance nobody else does it. Shards that run at this moment were
// cancelled with the session; their markers are not made again, because another
// instance may hold the shards by now.
func (j *Job) clearOwnMarkers(ctx context.Context) error {
	names, err := j.nodes.Children(ctx, j.tree.Sharding())
	if errors.Is(err, zk.ErrNoNode) {
		return nil
	}
	if err != nil {
		return err
	}
	shards := jobtree.ItemNumbers(names)
	held := make([]bool, len(shards))
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		for _, path := range []string{j.tree.ItemRunning(shards[i]), j.tree.ItemFailover(shards[i]), j.tree.ItemFailovering(shards[i])} {
			data, _, err := j.env.Client.Get(ctx, path)
			if zk.Ignore(err, zk.ErrNoNode) != nil {
				return err
			}
			held[i] = held[i] || err == nil && string(data) == j.id
		}
		return nil
	}); err != nil {
		return err
	}
	return j.releaseOwn(ctx, shards, held)
}

// releaseOwn releases those of shards that are held under the own id.
func (j *Job) releaseOwn(ctx context.Context, shards []int, held []bool) error {
	for i, n := range shards {
		if !held[i] {
			continue
		}
		if err := j.failover.Release(ctx, n, j.id, true); err != nil {
			return err
		}
	}
	return nil
}

// clearLeftMarkers ends runs of own shards that an earlier process of the same id
// has left behind, as a container that is started again finds them, and offers
// the shards as those of a crashed instance are.
func (j *Job) clearLeftMarkers(ctx context.Context, shards []int) error {
	left := make([]bool, len(shards))
	if err := nodes.Each(ctx, len(shards), func(ctx context.Context, i int) error {
		data, _, err := j.env.Client.Get(ctx, j.tree.ItemRunning(shards[i]))
		left[i] = err == nil && string(data) == j.id
		return zk.Ignore(err, zk.ErrNoNode)
	}); err != nil {
		return err
	}
	return j.releaseOwn(ctx, shards, left)
}
