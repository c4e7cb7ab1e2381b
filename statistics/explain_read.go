package statistics

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// node is a node as it was read.
type node struct {
	path   string
	exists bool
	data   string
	stat   zk.Stat
}

// evidence is what Explain concludes from. Like a snapshot it is no
// transaction: it may show a moment that never was, between two changes a few
// milliseconds apart.
type evidence struct {
	job                                   jobtree.Job
	config, leader, necessary, processing node
	clock, held                           node
	instances, servers, triggers, offers  []node // by name
	instanceIDs, serverIPs, triggerIDs    []string
	refusedIDs                            []string // agents that refuse the job
	refusals                              []node
	ours                                  []string // instances that are agents of this repository
	queue                                 []string // names of the requested runs that are due
	offered                               []int
	items                                 []itemEvidence // ascending
	foreign                               []string       // paths of nodes that no agent can have made
	decoded                               *jobconfig.Config
	configErr                             error
	around                                [][]byte // configurations of other jobs, see asksAround
}

type itemEvidence struct {
	number                                                      int
	instance, running, misfire, disabled, failover, failovering node
}

// node reads one node.
func (f *fetcher) node(ctx context.Context, path string) (node, error) {
	data, stat, found, err := f.get(ctx, path)
	return node{path, found, string(data), stat}, err
}

// nodes reads the children of a node, in the order of their names given by
// compare. A child that goes meanwhile is left out.
func (f *fetcher) nodes(ctx context.Context, parent string, child func(name string) string, compare func(a, b string) int) ([]string, []node, error) {
	names, err := f.children(ctx, parent)
	if err != nil {
		return nil, nil, err
	}
	slices.SortFunc(names, compare)
	read := make([]node, len(names))
	if err := each(ctx, len(names), func(ctx context.Context, i int) (err error) {
		read[i], err = f.node(ctx, child(names[i]))
		return err
	}); err != nil {
		return nil, nil, err
	}
	var kept []string
	for i, n := range read {
		if n.exists {
			kept = append(kept, names[i])
		}
	}
	return kept, slices.DeleteFunc(read, func(n node) bool { return !n.exists }), nil
}

// evidence reads a job. The error is ErrJobNotFound if there is none.
func (f *fetcher) evidence(ctx context.Context, job jobtree.Job) (*evidence, error) {
	e := &evidence{job: job}
	var foreign sync.Mutex
	f.foreign = func(paths []string) {
		foreign.Lock()
		defer foreign.Unlock()
		e.foreign = append(e.foreign, paths...)
	}
	var err error
	if e.config, err = f.node(ctx, job.Config()); err != nil {
		return nil, err
	}
	if !e.config.exists {
		return e, f.isJob(ctx, job)
	}
	if e.decoded, e.configErr = jobconfig.Decode([]byte(e.config.data)); e.configErr == nil {
		e.configErr = e.decoded.Usable()
	}
	// Shards before instances: a shard's owner that came in between is found,
	// and one that went is rightly missed.
	if err := f.itemEvidence(ctx, e); err != nil {
		return nil, err
	}
	parts := []func(context.Context) error{
		func(ctx context.Context) (err error) {
			// The agents are read before and after, because one of ours that starts or leaves in
			// between would count as Java's.
			before, err := f.children(ctx, job.Agents())
			if err != nil {
				return err
			}
			if e.instanceIDs, e.instances, err = f.nodes(ctx, job.Instances(), job.Instance, compareIDs); err != nil {
				return err
			}
			after, err := f.children(ctx, job.Agents())
			e.ours = slices.Concat(before, after)
			return err
		},
		func(ctx context.Context) (err error) {
			e.serverIPs, e.servers, err = f.nodes(ctx, job.Servers(), job.Server, compareIPs)
			return err
		},
		func(ctx context.Context) (err error) {
			e.triggerIDs, e.triggers, err = f.nodes(ctx, job.Triggers(), job.Trigger, compareIDs)
			return err
		},
		func(ctx context.Context) (err error) {
			e.refusedIDs, e.refusals, err = f.nodes(ctx, job.Refusals(), job.Refusal, compareIDs)
			return err
		},
		func(ctx context.Context) (err error) {
			e.queue, err = f.children(ctx, job.RunsQueue())
			return err
		},
		func(ctx context.Context) error { return f.offerEvidence(ctx, e) },
	}
	for dst, path := range map[*node]string{
		&e.leader: job.LeaderInstance(), &e.necessary: job.Necessary(), &e.processing: job.Processing(), &e.clock: job.SystemTime(), &e.held: job.Held(),
	} {
		parts = append(parts, func(ctx context.Context) (err error) {
			*dst, err = f.node(ctx, path)
			return err
		})
	}
	err = each(ctx, len(parts), func(ctx context.Context, i int) error { return parts[i](ctx) })
	e.leader.data = jobtree.Shown(e.leader.data)
	return e, err
}

