package jobtree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// JobChildren classifies the children of a job's node.
type JobChildren struct {
	// Configured means that the job has a configuration. Without one the node isn't a job, or is
	// the rest of one.
	Configured bool
	// Served means that agents have created nodes: of instances or of shards.
	Served bool
	// Own means that some nodes belong to ElasticJob or to us.
	Own bool
	// Foreign has the other nodes in order, for example a job of a namespace nested in this one.
	Foreign []string
}

// ParseJobChildren classifies the names of a job's children.
func ParseJobChildren(names []string) JobChildren {
	var c JobChildren
	for _, name := range names {
		if !slices.Contains(jobChildren, name) {
			c.Foreign = append(c.Foreign, name)
			continue
		}
		c.Own, c.Configured = true, c.Configured || name == "config"
		c.Served = c.Served || name == "instances" || name == "sharding"
	}
	return c
}

var jobChildren = []string{
	"config", "servers", "instances", "leader", "sharding", "trigger", "guarantee",
	"systemTime", "next-job-instance-ip", "extension",
}

// ItemChildren has the nodes of a shard. For their meaning see [Job].
type ItemChildren struct {
	Instance, Running, Misfire, Disabled, Failover, Failovering bool
}

// ParseItemChildren classifies the names of a shard's children.
func ParseItemChildren(names []string) ItemChildren {
	return ItemChildren{
		Instance: slices.Contains(names, "instance"), Running: slices.Contains(names, "running"),
		Misfire: slices.Contains(names, "misfire"), Disabled: slices.Contains(names, "disabled"),
		Failover: slices.Contains(names, "failover"), Failovering: slices.Contains(names, "failovering"),
	}
}

// IsItemRunning reports whether path is [Job.ItemRunning] of some shard.
func (j Job) IsItemRunning(path string) bool { return j.isOfItem(path, "running") }

// IsItemDisabled reports whether path is [Job.ItemDisabled] of some shard.
func (j Job) IsItemDisabled(path string) bool { return j.isOfItem(path, "disabled") }

func (j Job) isOfItem(path, which string) bool {
	rest, below := strings.CutPrefix(path, j.Sharding()+"/")
	name, child, _ := strings.Cut(rest, "/")
	_, item := ParseItem(name)
	return below && item && child == which
}

// Below returns the part of a path below the job's node, as people read it: "sharding/3/running".
// Paths outside the job stay unchanged.
func (j Job) Below(path string) string { return strings.TrimPrefix(path, j.Root()+"/") }

// JobOf returns the job of a path. It's false for the namespace itself and for paths outside it.
func (n Namespace) JobOf(path string) (job Job, below bool) {
	rest, below := strings.CutPrefix(path, n.root+"/")
	name, _, _ := strings.Cut(rest, "/")
	return n.Job(name), below
}

// Anyone who reaches ZooKeeper can create a node with any name. An impossible name, such as the
// instance "@-@", must not become a part of a path, because it would make every operation on the
// list fail. So all lists of children are read through OwnChildren.

// OwnChildren splits the names of a node's children into possible and impossible ones: instance
// ids, server addresses, and shard numbers below jobconfig.MaxShards are possible. If the parent
// may have any children, all are own. The order stays. own may share memory with names.
func (j Job) OwnChildren(parent string, names []string) (own, foreign []string) {
	fits := j.childrenOf(parent)
	if fits == nil || !slices.ContainsFunc(names, func(name string) bool { return !fits(name) }) {
		return names, nil
	}
	for _, name := range names {
		if fits(name) {
			own = append(own, name)
		} else {
			foreign = append(foreign, name)
		}
	}
	return own, foreign
}

// OwnChildren is [Job.OwnChildren] for a node of any job of the namespace.
func (n Namespace) OwnChildren(parent string, names []string) (own, foreign []string) {
	job, below := n.JobOf(parent)
	if !below {
		return names, nil
	}
	return job.OwnChildren(parent, names)
}

// childrenOf returns the check for the names of a node's children, or nil if any name is allowed.
func (j Job) childrenOf(parent string) func(name string) bool {
	rest, below := strings.CutPrefix(parent, j.Root())
	if !below {
		return nil
	}
	switch rest {
	case "/instances", "/trigger", "/extension/agents", "/extension/left":
		return func(name string) bool { return ValidateInstanceID(name) == nil }
	case "/servers":
		return func(name string) bool { return ValidateServer(name) == nil }
	case "/sharding", "/leader/failover/items", "/guarantee/started", "/guarantee/completed", "/extension/fired":
		return func(name string) bool {
			n, ok := ParseItem(name)
			return ok && n < jobconfig.MaxShards
		}
	}
	return nil
}

// maxAddress is the length of the longest host name.
const maxAddress = 253

// ValidateServer reports why name can't be a server address: an IP address or a host name of
// letters, digits and "._-:%". The error wraps ErrName.
func ValidateServer(name string) error {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-:%"
	if name == "" || len(name) > maxAddress || name == "." || name == ".." || strings.Trim(name, allowed) != "" {
		return fmt.Errorf("%w: %q is not a server address", ErrName, name)
	}
	return nil
}
