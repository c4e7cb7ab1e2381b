package rdb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/tracing"
)

var (
	// ErrNoRun means that the history has no such requested run.
	ErrNoRun = errors.New("no such requested run in the history")
	// ErrNoRunTables means that the database has no tables for requested runs, or the account may not read
	// them. The migrations were not applied, for example because only Java engines or older agents write there.
	ErrNoRunTables = errors.New("the database has no tables of requested runs, or this account may not read them; run `console migrate` on it")
)

// Limits for reading one run.
const (
	// MaxRunSteps is the number of steps read.
	MaxRunSteps = 1_000
	// MaxRunLines is the number of log lines counted.
	MaxRunLines = 200_000
	// DefaultLines is the default number of log lines read.
	DefaultLines = 200
	// MaxListed is the length in characters up to which lists contain parameters and results.
	// [Store.RequestedRun] always returns them.
	MaxListed = 1024
)

// RequestedFilter selects requested runs. Zero fields select everything.
type RequestedFilter struct {
	// JobName, State, Origin and Key are compared exactly. Without a JobName, each page checks only
	// [MaxLooked] runs for a Key or an Origin.
	JobName     string
	State       jobrun.State
	Origin, Key string
	// From and To limit the time of the request: From <= submitted <= To.
	From, To time.Time
	// Limit is the number of runs: [DefaultLimit] if it's 0, at most [MaxLimit].
	Limit int
	// Cursor is the Next of the previous page, "" for the newest runs.
	Cursor string
}

// RequestedPage is a page of requested runs, the last submitted first.
type RequestedPage struct {
	// Runs have parameters and results of at most [MaxListed] characters.
	Runs []tracing.RunRecord
	// Next continues below the last run, "" if there are no more. As in [ExecutionPage], a page may
	// have fewer runs than requested, or none, and still a Next.
	Next string
}

// LogFilter selects log lines of one attempt at a shard.
type LogFilter struct {
	JobName, RunID string
	Item, Attempt  int
	// Executions selects by the ids of executions, and not by the run and the attempt; empty selects
	// all executions of the attempt. An attempt has several if an instance was lost; each counts its lines
	// from 1. Fire times need it, because the runs of all jobs for one fire time have the same RunID.
	Executions []string
	// After is the Seq of the last line already read.
	After int
	// Limit is the number of lines: [DefaultLines] if it's 0, at most [MaxLimit].
	Limit int
}

// LogOf is the number of log lines of an execution. From [Store.ExecutionLogs] it's the number of the last line.
type LogOf struct {
	ExecutionID          string
	Item, Attempt, Lines int
}

const runSelect = "id, job_name, state, reason, origin, origin_name, parent_id, backfill_id, run_key, note, " +
	"fire_time, due_time, submitted_at, started_at, ended_at, attempt, retries, losses, snoozes, items_ok, items_failed, items_skipped, error"

// RequestedRun returns a requested run, or [ErrNoRun]. This and the other readers of requested runs
// fail with [ErrNoRunTables] on a database without their tables.
func (s *Store) RequestedRun(ctx context.Context, job, id string) (tracing.RunRecord, error) {
	list, err := readAll(ctx, s, "requested run", scanRun, func(form shape) (string, []any) {
		return "SELECT " + form.plain(runSelect+", params, result") + " FROM " + runTable + " WHERE id = ? AND job_name = ?", []any{id, job}
	}, job, id)
	switch {
	case err != nil:
		return tracing.RunRecord{}, err
	case len(list) == 0 || list[0].JobName != job || list[0].ID != id: // a server's collation may ignore case
		return tracing.RunRecord{}, fmt.Errorf("query requested run %q of job %q: %w", id, job, ErrNoRun)
	}
	return list[0], nil
}

