package settings

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/elasticjob-go/elasticjob/internal/store"
)

// DataSource is an event-trace data source that was entered.
type DataSource struct {
	Name string
	store.Fields
	// Revision is another after every change.
	Revision int64
}

type dataSourceRow struct {
	Name         string `gorm:"primaryKey"`
	Kind         string
	Host         string
	Port         int
	DatabaseName string
	UserName     string
	Password     string
	Options      string
	Revision     int64
}

func (dataSourceRow) TableName() string { return "elasticjob_data_source" }

func dataSourcePlace(name string) string { return "data source/" + name }

func (s *Store) dataSourceRow(d DataSource) (dataSourceRow, error) {
	password, err := s.key.seal(d.Password, dataSourcePlace(d.Name))
	options := url.Values{}
	for name, value := range d.Options {
		options.Set(name, value)
	}
	return dataSourceRow{
		Name: d.Name, Kind: d.Type, Host: d.Host, Port: d.Port, DatabaseName: d.Database, UserName: d.User, Password: password,
		Options: options.Encode(), Revision: rand.Int64(),
	}, err
}

func (s *Store) dataSource(row dataSourceRow) (DataSource, error) {
	password, err := s.key.open(row.Password, dataSourcePlace(row.Name))
	if err != nil {
		return DataSource{}, err
	}
	d := DataSource{
		Name: row.Name, Revision: row.Revision,
		Fields: store.Fields{Type: row.Kind, Host: row.Host, Port: row.Port, Database: row.DatabaseName, User: row.UserName, Password: password},
	}
	options, err := url.ParseQuery(row.Options)
	for name := range options {
		if d.Options == nil {
			d.Options = make(map[string]string)
		}
		d.Options[name] = options.Get(name)
	}
	return d, err
}

// DataSources returns every data source, by name.
func (s *Store) DataSources(ctx context.Context) ([]DataSource, error) {
	var rows []dataSourceRow
	if err := s.with(ctx).Find(&rows).Error; err != nil {
		return nil, failed("list data sources", err)
	}
	slices.SortFunc(rows, func(a, b dataSourceRow) int { return strings.Compare(a.Name, b.Name) })
	var list []DataSource
	for _, row := range rows {
		d, err := s.dataSource(row)
		if err != nil {
			return nil, failed("read data source "+row.Name, err)
		}
		list = append(list, d)
	}
	return list, nil
}

// DataSource returns one data source, or [ErrNotFound].
func (s *Store) DataSource(ctx context.Context, name string) (DataSource, error) {
	var rows []dataSourceRow
	err := s.with(ctx).Where("name = ?", storable(name, 100)).Limit(1).Find(&rows).Error
	if err == nil && len(rows) == 0 {
		err = ErrNotFound
	}
	if err != nil {
		return DataSource{}, failed("read a data source", err)
	}
	d, err := s.dataSource(rows[0])
	return d, failed("read data source "+name, err)
}

// ChangeDataSource replaces a data source, or returns [ErrNotFound].
func (s *Store) ChangeDataSource(ctx context.Context, d DataSource) error {
	row, err := s.dataSourceRow(d)
	if err != nil {
		return failed("change a data source", err)
	}
	done := s.with(ctx).Model(&dataSourceRow{}).Where("name = ?", d.Name).Updates(map[string]any{
		"kind": row.Kind, "host": row.Host, "port": row.Port, "database_name": row.DatabaseName, "user_name": row.UserName,
		"password": row.Password, "options": row.Options, "revision": row.Revision,
	})
	return failed("change a data source", affected(done))
}

// RemoveDataSource deletes a data source, or returns [ErrNotFound].
func (s *Store) RemoveDataSource(ctx context.Context, name string) error {
	return failed("remove a data source", affected(s.with(ctx).Where("name = ?", storable(name, 100)).Delete(&dataSourceRow{})))
}

// Add stores new registries and data sources: all of them, or, with
// [ErrExists] if there is one of the name already, none.
func (s *Store) Add(ctx context.Context, registries []Registry, sources []DataSource) error {
	err := s.with(ctx).Transaction(func(tx *gorm.DB) error {
		for _, r := range registries {
			row, err := s.registryRow(r)
			if err == nil {
				err = tx.Create(&row).Error
			}
			if err != nil {
				return err
			}
		}
		for _, d := range sources {
			row, err := s.dataSourceRow(d)
			if err == nil {
				err = tx.Create(&row).Error
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if errors.Is(err, gorm.ErrDuplicatedKey) {
		err = ErrExists
	}
	return failed("enter settings", err)
}
