package rdb

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/database"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// jobsPerStatement limits the statement of [Store.LastRuns], because SQLite takes at most 500 parts.
const jobsPerStatement = 200

// Store queries the history and is safe for concurrent use. Only Write changes it. Names are
// compared exactly in any collation and character set; a name that a table can't hold finds nothing.
type Store struct {
	db     *gorm.DB
	prober prober
	sink   *Sink
	opened *DB
	looks  int // MaxLooked, in tests fewer
}

// NewStore returns a store that reads through db. It doesn't use the database before the first query.
func NewStore(db *DB) *Store {
	return &Store{db: database.Gorm(db), sink: NewSink(db), opened: db, looks: MaxLooked}
}

// shape returns the shape of the tables. It fails with [ErrRemoved] if the open file was removed,
// because SQLite would keep reading that file and miss later runs.
func (s *Store) shape(ctx context.Context) (shape, error) {
	if err := database.Present(s.opened); err != nil {
		return shape{}, err
	}
	return s.prober.shape(ctx, s.db)
}

// Write stores events as [Sink.Write] does.
func (s *Store) Write(ctx context.Context, events []tracing.Event) error {
	return s.sink.Write(ctx, events)
}

// Lacks returns the missing run columns of JOB_EXECUTION_LOG, for example because a Java engine
// created the tables or the migrations were not applied. Without them a run has no trigger, and
// executions are grouped by their start.
func (s *Store) Lacks(ctx context.Context) ([]string, error) {
	return read(ctx, s, "look for columns", func(_ context.Context, form shape) ([]string, error) {
		return slices.Clone(form.lacks), nil
	})
}

// Executions returns a page of executions. Rows without a start time, which no engine writes, are
// left out. Errors wrap [ErrInvalidFilter], [ErrInvalidCursor] or the database's error.
func (s *Store) Executions(ctx context.Context, filter ExecutionFilter) (ExecutionPage, error) {
	return read(ctx, s, "query executions", func(ctx context.Context, form shape) (p ExecutionPage, err error) {
		q, err := executionQuery(form, filter)
		if err == nil {
			p.Rows, p.NextCursor, err = executionPage(ctx, s, q)
		}
		return p, err
	})
}

func executionPage(ctx context.Context, s *Store, q query) ([]tracing.Execution, string, error) {
	return page(ctx, s, q, new(executionScan).scan, func(e tracing.Execution) (time.Time, string) { return e.StartTime, e.ID })
}

// CountExecutions counts the rows that a filter selects, regardless of its Limit, order and Cursor,
// up to atMost. If exact is false there may be more than n, because a full count of a large history
// would take minutes.
func (s *Store) CountExecutions(ctx context.Context, filter ExecutionFilter, atMost int) (n int, exact bool, err error) {
	filter.Cursor, filter.Sort = "", SortStart
	return s.count(ctx, "count executions", atMost, func(form shape) (query, error) { return executionQuery(form, filter) })
}

// Execution returns the execution with the given row id, or [ErrNotFound].
func (s *Store) Execution(ctx context.Context, id string) (tracing.Execution, error) {
	rows, err := read(ctx, s, "query execution", func(ctx context.Context, form shape) ([]tracing.Execution, error) {
		where, args := form.oneOf(executionTable, "id", id)
		return s.executions(ctx, 1, "SELECT "+form.executionSelect()+" FROM "+executionTable+" e WHERE "+where+" LIMIT 1", args...)
	})
	switch {
	case err != nil:
		return tracing.Execution{}, err
	case len(rows) == 0:
		return tracing.Execution{}, fmt.Errorf("query execution %q: %w", id, ErrNotFound)
	}
	return rows[0], nil
}

// LastRuns returns the newest perJob executions of each job, newest first. A job without executions has no
// entry. It takes one statement per 200 jobs and reads perJob index rows per job, however long the history is.
func (s *Store) LastRuns(ctx context.Context, jobs []string, perJob int) (map[string][]tracing.Execution, error) {
	return read(ctx, s, "query last runs", func(ctx context.Context, form shape) (map[string][]tracing.Execution, error) {
		if perJob < 1 {
			return nil, fmt.Errorf("%w: perJob %d, must be at least 1", ErrInvalidFilter, perJob)
		}
		perJob = min(perJob, MaxLimit)
		runs := make(map[string][]tracing.Execution)
		jobs := slices.DeleteFunc(slices.Compact(slices.Sorted(slices.Values(jobs))), func(job string) bool {
			_, ok, err := form.identity(executionTable, "job_name", job)
			return !ok && err == nil
		})
		for part := range slices.Chunk(jobs, jobsPerStatement) {
			statement, args := lastRunsSQL(form, part, perJob)
			rows, err := s.executions(ctx, len(part)*perJob, statement, args...)
			if err == nil {
				err = s.settle(ctx, rows)
			}
			if err != nil {
				return nil, err
			}
			// MySQL ignores spaces at the end of a name.
			rows = slices.DeleteFunc(rows, func(row tracing.Execution) bool { _, asked := slices.BinarySearch(part, row.JobName); return !asked })
			slices.SortFunc(rows, func(a, b tracing.Execution) int {
				return cmp.Or(cmp.Compare(a.JobName, b.JobName), b.StartTime.Compare(a.StartTime), cmp.Compare(b.ID, a.ID))
			})
			// If two requested names are equal to MySQL, each row appears twice.
			rows = slices.CompactFunc(rows, func(a, b tracing.Execution) bool { return a.ID == b.ID })
			for begin := 0; begin < len(rows); {
				end := begin + 1
				for end < len(rows) && rows[end].JobName == rows[begin].JobName {
					end++
				}
				runs[rows[begin].JobName] = rows[begin:end:end]
				begin = end
			}
		}
		return runs, nil
	})
}

