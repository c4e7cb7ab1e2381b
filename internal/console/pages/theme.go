package pages

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
)

// setTheme remembers light or dark for a year and goes back to the page.
func (s *Pages) setTheme(c *gin.Context) {
	theme := c.PostForm("theme")
	switch theme {
	case "light", "dark":
		s.Cookie(c, console.ThemeCookie, theme, 365*24*3600)
	default:
		s.ClearCookie(c, console.ThemeCookie)
	}
	// The login page is a fine place to go back to here.
	back := c.PostForm("return")
	if back != "/login" {
		back = console.SafeNext(back)
	}
	s.Redirect(c, back)
}
