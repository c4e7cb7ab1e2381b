package rdb

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
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
	// or deleted together. Steps, logs and progress of requested runs are kept as long as their runs.
	Rows int
	// LogAge keeps log lines that are younger than this. Zero keeps them as long as their runs.
	// They're always deleted with the run.
	LogAge time.Duration
	// Batch is the number of rows per DELETE, which limits how long writers wait for locks. Defaults to 500.
	Batch int
	// Pause is the time between two statements. Defaults to 50 ms; -1 is none.
	Pause time.Duration
}

// Pruned counts deleted rows.
type Pruned struct {
	Executions, Statuses int
	// Requested counts requested runs. RunSteps, LogLines and Progress belonged to them, or to no
	// run in the history.
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
	if keep.Pause == 0 {
		keep.Pause = prunePause
	}
	db := database.Gorm(opened)
	form, err := probe(ctx, db)
	if err != nil {
		return done, fmt.Errorf("prune trace rows: %w", err)
	}
	for _, table := range []struct {
		name    string
		deleted *int
	}{{executionTable, &done.Executions}, {statusTable, &done.Statuses}} {
		p := pruner{db: db, form: form, table: table.name, keep: keep}
		before, err := p.boundary(ctx, now)
		if err != nil {
			return done, fmt.Errorf("prune %s: %w", table.name, err)
		}
		if before.IsZero() {
			continue
		}
		if table.name == executionTable {
			done.Before = before
		}
		if *table.deleted, err = p.delete(ctx, before); err != nil {
			return done, fmt.Errorf("prune %s: %w", table.name, err)
		}
	}
	if err := pruneRequested(ctx, pruner{db: db, form: form, table: runTable, keep: keep}, now, &done); err != nil && !absent(db, err) {
		return done, fmt.Errorf("prune requested runs: %w", err)
	}
	return done, nil
}

type pruner struct {
	db    *gorm.DB
	form  shape
	table string
	keep  Retention
}

// boundary returns the instant before which all rows should be deleted, or zero.
func (p pruner) boundary(ctx context.Context, now time.Time) (time.Time, error) {
	var before time.Time
	if p.keep.Age > 0 {
		before = now.Add(-p.keep.Age).UTC().Truncate(time.Millisecond)
	}
	if p.keep.Rows == 0 {
		return before, nil
	}
	// This walks the index, not the table.
	column := timeColumn(p.table)
	var oldest moment
	err := p.db.WithContext(ctx).Raw("SELECT " + column + " FROM " + p.table + " WHERE " + column + " IS NOT NULL ORDER BY " + column +
		" DESC LIMIT 1 OFFSET " + strconv.Itoa(p.keep.Rows-1)).Row().Scan(&oldest)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return before, nil
	case err != nil:
		return before, err
	case oldest.After(before):
		return oldest.Time, nil
	default:
		return before, nil
	}
}

// delete removes the rows before an instant. It finds them by an index and deletes them by id, because
// not every database has DELETE with LIMIT, and a range would lock rows that others are inserting.
func (p pruner) delete(ctx context.Context, before time.Time) (deleted int, err error) {
	column := timeColumn(p.table)
	find := "SELECT id FROM " + p.table + " WHERE " + column + " IS NOT NULL AND " + column + " < ? ORDER BY " + column +
		", id LIMIT " + strconv.Itoa(p.keep.Batch)
	for collisions := 0; ; {
		var ids []string
		if err := p.db.WithContext(ctx).Raw(find, p.form.bind(before)).Scan(&ids).Error; err != nil || len(ids) == 0 {
			return deleted, err
		}
		result := p.db.WithContext(ctx).Exec("DELETE FROM "+p.table+" WHERE id IN ?", ids)
		deleted += int(result.RowsAffected)
		switch {
		case result.Error == nil:
			collisions = 0
		case collided(p.db, result.Error) && collisions < maxCollisions:
			collisions++
			if err := stepAside(ctx, collisions); err != nil {
				return deleted, fmt.Errorf("%w: %w", err, result.Error)
			}
			continue
		default:
			return deleted, result.Error
		}
		if len(ids) < p.keep.Batch {
			return deleted, nil
		}
		if err := p.rest(ctx); err != nil {
			return deleted, err
		}
	}
}

func (p pruner) rest(ctx context.Context) error {
	if p.keep.Pause < 0 {
		return ctx.Err()
	}
	return sleep.For(ctx, p.keep.Pause)
}

func timeColumn(table string) string {
	switch table {
	case statusTable:
		return "creation_time"
	case runTable:
		return "submitted_at"
	default:
		return "start_time"
	}
}
