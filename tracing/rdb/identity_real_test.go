//go:build servers

package rdb_test

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// onMariaDB opens a new database with a Java engine's tables in a character set and collation.
func onMariaDB(t *testing.T, charset string) *store.DB {
	t.Helper()
	server := storetest.StartMariaDB(t)
	name := server.NewDatabase(t)
	server.Exec(t, "", "ALTER DATABASE "+name+" CHARACTER SET "+charset)
	db := storetest.Open(t, server.DSN(name))
	storetest.CreateJavaTables(t, db, storetest.Java304)
	return db
}

// TestW18NarrowCharacterSet: a name that a table can't hold is never stored as another name,
// queries for it find nothing and don't fail, and the SQL of the findings makes room for it.
func TestW18NarrowCharacterSet(t *testing.T) {
	for charset, held := range map[string][]string{
		"latin1": {"café", "plain"}, "gbk": {"café", "plain", "报表"}, "utf8mb3": {"café", "plain", "报表"}, "ascii": {"plain"},
	} {
		t.Run(charset, func(t *testing.T) {
			db := onMariaDB(t, charset)
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			narrow(t, db, held)
			for _, f := range findings(t, db) {
				if err := db.Exec(f.SQL).Error; err != nil {
					t.Errorf("%s: %v", f.SQL, err)
				}
			}
			if list := findings(t, db); len(list) > 0 {
				t.Errorf("findings after their SQL: %v", list)
			}
			wantNames(t, db, append(slices.Clone(names), slices.Clone(held)...))
		})
	}
	t.Run("postgres", func(t *testing.T) {
		server := storetest.StartPostgres(t)
		db := storetest.Open(t, server.DSN(server.NewDatabaseWith(t, "ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")))
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		narrow(t, db, []string{"café", "plain"})
	})
}

var names = []string{"café", "plain", "报表", "😀"}

