package settings

import (
	"context"
	"encoding/json"
	"math/rand/v2"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// Registry is a registry that was entered.
type Registry struct {
	Name      string
	Servers   []string // host:port
	Namespace string
	Digest    string // "user:password"; a secret
	Access    Access
	// Revision is another after every change.
	Revision int64
}

// Access says how a registry is spoken to. The zero Access is without
// TLS, and with the ACL that goes with the digest.
type Access struct {
	TLS        bool   `json:"tls,omitempty"`
	CA         string `json:"ca,omitempty"`   // PEM; empty: the authorities of the machine
	Cert       string `json:"cert,omitempty"` // PEM
	Key        string `json:"key,omitempty"`  // PEM; a secret
	ServerName string `json:"serverName,omitempty"`
	ACL        string `json:"acl,omitempty"` // as of package zk
}

type registryRow struct {
	Name      string `gorm:"primaryKey"`
	Servers   string
	Namespace string
	Digest    string
	Access    *string
	Revision  int64
}

func (registryRow) TableName() string { return "elasticjob_registry" }

func registryPlace(name string) string { return "registry/" + name }

func accessPlace(name string) string { return "registry access/" + name }

func (s *Store) registryRow(r Registry) (registryRow, error) {
	row := registryRow{Name: r.Name, Servers: strings.Join(r.Servers, ","), Namespace: r.Namespace, Revision: rand.Int64()}
	var err error
	if row.Digest, err = s.key.seal(r.Digest, registryPlace(r.Name)); err != nil || r.Access == (Access{}) {
		return row, err
	}
	text, err := json.Marshal(r.Access)
	if err != nil {
		return row, err
	}
	access, err := s.key.seal(string(text), accessPlace(r.Name))
	row.Access = &access
	return row, err
}

func (s *Store) registry(row registryRow) (Registry, error) {
	r := Registry{Name: row.Name, Servers: strings.Split(row.Servers, ","), Namespace: row.Namespace, Revision: row.Revision}
	var err error
	if r.Digest, err = s.key.open(row.Digest, registryPlace(row.Name)); err != nil || row.Access == nil {
		return r, err
	}
	text, err := s.key.open(*row.Access, accessPlace(row.Name))
	if err != nil {
		return r, err
	}
	return r, json.Unmarshal([]byte(text), &r.Access)
}

// Registries returns every registry, by name.
func (s *Store) Registries(ctx context.Context) ([]Registry, error) {
	var rows []registryRow
	if err := s.with(ctx).Find(&rows).Error; err != nil {
		return nil, failed("list registries", err)
	}
	// Sorted here: every database has an order of its own.
	slices.SortFunc(rows, func(a, b registryRow) int { return strings.Compare(a.Name, b.Name) })
	var list []Registry
	for _, row := range rows {
		r, err := s.registry(row)
		if err != nil {
			return nil, failed("read registry "+row.Name, err)
		}
		list = append(list, r)
	}
	return list, nil
}

// Registry returns one registry, or [ErrNotFound].
func (s *Store) Registry(ctx context.Context, name string) (Registry, error) {
	var rows []registryRow
	err := s.with(ctx).Where("name = ?", storable(name, 100)).Limit(1).Find(&rows).Error
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return Registry{}, failed("read a registry", err)
	}
	r, err := s.registry(rows[0])
	return r, failed("read registry "+name, err)
}

// ChangeRegistry replaces a registry, or returns [ErrNotFound].
func (s *Store) ChangeRegistry(ctx context.Context, r Registry) error {
	row, err := s.registryRow(r)
	if err != nil {
		return failed("change a registry", err)
	}
	done := s.with(ctx).Model(&registryRow{}).Where("name = ?", r.Name).
		Updates(map[string]any{"servers": row.Servers, "namespace": row.Namespace, "digest": row.Digest, "access": row.Access, "revision": row.Revision})
	return failed("change a registry", affected(done))
}

// RemoveRegistry deletes a registry, or returns [ErrNotFound].
func (s *Store) RemoveRegistry(ctx context.Context, name string) error {
	return failed("remove a registry", affected(s.with(ctx).Where("name = ?", storable(name, 100)).Delete(&registryRow{})))
}

// affected is the error of a statement that is about one row.
func affected(done *gorm.DB) error {
	if done.Error == nil && done.RowsAffected == 0 {
		return ErrNotFound
	}
	return done.Error
}
