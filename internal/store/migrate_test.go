package store_test

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/migrations"
)

func TestMigrateTwice(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		db := storetest.Open(t, dsn)
		before, err := db.Pending(t.Context())
		if err != nil || before == 0 {
			t.Fatalf("pending on an empty database: %d, %v", before, err)
		}
		for range 2 {
			if err := db.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if after, err := db.Pending(t.Context()); err != nil || after != 0 {
			t.Fatalf("pending after migrating: %d, %v", after, err)
		}
		var rows int
		db.Raw("SELECT COUNT(*) FROM " + migrations.Table + " WHERE version_id > 0").Scan(&rows)
		if rows != before {
			t.Fatalf("%d versions recorded, want %d", rows, before)
		}
	})
}

// TestMigrateAfterInterruption applies the files to a schema they have made
// already, as happens when MySQL is cut off between a statement and its record.
func TestMigrateAfterInterruption(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		if db.Dialect == store.SQLite {
			return // where a file and its record are one transaction
		}
		storetest.InsertJavaRows(t, db, storetest.Java304, false)
		if err := db.Exec("DROP TABLE " + migrations.Table).Error; err != nil {
			t.Fatal(err)
		}
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
		var rows int
		if db.Raw("SELECT COUNT(*) FROM JOB_EXECUTION_LOG").Scan(&rows); rows != 2 {
			t.Fatalf("%d rows", rows)
		}
	})
}

// TestMigrateTogether starts many processes' worth of migrations at once.
func TestMigrateTogether(t *testing.T) {
	storetest.EachDSN(t, func(t *testing.T, dsn string) {
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				db, err := store.Open(t.Context(), dsn, slog.New(slog.DiscardHandler))
				if err != nil {
					t.Error(err)
					return
				}
				if err := db.Migrate(t.Context()); err != nil {
					t.Error(err)
				}
				if err := db.Close(); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		db := storetest.Open(t, dsn)
		if pending, err := db.Pending(t.Context()); err != nil || pending != 0 {
			t.Fatal(pending, err)
		}
	})
}

