package rdb

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// unendedAfter is how long we keep a run without a recorded end, because its agents may have been
// killed while the database was away. It's the longest possible delay of a run.
const unendedAfter = 365 * 24 * time.Hour

// sweep is a deletion from one table.
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

// pruneRequested deletes requested runs that ended long ago and then, by age, rows without a run.
// All rows of a run are older than its end. If it's interrupted, the next pruning finishes the work.
func pruneRequested(ctx context.Context, p pruner, now time.Time, done *Pruned) error {
	before, err := p.boundary(ctx, now)
	if err != nil {
		return err
	}
	var sweeps []sweep
	if !before.IsZero() {
		orphans := func(table, index, key, at string, deleted *int) sweep {
			return sweep{table: table, index: index, key: key, at: at, before: before, where: ofNoRun, deleted: deleted}
		}
		sweeps = []sweep{
			{table: runTable, index: "RUN_SUBMITTED_INDEX", key: "id", at: "submitted_at", before: before, deleted: &done.Requested,
				where: "(e.ended_at < ? OR e.ended_at IS NULL AND COALESCE(e.due_time, e.submitted_at) < ?)",
				args:  []any{p.form.bind(before), p.form.bind(before.Add(-unendedAfter))}},
			orphans(stepTable, "RUN_STEP_AT_INDEX", "id", "at", &done.RunSteps),
			orphans(progressTable, "RUN_PROGRESS_UPDATED_INDEX", "execution_id", "updated_at", &done.Progress),
			orphans(logTable, "RUN_LOG_AT_INDEX", "execution_id, seq", "at", &done.LogLines),
		}
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
	where, from := s.at+" < ?", moment{}
	if s.where != "" {
		where += " AND " + s.where
	}
	for {
		found, args := where, append([]any{p.form.bind(s.before)}, s.args...)
		if !from.IsZero() {
			found, args = s.at+" >= ? AND "+found, append([]any{p.form.bind(from.Time)}, args...)
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
	at  moment
}

func scanSweepRow(rows *sql.Rows, _ ...any) (r sweepRow, err error) {
	err = rows.Scan(&r.id, &r.seq, &r.at)
	return r, err
}

// remove deletes rows by their keys. As in [pruner.delete], a range would lock rows that others are inserting.
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
