package zkfake

import (
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// Request describes a request to the hook of [Server.SetFault].
type Request struct {
	Session int64    // the client's session; 0 if a handshake asks for a new one
	Conn    uint64   // numbers the server's connections from 1
	Seq     uint64   // numbers the connection's requests from 1; the handshake is 0
	Xid     int32    // the client's request number
	Op      string   // "create", "setData", "multi", "ping", "connect" and so on; empty if unknown
	Path    string   // the path, or the path of a multi's first step
	Paths   []string // the paths of all steps of a multi, otherwise nil
}

// Fault is the treatment of a request. The zero value is [None].
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
	// LoseRequest cuts the connection before the request has any effect. Replies to earlier
	// requests arrive.
	LoseRequest = Fault{loseRequest: true}
	// LoseReply executes the request and cuts the connection without a reply. Replies to earlier
	// requests arrive, but the request's own watch events on this connection don't.
	LoseReply = Fault{loseReply: true}
)

// Delay executes the request at once but delays the reply by d. Later frames of the connection,
// watch events included, wait behind it, so the order stays the same.
func Delay(d time.Duration) Fault { return Fault{behind: d} }

// DelayRequest delays the execution by d. Later requests of the connection wait behind it.
func DelayRequest(d time.Duration) Fault { return Fault{before: d} }

func (f Fault) due() time.Time {
	if f.behind <= 0 {
		return time.Time{}
	}
	return time.Now().Add(f.behind)
}

// WatchEvent describes a watch event to the hook of [Server.SetWatchFault].
type WatchEvent struct {
	Session int64 // the receiving session
	Type    wire.EventType
	Path    string // Path is the node it happened to.
}

// SetFault installs a hook that decides the fate of each request, including handshakes and pings.
// nil removes it. The hook runs on the connection's goroutine before the request is executed. No
// lock is held, so it may call every method except Close, and it blocks only its own connection. It
// must be safe for concurrent use. Requests already past the hook aren't affected.
func (s *Server) SetFault(hook func(Request) Fault) {
	s.hookMu.Lock()
	defer s.hookMu.Unlock()
	s.fault = hook
}

// SetWatchFault installs a hook that runs before each watch event is sent. If it returns true, the
// event is dropped, and since the watch is spent, the client never learns of the change. nil
// removes the hook. The rules of [Server.SetFault] apply. The hook doesn't see events that answer a
// setWatches request, because they count as replies.
func (s *Server) SetWatchFault(drop func(WatchEvent) bool) {
	s.hookMu.Lock()
	defer s.hookMu.Unlock()
	s.watchFault = drop
}

// Change is a change of the tree for the observer of [Server.SetObserver].
type Change struct {
	Zxid    int64          // the transaction
	Session int64          // the session that made the change, by a request or its end; 0 for the server
	Type    wire.EventType // created, deleted or data changed
	Path    string         // the changed node
	Data    []byte         // the node's data, or a deleted node's last data; read-only
	Owner   int64          // owning session of an ephemeral node, otherwise 0
	Ended   bool           // an ephemeral node was removed with its session, not by a request
}

// SetObserver installs a function that receives every change of the tree, in order, before any
// client does. nil removes it. It runs under the server's lock, so it must return at once and not
// call the server.
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

// SendEvent sends a watch event without a cause, as if a client gets an event twice or without a
// watch. No watch is spent. It reports whether the session has a connection.
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
