package rdb

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"
)

// unendedAfter is how long after its time a run stays of which nobody recorded an end:
// its agents may have been killed while the database was away. It is as long as a run
// can be delayed, and longer than most wait.
const unendedAfter = 365 * 24 * time.Hour

// sweep is what is deleted of one table.
type sweep struct {
	table, index string
	key          string // columns, separated by a comma
	at           string // the first column of the index
	before       time.Time
	where        string // of rows e, "" for all
	args         []any
	deleted      *int
}

// ofNoRun selects rows whose run is not there any more, or never was.
const ofNoRun = "NOT EXISTS (SELECT 1 FROM " + runTable + " r WHERE r.id = e.run_id)"

// pruneRequested deletes requested runs that ended long ago and then, by their age,
// what belongs to no run: all of a run is older than its end. Cut off in between, the
// next pruning goes on where this one was.
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

// sweep deletes, oldest first. It goes on from the last row that it found, as rows that
// stay may be in between.
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
		keys, last, err := p.find(ctx, "SELECT "+s.key+", "+s.at+" FROM "+p.form.by(s.table, s.index)+" WHERE "+found+
			" ORDER BY "+s.at+", "+s.key+" LIMIT "+strconv.Itoa(p.keep.Batch), args, strings.Count(s.key, ",")+1)
		if err != nil || len(keys) == 0 {
			return err
		}
		from = last
		n, err := p.remove(ctx, s, keys)
		*s.deleted += n
		if err != nil || len(keys) < p.keep.Batch {
			return err
		}
		if err := p.rest(ctx); err != nil {
			return err
		}
	}
}

// find are the keys of rows, of so many columns, and the time of the last one.
func (p pruner) find(ctx context.Context, statement string, args []any, columns int) (keys [][]any, last moment, err error) {
	rows, err := p.db.WithContext(ctx).Raw(statement, args...).Rows()
	if err != nil {
		return nil, last, err
	}
	err = eachRow(rows, func() error {
		var id string
		var seq int64
		into := []any{&id, &seq}[:columns]
		if err := rows.Scan(append(into, &last)...); err != nil {
			return err
		}
		keys = append(keys, []any{id, seq}[:columns])
		return nil
	})
	if err != nil {
		return nil, last, err
	}
	return keys, last, nil
}

// remove deletes rows by their keys. As with [pruner.delete], one with a range would
// lock what others are inserting beside it.
func (p pruner) remove(ctx context.Context, s sweep, keys [][]any) (deleted int, err error) {
	tuple := strings.TrimSuffix(strings.Repeat("?, ", len(keys[0])), ", ")
	if len(keys[0]) > 1 {
		tuple = "(" + tuple + ")"
	}
	list := strings.TrimSuffix(strings.Repeat(tuple+", ", len(keys)), ", ")
	key := s.key
	if len(keys[0]) > 1 {
		key = "(" + s.key + ")"
		if p.form.dialect == "sqlite" {
			list = "VALUES " + list
		}
	}
	var args []any
	for _, k := range keys {
		args = append(args, k...)
	}
	for collisions := 1; ; collisions++ {
		result := p.db.WithContext(ctx).Exec("DELETE FROM "+s.table+" WHERE "+key+" IN ("+list+")", args...)
		if result.Error == nil || !collided(result.Error) || collisions > maxCollisions {
			return int(result.RowsAffected), result.Error
		}
		if err := stepAside(ctx, collisions); err != nil {
			return 0, fmt.Errorf("%w: %w", err, result.Error)
		}
	}
}
