package rest

import (
	"context"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

const sourceRoute = "/api/data-source"

// sources answers with the data sources.
func (s *API) sources(c *gin.Context) {
	list, err := s.SourceList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, list)
}

// activeSource answers whether there is a data source for this token.
func (s *API) activeSource(c *gin.Context) {
	list, err := s.SourceList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, slices.ContainsFunc(list, func(d console.SourceBody) bool { return d.Activated }))
}

// drivers answers with the drivers that ElasticJob's page offers.
func (s *API) drivers(c *gin.Context) {
	console.WriteJSON(c, http.StatusOK, []string{console.SourceDrivers[store.MySQL], console.SourceDrivers[store.Postgres], console.SourceDrivers[store.SQLite]})
}

// addSource enters a data source. Nothing is connected to.
func (s *API) addSource(c *gin.Context) {
	d, err := s.readSource(c, "enter data source")
	if err == nil {
		err = s.AddSource(c, d)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.Created(c, console.SourceJSON(d))
}

// readSource reads a new data source from a request.
func (s *API) readSource(c *gin.Context, doing string) (settings.DataSource, error) {
	var in console.SourceRequest
	if err := s.readSetting(c, &in, &in.Name, doing); err != nil {
		return settings.DataSource{}, err
	}
	return s.SourceFrom(in, settings.DataSource{})
}

// changeSource changes a data source.
func (s *API) changeSource(c *gin.Context) {
	var in console.SourceRequest
	name, err := console.SettingName(c)
	if err == nil {
		err = s.readSetting(c, &in, &name, "change data source")
	}
	var before settings.DataSource
	if err == nil {
		before, err = s.EnteredSource(c, name)
	}
	var d settings.DataSource
	if err == nil {
		in.Name = name
		d, err = s.SourceFrom(in, before)
	}
	if err == nil {
		err = s.ChangeSource(c, d)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, console.SourceJSON(d))
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
	console.WriteJSON(c, http.StatusOK, true)
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
	console.WriteJSON(c, http.StatusOK, true)
}
