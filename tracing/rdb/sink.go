package rdb

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// rowsPerStatement limits one INSERT, because SQLite limits the parameters. With maxStatement and
// the widest row an INSERT stays below 4 MB, the smallest packet limit in common use.
const rowsPerStatement = 200

// maxCollisions is how often a batch is retried at once after a collision with another process.
// Collisions are normal with several writers; only a series is worth reporting.
const maxCollisions = 10

// maxStatement is the size of texts in bytes after which an INSERT takes no more rows.
const maxStatement = 2 << 20

// Sink stores trace events in ElasticJob's two tables and in the four tables of requested runs.
// It's safe for concurrent use, and for several processes on one database, including Java engines.
type Sink struct {
	// Logger logs missing tables of requested runs. It must be set before the first batch; nil
	// means slog.Default().
	Logger *slog.Logger

	db      *gorm.DB
	opened  *DB
	prober  prober
	absence absence
	logged  sync.Once // logs the faults of the tables
	leftOut sync.Map  // each columnOf that [Sink.leave] has logged
}

var _ tracing.Sink = (*Sink)(nil)

// NewSink returns a sink that writes through db. It doesn't use the database before the first
// batch. The tables must exist, from the migrations or a Java engine.
func NewSink(db *DB) *Sink { return &Sink{db: database.Gorm(db), opened: db} }

// Write stores a batch in one transaction, or none of it. Writing a batch again changes nothing. The
// order of rows in a batch isn't kept, because each kind has a time to sort by. The two events of an
// execution become one row in either order, in one batch or two, and a later start never undoes an end.
//
// Texts wider than their column are cut, characters that the table can't hold are replaced, and
// times are stored in UTC with milliseconds. An id, a job name or a key is stored unchanged or not
// at all: if its column can't hold it, we leave the row out and log that once, with the ALTER that
// helps; see [Findings]. An event without an id or a job name, or with a shard number beyond 32
// bits, is refused with [tracing.ErrRejected].
//
// The latest state of a requested run wins, by [tracing.RunRecord.Order], and the newest progress. A batch that
// went to a removed SQLite file fails with [ErrRemoved]. If one of the four tables is missing, or the
// account may not write to it, its rows are left out and that is logged once; we try again every minute.
func (s *Sink) Write(ctx context.Context, events []tracing.Event) error {
	if len(events) == 0 {
		return nil
	}
	if err := s.store(ctx, events); err != nil {
		return fmt.Errorf("store trace events: %w", err)
	}
	return nil
}

func (s *Sink) store(ctx context.Context, events []tracing.Event) error {
	rows, err := fold(events)
	if err != nil {
		return err
	}
	form, err := s.prober.shape(ctx, s.db)
	if err != nil {
		return err
	}
	s.logged.Do(func() {
		for _, f := range form.findings() {
			f.Log(ctx, s.logger())
		}
	})
	if rows, err = s.fit(form, rows); err != nil {
		return err
	}
	skip := s.absence.known(time.Now())
	collisions := 0
	for set := form.charset(); ; {
		err := s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			return writer{tx: tx, shape: form, charset: set, skip: skip}.all(rows)
		})
		gap, missing := errors.AsType[absentTable](err)
		switch {
		case err == nil:
			if err = database.Present(s.opened); err == nil {
				s.absence.written(s.logger(), rows, skip)
			}
			return err
		case missing:
			s.absence.found(s.logger(), gap, time.Now())
			skip[gap.table] = true
		case collided(s.db, err) && collisions < maxCollisions:
			collisions++
			if ended := stepAside(ctx, collisions); ended != nil {
				return fmt.Errorf("%w: %w", ended, err)
			}
		case !refused(s.db, err):
			return err
		case set == charsetASCII:
			return fmt.Errorf("%w: %w", tracing.ErrRejected, err)
		default:
			set++ // narrower
		}
	}
}

func (s *Sink) logger() *slog.Logger {
	if s.Logger == nil {
		return slog.Default()
	}
	return s.Logger
}

// collided reports whether the database rolled back this transaction in favour of another one, so it
// should be retried. Writers of a SQLite file don't queue: a waiting one polls, and may find no gap.
func collided(db *gorm.DB, err error) bool {
	switch database.Code(db, err) {
	case "1213", "40P01", "40001", "5": // deadlock; serialization failure; SQLITE_BUSY
		return true
	}
	return false
}

// stepAside waits for a random time, longer after each collision, so two writers don't meet again.
func stepAside(ctx context.Context, collisions int) error {
	return sleep.For(ctx, rand.N(time.Duration(collisions)*10*time.Millisecond))
}

// refused reports whether the database answered and refused the content, rather than being away,
// locked or misconfigured.
func refused(db *gorm.DB, err error) bool {
	code := database.Code(db, err)
	switch code {
	case "1048", // MySQL: column can't be null
		"1153",                 // packet too large
		"1264",                 // out of range
		"1292", "1366", "1406", // incorrect time, incorrect string, data too long
		"1525",           // incorrect value
		"3988",           // conversion between character sets is impossible
		"18", "19", "20": // SQLite: too big, constraint, mismatch
		return true
	}
	if len(code) == len("22001") { // PostgreSQL: cardinality, data, constraint, limit
		return slices.Contains([]string{"21", "22", "23", "54"}, code[:2])
	}
	return false
}

// writer is one attempt at storing a batch.
type writer struct {
	tx      *gorm.DB
	shape   shape
	charset charset
	skip    map[string]bool // tables to leave out
}

