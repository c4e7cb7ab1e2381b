package settings

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"gorm.io/gorm"
)

// keepChanges is how long a change can be looked at.
const keepChanges = 7 * 24 * time.Hour

// Change is an action on jobs that was sent from a page.
type Change struct {
	// ID is that of the form: one that is sent twice is one change.
	ID             string
	At             time.Time
	User, Registry string
	Verb, Reason   string
	// Undone is when it was taken back; zero if it was not.
	Undone time.Time
	// Results are empty while it is under way.
	Results []ChangeResult
}

// ChangeResult is what became of one job.
type ChangeResult struct {
	Job      string          `json:"job"`
	Affected []string        `json:"affected,omitempty"`
	Skipped  []ChangeSkipped `json:"skipped,omitempty"`
	// Code and Message say why it was refused.
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	// Said is the message in languages other than English, by their tags.
	Said map[string]string `json:"said,omitempty"`
	// Before is who had disabled the job, nil if nobody had.
	Before *Switch `json:"before,omitempty"`
	// Label is how the job's label changed, nil if it did not.
	Label *LabelChange `json:"label,omitempty"`
}

// LabelChange is a label before and after.
type LabelChange struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// ChangeSkipped is a server or instance that was left as it was, and why.
type ChangeSkipped struct {
	Target string `json:"target"`
	Reason string `json:"reason"`
}

type changeRow struct {
	ID       string `gorm:"primaryKey"`
	AtMS     int64  `gorm:"column:at_ms"`
	UserName string
	Registry string
	Verb     string
	Reason   string
	UndoneMS int64 `gorm:"column:undone_ms"`
	Results  string
}

func (changeRow) TableName() string { return "elasticjob_change" }

// BeginChange remembers that a change is carried out. ErrExists: it was begun
// already. Changes that are a week old are forgotten on this occasion.
func (s *Store) BeginChange(ctx context.Context, c Change) error {
	row := changeRow{
		ID: storable(c.ID, 40), AtMS: c.At.UnixMilli(), UserName: storable(c.User, 100), Registry: storable(c.Registry, 100),
		Verb: storable(c.Verb, 20), Reason: storable(c.Reason, 200), Results: "[]",
	}
	err := s.with(ctx).Create(&row).Error
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		return failed("begin a change", ErrExists)
	}
	if err == nil {
		err = s.with(ctx).Where("at_ms < ?", c.At.Add(-keepChanges).UnixMilli()).Delete(&changeRow{}).Error
	}
	return failed("begin a change", err)
}

// FinishChange remembers what became of a change.
func (s *Store) FinishChange(ctx context.Context, id string, results []ChangeResult) error {
	text, err := json.Marshal(results)
	if err == nil {
		err = s.with(ctx).Model(&changeRow{}).Where("id = ?", storable(id, 40)).Update("results", string(text)).Error
	}
	return failed("finish a change", err)
}

// Change looks a change up, or returns ErrNotFound.
func (s *Store) Change(ctx context.Context, id string) (Change, error) {
	var rows []changeRow
	if err := s.with(ctx).Where("id = ?", storable(id, 40)).Limit(1).Find(&rows).Error; err != nil {
		return Change{}, failed("look up a change", err)
	}
	if len(rows) == 0 {
		return Change{}, failed("look up a change", ErrNotFound)
	}
	r := rows[0]
	c := Change{ID: r.ID, At: time.UnixMilli(r.AtMS).UTC(), User: r.UserName, Registry: r.Registry, Verb: r.Verb, Reason: r.Reason}
	if r.UndoneMS > 0 {
		c.Undone = time.UnixMilli(r.UndoneMS).UTC()
	}
	return c, failed("look up a change", json.Unmarshal([]byte(r.Results), &c.Results))
}

// UndoChange remembers that a change is taken back. ErrExists: it was already.
func (s *Store) UndoChange(ctx context.Context, id string, now time.Time) error {
	done := s.with(ctx).Model(&changeRow{}).Where("id = ? AND undone_ms = 0", storable(id, 40)).Update("undone_ms", now.UnixMilli())
	if done.Error == nil && done.RowsAffected == 0 {
		return failed("undo a change", ErrExists)
	}
	return failed("undo a change", done.Error)
}
