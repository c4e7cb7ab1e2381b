package store_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

func open(t *testing.T, dsn string) (*store.DB, error) {
	t.Helper()
	db, err := store.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
	if err == nil {
		t.Cleanup(func() { _ = db.Close() })
	}
	return db, err
}

// check asserts the kind of an error, that its text has all the parts, and
// that it does not have the password.
func check(t *testing.T, err error, kind error, parts ...string) {
	t.Helper()
	if !errors.Is(err, kind) {
		t.Fatalf("want %v, got: %v", kind, err)
	}
	e, ok := errors.AsType[*store.Error](err)
	if !ok || e.Hint == "" {
		t.Errorf("no hint: %v", err)
	}
	for _, part := range parts {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("%q is missing in: %v", part, err)
		}
	}
	for _, secret := range []string{storetest.Password, "s3cret", "hunter2"} {
		if strings.Contains(err.Error(), secret) {
			t.Errorf("the password is in: %v", err)
		}
	}
}

func TestOpenBadDSN(t *testing.T) {
	for _, dsn := range []string{
		"", " ", "oracle://u:hunter2@h/db", "mysql://",
		"postgres://", "postgres://u:hunter2@h", "postgres://u:hunter2@h/", "postgres://u:hunter2/x@h/db", "postgres://u:hunter2%zz@h/db",
		"postgres://u:hunter2@h:port/db", "postgres://u:hunter2@h:99:1/db", "postgres://h:hunter2/db", "postgresql://u:hunter2@h/a/b",
		"postgres://u@h/db?password=hunter2", "postgres://u@h/db?a=b&sslpassword=hunter2", "postgres://u:hunter2@/db",
		"postgres://u:hunter2@h/db?sslmode=perhaps", "postgres://u:hunter2@h/db?service=x", "postgres://u:hunter2#1@h/db", "mysql://u:hunter2@h", "mysql://u:hunter2@h/",
		"mysql://u:hunter2/x@h/db", "mysql://u:hunter2%zz@h/db", "mysql://u:hunter2#1@h/db", "mysql://u:hunter2@h:port/db",
		"mysql://u:hunter2@h:99:1/db", "mysql://h:hunter2/db", "mysql://u:hunter2@h/db?readTimeout=soon", "mysql://u:hunter2@h/a/b",
		"u:hunter2@tcp(h:3306)/", "u:hunter2@tcp(h:3306/db", "u:hunter2@what(h)/db", "u:hunter2@tcp(h)/db?parseTime=perhaps", "sqlite://", "sqlite:",
		"/x.db?a=%zz",
	} {
		_, err := open(t, dsn)
		if err == nil {
			t.Errorf("%q was accepted", dsn)
			continue
		}
		if strings.Contains(err.Error(), "hunter2") {
			t.Errorf("the password is in: %v", err)
		}
		check(t, err, store.ErrBadDSN)
	}
}

func TestMask(t *testing.T) {
	for dsn, want := range map[string]string{
		"mysql://u:p@h:3306/db":             "mysql://u:***@h:3306/db",
		"mysql://u:p@q@h/db":                "mysql://u:***@h/db",
		"mysql://u@h/db":                    "mysql://u@h/db",
		"mysql://h:3306/db":                 "mysql://h:3306/db",
		"mysql://[::1]:3306/db":             "mysql://[::1]:3306/db",
		"mysql://u:secret/db":               "mysql://***",
		"u:p@tcp(h:3306)/db?charset=utf8":   "u:***@tcp(h:3306)/db?charset=utf8",
		"u:p@q:r/@tcp(h:3306)/db":           "u:***@tcp(h:3306)/db",
		"u@tcp(h:3306)/db":                  "u@tcp(h:3306)/db",
		"u:p@unix(/run/mysqld/s.sock)/db":   "u:***@unix(/run/mysqld/s.sock)/db",
		"u:p@/db":                           "u:***@/db",
		"tcp(h:3306)/db":                    "tcp(h:3306)/db",
		"/var/lib/ej.db":                    "/var/lib/ej.db",
		"sqlite:///var/lib/ej.db":           "sqlite:///var/lib/ej.db",
		"postgres://me:top@secret@h:5432/x": "postgres://me:***@h:5432/x",
		"postgres://me@h/x?a=b&password=p":  "postgres://me@h/x?a=b&password=***",
	} {
		if got := mask.DSN(dsn); got != want {
			t.Errorf("%s: got %s, want %s", dsn, got, want)
		}
	}
}

func TestOpenSQLiteForms(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for dsn, file := range map[string]string{
		"sqlite://" + dir + "/a/b/one.db":        "a/b/one.db",
		dir + "/two.db":                          "two.db",
		"three.db":                               "three.db",
		"sub/four.db":                            "sub/four.db",
		"sqlite:five.db":                         "five.db",
		dir + "/odd %41#name @tcp 数据.db":         "odd %41#name @tcp 数据.db",
		"sqlite://" + dir + "/six.db?cache=priv": "six.db",
	} {
		db, err := open(t, dsn)
		if err != nil {
			if !strings.Contains(dsn, "cache=priv") {
				t.Error(err)
			}
			continue
		}
		if err := db.Migrate(t.Context()); err != nil {
			t.Error(err)
		}
		if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
			t.Error(err)
		}
		var mode string
		db.Raw("PRAGMA journal_mode").Scan(&mode)
		if mode != "wal" {
			t.Errorf("%s: journal mode %q", dsn, mode)
		}
	}
}

