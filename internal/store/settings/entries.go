package settings

import (
	"context"
	"errors"
	"slices"
	"strings"

	"gorm.io/gorm"
)

// Entries are the stored entries of a kind: registries or data sources. Errors match [ErrNotFound]
// or [ErrWrongKey].
type Entries[E any] interface {
	// List returns all entries, by name.
	List(ctx context.Context) ([]E, error)
	Get(ctx context.Context, name string) (E, error)
	// Change replaces the entry of the same name.
	Change(ctx context.Context, entry E) error
	Remove(ctx context.Context, name string) error
}

// table is the table of a kind, with an entry in each row.
type table[E any, R interface{ name() string }] struct {
	store *Store
	noun  string
	row   func(E) (R, error)
	entry func(R) (E, error)
}

// List implements [Entries].
func (t table[E, R]) List(ctx context.Context) ([]E, error) {
	var rows []R
	if err := t.store.with(ctx).Find(&rows).Error; err != nil {
		return nil, failed("list "+t.noun, err)
	}
	// Sorted here, because every database has an order of its own.
	slices.SortFunc(rows, func(a, b R) int { return strings.Compare(a.name(), b.name()) })
	var list []E
	for _, row := range rows {
		entry, err := t.entry(row)
		if err != nil {
			return nil, failed("read "+t.noun+" "+row.name(), err)
		}
		list = append(list, entry)
	}
	return list, nil
}

// Get implements [Entries].
func (t table[E, R]) Get(ctx context.Context, name string) (entry E, err error) {
	var rows []R
	err = t.store.with(ctx).Where("name = ?", storable(name, 100)).Limit(1).Find(&rows).Error
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err == nil {
		entry, err = t.entry(rows[0])
	}
	return entry, failed("read "+t.noun+" "+name, err)
}

// Change implements [Entries].
func (t table[E, R]) Change(ctx context.Context, entry E) error {
	row, err := t.row(entry)
	if err == nil {
		err = affected(t.store.with(ctx).Model(new(R)).Where("name = ?", row.name()).Select("*").Updates(row))
	}
	return failed("change "+t.noun, err)
}

// Remove implements [Entries].
func (t table[E, R]) Remove(ctx context.Context, name string) error {
	return failed("remove "+t.noun, affected(t.store.with(ctx).Where("name = ?", storable(name, 100)).Delete(new(R))))
}

// Add stores new registries and data sources: all of them or, with [ErrExists] if an entry of a
// name exists already, none.
func (s *Store) Add(ctx context.Context, registries []Registry, sources []DataSource) error {
	err := s.with(ctx).Transaction(func(tx *gorm.DB) error {
		if err := insert(tx, s.registryRow, registries); err != nil {
			return err
		}
		return insert(tx, s.dataSourceRow, sources)
	})
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		err = ErrExists
	}
	return failed("enter settings", err)
}

func insert[E, R any](tx *gorm.DB, rowOf func(E) (R, error), entries []E) error {
	for _, entry := range entries {
		row, err := rowOf(entry)
		if err == nil {
			err = tx.Create(&row).Error
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// affected is the error of a statement that is about one row.
func affected(done *gorm.DB) error {
	if done.Error == nil && done.RowsAffected == 0 {
		return ErrNotFound
	}
	return done.Error
}
