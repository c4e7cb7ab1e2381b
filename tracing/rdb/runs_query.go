package rdb

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// A list of runs is read in two steps: first the executions that match the filter, newest first, by
// the indexes for lists of executions, and then all executions of their runs. A run's place in the
// list is the place of its oldest matching execution, so a page doesn't depend on other pages.

const (
	// runsPerStatement is the number of runs read at once.
	runsPerStatement = 100
	// runTurns is how often a page reads more candidates.
	runTurns = 10
	// runRows is roughly how many executions a page reads.
	runRows = 20_000
)

// runKey names a run by its id or, without one, by a second.
type runKey struct{ job, id string }

func keyOf(e tracing.Execution) runKey {
	id, _ := RunOf(e)
	return runKey{e.JobName, id}
}

type candidate struct {
	key runKey
	at  time.Time
	id  string
}

// place returns the cursor after the candidate.
func (c candidate) place() string { return position{at: c.at, id: c.id}.encode(order{}) }

func (s shape) candidateSelect() string {
	if s.runs() {
		return s.plain("id, job_name, e.run_id, start_time")
	}
	return s.plain("id, job_name") + ", NULL AS run_id, " + s.plain("start_time")
}

func scanCandidate(rows *sql.Rows, more ...any) (candidate, error) {
	var e tracing.Execution
	err := rows.Scan(append([]any{&e.ID, &e.JobName, (*word)(&e.RunID), (*moment)(&e.StartTime)}, more...)...)
	return candidate{key: keyOf(e), at: e.StartTime, id: e.ID}, err
}

// Runs returns a page of runs. Errors wrap [ErrInvalidFilter], [ErrInvalidCursor] or the database's error.
func (s *Store) Runs(ctx context.Context, filter RunFilter) (RunPage, error) {
	return read(ctx, s, "query runs", func(ctx context.Context, form shape) (RunPage, error) {
		l := runList{store: s, form: form, filter: filter, limit: pageSize(filter.Limit), known: map[runKey]Run{}, shown: map[runKey]bool{}}
		return l.read(ctx)
	})
}

// runList is a page under construction.
type runList struct {
	store  *Store
	form   shape
	filter RunFilter
	limit  int
	known  map[runKey]Run
	shown  map[runKey]bool
	rows   int // rows read so far
}

// The two parts of a list: executions that began within the period, and executions that began
// before and were still running. A cursor begins with its part.
const (
	partBegun  = "b"
	partBefore = "o"
)

func (l *runList) read(ctx context.Context) (RunPage, error) {
	page := RunPage{Runs: []Run{}}
	part, cursor := partBegun, ""
	if l.filter.Cursor != "" {
		part, cursor = l.filter.Cursor[:1], l.filter.Cursor[1:]
		if part != partBegun && part != partBefore {
			return page, fmt.Errorf("%w: %q", ErrInvalidCursor, l.filter.Cursor)
		}
	}
	for turn := 0; ; turn++ {
		found, next, err := l.candidates(ctx, part, cursor)
		if err != nil {
			return page, err
		}
		for i, c := range found {
			if i%l.limit == 0 { // a page seldom needs them all
				if err := l.load(ctx, found[i:min(i+l.limit, len(found))]); err != nil {
					return page, err
				}
			}
			r, ok := l.take(c)
			if !ok {
				continue
			}
			page.Runs = append(page.Runs, r)
			if len(page.Runs) == l.limit && (i < len(found)-1 || next != "" || part == partBegun && l.goesOn()) {
				page.NextCursor = part + c.place()
				return page, nil
			}
		}
		switch {
		case next != "":
			cursor = next
		case part == partBegun && l.goesOn():
			part, cursor = partBefore, ""
		default:
			return page, nil
		}
		if len(page.Runs) == l.limit || turn >= runTurns || l.rows > runRows {
			page.NextCursor = part + cursor
			return page, nil
		}
	}
}

// goesOn reports whether the list has a second part.
func (l *runList) goesOn() bool { return !l.filter.From.IsZero() && !l.filter.StartedIn }

// candidates reads the next executions of a part.
func (l *runList) candidates(ctx context.Context, part, cursor string) ([]candidate, string, error) {
	f := l.filter.executions()
	f.Cursor, f.Limit = cursor, min(MaxLimit, max(100, 8*l.limit))
	if part == partBefore {
		return l.before(ctx, f)
	}
	q, err := executionQuery(l.form, f)
	if err != nil {
		return nil, "", err
	}
	q.columns = l.form.candidateSelect()
	return page(ctx, l.store, q, scanCandidate, func(c candidate) (time.Time, string) { return c.at, c.id })
}