// javas reports whether an instance is one of Java's agents.
func (e *evidence) javas(id string) bool {
	return slices.Contains(e.instanceIDs, id) && !slices.Contains(e.ours, id)
}

// isJob reports, as an error, that a node without a configuration is no job: it
// does not exist, or has nothing but children of somebody else's.
func (f *fetcher) isJob(ctx context.Context, job jobtree.Job) error {
	root, err := f.node(ctx, job.Root())
	if err != nil {
		return err
	}
	names, err := f.children(ctx, job.Root())
	if err != nil {
		return err
	}
	if !root.exists || len(names) > 0 && !jobtree.ParseJobChildren(names).Own {
		return ErrJobNotFound
	}
	return nil
}

// offerEvidence reads which shards are offered to whoever is free.
func (f *fetcher) offerEvidence(ctx context.Context, e *evidence) error {
	names, err := f.children(ctx, e.job.FailoverItems())
	if err != nil {
		return err
	}
	items := jobtree.ItemNumbers(names)
	read := make([]node, len(items))
	if err := each(ctx, len(items), func(ctx context.Context, i int) (err error) {
		read[i], err = f.node(ctx, e.job.FailoverItem(items[i]))
		return err
	}); err != nil {
		return err
	}
	for i, n := range read {
		if n.exists {
			e.offered, e.offers = append(e.offered, items[i]), append(e.offers, n)
		}
	}
	return nil
}

func (f *fetcher) itemEvidence(ctx context.Context, e *evidence) error {
	names, err := f.children(ctx, e.job.Sharding())
	if err != nil {
		return err
	}
	numbers := jobtree.ItemNumbers(names)
	e.items = make([]itemEvidence, len(numbers))
	return each(ctx, len(numbers), func(ctx context.Context, i int) error {
		n := numbers[i]
		item := &e.items[i]
		item.number = n
		names, err := f.children(ctx, e.job.Item(n))
		if err != nil {
			return err
		}
		has := jobtree.ParseItemChildren(names)
		for _, child := range []struct {
			dst    *node
			path   string
			exists bool
		}{
			{&item.instance, e.job.ItemInstance(n), has.Instance}, {&item.running, e.job.ItemRunning(n), has.Running},
			{&item.misfire, e.job.ItemMisfire(n), has.Misfire}, {&item.disabled, e.job.ItemDisabled(n), has.Disabled},
			{&item.failover, e.job.ItemFailover(n), has.Failover}, {&item.failovering, e.job.ItemFailovering(n), has.Failovering},
		} {
			child.dst.path = child.path
			if !child.exists {
				continue
			}
			if *child.dst, err = f.node(ctx, child.path); err != nil {
				return err
			}
			child.dst.data = jobtree.Shown(child.dst.data)
		}
		return nil
	})
}

// began is when a node came into being; zero for an absent one.
func (n node) began() time.Time { return n.stat.Ctime }