func (w writer) all(b batch) error {
	if err := w.executions(b.executions); err != nil {
		return err
	}
	if err := w.statuses(b.statuses); err != nil {
		return err
	}
	for _, part := range b.requested() {
		if w.skip[part.table] {
			continue
		}
		if err := part.write(w); err != nil {
			if absent(w.tx, err) {
				return absentTable{part.table, err}
			}
			return err
		}
	}
	return nil
}

var executionColumns = []string{
	"id", "job_name", "task_id", "hostname", "ip", "sharding_item", "execution_source",
	"failure_cause", "is_success", "start_time", "complete_time",
}

func (w writer) executions(rows []tracing.Execution) error {
	// A start never changes a row that has the end.
	upsert := w.update("id", w.choose(executionTable, w.fresh("complete_time")+" IS NOT NULL", "is_success", "failure_cause", "complete_time")...)
	if w.shape.dialect == "mysql" {
		upsert += ", start_time = start_time" // otherwise a column with ON UPDATE CURRENT_TIMESTAMP changes
	}
	columns := executionColumns
	if w.shape.runs() {
		columns = slices.Concat(columns, runColumns)
		if w.shape.dialect == "mysql" { // trigger is a reserved word, but not after a table name
			columns[slices.Index(columns, "trigger")] = "`trigger`"
		}
	}
	return w.insert(executionTable, columns, upsert, len(rows), func(i int) []any {
		e := rows[i]
		start, end := e.StartTime, e.CompleteTime
		if !e.Running() && end.IsZero() {
			end = start // it failed at an unknown time
		}
		if start.IsZero() {
			start = end // the history is ordered by it
		}
		success := w.shape.yes(e.Success && !e.Running())
		var cause any
		if e.FailureCause != "" {
			cause = w.text(e.FailureCause, tracing.MaxText)
		}
		values := []any{
			e.ID, e.JobName, e.TaskID, w.text(e.Hostname, widthLong), e.IP, e.Item,
			w.text(string(e.Source), widthEnum), cause, success,
			w.bind(start), w.bind(end),
		}
		if w.shape.runs() {
			var attempt any
			if e.Attempt > 0 {
				attempt = min(e.Attempt, math.MaxInt32)
			}
			values = append(values, orNull(e.RunID), attempt, w.known(string(e.Trigger), widthEnum), w.bind(e.ScheduledAt))
		}
		return values
	})
}

var statusColumns = []string{
	"id", "job_name", "original_task_id", "task_id", "slave_id", "execution_type",
	"sharding_item", "state", "message", "creation_time",
}

func (w writer) statuses(rows []tracing.Status) error {
	// In tables of an ElasticJob engine two rows may have the same id, so look before writing.
	onConflict := w.ignore("id", "creation_time")
	if !w.shape.unique {
		onConflict = ""
		var err error
		if rows, err = w.missing(rows); err != nil {
			return err
		}
	}
	columns := statusColumns
	if w.shape.source {
		columns = append(columns[:len(columns):len(columns)], "source")
	}
	return w.insert(statusTable, columns, onConflict, len(rows), func(i int) []any {
		st := rows[i]
		values := []any{
			st.ID, st.JobName, st.OriginalTaskID, st.TaskID, st.SlaveID,
			w.text(cmp.Or(st.ExecutionType, tracing.ExecutionTypeReady), widthEnum),
			encodeItems(st.Items), w.text(string(st.State), widthEnum),
			w.text(st.Message, tracing.MaxText), w.bind(st.CreationTime),
		}
		if w.shape.source {
			values = append(values, w.text(cmp.Or(st.Source, tracing.StatusSourceLite), widthShort))
		}
		return values
	})
}

// missing returns the rows whose ids are not in the status table.
func (w writer) missing(rows []tracing.Status) ([]tracing.Status, error) {
	known := make(map[string]bool)
	for part := range slices.Chunk(rows, rowsPerStatement) {
		var ids, found []string
		for _, row := range part {
			ids = append(ids, row.ID)
		}
		err := w.tx.Raw("SELECT id FROM "+statusTable+" WHERE id IN ?", ids).Scan(&found).Error
		if err != nil {
			return nil, fmt.Errorf("look up %s: %w", statusTable, err)
		}
		for _, id := range found {
			known[id] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(rows), func(row tracing.Status) bool { return known[row.ID] }), nil
}

func (w writer) insert(table string, columns []string, suffix string, n int, row func(int) []any) error {
	tuple := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
	for begin := 0; begin < n; {
		count, size := 0, 0
		args := make([]any, 0, min(rowsPerStatement, n-begin)*len(columns))
		for begin+count < n && count < rowsPerStatement && size < maxStatement {
			values := row(begin + count)
			args = append(args, values...)
			for _, value := range values {
				text, _ := value.(string)
				size += len(text)
			}
			count++
		}
		statement := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " +
			strings.TrimSuffix(strings.Repeat(tuple+", ", count), ", ") + suffix
		if err := w.tx.Exec(statement, args...).Error; err != nil {
			return fmt.Errorf("insert into %s: %w", table, err)
		}
		begin += count
	}
	return nil
}

// known returns a text for a nullable column, NULL if it's empty.
func (w writer) known(s string, width int) any {
	if s == "" {
		return nil
	}
	return w.text(s, width)
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (w writer) text(s string, width int) string { return w.charset.text(s, width) }
func (w writer) bind(t time.Time) any            { return w.shape.bind(t) }
