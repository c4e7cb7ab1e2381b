package rdb

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	gosqlite "github.com/glebarez/go-sqlite"
	"github.com/go-sql-driver/mysql"
	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// rowsPerStatement bounds one INSERT. With every text at its widest a
// statement stays below 4 MB, the smallest packet limit in common use, and
// below SQLite's limit of parameters.
const rowsPerStatement = 200

// maxCollisions is how often a batch is tried again at once after a collision
// with another process's batch. Collisions are part of normal life with several
// writers; only a run of them is worth reporting.
const maxCollisions = 10

// Sink stores trace events in ElasticJob's two tables. It is safe for
// concurrent use and for several processes on one database, Java engines
// among them.
type Sink struct {
	db     *gorm.DB
	prober prober
}

var _ tracing.Sink = (*Sink)(nil)

// NewSink returns a sink that writes through db, whose dialect is MySQL,
// PostgreSQL or SQLite. It does not touch the database; that happens with the first batch.
// The tables must exist: the migrations create them, and so does a Java engine.
func NewSink(db *gorm.DB) *Sink { return &Sink{db: db} }

// Write stores a batch in one transaction, or nothing of it; the order of rows
// in a batch is nobody's to see, as each kind has a time to sort by. Writing a batch
// again changes nothing. The two events of an execution become one row in
// whichever order they arrive, in one batch or in different ones, and an end
// is never undone by a start that comes later.
//
// Values wider than their column are cut, characters the table cannot hold
// are replaced, and times are stored in UTC with milliseconds. An event
// without an id or a job name, or of a shard that is no 32-bit number, is refused with [tracing.ErrRejected].
func (s *Sink) Write(ctx context.Context, events []tracing.Event) error {
	if len(events) == 0 {
		return nil
	}
	executions, statuses, err := fold(events)
	if err != nil {
		return fmt.Errorf("store trace events: %w", err)
	}
	form, err := s.prober.shape(ctx, s.db)
	if err != nil {
		return fmt.Errorf("store trace events: %w", err)
	}
	collisions := 0
	for set := form.charset(); ; {
		err := s.db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			w := writer{tx: tx, shape: form, charset: set}
			if err := w.executions(executions); err != nil {
				return err
			}
			return w.statuses(statuses)
		})
		if err == nil {
			return nil
		}
		if collided(err) && collisions < maxCollisions {
			collisions++
			if ended := stepAside(ctx, collisions); ended != nil {
				return fmt.Errorf("store trace events: %w: %w", ended, err)
			}
			continue
		}
		if !refused(err) {
			return fmt.Errorf("store trace events: %w", err)
		}
		narrower, more := set.narrower()
		if !more {
			return fmt.Errorf("store trace events: %w: %w", tracing.ErrRejected, err)
		}
		set = narrower
	}
}

// fold separates the two kinds of events, makes one row of the events of an
// execution and drops statuses that occur twice. The rows are sorted by id:
// writers that lock rows in one order seldom deadlock.
func fold(events []tracing.Event) ([]tracing.Execution, []tracing.Status, error) {
	var executions []tracing.Execution
	var statuses []tracing.Status
	rows := make(map[string]int)
	steps := make(map[string]bool)
	for _, event := range events {
		switch {
		case event.Execution != nil:
			e := *event.Execution
			e.Lost = false // a reader's word
			if e.ID == "" || e.JobName == "" {
				return nil, nil, fmt.Errorf("%w: execution without an id or a job name", tracing.ErrRejected)
			}
			if e.Item != int(int32(e.Item)) {
				return nil, nil, fmt.Errorf("%w: shard %d is wider than the column", tracing.ErrRejected, e.Item)
			}
			at, known := rows[e.ID]
			switch {
			case !known:
				rows[e.ID] = len(executions)
				executions = append(executions, e)
			case !e.Running():
				executions[at] = e
			}
		case event.Status != nil:
			st := *event.Status
			if st.ID == "" || st.JobName == "" {
				return nil, nil, fmt.Errorf("%w: status without an id or a job name", tracing.ErrRejected)
			}
			if !steps[st.ID] {
				steps[st.ID] = true
				statuses = append(statuses, st)
			}
		default:
			return nil, nil, fmt.Errorf("%w: event without content", tracing.ErrRejected)
		}
	}
	slices.SortFunc(executions, func(a, b tracing.Execution) int { return strings.Compare(a.ID, b.ID) })
	slices.SortFunc(statuses, func(a, b tracing.Status) int { return strings.Compare(a.ID, b.ID) })
	return executions, statuses, nil
}

