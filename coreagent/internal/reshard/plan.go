package reshard

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// plan is the input and the result of one resharding's decisions.
type plan struct {
	config        *jobconfig.Config
	configVersion int32
	configWritten time.Time      // by the server's clock
	existing      []int          // every shard that exists, ascending
	owners        map[int]string // of existing shards, "" if the node is empty; no entry if it doesn't exist
	processing    bool           // a failed resharding left its marker
	recorded      bool           // the assignment's record has a node
	next          bool           // the node that names the next instance to run exists and must be deleted
	before        map[int]string // owners of shards before they were taken
	announcedAt   time.Time      // by the server's clock
	ledSince      time.Time      // when this instance became the leader, by the server's clock
	available     []string       // instances that get shards, descending
	alive         []string       // all registered instances
	recordHolders []string       // instances that keep fire records and check their assignment when they mark a shard
	wanted        map[string][]int
	to            []string // wanted, by shard
	moved         []int    // shards that are new, removed or change hands, ascending
}

func (p *plan) rotates() bool { return sharding.Rotates(p.config.Shards, p.config.StrategyType) }

// plan reads everything that an assignment depends on. It returns nil if there's nothing to do, or
// no instance can get shards.
func (r *Resharding) plan(ctx context.Context, known Assignment) (*plan, error) {
	client, tree := r.nodes.Client, r.nodes.Tree
	flag, flagged, err := client.Exists(ctx, tree.Necessary())
	if err != nil {
		return nil, err
	}
	if !flagged {
		// Either the flag was removed and the watch event is late or lost, or only a processing
		// marker is left. That marker announces no resharding but blocks all instances, so the
		// leader should remove it.
		r.tree.Suspect()
		return nil, zk.Ignore(client.Delete(ctx, tree.Processing(), zk.AnyVersion), zk.ErrNoNode)
	}
	p := &plan{announcedAt: flag.Ctime, ledSince: r.tree.Get(tree.LeaderInstance()).Stat.Ctime}
	document, configured, now, err := r.readTree(ctx, p)
	if err != nil || !configured || len(p.available) == 0 {
		r.tree.SuspectIf(r.tree.NotOfShard) // Our watches showed something else, or we wouldn't have started.
		return nil, err
	}
	if p.config, err = jobconfig.Decode(document); err == nil {
		err = p.config.Usable()
	}
	if err != nil {
		return nil, err
	}
	if p.rotates() {
		if _, p.next, err = client.Exists(ctx, tree.NextInstanceIP()); err != nil {
			return nil, err
		}
	}
	if err := r.readOwners(ctx, p, known, now); err != nil {
		return nil, err
	}
	if p.wanted, err = r.assign(p.config.StrategyType, p.available, p.config.Shards); err != nil {
		return nil, err
	}
	p.compare()
	return p, nil
}

// readTree reads everything except the flag and the owners, in parallel. If something changes
// later, the server refuses our transactions, or the flag is set again.
func (r *Resharding) readTree(ctx context.Context, p *plan) (document []byte, configured bool, now FlagHistory, err error) {
	client, tree := r.nodes.Client, r.nodes.Tree
	err = nodes.Together(ctx, []func(ctx context.Context) error{
		func(ctx context.Context) error {
			stored, stat, err := client.Get(ctx, tree.Config())
			document, p.configVersion, p.configWritten, configured = stored, stat.Version, stat.Mtime, err == nil
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) {
			_, p.processing, err = client.Exists(ctx, tree.Processing())
			return err
		},
		func(ctx context.Context) (err error) {
			_, p.recorded, err = client.Exists(ctx, tree.Assignment())
			return err
		},
		func(ctx context.Context) error {
			names, err := r.nodes.Children(ctx, tree.Sharding())
			p.existing = jobtree.ItemNumbers(names)
			return zk.Ignore(err, zk.ErrNoNode)
		},
		func(ctx context.Context) (err error) {
			now, _, err = r.ReadFlags(ctx)
			return err
		},
		func(ctx context.Context) (err error) {
			p.alive, p.available, err = r.Available(ctx, func(ctx context.Context) (err error) {
				p.recordHolders, err = r.nodes.Children(ctx, tree.Agents()) // all that are alive
				return zk.Ignore(err, zk.ErrNoNode)
			})
			return err
		},
	})
	return document, configured, now, err
}

// readOwners reads the owners of the existing shards. It uses the owners that a control step read,
// unless shards have been assigned since.
func (r *Resharding) readOwners(ctx context.Context, p *plan, known Assignment, now FlagHistory) error {
	p.owners = make(map[int]string, len(p.existing))
	if known.Owners != nil && !p.processing && now.Czxid == known.At.Czxid && now.Cversion == known.At.Cversion+1 {
		for _, n := range p.existing {
			if n < len(known.Owners) && known.Owners[n] != "" {
				p.owners[n] = known.Owners[n]
			}
		}
		if len(p.existing) == len(known.Owners) {
			return nil
		}
	}
	var mu sync.Mutex
	return nodes.Each(ctx, len(p.existing), func(ctx context.Context, i int) error {
		n := p.existing[i]
		owner, _, err := r.nodes.Client.Get(ctx, r.nodes.Tree.ItemInstance(n))
		if err != nil {
			return zk.Ignore(err, zk.ErrNoNode)
		}
		mu.Lock()
		defer mu.Unlock()
		p.owners[n] = string(owner)
		return nil
	})
}

func (p *plan) compare() {
	p.to = sharding.Owners(p.wanted, p.config.Shards)
	all := len(p.existing) != p.config.Shards
	for n, to := range p.to {
		if owner, owned := p.owners[n]; all || !owned || owner != to {
			p.moved = append(p.moved, n)
		}
	}
	for _, n := range p.existing {
		if n >= p.config.Shards {
			p.moved = append(p.moved, n)
		}
	}
}

func (p *plan) exists(n int) bool {
	_, exists := slices.BinarySearch(p.existing, n)
	return exists
}

// Available reads from the server, not from watches, which instances are registered and which of
// them may get shards, in descending order. The functions in also run after the list of instances
// was read.
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

// availableID returns the id that an instance announces, or "" if its server isn't enabled. We
// assume that the server is the one in the node's name and correct it if it isn't. left is set if
// the instance is no longer registered.
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
