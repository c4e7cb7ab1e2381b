package rdb

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/tracing"
)

const executionSelect = "id, job_name, task_id, hostname, ip, sharding_item, execution_source, " +
	"failure_cause, is_success, start_time, complete_time"

// conditions is the WHERE clause of a query.
type conditions struct {
	terms []string
	args  []any
}

func (c *conditions) add(term string, args ...any) {
	c.terms = append(c.terms, term)
	c.args = append(c.args, args...)
}

// equal adds a comparison unless the value is empty.
func (c *conditions) equal(column, value string) {
	switch {
	case value == "":
	case storable(value):
		c.add(column+" = ?", value)
	default:
		c.add("1 = 0")
	}
}

// storable reports whether a table can hold the text as it is. A server may
// answer a question about any other text with an error instead of no rows.
func storable(s string) bool { return utf8.ValidString(s) && !strings.Contains(s, "\x00") }

// between adds the bounds of a time column, which must not be NULL.
func (c *conditions) between(form shape, column string, from, to time.Time) error {
	if !from.IsZero() && !to.IsZero() && to.Before(from) {
		return fmt.Errorf("%w: From %s is after To %s", ErrInvalidFilter,
			from.Format(time.RFC3339), to.Format(time.RFC3339))
	}
	c.add(column + " IS NOT NULL")
	if !from.IsZero() {
		c.add(column+" >= ?", form.bind(from))
	}
	if !to.IsZero() {
		c.add(column+" < ?", form.bind(to))
	}
	return nil
}

// below adds the position a cursor names. The first term alone is what an
// index can start from; a comparison of pairs would not do that in MySQL.
func (c *conditions) below(form shape, column, cursor string) error {
	if cursor == "" {
		return nil
	}
	t, id, err := decodeCursor(cursor)
	if err != nil {
		return err
	}
	if form.dialect == "postgres" && !storable(id) {
		return fmt.Errorf("%w: %q", ErrInvalidCursor, cursor)
	}
	var at any = t
	if form.dialect == "sqlite" {
		at = form.bind(t)
	}
	c.add(column+" <= ?", at)
	c.add("("+column+" < ? OR id < ?)", at, id)
	return nil
}

func (c conditions) String() string { return strings.Join(c.terms, " AND ") }

func executionConditions(form shape, f ExecutionFilter) (conditions, error) {
	var c conditions
	c.equal("job_name", f.JobName)
	c.equal("ip", f.IP)
	c.equal("task_id", f.TaskID)
	c.equal("execution_source", string(f.Source))
	switch {
	case f.Item == nil:
	case *f.Item == int(int32(*f.Item)):
		c.add("sharding_item = ?", *f.Item)
	default:
		c.add("1 = 0")
	}
	// Those that have ended name is_success, which an index begins with; those
	// that have not have an index of their own.
	const (
		ended    = "is_success = ? AND (complete_time IS NOT NULL OR COALESCE(failure_cause, '') <> '')"
		notEnded = "complete_time IS NULL AND COALESCE(failure_cause, '') = ''"
	)
	switch f.State {
	case RunAny:
	case RunRunning:
		c.add(notEnded)
	case RunSuccess:
		c.add(ended, form.yes(true))
	case RunFailed:
		c.add(ended, form.yes(false))
	default:
		return c, fmt.Errorf("%w: State %q, must be empty, %q, %q or %q", ErrInvalidFilter,
			f.State, RunRunning, RunSuccess, RunFailed)
	}
	if err := c.between(form, "start_time", f.From, f.To); err != nil {
		return c, err
	}
	return c, c.below(form, "start_time", f.Cursor)
}

// forced names the index that MySQL has to use. It guesses that any value with
// more than half of the rows has just half of them, takes the part of an index
// below a cursor for no smaller than the whole, and then walks from the newest
// row to the cursor on every page.
func (s shape) forced(index string) string {
	if s.dialect != "mysql" || !s.indexed || index == "" {
		return ""
	}
	return " FORCE INDEX (" + index + ")"
}

func executionPageSQL(form shape, f ExecutionFilter, where conditions, limit int) string {
	index := ""
	switch {
	case f.TaskID != "" || f.State == RunRunning: // few rows, whatever the page
	case f.JobName != "":
		index = "EXECUTION_JOB_START_INDEX"
	case f.IP != "":
		index = "EXECUTION_IP_START_INDEX"
	case f.State != RunAny:
		index = "EXECUTION_RESULT_START_INDEX"
	}
	return "SELECT " + executionSelect + " FROM " + executionTable + form.forced(index) + " WHERE " + where.String() +
		" ORDER BY start_time DESC, id DESC LIMIT " + strconv.Itoa(limit)
}

// lastRunsSQL asks for the newest runs of several jobs at once. Numbering the
// rows with a window function would be shorter, but it reads the whole history
// of every job; each part of this one reads perJob entries of an index.
func lastRunsSQL(jobs, perJob int) string {
	part := "SELECT * FROM (SELECT " + executionSelect + " FROM " + executionTable +
		" WHERE job_name = ? AND start_time IS NOT NULL ORDER BY start_time DESC, id DESC LIMIT " +
		strconv.Itoa(perJob) + ") t"
	return strings.TrimSuffix(strings.Repeat(part+" UNION ALL ", jobs), " UNION ALL ")
}

func statusConditions(form shape, f StatusFilter) (conditions, error) {
	var c conditions
	c.equal("job_name", f.JobName)
	c.equal("task_id", f.TaskID)
	c.equal("slave_id", f.SlaveID)
	c.equal("execution_type", f.ExecutionType)
	c.equal("state", string(f.State))
	if form.source {
		c.equal("source", f.Source)
	} else if f.Source != "" && f.Source != tracing.StatusSourceLite {
		c.add("1 = 0")
	}
	if err := c.between(form, "creation_time", f.From, f.To); err != nil {
		return c, err
	}
	return c, c.below(form, "creation_time", f.Cursor)
}

func statusPageSQL(form shape, f StatusFilter, where conditions, limit int) string {
	index := ""
	if f.TaskID == "" && f.JobName != "" {
		index = "STATUS_JOB_CREATION_INDEX"
	}
	source := "source"
	if !form.source {
		source = "'" + tracing.StatusSourceLite + "'"
	}
	return "SELECT id, job_name, original_task_id, task_id, slave_id, execution_type, sharding_item, " +
		"state, message, creation_time, " + source + " FROM " + statusTable + form.forced(index) + " WHERE " + where.String() +
		" ORDER BY creation_time DESC, id DESC LIMIT " + strconv.Itoa(limit)
}

// countSQL counts up to a limit. The order makes PostgreSQL begin at the end of
// an index; it would rather read the table until it has found enough, however
// long that takes.
func countSQL(form shape, table string, where conditions, atMost int) string {
	order := ""
	if form.dialect == "postgres" {
		order = " ORDER BY " + timeColumn(table) + " DESC"
	}
	return "SELECT COUNT(*) FROM (SELECT 1 FROM " + table + " WHERE " + where.String() + order +
		" LIMIT " + strconv.Itoa(atMost) + ") t"
}

// timeColumn is what the rows of a table are ordered by.
func timeColumn(table string) string {
	if table == statusTable {
		return "creation_time"
	}
	return "start_time"
}
