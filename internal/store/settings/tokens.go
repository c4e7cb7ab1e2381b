package settings

import (
	"context"
	"time"

	"gorm.io/gorm/clause"
)

// tokenRow is what is remembered of a token.
type tokenRow struct {
	ID        string `gorm:"primaryKey"`
	ExpiresMS int64  `gorm:"column:expires_ms"`
	Revoked   int
}

func (tokenRow) TableName() string { return "elasticjob_token" }

// Token is what is remembered of a token; nothing of one that nobody gave up.
type Token struct {
	// Revoked: it was given up and must not be accepted.
	Revoked bool
}

// Token looks a token up by its id.
func (s *Store) Token(ctx context.Context, id string) (Token, error) {
	var rows []tokenRow
	if err := s.with(ctx).Where("id = ?", storable(id, 64)).Limit(1).Find(&rows).Error; err != nil {
		return Token{}, failed("look up a token", err)
	}
	if len(rows) == 0 {
		return Token{}, nil
	}
	return Token{Revoked: rows[0].Revoked != 0}, nil
}

// RevokeToken remembers that a token was given up, until it would have expired
// anyway. What has expired by now is forgotten on this occasion.
func (s *Store) RevokeToken(ctx context.Context, id string, expires, now time.Time) error {
	row := tokenRow{ID: storable(id, 64), ExpiresMS: expires.UnixMilli(), Revoked: 1}
	err := s.with(ctx).Clauses(clause.OnConflict{
		Columns: []clause.Column{{Name: "id"}}, DoUpdates: clause.AssignmentColumns([]string{"revoked"}),
	}).Create(&row).Error
	if err != nil {
		return failed("revoke a token", err)
	}
	return s.ForgetExpired(ctx, now)
}

// ForgetExpired deletes what is remembered of tokens that have expired: that
// they were given up, and what they have chosen. An hour is added, because the
// clocks of two consoles differ.
func (s *Store) ForgetExpired(ctx context.Context, now time.Time) error {
	before := now.Add(-time.Hour).UnixMilli()
	for _, row := range []any{&tokenRow{}, &choiceRow{}} {
		if err := s.with(ctx).Where("expires_ms < ?", before).Delete(row).Error; err != nil {
			return failed("forget expired tokens", err)
		}
	}
	return nil
}