func findings(t *testing.T, db *store.DB) []rdb.Finding {
	t.Helper()
	list, err := rdb.Findings(t.Context(), db.Database)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// wantNames writes an execution and a step for each name, checks that the tables have only the rows
// of the held names, and returns the log.
func wantNames(t *testing.T, db *store.DB, held []string) (log string) {
	t.Helper()
	var text strings.Builder
	sink := rdb.NewSink(db.Database)
	sink.Logger = slog.New(slog.NewTextHandler(&text, nil))
	for i, name := range names {
		e := ended(run(fmt.Sprintf("%d-%d", i, len(held)), name, 0, noon), time.Second, name)
		e.RunID = "F" + e.ID
		st := step(e.ID, tracing.StateFinished, noon)
		st.JobName = name
		if err := sink.Write(t.Context(), append(events(e), trail(st)...)); err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(held)
	for _, table := range []string{"JOB_EXECUTION_LOG", "JOB_STATUS_TRACE_LOG"} {
		var stored []string
		if err := db.Raw("SELECT job_name FROM " + table).Scan(&stored).Error; err != nil {
			t.Fatal(err)
		}
		slices.Sort(stored)
		if diff := cmp.Diff(held, stored); diff != "" {
			t.Errorf("%s (-want +got)\n%s", table, diff)
		}
	}
	return text.String()
}

// narrow checks all queries on tables that hold some of the names.
func narrow(t *testing.T, db *store.DB, held []string) {
	log := wantNames(t, db, slices.Clone(held))
	wanted := []string{"are left out of the history", "column=job_name", "can't keep everything"}
	if db.Dialect == store.MySQL {
		wanted = append(wanted, "CHARACTER SET utf8mb4")
	}
	for _, want := range wanted {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %q:\n%s", want, log)
		}
	}
	reader, ctx := rdb.NewStore(db.Database), t.Context()
	last, err := reader.LastRuns(ctx, names, 5)
	if err != nil || !slices.Equal(slices.Sorted(maps.Keys(last)), held) {
		t.Errorf("last runs of %v, %v", slices.Sorted(maps.Keys(last)), err)
	}
	all, err := reader.Executions(ctx, rdb.ExecutionFilter{Jobs: names})
	if err != nil || len(all.Rows) != len(held) {
		t.Errorf("%d rows of the jobs, %v", len(all.Rows), err)
	}
	if _, err := rdb.Count(ctx, db.Database, noon.Add(time.Hour)); err != nil {
		t.Error(err)
	}
	for _, name := range names {
		want := 0
		if slices.Contains(held, name) {
			want = 1
		}
		for what, filter := range map[string]rdb.ExecutionFilter{
			"job": {JobName: name}, "prefix": {JobPrefix: name}, "text": {FailureText: name},
			"task": {JobName: name, TaskID: name + "@-@0"}, "address": {JobName: name, IP: name},
			"trigger": {JobName: name, Trigger: tracing.Trigger(name)}, "source": {JobName: name, Source: tracing.Source(name)},
		} {
			page, err := reader.Executions(ctx, filter)
			if wanted := want * map[string]int{"job": 1, "prefix": 1, "text": 1}[what]; err != nil || len(page.Rows) != wanted {
				t.Errorf("%s %s: %d rows, %v", what, name, len(page.Rows), err)
			}
			if n, _, err := reader.CountExecutions(ctx, filter, 10); err != nil || n != len(page.Rows) {
				t.Errorf("%s %s: %d counted, %v", what, name, n, err)
			}
		}
		page, err := reader.Statuses(ctx, rdb.StatusFilter{JobName: name})
		if err != nil || len(page.Rows) != want {
			t.Errorf("%s: %d steps, %v", name, len(page.Rows), err)
		}
		for what, filter := range map[string]rdb.StatusFilter{
			"task": {TaskID: name}, "slave": {SlaveID: name}, "source": {Source: name}, "type": {ExecutionType: name},
		} {
			if page, err := reader.Statuses(ctx, filter); err != nil || len(page.Rows) != 0 {
				t.Errorf("%s %s: %d steps, %v", what, name, len(page.Rows), err)
			}
		}
		runs, err := reader.Runs(ctx, rdb.RunFilter{JobName: name})
		if err != nil || len(runs.Runs) != want {
			t.Errorf("%s: %d runs, %v", name, len(runs.Runs), err)
		}
		sum, err := reader.Summarize(ctx, rdb.RunFilter{JobName: name, From: noon.Add(-time.Hour)}, noon)
		if err != nil || sum.Runs != want {
			t.Errorf("%s: %d runs in the summary, %v", name, sum.Runs, err)
		}
		if _, err := reader.Run(ctx, name, name); !errors.Is(err, rdb.ErrNotFound) {
			t.Errorf("%s: run: %v", name, err)
		}
		if _, err := reader.Execution(ctx, name); !errors.Is(err, rdb.ErrNotFound) {
			t.Errorf("%s: execution: %v", name, err)
		}
		suggested, err := reader.Suggest(ctx, rdb.SuggestJobs, name)
		if err != nil || len(suggested) != want {
			t.Errorf("%s: suggests %v, %v", name, suggested, err)
		}
		points, err := reader.Statistics(ctx, name, rdb.Hour, noon, noon)
		if err != nil || !points[0].Known || points[0].Failed != want {
			t.Errorf("%s: counts %+v, %v", name, points, err)
		}
		if _, err := reader.RequestedRun(ctx, name, name); !errors.Is(err, rdb.ErrNoRun) {
			t.Errorf("%s: requested run: %v", name, err)
		}
		requested, err := reader.RequestedRuns(ctx, rdb.RequestedFilter{JobName: name, Key: name})
		if err != nil || len(requested.Runs) > 0 {
			t.Errorf("%s: requested runs: %v", name, err)
		}
		lines, err := reader.RunLog(ctx, rdb.LogFilter{JobName: name, RunID: name, Executions: []string{name}})
		if err != nil || len(lines) > 0 {
			t.Errorf("%s: log: %v", name, err)
		}
	}
}

// TestW20NamesInAnyCollation: if the names of two jobs differ only in case, queries for one job
// should not find executions of the other, although the table's collation ignores case.
func TestW20NamesInAnyCollation(t *testing.T) {
	t.Run("mariadb", func(t *testing.T) {
		for _, charset := range []string{"utf8mb4 COLLATE utf8mb4_general_ci", "latin1", "utf8mb3 COLLATE utf8mb3_unicode_ci"} {
			db := onMariaDB(t, charset)
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			sameButForCase(t, db)
			if text := fmt.Sprint(findings(t, db)); !strings.Contains(text, "COLLATE utf8mb4_bin") {
				t.Errorf("%s: findings %s", charset, text)
			}
		}
	})
	t.Run("postgres", func(t *testing.T) {
		server := storetest.StartPostgres(t)
		db := storetest.Open(t, server.DSN(server.NewDatabase(t)))
		storetest.CreateJavaTables(t, db, storetest.Java305)
		for _, statement := range []string{
			"CREATE COLLATION careless (provider = icu, locale = 'und-u-ks-level2', deterministic = false)",
			"ALTER TABLE JOB_EXECUTION_LOG ALTER job_name TYPE VARCHAR(100) COLLATE careless",
			"ALTER TABLE JOB_STATUS_TRACE_LOG ALTER job_name TYPE VARCHAR(100) COLLATE careless",
		} {
			if err := db.Exec(statement).Error; err != nil {
				t.Fatal(err)
			}
		}
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		sameButForCase(t, db)
		for _, f := range findings(t, db) {
			if err := db.Exec(f.SQL).Error; err != nil {
				t.Errorf("%s: %v", f.SQL, err)
			}
		}
		if list := findings(t, db); len(list) > 0 {
			t.Errorf("findings after their SQL: %v", list)
		}
	})
}

// TestW19TimesWithoutAZone: columns of type DATETIME, in which Java engines write their local time.
func TestW19TimesWithoutAZone(t *testing.T) {
	db := onMariaDB(t, "utf8mb4")
	for _, of := range []string{"JOB_EXECUTION_LOG MODIFY start_time DATETIME", "JOB_STATUS_TRACE_LOG MODIFY creation_time DATETIME(3)"} {
		if err := db.Exec("ALTER TABLE " + of + " NULL").Error; err != nil {
			t.Fatal(err)
		}
	}
	found := 0
	for _, f := range findings(t, db) {
		if strings.Contains(f.Problem, "DATETIME") {
			found++
		}
		if err := db.Exec(f.SQL).Error; err != nil {
			t.Errorf("%s: %v", f.SQL, err)
		}
	}
	if list := findings(t, db); found != 2 || len(list) > 0 {
		t.Errorf("%d findings of times; after their SQL %v", found, list)
	}
}

// TestW19ChangingTimes: columns with ON UPDATE CURRENT_TIMESTAMP should keep the times that we
// wrote. Public DDL and MySQL 5.7 without explicit defaults create such columns.
func TestW19ChangingTimes(t *testing.T) {
	db := onMariaDB(t, "utf8mb4")
	for _, of := range []string{"JOB_EXECUTION_LOG MODIFY start_time", "JOB_STATUS_TRACE_LOG MODIFY creation_time"} {
		err := db.Exec("ALTER TABLE " + of + " TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP").Error
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := db.Exec("ALTER TABLE JOB_STATUS_TRACE_LOG ADD UNIQUE (id)").Error; err != nil {
		t.Fatal(err)
	}
	start, st := run("x", "j", 0, noon), step("s", tracing.StateRunning, noon)
	for _, e := range []tracing.Execution{start, ended(start, 5*time.Second, "boom"), start} {
		write(t, db, append(events(e), trail(st)...))
	}
	reader := rdb.NewStore(db.Database)
	got, err := reader.Execution(t.Context(), "x")
	if err != nil || !got.StartTime.Equal(noon) || !got.CompleteTime.Equal(noon.Add(5*time.Second)) {
		t.Errorf("from %v to %v, %v", got.StartTime, got.CompleteTime, err)
	}
	steps, err := reader.Statuses(t.Context(), rdb.StatusFilter{})
	if err != nil || len(steps.Rows) != 1 || !steps.Rows[0].CreationTime.Equal(noon) {
		t.Errorf("%+v, %v", steps.Rows, err)
	}
	found := 0
	for _, f := range findings(t, db) {
		if strings.Contains(f.Problem, "ON UPDATE") {
			found++
		}
		if err := db.Exec(f.SQL).Error; err != nil {
			t.Errorf("%s: %v", f.SQL, err)
		}
	}
	if list := findings(t, db); found != 2 || len(list) > 0 {
		t.Errorf("%d findings of times; after their SQL %v", found, list)
	}
}
