package storetest

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "github.com/go-sql-driver/mysql" // the driver "mysql"
)

// MariaDB is a running MariaDB server.
type MariaDB struct{ server }

var mariaDB = product{
	name: "MariaDB", driver: "mysql", create: "CREATE DATABASE ", after: " CHARACTER SET utf8mb4", crash: "KILL",
	dsn: func(addr, database string) string {
		return fmt.Sprintf("%s:%s@tcp(%s)/%s?timeout=5s&multiStatements=true", User, Password, addr, database)
	},
}

func find(program string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		path, err = exec.LookPath(filepath.Join("/usr/sbin", program))
	}
	if err != nil {
		return "", fmt.Errorf("%s is needed by this test: run make test-all, which installs it on Debian, or apt-get install mariadb-server; make test works without it", program)
	}
	return path, nil
}

// LaunchMariaDB starts a server for a program that is no test; options come
// after those that make it small. The caller ends it.
func LaunchMariaDB(options ...string) (*MariaDB, error) {
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
		asRoot = []string{"--user=root"} // the server refuses to run as root by default
	}
	data := filepath.Join(dir, "data")
	// Servers that share a temporary folder take each other's #sql-temptable files.
	temporary := filepath.Join(dir, "tmp")
	if err := os.Mkdir(temporary, 0o700); err != nil {
		return fail(err)
	}
	out, err := exec.Command(install, append([]string{"--no-defaults", "--datadir=" + data, "--tmpdir=" + temporary, "--skip-test-db",
		"--auth-root-authentication-method=normal", "--innodb-log-file-size=32M"}, asRoot...)...).CombinedOutput()
	if err != nil {
		return fail(fmt.Errorf("mariadb-install-db: %w\n%s", err, out))
	}
	account := filepath.Join(dir, "account.sql")
	grants := fmt.Sprintf("CREATE USER IF NOT EXISTS '%s'@'%%' IDENTIFIED BY '%s';\nGRANT ALL ON *.* TO '%[1]s'@'%%' WITH GRANT OPTION;\n",
		User, Password)
	if err := os.WriteFile(account, []byte(grants), 0o600); err != nil {
		return fail(err)
	}
	m := &MariaDB{server{product: mariaDB, dir: dir, program: program}}
	err = m.tryPorts(func(port string) []string {
		return slices.Concat([]string{"--no-defaults", "--datadir=" + data, "--tmpdir=" + temporary, "--init-file=" + account,
			"--socket=" + filepath.Join(dir, "s.sock"), "--pid-file=" + filepath.Join(dir, "pid"),
			"--bind-address=127.0.0.1", "--port=" + port, "--skip-name-resolve",
			"--performance-schema=OFF", "--innodb-buffer-pool-size=32M", "--innodb-log-file-size=32M",
			"--innodb-flush-log-at-trx-commit=2"}, options, asRoot)
	})
	if err != nil {
		return fail(err)
	}
	return m, nil
}

// Pause freezes the server: connections stay open and nothing answers.
func (m *MariaDB) Pause(tb testing.TB) {
	tb.Helper()
	if err := m.Freeze(); err != nil {
		tb.Fatal(err)
	}
}

// Resume ends Pause.
func (m *MariaDB) Resume(tb testing.TB) {
	tb.Helper()
	if err := m.Continue(); err != nil {
		tb.Fatal(err)
	}
}

// Freeze is [MariaDB.Pause] outside a test.
func (m *MariaDB) Freeze() error {
	pid, err := m.signal(syscall.SIGSTOP)
	if err != nil {
		return err
	}
	// The signal is sent when Kill returns, and obeyed a moment later.
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for deadline := time.Now().Add(startLimit); !stopped(pid); <-poll.C {
		if time.Now().After(deadline) {
			return fmt.Errorf("the server, process %d, does not stop", pid)
		}
	}
	return nil
}

// Continue is [MariaDB.Resume] outside a test.
func (m *MariaDB) Continue() error {
	_, err := m.signal(syscall.SIGCONT)
	return err
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

func (m *MariaDB) signal(sig syscall.Signal) (pid int, err error) {
	raw, err := os.ReadFile(filepath.Join(m.dir, "server"))
	if err != nil {
		return 0, err
	}
	pid, err = strconv.Atoi(strings.TrimSpace(string(raw)))
	if err != nil {
		return 0, err
	}
	return pid, syscall.Kill(pid, sig)
}

// DSN names a database of the server in the form [store.Open] takes.
func (m *MariaDB) DSN(database string) string {
	return fmt.Sprintf("mysql://%s:%s@%s/%s", User, strings.ReplaceAll(Password, "@", "%40"), m.Addr, database)
}