// collided reports whether the database took this transaction back in favour
// of another one's, and wants it tried again. Writers of a SQLite file are not
// queued: who waits looks again only now and then, and may find no gap.
func collided(err error) bool {
	if refusal, ok := errors.AsType[*gosqlite.Error](err); ok {
		return refusal.Code()&0xFF == 5 // SQLITE_BUSY, whatever for
	}
	if victim, ok := errors.AsType[*mysql.MySQLError](err); ok {
		return victim.Number == 1213
	}
	victim, ok := errors.AsType[*pgconn.PgError](err)
	return ok && (victim.Code == "40P01" || victim.Code == "40001")
}

// stepAside waits a random moment, longer with every collision, so that two
// writers do not meet again.
func stepAside(ctx context.Context, collisions int) error {
	timer := time.NewTimer(rand.N(time.Duration(collisions) * 10 * time.Millisecond))
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// refused reports whether the database was reached and did not want the
// content, as opposed to being away, locked or misconfigured.
func refused(err error) bool {
	if refusal, ok := errors.AsType[*mysql.MySQLError](err); ok {
		switch refusal.Number {
		case 1048, // column cannot be null
			1153,             // packet too large
			1264,             // out of range
			1292, 1366, 1406, // incorrect time, incorrect string, data too long
			1525, // incorrect value
			3988: // conversion between character sets is impossible
			return true
		}
		return false
	}
	if errors.Is(err, mysql.ErrPktTooLarge) {
		return true
	}
	if refusal, ok := errors.AsType[*pgconn.PgError](err); ok {
		switch refusal.Code[:min(2, len(refusal.Code))] {
		case "21", "22", "23", "54": // cardinality, data, constraint, limit
			return true
		}
		return false
	}
	if refusal, ok := errors.AsType[*gosqlite.Error](err); ok {
		switch refusal.Code() & 0xFF {
		case 18, 19, 20: // too big, constraint, mismatch
			return true
		}
	}
	return false
}

// writer is one attempt at storing a batch.
type writer struct {
	tx      *gorm.DB
	shape   shape
	charset charset
}

var executionColumns = []string{
	"id", "job_name", "task_id", "hostname", "ip", "sharding_item", "execution_source",
	"failure_cause", "is_success", "start_time", "complete_time",
}

// The clauses that make a second insert of an execution an update, and only if
// it brings the end of the run. Every condition looks at the new row alone, so
// that the order of assignments, which counts in MySQL, does not matter.
const (
	upsertMySQL = ` ON DUPLICATE KEY UPDATE
		is_success = IF(VALUES(complete_time) IS NULL, is_success, VALUES(is_success)),
		failure_cause = IF(VALUES(complete_time) IS NULL, failure_cause, VALUES(failure_cause)),
		complete_time = IF(VALUES(complete_time) IS NULL, complete_time, VALUES(complete_time))`
	upsertStandard = ` ON CONFLICT (id) DO UPDATE SET
		is_success = excluded.is_success,
		failure_cause = excluded.failure_cause,
		complete_time = excluded.complete_time
		WHERE excluded.complete_time IS NOT NULL`
)

func (w writer) executions(rows []tracing.Execution) error {
	upsert := upsertStandard
	if w.shape.dialect == "mysql" {
		upsert = upsertMySQL
	}
	columns := slices.Clone(executionColumns)
	for _, column := range runColumns {
		if !slices.Contains(w.shape.lacks, column) {
			columns = append(columns, w.shape.quoted(column))
		}
	}
	return w.insert(executionTable, columns, upsert, len(rows), func(i int) []any {
		e := rows[i]
		start, end := e.StartTime, e.CompleteTime
		if !e.Running() && end.IsZero() {
			end = start // it has failed, but nobody noted when
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
			w.text(e.ID, widthID), w.text(e.JobName, widthJob), w.text(e.TaskID, widthLong),
			w.text(e.Hostname, widthLong), w.text(e.IP, widthShort), e.Item,
			w.text(string(e.Source), widthEnum), cause, success,
			w.bind(start), w.bind(end),
		}
		return append(values, w.run(e)...)
	})
}

// run is what an execution says of its run, of the columns that there are.
func (w writer) run(e tracing.Execution) []any {
	known := func(s string, width int) any {
		if s == "" {
			return nil
		}
		return w.text(s, width)
	}
	var attempt any
	if e.Attempt > 0 {
		attempt = min(e.Attempt, math.MaxInt32)
	}
	all := map[string]any{"run_id": known(e.RunID, widthID), "attempt": attempt, "trigger": known(string(e.Trigger), widthEnum), "scheduled_at": w.bind(e.ScheduledAt)}
	var values []any
	for _, column := range runColumns {
		if !slices.Contains(w.shape.lacks, column) {
			values = append(values, all[column])
		}
	}
	return values
}

var statusColumns = []string{
	"id", "job_name", "original_task_id", "task_id", "slave_id", "execution_type",
	"sharding_item", "state", "message", "creation_time",
}

func (w writer) statuses(rows []tracing.Status) error {
	// A table of an ElasticJob engine may let two rows have one id. There the
	// sink looks before it writes.
	onConflict := ` ON CONFLICT (id) DO NOTHING`
	if w.shape.dialect == "mysql" {
		onConflict = ` ON DUPLICATE KEY UPDATE id = id`
	}
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
			w.text(st.ID, widthID), w.text(st.JobName, widthJob), w.text(st.OriginalTaskID, widthLong),
			w.text(st.TaskID, widthLong), w.text(st.SlaveID, widthShort),
			w.text(orDefault(st.ExecutionType, tracing.ExecutionTypeReady), widthEnum),
			encodeItems(st.Items), w.text(string(st.State), widthEnum),
			w.text(st.Message, tracing.MaxText), w.bind(st.CreationTime),
		}
		if w.shape.source {
			values = append(values, w.text(orDefault(st.Source, tracing.StatusSourceLite), widthShort))
		}
		return values
	})
}

