package console

import (
	"net/http"

	"github.com/gin-gonic/gin"
)

type meBody struct {
	Username  string `json:"username"`
	Role      string `json:"role"`
	ExpiresAt string `json:"expiresAt"`
}

// apiMe answers who the caller is.
func (s *Console) apiMe(c *gin.Context) {
	who := caller(c)
	writeJSON(c, http.StatusOK, meBody{Username: who.Name, Role: string(who.Role), ExpiresAt: isoTime(who.expires)})
}

// apiRefresh gives a fresh token for one that is still good, which it ends. A
// session can be drawn out so, but not for ever.
func (s *Console) apiRefresh(c *gin.Context) {
	who := caller(c)
	token, expires, why := s.tokens.renew(who, forAPI)
	if why != "" {
		s.fail(c, unauthorized(why))
		return
	}
	if err := s.giveUp(c, who); err != nil {
		s.fail(c, err)
		return
	}
	writeBare(c, http.StatusOK, newLoginResponse(who.Name, who.Role, token, expires))
}
