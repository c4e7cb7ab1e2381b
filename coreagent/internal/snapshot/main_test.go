package snapshot

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// journal is a log that can be read while it's written.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// fixture is a server with its own namespace.
type fixture struct {
	t      *testing.T
	client *zk.Client
	tree   jobtree.Namespace
	log    *journal
}

func newFixture(t *testing.T, addr string) fixture {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), waittest.Patience)
	defer cancel()
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{addr}, SessionTimeout: 20 * time.Second, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	// Two segments, because the paths omit the whole namespace.
	tree, err := jobtree.NewNamespace(zktest.Namespace(t) + "/billing")
	if err != nil {
		t.Fatal(err)
	}
	return fixture{t: t, client: client, tree: tree, log: &journal{}}
}

func (b fixture) create(path, data string) {
	b.t.Helper()
	if _, err := b.client.CreateAll(b.t.Context(), b.tree.Root()+path, []byte(data), zk.Persistent); err != nil {
		b.t.Fatal(err)
	}
}

// listen starts a dump service that is closed with the test.
func (b fixture) listen(change func(o *Options)) *Server {
	b.t.Helper()
	opts := Options{Client: b.client, Tree: b.tree, Limits: DefaultLimits, Log: slog.New(slog.NewTextHandler(b.log, &slog.HandlerOptions{Level: slog.LevelDebug}))}
	if change != nil {
		change(&opts)
	}
	s, err := Listen(b.t.Context(), opts)
	if err != nil {
		b.t.Fatal(err)
	}
	b.t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		if err := s.Close(ctx); err != nil {
			b.t.Logf("close: %v", err)
		}
	})
	return s
}

func dial(t *testing.T, s *Server) *net.TCPConn {
	t.Helper()
	conn, err := net.Dial("tcp", s.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(waittest.Patience)); err != nil {
		t.Fatal(err)
	}
	return conn.(*net.TCPConn)
}

// ask sends a request and returns the whole answer.
func ask(t *testing.T, s *Server, request string) string {
	t.Helper()
	conn := dial(t, s)
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	return rest(t, conn)
}

func rest(t *testing.T, conn net.Conn) string {
	t.Helper()
	answer, err := io.ReadAll(conn)
	if err != nil {
		t.Fatalf("after %q: %v", answer, err)
	}
	return string(answer)
}
