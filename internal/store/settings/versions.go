package settings

import (
	"context"
	"strings"
	"time"
)

// ConfigVersion is a configuration of a job that was saved.
type ConfigVersion struct {
	ID int64 // given by the database; grows
	At time.Time
	// User saved it; empty: it was there before anybody did here.
	User     string
	Registry string // empty: the one of the command line
	Job      string
	Revision string
	Reason   string
	// Document is the stored text, which may hold secrets: it is encrypted.
	Document string
}

// MaxConfigVersions is how many versions are kept of a job, the newest.
const MaxConfigVersions = 100

type configVersionRow struct {
	ID       int64 `gorm:"primaryKey;autoIncrement"`
	AtMS     int64 `gorm:"column:at_ms"`
	UserName string
	Registry string
	Job      string
	Revision string
	Reason   string
	Document string
}

func (configVersionRow) TableName() string { return "elasticjob_config_version" }

func versionPlace(registry, job string) string { return "config version/" + registry + "/" + job }

// maxJobName bounds the name of a job in the table; versions of longer ones are not
// kept apart beyond it.
const maxJobName = 255

// AddConfigVersion keeps a version, and forgets the oldest beyond
// [MaxConfigVersions].
func (s *Store) AddConfigVersion(ctx context.Context, v ConfigVersion) error {
	document, err := s.key.seal(v.Document, versionPlace(v.Registry, v.Job))
	if err != nil {
		return failed("keep a version of a configuration", err)
	}
	row := configVersionRow{
		AtMS: v.At.UnixMilli(), UserName: storable(v.User, 100), Registry: storable(v.Registry, 100), Job: storable(v.Job, maxJobName),
		Revision: storable(v.Revision, 64), Reason: storable(v.Reason, 400), Document: document,
	}
	if err := s.with(ctx).Create(&row).Error; err != nil {
		return failed("keep a version of a configuration", err)
	}
	var old []int64
	err = s.with(ctx).Model(&configVersionRow{}).Where("registry = ? AND job = ?", row.Registry, row.Job).Order("id DESC").Offset(MaxConfigVersions).Limit(pruneBatch).Pluck("id", &old).Error
	if err == nil && len(old) > 0 {
		err = s.with(ctx).Where("id IN ?", old).Delete(&configVersionRow{}).Error
	}
	return failed("forget old versions of a configuration", err)
}

// ConfigVersions returns the versions of a job, newest first.
func (s *Store) ConfigVersions(ctx context.Context, registry, job string) ([]ConfigVersion, error) {
	var rows []configVersionRow
	err := s.with(ctx).Where("registry = ? AND job = ?", storable(registry, 100), storable(job, maxJobName)).Order("id DESC").Limit(MaxConfigVersions).Find(&rows).Error
	if err != nil {
		return nil, failed("list versions of a configuration", err)
	}
	return s.opened(rows)
}

// VersionAt names a version: a revision of a job's configuration in a registry.
type VersionAt struct{ Registry, Job, Revision string }

// MaxVersionsAt is how many versions can be asked for at once.
const MaxVersionsAt = 100

// ConfigVersionsAt returns the versions with these names, newest first; the first
// [MaxVersionsAt] names count, and what is not kept is not there.
func (s *Store) ConfigVersionsAt(ctx context.Context, names []VersionAt) ([]ConfigVersion, error) {
	if len(names) == 0 {
		return nil, nil
	}
	var parts []string
	var values []any
	for _, n := range names[:min(len(names), MaxVersionsAt)] {
		parts = append(parts, "registry = ? AND job = ? AND revision = ?")
		values = append(values, storable(n.Registry, 100), storable(n.Job, maxJobName), storable(n.Revision, 64))
	}
	var rows []configVersionRow
	err := s.with(ctx).Where(strings.Join(parts, " OR "), values...).Order("id DESC").Limit(2 * MaxVersionsAt).Find(&rows).Error
	if err != nil {
		return nil, failed("read versions of configurations", err)
	}
	return s.opened(rows)
}

// opened are versions with their documents decrypted.
func (s *Store) opened(rows []configVersionRow) (list []ConfigVersion, err error) {
	for _, row := range rows {
		document, err := s.key.open(row.Document, versionPlace(row.Registry, row.Job))
		if err != nil {
			return nil, failed("read a version of a configuration", err)
		}
		list = append(list, ConfigVersion{
			ID: row.ID, At: time.UnixMilli(row.AtMS).UTC(), User: row.UserName, Registry: row.Registry, Job: row.Job, Revision: row.Revision, Reason: row.Reason, Document: document,
		})
	}
	return list, nil
}
