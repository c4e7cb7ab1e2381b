package zkfake

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// Stats counts operations since the start or the last [Server.ResetStats], and the current
// contents.
type Stats struct {
	// Ops counts requests by operation, including refused ones: "connect", "create", "create2",
	// "createContainer", "createTTL", "delete", "setData", "setACL", "multi", "check", "exists",
	// "getData", "getChildren", "getChildren2", "getACL", "sync", "setWatches", "auth", "ping",
	// "close" and others.
	Ops map[string]int
	// Reads counts exists, getData, getChildren and their variants, but not sync, pings and
	// setWatches.
	Reads int
	// Writes counts transactions of clients. A multi counts once. Opening and closing sessions
	// doesn't count.
	Writes                           int
	WatchEvents                      int
	SessionsCreated, SessionsExpired int

	Connections int // open now
	Sessions    int // alive now
	Nodes       int // now, including the server's own
	Ephemerals  int // now
	Watches     int // now
}

func newStats() Stats { return Stats{Ops: make(map[string]int)} }

// Stats returns the counters.
func (s *Server) Stats() Stats {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.statsLocked()
}

func (s *Server) statsLocked() Stats {
	st := s.stats
	st.Ops = maps.Clone(s.stats.Ops)
	for c := range s.conns {
		if !c.closed {
			st.Connections++
		}
	}
	st.Sessions = len(s.sessions)
	st.Nodes = len(s.tree.nodes)
	for _, owned := range s.tree.ephemerals {
		st.Ephemerals += len(owned)
	}
	for _, table := range s.watches {
		for _, watchers := range table {
			st.Watches += len(watchers)
		}
	}
	return st
}

// ResetStats zeroes the counters, so that a test can count the requests of one step.
func (s *Server) ResetStats() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats = newStats()
}

// NodeDump is one node in [Server.Dump].
type NodeDump struct {
	Path      string
	Data      []byte
	Stat      wire.Stat
	ACL       []wire.ACL
	Container bool          // the server deletes the node when it's empty again
	TTL       time.Duration // time to live, 0 for none
}

// Dump returns a snapshot of the nodes at and below root, depth first with sorted children. It's
// empty if root doesn't exist.
func (s *Server) Dump(root string) []NodeDump {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []NodeDump
	var walk func(path string, n *node)
	walk = func(path string, n *node) {
		dump := NodeDump{Path: path, Data: slices.Clone(n.data), Stat: n.stat(), ACL: slices.Clone(n.acl)}
		switch {
		case n.owner == ownerContainer:
			dump.Container = true
		case n.owner != dump.Stat.EphemeralOwner:
			dump.TTL = time.Duration(n.owner&ttlMax) * time.Millisecond
		}
		list = append(list, dump)
		for _, name := range slices.Sorted(maps.Keys(n.children)) {
			child := join(path, name)
			walk(child, s.tree.nodes[child])
		}
	}
	if n := s.tree.nodes[root]; n != nil {
		walk(root, n)
	}
	return list
}

func join(parent, name string) string {
	if strings.HasSuffix(parent, "/") {
		return parent + name
	}
	return parent + "/" + name
}
