package rest

import (
	"context"
	"log/slog"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

const registryRoute = "/api/registry-center"

type nameRequest struct {
	Name string `json:"name"`
}

// registries answers with the registries.
func (s *API) registries(c *gin.Context) {
	list, err := s.RegistryList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, list)
}

// activeRegistry answers a client of 3.x with the registry that its
// token has connected, and one of 2.x with whether there is one: there always
// is.
func (s *API) activeRegistry(c *gin.Context) {
	list, err := s.RegistryList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	if !console.Enveloped(c) {
		console.WriteJSON(c, http.StatusOK, true)
		return
	}
	active := slices.IndexFunc(list, func(r console.RegistryBody) bool { return r.Activated })
	if active < 0 { // it was removed
		console.WriteJSON(c, http.StatusOK, nil)
		return
	}
	console.WriteJSON(c, http.StatusOK, list[active])
}

// addRegistry enters a registry. Nothing is connected to.
func (s *API) addRegistry(c *gin.Context) {
	var in console.RegistryRequest
	err := s.readSetting(c, &in, &in.Name, "enter registry")
	var r settings.Registry
	if err == nil {
		r, err = s.AddRegistry(c, in)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.Created(c, console.RegistryJSON(r))
}

// changeRegistry changes a registry.
func (s *API) changeRegistry(c *gin.Context) {
	var in console.RegistryRequest
	name, err := console.SettingName(c)
	if err == nil {
		err = s.readSetting(c, &in, &name, "change registry")
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	before, err := s.EnteredRegistry(c, name)
	if err != nil {
		s.Fail(c, err)
		return
	}
	in.Name = name
	r, err := s.RegistryFrom(in, before)
	if err == nil {
		err = s.ChangeRegistry(c, r)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, console.RegistryJSON(r))
}

// removeSetting removes a registry or a data source: the one of the address, or of
// the body as ElasticJob's consoles name it.
func (s *API) removeSetting(doing string, remove func(*gin.Context, string) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		name, err := s.namedSetting(c, doing)
		if err == nil {
			err = remove(c, name)
		}
		if err != nil {
			s.Fail(c, err)
			return
		}
		console.Removed(c)
	}
}

// testRegistry connects to a registry that need not have been
// entered, and ends the connection. Nothing is remembered.
func (s *API) testRegistry(c *gin.Context) {
	var in console.RegistryRequest
	if err := s.readSetting(c, &in, &in.Name, "test registry"); err != nil {
		s.Fail(c, err)
		return
	}
	r, err := s.RegistryFrom(in, settings.Registry{})
	if err == nil {
		err = s.tryRegistry(c, r)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, true)
}

func (s *API) tryRegistry(c *gin.Context, r settings.Registry) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.Options().ActionTimeout)
	defer cancel()
	if err := s.Options().Registries.Test(ctx, r); err != nil {
		return console.RegistryProblem(r.Name, err)
	}
	return nil
}

// connectRegistry is what ElasticJob's consoles call to choose a
// registry. It counts for the token that calls, from then on and wherever a
// request names no other. If it cannot be connected to, all stays as it was.
func (s *API) connectRegistry(c *gin.Context) {
	name, err := s.namedSetting(c, "connect registry")
	if err != nil {
		s.Fail(c, err)
		return
	}
	if name == console.DefaultRegistry {
		if h := s.Options().Health.Registry(); h.State != console.RegistryConnected {
			err = s.RegistryDown(c, h.LastError)
		}
	} else {
		ctx, cancel := s.Reading(c)
		defer cancel()
		var r settings.Registry
		if r, err = s.StoredRegistry(ctx, name); err == nil {
			err = s.tryRegistry(c, r)
		}
	}
	if err == nil {
		err = s.Choose(c, settings.KindRegistry, name)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusOK, true)
}

// readSetting reads the body of a request about a setting and notes for the
// audit what it is about.
func (s *API) readSetting(c *gin.Context, body any, name *string, doing string) error {
	if !s.KeepsSettings() {
		return console.NoSettings()
	}
	err := console.ReadJSON(c, body)
	s.Note(c, slog.String("order", doing), slog.String("target", view.Clip(*name, 100)))
	return err
}

// namedSetting is the name in the address, or in a body that has only that.
func (s *API) namedSetting(c *gin.Context, doing string) (string, error) {
	if c.Param("name") != "" {
		return s.AddressedSetting(c, doing)
	}
	var in nameRequest
	err := s.readSetting(c, &in, &in.Name, doing)
	if err == nil && in.Name == "" {
		err = console.Invalid("The request names nothing.", `Send {"name": …}.`)
	}
	return in.Name, err
}
