package rdb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
)

const (
	pruneBatch = 500
	prunePause = 50 * time.Millisecond
)

// Retention limits the history. Zero fields keep everything.
type Retention struct {
	// Age keeps rows that are younger than this. A requested run that has not ended, or ended less
	// than this long ago, stays with all its rows.
	Age time.Duration
	// Rows keeps the newest rows of each table, at least this many, because rows of one instant are kept
	// or deleted together. Steps are kept as long as their requested run; log lines and progress as long as
	// their requested run or their execution.
	Rows int
	// LogAge keeps log lines that are younger than this. Zero keeps them as long as Age and Rows do.
	LogAge time.Duration
	// Batch is the number of rows per DELETE, which limits how long writers wait for locks. Defaults to 500.
	Batch int
	// Pause is the time between two statements. Defaults to 50 ms; -1 is none.
	Pause time.Duration
}

// Pruned counts deleted rows.
type Pruned struct {
	Executions, Statuses int
	// Requested counts requested runs. RunSteps belonged to them, LogLines and Progress to them or
	// to old executions.
	Requested, RunSteps, LogLines, Progress int
	// Before is the instant before which executions were deleted, zero if none had to be.
	Before time.Time
}

// Prune deletes old rows, oldest first, in small statements with pauses, so writers never wait for
// more than one statement. Ages count from now. It needs the migrations' indexes. If ctx ends, the
// rest stays for the next call. The counts are right even after an error.
func Prune(ctx context.Context, opened *DB, keep Retention, now time.Time) (Pruned, error) {
	var done Pruned
	if keep.Age < 0 || keep.Rows < 0 || keep.LogAge < 0 {
		return done, fmt.Errorf("prune trace rows: %w: ages %s and %s and rows %d must not be negative", ErrInvalidFilter, keep.Age, keep.LogAge, keep.Rows)
	}
	if keep.Batch < 1 {
		keep.Batch = pruneBatch
	}
	keep.Batch = min(keep.Batch, 10_000) // databases limit the parameters of a statement
	keep.Pause = cmp.Or(keep.Pause, prunePause)
	db := database.Gorm(opened)
	form, err := probe(ctx, db)
	if err != nil {
		return done, fmt.Errorf("prune trace rows: %w", err)
	}
	p := pruner{db: db, form: form, keep: keep}
	for _, of := range []sweep{
		{table: executionTable, index: "EXECUTION_START_INDEX", key: "id", at: "start_time", deleted: &done.Executions},
		{table: statusTable, index: "STATUS_CREATION_INDEX", key: "id", at: "creation_time", deleted: &done.Statuses},
	} {
		of.where = of.at + " IS NOT NULL"
		if of.before, err = p.boundary(ctx, of.table, of.at, now); err == nil && !of.before.IsZero() {
			if of.table == executionTable {
				done.Before = of.before
			}
			err = p.sweep(ctx, of)
		}
		if err != nil {
			return done, fmt.Errorf("prune %s: %w", of.table, err)
		}
	}
	if err := p.requested(ctx, now, &done); err != nil && !absent(db, err) {
		return done, fmt.Errorf("prune requested runs: %w", err)
	}
	return done, nil
}

type pruner struct {
	db   *gorm.DB
	form shape
	keep Retention
}

// boundary returns the instant before which all rows of a table should be deleted, or zero.
func (p pruner) boundary(ctx context.Context, table, column string, now time.Time) (before time.Time, err error) {
	if p.keep.Age > 0 {
		before = now.Add(-p.keep.Age).UTC().Truncate(time.Millisecond)
	}
	if p.keep.Rows == 0 {
		return before, nil
	}
	// This walks the index, not the table.
	var oldest time.Time
	err = p.db.WithContext(ctx).Raw("SELECT " + column + " FROM " + table + " WHERE " + column + " IS NOT NULL ORDER BY " + column +
		" DESC LIMIT 1 OFFSET " + strconv.Itoa(p.keep.Rows-1)).Row().Scan((*moment)(&oldest))
	if errors.Is(err, sql.ErrNoRows) {
		err = nil
	}
	if oldest.After(before) {
		before = oldest
	}
	return before, err
}

// unendedAfter is how long we keep a run without a recorded end, because its agents may have been
// killed while the database was away. It's the longest possible delay of a run.
const unendedAfter = 365 * 24 * time.Hour

type sweep struct {
	table, index string
	key          string // columns, separated by a comma
	at           string // the first column of the index
	before       time.Time
	where        string // condition for rows e, "" for all
	args         []any
	deleted      *int
}

func (s sweep) lines() bool { return s.table == logTable }

// ofNoRun selects rows without a run in the history.
const ofNoRun = "NOT EXISTS (SELECT 1 FROM " + runTable + " r WHERE r.id = e.run_id)"

