package zkfake

import "github.com/elasticjob-go/elasticjob/internal/zk/wire"

// watchKinds is the number of tables of watches. exists and getData use [wire.WatchData],
// getChildren uses [wire.WatchChild].
const watchKinds = wire.WatchKinds

// firedBy lists the watches that an event spends.
var firedBy = map[wire.EventType][]wire.WatchKind{
	wire.NodeCreated:         {wire.WatchData},
	wire.NodeDataChanged:     {wire.WatchData},
	wire.NodeChildrenChanged: {wire.WatchChild},
	wire.NodeDeleted:         {wire.WatchData, wire.WatchChild},
}

// watchTable has the watching connections by path. Watches belong to connections, not to sessions,
// so a client that reconnects sets them again.
type watchTable map[string]map[*conn]struct{}

func (s *Server) watch(c *conn, path string, kind wire.WatchKind) {
	watchers := s.watches[kind][path]
	if watchers == nil {
		watchers = make(map[*conn]struct{})
		s.watches[kind][path] = watchers
	}
	watchers[c] = struct{}{}
	c.watches[kind][path] = struct{}{}
}

func (s *Server) dropWatches(c *conn) {
	for kind := range c.watches {
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
func (s *Server) takeWatchers(kind wire.WatchKind, path string) map[*conn]struct{} {
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
		var notified map[*conn]struct{} // A client that watches both data and children gets the deletion once.
		for _, kind := range firedBy[ch.kind] {
			watchers := s.takeWatchers(kind, ch.path)
			for c := range watchers {
				if _, ok := notified[c]; !ok {
					s.notify(c, ch)
				}
			}
			notified = watchers
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
	for i, paths := range op.Watches {
		kind := wire.WatchKind(i)
		for _, path := range paths {
			if event, fired := missed(kind, s.tree.get(path), op.Since); fired {
				s.answer(c, change{path: path, kind: event})
			} else if kind == wire.WatchExist {
				s.watch(c, path, wire.WatchData)
			} else {
				s.watch(c, path, kind)
			}
		}
	}
}

// missed returns the event that a watch on a node has missed since a transaction, or false.
func missed(kind wire.WatchKind, n *node, since int64) (wire.EventType, bool) {
	switch {
	case kind == wire.WatchExist:
		return wire.NodeCreated, n != nil
	case n == nil:
		return wire.NodeDeleted, true
	case kind == wire.WatchChild:
		return wire.NodeChildrenChanged, n.Pzxid > since
	}
	return wire.NodeDataChanged, n.Mzxid > since
}
