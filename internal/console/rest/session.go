package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// me answers who the caller is.
func (s *API) me(c *gin.Context) error {
	who := app.Caller(c)
	return app.Answer(c, api.Me{Username: who.Name, Role: string(who.Role), ExpiresAt: view.IsoTime(who.Expires)}, nil)
}

// refresh gives a fresh token for one that is still good, which it ends. A
// session can be drawn out so, but not for ever.
func (s *API) refresh(c *gin.Context) error {
	who := app.Caller(c)
	if wait := s.Auth.Admit(who.Name); wait > 0 {
		return app.TooMany(auth.RetryAfter(wait))
	}
	token, expires, why := s.Auth.Renew(who, auth.ForAPI)
	if why != "" {
		return app.Unauthorized(why)
	}
	if err := s.carryOver(c, who, token); err != nil {
		return err
	}
	if err := s.GiveUp(c, who); err != nil {
		return err
	}
	app.WriteBare(c, http.StatusOK, newLoginResponse(who.Name, who.Role, token, expires))
	return nil
}

// carryOver lets a fresh token have connected what the old one had.
func (s *API) carryOver(c *gin.Context, old auth.Identity, token string) error {
	fresh, why := s.Auth.Verify(token, auth.ForAPI)
	if why != "" || s.Options().Settings == nil {
		return nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	for _, kind := range []settings.Kind{settings.KindRegistry, settings.KindDataSource} {
		name, err := s.Options().Settings.Chosen(ctx, old.TokenID, kind)
		if err == nil && name != "" {
			err = s.Options().Settings.Choose(ctx, fresh.TokenID, fresh.Expires, s.Now(), kind, name)
		}
		if err != nil {
			return app.SettingsDown(err)
		}
	}
	return nil
}

type versionBody struct {
	Version string `json:"version"`
}

// version answers with the console's version.
func (s *API) version(c *gin.Context) {
	app.WriteJSON(c, http.StatusOK, versionBody{Version: s.Options().Version})
}