// missing keeps the rows whose ids are not in the status table.
func (w writer) missing(rows []tracing.Status) ([]tracing.Status, error) {
	known := make(map[string]bool)
	for begin := 0; begin < len(rows); begin += rowsPerStatement {
		var ids, found []string
		for _, row := range rows[begin:min(begin+rowsPerStatement, len(rows))] {
			ids = append(ids, w.text(row.ID, widthID))
		}
		err := w.tx.Raw("SELECT id FROM "+statusTable+" WHERE id IN ?", ids).Scan(&found).Error
		if err != nil {
			return nil, fmt.Errorf("look up %s: %w", statusTable, err)
		}
		for _, id := range found {
			known[id] = true
		}
	}
	var fresh []tracing.Status
	for _, row := range rows {
		if !known[w.text(row.ID, widthID)] {
			fresh = append(fresh, row)
		}
	}
	return fresh, nil
}

// insert writes n rows with as few statements as the limits allow.
func (w writer) insert(table string, columns []string, suffix string, n int, row func(int) []any) error {
	tuple := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(columns)), ", ") + ")"
	for begin := 0; begin < n; begin += rowsPerStatement {
		count := min(rowsPerStatement, n-begin)
		statement := "INSERT INTO " + table + " (" + strings.Join(columns, ", ") + ") VALUES " +
			strings.TrimSuffix(strings.Repeat(tuple+", ", count), ", ") + suffix
		args := make([]any, 0, count*len(columns))
		for i := range count {
			args = append(args, row(begin+i)...)
		}
		if err := w.tx.Exec(statement, args...).Error; err != nil {
			return fmt.Errorf("insert into %s: %w", table, err)
		}
	}
	return nil
}

func (w writer) text(s string, width int) string { return w.charset.text(s, width) }
func (w writer) bind(t time.Time) any            { return w.shape.bind(t) }

func orDefault(value, fallback string) string {
	if value == "" {
		return fallback
	}
	return value
}
