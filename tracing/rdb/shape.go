package rdb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

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
	// indexes are the names of the indexes in MySQL and SQLite, because we give their planners hints.
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
// is reachable. While the tables have faults it reads again after [freshFor], because an ALTER or the
// migrations may fix them. Concurrent callers may each query the database; none waits for another.
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
		unmigrated := found.dialect != "postgres" && !found.indexes["RUN_SUBMITTED_INDEX"]
		if unmigrated || len(found.findings()) > 0 {
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

type columnOf struct{ table, name string }

// identities lists the columns that queries compare with a value: ids, job names, task ids,
// addresses and the keys of requested runs.
var identities = map[string][]string{
	executionTable:  {"id", "job_name", "task_id", "ip", "run_id"},
	statusTable:     {"id", "job_name", "original_task_id", "task_id", "slave_id"},
	runTable:        {"id", "job_name", "parent_id", "backfill_id", "run_key"},
	stepTable:       {"id", "run_id", "job_name"},
	logTable:        {"execution_id", "run_id", "job_name"},
	progressTable:   {"execution_id", "run_id", "job_name"},
	statisticsTable: {"job_name"},
}

type column struct {
	kind      string // the type as MySQL writes it
	width     int    // in characters, 0 if a text of any length fits
	charset   string // the server's name for it, "" if every text fits
	collation string // MySQL's
	inexact   bool   // "=" also finds other texts, such as Report for report
	required  bool
	changing  bool
}

// readColumns reads the declarations of the tables. A missing table has no columns.
func readColumns(ctx context.Context, db *gorm.DB) (map[columnOf]column, error) {
	tables := allTables
	statement := `SELECT UPPER(m.name) AS tab, LOWER(p.name) AS name, p."notnull" AS required
		FROM sqlite_master m JOIN pragma_table_info(m.name) p WHERE UPPER(m.name) IN ?`
	switch db.Name() {
	case "mysql":
		statement = `SELECT UPPER(table_name) AS tab, LOWER(column_name) AS name, column_type AS kind,
			COALESCE(character_maximum_length, 0) AS width, COALESCE(character_set_name, '') AS charset,
			COALESCE(collation_name, '') AS collation, RIGHT(COALESCE(collation_name, '_bin'), 4) <> '_bin' AS inexact,
			is_nullable = 'NO' AS required, LOWER(extra) LIKE '%on update%' AS changing
			FROM information_schema.columns WHERE table_schema = DATABASE() AND table_name IN ?`
	case "postgres":
		// PostgreSQL 11 has no column collisdeterministic.
		statement = `SELECT UPPER(c.relname) AS tab, LOWER(a.attname) AS name,
			CASE WHEN t.typname = 'varchar' AND a.atttypmod > 4 THEN a.atttypmod - 4 ELSE 0 END AS width,
			current_setting('server_encoding') AS charset,
			t.typname = 'citext' OR NOT COALESCE((to_jsonb(o) ->> 'collisdeterministic')::boolean, TRUE) AS inexact,
			a.attnotnull AS required
			FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_type t ON t.oid = a.atttypid
			LEFT JOIN pg_collation o ON o.oid = a.attcollation
			WHERE c.relname IN ? AND pg_table_is_visible(c.oid) AND a.attnum > 0 AND NOT a.attisdropped`
		tables = strings.Split(strings.ToLower(strings.Join(allTables, " ")), " ")
	}
	var rows []struct {
		Tab, Name, Kind, Charset, Collation string
		Width                               int
		Inexact, Required, Changing         bool
	}
	if err := db.WithContext(ctx).Raw(statement, tables).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("read columns: %w", err)
	}
	columns := make(map[columnOf]column, len(rows))
	for _, r := range rows {
		columns[columnOf{r.Tab, r.Name}] = column{r.Kind, r.Width, r.Charset, r.Collation, r.Inexact, r.Required, r.Changing}
	}
	if db.Name() != "sqlite" || len(columns) == 0 {
		return columns, nil
	}
	// SQLite has no catalogue of collations, but a compound query has the collation of its first column.
	const ask = `SELECT '%s' AS tab, '%[2]s' AS name
		WHERE EXISTS (SELECT 1 FROM (SELECT %[2]s AS x FROM %[1]s WHERE 0 UNION ALL SELECT 'A') WHERE x = 'a')`
	var asks []string
	for table, names := range identities {
		for _, name := range names {
			if _, known := columns[columnOf{table, name}]; known {
				asks = append(asks, fmt.Sprintf(ask, table, name))
			}
		}
	}
	rows = rows[:0]
	if err := db.WithContext(ctx).Raw(strings.Join(asks, " UNION ALL ")).Scan(&rows).Error; err != nil {
		return nil, fmt.Errorf("read collations: %w", err)
	}
	for _, r := range rows {
		columns[columnOf{r.Tab, r.Name}] = column{inexact: true}
	}
	return columns, nil
}

// plane is the set of non-ASCII characters in a character set.
type plane int

const (
	planeSome  plane = iota // only the server knows which
	planeBasic              // up to U+FFFF
	planeAll
)

var planes = map[string]plane{
	"": planeAll, "utf8mb4": planeAll, "utf16": planeAll, "utf16le": planeAll, "utf32": planeAll,
	"utf8": planeBasic, "utf8mb3": planeBasic, "ucs2": planeBasic,
	"UTF8": planeAll, "SQL_ASCII": planeAll, // PostgreSQL
}

