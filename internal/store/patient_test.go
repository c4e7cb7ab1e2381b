package store_test

import (
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	_ "github.com/glebarez/go-sqlite"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// lockFile holds the write lock of a SQLite file, as a process that hangs would.
func lockFile(t *testing.T, path string) (unlock func()) {
	t.Helper()
	pool, err := sql.Open("sqlite", "file://"+path)
	if err != nil {
		t.Fatal(err)
	}
	conn, err := pool.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
		t.Fatal(err)
	}
	return func() {
		t.Helper()
		if _, err := conn.ExecContext(context.WithoutCancel(t.Context()), "ROLLBACK"); err != nil {
			t.Error(err)
		}
		if err := errors.Join(conn.Close(), pool.Close()); err != nil {
			t.Error(err)
		}
	}
}

// V28: whoever meets a locked file waits as long as its context lasts, not
// longer, in a transaction and out of one; and goes on when it is unlocked.
func TestV28LockedFileObeysTheContext(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.db")
	db, err := store.Open(t.Context(), "sqlite://"+path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := db.Exec("CREATE TABLE x (n INTEGER)").Error; err != nil {
		t.Fatal(err)
	}
	var inside int // How long SQLite itself waits, where no context reaches it.
	if err := db.Raw("PRAGMA busy_timeout").Scan(&inside).Error; err != nil || inside > 100 {
		t.Errorf("SQLite waits for %d ms by itself, %v", inside, err)
	}
	unlock := lockFile(t, path)
	for name, do := range map[string]func(ctx context.Context) error{
		"statement":   func(ctx context.Context) error { return db.WithContext(ctx).Exec("INSERT INTO x VALUES (1)").Error },
		"transaction": func(ctx context.Context) error { return db.WithContext(ctx).Begin().Error },
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
		err := do(ctx)
		cancel()
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v, want a deadline", name, err)
		}
	}
	done := make(chan error, 1)
	go func() { done <- db.WithContext(t.Context()).Exec("INSERT INTO x VALUES (2)").Error }()
	select {
	case err := <-done:
		t.Errorf("did not wait: %v", err)
	case <-time.After(300 * time.Millisecond):
	}
	unlock()
	if err := <-done; err != nil {
		t.Errorf("after the lock: %v", err)
	}
}

// V29: a new file and its folder are for this user only, and so are the files
// that SQLite puts beside it. What somebody has shared on purpose stays so.
func TestV29FilesArePrivate(t *testing.T) {
	t.Parallel()
	shared := filepath.Join(t.TempDir(), "shared.db")
	if err := os.WriteFile(shared, nil, 0o640); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(t.TempDir(), "data", "deep")
	for path, want := range map[string]fs.FileMode{filepath.Join(folder, "a.db"): 0o600, shared: 0o640} {
		db, err := store.Open(t.Context(), "sqlite://"+path, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		if err := db.Exec("CREATE TABLE x (n INTEGER)").Error; err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{path, path + "-wal", path + "-shm"} {
			info, err := os.Stat(file)
			if err != nil {
				t.Error(err)
			} else if got := info.Mode().Perm(); got != want {
				t.Errorf("%s has mode %o, want %o", file, got, want)
			}
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	}
	for _, dir := range []string{folder, filepath.Dir(folder)} {
		if info, err := os.Stat(dir); err != nil || info.Mode().Perm() != 0o700 {
			t.Errorf("%s: %v, %v", dir, info.Mode(), err)
		}
	}
}
