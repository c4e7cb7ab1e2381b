package console

import (
	"github.com/gin-gonic/gin"
)

// setTheme remembers light or dark for a year and goes back to the page.
func (s *Console) setTheme(c *gin.Context) {
	theme := c.PostForm("theme")
	switch theme {
	case "light", "dark":
		s.cookie(c, themeCookie, theme, 365*24*3600)
	default:
		s.clearCookie(c, themeCookie)
	}
	// The login page is a fine place to go back to here.
	back := c.PostForm("return")
	if back != "/login" {
		back = safeNext(back)
	}
	s.redirect(c, back)
}