// load reads the runs of candidates that are not known yet.
func (l *runList) load(ctx context.Context, found []candidate) error {
	var keys []runKey
	for _, c := range found {
		if _, known := l.known[c.key]; !known && !slices.Contains(keys, c.key) {
			keys = append(keys, c.key)
		}
	}
	runs, err := l.store.runs(ctx, l.form, keys)
	if err != nil {
		return err
	}
	for _, r := range runs {
		l.rows += len(r.Executions)
		l.known[runKey{r.JobName, r.ID}] = r
	}
	l.rows += len(found)
	return nil
}

// take returns the run of a candidate, if the candidate is the run's place in the list and the
// filter selects the run.
func (l *runList) take(c candidate) (Run, bool) {
	r, known := l.known[c.key]
	if !known || l.shown[c.key] || l.filter.State != RunAny && r.State != l.filter.State {
		return r, false
	}
	var oldest *tracing.Execution
	for i := range r.Executions {
		e := &r.Executions[i]
		if l.filter.finds(e) && (oldest == nil || cmp.Or(e.StartTime.Compare(oldest.StartTime), cmp.Compare(e.ID, oldest.ID)) < 0) {
			oldest = e
		}
	}
	if oldest != nil && oldest.ID != c.id {
		return r, false
	}
	l.shown[c.key] = true
	return r, true
}

func (s *Store) runs(ctx context.Context, form shape, keys []runKey) ([]Run, error) {
	rows := map[runKey][]tracing.Execution{}
	for part := range slices.Chunk(keys, runsPerStatement) {
		statement, args := runsSQL(form, part)
		found, err := s.executions(ctx, len(part), statement, args...)
		if err != nil {
			return nil, err
		}
		if err := s.settle(ctx, found); err != nil {
			return nil, err
		}
		for _, e := range found {
			key := keyOf(e)
			rows[key] = append(rows[key], e)
		}
	}
	var list []Run
	for _, key := range keys {
		of := rows[key]
		if len(of) == 0 {
			continue // deleted since, or the collation matched another job's name
		}
		r := runOf(of)
		r.Truncated = len(of) == MaxRunRows
		list = append(list, r)
	}
	return list, nil
}

func runsSQL(form shape, keys []runKey) (string, []any) {
	var parts []string
	var args []any
	var named [][2]string // runs with an id, for [eachOf]
	for _, key := range keys {
		if _, grouped := groupSecond(key.id); !grouped && form.dialect == "sqlite" {
			named = append(named, [2]string{key.job, key.id})
			continue
		}
		statement, of := runSQL(form, key)
		parts, args = append(parts, statement), append(args, of...)
	}
	if len(named) > 0 {
		q := query{form: form, table: executionTable}
		parts = append(parts, eachOf(form, q.sourceAs("l", path{index: "EXECUTION_RUN_INDEX"})+
			" WHERE "+form.same(executionTable, "l.job_name", "json_extract(w.value, '$[0]')")+" AND l.run_id = json_extract(w.value, '$[1]')"+
			" AND l.start_time IS NOT NULL LIMIT "+strconv.Itoa(MaxRunRows)))
		args = append(args, jsonOf(named))
	}
	return strings.Join(parts, " UNION ALL "), args
}

func runSQL(form shape, key runKey) (string, []any) {
	q, p := query{form: form, table: executionTable}, path{index: "EXECUTION_RUN_INDEX"}
	var t terms
	t.match(form, executionTable, "", "job_name", key.job)
	if second, grouped := groupSecond(key.id); grouped {
		p.index = "EXECUTION_JOB_START_INDEX"
		t.add("", "start_time >= ? AND start_time < ?", form.bindSecond(second), form.bindSecond(second.Add(time.Second)))
		if form.runs() {
			t.add("", "e.run_id IS NULL")
		}
	} else {
		t.match(form, executionTable, "", "e.run_id", key.id)
	}
	where, args := t.where()
	return "SELECT * FROM (SELECT " + form.executionSelect() + " FROM " + q.source(p) + " WHERE " + where +
		" AND start_time IS NOT NULL LIMIT " + strconv.Itoa(MaxRunRows) + ") t", args
}

// Run returns one run of a job, or [ErrNotFound].
func (s *Store) Run(ctx context.Context, job, id string) (Run, error) {
	runs, err := read(ctx, s, "query run", func(ctx context.Context, form shape) ([]Run, error) {
		if _, grouped := groupSecond(id); job == "" || id == "" || !grouped && !form.runs() {
			return nil, nil
		}
		return s.runs(ctx, form, []runKey{{job, id}})
	})
	switch {
	case err != nil:
		return Run{}, err
	case len(runs) == 0:
		return Run{}, fmt.Errorf("query run %q of job %q: %w", id, job, ErrNotFound)
	}
	return runs[0], nil
}

