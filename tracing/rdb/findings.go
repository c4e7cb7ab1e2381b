package rdb

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/database"
)

// Finding is a fault in the declaration of a trace table. Tables made by our migrations have none.
type Finding struct {
	// Table has the fault. It's empty if the whole database has it.
	Table string
	// Problem names the fault, and Why its effect on the history.
	Problem, Why string
	// SQL fixes it. It keeps all rows, and takes minutes on a large table.
	SQL string
}

// Log logs the finding as a warning.
func (f Finding) Log(ctx context.Context, log *slog.Logger) {
	log.LogAttrs(ctx, slog.LevelWarn, "a table of the history can't keep everything as it is; run the SQL on the database",
		slog.String("table", f.Table), slog.String("problem", f.Problem),
		slog.String("why", f.Why), slog.String("sql", f.SQL))
}

// String returns the finding on three lines.
func (f Finding) String() string { return f.Problem + "\n  " + f.Why + "\n  " + f.SQL }

// Findings returns the faults that keep a table from storing every name, id, address and time unchanged, as
// in tables that a Java engine created. It changes nothing. It fails if one of the two tables is missing.
func Findings(ctx context.Context, db *DB) ([]Finding, error) {
	form, err := probe(ctx, database.Gorm(db))
	if err != nil {
		return nil, fmt.Errorf("check the trace tables: %w", err)
	}
	return form.findings(), nil
}

// nameWidth is the width of job name columns in our tables.
const nameWidth = 255

func (s shape) findings() []Finding {
	var list []Finding
	if id := s.columns[columnOf{executionTable, "id"}]; s.dialect == "postgres" && planes[id.charset] != planeAll {
		list = append(list, Finding{
			Problem: "the encoding of the database is " + id.charset,
			Why:     "rows of jobs with names outside this encoding are left out of the history",
			SQL:     "CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0; then move the tables with pg_dump and pg_restore",
		})
	}
	for _, table := range allTables {
		switch s.dialect {
		case "mysql":
			list = append(list, s.findingsOfMySQL(table)...)
		case "postgres":
			list = append(list, s.findingsOfPostgres(table)...)
		}
	}
	return list
}

// named returns the identity columns of a table that fulfil a condition.
func (s shape) named(table string, condition func(column) bool) (names []string) {
	for _, name := range identities[table] {
		if c, known := s.columns[columnOf{table, name}]; known && condition(c) {
			names = append(names, name)
		}
	}
	return names
}

func (s shape) narrow(table, sql string) []Finding {
	c := s.columns[columnOf{table, "job_name"}]
	if c.width == 0 || c.width >= nameWidth {
		return nil
	}
	return []Finding{{table, fmt.Sprintf("%s.job_name holds %d characters", table, c.width),
		"rows of jobs with longer names are left out of the history", sql}}
}

func (s shape) findingsOfMySQL(table string) (list []Finding) {
	first := func(names []string) column { return s.columns[columnOf{table, names[0]}] }
	convert := "ALTER TABLE " + table + " CONVERT TO CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;"
	narrow := s.named(table, func(c column) bool { return planes[c.charset] != planeAll })
	inexact := s.named(table, func(c column) bool { return c.inexact })
	switch {
	case len(narrow) > 0:
		list = append(list, Finding{table,
			fmt.Sprintf("%s: the character set of %s is %s", table, strings.Join(narrow, ", "), first(narrow).charset),
			"rows of jobs with names outside it are left out of the history, and such characters in texts are replaced",
			convert})
	case len(inexact) > 0:
		list = append(list, Finding{table,
			fmt.Sprintf("%s: the collation of %s is %s", table, strings.Join(inexact, ", "), first(inexact).collation),
			"names that differ in case alone share the entries of an index, and a Java console mixes their runs", convert})
	}
	list = append(list, s.narrow(table, "ALTER TABLE "+table+
		" MODIFY job_name VARCHAR(255) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin NOT NULL;")...)
	for _, name := range []string{"start_time", "complete_time", "creation_time"} {
		c := s.columns[columnOf{table, name}]
		sql := fmt.Sprintf("ALTER TABLE %s MODIFY %s %s NULL DEFAULT NULL;", table, name, c.kind)
		switch {
		case c.changing:
			list = append(list, Finding{table, table + "." + name + " has ON UPDATE CURRENT_TIMESTAMP",
				"when a Java engine records the end of a run, the server overwrites this time, so every run takes no time", sql})
		case c.required && name == "complete_time":
			list = append(list, Finding{table, table + "." + name + " can't be NULL",
				"a run is stored as ended as soon as it starts, or not at all", sql})
		case strings.HasPrefix(c.kind, "datetime"):
			list = append(list, Finding{table, table + "." + name + " is a DATETIME, which has no time zone",
				"a Java engine writes its local time there, and its runs seem to be hours off",
				fmt.Sprintf("ALTER TABLE %s MODIFY %s TIMESTAMP%s NULL DEFAULT NULL /* in a session with the time zone of the rows */;",
					table, name, strings.TrimPrefix(c.kind, "datetime"))})
		}
	}
	return list
}