// RunSteps returns the first [MaxRunSteps] steps of a run in order.
func (s *Store) RunSteps(ctx context.Context, job, id string) ([]tracing.RunStep, error) {
	steps, err := readAll(ctx, s, "steps of a requested run", scanStep, func(form shape) (string, []any) {
		return "SELECT " + form.plain("id, run_id, job_name, attempt, at, state, actor, message") + " FROM " + form.by(stepTable, "RUN_STEP_RUN_INDEX") +
			" WHERE run_id = ? AND job_name = ? ORDER BY at, id LIMIT " + strconv.Itoa(MaxRunSteps), []any{id, job}
	}, job, id)
	slices.SortFunc(steps, tracing.RunStep.Compare) // also orders the steps of one millisecond
	return steps, err
}

// RunProgress returns the reported progress of a run's executions by shard and attempt, at most [MaxRunRows].
func (s *Store) RunProgress(ctx context.Context, job, id string) ([]tracing.Progress, error) {
	return readAll(ctx, s, "progress of a requested run", scanProgress, func(form shape) (string, []any) {
		return "SELECT " + form.plain("execution_id, run_id, job_name, item, attempt, fraction, message, updated_at") + " FROM " + form.by(progressTable, "RUN_PROGRESS_RUN_INDEX") +
			" WHERE run_id = ? AND job_name = ? ORDER BY item, attempt LIMIT " + strconv.Itoa(MaxRunRows), []any{id, job}
	}, job, id)
}

// RunLog returns log lines of one attempt at a shard with a Seq above After, in order. With several
// executions it may return a few more than the limit, so that the next page begins with another Seq.
func (s *Store) RunLog(ctx context.Context, f LogFilter) ([]tracing.LogLine, error) {
	limit := DefaultLines
	if f.Limit > 0 {
		limit = min(f.Limit, MaxLimit)
	}
	if fits(f.Item, f.Attempt, f.After) != nil {
		return nil, fmt.Errorf("query a log: %w: a shard, an attempt or a line of %d, %d and %d", ErrInvalidFilter, f.Item, f.Attempt, f.After)
	}
	read := func(term string, seq, limit int, more ...any) ([]tracing.LogLine, error) {
		return readAll(ctx, s, "log of a requested run", scanLine, func(form shape) (string, []any) {
			columns := form.plain("execution_id, seq, run_id, job_name, item, attempt, at, level, message")
			where, args := " WHERE run_id = ? AND item = ? AND attempt = ? AND seq "+term, []any{f.RunID, f.Item, f.Attempt, seq}
			args = append(args, more...)
			from := form.by(logTable, "RUN_LOG_RUN_INDEX")
			if len(f.Executions) > 0 { // by the key
				from, where, args = logTable+" e", " WHERE execution_id IN ("+strings.TrimSuffix(strings.Repeat("?, ", len(f.Executions)), ", ")+") AND seq "+term, nil
				for _, id := range f.Executions {
					args = append(args, id)
				}
				args = append(append(args, seq), more...)
			}
			return "SELECT " + columns + " FROM " + from + where + " AND job_name = ? ORDER BY seq, execution_id LIMIT " + strconv.Itoa(limit), append(args, f.JobName)
		}, append([]string{f.JobName, f.RunID}, f.Executions...)...)
	}
	lines, err := read("> ?", f.After, limit)
	if err != nil || len(lines) < limit || len(f.Executions) == 1 {
		return lines, err
	}
	last := lines[len(lines)-1]
	rest, err := read("= ? AND execution_id > ?", last.Seq, MaxLimit, last.ExecutionID)
	return append(lines, rest...), err
}

// RunLogs returns the number of log lines by shard and attempt, counting the first [MaxRunLines]
// lines of the run.
func (s *Store) RunLogs(ctx context.Context, job, id string) ([]LogOf, error) {
	// One line is enough to check the job. The index counts the rest.
	whose, err := readAll(ctx, s, "logs of a requested run", scanJob, func(form shape) (string, []any) {
		return "SELECT " + form.plain("job_name") + " FROM " + form.by(logTable, "RUN_LOG_RUN_INDEX") + " WHERE run_id = ? ORDER BY item, attempt, seq LIMIT 1", []any{id}
	}, job, id)
	if err != nil || len(whose) == 0 || whose[0] != job {
		return nil, err
	}
	return readAll(ctx, s, "logs of a requested run", scanLogOf, func(form shape) (string, []any) {
		return "SELECT execution_id, item, attempt, COUNT(*) FROM (SELECT execution_id, item, attempt FROM " + form.by(logTable, "RUN_LOG_RUN_INDEX") +
			" WHERE run_id = ? ORDER BY item, attempt, seq LIMIT " + strconv.Itoa(MaxRunLines) + ") t GROUP BY item, attempt, execution_id ORDER BY item, attempt, execution_id", []any{id}
	}, id)
}

