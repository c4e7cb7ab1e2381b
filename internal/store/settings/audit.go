package settings

import (
	"context"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"
)

// Record is one line of the audit: a request that changed something or was
// refused.
type Record struct {
	ID        int64 // given by the database
	At        time.Time
	User      string // empty: nobody was signed in
	Role      string
	Remote    string // the address it came from
	Action    string // "POST /api/jobs/:job/trigger"
	Registry  string // the registry it was about; empty: the one of the command line
	Target    string // the job, the server, the registry
	Outcome   string // "done", the code of the refusal, or [OutcomeBegun]
	Status    int
	RequestID string
	Detail    string
}

// AuditFilter selects records. Zero fields select everything.
type AuditFilter struct {
	User, Target, Outcome string // compared exactly
	// Registry is compared exactly if Here is set: that of the command line is "".
	Registry string
	Here     bool
	// Ended is [EndedDone] or [EndedRefused].
	Ended string
	// Actions are those that count; none: all. Except are those that do not.
	Actions, Except []ActionLike
	// Text is a part of the account, its address, the target or the detail, in any
	// case; Meant are the actions that a reader means by it.
	Text     string
	Meant    []ActionLike
	From, To time.Time
	Limit    int // at most [MaxAuditPage]; 0 is 50
	Cursor   string
}

// How a recorded request can have ended.
const (
	// EndedDone: it was carried out, or begun.
	EndedDone = "done"
	// EndedRefused: it changed nothing.
	EndedRefused = "refused"
)

// ActionLike is actions of one method by the end of their route, such as POST and
// /disable, but for those with one of the longer ends.
type ActionLike struct {
	Method, End string
	But         []string
}

// like is the condition that an action is one of them, with its values.
func (a ActionLike) like() (sql string, values []any) {
	sql, values = "action LIKE ? ESCAPE '!'", []any{literal(a.Method+" ") + "%" + literal(a.End)}
	for _, end := range a.But {
		sql, values = sql+" AND action NOT LIKE ? ESCAPE '!'", append(values, "%"+literal(end))
	}
	return "(" + sql + ")", values
}

// anyOf is the condition that an action is one of several.
func anyOf(list []ActionLike) (sql string, values []any) {
	var parts []string
	for _, a := range list {
		part, more := a.like()
		parts, values = append(parts, part), append(values, more...)
	}
	return strings.Join(parts, " OR "), values
}

// literal escapes a text for LIKE … ESCAPE '!'.
func literal(text string) string {
	return strings.NewReplacer("!", "!!", "%", "!%", "_", "!_").Replace(text)
}

// AuditPage is a part of the audit, newest first. NextCursor leads to the next
// part; empty in the last.
type AuditPage struct {
	Records    []Record
	NextCursor string
}

// MaxAuditPage is the most a page holds.
const MaxAuditPage = 200

// auditRow is a record as it is stored.
type auditRow struct {
	ID        int64 `gorm:"primaryKey;autoIncrement"`
	AtMS      int64 `gorm:"column:at_ms"`
	UserName  string
	UserRole  string
	Remote    string
	Action    string
	Registry  string
	Target    string
	Outcome   string
	Status    int
	RequestID string
	Detail    string
}

func (auditRow) TableName() string { return "elasticjob_audit" }

// OutcomeBegun is the outcome of an action that was recorded before it was
// carried out, and whose end was not recorded: it is under way, or the process
// ended meanwhile.
const OutcomeBegun = "begun"

// AddRecord writes a record and returns its id. Texts that are too long are cut.
func (s *Store) AddRecord(ctx context.Context, r Record) (id int64, err error) {
	row := stored(r)
	err = s.with(ctx).Create(&row).Error
	return row.ID, failed("write an audit record", err)
}

// FinishRecord writes what came of the action whose record has the id: target,
// outcome, status and detail. ErrNotFound: it was pruned meanwhile.
func (s *Store) FinishRecord(ctx context.Context, r Record) error {
	row := stored(r)
	done := s.with(ctx).Model(&auditRow{}).Where("id = ?", r.ID).
		Select("target", "outcome", "status", "detail").Updates(&row)
	if done.Error == nil && done.RowsAffected == 0 {
		return failed("complete an audit record", ErrNotFound)
	}
	return failed("complete an audit record", done.Error)
}

