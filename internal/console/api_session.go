package console

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

type meBody struct {
	Username  string `json:"username"`
	Role      string `json:"role"`
	ExpiresAt string `json:"expiresAt"`
}

// apiMe answers who the caller is.
func (s *Console) apiMe(c *gin.Context) {
	who := caller(c)
	writeModel(c, http.StatusOK, meBody{Username: who.Name, Role: string(who.Role), ExpiresAt: view.IsoTime(who.Expires)})
}

// apiRefresh gives a fresh token for one that is still good, which it ends. A
// session can be drawn out so, but not for ever.
func (s *Console) apiRefresh(c *gin.Context) {
	who := caller(c)
	if wait := s.auth.Admit(who.Name); wait > 0 {
		s.fail(c, tooMany(auth.RetryAfter(wait)))
		return
	}
	token, expires, why := s.auth.Renew(who, auth.ForAPI)
	if why != "" {
		s.fail(c, unauthorized(why))
		return
	}
	if err := s.carryOver(c, who, token); err != nil {
		s.fail(c, err)
		return
	}
	if err := s.giveUp(c, who); err != nil {
		s.fail(c, err)
		return
	}
	writeBare(c, http.StatusOK, newLoginResponse(who.Name, who.Role, token, expires))
}

// carryOver lets a fresh token have connected what the old one had.
func (s *Console) carryOver(c *gin.Context, old auth.Identity, token string) error {
	fresh, why := s.auth.Verify(token, auth.ForAPI)
	if why != "" || s.options().Settings == nil {
		return nil
	}
	ctx, cancel := s.reading(c)
	defer cancel()
	for _, kind := range []settings.Kind{settings.KindRegistry, settings.KindDataSource} {
		name, err := s.options().Settings.Chosen(ctx, old.TokenID, kind)
		if err == nil && name != "" {
			err = s.options().Settings.Choose(ctx, fresh.TokenID, fresh.Expires, s.now(), kind, name)
		}
		if err != nil {
			return settingsDown(err)
		}
	}
	return nil
}
