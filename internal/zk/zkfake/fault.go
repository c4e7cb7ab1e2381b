package zkfake

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// Request describes a request to the hook set with [Server.SetFault].
type Request struct {
	Session int64    // Session is the client's session, 0 in the handshake of a new one.
	Conn    uint64   // Conn numbers the connections of the server from 1.
	Seq     uint64   // Seq numbers the requests of the connection from 1; the handshake is 0.
	Xid     int32    // Xid is the client's number of the request.
	Op      string   // Op is "create", "setData", "multi", "ping", "connect" and so on; empty if unknown.
	Path    string   // Path is what the request is about; of a multi, its first step.
	Paths   []string // Paths lists the paths of all steps of a multi, otherwise nil.
}

// Fault is what is to happen to a request. The zero value is [None].
type Fault struct {
	loseRequest bool
	loseReply   bool
	before      time.Duration
	behind      time.Duration
}

// The faults without a parameter.
var (
	// None lets the request pass.
	None = Fault{}
	// LoseRequest cuts the connection before the request has any effect.
	// Replies to earlier requests still arrive.
	LoseRequest = Fault{loseRequest: true}
	// LoseReply carries the request out and cuts the connection without
	// replying. Replies to earlier requests still arrive; watch events that
	// the request causes on this connection do not.
	LoseReply = Fault{loseReply: true}
)

// Delay carries the request out at once but holds the reply back for d.
// Everything after the reply on the same connection, watch events included,
// waits behind it: order is kept.
func Delay(d time.Duration) Fault { return Fault{behind: d} }

// DelayRequest holds the request back for d before it is carried out. Later
// requests of the same connection wait behind it.
func DelayRequest(d time.Duration) Fault { return Fault{before: d} }

// due is when the reply may be sent.
func (f Fault) due() time.Time {
	if f.behind <= 0 {
		return time.Time{}
	}
	return time.Now().Add(f.behind)
}

// EventType is the kind of a watch event.
type EventType = wire.EventType

// The kinds of watch events.
const (
	NodeCreated         = wire.NodeCreated
	NodeDeleted         = wire.NodeDeleted
	NodeDataChanged     = wire.NodeDataChanged
	NodeChildrenChanged = wire.NodeChildrenChanged
)

// WatchEvent describes a watch event to the hook set with
// [Server.SetWatchFault].
type WatchEvent struct {
	Session int64     // Session is whom the event is for.
	Type    EventType // Type is what happened.
	Path    string    // Path is the node it happened to.
}

// SetFault installs a hook that decides what happens to each request,
// handshakes and pings included; nil removes it. The hook runs on the
// connection's goroutine before the request is carried out, with no lock
// held: it may call every method of the server except Close, and holds up
// nobody but its own connection. It must be safe for concurrent use. A
// request that is already past the hook is not affected.
func (s *Server) SetFault(hook func(Request) Fault) {
	s.hookMu.Lock()
	defer s.hookMu.Unlock()
	s.fault = hook
}

// SetWatchFault installs a hook that is asked before each watch event is
// sent; if it returns true, the event is dropped, and as the watch has fired
// the client will never hear of the change. nil removes the hook. The rules
// of [Server.SetFault] apply. Events by which a client that sets its watches
// anew is sent about what has changed already are replies, and not asked about.
func (s *Server) SetWatchFault(drop func(WatchEvent) bool) {
	s.hookMu.Lock()
	defer s.hookMu.Unlock()
	s.watchFault = drop
}

// Change is a change of the tree, as the observer set with
// [Server.SetObserver] receives it.
type Change struct {
	Zxid    int64     // Zxid is the transaction.
	Session int64     // Session is whose request, or whose end, made the change; 0 if the server did.
	Type    EventType // Type is what happened: created, deleted or data changed.
	Path    string    // Path is the node it happened to.
	Data    []byte    // Data is the node's data, of a deleted one what it had. Read only.
	Owner   int64     // Owner is the session an ephemeral node belongs to, otherwise 0.
	Ended   bool      // Ended says that an ephemeral node went with its session, and not by a request.
}

// SetObserver installs a function that receives every change of the tree, in
// order, before anybody else learns of it; nil removes it. It runs under the
// server's lock: it must return at once and call no method of the server.
func (s *Server) SetObserver(observe func(Change)) {
	s.hookMu.Lock()
	defer s.hookMu.Unlock()
	s.observer = observe
}

func (s *Server) tellObserver() {
	s.hookMu.Lock()
	observe := s.observer
	s.hookMu.Unlock()
	if observe == nil {
		return
	}
	for _, ch := range s.tree.changes {
		if ch.node == nil {
			continue
		}
		c := Change{Zxid: s.zxid, Session: s.author, Type: ch.kind, Path: ch.path, Data: ch.node.data, Ended: s.sessions[s.author] == nil && s.author != 0}
		if isSessionOwner(ch.node.owner) {
			c.Owner = ch.node.owner
		}
		observe(c)
	}
}

// SendEvent sends a watch event that nothing has caused, as a client sees it
// that hears of the same change twice or of one it did not watch for. No
// watch is spent. It reports whether the session has a connection.
func (s *Server) SendEvent(e WatchEvent) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	ss := s.sessions[e.Session]
	if ss == nil || ss.conn == nil {
		return false
	}
	s.notify(ss.conn, change{path: e.Path, kind: e.Type})
	return true
}

func (s *Server) faultFor(r Request) Fault {
	s.hookMu.Lock()
	hook := s.fault
	s.hookMu.Unlock()
	if hook == nil {
		return None
	}
	return hook(r)
}

func (s *Server) dropsEvent(e WatchEvent) bool {
	s.hookMu.Lock()
	hook := s.watchFault
	s.hookMu.Unlock()
	return hook != nil && hook(e)
}
