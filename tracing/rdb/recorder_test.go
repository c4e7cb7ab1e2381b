package rdb_test

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/tracing/rdb/mysql"
	"github.com/elasticjob-go/elasticjob/tracing/rdb/sqlite"
)

var quiet = slog.New(slog.DiscardHandler)

func storedIDs(t *testing.T, s rdb.Source) (ids []string) {
	t.Helper()
	db, err := rdb.Open(t.Context(), s, quiet)
	if err != nil {
		t.Fatal(err)
	}
	page, err := rdb.NewStore(db).Executions(t.Context(), rdb.ExecutionFilter{})
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for _, row := range page.Rows {
		ids = append(ids, row.ID)
	}
	slices.Sort(ids)
	return ids
}

type lockedBuffer struct {
	mu   sync.Mutex
	text strings.Builder
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// TestW10RecorderMigratesAndCloses: a new, empty database should get its tables and the rows.
func TestW10RecorderMigratesAndCloses(t *testing.T) {
	t.Parallel()
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		recorder, err := rdb.NewRecorder(store.Source(dsn), rdb.Options{Logger: quiet})
		if err != nil {
			t.Fatal(err)
		}
		recorder.RecordExecution(run("a", "job", 0, noon))
		recorder.RecordRun(tracing.RunRecord{ID: "r", JobName: "job", State: "running", Submitted: noon})
		for range 2 {
			if err := recorder.Close(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if ids := storedIDs(t, store.Source(dsn)); len(ids) != 1 || recorder.Stats().Written != 2 {
			t.Errorf("stored %v, %+v", ids, recorder.Stats())
		}
	})
}

// TestW10RecorderStartsWithoutTheDatabase: events wait in memory or in the spool until the database
// can be opened. Here a folder with the name of the file blocks it.
func TestW10RecorderStartsWithoutTheDatabase(t *testing.T) {
	t.Parallel()
	for name, spooled := range map[string]bool{"memory": false, "spool": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "history.db")
			if err := os.Mkdir(file, 0o700); err != nil {
				t.Fatal(err)
			}
			opts := rdb.Options{Logger: quiet}
			if spooled {
				opts.Spool = filepath.Join(dir, "spool")
			}
			recorder, err := rdb.NewRecorder(sqlite.DSN(file), opts)
			if err != nil {
				t.Fatal(err)
			}
			recorder.RecordExecution(run("a", "job", 0, noon))
			waittest.Until(t, "a failed write", func() bool {
				if spooled {
					return recorder.SpoolStats().Spooled == 1
				}
				return recorder.Stats().LastError != nil
			})
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			waittest.Until(t, "the row", func() bool {
				if spooled {
					return recorder.SpoolStats().Drained == 1
				}
				return recorder.Stats().Written == 1
			})
			if err := recorder.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if ids := storedIDs(t, sqlite.DSN(file)); !slices.Equal(ids, []string{"a"}) {
				t.Errorf("stored %v", ids)
			}
		})
	}
}

// TestW10SpoolOutlivesTheProcess: the next recorder with the same spool should write the events
// that never reached the database.
func TestW10SpoolOutlivesTheProcess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	opts := rdb.Options{Logger: quiet, Spool: filepath.Join(dir, "spool")}
	away, err := rdb.NewRecorder(mysql.DSN("mysql://u:p@127.0.0.1:1/x"), opts)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := rdb.NewRecorder(sqlite.DSN(":memory:"), opts); err == nil {
		t.Error("two recorders share a spool")
	}
	away.RecordExecution(run("a", "job", 0, noon))
	if err := away.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	source := sqlite.DSN(filepath.Join(dir, "history.db"))
	next, err := rdb.NewRecorder(source, opts)
	if err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the row", func() bool { return next.SpoolStats().Drained == 1 })
	if err := next.Close(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ids := storedIDs(t, source); !slices.Equal(ids, []string{"a"}) {
		t.Errorf("stored %v", ids)
	}
}

// TestW10CloseWhileTheDatabaseHangs: a server that accepts connections and never answers should not
// delay Close beyond its context.
func TestW10CloseWhileTheDatabaseHangs(t *testing.T) {
	t.Parallel()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	recorder, err := rdb.NewRecorder(mysql.DSN("mysql://u:p@"+listener.Addr().String()+"/x"), rdb.Options{Logger: quiet})
	if err != nil {
		t.Fatal(err)
	}
	recorder.RecordExecution(run("a", "job", 0, noon))
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	if err := recorder.Close(ctx); err == nil || !strings.Contains(err.Error(), "1 events") {
		t.Errorf("close: %v, want the number of lost events", err)
	}
}

