package settings

import (
	"math/rand/v2"
	"net/url"

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

func (r dataSourceRow) name() string { return r.Name }

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

// DataSources are the data sources that were entered.
func (s *Store) DataSources() Entries[DataSource] {
	return table[DataSource, dataSourceRow]{s, "data source", s.dataSourceRow, s.dataSource}
}
