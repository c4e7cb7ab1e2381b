// Package storetest gives tests real databases: a SQLite file each, and a real
// MariaDB server that is started once per test binary.
//
//	storetest.Each(t, func(t *testing.T, db *store.DB) { … })
//	   ├─ subtest "sqlite"   a new file
//	   └─ subtest "mariadb"  a new database on the shared server ── ends with the test binary
//
// A test that stops, freezes or restarts its server starts one of its own with
// [NewMariaDB]. Nothing is skipped: without MariaDB such tests fail and say
// what to install.
package storetest

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql" // the driver "mysql"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// The account of every server started here; it may do everything.
const (
	User     = "elasticjob"
	Password = "s3cret@word"
)

const startLimit = 60 * time.Second

// MariaDB is a running server with data of its own, on a loopback port.
type MariaDB struct {
	// Addr is host:port; it stays the same over restarts.
	Addr string

	dir     string
	program string
	args    []string
	mu      sync.Mutex
	leash   io.WriteCloser // while it is open the server lives
	guard   *exec.Cmd
}

var shared struct {
	once   sync.Once
	server *MariaDB
	err    error
}

// StartMariaDB returns the server that the tests of this binary share. Tests
// must not stop it.
func StartMariaDB(tb testing.TB) *MariaDB {
	tb.Helper()
	shared.once.Do(func() { shared.server, shared.err = launch() })
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.server
}

// NewMariaDB starts a server for one test, which may kill and restart it.
func NewMariaDB(tb testing.TB) *MariaDB {
	tb.Helper()
	server, err := launch()
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		server.release("")
		if err := os.RemoveAll(server.dir); err != nil {
			tb.Error(err)
		}
	})
	return server
}

func find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		path, err = exec.LookPath(filepath.Join("/usr/sbin", program))
	}
	if err != nil {
		return "", fmt.Errorf("%s is needed by this test; install it: apt-get install mariadb-server", program)
	}
	return path, nil
}

func launch() (*MariaDB, error) {
	program, err := find("mariadbd")
	if err != nil {
		return nil, err
	}
	install, err := find("mariadb-install-db")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "ej-mariadb-")
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*MariaDB, error) { return nil, errors.Join(err, os.RemoveAll(dir)) }

	var asRoot []string
	if os.Geteuid() == 0 {
		asRoot = []string{"--user=root"} // the server refuses to run as root unless told to
	}
	data := filepath.Join(dir, "data")
	out, err := exec.Command(install, append([]string{"--no-defaults", "--datadir=" + data, "--skip-test-db",
		"--auth-root-authentication-method=normal"}, asRoot...)...).CombinedOutput()
	if err != nil {
		return fail(fmt.Errorf("mariadb-install-db: %w\n%s", err, out))
	}
	account := filepath.Join(dir, "account.sql")
	grants := fmt.Sprintf("CREATE USER IF NOT EXISTS '%s'@'%%' IDENTIFIED BY '%s';\nGRANT ALL ON *.* TO '%[1]s'@'%%' WITH GRANT OPTION;\n",
		User, Password)
	if err := os.WriteFile(account, []byte(grants), 0o600); err != nil {
		return fail(err)
	}
	// A port is free until somebody else takes it; then another one is tried.
	for range 3 {
		port, portErr := freePort()
		if portErr != nil {
			return fail(portErr)
		}
		m := &MariaDB{
			Addr: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), dir: dir, program: program,
			args: append([]string{"--no-defaults", "--datadir=" + data, "--init-file=" + account,
				"--socket=" + filepath.Join(dir, "s.sock"), "--pid-file=" + filepath.Join(dir, "pid"),
				"--bind-address=127.0.0.1", "--port=" + strconv.Itoa(port), "--skip-name-resolve",
				"--performance-schema=OFF", "--innodb-buffer-pool-size=32M", "--innodb-log-file-size=32M",
				"--innodb-flush-log-at-trx-commit=2"}, asRoot...),
		}
		if err = m.start(); err == nil {
			return m, nil
		}
	}
	return fail(err)
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
// test binary dies of whatever cause, and then kills it. Unless told to keep
// the data it removes them.
const leashScript = `dir=$1; shift
exec 3<&0
"$@" </dev/null 3<&- & server=$!
echo $server >"$dir/server.tmp" && mv "$dir/server.tmp" "$dir/server"
read -r word <&3
kill -KILL $server; wait $server 2>/dev/null
[ "$word" = keep ] || rm -rf "$dir"`

func (m *MariaDB) start() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	// A file rather than a buffer: a buffer needs a goroutine as long as the
	// server runs, and tests look for goroutines left behind.
	log, err := os.Create(filepath.Join(m.dir, "log"))
	if err != nil {
		return err
	}
	defer func() { _ = log.Close() }()
	m.guard = exec.Command("/bin/sh", append([]string{"-c", leashScript, "sh", m.dir, m.program}, m.args...)...)
	m.guard.Stdout, m.guard.Stderr = log, log
	leash, err := m.guard.StdinPipe()
	if err != nil {
		return err
	}
	if err := m.guard.Start(); err != nil {
		return err
	}
	m.leash = leash
	if err := m.await(); err != nil {
		m.releaseLocked("keep\n")
		said, _ := os.ReadFile(log.Name()) // empty if it said nothing
		return fmt.Errorf("start MariaDB: %w\n%s", err, said)
	}
	return nil
}

