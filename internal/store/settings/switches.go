package settings

import (
	"context"
	"time"

	"gorm.io/gorm/clause"
)

// Switch is a job that was disabled: who did it, and why.
type Switch struct {
	Registry, Job string
	// Change is the id of the change that did it; empty for none.
	Change       string
	User, Reason string
	At           time.Time
	// EnableAt is when it is to be enabled again; zero for never.
	EnableAt time.Time
}

type switchRow struct {
	Registry string `gorm:"primaryKey"`
	Job      string `gorm:"primaryKey"`
	ChangeID string
	UserName string
	Reason   string
	AtMS     int64 `gorm:"column:at_ms"`
	EnableMS int64 `gorm:"column:enable_ms"`
	LeaseMS  int64 `gorm:"column:lease_ms"`
}

func (switchRow) TableName() string { return "elasticjob_switch" }

func (r switchRow) value() Switch {
	s := Switch{Registry: r.Registry, Job: r.Job, Change: r.ChangeID, User: r.UserName, Reason: r.Reason, At: time.UnixMilli(r.AtMS).UTC()}
	if r.EnableMS > 0 {
		s.EnableAt = time.UnixMilli(r.EnableMS).UTC()
	}
	return s
}

// PutSwitch remembers who disabled a job, in place of whoever did before.
func (s *Store) PutSwitch(ctx context.Context, w Switch) error {
	row := switchRow{
		Registry: storable(w.Registry, 100), Job: storable(w.Job, 400), ChangeID: storable(w.Change, 40), UserName: storable(w.User, 100),
		Reason: storable(w.Reason, 200), AtMS: w.At.UnixMilli(),
	}
	if !w.EnableAt.IsZero() {
		row.EnableMS = w.EnableAt.UnixMilli()
	}
	err := s.with(ctx).Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "registry"}, {Name: "job"}},
		DoUpdates: clause.AssignmentColumns([]string{"change_id", "user_name", "reason", "at_ms", "enable_ms", "lease_ms"}),
	}).Create(&row).Error
	return failed("remember who disabled a job", err)
}

// Switches returns who disabled which of some jobs of a registry.
func (s *Store) Switches(ctx context.Context, registry string, jobs []string) (map[string]Switch, error) {
	list := make(map[string]Switch)
	if len(jobs) == 0 {
		return list, nil
	}
	var rows []switchRow
	if err := s.with(ctx).Where("registry = ? AND job IN ?", registry, jobs).Find(&rows).Error; err != nil {
		return nil, failed("look up who disabled jobs", err)
	}
	for _, r := range rows {
		list[r.Job] = r.value()
	}
	return list, nil
}

// DropSwitch forgets who disabled a job: it is enabled, or no longer exists.
func (s *Store) DropSwitch(ctx context.Context, registry, job string) error {
	return failed("forget who disabled a job", s.with(ctx).Where("registry = ? AND job = ?", registry, job).Delete(&switchRow{}).Error)
}

// StayDisabled forgets that a job is to be enabled again. ErrNotFound: it is not.
func (s *Store) StayDisabled(ctx context.Context, registry, job string) error {
	done := s.with(ctx).Model(&switchRow{}).Where("registry = ? AND job = ? AND enable_ms > 0", registry, job).Update("enable_ms", 0)
	if done.Error == nil && done.RowsAffected == 0 {
		return failed("keep a job disabled", ErrNotFound)
	}
	return failed("keep a job disabled", done.Error)
}

// ClaimDue returns jobs that are to be enabled by now, at most limit. Nobody else
// gets them before the lease is over.
func (s *Store) ClaimDue(ctx context.Context, now time.Time, lease time.Duration, limit int) ([]Switch, error) {
	var rows []switchRow
	err := s.with(ctx).Where("enable_ms > 0 AND enable_ms <= ? AND lease_ms <= ?", now.UnixMilli(), now.UnixMilli()).Order("enable_ms").Limit(limit).Find(&rows).Error
	if err != nil {
		return nil, failed("look for jobs to enable", err)
	}
	var mine []Switch
	for _, r := range rows {
		done := s.with(ctx).Model(&switchRow{}).
			Where("registry = ? AND job = ? AND enable_ms = ? AND lease_ms = ?", r.Registry, r.Job, r.EnableMS, r.LeaseMS).
			Update("lease_ms", now.Add(lease).UnixMilli())
		if done.Error != nil {
			return mine, failed("look for jobs to enable", done.Error)
		}
		if done.RowsAffected == 1 {
			mine = append(mine, r.value())
		}
	}
	return mine, nil
}