// Neighbours returns the ids of the previous and the next run of the same job, "" if there is none.
func (s *Store) Neighbours(ctx context.Context, r Run) (before, after string, err error) {
	ids, err := read(ctx, s, "query neighbours of a run", func(ctx context.Context, form shape) (ids [2]string, err error) {
		q := query{form: form, table: executionTable}
		where, args := form.oneOf(executionTable, "job_name", r.JobName)
		for i, way := range [2]struct{ op, direction string }{{"<", " DESC"}, {">", ""}} {
			near, err := readRows(s.db.WithContext(ctx), scanCandidate,
				"SELECT "+form.candidateSelect()+" FROM "+q.source(path{index: "EXECUTION_JOB_START_INDEX"})+
					" WHERE "+where+" AND start_time "+way.op+"= ? ORDER BY start_time"+way.direction+", id"+way.direction+" LIMIT "+
					strconv.Itoa(min(len(r.Executions)+50, MaxLooked)), append(slices.Clip(args), q.exact(r.Start))...)
			if err != nil {
				return ids, err
			}
			for _, c := range near {
				if ids[i] == "" && c.key.id != r.ID && c.key.job == r.JobName && c.at != r.Start {
					ids[i] = c.key.id
				}
			}
		}
		return ids, nil
	})
	return ids[0], ids[1], err
}

// longestSpan is the longest duration of an execution for which [runList.before] finds it.
// Otherwise it would have to search the whole history.
const longestSpan = 7 * 24 * time.Hour

// before reads the executions that began before From and were still running then: those that ended
// within [longestSpan] after From, by the index of ends, and those still running. The longest
// recorded duration limits the search.
func (l *runList) before(ctx context.Context, f ExecutionFilter) ([]candidate, string, error) {
	from, limit := f.From, f.Limit
	f.From, f.To, f.Limit = time.Time{}, from.Add(-time.Millisecond), 0
	q, err := executionQuery(l.form, f)
	if err != nil {
		return nil, "", err
	}
	longest, err := l.longest(ctx, q)
	if err != nil {
		return nil, "", err
	}
	ended := path{index: "EXECUTION_COMPLETE_INDEX"}
	if l.form.dialect == "mysql" {
		ended.index = "EXECUTION_UNFINISHED_INDEX"
	}
	after := q.segments()[0].terms
	finished := append(slices.Clone(q.terms), term{sql: "complete_time >= ?", args: []any{l.form.bind(from)}},
		term{sql: "complete_time <= ?", args: []any{l.form.bind(from.Add(longest))}})
	going := append(slices.Clone(q.terms), term{sql: "complete_time IS NULL"}, term{sql: "COALESCE(failure_cause, '') = ''"},
		term{sql: "NOT (" + l.form.lostCondition() + ")"})
	var found []candidate
	for _, part := range []struct {
		path  path
		terms terms
	}{{ended, finished}, {path{index: "EXECUTION_UNFINISHED_INDEX"}, going}} {
		where, args := slices.Concat(part.terms, after).where()
		rows, err := readRows(l.store.db.WithContext(ctx), scanCandidate,
			"SELECT "+l.form.candidateSelect()+" FROM "+q.source(part.path)+" WHERE "+where+
				" ORDER BY start_time DESC, id DESC LIMIT "+strconv.Itoa(limit+1), args...)
		if err != nil {
			return nil, "", err
		}
		found = append(found, rows...)
	}
	slices.SortFunc(found, func(a, b candidate) int { return cmp.Or(b.at.Compare(a.at), cmp.Compare(b.id, a.id)) })
	if len(found) <= limit {
		return found, "", nil
	}
	return found[:limit], found[limit-1].place(), nil
}

// longest returns the longest duration of an execution, at most [longestSpan].
func (l *runList) longest(ctx context.Context, q query) (time.Duration, error) {
	took := l.form.tookSQL()
	var longest []int64
	err := l.store.db.WithContext(ctx).Raw("SELECT " + took + " FROM " + q.source(path{index: "EXECUTION_DURATION_INDEX"}) +
		" WHERE " + took + " IS NOT NULL ORDER BY " + took + " DESC LIMIT 1").Scan(&longest).Error
	if err != nil || len(longest) == 0 {
		return 0, err
	}
	return min(time.Duration(longest[0])*time.Millisecond, longestSpan), nil
}
