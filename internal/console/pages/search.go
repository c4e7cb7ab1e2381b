package pages

import (
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/jobpage"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/palette"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// mostFound is how many of a kind the palette shows.
const mostFound = 8

// searchPage is the command palette as a page; the script shows its region in a
// dialog.
func (s *Pages) searchPage(c *gin.Context) {
	l := i18n.From(c.Request.Context())
	text := c.Query("q")
	text = strings.TrimSpace(text[:min(len(text), query.MaxSearch)])
	text = strings.ToValidUTF8(text, "")
	f := s.Frame(c, l.PaletteTitle(), "")
	p := palette.Props{Frame: f, Query: text}
	var err error
	switch {
	case strings.HasPrefix(text, ">"), text == "":
		p.Groups = foundPages(l, f.Nav, strings.TrimPrefix(text, ">"))
	case strings.HasPrefix(text, "@"):
		p.Groups, err = s.foundServers(c, l, text[1:])
	case strings.HasPrefix(text, "#"):
		p.Groups, err = s.foundRuns(c, l, text[1:])
	default:
		p.Groups, err = s.foundJobs(c, l, text)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	if len(p.Groups) == 0 {
		p.Empty = l.PaletteNothing(view.Clip(text, 60))
	}
	s.Render(c, http.StatusOK, palette.Search(p))
}

// foundJobs are jobs, and what can be done with the first of them.
func (s *Pages) foundJobs(c *gin.Context, l i18n.Lang, text string) ([]palette.Group, error) {
	all, err := s.ReadJobs(c)
	if err != nil {
		return nil, err
	}
	hits := query.SearchJobs(all, text, mostFound)
	if len(hits) == 0 {
		return nil, nil
	}
	jobs := make([]statistics.Job, len(hits))
	for i, hit := range hits {
		jobs[i] = hit.Job
	}
	board := s.ReadHealth(c, jobs)
	group := palette.Group{Title: l.PaletteJobs()}
	for _, hit := range hits {
		h := board.Of(hit.Job)
		tone, label := pageui.JobState(l, h.State)
		group.Entries = append(group.Entries, palette.Entry{
			Icon: "jobs", Href: app.JobPath("/jobs", hit.Job.Name), Parts: hit.Parts, Mono: true, Note: hit.Job.Label, Job: hit.Job.Name,
			State: &ui.State{Tone: tone, Label: label, Title: h.Reason}, // a name has little room on a phone
		})
	}
	first := jobs[0]
	actions := palette.Group{Title: l.PaletteOn(first.Name), Entries: []palette.Entry{{Icon: "info", Href: app.JobPath("/jobs", first.Name, "explain"), Parts: []string{l.PaletteExplain(first.Name)}}}}
	if app.May(c, app.Operates) {
		actions.On = jobpage.Actions(c, l, first, app.JobPath("/jobs", first.Name))
	}
	return []palette.Group{group, actions}, nil
}

func (s *Pages) foundServers(c *gin.Context, l i18n.Lang, text string) ([]palette.Group, error) {
	servers, err := s.ReadServers(c)
	if err != nil {
		return nil, err
	}
	group := palette.Group{Title: l.PaletteServers()}
	for _, server := range servers {
		before, after, ok := strings.Cut(server.IP, strings.TrimSpace(text))
		if !ok || len(group.Entries) == mostFound {
			continue
		}
		group.Entries = append(group.Entries, palette.Entry{
			Icon: "fleet", Href: app.JobPath("/servers", server.IP), Parts: []string{before, strings.TrimSpace(text), after}, Mono: true, Note: l.PaletteServerJobs(server.Jobs),
		})
	}
	return nonEmptyGroup(group), nil
}

func (s *Pages) foundRuns(c *gin.Context, l i18n.Lang, text string) ([]palette.Group, error) {
	if s.HistoryOf(c) == nil {
		return nil, app.NoHistory(c)
	}
	page, err := s.ReadRuns(c, rdb.RunFilter{JobPrefix: strings.TrimSpace(text), Limit: mostFound})
	if err != nil {
		return nil, err
	}
	group := palette.Group{Title: l.PaletteRuns()}
	for _, r := range page.Runs {
		group.Entries = append(group.Entries, palette.Entry{
			Icon: "runs", Href: pageui.RunPath(r.JobName, r.ID), Parts: []string{r.JobName}, Mono: true, Note: view.NearTime(l, r.Start, s.Now()).Text,
			State: &ui.State{Tone: pageui.RunTone(r.State), Label: pageui.RunState(l, r.State)},
		})
	}
	return nonEmptyGroup(group), nil
}

// foundPages are the areas of the console, and the pages about keys and the REST interface.
func foundPages(l i18n.Lang, nav []layout.NavItem, text string) []palette.Group {
	group := palette.Group{Title: l.PalettePages()}
	text = strings.ToLower(strings.TrimSpace(text))
	nav = append(nav[:len(nav):len(nav)], layout.NavItem{Icon: "info", Label: l.PaletteKeys(), Href: "/keys"},
		layout.NavItem{Icon: "info", Label: l.ReferenceTitle(), Href: app.ReferenceRoute})
	for _, item := range nav {
		if strings.Contains(strings.ToLower(item.Label), text) {
			group.Entries = append(group.Entries, palette.Entry{Icon: item.Icon, Href: item.Href, Parts: []string{item.Label}})
		}
	}
	return nonEmptyGroup(group)
}

func nonEmptyGroup(g palette.Group) []palette.Group {
	if len(g.Entries) == 0 {
		return nil
	}
	return []palette.Group{g}
}

// keysPage says what keys do, and lets them be switched off.
func (s *Pages) keysPage(c *gin.Context) {
	l := i18n.From(c.Request.Context())
	s.Render(c, http.StatusOK, palette.Keys(palette.KeysProps{
		Frame: s.Frame(c, l.PaletteKeys(), ""), Off: app.KeysOff(c),
		Rows: []palette.KeyRow{
			{Keys: []string{"⌘K", "Ctrl-K"}, Text: l.KeysPalette()},
			{Keys: []string{"/"}, Text: l.KeysSearch()},
			{Keys: []string{"j", "k"}, Text: l.KeysMove()},
			{Keys: []string{"x"}, Text: l.KeysSelect()},
			{Keys: []string{"Enter"}, Text: l.KeysEnter()},
			{Keys: []string{"t"}, Text: l.KeysTrigger()},
			{Keys: []string{"d"}, Text: l.KeysDisable()},
			{Keys: []string{"e"}, Text: l.KeysEnable()},
			{Keys: []string{"w"}, Text: l.KeysWhy()},
			{Keys: []string{"."}, Text: l.KeysMenu()},
			{Keys: []string{"[", "]"}, Text: l.KeysRuns()},
			{Keys: []string{"?"}, Text: l.KeysHelp()},
		},
	}))
}
