package console

import (
	"github.com/gin-gonic/gin"
)

const themeCookie = "elasticjob_theme"

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

// theme is the reader's choice: "light", "dark", or "auto" for the system's.
func theme(c *gin.Context) string {
	if cookie, err := c.Request.Cookie(themeCookie); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		return cookie.Value
	}
	return "auto"
}
