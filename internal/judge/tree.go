package judge

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// coverage is I6: in a quiet moment every shard has one live and enabled owner, and no shard
// exceeds the configured number.
func (v *verdicts) coverage(job *JobHistory, s Snapshot) {
	t, settings := treeOf(s), job.at(s.At)
	live := t.below("/instances")
	if v.grants(NoServer) && !slices.ContainsFunc(live, t.enabled) {
		return // Without a serving instance, a job keeps its owners.
	}
	for _, flag := range t.below("/leader/sharding") {
		v.add("I6", job.Name, -1, s.At, "a resharding is announced and does not happen: %s", flag)
	}
	for shard := range settings.Items {
		owner, ok := t["/sharding/"+strconv.Itoa(shard)+"/instance"]
		switch {
		case !ok || owner.Data == "":
			v.add("I6", job.Name, shard, s.At, "has no owner")
		case !slices.Contains(live, owner.Data):
			v.add("I6", job.Name, shard, s.At, "belongs to %s, which has left", owner.Data)
		case !t.enabled(owner.Data):
			v.add("I6", job.Name, shard, s.At, "belongs to %s, which is disabled", owner.Data)
		}
	}
	for _, name := range t.below("/sharding") {
		if n, err := strconv.Atoi(name); err != nil || n >= settings.Items {
			v.add("I6", job.Name, -1, s.At, "shard %s exists, the configuration has %d", name, settings.Items)
		}
	}
	if leader, ok := t["/leader/election/instance"]; !ok || !slices.Contains(live, leader.Data) {
		v.add("I6", job.Name, -1, s.At, "the leader is %q, who does not live", leader.Data)
	}
}

// orphans is I13: the tree has no nodes of departed instances, no node of a live server is missing,
// and servers disabled by an operator stay disabled. A marker is an orphan if it's in the last two
// snapshots, because every run ends between them. Every instance is an agent of the fleet.
func (v *verdicts) orphans() {
	for _, n := range v.h.Overruled {
		v.add("I13", n.Job, -1, n.At, "an operator disabled server %s, and %s undid it", n.What, n.Who)
	}
	for name, job := range v.h.Jobs {
		before, last, at := v.lastTrees(name)
		if before == nil {
			continue
		}
		live := last.below("/instances")
		served := slices.ContainsFunc(live, last.enabled)
		for path, n := range last {
			if v.grants(NoServer) && !served && strings.HasPrefix(path, "/leader/sharding/") {
				continue // No instance may lead, so the resharding waits.
			}
			if _, old := before[path]; old && orphan(path, n, live, before[path], job.Meeting > 0) && !(v.grants(Pending) && v.pendingMisfire(path, job, job.at(at))) {
				// The mistake happened when the node was created, not when it was found.
				v.add("I13", job.Name, -1, n.Created, "%s = %q is left behind: it still exists at %s", path, n.Data, clock(at))
			}
		}
		for _, id := range live {
			if v.grants(Stranger) && jobtree.ValidateInstanceID(id) != nil {
				continue // A foreign node.
			}
			if job.Lives != nil && !slices.ContainsFunc(job.Lives, func(l *Life) bool { return l.Instance == id && l.Holds(at) }) {
				v.add("I13", job.Name, -1, at, "the instance %s is registered, and no process of the fleet is it", id)
			}
			address, _, _ := strings.Cut(id, "@-@")
			if _, ok := last["/servers/"+address]; !ok {
				v.add("I13", job.Name, -1, at, "the server node of %s, which lives, no longer exists", id)
			}
		}
		for path, disabled := range v.h.Disabled {
			server, ok := strings.CutPrefix(path, name+"/servers/")
			if ok && disabled && last["/servers/"+server].Data != "DISABLED" {
				v.add("I13", job.Name, -1, at, "an operator disabled server %s, and it is %q", server, last["/servers/"+server].Data)
			}
			shard, ok := strings.CutPrefix(path, name+"/sharding/")
			if ok && disabled {
				if _, there := last["/sharding/"+shard]; !there {
					v.add("I13", job.Name, -1, at, "an operator disabled shard %s, and its marker no longer exists", shard)
				}
			}
		}
	}
}

// pendingMisfire reports whether a node is a misfire marker that may exist in a quiet fleet: of a
// disabled shard, which makes up for it when enabled again, or of a job with handlers that take
// longer than the period.
func (v *verdicts) pendingMisfire(path string, job *JobHistory, s Settings) bool {
	parts := strings.Split(path, "/")
	if len(parts) != 4 || parts[3] != "misfire" {
		return false
	}
	n, err := strconv.Atoi(parts[2])
	return err == nil && (v.h.overruns(job, s) || slices.Contains(s.Off, n))
}

// orphan reports whether a node should not be in two quiet snapshots.
func orphan(path string, n Node, live []string, before Node, meets bool) bool {
	parts := strings.Split(path, "/")
	switch kind := parts[len(parts)-1]; {
	case strings.HasPrefix(path, "/sharding/") && len(parts) == 4:
		switch kind {
		case "running":
			// A live owner may have created a new marker since.
			return n.Data == before.Data && (!slices.Contains(live, n.Data) || n.Created.Equal(before.Created))
		case "failover", "failovering", "misfire":
			return true
		}
	case strings.HasPrefix(path, "/leader/failover/items/"), strings.HasPrefix(path, "/leader/sharding/"), strings.Contains(path, "latch/"):
		return true
	case strings.HasPrefix(path, "/trigger/"), strings.HasPrefix(path, "/guarantee/") && len(parts) == 4 && !meets:
		return n.Created.Equal(before.Created)
	case strings.HasPrefix(path, "/instances/"):
		return n.Owner == 0
	case strings.HasPrefix(path, "/extension/agents/"):
		return !slices.Contains(live, kind)
	}
	return false
}

type tree map[string]Node

func treeOf(s Snapshot) tree {
	t := make(tree, len(s.Nodes))
	for _, n := range s.Nodes {
		t[n.Path] = n
	}
	return t
}

// enabled reports whether no operator has disabled the server of an instance.
func (t tree) enabled(id string) bool {
	address, _, _ := strings.Cut(id, "@-@")
	return t["/servers/"+address].Data != "DISABLED"
}

// lastTrees returns the last two trees of a job, and the time of the last one.
func (v *verdicts) lastTrees(job string) (before, last tree, at time.Time) {
	for _, s := range v.h.Snapshots {
		if s.Job == job {
			before, last, at = last, treeOf(s), s.At
		}
	}
	return before, last, at
}

// below returns the names directly below a path.
func (t tree) below(path string) []string {
	var names []string
	for p := range t {
		if rest, ok := strings.CutPrefix(p, path+"/"); ok && !strings.Contains(rest, "/") {
			names = append(names, rest)
		}
	}
	slices.Sort(names)
	return names
}

// Instances returns the instances in a snapshot.
func (s Snapshot) Instances() []string { return treeOf(s).below("/instances") }

// Runs returns the nodes of requested runs as changes that create them.
func (s Snapshot) Runs() (list []RunChange) {
	for _, n := range s.Nodes {
		if path, ok := strings.CutPrefix(n.Path, "/extension/"); ok {
			list = append(list, RunChange{At: n.Created, Path: path, Data: n.Data})
		}
	}
	return list
}