// executionsPerStatement is the number of executions in one statement of [Store.ExecutionLogs].
const executionsPerStatement = 200

// ExecutionLogs returns the executions that have log lines, in the given order, for runs of fire times and
// triggers. The database looks up one index entry per execution, no matter how many lines it has.
func (s *Store) ExecutionLogs(ctx context.Context, executions []tracing.Execution) (logs []LogOf, err error) {
	for part := range slices.Chunk(executions, executionsPerStatement) {
		found, err := readAll(ctx, s, "logs of executions", scanLast, func(form shape) (string, []any) {
			var parts []string
			var ids []any
			for i, e := range part {
				parts = append(parts, "SELECT "+strconv.Itoa(i)+", (SELECT MAX(seq) FROM "+logTable+" WHERE execution_id = ?)")
				ids = append(ids, e.ID)
			}
			return strings.Join(parts, " UNION ALL "), ids
		})
		if err != nil {
			return nil, err
		}
		slices.SortFunc(found, func(a, b lastLine) int { return cmp.Compare(a.place, b.place) })
		for _, of := range found {
			if e := part[of.place]; of.seq > 0 {
				logs = append(logs, LogOf{ExecutionID: e.ID, Item: e.Item, Attempt: max(e.Attempt, 1), Lines: of.seq})
			}
		}
	}
	return logs, nil
}

// lastLine is the number of the last line of an execution, 0 if it has none, and the execution's place in the list.
type lastLine struct{ place, seq int }

func scanLast(rows *sql.Rows, _ ...any) (l lastLine, err error) {
	var seq sql.NullInt64
	err = rows.Scan(&l.place, &seq)
	l.seq = int(seq.Int64)
	return l, err
}

// RequestedRuns returns a page of requested runs, the last submitted first.
func (s *Store) RequestedRuns(ctx context.Context, f RequestedFilter) (RequestedPage, error) {
	return readRequested(ctx, s, "query requested runs", func(ctx context.Context, form shape) (p RequestedPage, err error) {
		q, err := requestedQuery(form, f)
		if err == nil {
			p.Runs, p.Next, err = page(ctx, s, q, scanRun, func(r tracing.RunRecord) (time.Time, string) { return r.Submitted, r.ID })
		}
		return p, err
	})
}

func requestedQuery(form shape, f RequestedFilter) (query, error) {
	listed := func(column string) string {
		return "CASE WHEN LENGTH(" + column + ") <= " + strconv.Itoa(MaxListed) + " THEN " + column + " END AS " + column
	}
	q := query{form: form, table: runTable, at: "submitted_at", limit: pageSize(f.Limit),
		columns: form.plain(runSelect) + ", " + listed("params") + ", " + listed("result")}
	q.terms.equal(form, runTable, "job", "job_name", f.JobName)
	q.terms.equal(form, runTable, "state", "state", string(f.State))
	q.terms.equal(form, runTable, "origin", "origin", f.Origin)
	q.terms.equal(form, runTable, "key", "run_key", f.Key)
	if err := q.terms.between(form, "submitted_at", f.From, f.To); err != nil {
		return q, err
	}
	job, state := path{"RUN_JOB_SUBMITTED_INDEX", []string{"job", "time"}}, path{"RUN_STATE_SUBMITTED_INDEX", []string{"state", "time"}}
	q.walk = path{"RUN_SUBMITTED_INDEX", []string{"time"}}
	if q.terms.has("state") {
		q.walk, q.small = state, append(q.small, state)
	}
	if q.terms.has("job") {
		q.walk, q.small = job, append(q.small, job)
	}
	if q.terms.has("job") && q.terms.has("key") {
		q.walk = path{"RUN_KEY_INDEX", []string{"job", "key", "time"}}
		q.small = []path{q.walk}
	}
	return q, q.from(f.Cursor)
}