func (m *MariaDB) await() error {
	pool, err := sql.Open("mysql", m.goDSN(""))
	if err != nil {
		return err
	}
	defer func() { _ = pool.Close() }()
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	for {
		err := pool.PingContext(ctx)
		if err == nil {
			_, err = os.Stat(filepath.Join(m.dir, "server"))
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

func (m *MariaDB) release(word string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.releaseLocked(word)
}

func (m *MariaDB) releaseLocked(word string) {
	if m.leash == nil {
		return
	}
	_, _ = io.WriteString(m.leash, word) // fails only if the guard is gone already
	_ = m.leash.Close()
	_ = m.guard.Wait() // its status is that of the kill
	m.leash = nil
	_ = os.Remove(filepath.Join(m.dir, "server")) // the number may become another process's
}

// Kill ends the server at once, as a crash does, and keeps its data.
func (m *MariaDB) Kill() { m.release("keep\n") }

// Restart starts the server again after Kill, on the same address and data.
func (m *MariaDB) Restart(tb testing.TB) {
	tb.Helper()
	if err := m.start(); err != nil {
		tb.Fatal(err)
	}
}

// Pause freezes the server: connections stay open and nothing answers.
func (m *MariaDB) Pause(tb testing.TB) {
	tb.Helper()
	pid := m.signal(tb, syscall.SIGSTOP)
	// The signal is sent when Kill returns, and obeyed a moment later.
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(startLimit); !stopped(pid); <-poll.C {
		if time.Now().After(deadline) {
			tb.Fatalf("the server, process %d, does not stop", pid)
		}
	}
}

// stopped reports whether every thread of a process is stopped. Where there is
// no /proc to ask, the signal is taken for obeyed.
func stopped(pid int) bool {
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", pid))
	if err != nil {
		return false
	}
	for _, thread := range threads {
		raw, err := os.ReadFile(thread)
		if err != nil {
			continue // It has ended.
		}
		// The state follows the command, which is in brackets.
		_, rest, _ := strings.Cut(string(raw), ") ")
		if !strings.HasPrefix(rest, "T") {
			return false
		}
	}
	return true
}

// Resume ends Pause.
func (m *MariaDB) Resume(tb testing.TB) { tb.Helper(); m.signal(tb, syscall.SIGCONT) }

func (m *MariaDB) signal(tb testing.TB, sig syscall.Signal) (pid int) {
	tb.Helper()
	raw, err := os.ReadFile(filepath.Join(m.dir, "server"))
	if err != nil {
		tb.Fatal(err)
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		tb.Fatal(err)
	}
	if err := syscall.Kill(pid, sig); err != nil {
		tb.Fatal(err)
	}
	return pid
}

func (m *MariaDB) goDSN(database string) string {
	return fmt.Sprintf("%s:%s@tcp(%s)/%s?timeout=5s&multiStatements=true", User, Password, m.Addr, database)
}

// DSN names a database of the server in the form [store.Open] takes.
func (m *MariaDB) DSN(database string) string {
	return fmt.Sprintf("mysql://%s:%s@%s/%s", User, strings.ReplaceAll(Password, "@", "%40"), m.Addr, database)
}

// Exec runs SQL as the administrator, in a database or, with "", in none.
// Several statements are separated by semicolons.
func (m *MariaDB) Exec(tb testing.TB, database, statements string) {
	tb.Helper()
	pool, err := sql.Open("mysql", m.goDSN(database))
	if err != nil {
		tb.Fatal(err)
	}
	_, err = pool.Exec(statements)
	if err := errors.Join(err, pool.Close()); err != nil {
		tb.Fatalf("%s: %v", statements, err)
	}
}

var databases atomic.Int64

// NewDatabase creates an empty database, dropped after the test, and returns
// its name.
func (m *MariaDB) NewDatabase(tb testing.TB) string {
	tb.Helper()
	name := fmt.Sprintf("t%d", databases.Add(1))
	m.Exec(tb, "", "CREATE DATABASE "+name+" CHARACTER SET utf8mb4")
	tb.Cleanup(func() {
		m.mu.Lock()
		running := m.leash != nil
		m.mu.Unlock()
		if running {
			m.Exec(tb, "", "DROP DATABASE IF EXISTS "+name)
		}
	})
	return name
}

// Each runs fn once per kind of database, each time with a new one whose
// schema is up to date.
func Each(t *testing.T, fn func(t *testing.T, db *store.DB)) {
	t.Helper()
	EachDSN(t, func(t *testing.T, dsn string) {
		db := Open(t, dsn)
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		fn(t, db)
	})
}

// EachDSN is [Each] with the names of new, empty databases.
func EachDSN(t *testing.T, fn func(t *testing.T, dsn string)) {
	t.Helper()
	t.Run(store.SQLite, func(t *testing.T) {
		fn(t, SQLiteDSN(t))
	})
	t.Run("mariadb", func(t *testing.T) {
		server := StartMariaDB(t)
		fn(t, server.DSN(server.NewDatabase(t)))
	})
}

// SQLiteDSN names a SQLite file that does not exist yet and is removed after
// the test.
func SQLiteDSN(tb testing.TB) string {
	tb.Helper()
	return "sqlite://" + filepath.Join(tb.TempDir(), "test.db")
}

// Open opens a database and closes it after the test.
func Open(tb testing.TB, dsn string) *store.DB {
	tb.Helper()
	db, err := store.Open(context.Background(), dsn, slog.New(slog.DiscardHandler))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := db.Close(); err != nil {
			tb.Error(err)
		}
	})
	return db
}