func TestMigrateInMemory(t *testing.T) {
	db := storetest.Open(t, ":memory:")
	for range 2 {
		if err := db.Migrate(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
}

// column is what must be the same in every dialect.
type column struct {
	Name     string
	Nullable bool
}

func columns(t *testing.T, db *store.DB, table string) []column {
	t.Helper()
	statement := `SELECT name, "notnull" = 0 AS nullable FROM pragma_table_info('` + table + `')`
	switch db.Dialect {
	case store.Postgres:
		statement = `SELECT column_name AS name, is_nullable = 'YES' AS nullable FROM information_schema.columns
			WHERE table_schema = CURRENT_SCHEMA() AND table_name = LOWER('` + table + `') ORDER BY ordinal_position`
	case store.MySQL:
		statement = `SELECT column_name AS name, is_nullable = 'YES' AS nullable FROM information_schema.columns
			WHERE table_schema = DATABASE() AND table_name = '` + table + `' AND column_name NOT IN ('auto_id', 'duration_ms')
			ORDER BY ordinal_position`
	}
	var found []column
	if err := db.Raw(statement).Scan(&found).Error; err != nil {
		t.Fatal(err)
	}
	return found
}

// indexes lists "name(columns)", with UNIQUE in front where it is. Primary
// keys appear by their columns only, and the one of auto_id, which only MySQL
// has, not at all; neither does the name of the unique index on id that is
// the primary key in SQLite.
func indexes(t *testing.T, db *store.DB, table string) []string {
	t.Helper()
	var rows []struct {
		Name   string
		Col    string
		Unique bool
	}
	statement := `SELECT l.name AS name, COALESCE(c.name, '') AS col, l."unique" AS "unique"
		FROM pragma_index_list('` + table + `') l, pragma_index_info(l.name) c ORDER BY l.name, c.seqno`
	switch db.Dialect {
	case store.Postgres: // it folds the names of the indexes, as those of the tables, to lower case
		statement = `SELECT UPPER(i.relname) AS name, c.attname AS col, x.indisunique AS "unique"
			FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
			CROSS JOIN LATERAL UNNEST(x.indkey::int[]) WITH ORDINALITY AS k (attnum, seq)
			JOIN pg_attribute c ON c.attrelid = x.indrelid AND c.attnum = k.attnum
			WHERE x.indrelid = to_regclass('` + table + `') ORDER BY i.relname, k.seq`
	case store.MySQL:
		statement = "SELECT index_name AS name, column_name AS col, non_unique = 0 AS `unique`" +
			` FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name = '` + table + `'
			AND column_name <> 'auto_id' ORDER BY index_name, seq_in_index`
	}
	if err := db.Raw(statement).Scan(&rows).Error; err != nil {
		t.Fatal(err)
	}
	byName := map[string][]string{}
	unique := map[string]bool{}
	for _, row := range rows {
		byName[row.Name] = append(byName[row.Name], row.Col)
		unique[row.Name] = row.Unique
	}
	var list []string
	for name, cols := range byName {
		switch {
		case db.Dialect == store.MySQL && name == "EXECUTION_UNFINISHED_INDEX":
			// It is two indexes elsewhere, of which one is partial.
			list = append(list, "EXECUTION_COMPLETE_INDEX("+strings.Join(cols, ", ")+")")
			cols = cols[1:]
		case name == "EXECUTION_DURATION_INDEX":
			cols = cols[len(cols)-2:] // the first is a column in MySQL, an expression elsewhere
		}
		text := "(" + strings.Join(cols, ", ") + ")"
		if unique[name] {
			text = "UNIQUE" + text
		} else {
			text = name + text
		}
		list = append(list, text)
	}
	slices.Sort(list)
	return list
}

var tables = []string{"JOB_EXECUTION_LOG", "JOB_STATUS_TRACE_LOG", "EXECUTION_STATISTICS", "CLOUD_STATISTICS", "JOB_RUN", "JOB_RUN_STEP", "JOB_RUN_LOG", "JOB_RUN_PROGRESS"}

// shape is what the tables have.
type shape struct {
	Columns map[string][]column
	Indexes map[string][]string
}

var wantedShape = shape{
	Columns: map[string][]column{
		"JOB_EXECUTION_LOG": {{"id", false}, {"job_name", false}, {"task_id", false}, {"hostname", false},
			{"ip", false}, {"sharding_item", false}, {"execution_source", false}, {"failure_cause", true},
			{"is_success", false}, {"start_time", true}, {"complete_time", true},
			{"run_id", true}, {"attempt", true}, {"trigger", true}, {"scheduled_at", true}},
		"JOB_STATUS_TRACE_LOG": {{"id", false}, {"job_name", false}, {"original_task_id", false},
			{"task_id", false}, {"slave_id", false}, {"source", false}, {"execution_type", false},
			{"sharding_item", false}, {"state", false}, {"message", true}, {"creation_time", true}},
		"EXECUTION_STATISTICS": {{"bucket_interval", false}, {"bucket_time", false}, {"job_name", false},
			{"success_count", false}, {"failed_count", false}},
		"CLOUD_STATISTICS": {{"bucket_time", false}, {"tasks_running", false}, {"jobs_running", false}, {"jobs_registered", false}},
		"JOB_RUN": {{"id", false}, {"job_name", false}, {"state", false}, {"state_rank", false}, {"reason", true}, {"origin", true},
			{"origin_name", true}, {"parent_id", true}, {"backfill_id", true}, {"run_key", true}, {"params", true}, {"note", true},
			{"fire_time", true}, {"due_time", true}, {"submitted_at", true}, {"started_at", true}, {"ended_at", true},
			{"attempt", false}, {"retries", false}, {"losses", false}, {"snoozes", false},
			{"items_ok", false}, {"items_failed", false}, {"items_skipped", false}, {"error", true}, {"result", true}},
		"JOB_RUN_STEP": {{"id", false}, {"run_id", false}, {"job_name", false}, {"attempt", false}, {"at", true}, {"state", false},
			{"actor", true}, {"message", true}},
		"JOB_RUN_LOG": {{"execution_id", false}, {"seq", false}, {"run_id", false}, {"job_name", false}, {"item", false}, {"attempt", false},
			{"at", true}, {"level", false}, {"message", true}},
		"JOB_RUN_PROGRESS": {{"execution_id", false}, {"run_id", false}, {"job_name", false}, {"item", false}, {"attempt", false},
			{"fraction", false}, {"message", true}, {"updated_at", true}},
	},
	Indexes: map[string][]string{
		"JOB_EXECUTION_LOG": {"EXECUTION_COMPLETE_INDEX(complete_time, start_time, id)",
			"EXECUTION_DURATION_INDEX(start_time, id)",
			"EXECUTION_IP_START_INDEX(ip, start_time, id)",
			"EXECUTION_ITEM_START_INDEX(job_name, sharding_item, start_time, id)",
			"EXECUTION_JOB_START_INDEX(job_name, start_time, id)",
			"EXECUTION_RESULT_START_INDEX(is_success, start_time, id)", "EXECUTION_RUN_INDEX(job_name, run_id)",
			"EXECUTION_START_INDEX(start_time, id)",
			"EXECUTION_TASK_INDEX(task_id)", "EXECUTION_TRIGGER_START_INDEX(trigger, start_time, id)", "EXECUTION_UNFINISHED_INDEX(start_time, id)", "UNIQUE(id)"},
		"JOB_STATUS_TRACE_LOG": {"STATUS_CREATION_INDEX(creation_time, id)",
			"STATUS_JOB_CREATION_INDEX(job_name, creation_time, id)", "TASK_ID_STATE_INDEX(task_id, state)", "UNIQUE(id)"},
		"EXECUTION_STATISTICS": {"EXECUTION_STATISTICS_TIME_INDEX(bucket_interval, bucket_time)", "UNIQUE(bucket_interval, job_name, bucket_time)"},
		"CLOUD_STATISTICS":     {"UNIQUE(bucket_time)"},
		"JOB_RUN": {"RUN_JOB_SUBMITTED_INDEX(job_name, submitted_at, id)", "RUN_KEY_INDEX(job_name, run_key, submitted_at, id)",
			"RUN_STATE_SUBMITTED_INDEX(state, submitted_at, id)", "RUN_SUBMITTED_INDEX(submitted_at, id)", "UNIQUE(id)"},
		"JOB_RUN_STEP": {"RUN_STEP_AT_INDEX(at, id)", "RUN_STEP_RUN_INDEX(run_id, at, id)", "UNIQUE(id)"},
		"JOB_RUN_LOG": {"RUN_LOG_AT_INDEX(at, execution_id, seq)", "RUN_LOG_RUN_INDEX(run_id, item, attempt, seq, execution_id)",
			"UNIQUE(execution_id, seq)"},
		"JOB_RUN_PROGRESS": {"RUN_PROGRESS_RUN_INDEX(run_id, item, attempt)", "RUN_PROGRESS_UPDATED_INDEX(updated_at, execution_id)",
			"UNIQUE(execution_id)"},
	},
}

func TestSameShapeInEveryDialect(t *testing.T) {
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		s := shape{map[string][]column{}, map[string][]string{}}
		for _, table := range tables {
			s.Columns[table], s.Indexes[table] = columns(t, db, table), indexes(t, db, table)
		}
		if diff := cmp.Diff(wantedShape, s); diff != "" {
			t.Errorf("shape (-want +got):\n%s", diff)
		}
	})
}

