package storetest

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

const startLimit = 60 * time.Second

// server is a running program with data of its own, on a loopback port. Of one that
// another process has started only the address is known.
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
	// ^C is for the tests; the guard then sees their end.
	s.guard.SysProcAttr = &syscall.SysProcAttr{Credential: s.account, Setpgid: true}
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
		return fmt.Errorf("start %s: %w\n%s", s.product.name, err, s.Log())
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

// Log returns what the server has said since it was started.
func (s *server) Log() string {
	text, err := os.ReadFile(filepath.Join(s.dir, "log"))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// Restart starts the server again after Kill, on the same address and data.
func (s *server) Restart(tb testing.TB) {
	tb.Helper()
	if err := s.Start(); err != nil {
		tb.Fatal(err)
	}
}

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
	name := "t" + strings.ToLower(rand.Text()[:12]) // other packages have theirs beside it
	s.Exec(tb, "", s.product.create+name+s.product.after+" "+options)
	tb.Cleanup(func() {
		s.mu.Lock()
		running := s.leash != nil || s.dir == "" // or somebody else's, who lets it run
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
