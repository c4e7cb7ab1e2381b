package rdb

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// lostCondition is true for a row e if its shard has started again since. It reads the shard's last entry
// in EXECUTION_ITEM_START_INDEX, because PostgreSQL would read the whole table to find any later one.
func (s shape) lostCondition() string {
	return "(SELECT l.start_time FROM " + executionTable + " l WHERE " +
		s.same(executionTable, "l.job_name", "e.job_name") + " AND l.sharding_item = e.sharding_item" +
		" AND l.start_time IS NOT NULL ORDER BY l.start_time DESC LIMIT 1) > e.start_time"
}

// lostColumn is 1 for a row e that is lost.
func (s shape) lostColumn() string {
	return "CASE WHEN complete_time IS NULL AND COALESCE(failure_cause, '') = '' AND " + s.lostCondition() +
		" THEN 1 ELSE 0 END AS lost"
}

// executionSelect has the columns of a row of the table e.
func (s shape) executionSelect() string {
	run := "NULL AS run_id, NULL AS attempt, NULL AS trigger_word, NULL AS scheduled_at"
	if s.runs() {
		run = s.plain("e.run_id, e.attempt, e.trigger, e.scheduled_at")
	}
	return s.plain("id, job_name, task_id, hostname, ip, sharding_item, execution_source, failure_cause, is_success, start_time, complete_time") +
		", " + run + ", " + s.lostColumn()
}

// plain returns columns in the form to read them. SQLite's driver looks up the type of a column for
// each value and tries several time formats, which takes longer than everything else. An expression
// has no type, so it avoids that.
func (s shape) plain(columns string) string {
	if s.dialect != "sqlite" {
		return columns
	}
	return "+" + strings.ReplaceAll(columns, ", ", ", +")
}

// term is a part of a WHERE clause. A [path] lists the names of terms that its index answers.
type term struct {
	name, sql string
	args      []any
}

type terms []term

func (t *terms) add(name, sql string, args ...any) { *t = append(*t, term{name, sql, args}) }

// equal adds a comparison unless the value is empty.
func (t *terms) equal(form shape, table, name, column, value string) {
	if value != "" {
		t.match(form, table, name, column, value)
	}
}

// match adds the condition that a column has one of the values.
func (t *terms) match(form shape, table, name, column string, values ...string) {
	condition, args := form.oneOf(table, column, values...)
	t.add(name, condition, args...)
}

// between adds the limits of a time column, which must not be NULL.
func (t *terms) between(form shape, column string, from, to time.Time) error {
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		return fmt.Errorf("%w: From %s is after To %s", ErrInvalidFilter,
			from.Format(time.RFC3339), to.Format(time.RFC3339))
	}
	t.add("there", column+" IS NOT NULL")
	if !from.IsZero() {
		// Rounding down would include rows of the millisecond before.
		if exact := from.Truncate(time.Millisecond); exact.Before(from) {
			from = exact.Add(time.Millisecond)
		}
		t.add("time", column+" >= ?", form.bind(from))
	}
	if !to.IsZero() {
		t.add("time", column+" <= ?", form.bind(to))
	}
	return nil
}

// where returns the terms as SQL, with their parameters.
func (t terms) where() (string, []any) {
	parts, args := make([]string, len(t)), []any{}
	for i, one := range t {
		parts[i] = one.sql
		args = append(args, one.args...)
	}
	return strings.Join(parts, " AND "), args
}

// has reports whether one of the names is among the terms.
func (t terms) has(names ...string) bool {
	return slices.ContainsFunc(t, func(one term) bool { return slices.Contains(names, one.name) })
}

