package settings

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
)

// View is a selection of a list that somebody saved.
type View struct {
	// Owner is the account that alone has it; empty: everybody has it.
	Owner string
	// Area is the list, such as "jobs". In it an owner has one view of a name.
	Area, Name string
	// Query is what the address of the list asks for.
	Query string
	// User saved it.
	User string
	At   time.Time
}

// Bounds of views: how many an owner has of a list, and everybody; characters of a name,
// and of a query.
const (
	MaxViews     = 12
	MaxViewName  = 40
	MaxViewQuery = 1000
)

// ErrTooMany says that there are as many as there may be.
var ErrTooMany = errors.New("too many")

type viewRow struct {
	Owner    string `gorm:"primaryKey"`
	Area     string `gorm:"primaryKey"`
	Name     string `gorm:"primaryKey"`
	Query    string
	UserName string
	AtMS     int64 `gorm:"column:at_ms"`
}

func (viewRow) TableName() string { return "elasticjob_view" }

// AddView saves a view, or returns [ErrExists], or [ErrTooMany] beyond [MaxViews].
func (s *Store) AddView(ctx context.Context, v View) error {
	row := viewRow{
		Owner: storable(v.Owner, 100), Area: storable(v.Area, 20), Name: storable(v.Name, MaxViewName), Query: storable(v.Query, MaxViewQuery),
		UserName: storable(v.User, 100), AtMS: v.At.UnixMilli(),
	}
	var n int64
	err := s.with(ctx).Model(&viewRow{}).Where("owner = ? AND area = ?", row.Owner, row.Area).Count(&n).Error
	if err == nil && n >= MaxViews {
		err = ErrTooMany
	}
	if err == nil {
		err = s.with(ctx).Create(&row).Error
	}
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		err = ErrExists
	}
	return failed("save a view", err)
}

// Views returns the views of a list that an owner has, those of everybody first, by name.
func (s *Store) Views(ctx context.Context, owner, area string) ([]View, error) {
	var rows []viewRow
	err := s.with(ctx).Where("owner IN ? AND area = ?", []string{"", storable(owner, 100)}, area).Limit(4 * MaxViews).Find(&rows).Error
	if err != nil {
		return nil, failed("list views", err)
	}
	// Sorted here: every database has an order of its own.
	slices.SortFunc(rows, func(a, b viewRow) int {
		if a.Owner != b.Owner {
			return strings.Compare(a.Owner, b.Owner)
		}
		return strings.Compare(a.Name, b.Name)
	})
	list := make([]View, 0, len(rows))
	for _, r := range rows {
		list = append(list, View{Owner: r.Owner, Area: r.Area, Name: r.Name, Query: r.Query, User: r.UserName, At: time.UnixMilli(r.AtMS).UTC()})
	}
	return list, nil
}

// RemoveView forgets a view, or returns [ErrNotFound].
func (s *Store) RemoveView(ctx context.Context, owner, area, name string) error {
	return failed("remove a view", affected(s.with(ctx).Where("owner = ? AND area = ? AND name = ?", storable(owner, 100), area, storable(name, MaxViewName)).Delete(&viewRow{})))
}