func TestSameVersionsInEveryDialect(t *testing.T) {
	var lists [][]int64
	for _, dialect := range []string{store.MySQL, store.Postgres, store.SQLite} {
		files, err := migrations.For(dialect)
		if err != nil {
			t.Fatal(err)
		}
		versions, err := migrations.Versions(files)
		if err != nil {
			t.Fatal(err)
		}
		lists = append(lists, versions)
	}
	for _, list := range lists[1:] {
		if diff := cmp.Diff(lists[0], list); diff != "" {
			t.Fatal(diff)
		}
	}
	for _, dialect := range []string{"oracle", ".", "", "../mysql"} {
		if _, err := migrations.For(dialect); err == nil {
			t.Errorf("%q accepted", dialect)
		}
	}
}

// TestMigrateTablesOfJava migrates tables of each kind of Java engine with
// rows in them, among them status rows with one id twice.
func TestMigrateTablesOfJava(t *testing.T) {
	for _, version := range []string{storetest.Java304, storetest.Java305} {
		for _, twice := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/twice=%t", version, twice), func(t *testing.T) {
				storetest.EachDSN(t, func(t *testing.T, dsn string) {
					db := storetest.Open(t, dsn)
					storetest.CreateJavaTables(t, db, version)
					twice := twice && db.Dialect == store.MySQL // elsewhere the id is the key
					storetest.InsertJavaRows(t, db, version, twice)
					for range 2 {
						if err := db.Migrate(t.Context()); err != nil {
							t.Fatal(err)
						}
					}
					// Each Java engine goes on writing what it writes.
					storetest.InsertJavaRows(t, db, version, false)
					if db.Dialect != store.SQLite {
						storetest.InsertJavaRows(t, db, storetest.Java304, false)
						storetest.InsertJavaRows(t, db, storetest.Java305, false)
					}
					got := strings.Join(append(indexes(t, db, tables[0]), indexes(t, db, tables[1])...), " ")
					for _, index := range []string{"EXECUTION_START_INDEX(", "EXECUTION_JOB_START_INDEX(",
						"EXECUTION_IP_START_INDEX(", "EXECUTION_RESULT_START_INDEX(", "EXECUTION_RUN_INDEX(", "STATUS_CREATION_INDEX(", "STATUS_JOB_CREATION_INDEX(", "TASK_ID_STATE_INDEX("} {
						if strings.Count(got, index) != 1 {
							t.Errorf("%s… is not there once: %s", index, got)
						}
					}
					if unique := strings.Count(got, "UNIQUE(id)") == 2; unique == twice {
						t.Errorf("unique ids: %t, duplicates: %t: %s", unique, twice, got)
					}
				})
			})
		}
	}
}
