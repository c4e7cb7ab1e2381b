package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

const startLimit = 60 * time.Second

// server is a running program with data of its own, on a loopback port.
type server struct {
	// Addr is host:port; it stays the same over restarts.
	Addr string

	product product
	dir     string
	program string
	args    []string
	account *syscall.Credential // whom it runs as; nil: the same as the test

	mu    sync.Mutex
	leash io.WriteCloser // while it is open the server lives
	guard *exec.Cmd
}

// product is what the kinds of server differ in.
type product struct {
	name   string
	driver string // database/sql's name for its protocol
	// dsn names a database of a server at addr to that driver; with "" the one
	// that is always there.
	dsn    func(addr, database string) string
	create string // the statement that creates a database, up to its name
	after  string // and what follows the name
	// crash is the signal that ends the server and all its processes at once
	// and without a word to its files.
	crash string
}

// shared is a server that the tests of a binary share.
type shared[T any] struct {
	once   sync.Once
	server T
	err    error
}

func (s *shared[T]) start(tb testing.TB, launch func() (T, error)) T {
	tb.Helper()
	s.once.Do(func() { s.server, s.err = launch() })
	if s.err != nil {
		tb.Fatal(s.err)
	}
	return s.server
}

// tryPorts starts the server on a free port. A port is free until somebody
// else takes it; then another one is tried.
func (s *server) tryPorts(args func(port string) []string) error {
	var err error
	for range 3 {
		port, portErr := freePort()
		if portErr != nil {
			return portErr
		}
		s.Addr, s.args = net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), args(strconv.Itoa(port))
		if err = s.start(); err == nil {
			return nil
		}
	}
	return err
}

// endWith removes the server after a test that has it for itself.
func (s *server) endWith(tb testing.TB) {
	tb.Cleanup(func() {
		if err := s.End(); err != nil {
			tb.Error(err)
		}
	})
}

func freePort() (int, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	return port, listener.Close()
}

// leashScript runs the server until standard input ends, as it does when the
// test binary dies of whatever cause, and then kills it. Unless asked to keep
// the data it removes them.
const leashScript = `dir=$1 crash=$2; shift 2
exec 3<&0
"$@" </dev/null 3<&- & server=$!
echo $server >"$dir/server.tmp" && mv "$dir/server.tmp" "$dir/server"
read -r word <&3
kill -$crash $server; wait $server 2>/dev/null
[ "$word" = keep ] || rm -rf "$dir"`

func (s *server) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// A file rather than a buffer: a buffer needs a goroutine as long as the
	// server runs, and tests look for goroutines left behind.
	log, err := os.Create(filepath.Join(s.dir, "log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	s.guard = exec.Command("/bin/sh", append([]string{"-c", leashScript, "sh", s.dir, s.product.crash, s.program}, s.args...)...)
	s.guard.Dir = s.dir // the account it runs as may have no right to ours
	s.guard.Stdout, s.guard.Stderr = log, log
	if s.account != nil {
		s.guard.SysProcAttr = &syscall.SysProcAttr{Credential: s.account}
	}
	leash, err := s.guard.StdinPipe()
	if err != nil {
		return err
	}
	if err := s.guard.Start(); err != nil {
		return err
	}
	s.leash = leash
	if err := s.await(); err != nil {
		s.releaseLocked("keep\n")
		said, _ := os.ReadFile(log.Name()) // empty if it said nothing
		return fmt.Errorf("start %s: %w\n%s", s.product.name, err, said)
	}
	return nil
}

func (s *server) await() error {
	pool, err := sql.Open(s.product.driver, s.product.dsn(s.Addr, ""))
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	for {
		err := pool.PingContext(ctx)
		if err == nil {
			_, err = os.Stat(filepath.Join(s.dir, "server"))
		}
		if err == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			return err
		case <-time.After(20 * time.Millisecond):
		}
	}
}

func (s *server) release(word string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.releaseLocked(word)
}

func (s *server) releaseLocked(word string) {
	if s.leash == nil {
		return
	}
	_, _ = io.WriteString(s.leash, word) // fails only if the guard has ended already
	_ = s.leash.Close()
	_ = s.guard.Wait() // its status is that of the kill
	s.leash = nil
	_ = os.Remove(filepath.Join(s.dir, "server")) // the number may become another process's
}

// Kill ends the server at once, as a crash does, and keeps its data.
func (s *server) Kill() { s.release("keep\n") }

// Start starts the server again after Kill, on the same address and data.
func (s *server) Start() error { return s.start() }

// End ends the server and removes its data.
func (s *server) End() error {
	s.release("")
	return os.RemoveAll(s.dir)
}

// Restart starts the server again after Kill, on the same address and data.
func (s *server) Restart(tb testing.TB) {
	tb.Helper()
	if err := s.Start(); err != nil {
		tb.Fatal(err)
	}
}

var databases atomic.Int64

// NewDatabase creates an empty database, dropped after the test, and returns
// its name.
func (s *server) NewDatabase(tb testing.TB) string {
	tb.Helper()
	return s.NewDatabaseWith(tb, "")
}

// NewDatabaseWith is NewDatabase with what ends the statement that creates it,
// such as an encoding.
func (s *server) NewDatabaseWith(tb testing.TB, options string) string {
	tb.Helper()
	name := fmt.Sprintf("t%d", databases.Add(1))
	s.Exec(tb, "", s.product.create+name+s.product.after+" "+options)
	tb.Cleanup(func() {
		s.mu.Lock()
		running := s.leash != nil
		s.mu.Unlock()
		if running {
			s.Exec(tb, "", "DROP DATABASE IF EXISTS "+name)
		}
	})
	return name
}

// Create creates an empty database for a program that is no test.
func (s *server) Create(name string) error { return s.exec("", s.product.create+name+s.product.after) }

// Exec runs SQL as the administrator, in a database or, with "", in none of
// the test's. Several statements are separated by semicolons.
func (s *server) Exec(tb testing.TB, database, statements string) {
	tb.Helper()
	if err := s.exec(database, statements); err != nil {
		tb.Fatalf("%s: %v", statements, err)
	}
}

func (s *server) exec(database, statements string) error {
	pool, err := sql.Open(s.product.driver, s.product.dsn(s.Addr, database))
	if err != nil {
		return err
	}
	_, err = pool.Exec(statements)
	return errors.Join(err, pool.Close())
}