// storable reports whether a table can hold the text unchanged. For any other text a server may
// return an error instead of no rows.
func storable(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// literal escapes a text for LIKE … ESCAPE '!'.
func literal(s string) string { return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(s) }

// following returns the first text after all texts with the prefix.
func following(value string) string {
	beyond := []byte(value) // the last byte of UTF-8 has a successor
	beyond[len(beyond)-1]++
	return string(beyond)
}

// lower changes only A to Z to lower case, like LOWER in SQLite and in PostgreSQL without a locale.
func lower(s string) string {
	return strings.Map(func(r rune) rune {
		if r >= 'A' && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// tookSQL is the duration in milliseconds. It must match the expression of EXECUTION_DURATION_INDEX exactly.
func (s shape) tookSQL() string {
	switch {
	case s.dialect == "sqlite":
		return "CAST(ROUND((julianday(complete_time) - julianday(start_time)) * 86400000) AS INTEGER)"
	case s.dialect == "postgres":
		return "CAST(EXTRACT(EPOCH FROM complete_time - start_time) * 1000 AS BIGINT)"
	case s.duration:
		return "duration_ms"
	default:
		return "TIMESTAMPDIFF(MICROSECOND, start_time, complete_time) DIV 1000"
	}
}

// trigger adds a condition on the trigger. If it was not recorded, ElasticJob's source shows
// misfires and failovers.
func (t *terms) trigger(form shape, want tracing.Trigger) {
	sources := map[tracing.Trigger]tracing.Source{tracing.TriggerMisfire: tracing.SourceMisfire, tracing.TriggerFailover: tracing.SourceFailover}
	source, told := sources[want]
	switch {
	case want == "":
	case !form.runs() && !told:
		t.add("trigger", "1 = 0")
	case !form.runs():
		t.match(form, executionTable, "source", "execution_source", string(source))
	case told:
		t.add("any trigger", "(e.trigger = ? OR e.trigger IS NULL AND execution_source = ?)", string(want), string(source))
	default:
		t.match(form, executionTable, "trigger", "e.trigger", string(want))
	}
}

// cancelled returns a condition that is true for a cancelled row among those without success, and never NULL.
func (s shape) cancelled() (condition string, args []any) {
	begins, args := s.begins(executionTable, "failure_cause", tracing.CauseCancelled)
	return "(failure_cause IS NOT NULL AND " + begins + ")", args
}

func executionTerms(form shape, f ExecutionFilter) (terms, error) {
	var t terms
	t.equal(form, executionTable, "job", "job_name", f.JobName)
	if f.JobPrefix != "" {
		condition, args := form.begins(executionTable, "job_name", f.JobPrefix)
		t.add("prefix", condition, args...)
	}
	if len(f.Jobs) > MaxJobs {
		return t, fmt.Errorf("%w: %d jobs, at most %d", ErrInvalidFilter, len(f.Jobs), MaxJobs)
	}
	if f.Jobs != nil {
		t.match(form, executionTable, "jobs", "job_name", f.Jobs...)
	}
	t.equal(form, executionTable, "ip", "ip", f.IP)
	t.equal(form, executionTable, "task", "task_id", f.TaskID)
	t.equal(form, executionTable, "source", "execution_source", string(f.Source))
	t.trigger(form, f.Trigger)
	switch {
	case f.Item == nil:
	case *f.Item == int(int32(*f.Item)):
		t.add("item", "sharding_item = ?", *f.Item)
	default:
		t.add("item", "1 = 0")
	}
	// Ended executions have an index that begins with is_success. Unfinished ones have their own index.
	ended := func(success bool) {
		t.add("result", "is_success = ?", form.yes(success))
		t.add("ended", "(complete_time IS NOT NULL OR COALESCE(failure_cause, '') <> '')")
	}
	unfinished := func() {
		t.add("unfinished", "complete_time IS NULL")
		t.add("no cause", "COALESCE(failure_cause, '') = ''")
	}
	switch f.State {
	case RunAny:
	case RunRunning:
		unfinished()
		t.add("alive", "NOT ("+form.lostCondition()+")")
	case RunLost:
		unfinished()
		t.add("alive", form.lostCondition())
	case RunSuccess:
		ended(true)
	case RunFailed:
		ended(false)
		// This also needs a look at each row, but few of these rows are cancelled.
		cancelled, args := form.cancelled()
		t.add("ended", "NOT "+cancelled, args...)
	case RunCancelled:
		ended(false)
		cancelled, args := form.cancelled()
		t.add("cancelled", cancelled, args...)
	default:
		return t, fmt.Errorf("%w: State %q, must be empty, %q, %q, %q, %q or %q", ErrInvalidFilter,
			f.State, RunRunning, RunSuccess, RunFailed, RunLost, RunCancelled)
	}
	if f.FailureText != "" {
		if !t.has("result", "unfinished") {
			t.add("result", "is_success = ?", form.yes(false)) // only failed executions have a cause
		}
		held, err := form.holds(form.columns[columnOf{executionTable, "failure_cause"}], f.FailureText)
		if held || err != nil {
			t.add("text", "(LOWER(failure_cause) LIKE ? ESCAPE '!' OR failure_cause LIKE ? ESCAPE '!')",
				"%"+literal(lower(f.FailureText))+"%", "%"+literal(f.FailureText)+"%")
		} else {
			t.add("text", "1 = 0")
		}
	}
	if f.MinDuration > 0 {
		t.add("took", form.tookSQL()+" >= ?", (f.MinDuration + time.Millisecond - 1).Milliseconds())
	}
	return t, t.between(form, "start_time", f.From, f.To)
}

func executionQuery(form shape, f ExecutionFilter) (q query, err error) {
	q = query{form: form, table: executionTable, columns: form.executionSelect(), at: "start_time", limit: pageSize(f.Limit)}
	if q.terms, err = executionTerms(form, f); err != nil {
		return q, err
	}
	completed := path{index: "EXECUTION_COMPLETE_INDEX"}
	if form.dialect == "mysql" {
		completed.index = "EXECUTION_UNFINISHED_INDEX"
	}
	var (
		item       = path{"EXECUTION_ITEM_START_INDEX", []string{"job", "item", "time"}}
		job        = path{"EXECUTION_JOB_START_INDEX", []string{"job", "time"}}
		unfinished = path{"EXECUTION_UNFINISHED_INDEX", []string{"unfinished", "no cause", "time"}}
		ip         = path{"EXECUTION_IP_START_INDEX", []string{"ip", "time"}}
		result     = path{"EXECUTION_RESULT_START_INDEX", []string{"result", "ended", "time"}}
		begun      = path{"EXECUTION_START_INDEX", []string{"time"}}
		prefix     = path{"EXECUTION_JOB_START_INDEX", []string{"prefix"}}
		trigger    = path{"EXECUTION_TRIGGER_START_INDEX", []string{"trigger", "time"}}
		took       = path{"EXECUTION_DURATION_INDEX", []string{"took"}}
		task       = path{"EXECUTION_TASK_INDEX", []string{"task"}}
	)
	// Paths in order of start time. The first one leaves the fewest rows.
	var inOrder []path
	if q.terms.has("job") && q.terms.has("item") {
		inOrder = append(inOrder, item)
	}
	for _, p := range []path{job, unfinished, ip, trigger, result} {
		if q.terms.has(p.answers[0]) {
			inOrder = append(inOrder, p)
		}
	}
	inOrder = append(inOrder, begun)
	q.walk = inOrder[0]
	for _, p := range append([]path{task}, append(inOrder, prefix, took)...) {
		if q.terms.has(p.answers...) {
			q.small = append(q.small, p)
		}
	}

	q.order.ascending = f.Ascending
	switch f.Sort {
	case "", SortStart:
	case SortJob:
		if f.JobName == "" { // rows of one job are already sorted by job
			q.order.key, q.walk = "job_name", prefix
		}
	case SortIP:
		if f.IP == "" {
			q.order.key, q.walk = "ip", path{index: ip.index}
		}
	case SortComplete:
		q.order.key, q.order.kind, q.walk = "complete_time", aTime, completed
	case SortDuration:
		q.order.key, q.order.kind, q.walk = form.tookSQL(), aNumber, took
	default:
		return q, fmt.Errorf("%w: Sort %q, must be empty, %q, %q, %q, %q or %q", ErrInvalidFilter,
			f.Sort, SortStart, SortComplete, SortDuration, SortJob, SortIP)
	}
	switch {
	case q.order.kind == aText: // every row has a text
	case q.terms.has("took"): // rows without an end have no duration
		q.terms.add("there", "complete_time IS NOT NULL")
	default: // rows without an end are sorted separately
		q.order.nulls, q.order.nullPath = "complete_time IS NULL", unfinished
	}
	return q, q.from(f.Cursor)
}

// lastRunsSQL selects the newest runs of several jobs at once. A window function would be shorter,
// but reads the whole history of every job; this reads perJob index entries for each.
func lastRunsSQL(form shape, jobs []string, perJob int) (string, []any) {
	q, p := query{form: form, table: executionTable}, path{index: "EXECUTION_JOB_START_INDEX"}
	if form.dialect == "sqlite" {
		return eachOf(form, fmt.Sprintf(q.sourceAs("l", p)+" WHERE "+form.same(executionTable, "l.job_name", "w.value")+
				" AND l.start_time IS NOT NULL ORDER BY l.start_time DESC, l.id DESC LIMIT %d", perJob)),
			[]any{jsonOf(jobs)}
	}
	parts, args := make([]string, len(jobs)), []any{}
	for i, job := range jobs {
		where, of := form.oneOf(executionTable, "job_name", job)
		parts[i] = fmt.Sprintf("SELECT * FROM (SELECT "+form.executionSelect()+" FROM "+q.source(p)+
			" WHERE "+where+" AND start_time IS NOT NULL ORDER BY start_time DESC, id DESC LIMIT %d) t", perJob)
		args = append(args, of...)
	}
	return strings.Join(parts, " UNION ALL "), args
}

func statusQuery(form shape, f StatusFilter) (query, error) {
	source := "source"
	if !form.source {
		source = "'" + tracing.StatusSourceLite + "' AS source"
	}
	q := query{form: form, table: statusTable, at: "creation_time", limit: pageSize(f.Limit),
		columns: "id, job_name, original_task_id, task_id, slave_id, execution_type, sharding_item, " +
			"state, message, creation_time, " + source}
	q.terms.equal(form, statusTable, "job", "job_name", f.JobName)
	q.terms.equal(form, statusTable, "task", "task_id", f.TaskID)
	q.terms.equal(form, statusTable, "slave", "slave_id", f.SlaveID)
	q.terms.equal(form, statusTable, "type", "execution_type", f.ExecutionType)
	q.terms.equal(form, statusTable, "state", "state", string(f.State))
	if form.source {
		q.terms.equal(form, statusTable, "source", "source", f.Source)
	} else if f.Source != "" && f.Source != tracing.StatusSourceLite {
		q.terms.add("source", "1 = 0")
	}
	if err := q.terms.between(form, "creation_time", f.From, f.To); err != nil {
		return q, err
	}
	q.walk = path{"STATUS_CREATION_INDEX", []string{"time"}}
	if q.terms.has("task") {
		q.small = append(q.small, path{"TASK_ID_STATE_INDEX", []string{"task", "state"}})
	}
	if q.terms.has("job") {
		q.walk = path{"STATUS_JOB_CREATION_INDEX", []string{"job", "time"}}
	}
	if q.terms.has(q.walk.answers...) {
		q.small = append(q.small, q.walk)
	}
	return q, q.from(f.Cursor)
}