func (s shape) findingsOfPostgres(table string) (list []Finding) {
	alter := func(name string, width int) string {
		kind := "TEXT"
		if width > 0 {
			kind = fmt.Sprintf("VARCHAR(%d)", width)
		}
		return fmt.Sprintf(`ALTER TABLE %s ALTER COLUMN %s TYPE %s COLLATE "C";`, table, name, kind)
	}
	if names := s.named(table, func(c column) bool { return c.inexact }); len(names) > 0 {
		var sql []string
		for _, name := range names {
			sql = append(sql, alter(name, s.columns[columnOf{table, name}].width))
		}
		list = append(list, Finding{table,
			fmt.Sprintf("%s: the collation of %s treats different texts as equal", table, strings.Join(names, ", ")),
			"names that differ in case alone share the entries of an index", strings.Join(sql, " ")})
	}
	return slices.Concat(list, s.narrow(table, alter("job_name", nameWidth)))
}

// Description is the state of a trace database.
type Description struct {
	Dialect string
	// RoundTrip is the time of one small query.
	RoundTrip time.Duration
	// Lacks are the missing columns for run ids of the execution table. LacksIndexes are its missing indexes.
	Lacks, LacksIndexes []string
	// Executions counts the rows up to [MostDescribed]. Exact is true if there are no more.
	Executions int
	Exact      bool
	// Oldest and Newest are the first and the last start time, zero without rows.
	Oldest, Newest time.Time
}

// MostDescribed is the limit up to which [Store.Describe] counts rows.
const MostDescribed = 10_000

// usefulIndexes are the indexes that lists need. The migrations create them, except the index of
// the completion time in MySQL.
var usefulIndexes = []string{
	"EXECUTION_COMPLETE_INDEX", "EXECUTION_DURATION_INDEX", "EXECUTION_IP_START_INDEX", "EXECUTION_ITEM_START_INDEX", "EXECUTION_JOB_START_INDEX",
	"EXECUTION_RESULT_START_INDEX", "EXECUTION_RUN_INDEX", "EXECUTION_START_INDEX", "EXECUTION_TASK_INDEX", "EXECUTION_TRIGGER_START_INDEX", "EXECUTION_UNFINISHED_INDEX",
}

// Describe reads the current schema and counts rows. It fails if a table is missing.
func (s *Store) Describe(ctx context.Context) (Description, error) {
	began := time.Now()
	if err := s.db.WithContext(ctx).Exec("SELECT 1").Error; err != nil {
		return Description{}, fmt.Errorf("describe the trace tables: %w", err)
	}
	d := Description{RoundTrip: time.Since(began)}
	form, err := probe(ctx, s.db) // probe again, because the tables may have been migrated since the first use
	if err != nil {
		return d, fmt.Errorf("describe the trace tables: %w", err)
	}
	d.Dialect, d.Lacks = form.dialect, form.lacks
	indexes := form.indexes
	if form.dialect == "postgres" {
		var names []string
		if err := s.db.WithContext(ctx).Raw("SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = to_regclass('" + executionTable + "')").Scan(&names).Error; err != nil {
			return d, fmt.Errorf("describe the trace tables: %w", err)
		}
		indexes = upperCase(names)
	}
	d.LacksIndexes = slices.DeleteFunc(slices.Clone(usefulIndexes), func(name string) bool {
		return indexes[name] || name == "EXECUTION_COMPLETE_INDEX" && form.dialect == "mysql"
	})
	if d.Executions, d.Exact, err = s.CountExecutions(ctx, ExecutionFilter{}, MostDescribed); err != nil {
		return d, err
	}
	for _, end := range []struct {
		ascending bool
		into      *time.Time
	}{{true, &d.Oldest}, {false, &d.Newest}} {
		page, err := s.Executions(ctx, ExecutionFilter{Limit: 1, Ascending: end.ascending})
		if err != nil {
			return d, err
		}
		if len(page.Rows) > 0 {
			*end.into = page.Rows[0].StartTime
		}
	}
	return d, nil
}
