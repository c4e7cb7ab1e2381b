package reshard

import (
	"context"
	"errors"
	"slices"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// Available reads from the server, and not from watches, which instances are
// registered, and which of them may get shards, descending. What it is to read as
// well is read after the list of instances.
func (r *Resharding) Available(ctx context.Context, also ...func(ctx context.Context) error) (alive, available []string, err error) {
	ids, err := r.nodes.Children(ctx, r.nodes.Tree.Instances())
	if err != nil {
		return nil, nil, zk.Ignore(err, zk.ErrNoNode)
	}
	keep, left := make([]string, len(ids)), make(map[string]*bool, len(ids))
	reads := also
	for i, id := range ids {
		left[id] = new(bool)
		reads = append(reads, func(ctx context.Context) (err error) {
			keep[i], *left[id], err = r.availableID(ctx, id)
			return err
		})
	}
	if err := nodes.Together(ctx, reads); err != nil {
		return nil, nil, err
	}
	ids = slices.DeleteFunc(ids, func(id string) bool { return *left[id] })
	keep = slices.DeleteFunc(keep, func(id string) bool { return id == "" })
	sharding.SortInstances(keep)
	return ids, keep, nil
}

// availableID returns the id that an instance announces if its server is
// enabled, "" otherwise. That server is most likely the one in the node's name.
// An instance may have left by now.
func (r *Resharding) availableID(ctx context.Context, name string) (id string, left bool, err error) {
	server := jobtree.InstanceIP(name)
	var data, status []byte
	var registered bool
	if err = nodes.Together(ctx, []func(ctx context.Context) error{
		func(ctx context.Context) (err error) {
			data, _, err = r.nodes.Client.Get(ctx, r.nodes.Tree.Instance(name))
			left = errors.Is(err, zk.ErrNoNode)
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) {
			status, _, err = r.nodes.Client.Get(ctx, r.nodes.Tree.Server(server))
			registered = err == nil
			return zk.Ignore(err, zk.ErrNoNode)
		},
	}); err != nil || left {
		return "", left, err
	}
	info, standing, _ := jobtree.JudgeInstance(name, data, jobconfig.Generation3x, func(ip string) ([]byte, bool) {
		if ip != server {
			status, _, err = r.nodes.Client.Get(ctx, r.nodes.Tree.Server(ip))
			registered = err == nil
		}
		return status, registered
	})
	if standing != jobtree.Serves {
		return "", false, zk.Ignore(err, zk.ErrNoNode)
	}
	return info.ID, false, nil
}