func stored(r Record) auditRow {
	return auditRow{
		AtMS: r.At.UnixMilli(), UserName: storable(r.User, 100), UserRole: storable(r.Role, 20), Remote: storable(r.Remote, 64),
		Action: storable(r.Action, 200), Registry: storable(r.Registry, 100), Target: storable(r.Target, 400),
		Outcome: storable(r.Outcome, 40), Status: r.Status, RequestID: storable(r.RequestID, 40), Detail: storable(r.Detail, 4000),
	}
}

// narrow adds what is compared by parts.
func (f AuditFilter) narrow(q *gorm.DB) *gorm.DB {
	if f.Here {
		q = q.Where("registry = ?", storable(f.Registry, 100))
	}
	switch f.Ended {
	case EndedDone:
		q = q.Where("outcome IN ?", []string{EndedDone, OutcomeBegun})
	case EndedRefused:
		q = q.Where("outcome NOT IN ?", []string{EndedDone, OutcomeBegun})
	}
	if sql, values := anyOf(f.Actions); sql != "" {
		q = q.Where("("+sql+")", values...)
	}
	if sql, values := anyOf(f.Except); sql != "" {
		q = q.Where("NOT ("+sql+")", values...)
	}
	if f.Text == "" {
		return q
	}
	part := "%" + literal(strings.ToLower(storable(f.Text, 200))) + "%"
	var either []string
	var values []any
	for _, column := range []string{"user_name", "remote", "target", "detail"} {
		either, values = append(either, "LOWER("+column+") LIKE ? ESCAPE '!'"), append(values, part)
	}
	if sql, more := anyOf(f.Meant); sql != "" {
		either, values = append(either, sql), append(values, more...)
	}
	return q.Where("("+strings.Join(either, " OR ")+")", values...)
}

// Records returns a page of the audit, newest first.
func (s *Store) Records(ctx context.Context, f AuditFilter) (AuditPage, error) {
	limit := f.Limit
	if limit <= 0 {
		limit = 50
	}
	limit = min(limit, MaxAuditPage)
	q := s.with(ctx).Order("id DESC").Limit(limit + 1)
	for _, exact := range []struct{ column, value string }{{"user_name", f.User}, {"target", f.Target}, {"outcome", f.Outcome}} {
		if exact.value != "" {
			q = q.Where(exact.column+" = ?", storable(exact.value, 400))
		}
	}
	q = f.narrow(q)
	if !f.From.IsZero() {
		q = q.Where("at_ms >= ?", f.From.UnixMilli())
	}
	if !f.To.IsZero() {
		q = q.Where("at_ms < ?", f.To.UnixMilli())
	}
	if f.Cursor != "" {
		before, err := strconv.ParseInt(strings.TrimPrefix(f.Cursor, "a"), 36, 64)
		if err != nil || !strings.HasPrefix(f.Cursor, "a") || before < 1 {
			return AuditPage{}, failed("read the audit", ErrInvalidCursor)
		}
		q = q.Where("id < ?", before)
	}
	var rows []auditRow
	if err := q.Find(&rows).Error; err != nil {
		return AuditPage{}, failed("read the audit", err)
	}
	var page AuditPage
	if len(rows) > limit {
		rows = rows[:limit]
		page.NextCursor = "a" + strconv.FormatInt(rows[limit-1].ID, 36)
	}
	for _, r := range rows {
		page.Records = append(page.Records, Record{
			ID: r.ID, At: time.UnixMilli(r.AtMS).UTC(), User: r.UserName, Role: r.UserRole, Remote: r.Remote, Action: r.Action,
			Registry: r.Registry, Target: r.Target, Outcome: r.Outcome, Status: r.Status, RequestID: r.RequestID, Detail: r.Detail,
		})
	}
	return page, nil
}