func TestOpenSQLiteFailures(t *testing.T) {
	dir := t.TempDir()
	write := func(name, content string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := write("text.db", strings.Repeat("this is not a database. ", 100))
	_, err := open(t, text)
	check(t, err, store.ErrNotDatabase, text)

	_, err = open(t, filepath.Join(text, "below.db"))
	check(t, err, store.ErrUnreachable)

	_, err = open(t, dir)
	check(t, err, store.ErrUnreachable)

	_, err = open(t, filepath.Join(dir, "absent.db?mode=ro"))
	check(t, err, store.ErrUnreachable)
}

func TestOpenSQLiteReadOnly(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.db")
	db, err := open(t, path)
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec("CREATE TABLE x (y)").Error; err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}

	// Asked to be read only, it opens, answers, and refuses to be migrated.
	db, err = open(t, path+"?mode=ro")
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
	check(t, db.Migrate(t.Context()), store.ErrReadOnly, path)

	// A file that merely happens to be so is refused at once. The permission
	// bits do not bind root, for whom another way makes the file immutable.
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	if os.Geteuid() == 0 {
		path += "?immutable=1"
	}
	_, err = open(t, path)
	check(t, err, store.ErrReadOnly)
}

// TestCloseWaitsForTheLastConnection: SQLite's journal goes with its last
// connection, which its user may release only after Close was called.
func TestCloseWaitsForTheLastConnection(t *testing.T) {
	file := filepath.Join(t.TempDir(), "test.db")
	db, err := open(t, "sqlite://"+file)
	if err != nil {
		t.Fatal(err)
	}
	pool, err := db.DB.DB()
	if err != nil {
		t.Fatal(err)
	}
	used, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := used.ExecContext(t.Context(), "CREATE TABLE t (n INT)"); err != nil {
		t.Fatal(err)
	}
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	poll := time.NewTicker(time.Millisecond)
	defer poll.Stop()
	for pool.PingContext(t.Context()) == nil {
		<-poll.C
	}
	select {
	case err := <-closed:
		t.Errorf("Close returned while a connection was in use: %v", err)
		closed <- err
	case <-time.After(20 * time.Millisecond):
	}
	if err := used.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-closed; err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(file + "-wal"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the journal is left behind: %v", err)
	}
}

// TestCloseAfterAnInterruptedStatement: the files of a database are tidied up although the last
// statement of the last connection was cancelled.
func TestCloseAfterAnInterruptedStatement(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	db, err := store.Open(t.Context(), "sqlite://"+filepath.Join(folder, "test.db"), slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Exec("CREATE TABLE t (n INT)").Error; err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	endless := "INSERT INTO t WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c) SELECT i FROM c"
	if err := db.WithContext(ctx).Exec(endless).Error; !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("the statement ended with %v", err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 1 {
		t.Errorf("left are %v, %v; want the database alone", left, err)
	}
}

// TestCloseOfConnectionsAtOnce: the files of a database are tidied up although its connections
// are released, and closed, at one moment.
func TestCloseOfConnectionsAtOnce(t *testing.T) {
	t.Parallel()
	for range 40 {
		folder := t.TempDir()
		db, err := store.Open(t.Context(), "sqlite://"+filepath.Join(folder, "test.db"), slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		pool, err := db.DB.DB()
		if err != nil {
			t.Fatal(err)
		}
		together := make(chan struct{})
		var used sync.WaitGroup
		for range 4 {
			conn, err := pool.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if _, err := conn.ExecContext(t.Context(), "CREATE TABLE IF NOT EXISTS t (n INT)"); err != nil {
				t.Fatal(err)
			}
			used.Go(func() {
				<-together
				if err := conn.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		if err := pool.Close(); err != nil { // So that each is closed when it is released.
			t.Fatal(err)
		}
		close(together)
		used.Wait()
		if err := db.Close(); err != nil {
			t.Fatal(err)
		}
		left, err := os.ReadDir(folder)
		if err != nil || len(left) != 1 {
			t.Fatalf("left are %v, %v; want the database alone", left, err)
		}
	}
}

// TestOpenSilent meets a listener that accepts and never says a word.
func TestOpenSilent(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			wg.Go(func() { _, _ = io.Copy(io.Discard, conn); _ = conn.Close() })
		}
	})
	for _, scheme := range []string{"mysql", "postgres"} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err = store.Open(ctx, scheme+"://u:hunter2@"+listener.Addr().String()+"/x", slog.New(slog.DiscardHandler))
		cancel()
		check(t, err, store.ErrUnreachable)
	}
	if err := listener.Close(); err != nil {
		t.Fatal(err)
	}
	wg.Wait()
}

func TestErrorsAreTranslated(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		storetest.InsertJavaRows(t, db, storetest.Java304, false)
		err := db.Exec("INSERT INTO JOB_EXECUTION_LOG SELECT * FROM JOB_EXECUTION_LOG").Error
		if !errors.Is(err, gorm.ErrDuplicatedKey) {
			t.Fatal(err)
		}
	})
}

// TestSQLiteWritersWait lets many writers meet in one file; with the lock
// taken at once none of them fails.
func TestSQLiteWritersWait(t *testing.T) {
	db := storetest.Open(t, storetest.SQLiteDSN(t))
	if err := db.Exec("CREATE TABLE n (v INT)").Error; err != nil {
		t.Fatal(err)
	}
	if err := db.Exec("INSERT INTO n VALUES (0)").Error; err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for range 20 {
				err := db.WithContext(t.Context()).Transaction(func(tx *gorm.DB) error {
					var v int
					if err := tx.Raw("SELECT v FROM n").Scan(&v).Error; err != nil {
						return err
					}
					return tx.Exec("UPDATE n SET v = ?", v+1).Error
				})
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	var v int
	if db.Raw("SELECT v FROM n").Scan(&v); v != 320 {
		t.Fatal(v)
	}
}
