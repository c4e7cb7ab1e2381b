package zkfake

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// Stats counts what a server has done since its start or the last
// [Server.ResetStats], and what it holds now.
type Stats struct {
	// Ops counts requests by operation, those that were refused included:
	// "connect", "create", "create2", "createContainer", "createTTL",
	// "delete", "setData", "setACL", "multi", "check", "exists", "getData",
	// "getChildren", "getChildren2", "getACL", "sync", "setWatches", "auth",
	// "ping", "close" and the rarer rest.
	Ops map[string]int
	// Reads counts requests for data: exists, getData, getChildren and their
	// variants. Neither sync nor pings nor setWatches count.
	Reads int
	// Writes counts transactions asked for by clients; a multi is one,
	// however many steps it has. Opening and closing sessions do not count.
	Writes int
	// WatchEvents counts the watch events fired.
	WatchEvents int
	// SessionsCreated and SessionsExpired count what their names say.
	SessionsCreated, SessionsExpired int

	Connections int // Connections is the number of open connections now.
	Sessions    int // Sessions is the number of living sessions now.
	Nodes       int // Nodes is the number of nodes now, those of the server itself included.
	Ephemerals  int // Ephemerals is the number of ephemeral nodes now.
	Watches     int // Watches is the number of watches set now.
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

// ResetStats sets the counters to zero, so that a test can count the
// requests of one step.
func (s *Server) ResetStats() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stats = newStats()
}

// NodeDump is one node as [Server.Dump] shows it.
type NodeDump struct {
	Path      string
	Data      []byte
	Stat      Stat
	ACL       []ACL
	Container bool          // Container tells whether the server deletes the node when it is empty again.
	TTL       time.Duration // TTL is the time to live, 0 for none.
}

// Dump returns the nodes at and below root in the order of a depth-first
// walk with sorted children, or nothing if root does not exist. It is a
// snapshot between two transactions.
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