// Statuses returns a page of the status trail, newest first, or the trail of one task if TaskID is
// set. Java engines use a task id again for every run of an assignment: their trail is cut into
// runs at each [tracing.StateStaging]. It returns the same errors as [Store.Executions].
func (s *Store) Statuses(ctx context.Context, filter StatusFilter) (StatusPage, error) {
	return read(ctx, s, "query statuses", func(ctx context.Context, form shape) (p StatusPage, err error) {
		q, err := statusQuery(form, filter)
		if err != nil {
			return p, err
		}
		p.Rows, p.NextCursor, err = page(ctx, s, q, scanStatus, func(st tracing.Status) (time.Time, string) { return st.CreationTime, st.ID })
		// Tables of Java engines have whole seconds, in which a task may pass all its states, and random ids.
		slices.SortStableFunc(p.Rows, func(a, b tracing.Status) int {
			return cmp.Or(b.CreationTime.Compare(a.CreationTime),
				cmp.Compare(a.TaskID, b.TaskID), cmp.Compare(rank(b.State), rank(a.State)))
		})
		return p, err
	})
}

// CountStatuses is [Store.CountExecutions] for the status trail.
func (s *Store) CountStatuses(ctx context.Context, filter StatusFilter, atMost int) (n int, exact bool, err error) {
	filter.Cursor = ""
	return s.count(ctx, "count statuses", atMost, func(form shape) (query, error) { return statusQuery(form, filter) })
}

// read calls do with the shape of the tables and a deadline, and adds the name of the query to errors.
func read[T any](ctx context.Context, s *Store, name string, do func(context.Context, shape) (T, error)) (result T, err error) {
	ctx, cancel := bounded(ctx)
	defer cancel()
	form, err := s.shape(ctx)
	if err == nil {
		result, err = do(ctx, form)
	}
	if err != nil {
		var none T
		return none, fmt.Errorf("%s: %w", name, err)
	}
	return result, nil
}

// queryTimeout limits a query without a deadline, because not every driver has a timeout, and a
// server may go offline without closing its connections.
const queryTimeout = 30 * time.Second

func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, bounded := ctx.Deadline(); bounded {
		return ctx, func() {}
	}
	return context.WithTimeout(ctx, queryTimeout)
}

// executions returns the rows of a statement. expected sets the capacity, because growing a list
// copies the large rows several times.
func (s *Store) executions(ctx context.Context, expected int, statement string, args ...any) ([]tracing.Execution, error) {
	list := make([]tracing.Execution, 0, min(expected, MaxLimit))
	var x executionScan
	err := eachRow(s.db.WithContext(ctx), func(rows *sql.Rows) error {
		e, err := x.scan(rows)
		list = append(list, e)
		return err
	}, statement, args...)
	return list, err
}

// eachRow runs a query and calls read for each row until it fails.
func eachRow(db *gorm.DB, read func(*sql.Rows) error, statement string, args ...any) (err error) {
	rows, err := db.Raw(statement, args...).Rows()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		if err := read(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// executionScan reads the columns of executionSelect, and more after them. It's reused for all rows.
type executionScan struct {
	e       tracing.Execution
	attempt sql.NullInt64
	into    []any
}

func (x *executionScan) scan(rows *sql.Rows, more ...any) (tracing.Execution, error) {
	if e := &x.e; x.into == nil {
		x.into = []any{&e.ID, &e.JobName, &e.TaskID, &e.Hostname, &e.IP, &e.Item, (*string)(&e.Source),
			(*word)(&e.FailureCause), (*flag)(&e.Success), (*moment)(&e.StartTime), (*moment)(&e.CompleteTime),
			(*word)(&e.RunID), &x.attempt, (*word)(&e.Trigger), (*moment)(&e.ScheduledAt), (*flag)(&e.Lost)}
	}
	err := rows.Scan(append(x.into, more...)...)
	x.e.Attempt = int(x.attempt.Int64)
	return x.e, err
}

func scanStatus(rows *sql.Rows, more ...any) (st tracing.Status, err error) {
	var items string
	err = rows.Scan(append([]any{&st.ID, &st.JobName, &st.OriginalTaskID, &st.TaskID, &st.SlaveID, &st.ExecutionType,
		&items, &st.State, (*word)(&st.Message), (*moment)(&st.CreationTime), (*word)(&st.Source)}, more...)...)
	st.Items = decodeItems(items)
	return st, err
}

func rank(state tracing.State) int {
	switch state {
	case tracing.StateStaging:
		return 0
	case tracing.StateRunning:
		return 1
	default:
		return 2
	}
}

func pageSize(limit int) int {
	if limit < 1 {
		return DefaultLimit
	}
	return min(limit, MaxLimit)
}
