package settings

import (
	"context"
	"strconv"
	"strings"
	"time"
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
	Registry  string // the registry centre it was about; empty: the one of the command line
	Target    string // the job, the server, the registry centre
	Outcome   string // "done", or the code of the refusal
	Status    int
	RequestID string
	Detail    string
}

// AuditFilter selects records. Zero fields select everything.
type AuditFilter struct {
	User, Target, Outcome string // compared exactly
	From, To              time.Time
	Limit                 int // at most [MaxAuditPage]; 0 is 50
	Cursor                string
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

// AddRecord writes a record. Texts that are too long are cut.
func (s *Store) AddRecord(ctx context.Context, r Record) error {
	row := auditRow{
		AtMS: r.At.UnixMilli(), UserName: storable(r.User, 100), UserRole: storable(r.Role, 20), Remote: storable(r.Remote, 64),
		Action: storable(r.Action, 200), Registry: storable(r.Registry, 100), Target: storable(r.Target, 400),
		Outcome: storable(r.Outcome, 40), Status: r.Status, RequestID: storable(r.RequestID, 40), Detail: storable(r.Detail, 4000),
	}
	return failed("write an audit record", s.with(ctx).Create(&row).Error)
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
