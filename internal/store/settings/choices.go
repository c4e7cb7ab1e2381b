package settings

import (
	"context"
	"time"

	"gorm.io/gorm/clause"
)

// Kind is what a token can have chosen one of.
type Kind string

// The kinds.
const (
	KindRegistry   Kind = "registry"
	KindDataSource Kind = "data source"
)

type choiceRow struct {
	TokenID   string `gorm:"primaryKey"`
	Kind      Kind   `gorm:"primaryKey"`
	Name      string
	ExpiresMS int64 `gorm:"column:expires_ms"`
}

func (choiceRow) TableName() string { return "elasticjob_choice" }

// Choose remembers until a token expires what it has chosen.
func (s *Store) Choose(ctx context.Context, token string, expires, now time.Time, kind Kind, name string) error {
	row := choiceRow{TokenID: storable(token, 64), Kind: kind, Name: name, ExpiresMS: expires.UnixMilli()}
	err := s.with(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "token_id"}, {Name: "kind"}}, DoUpdates: clause.AssignmentColumns([]string{"name", "expires_ms"}),
	}).Create(&row).Error
	if err != nil {
		return failed("remember a choice", err)
	}
	return s.ForgetExpired(ctx, now)
}

// Chosen returns what a token has chosen; empty if nothing.
func (s *Store) Chosen(ctx context.Context, token string, kind Kind) (string, error) {
	var rows []choiceRow
	err := s.with(ctx).Where("token_id = ? AND kind = ?", storable(token, 64), kind).Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return "", failed("look up a choice", err)
	}
	return rows[0].Name, nil
}

// ChosenBy counts the tokens that have chosen something and have not expired.
func (s *Store) ChosenBy(ctx context.Context, kind Kind, name string, now time.Time) (int, error) {
	var n int64
	err := s.with(ctx).Model(&choiceRow{}).Where("kind = ? AND name = ? AND expires_ms > ?", kind, name, now.UnixMilli()).Count(&n).Error
	if err != nil {
		return 0, failed("count choices", err)
	}
	return int(n), nil
}