func TestW10WrongNamesAreErrorsAtOnce(t *testing.T) {
	t.Parallel()
	for _, s := range []rdb.Source{{}, sqlite.DSN(""), mysql.DSN("postgres://u:hunter2@h/x"), mysql.DSN("")} {
		if _, err := rdb.NewRecorder(s, rdb.Options{}); err == nil || strings.Contains(err.Error(), "hunter2") {
			t.Errorf("%v: %v", s, err)
		}
	}
}

// TestW95RemovedFileIsNoticed: if the SQLite file is removed or replaced, the recorder logs an
// error and writes this and later batches to a new file.
func TestW95RemovedFileIsNoticed(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(file string) error{
		"removed":  os.Remove,
		"replaced": func(file string) error { return errors.Join(os.Remove(file), os.WriteFile(file, nil, 0o600)) },
		"folder":   func(file string) error { return os.RemoveAll(filepath.Dir(file)) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "data", "history.db")
			var lines lockedBuffer
			recorder, err := rdb.NewRecorder(sqlite.DSN(file), rdb.Options{Logger: slog.New(slog.NewTextHandler(&lines, nil))})
			if err != nil {
				t.Fatal(err)
			}
			recorder.RecordExecution(run("before", "job", 0, noon))
			waittest.Until(t, "the first row", func() bool { return recorder.Stats().Written == 1 })
			if err := change(file); err != nil {
				t.Fatal(err)
			}
			recorder.RecordExecution(run("after", "job", 0, noon))
			waittest.Until(t, "the second row", func() bool { return recorder.Stats().Written == 2 })
			if err := recorder.Close(t.Context()); err != nil {
				t.Error(err)
			}
			if ids := storedIDs(t, sqlite.DSN(file)); !slices.Equal(ids, []string{"after"}) {
				t.Errorf("the new file has %v", ids)
			}
			if text := lines.String(); strings.Count(text, "level=ERROR") != 1 || !strings.Contains(text, "was removed") {
				t.Errorf("log:\n%s", text)
			}
		})
	}
}

// TestW90HistoryOfAFileThatIsGone: SQLite keeps answering from a file that was removed, replaced or
// overwritten. The history must not look complete then.
func TestW90HistoryOfAFileThatIsGone(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.db")
	for name, spoil := range map[string]func(file string) error{
		"removed":     os.Remove,
		"replaced":    func(file string) error { return errors.Join(os.WriteFile(empty, nil, 0o600), os.Rename(empty, file)) },
		"emptied":     func(file string) error { return os.Truncate(file, 0) },
		"overwritten": func(file string) error { return os.WriteFile(file, []byte("junk"), 0o600) },
	} {
		file := filepath.Join(t.TempDir(), "history.db")
		db := storetest.Open(t, file)
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		store := rdb.NewStore(db.Database)
		if err := store.Write(t.Context(), events(run("a", "job", 0, noon))); err != nil {
			t.Fatal(err)
		}
		read := func() error {
			_, lastRuns := store.LastRuns(t.Context(), []string{"job"}, 1)
			_, executions := store.Executions(t.Context(), rdb.ExecutionFilter{})
			if (lastRuns == nil) != (executions == nil) {
				t.Errorf("%s: the last runs: %v, executions: %v", name, lastRuns, executions)
			}
			return lastRuns
		}
		if err := read(); err != nil {
			t.Fatal(err)
		}
		if err := spoil(file); err != nil {
			t.Fatal(err)
		}
		if err := read(); !errors.Is(err, rdb.ErrRemoved) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestW95SinkOfARemovedFileFails: without a recorder the batch fails, and so does Ping.
func TestW95SinkOfARemovedFileFails(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history.db")
	db := storetest.Open(t, file)
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	for name, err := range map[string]error{
		"write": rdb.NewSink(db.Database).Write(t.Context(), events(run("a", "job", 0, noon))),
		"ping":  db.Ping(t.Context()),
	} {
		if !errors.Is(err, rdb.ErrRemoved) || !strings.Contains(err.Error(), "restart") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