// requested deletes requested runs that ended long ago and then, by age, rows without a run.
// All rows of a run are older than its end. If it's interrupted, the next pruning finishes the work.
//
// Log lines and progress without a requested run belong to a fire time or a trigger. They go with the executions,
// none of which is older than its lines.
func (p pruner) requested(ctx context.Context, now time.Time, done *Pruned) error {
	before, err := p.boundary(ctx, runTable, "submitted_at", now)
	if err != nil {
		return err
	}
	var sweeps []sweep
	orphans := func(table, index, key, at string, before time.Time, deleted *int) sweep {
		return sweep{table: table, index: index, key: key, at: at, before: before, where: ofNoRun, deleted: deleted}
	}
	if !before.IsZero() {
		sweeps = []sweep{
			{table: runTable, index: "RUN_SUBMITTED_INDEX", key: "id", at: "submitted_at", before: before, deleted: &done.Requested,
				where: "(e.ended_at < ? OR e.ended_at IS NULL AND COALESCE(e.due_time, e.submitted_at) < ?)",
				args:  []any{p.form.bind(before), p.form.bind(before.Add(-unendedAfter))}},
			orphans(stepTable, "RUN_STEP_AT_INDEX", "id", "at", before, &done.RunSteps),
		}
	}
	if executions := done.Before; !executions.IsZero() {
		sweeps = append(sweeps,
			orphans(progressTable, "RUN_PROGRESS_UPDATED_INDEX", "execution_id", "updated_at", executions, &done.Progress),
			orphans(logTable, "RUN_LOG_AT_INDEX", "execution_id, seq", "at", executions, &done.LogLines))
	}
	if p.keep.LogAge > 0 {
		sweeps = append(sweeps, sweep{table: logTable, index: "RUN_LOG_AT_INDEX", key: "execution_id, seq", at: "at",
			before: now.Add(-p.keep.LogAge), deleted: &done.LogLines})
	}
	for _, one := range sweeps {
		if err := p.sweep(ctx, one); err != nil {
			return fmt.Errorf("%s: %w", one.table, err)
		}
	}
	return nil
}

// sweep deletes rows, oldest first. It continues from the last row found, because kept rows may be in between.
func (p pruner) sweep(ctx context.Context, s sweep) error {
	where, from := s.at+" < ?", time.Time{}
	if s.where != "" {
		where += " AND " + s.where
	}
	for {
		found, args := where, append([]any{p.form.bind(s.before)}, s.args...)
		if !from.IsZero() {
			found, args = s.at+" >= ? AND "+found, append([]any{p.form.bind(from)}, args...)
		}
		columns := s.key
		if !s.lines() {
			columns += ", 0 AS seq"
		}
		rows, err := readRows(p.db.WithContext(ctx), scanSweepRow, "SELECT "+columns+", "+s.at+" FROM "+p.form.by(s.table, s.index)+" WHERE "+found+
			" ORDER BY "+s.at+", "+s.key+" LIMIT "+strconv.Itoa(p.keep.Batch), args...)
		if err != nil || len(rows) == 0 {
			return err
		}
		from = rows[len(rows)-1].at
		n, err := p.remove(ctx, s, rows)
		*s.deleted += n
		if err != nil || len(rows) < p.keep.Batch {
			return err
		}
		if err := p.rest(ctx); err != nil {
			return err
		}
	}
}

// sweepRow is a row to delete. Log lines have a second key column.
type sweepRow struct {
	id  string
	seq int64
	at  time.Time
}

func scanSweepRow(rows *sql.Rows, _ ...any) (r sweepRow, err error) {
	err = rows.Scan(&r.id, &r.seq, (*moment)(&r.at))
	return r, err
}

// remove deletes rows by their keys, because not every database has DELETE with LIMIT, and a range
// would lock rows that others are inserting.
func (p pruner) remove(ctx context.Context, s sweep, rows []sweepRow) (deleted int, err error) {
	key, tuple, values := s.key, "?", ""
	if s.lines() {
		key, tuple = "("+s.key+")", "(?, ?)"
		if p.form.dialect == "sqlite" {
			values = "VALUES "
		}
	}
	list := values + strings.TrimSuffix(strings.Repeat(tuple+", ", len(rows)), ", ")
	var args []any
	for _, row := range rows {
		args = append(args, row.id)
		if s.lines() {
			args = append(args, row.seq)
		}
	}
	for collisions := 1; ; collisions++ {
		result := p.db.WithContext(ctx).Exec("DELETE FROM "+s.table+" WHERE "+key+" IN ("+list+")", args...)
		if result.Error == nil || !collided(p.db, result.Error) || collisions > maxCollisions {
			return int(result.RowsAffected), result.Error
		}
		if err := stepAside(ctx, collisions); err != nil {
			return 0, fmt.Errorf("%w: %w", err, result.Error)
		}
	}
}

func (p pruner) rest(ctx context.Context) error {
	if p.keep.Pause < 0 {
		return ctx.Err()
	}
	return sleep.For(ctx, p.keep.Pause)
}
