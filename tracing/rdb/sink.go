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
		for i := len(executionColumns); i < len(columns) && w.shape.dialect == "mysql"; i++ {
			columns[i] = "`" + columns[i] + "`" // trigger is a reserved word, but not after a table name
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

// missing returns the rows with ids that are not in the status table.
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

const (
	runTable      = "JOB_RUN"
	stepTable     = "JOB_RUN_STEP"
	logTable      = "JOB_RUN_LOG"
	progressTable = "JOB_RUN_PROGRESS"
)

// requestColumns come from the request: every record of a run has the same values or none.
// stateColumns come from the later record.
var (
	requestColumns = []string{"origin", "origin_name", "parent_id", "backfill_id", "run_key", "params", "note", "fire_time"}
	stateColumns   = []string{"state", "reason", "due_time", "started_at", "ended_at", "attempt", "losses", "snoozes",
		"items_ok", "items_failed", "items_skipped", "error", "result"}
	// The columns in the order of their values. The rank is last, because MySQL assigns one column
	// after the other, and all others compare with the old rank.
	runColumnsOfTable = slices.Concat([]string{"id", "job_name", "submitted_at", "retries"}, requestColumns, stateColumns, []string{"state_rank"})
)

// old and fresh name a column of the stored row and of the inserted one, in an upsert.
func (w writer) old(table, c string) string {
	if w.shape.dialect == "mysql" {
		return c
	}
	return table + "." + c
}

func (w writer) fresh(c string) string {
	if w.shape.dialect == "mysql" {
		return "VALUES(" + c + ")"
	}
	return "excluded." + c
}

// update makes a second insert of a row an update. MySQL assigns one column after the other.
func (w writer) update(key string, sets ...string) string {
	if w.shape.dialect == "mysql" {
		return " ON DUPLICATE KEY UPDATE " + strings.Join(sets, ", ")
	}
	return " ON CONFLICT (" + key + ") DO UPDATE SET " + strings.Join(sets, ", ")
}

// choose sets columns to the inserted values if a condition holds. Columns of the condition must be last.
func (w writer) choose(table, condition string, columns ...string) (sets []string) {
	for _, c := range columns {
		sets = append(sets, c+" = CASE WHEN "+condition+" THEN "+w.fresh(c)+" ELSE "+w.old(table, c)+" END")
	}
	return sets
}

// chooseBy is choose for one column, by a comparison of the inserted value with the stored one.
func (w writer) chooseBy(table, operator, c string) string {
	return w.choose(table, w.fresh(c)+operator+w.old(table, c), c)[0]
}

// ignore makes a second insert of a row do nothing.
func (w writer) ignore(key, column string) string {
	if w.shape.dialect == "mysql" {
		return w.update(key, column+" = "+column)
	}
	return " ON CONFLICT (" + key + ") DO NOTHING"
}

// upsertRuns turns a second insert of a run into an update, by the rule of [later].
func (w writer) upsertRuns() string {
	old := func(c string) string { return w.old(runTable, c) }
	wins := w.fresh("state_rank") + " >= " + old("state_rank")
	// A run's request comes first, so the earliest time is the right one. A record without that
	// time uses a later time.
	sets := []string{w.chooseBy(runTable, " < ", "submitted_at"), w.chooseBy(runTable, " > ", "retries")}
	for _, c := range requestColumns {
		sets = append(sets, c+" = CASE WHEN "+wins+" THEN COALESCE("+w.fresh(c)+", "+old(c)+") ELSE COALESCE("+old(c)+", "+w.fresh(c)+") END")
	}
	sets = append(sets, w.choose(runTable, wins, stateColumns...)...)
	return w.update("id", append(sets, w.choose(runTable, wins, "state_rank")...)...)
}

func (w writer) runs(rows []tracing.RunRecord) error {
	return w.insert(runTable, runColumnsOfTable, w.upsertRuns(), len(rows), func(i int) []any {
		r := rows[i]
		params := w.known(r.Params, tracing.MaxParams)
		if len(r.Params) > tracing.MaxParams {
			params = nil // a part of a JSON document is useless
		}
		return []any{
			r.ID, r.JobName, w.bind(r.Submitted), number(r.Retries),
			w.known(r.Origin, widthRunState), w.known(r.OriginName, tracing.MaxActor), orNull(r.ParentID), orNull(r.BackfillID),
			orNull(r.Key), params, w.known(r.Note, tracing.MaxNote), w.bind(r.FireTime),
			w.text(string(r.State), widthRunState), w.known(r.Reason, tracing.MaxReason), w.bind(r.Due), w.bind(r.Started), w.bind(r.Ended),
			number(r.Attempt), number(r.Losses), number(r.Snoozes), number(r.OK), number(r.Failed), number(r.Skipped),
			w.known(r.Error, tracing.MaxText), w.known(r.Result, tracing.MaxResult), r.Order(),
		}
	})
}

func (w writer) steps(rows []tracing.RunStep) error {
	columns := []string{"id", "run_id", "job_name", "attempt", "at", "state", "actor", "message"}
	return w.insert(stepTable, columns, w.ignore("id", "at"), len(rows), func(i int) []any {
		s := rows[i]
		return []any{s.ID, s.RunID, s.JobName, number(s.Attempt), w.bind(s.At),
			w.text(string(s.State), widthRunState), w.known(s.Actor, tracing.MaxActor), w.known(s.Message, tracing.MaxText)}
	})
}

func (w writer) lines(rows []tracing.LogLine) error {
	columns := []string{"execution_id", "seq", "run_id", "job_name", "item", "attempt", "at", "level", "message"}
	return w.insert(logTable, columns, w.ignore("execution_id, seq", "at"), len(rows), func(i int) []any {
		l := rows[i]
		return []any{l.ExecutionID, l.Seq, l.RunID, l.JobName, l.Item, number(l.Attempt),
			w.bind(l.At), w.text(l.Level, widthLevel), w.known(l.Message, tracing.MaxLogLine)}
	})
}

func (w writer) progress(rows []tracing.Progress) error {
	newer := w.choose(progressTable, w.fresh("updated_at")+" >= "+w.old(progressTable, "updated_at"), "fraction", "message", "updated_at")
	columns := []string{"execution_id", "run_id", "job_name", "item", "attempt", "fraction", "message", "updated_at"}
	return w.insert(progressTable, columns, w.update("execution_id", newer...), len(rows), func(i int) []any {
		p := rows[i]
		fraction := min(max(p.Fraction, 0), 1)
		if math.IsNaN(fraction) {
			fraction = 0
		}
		return []any{p.ExecutionID, p.RunID, p.JobName, p.Item, number(p.Attempt),
			fraction, w.known(p.Message, tracing.MaxReason), w.bind(p.At)}
	})
}

// number limits a count to the range of its column.
func number(n int) int { return min(max(n, 0), math.MaxInt32) }

type absentTable struct {
	table string
	cause error
}

func (a absentTable) Error() string { return a.table + " cannot be used: " + a.cause.Error() }
func (a absentTable) Unwrap() error { return a.cause }

// absent reports whether a table is missing or the account may not use it. MySQL reports both as
// access denied, and an account created for two tables has no rights on later ones.
func absent(db *gorm.DB, err error) bool {
	switch database.Code(db, err) {
	case "1146", "1142", "42P01", "42501":
		return true
	}
	return err != nil && strings.Contains(err.Error(), "no such table") // SQLite has no code for it
}

// lookAgain is the time before a sink tries a missing table again.
const lookAgain = time.Minute

// absence tracks the missing tables of a sink.
type absence struct {
	mu     sync.Mutex
	tables map[string]absentSince
}

type absentSince struct {
	next time.Time // when to try again
	lost int       // the rows that were left out
}

// known returns the tables to skip now.
func (a *absence) known(now time.Time) map[string]bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	skip := map[string]bool{}
	for table, since := range a.tables {
		if now.Before(since.next) {
			skip[table] = true
		}
	}
	return skip
}

