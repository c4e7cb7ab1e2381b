package pages

import (
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// year is how long a choice is remembered, in seconds.
const year = 365 * 24 * 3600

// choiceRoutes are what a reader chooses for himself.
func (s *Pages) choiceRoutes() []app.Route {
	return []app.Route{
		app.Post("/theme", app.Anyone, 0, s.setTheme),
		app.Post(app.LanguageRoute, app.Anyone, 0, s.setLanguage),
		app.Post(app.ZoneRoute, app.Anyone, 0, s.setZone),
	}
}

// setTheme remembers light or dark, or whether keys are on, for a year and goes back
// to the page.
func (s *Pages) setTheme(c *gin.Context) {
	theme := c.PostForm("theme")
	switch keys := c.PostForm("keys"); {
	case keys == "off":
		s.Cookie(c, app.KeysCookie, keys, year)
	case keys != "":
		s.ClearCookie(c, app.KeysCookie)
	case theme == "light", theme == "dark":
		s.Cookie(c, app.ThemeCookie, theme, year)
	default:
		s.ClearCookie(c, app.ThemeCookie)
	}
	s.goBack(c)
}

// setLanguage remembers the language for a year and goes back to the page. One
// that the console does not speak leaves the choice to the browser's setting.
func (s *Pages) setLanguage(c *gin.Context) {
	if l, ok := i18n.Parse(c.PostForm("language")); ok {
		s.Cookie(c, app.LanguageCookie, l.Tag(), year)
	} else {
		s.ClearCookie(c, app.LanguageCookie)
	}
	s.goBack(c)
}

// setZone remembers the time zone of pages for a year and goes back to the page. What
// is no zone, such as UTC's button says, leaves pages in UTC.
func (s *Pages) setZone(c *gin.Context) {
	zone := c.PostForm("zone")
	if _, ok := app.Zone(zone); ok && zone != "UTC" || zone == app.ZoneOfJob {
		s.Cookie(c, app.ZoneCookie, zone, year)
	} else {
		s.ClearCookie(c, app.ZoneCookie)
	}
	s.goBack(c)
}

// goBack goes to the page that the form was on.
func (s *Pages) goBack(c *gin.Context) {
	// The login page is a fine place to go back to here.
	back := c.PostForm("return")
	if back != "/login" {
		back = app.SafeNext(back)
	}
	s.Redirect(c, back)
}
