package zkfake

import "github.com/elasticjob-go/elasticjob/internal/zk/wire"

// watchKind separates the two tables of watches. Watches left by exists and
// getData live in one table, those left by getChildren in the other.
type watchKind int

const (
	dataWatch watchKind = iota
	childWatch
	watchKinds
)

// watchTable knows for each path who watches it. Watches belong to
// connections, not to sessions: a client that reconnects sets them again.
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

// dropWatches forgets all watches of a connection that ends.
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

// takeWatchers removes and returns everyone who watches path: watches fire
// once.
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

// fireChanges queues the events of the transaction at work on the
// connections that watch for them.
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
			// Who watches both data and children hears of the deletion once.
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

// notify queues one event on one connection, unless its client may not read
// the node: the watch is spent, but the client learns nothing.
func (s *Server) notify(c *conn, ch change) {
	if ch.acl != nil && checkACL(ch.acl, permRead, c.auth) != wire.CodeOK {
		return
	}
	s.sendEvent(c, ch, &WatchEvent{Session: c.session.id, Type: ch.kind, Path: ch.path})
}

// answer queues an event that answers a request, as a reply does: it is not one
// that [Server.SetWatchFault] is asked about.
func (s *Server) answer(c *conn, ch change) { s.sendEvent(c, ch, nil) }

func (s *Server) sendEvent(c *conn, ch change, event *WatchEvent) {
	s.stats.WatchEvents++
	c.send(outgoing{frame: (&wire.Event{Type: ch.kind, Path: ch.path}).Frame(), event: event})
}

// setWatches renews the watches of a client that reconnected. Whatever
// changed since the zxid it saw last is reported at once, the rest is watched
// again.
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