// by returns a table with a hint for an index.
func (s shape) by(table, index string) string {
	return query{form: s, table: table}.source(path{index: index})
}

// readRequested is [read] for the tables of requested runs.
func readRequested[T any](ctx context.Context, s *Store, name string, do func(context.Context, shape) (T, error)) (T, error) {
	return read(ctx, s, name, func(ctx context.Context, form shape) (T, error) {
		result, err := do(ctx, form)
		if absent(s.db, err) {
			err = fmt.Errorf("%w: %w", ErrNoRunTables, err)
		}
		return result, err
	})
}

// readAll returns the rows of a query, or none if no table can hold one of the texts.
func readAll[T any](ctx context.Context, s *Store, what string, scan func(*sql.Rows, ...any) (T, error), ask func(shape) (string, []any), texts ...string) ([]T, error) {
	return readRequested(ctx, s, "query "+what, func(ctx context.Context, form shape) ([]T, error) {
		for _, text := range texts {
			if held, err := form.holds(form.columns[columnOf{runTable, "id"}], text); err == nil && !held {
				return nil, nil
			}
		}
		statement, args := ask(form)
		return readRows(s.db.WithContext(ctx), scan, statement, args...)
	})
}

func readRows[T any](db *gorm.DB, scan func(*sql.Rows, ...any) (T, error), statement string, args ...any) ([]T, error) {
	var list []T
	err := eachRow(db, func(rows *sql.Rows) error {
		one, err := scan(rows)
		list = append(list, one)
		return err
	}, statement, args...)
	return list, err
}

func scanRun(rows *sql.Rows, more ...any) (r tracing.RunRecord, err error) {
	err = rows.Scan(append([]any{&r.ID, &r.JobName, &r.State, (*word)(&r.Reason), (*word)(&r.Origin), (*word)(&r.OriginName),
		(*word)(&r.ParentID), (*word)(&r.BackfillID), (*word)(&r.Key), (*word)(&r.Note),
		(*moment)(&r.FireTime), (*moment)(&r.Due), (*moment)(&r.Submitted), (*moment)(&r.Started), (*moment)(&r.Ended),
		&r.Attempt, &r.Retries, &r.Losses, &r.Snoozes, &r.OK, &r.Failed, &r.Skipped,
		(*word)(&r.Error), (*word)(&r.Params), (*word)(&r.Result)}, more...)...)
	return r, err
}

func scanStep(rows *sql.Rows, _ ...any) (s tracing.RunStep, err error) {
	err = rows.Scan(&s.ID, &s.RunID, &s.JobName, &s.Attempt, (*moment)(&s.At), &s.State, (*word)(&s.Actor), (*word)(&s.Message))
	return s, err
}

func scanProgress(rows *sql.Rows, _ ...any) (p tracing.Progress, err error) {
	err = rows.Scan(&p.ExecutionID, &p.RunID, &p.JobName, &p.Item, &p.Attempt, &p.Fraction, (*word)(&p.Message), (*moment)(&p.At))
	return p, err
}

func scanLine(rows *sql.Rows, _ ...any) (l tracing.LogLine, err error) {
	err = rows.Scan(&l.ExecutionID, &l.Seq, &l.RunID, &l.JobName, &l.Item, &l.Attempt, (*moment)(&l.At), &l.Level, (*word)(&l.Message))
	return l, err
}

func scanLogOf(rows *sql.Rows, _ ...any) (l LogOf, err error) {
	err = rows.Scan(&l.ExecutionID, &l.Item, &l.Attempt, &l.Lines)
	return l, err
}

func scanJob(rows *sql.Rows, _ ...any) (job string, err error) {
	err = rows.Scan(&job)
	return job, err
}
