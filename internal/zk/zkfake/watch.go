package zkfake

import "github.com/elasticjob-go/elasticjob/internal/zk/wire"

// watchKind separates the two tables of watches. exists and getData use one, getChildren uses the
// other.
type watchKind int

const (
	dataWatch watchKind = iota
	childWatch
	watchKinds
)

// watchTable has the watching connections by path. Watches belong to connections, not to sessions,
// so a client that reconnects sets them again.
type watchTable map[string]map[*conn]struct{}

func (s *Server) watch(c *conn, path string, kind watchKind) {
	watchers := s.watches[kind][path]
	if watchers == nil {
		watchers = make(map[*conn]struct{})
		s.watches[kind][path] = watchers
	}
	watchers[c] = struct{}{}
	c.watches[kind][path] = struct{}{}
}

func (s *Server) dropWatches(c *conn) {
	for kind := range watchKinds {
		for path := range c.watches[kind] {
			watchers := s.watches[kind][path]
			delete(watchers, c)
			if len(watchers) == 0 {
				delete(s.watches[kind], path)
			}
		}
		c.watches[kind] = nil
	}
}

// takeWatchers removes and returns the watchers of path, because watches fire once.
func (s *Server) takeWatchers(kind watchKind, path string) map[*conn]struct{} {
	watchers := s.watches[kind][path]
	if watchers == nil {
		return nil
	}
	delete(s.watches[kind], path)
	for c := range watchers {
		delete(c.watches[kind], path)
	}
	return watchers
}

// fireChanges queues the current transaction's events on the watching connections.
func (s *Server) fireChanges() {
	s.tellObserver()
	for _, ch := range s.tree.changes {
		switch ch.kind {
		case NodeCreated, NodeDataChanged:
			for c := range s.takeWatchers(dataWatch, ch.path) {
				s.notify(c, ch)
			}
		case NodeChildrenChanged:
			for c := range s.takeWatchers(childWatch, ch.path) {
				s.notify(c, ch)
			}
		case NodeDeleted:
			// A client that watches both data and children gets the deletion once.
			told := s.takeWatchers(dataWatch, ch.path)
			for c := range told {
				s.notify(c, ch)
			}
			for c := range s.takeWatchers(childWatch, ch.path) {
				if _, ok := told[c]; !ok {
					s.notify(c, ch)
				}
			}
		}
	}
	s.tree.changes = s.tree.changes[:0]
}

// notify queues one event on one connection. If its client can't read the node, it spends the watch
// without an event.
func (s *Server) notify(c *conn, ch change) {
	if ch.acl != nil && checkACL(ch.acl, permRead, c.auth) != wire.CodeOK {
		return
	}
	s.sendEvent(c, ch, &WatchEvent{Session: c.session.id, Type: ch.kind, Path: ch.path})
}

// answer queues an event that counts as a reply, without calling the hook of
// [Server.SetWatchFault].
func (s *Server) answer(c *conn, ch change) { s.sendEvent(c, ch, nil) }

func (s *Server) sendEvent(c *conn, ch change, event *WatchEvent) {
	s.stats.WatchEvents++
	c.send(outgoing{frame: (&wire.Event{Type: ch.kind, Path: ch.path}).Frame(), event: event})
}

// setWatches renews the watches of a client after a reconnection. It reports changes since the
// client's newest zxid at once and watches the other nodes.
func (s *Server) setWatches(c *conn, op *wire.Request) {
	for _, path := range op.Watches[wire.WatchData] {
		switch n := s.tree.get(path); {
		case n == nil:
			s.answer(c, change{path: path, kind: NodeDeleted})
		case n.mzxid > op.Since:
			s.answer(c, change{path: path, kind: NodeDataChanged})
		default:
			s.watch(c, path, dataWatch)
		}
	}
	for _, path := range op.Watches[wire.WatchExist] {
		if s.tree.get(path) != nil {
			s.answer(c, change{path: path, kind: NodeCreated})
		} else {
			s.watch(c, path, dataWatch)
		}
	}
	for _, path := range op.Watches[wire.WatchChild] {
		switch n := s.tree.get(path); {
		case n == nil:
			s.answer(c, change{path: path, kind: NodeDeleted})
		case n.pzxid > op.Since:
			s.answer(c, change{path: path, kind: NodeChildrenChanged})
		default:
			s.watch(c, path, childWatch)
		}
	}
}
