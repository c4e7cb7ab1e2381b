package console

import (
	"github.com/gin-gonic/gin"
)

// logout ends the session: the token is worth nothing afterwards, wherever a
// copy of it may be.
func (s *Console) logout(c *gin.Context) {
	if who := caller(c); who.TokenID != "" {
		if err := s.giveUp(c, who); err != nil {
			s.fail(c, err) // the cookie stays, to try again with
			return
		}
	}
	s.clearCookie(c, sessionCookie(c))
	s.redirect(c, "/login?reason=signed_out")
}

// apiLogout is the same for a bearer token.
func (s *Console) apiLogout(c *gin.Context) {
	if err := s.giveUp(c, caller(c)); err != nil {
		s.fail(c, err)
		return
	}
	done(c)
}
