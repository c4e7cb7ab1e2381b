package jobtree

import "strings"

// JobChildren is what the names of the children of a job's node tell.
type JobChildren struct {
	// Configured tells that the job's configuration is among them, without which
	// the node is no job, or what is left of one.
	Configured bool
	// Served is set if nodes that agents make are among them: of instances or of shards.
	Served bool
	// Own tells that some belong to ElasticJob or to this package.
	Own bool
	// Foreign are those that do not, in their order: somebody else's, for example
	// a job of a namespace nested in this one.
	Foreign []string
}

// ParseJobChildren looks through the names of the children of a job's node.
func ParseJobChildren(names []string) JobChildren {
	var c JobChildren
	for _, name := range names {
		if !knownChild(name) {
			c.Foreign = append(c.Foreign, name)
			continue
		}
		c.Own, c.Configured = true, c.Configured || name == "config"
		c.Served = c.Served || name == "instances" || name == "sharding"
	}
	return c
}

func knownChild(name string) bool {
	switch name {
	case "config", "servers", "instances", "leader", "sharding", "trigger", "guarantee",
		"systemTime", "next-job-instance-ip", "extension":
		return true
	}
	return false
}

// ItemChildren tells which nodes a shard has; [Job] says what each means.
type ItemChildren struct {
	Instance, Running, Misfire, Disabled, Failover, Failovering bool
}

// ParseItemChildren looks through the names of the children of a shard's node.
func ParseItemChildren(names []string) ItemChildren {
	var c ItemChildren
	for _, name := range names {
		switch name {
		case "instance":
			c.Instance = true
		case "running":
			c.Running = true
		case "misfire":
			c.Misfire = true
		case "disabled":
			c.Disabled = true
		case "failover":
			c.Failover = true
		case "failovering":
			c.Failovering = true
		}
	}
	return c
}

// IsItemRunning reports whether a path is [Job.ItemRunning] of some shard.
func (j Job) IsItemRunning(path string) bool { return j.isOfItem(path, "running") }

// IsItemDisabled reports whether a path is [Job.ItemDisabled] of some shard.
func (j Job) IsItemDisabled(path string) bool { return j.isOfItem(path, "disabled") }

// isOfItem reports whether a path is that of a child of some shard's node.
func (j Job) isOfItem(path, which string) bool {
	rest, below := strings.CutPrefix(path, j.Sharding()+"/")
	name, child, _ := strings.Cut(rest, "/")
	_, item := ParseItem(name)
	return below && item && child == which
}

// Below is the part of a path that is below the job's node, as a person reads it:
// "sharding/3/running". A path of anybody else stays as it is.
func (j Job) Below(path string) string { return strings.TrimPrefix(path, j.Root()+"/") }

// JobOf returns the job to which a path belongs; false for the namespace itself and
// for whatever is outside it.
func (n Namespace) JobOf(path string) (job Job, below bool) {
	rest, below := strings.CutPrefix(path, n.root+"/")
	name, _, _ := strings.Cut(rest, "/")
	return n.Job(name), below
}
