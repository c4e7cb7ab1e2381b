package pages

import (
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// settingsTabs are the parts of the settings, with how many of each there are.
func (s *Pages) settingsTabs(c *gin.Context, active string) []ui.Tab {
	l := i18n.From(c.Request.Context())
	count := func(n int, err error) string {
		if err != nil {
			return ""
		}
		return strconv.Itoa(n)
	}
	list, err := s.RegistryList(c)
	known, knownErr := s.SourceList(c)
	tabs := []ui.Tab{
		{Label: l.FrameRegistries(), Href: console.RegistriesRoute, Count: count(len(list), err), Active: active == console.RegistriesRoute, TestID: "tab-registries"},
		{Label: l.SourcesTitle(), Href: console.SourcesRoute, Count: count(len(known), knownErr), Active: active == console.SourcesRoute, TestID: "tab-sources"},
	}
	if console.May(c, console.Operates) {
		made, err := s.programTokens().Read(c)
		tabs = append(tabs, ui.Tab{Label: l.TokensTitle(), Href: console.TokensRoute, Count: count(len(made), err), Active: active == console.TokensRoute, TestID: "tab-tokens"})
	}
	return tabs
}
