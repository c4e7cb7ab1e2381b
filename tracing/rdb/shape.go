package rdb

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"gorm.io/gorm"
)

// The table names in ElasticJob's case. They aren't quoted, so each database folds them as it
// folded ElasticJob's.
const (
	executionTable = "JOB_EXECUTION_LOG"
	statusTable    = "JOB_STATUS_TRACE_LOG"
)

var allTables = []string{executionTable, statusTable, runTable, stepTable, logTable, progressTable, statisticsTable}

// shape is the difference between tables that we created and tables of an ElasticJob engine.
type shape struct {
	dialect string // gorm's name: "mysql", "postgres" or "sqlite"
	source  bool   // the status table has the source column of 3.0.4
	unique  bool   // the status table's id is unique
	// indexes are the names of the indexes in MySQL and SQLite, whose planners need hints.
	indexes map[string]bool
	// duration is whether MySQL's table has the column duration_ms. MySQL has no indexes of
	// expressions; other databases compute the value.
	duration bool
	// lacks are the missing [runColumns] of the execution table. A Java engine's table has none of them.
	lacks []string
	// columns holds the columns of all tables. ask reports whether a character set has a character;
	// it's nil if no query takes a text from a user.
	columns map[columnOf]column
	ask     func(charset string, r rune) (bool, error)
}

func (s shape) runs() bool { return len(s.lacks) == 0 }

var runColumns = []string{"run_id", "attempt", "trigger", "scheduled_at"}

// yes returns the value of is_success, which is a boolean in all PostgreSQL tables and a number elsewhere.
func (s shape) yes(is bool) any {
	switch {
	case s.dialect == "postgres":
		return is
	case is:
		return 1
	default:
		return 0
	}
}

// charset returns the widest character set worth trying.
func (s shape) charset() charset {
	if s.dialect == "postgres" {
		return charsetText
	}
	return charsetUnicode
}

// prober reads the shape of a database on first use, so a sink can be created before its database
// is reachable. While the tables have faults it reads again after [freshFor], because an ALTER may
// fix them. Concurrent callers may each query the database; none waits for another.
type prober struct {
	known atomic.Pointer[knownShape]
	runes sync.Map // askedRune to bool
}

type knownShape struct {
	shape
	until time.Time // zero if it needn't be read again
}

func (p *prober) shape(ctx context.Context, db *gorm.DB) (shape, error) {
	known := p.known.Load()
	if known == nil || !known.until.IsZero() && time.Now().After(known.until) {
		found, err := probe(ctx, db)
		if err != nil {
			return shape{}, err
		}
		known = &knownShape{shape: found}
		if len(found.findings()) > 0 {
			known.until = time.Now().Add(freshFor)
		}
		p.known.Store(known)
	}
	form := known.shape
	form.ask = func(charset string, r rune) (bool, error) { return p.ask(ctx, db, charset, r) }
	return form, nil
}

func probe(ctx context.Context, db *gorm.DB) (shape, error) {
	found := shape{dialect: db.Name()}
	var unique string
	switch found.dialect {
	case "mysql":
		unique = `SELECT COUNT(*) FROM (
			SELECT index_name FROM information_schema.statistics
			WHERE table_schema = DATABASE() AND table_name = '` + statusTable + `' AND non_unique = 0
			GROUP BY index_name HAVING COUNT(*) = 1 AND MAX(LOWER(column_name)) = 'id') t`
	case "sqlite":
		unique = `SELECT COUNT(*) FROM pragma_index_list('` + statusTable + `') l
			WHERE l."unique" = 1
			  AND (SELECT COUNT(*) FROM pragma_index_info(l.name)) = 1
			  AND EXISTS (SELECT 1 FROM pragma_index_info(l.name) c WHERE LOWER(c.name) = 'id')`
	case "postgres":
		unique = `SELECT COUNT(*) FROM pg_index i
			JOIN pg_attribute c ON c.attrelid = i.indrelid AND c.attnum = i.indkey[0]
			WHERE i.indrelid = to_regclass('` + statusTable + `') AND i.indisunique AND i.indisvalid
			  AND i.indnkeyatts = 1 AND i.indpred IS NULL AND c.attname = 'id'`
	default:
		return shape{}, fmt.Errorf("trace tables: database %q is not supported, use mysql, postgres or sqlite", found.dialect)
	}
	var err error
	if found.columns, err = readColumns(ctx, db); err != nil {
		return shape{}, err
	}
	for _, table := range []string{executionTable, statusTable} {
		if !found.has(table, "id") {
			return shape{}, fmt.Errorf("table %s does not exist; run the migrations on this database first", table)
		}
	}
	found.source = found.has(statusTable, "source")
	var indexes int
	if err = db.WithContext(ctx).Raw(unique).Scan(&indexes).Error; err != nil {
		return shape{}, fmt.Errorf("read indexes of %s: %w", statusTable, err)
	}
	found.unique = indexes > 0
	found.duration = found.dialect == "mysql" && found.has(executionTable, "duration_ms")
	for _, column := range runColumns {
		if !found.has(executionTable, column) {
			found.lacks = append(found.lacks, column)
		}
	}
	if found.indexes, err = probeIndexes(ctx, db); err != nil {
		return shape{}, fmt.Errorf("read indexes of %s: %w", executionTable, err)
	}
	return found, nil
}

func (s shape) has(table, name string) bool {
	_, has := s.columns[columnOf{table, name}]
	return has
}

// probeIndexes reads the index names for databases that need hints.
func probeIndexes(ctx context.Context, db *gorm.DB) (indexes map[string]bool, err error) {
	var names []string
	statement := "SELECT name FROM sqlite_master WHERE type = 'index' AND tbl_name IN ('" + strings.Join(allTables, "', '") + "')"
	switch db.Name() {
	case "postgres":
		return nil, nil
	case "mysql":
		statement = "SELECT DISTINCT index_name FROM information_schema.statistics WHERE table_schema = DATABASE() AND table_name IN ('" +
			strings.Join(allTables, "', '") + "')"
	}
	if err := db.WithContext(ctx).Raw(statement).Scan(&names).Error; err != nil {
		return nil, err
	}
	return upperCase(names), nil
}

func upperCase(names []string) map[string]bool {
	set := make(map[string]bool, len(names))
	for _, name := range names {
		set[strings.ToUpper(name)] = true
	}
	return set
}
