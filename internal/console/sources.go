package console

import (
	"context"
	"errors"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// SourceBody is a data source in pieces, and for clients of ElasticJob's
// consoles as their EventTraceDataSourceConfiguration; the password is never
// shown.
type SourceBody struct {
	Name        string            `json:"name"`
	Type        string            `json:"type"`
	Host        string            `json:"host"`
	Port        int               `json:"port"`
	Database    string            `json:"database"`
	Username    string            `json:"username"`
	HasPassword bool              `json:"hasPassword"`
	Options     map[string]string `json:"options"`
	Driver      string            `json:"driver"`
	URL         string            `json:"url"`
	// Activated: requests of this token that name none are about it.
	Activated bool `json:"activated"`
	// Fixed: it is that of the command line, and cannot be changed here.
	Fixed bool `json:"fixed"`
}

// SourceRequest enters or changes one: in pieces, or by a JDBC URL, which is
// taken to pieces. An absent password stays as it is.
type SourceRequest struct {
	Name     string            `json:"name"`
	Type     string            `json:"type"`
	Host     string            `json:"host"`
	Port     int               `json:"port"`
	Database string            `json:"database"`
	Username string            `json:"username"`
	Password *string           `json:"password"`
	Options  map[string]string `json:"options"`
	URL      string            `json:"url"`
}

// SourceDrivers are the names that ElasticJob's consoles have for the databases.
var SourceDrivers = map[string]string{store.MySQL: "com.mysql.cj.jdbc.Driver", store.Postgres: "org.postgresql.Driver", store.SQLite: "org.sqlite.JDBC"}

// SourceJSON is a stored data source as callers see it: without its password.
func SourceJSON(d settings.DataSource) SourceBody {
	body := SourceBody{
		Name: d.Name, Type: d.Type, Host: d.Host, Port: d.Port, Database: d.Database, Username: d.User, HasPassword: d.Password != "",
		Options: map[string]string{}, Driver: SourceDrivers[d.Type], URL: "jdbc:sqlite:" + d.Database,
	}
	for name, value := range d.Options {
		body.Options[name] = value
	}
	if d.Type != store.SQLite {
		scheme := map[string]string{store.MySQL: "mysql", store.Postgres: "postgresql"}[d.Type]
		body.URL = "jdbc:" + (&url.URL{Scheme: scheme, Host: d.Address(), Path: "/" + d.Database}).String()
	}
	return body
}

// SourceList returns the data sources, that of the command line first.
func (s *Console) SourceList(c *gin.Context) ([]SourceBody, error) {
	active, err := s.Chosen(c, settings.KindDataSource)
	if err != nil {
		return nil, err
	}
	list := []SourceBody{}
	if s.opts.History != nil {
		list = append(list, SourceBody{Name: DefaultRegistry, Options: map[string]string{}, Fixed: true, Activated: active == "" || active == DefaultRegistry})
	}
	if s.opts.Settings == nil {
		return list, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := s.opts.Settings.DataSources(ctx)
	if err != nil {
		return nil, SettingProblem(err, nil)
	}
	for _, d := range stored {
		body := SourceJSON(d)
		body.Activated = d.Name == active
		list = append(list, body)
	}
	return list, nil
}

// SourceFrom checks a request and makes a data source of it. before is the one
// it changes; its password stays if the request has none.
func (s *Console) SourceFrom(in SourceRequest, before settings.DataSource) (settings.DataSource, error) {
	d := settings.DataSource{Name: in.Name, Fields: store.Fields{
		Type: in.Type, Host: in.Host, Port: in.Port, Database: in.Database, User: in.Username, Options: in.Options,
	}}
	var fields []FieldBody
	wrong := func(field, value, want string) {
		fields = append(fields, FieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
	}
	if in.URL != "" {
		var err error
		if d.Fields, _, err = store.FromJDBC(in.URL, in.Username, ""); err != nil {
			wrong("url", "", err.Error())
		}
	}
	if want := WrongName(in.Name); want != "" {
		wrong("name", in.Name, want)
	}
	if len(fields) == 0 {
		switch {
		case in.Password != nil:
			d.Password = *in.Password
		case before.Password != "" && (before.Address() != d.Address() || before.Type != d.Type):
			// Or a changed address would be sent the secret.
			wrong("password", "", "given again, or empty, because the address changes")
		default:
			d.Password = before.Password
		}
		for _, p := range d.Problems() {
			wrong(p.Field, p.Value, p.Want)
		}
	}
	if len(fields) > 0 {
		p := InvalidAs(i18n.Lang.ProblemWrongSource, i18n.Lang.ProblemWrongFieldsHint)
		p.Fields = fields
		return d, p
	}
	if err := s.opts.Sources.Allowed(d.Fields); errors.Is(err, outbound.ErrForbidden) {
		return d, AddressForbidden(err)
	} else if err != nil {
		return d, Invalid("", "").Said(func(l i18n.Lang) (string, string) { return err.Error(), l.ProblemNothingConnected() })
	}
	if d.Port == 0 && d.Type != store.SQLite {
		_, port, _ := cutPort(d.Address())
		d.Port = port
	}
	return d, nil
}

// cutPort takes the port off an address that has one.
func cutPort(addr string) (host string, port int, err error) {
	u := url.URL{Host: addr}
	port, err = strconv.Atoi(u.Port())
	return u.Hostname(), port, err
}

// AddSource stores a data source that was checked. Nothing is connected to.
func (s *Console) AddSource(c *gin.Context, d settings.DataSource) error {
	if d.Name == DefaultRegistry {
		return SettingExists(i18n.Lang.ProblemKindSource, d.Name)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	err := s.opts.Settings.Add(ctx, nil, []settings.DataSource{d})
	switch {
	case errors.Is(err, settings.ErrExists):
		return SettingExists(i18n.Lang.ProblemKindSource, d.Name)
	case err != nil:
		return SettingProblem(err, nil)
	}
	return nil
}

// EnteredSource is the data source that was entered under a name, to be changed or
// removed.
func (s *Console) EnteredSource(c *gin.Context, name string) (settings.DataSource, error) {
	if name == DefaultRegistry {
		return settings.DataSource{}, SettingFixed(i18n.Lang.ProblemKindSource)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	return s.StoredSource(ctx, name)
}

// ChangeSource stores another place or account for a data source that was entered.
func (s *Console) ChangeSource(c *gin.Context, d settings.DataSource) error {
	ctx, cancel := s.Reading(c)
	defer cancel()
	if err := s.opts.Settings.ChangeDataSource(ctx, d); err != nil {
		return SettingProblem(err, NoSuchSource(d.Name))
	}
	s.opts.Sources.Forget(d.Name)
	return nil
}

// RemoveSource removes a data source that was entered. Nothing in it changes.
func (s *Console) RemoveSource(c *gin.Context, name string) error {
	if name == DefaultRegistry {
		return SettingFixed(i18n.Lang.ProblemKindSource)
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if err := s.opts.Settings.RemoveDataSource(ctx, name); err != nil {
		return SettingProblem(err, NoSuchSource(name))
	}
	s.opts.Sources.Forget(name)
	return nil
}

// ProbeSource connects to a data source that need not have been entered, and tells
// what it has. Nothing is remembered.
func (s *Console) ProbeSource(c *gin.Context, d settings.DataSource) (rdb.Description, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.opts.ActionTimeout)
	defer cancel()
	return s.opts.Sources.Probe(ctx, d)
}

// DescribeHistory tells what the trace database of the command line has.
func (s *Console) DescribeHistory(c *gin.Context) (rdb.Description, error) {
	return ReadHistory(s, c, func(ctx context.Context, h History) (rdb.Description, error) { return h.Describe(ctx) })
}