// holds reports whether a column can hold the characters of a text.
func (s shape) holds(c column, text string) (bool, error) {
	set := planes[c.charset]
	if !storable(text) || set == planeAll {
		return storable(text), nil
	}
	for _, r := range text {
		switch {
		case r < utf8.RuneSelf:
		case set == planeBasic:
			if r > 0xFFFF {
				return false, nil
			}
		case s.ask != nil:
			if held, err := s.ask(c.charset, r); err != nil || !held {
				return false, err
			}
		}
	}
	return true, nil
}

type askedRune struct {
	charset string
	char    rune
}

// ask asks the server, once per character, whether a character set has it.
func (p *prober) ask(ctx context.Context, db *gorm.DB, charset string, r rune) (held bool, err error) {
	if known, ok := p.runes.Load(askedRune{charset, r}); ok {
		return known.(bool), nil
	}
	char := string(r)
	if db.Name() == "mysql" {
		bytes := func(text string) string { return "CAST(CONVERT(" + text + " USING utf8mb4) AS BINARY)" }
		statement := "SELECT " + bytes("CONVERT(? USING "+charset+")") + " = " + bytes("?")
		err = db.WithContext(ctx).Raw(statement, char, char).Row().Scan(&held)
	} else {
		var back string
		err = db.WithContext(ctx).Raw("SELECT CAST(? AS TEXT)", char).Row().Scan(&back)
		held = err == nil
		if refused(db, err) {
			err = nil
		}
	}
	if err != nil {
		return false, fmt.Errorf("check whether %s has %q: %w", charset, r, err)
	}
	p.runes.Store(askedRune{charset, r}, held)
	return held, nil
}

// identity returns the form of an id, a job name, a task id or an address that both tables and
// queries use. It's unchanged, or ok is false because the column can't hold it. Only task ids,
// which list their shards, and addresses may be shortened, to their beginning and a hash.
func (s shape) identity(table, name, value string) (stored string, ok bool, err error) {
	c := s.columns[columnOf{table, name}]
	if ok, err = s.holds(c, value); !ok || err != nil {
		return value, false, err
	}
	if c.width == 0 || utf8.RuneCountInString(value) <= c.width {
		return value, true, nil
	}
	sum := sha256.Sum256([]byte(value))
	mark := "~" + hex.EncodeToString(sum[:8])
	switch name {
	case "task_id", "original_task_id", "ip", "slave_id":
		return string([]rune(value)[:max(0, c.width-len(mark))]) + mark, c.width >= 2*len(mark), nil
	}
	return value, false, nil
}

func bare(name string) string { return name[strings.LastIndexByte(name, '.')+1:] }

// bytes returns an expression that compares byte by byte: a column's text or, for the parameter
// "?", the text as the column would hold it.
func (s shape) bytes(c column, expression string) string {
	switch s.dialect {
	case "mysql":
		return "CAST(CONVERT(" + expression + " USING " + c.charset + ") AS BINARY)"
	case "postgres":
		return "CAST(" + expression + ` AS TEXT) COLLATE "C"`
	default:
		return expression + " COLLATE BINARY"
	}
}

// same returns the condition that a column equals another expression. Its first comparison is for the index.
func (s shape) same(table, name, other string) string {
	c := s.columns[columnOf{table, bare(name)}]
	if !c.inexact {
		return name + " = " + other
	}
	return name + " = " + other + " AND " + s.bytes(c, name) + " = " + s.bytes(c, other)
}

// oneOf returns the condition that a column has one of the values. It's always false if the column
// can't hold any.
func (s shape) oneOf(table, name string, values ...string) (condition string, args []any) {
	c := s.columns[columnOf{table, bare(name)}]
	for _, value := range values {
		// If the server can't be asked, the query itself fails with a better error.
		if stored, ok, err := s.identity(table, bare(name), value); ok || err != nil {
			args = append(args, stored)
		}
	}
	list := func(parameter string) string {
		if len(args) == 1 {
			return " = " + parameter
		}
		return " IN (" + parameter + strings.Repeat(", "+parameter, len(args)-1) + ")"
	}
	switch {
	case len(args) == 0:
		return "1 = 0", nil
	case !c.inexact:
		return name + list("?"), args
	default:
		return name + list("?") + " AND " + s.bytes(c, name) + list(s.bytes(c, "?")), append(args, args...)
	}
}

// begins returns the condition that a column begins with a text. We don't use SQLite's LIKE because
// it ignores case and uses no index.
func (s shape) begins(table, name, text string) (condition string, args []any) {
	c := s.columns[columnOf{table, bare(name)}]
	if held, err := s.holds(c, text); err == nil && !held {
		return "1 = 0", nil
	}
	compare := func(column, parameter string) string {
		if s.dialect == "sqlite" {
			return column + " >= " + parameter + " AND " + column + " < " + parameter
		}
		return column + " LIKE " + parameter + " ESCAPE '!'"
	}
	if args = []any{literal(text) + "%"}; s.dialect == "sqlite" {
		args = []any{text, following(text)}
	}
	exact := compare(s.bytes(c, name), s.bytes(c, "?"))
	switch {
	case !c.inexact:
		return compare(name, "?"), args
	case s.dialect == "postgres": // LIKE may refuse the column's collation
		return exact, args
	default:
		return compare(name, "?") + " AND " + exact, append(args, args...)
	}
}

// freshFor is how long we use a shape with faults before we check whether they were fixed.
const freshFor = time.Minute
