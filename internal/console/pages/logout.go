package pages

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
)

// logout ends the session: the token is worth nothing afterwards, wherever a
// copy of it may be.
func (s *Pages) logout(c *gin.Context) {
	if who := app.Caller(c); who.TokenID != "" {
		if err := s.GiveUp(c, who); err != nil {
			s.Fail(c, err) // the cookie stays, to try again with
			return
		}
	}
	s.ClearCookie(c, app.SessionCookie(c))
	s.Redirect(c, "/login?reason=signed_out")
}
