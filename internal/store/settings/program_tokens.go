package settings

import (
	"context"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"
)

// ProgramToken is a token for programs. Only the hash of its secret is stored, encrypted
// with the store's key and bound to the other fields, because otherwise everyone who can
// write the database could make a token.
type ProgramToken struct {
	ID, Name, Hash string
	// Owner is the account that made it, OwnerRole the role it had then.
	Owner, OwnerRole string
	Scope            string
	// Jobs is the pattern of the jobs that it is for.
	Jobs             string
	Created, Expires time.Time
	// Used is its last use, and RevokedAt when it was revoked; zero for never.
	Used, RevokedAt time.Time
}

// Bounds of tokens for programs.
const (
	MaxProgramTokens    = 500 // that aren't revoked
	MaxProgramTokenName = 64  // characters
	MaxJobsPattern      = 200 // characters
	// rememberProgramToken is how long after its expiry a token is known, so that
	// its user learns that it has expired.
	rememberProgramToken = 30 * 24 * time.Hour
	// programTokenUse is how often the last use is written.
	programTokenUse = time.Minute
)

type programTokenRow struct {
	ID        string `gorm:"primaryKey"`
	Name      string
	LiveName  *string
	Hash      string
	Owner     string
	OwnerRole string
	Scope     string
	Jobs      string
	CreatedMS int64 `gorm:"column:created_ms"`
	ExpiresMS int64 `gorm:"column:expires_ms"`
	UsedMS    int64 `gorm:"column:used_ms"`
	RevokedMS int64 `gorm:"column:revoked_ms"`
}

func (programTokenRow) TableName() string { return "elasticjob_program_token" }

func (r programTokenRow) token() ProgramToken {
	at := func(ms int64) time.Time {
		if ms == 0 {
			return time.Time{}
		}
		return time.UnixMilli(ms).UTC()
	}
	return ProgramToken{
		ID: r.ID, Name: r.Name, Hash: r.Hash, Owner: r.Owner, OwnerRole: r.OwnerRole, Scope: r.Scope, Jobs: r.Jobs,
		Created: at(r.CreatedMS), Expires: at(r.ExpiresMS), Used: at(r.UsedMS), RevokedAt: at(r.RevokedMS),
	}
}

// place binds a token's hash to its account, rights and expiry.
func (r programTokenRow) place() string {
	return fmt.Sprintf("program token %q %q %q %q %q %q %d", r.ID, r.Name, r.Owner, r.OwnerRole, r.Scope, r.Jobs, r.ExpiresMS)
}

// AddProgramToken stores a token, or returns [ErrExists] if another token with its name isn't
// revoked, or [ErrTooMany] beyond [MaxProgramTokens]. It forgets tokens
// that expired long ago.
func (s *Store) AddProgramToken(ctx context.Context, t ProgramToken) error {
	row := programTokenRow{
		ID: t.ID, Name: t.Name, LiveName: &t.Name, Owner: storable(t.Owner, 100), OwnerRole: t.OwnerRole,
		Scope: t.Scope, Jobs: t.Jobs, CreatedMS: t.Created.UnixMilli(), ExpiresMS: t.Expires.UnixMilli(),
	}
	var err error
	if row.Hash, err = s.key.seal(t.Hash, row.place()); err != nil {
		return failed("store a token for programs", err)
	}
	err = s.with(ctx).Where("expires_ms < ?", t.Created.Add(-rememberProgramToken).UnixMilli()).Delete(&programTokenRow{}).Error
	var n int64
	if err == nil {
		err = s.with(ctx).Model(&programTokenRow{}).Where("live_name IS NOT NULL").Count(&n).Error
	}
	if err == nil && n >= MaxProgramTokens {
		err = ErrTooMany
	}
	if err == nil {
		err = s.with(ctx).Create(&row).Error
	}
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		err = ErrExists
	}
	return failed("store a token for programs", err)
}

// ProgramTokens returns, without their hashes, the tokens of an account that aren't revoked, the newest first,
// or the tokens of all accounts if owner is empty.
func (s *Store) ProgramTokens(ctx context.Context, owner string) ([]ProgramToken, error) {
	find := s.with(ctx).Where("live_name IS NOT NULL")
	if owner != "" {
		find = find.Where("owner = ?", storable(owner, 100))
	}
	var rows []programTokenRow
	if err := find.Order("created_ms DESC, id").Limit(MaxProgramTokens).Find(&rows).Error; err != nil {
		return nil, failed("list tokens for programs", err)
	}
	list := make([]ProgramToken, len(rows))
	for i, r := range rows {
		list[i] = r.token()
		list[i].Hash = ""
	}
	return list, nil
}

// ProgramToken returns a token by its id, also a revoked one, or [ErrNotFound], or
// [ErrWrongKey] if it was stored with another key or altered.
func (s *Store) ProgramToken(ctx context.Context, id string) (ProgramToken, error) {
	var rows []programTokenRow
	err := s.with(ctx).Where("id = ?", storable(id, 64)).Limit(1).Find(&rows).Error
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return ProgramToken{}, failed("look up a token for programs", err)
	}
	t := rows[0].token()
	t.Hash, err = s.key.open(t.Hash, rows[0].place())
	return t, failed("look up a token for programs", err)
}

// UseProgramToken remembers that a token was used, at most once a minute.
func (s *Store) UseProgramToken(ctx context.Context, t ProgramToken, now time.Time) error {
	before := now.Add(-programTokenUse).UnixMilli()
	if t.Used.UnixMilli() > before {
		return nil
	}
	err := s.with(ctx).Model(&programTokenRow{}).Where("id = ? AND used_ms <= ?", t.ID, before).Update("used_ms", now.UnixMilli()).Error
	return failed("note the use of a token for programs", err)
}

// RevokeProgramToken revokes a token, or returns [ErrNotFound] if there is none or it is
// revoked already.
func (s *Store) RevokeProgramToken(ctx context.Context, id string, now time.Time) error {
	return failed("revoke a token for programs", affected(s.with(ctx).Model(&programTokenRow{}).
		Where("id = ? AND live_name IS NOT NULL", storable(id, 64)).
		Updates(map[string]any{"live_name": nil, "revoked_ms": now.UnixMilli()})))
}
