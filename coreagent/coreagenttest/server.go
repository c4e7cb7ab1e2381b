package coreagenttest

import (
	"context"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/registry"
)

// Server is a ZooKeeper server inside the test's process. It's safe for concurrent use.
type Server struct {
	fake *zkfake.Server
	addr string
}

// pipeAddr is the address of a server without sockets.
const pipeAddr = "in-memory:2181"

// NewServer starts a server on a free port of the loopback interface, for agents in this process or
// in others, and closes it at the end of the test. It accepts session timeouts from 200 ms to 60 s,
// so tests in real time don't wait long for a session to expire.
//
// The server is closed after everything that the test registers later with Cleanup; stop agents
// there or in the test itself.
func NewServer(tb testing.TB) *Server {
	tb.Helper()
	s, err := Listen()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.Close)
	return s
}

// NewPipeServer starts a server without sockets, only reachable through [Server.Dial], and closes
// it at the end of the test. Use it in a bubble of package testing/synctest: call it inside the
// bubble, and stop all agents before the bubble ends.
func NewPipeServer(tb testing.TB) *Server {
	tb.Helper()
	s := &Server{fake: newFake(), addr: pipeAddr}
	tb.Cleanup(s.Close)
	return s
}

// Listen starts a server like [NewServer] without a test, for example in an Example. The caller closes it.
func Listen() (*Server, error) {
	s := &Server{fake: newFake()}
	addr, err := s.fake.Listen("127.0.0.1:0")
	if err != nil {
		s.Close()
		return nil, fmt.Errorf("coreagenttest: start server: %w", err)
	}
	s.addr = addr.String()
	return s, nil
}

func newFake() *zkfake.Server {
	return zkfake.New(zkfake.Options{
		TickTime:          100 * time.Millisecond,
		MinSessionTimeout: 200 * time.Millisecond,
		MaxSessionTimeout: time.Minute,
	})
}

// Close stops the server and waits for its goroutines. It's idempotent. Tests needn't call it.
func (s *Server) Close() {
	_ = s.fake.Close() // never fails
}

// Addr is the server's "host:port". For a server from [NewPipeServer] it returns a placeholder,
// which its Dial ignores.
func (s *Server) Addr() string { return s.addr }

// Dial opens an in-memory connection to the server, and ignores network and addr. Use it as field
// Dial of [registry.ZooKeeper]. It fails while the server is stopped.
func (s *Server) Dial(ctx context.Context, network, addr string) (net.Conn, error) {
	return s.fake.Dial(ctx, network, addr)
}

// ZooKeeper returns the settings with which an agent or a registry of this process reaches the
// server, in memory. Change the settings under test, for example the session timeout.
func (s *Server) ZooKeeper() registry.ZooKeeper {
	return registry.ZooKeeper{Servers: []string{s.addr}, Dial: s.Dial}
}

// Stop makes the server unreachable: all connections break and new ones are refused. Data and
// sessions stay, and no session expires while it's stopped. It does nothing if the server is already stopped.
func (s *Server) Stop() { s.fake.Stop() }

// Start makes a stopped server reachable again at the same address. Agents have their whole session
// timeout to reconnect. It fails if the address was taken since.
func (s *Server) Start() error {
	if err := s.fake.Start(); err != nil {
		return fmt.Errorf("coreagenttest: restart server: %w", err)
	}
	return nil
}

// Sessions returns the ids of the living sessions in the order of their creation. An agent has one session.
func (s *Server) Sessions() []int64 {
	var ids []int64
	for _, info := range s.fake.Sessions() {
		ids = append(ids, info.ID)
	}
	return ids
}

// SessionOf returns the session that owns an ephemeral node, or 0. It shows which session belongs
// to which agent, because each agent owns the node of its instance; see [Server.Tree].
func (s *Server) SessionOf(path string) int64 {
	if nodes := s.fake.Dump(path); len(nodes) > 0 {
		return nodes[0].Stat.EphemeralOwner
	}
	return 0
}

// ExpireSession ends a session as if its agent had been unreachable for too long. Its registrations
// are removed when ExpireSession returns, its connection breaks, and the agent notices when it
// connects again. It reports whether the session existed.
func (s *Server) ExpireSession(id int64) bool { return s.fake.ExpireSession(id) }

// ExpireSessions ends all sessions and returns their number.
func (s *Server) ExpireSessions() int {
	expired := 0
	for _, id := range s.Sessions() {
		if s.fake.ExpireSession(id) {
			expired++
		}
	}
	return expired
}

// DropConnections breaks all connections and returns their number. Agents connect again and keep
// their sessions.
func (s *Server) DropConnections() int { return s.fake.DropConnections() }

// Tree describes the nodes at and below a path, one line each, for example
//
//	/test/report/config = cron: 0 0 3 * * ?\n...
//	/test/report/instances/10.0.0.1@-@77 [ephemeral] = ...
//
// to see what agents have registered. Line breaks in data are shown as "\n". The form may change,
// so compare single facts, not the whole text.
func (s *Server) Tree(root string) string {
	var b strings.Builder
	for _, n := range s.fake.Dump(root) {
		b.WriteString(n.Path)
		if n.Stat.EphemeralOwner != 0 {
			b.WriteString(" [ephemeral]")
		}
		if len(n.Data) > 0 {
			b.WriteString(" = " + strings.ReplaceAll(string(n.Data), "\n", `\n`))
		}
		b.WriteString("\n")
	}
	return b.String()
}
