package view

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/firerecord"
	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sharding"
	"github.com/elasticjob-go/elasticjob/internal/zk/recipe"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

// Tree is the job's part of the tree as seen through watches.
type Tree struct {
	*recipe.Cache
	nodes *nodes.Nodes
	ip    string           // of this instance's server
	debug jobtree.Hold     // for this process alone
	Now   func() time.Time // the wall clock
}

// NewTree returns the watched nodes of a job on the server at ip. debug is a hold for this process
// alone. kick is called after a watch event.
func NewTree(n *nodes.Nodes, ip string, debug jobtree.Hold, now func() time.Time, kick func()) *Tree {
	return &Tree{recipe.NewCache(n.Client, n.Tree.Root(), kick), n, ip, debug, now}
}

// Held returns the hold of the job, by an operator or for this process.
func (w *Tree) Held() jobtree.Hold {
	hold := w.debug
	if node := w.Get(w.nodes.Tree.Held()); node.Exists {
		stored := jobtree.DecodeHold(node.Data)
		if hold.What != "" && hold.What != stored.What {
			stored.What = jobrun.HeldAll
		}
		hold = stored
	}
	return hold
}

// OwnServer returns the node of this instance's server.
func (w *Tree) OwnServer() recipe.Node { return w.Get(w.OwnServerPath()) }

func (w *Tree) OwnServerPath() string { return w.nodes.Tree.Server(w.ip) }

// Children returns the children of a watched node, without nodes that strangers wrote.
func (w *Tree) Children(path string) []string { return w.nodes.Seen(w.Cache, path) }

// Instances returns the live instances, descending as in ElasticJob.
func (w *Tree) Instances() []string {
	ids := slices.Clone(w.Children(w.nodes.Tree.Instances()))
	sharding.SortInstances(ids)
	return ids
}

// NotOfShard reports whether a node isn't below a shard.
func (w *Tree) NotOfShard(path string) bool {
	return !strings.HasPrefix(path, w.nodes.Tree.Sharding()+"/")
}

// FlagChanges grows whenever a resharding flag changes, even if a flag came and went unseen.
func (w *Tree) FlagChanges() uint64 { return w.Get(w.nodes.Flags()).Seen }

// Flagged reports whether a resharding is announced or under way.
func (w *Tree) Flagged() (why string, is bool) {
	flags := w.Get(w.nodes.Flags()).Children
	switch {
	case slices.Contains(flags, path.Base(w.nodes.Tree.Processing())):
		return "the leader is assigning the shards", true
	case slices.Contains(flags, path.Base(w.nodes.Tree.Necessary())):
		return "the leader must assign the shards again", true
	}
	return "", false
}

// WatchShards watches the nodes of our shards that matter to this instance.
func (w *Tree) WatchShards(config *jobconfig.Config, shards []int) {
	for _, n := range shards {
		w.Watch(w.nodes.Tree.ItemInstance(n))
		w.WatchFlag(w.nodes.Tree.ItemDisabled(n))
		if config.Failover {
			w.WatchFlag(w.nodes.Tree.ItemFailover(n))
		}
		if config.Misfire {
			w.WatchFlag(w.nodes.Tree.ItemMisfire(n))
		}
	}
}

// Holders returns the available instances with an address, descending.
func (w *Tree) Holders(ip string) []string {
	if string(w.Get(w.nodes.Tree.Server(ip)).Data) != jobtree.ServerEnabled {
		return nil
	}
	return slices.DeleteFunc(w.Instances(), func(id string) bool { return jobtree.InstanceIP(id) != ip })
}

// Successor returns the address of the next available instance after ours, in ElasticJob's order,
// or ours if there is no other.
func (w *Tree) Successor() string {
	var ips []string
	for _, id := range w.Instances() {
		ip := jobtree.InstanceIP(id)
		if !slices.Contains(ips, ip) && string(w.Get(w.nodes.Tree.Server(ip)).Data) == jobtree.ServerEnabled {
			ips = append(ips, ip)
		}
	}
	if own := slices.Index(ips, w.ip); own >= 0 {
		return ips[(own+1)%len(ips)]
	}
	return w.ip
}

// OnlyAgents reports whether every instance keeps fire records.
func (w *Tree) OnlyAgents() bool {
	keepers := w.Children(w.nodes.Tree.Agents())
	return !slices.ContainsFunc(w.Instances(), func(id string) bool { return !slices.Contains(keepers, id) })
}

// StuckRotation reports whether the shard waits for an instance that won't come, so the leader must
// assign it again.
func (w *Tree) StuckRotation(config *jobconfig.Config) bool {
	next := w.Get(w.nodes.Tree.NextInstanceIP())
	return Rotates(config) && next.Exists && len(next.Data) > 0 && len(w.Holders(string(next.Data))) == 0 &&
		next.Stat.Czxid > w.Get(w.nodes.Tree.ItemInstance(0)).Stat.Czxid
}

// EnabledSince returns when our server was last enabled, or now if it's disabled, because then this
// instance misses nothing.
func (w *Tree) EnabledSince() time.Time {
	server := w.OwnServer()
	if server.Exists && string(server.Data) != jobtree.ServerEnabled {
		return w.Now()
	}
	return firerecord.SwitchedOn(server.Stat)
}

// PresentServers returns the addresses announced by the instances.
func (w *Tree) PresentServers() map[string]bool {
	present := map[string]bool{w.ip: true}
	for _, id := range w.Instances() {
		present[jobtree.InstanceIP(id)] = true
		if info, ok, err := jobtree.DecodeInstance(w.Get(w.nodes.Tree.Instance(id)).Data); ok && err == nil {
			present[info.ServerIP] = true
		}
	}
	return present
}

// Touched reports whether a watch of a shard of ours has fired since a view was read.
func (w *Tree) Touched(v *View, n int) bool {
	tree := w.nodes.Tree
	return w.ChangedSince(tree.ItemInstance(n), v.Events) || w.ChangedSince(tree.ItemDisabled(n), v.Events) ||
		v.Config.Failover && w.ChangedSince(tree.ItemFailover(n), v.Events)
}
