package console

import (
	"context"
	"log/slog"
	"net/http"
	"slices"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

const registryRoute = "/api/registry-center"

type nameRequest struct {
	Name string `json:"name"`
}

// apiRegistries answers with the registry centres.
func (s *Console) apiRegistries(c *gin.Context) {
	list, err := s.registryList(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, list)
}

// apiActiveRegistry answers a client of 3.x with the registry centre that its
// token has connected, and one of 2.x with whether there is one: there always
// is.
func (s *Console) apiActiveRegistry(c *gin.Context) {
	list, err := s.registryList(c)
	if err != nil {
		s.fail(c, err)
		return
	}
	if !enveloped(c) {
		writeModel(c, http.StatusOK, true)
		return
	}
	active := slices.IndexFunc(list, func(r registryBody) bool { return r.Activated })
	if active < 0 { // it was removed
		writeModel(c, http.StatusOK, nil)
		return
	}
	writeModel(c, http.StatusOK, list[active])
}

// apiAddRegistry enters a registry centre. Nothing is connected to.
func (s *Console) apiAddRegistry(c *gin.Context) {
	var in registryRequest
	err := s.readSetting(c, &in, &in.Name, "enter registry centre")
	var r settings.Registry
	if err == nil {
		r, err = s.addRegistry(c, in)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	created(c, registryJSON(r))
}

// created answers that something was entered.
func created(c *gin.Context, body any) {
	if enveloped(c) {
		writeModel(c, http.StatusOK, true)
		return
	}
	writeModel(c, http.StatusCreated, body)
}

// apiChangeRegistry changes a registry centre.
func (s *Console) apiChangeRegistry(c *gin.Context) {
	var in registryRequest
	name, err := settingName(c)
	if err == nil {
		err = s.readSetting(c, &in, &name, "change registry centre")
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	if name == defaultRegistry {
		s.fail(c, settingFixed("registry centre"))
		return
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	before, err := s.storedRegistry(ctx, name)
	if err != nil {
		s.fail(c, err)
		return
	}
	in.Name = name
	r, err := s.registryFrom(in, before)
	if err == nil {
		if err = s.options().Settings.ChangeRegistry(ctx, r); err != nil {
			err = settingProblem(err, noSuchRegistry(name))
		}
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	s.options().Centres.Forget(name)
	writeModel(c, http.StatusOK, registryJSON(r))
}

// apiRemoveRegistry removes a registry centre: the one of the address, or of
// the body as ElasticJob's consoles name it.
func (s *Console) apiRemoveRegistry(c *gin.Context) {
	name, err := s.namedSetting(c, "remove registry centre")
	if err == nil {
		err = s.removeRegistry(c, name)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	if enveloped(c) {
		writeModel(c, http.StatusOK, nil)
		return
	}
	c.Status(http.StatusNoContent)
}

// apiTestRegistry connects to a registry centre that need not have been
// entered, and ends the connection. Nothing is remembered.
func (s *Console) apiTestRegistry(c *gin.Context) {
	var in registryRequest
	if err := s.readSetting(c, &in, &in.Name, "test registry centre"); err != nil {
		s.fail(c, err)
		return
	}
	r, err := s.registryFrom(in, settings.Registry{})
	if err == nil {
		err = s.testRegistry(c, r)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, true)
}

func (s *Console) testRegistry(c *gin.Context, r settings.Registry) error {
	ctx, cancel := context.WithTimeout(c.Request.Context(), s.options().OrderTimeout)
	defer cancel()
	if err := s.options().Centres.Test(ctx, r); err != nil {
		return centreProblem(r.Name, err)
	}
	return nil
}

// apiConnectRegistry is what ElasticJob's consoles call to choose a registry
// centre. It counts for the token that calls, from then on and wherever a
// request names no other. If it cannot be connected to, all stays as it was.
func (s *Console) apiConnectRegistry(c *gin.Context) {
	name, err := s.namedSetting(c, "connect registry centre")
	if err != nil {
		s.fail(c, err)
		return
	}
	if name == defaultRegistry {
		if h := s.options().Health.Registry(); h.State != RegistryConnected {
			err = s.registryDown(c, h.LastError)
		}
	} else {
		ctx, cancel := s.reading(c)
		defer cancel()
		var r settings.Registry
		if r, err = s.storedRegistry(ctx, name); err == nil {
			err = s.testRegistry(c, r)
		}
	}
	if err == nil {
		err = s.choose(c, settings.KindRegistry, name)
	}
	if err != nil {
		s.fail(c, err)
		return
	}
	writeModel(c, http.StatusOK, true)
}

// readSetting reads the body of a request about a setting and notes for the
// audit what it is about.
func (s *Console) readSetting(c *gin.Context, body any, name *string, doing string) error {
	if !s.keepsSettings() {
		return noSettings()
	}
	err := readJSON(c, body)
	s.note(c, slog.String("order", doing), slog.String("target", view.Clip(*name, 100)))
	return err
}

// namedSetting is the name in the address, or in a body that has only that.
func (s *Console) namedSetting(c *gin.Context, doing string) (string, error) {
	if c.Param("name") != "" {
		return s.addressedSetting(c, doing)
	}
	var in nameRequest
	err := s.readSetting(c, &in, &in.Name, doing)
	if err == nil && in.Name == "" {
		err = invalid("The request names nothing.", `Send {"name": …}.`)
	}
	return in.Name, err
}