// found records a missing table, and logs it if it's new.
func (a *absence) found(log *slog.Logger, gap absentTable, now time.Time) {
	a.mu.Lock()
	since, old := a.tables[gap.table]
	since.next = now.Add(lookAgain)
	if a.tables == nil {
		a.tables = map[string]absentSince{}
	}
	a.tables[gap.table] = since
	a.mu.Unlock()
	if !old {
		log.LogAttrs(context.Background(), slog.LevelWarn,
			"a table of requested runs is missing or not accessible to this account, so its rows are left out and all others are stored; run `console migrate` on the database, and grant SELECT, INSERT and UPDATE",
			slog.String("table", gap.table), slog.Any("err", gap.cause))
	}
}

// written counts the rows that a batch left out, and logs the tables that exist again.
func (a *absence) written(log *slog.Logger, b batch, skip map[string]bool) {
	a.mu.Lock()
	back := map[string]int{}
	for _, part := range b.requested() {
		since, missing := a.tables[part.table]
		switch {
		case !missing:
		case skip[part.table]:
			since.lost += part.rows
			a.tables[part.table] = since
		case part.rows > 0:
			back[part.table] = since.lost
			delete(a.tables, part.table)
		}
	}
	a.mu.Unlock()
	for table, lost := range back {
		log.LogAttrs(context.Background(), slog.LevelInfo, "a table of requested runs is available again",
			slog.String("table", table), slog.Int("left_out", lost))
	}
}
