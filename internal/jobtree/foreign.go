package jobtree

import (
	"fmt"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/jobconfig"
)

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
	if name == "" || len(name) > maxAddress || name == "." || name == ".." || strings.ContainsFunc(name, notOfAddress) {
		return fmt.Errorf("%w: %q is not a server address", ErrName, name)
	}
	return nil
}

func notOfAddress(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9':
		return false
	}
	return !strings.ContainsRune("._-:%", r)
}
