package rest

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

const sourceRoute = "/api/data-source"

// sourceBody is a data source in pieces, and for clients of ElasticJob's
// consoles as their EventTraceDataSourceConfiguration; the password is never
// shown.
type sourceBody struct {
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

// sourceRequest enters or changes one: in pieces, or by a JDBC URL, which is
// taken to pieces. An absent password stays as it is.
type sourceRequest struct {
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

// drivers are the names that ElasticJob's consoles have for the databases.
var drivers = map[string]string{store.MySQL: "com.mysql.cj.jdbc.Driver", store.Postgres: "org.postgresql.Driver", store.SQLite: "org.sqlite.JDBC"}

func sourceJSON(d settings.DataSource) sourceBody {
	body := sourceBody{
		Name: d.Name, Type: d.Type, Host: d.Host, Port: d.Port, Database: d.Database, Username: d.User, HasPassword: d.Password != "",
		Options: map[string]string{}, Driver: drivers[d.Type], URL: "jdbc:sqlite:" + d.Database,
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

// sourceList returns the data sources, that of the command line first.
func (s *API) sourceList(c *gin.Context) ([]sourceBody, error) {
	active, err := s.Chosen(c, settings.KindDataSource)
	if err != nil {
		return nil, err
	}
	list := []sourceBody{}
	if s.Options().History != nil {
		list = append(list, sourceBody{Name: console.DefaultRegistry, Options: map[string]string{}, Fixed: true, Activated: active == "" || active == console.DefaultRegistry})
	}
	if s.Options().Settings == nil {
		return list, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := s.Options().Settings.DataSources(ctx)
	if err != nil {
		return nil, console.SettingProblem(err, nil)
	}
	for _, d := range stored {
		body := sourceJSON(d)
		body.Activated = d.Name == active
		list = append(list, body)
	}
	return list, nil
}

// sources answers with the data sources.
func (s *API) sources(c *gin.Context) {
	list, err := s.sourceList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, list)
}

// activeSource answers whether there is a data source for this token.
func (s *API) activeSource(c *gin.Context) {
	list, err := s.sourceList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, slices.ContainsFunc(list, func(d sourceBody) bool { return d.Activated }))
}

// drivers answers with the drivers that ElasticJob's page offers.
func (s *API) drivers(c *gin.Context) {
	writeModel(c, http.StatusOK, []string{drivers[store.MySQL], drivers[store.Postgres], drivers[store.SQLite]})
}

// addSource enters a data source. Nothing is connected to.
func (s *API) addSource(c *gin.Context) {
	d, err := s.readSource(c, "enter data source")
	if err == nil && d.Name == console.DefaultRegistry {
		err = console.SettingExists("data source", d.Name)
	}
	if err == nil {
		ctx, cancel := s.Reading(c)
		defer cancel()
		err = s.Options().Settings.Add(ctx, nil, []settings.DataSource{d})
		if errors.Is(err, settings.ErrExists) {
			err = console.SettingExists("data source", d.Name)
		} else if err != nil {
			err = console.SettingProblem(err, nil)
		}
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	created(c, sourceJSON(d))
}

// readSource reads a new data source from a request.
func (s *API) readSource(c *gin.Context, doing string) (settings.DataSource, error) {
	var in sourceRequest
	if err := s.readSetting(c, &in, &in.Name, doing); err != nil {
		return settings.DataSource{}, err
	}
	return s.sourceFrom(in, settings.DataSource{})
}

// changeSource changes a data source.
func (s *API) changeSource(c *gin.Context) {
	var in sourceRequest
	name, err := console.SettingName(c)
	if err == nil {
		err = s.readSetting(c, &in, &name, "change data source")
	}
	if err == nil && name == console.DefaultRegistry {
		err = console.SettingFixed("data source")
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	before, err := s.StoredSource(ctx, name)
	if err != nil {
		s.Fail(c, err)
		return
	}
	in.Name = name
	d, err := s.sourceFrom(in, before)
	if err == nil {
		if err = s.Options().Settings.ChangeDataSource(ctx, d); err != nil {
			err = console.SettingProblem(err, console.NoSuchSource(name))
		}
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.Options().Sources.Forget(name)
	writeModel(c, http.StatusOK, sourceJSON(d))
}

// removeSource removes a data source: the one of the address, or of the body.
func (s *API) removeSource(c *gin.Context) {
	name, err := s.namedSetting(c, "remove data source")
	if err == nil && name == console.DefaultRegistry {
		err = console.SettingFixed("data source")
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if err := s.Options().Settings.RemoveDataSource(ctx, name); err != nil {
		s.Fail(c, console.SettingProblem(err, console.NoSuchSource(name)))
		return
	}
	s.Options().Sources.Forget(name)
	if console.Enveloped(c) {
		writeModel(c, http.StatusOK, nil)
		return
	}
	c.Status(http.StatusNoContent)
}

// testSource connects to a data source that need not have been entered, and
// ends the connection. Nothing is remembered, and nothing remembered is asked.
func (s *API) testSource(c *gin.Context) {
	d, err := s.readSource(c, "test data source")
	if err == nil {
		err = s.trySource(c, d)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, true)
}

func (s *API) trySource(c *gin.Context, d settings.DataSource) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.Options().ActionTimeout)
	defer cancel()
	if err := s.Options().Sources.Test(ctx, d); err != nil {
		return console.SourceProblem(d.Name, err)
	}
	return nil
}

// connectSource chooses a data source for the token that calls, as
// [API.connectRegistry] does a registry.
func (s *API) connectSource(c *gin.Context) {
	name, err := s.namedSetting(c, "connect data source")
	if err == nil && name != console.DefaultRegistry {
		ctx, cancel := s.Reading(c)
		defer cancel()
		var d settings.DataSource
		if d, err = s.StoredSource(ctx, name); err == nil {
			err = s.trySource(c, d)
		}
	}
	if err == nil {
		err = s.Choose(c, settings.KindDataSource, name)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, true)
}

// sourceFrom checks a request and makes a data source of it. before is the one
// it changes; its password stays if the request has none.
func (s *API) sourceFrom(in sourceRequest, before settings.DataSource) (settings.DataSource, error) {
	d := settings.DataSource{Name: in.Name, Fields: store.Fields{
		Type: in.Type, Host: in.Host, Port: in.Port, Database: in.Database, User: in.Username, Options: in.Options,
	}}
	var fields []console.FieldBody
	wrong := func(field, value, want string) {
		fields = append(fields, console.FieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
	}
	if in.URL != "" {
		var err error
		if d.Fields, _, err = store.FromJDBC(in.URL, in.Username, ""); err != nil {
			wrong("url", "", err.Error())
		}
	}
	if want := console.WrongName(in.Name); want != "" {
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
		p := console.Invalid("The data source cannot be used like this.", "Correct the fields named. Nothing was stored or connected to.")
		p.Fields = fields
		return d, p
	}
	if err := s.Options().Sources.Allowed(d.Fields); errors.Is(err, outbound.ErrForbidden) {
		return d, console.AddressForbidden(err)
	} else if err != nil {
		return d, console.Invalid(err.Error(), "Nothing was stored or connected to.")
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
