package views

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
	"github.com/elasticjob-go/elasticjob/web/templates/views"
)

// page lists the views; with a selection in its address it asks for a name.
func (s service) page(c *gin.Context) {
	v := c.Request.URL.Query()
	var typed *views.Form
	if v.Has("area") || v.Has("query") {
		typed = &views.Form{Area: cmp.Or(v.Get("area"), query.AreaJobs), Query: v.Get("query")}
	}
	s.show(c, http.StatusOK, typed)
}

// show shows the list, with what was typed and what is wrong with it.
func (s service) show(c *gin.Context, status int, typed *views.Form, notices ...ui.Notice) {
	l := i18n.From(c.Request.Context())
	p := views.ListProps{Frame: s.Frame(c, l.ViewsTitle(), app.AreaJobs), Notices: notices}
	for _, area := range query.Areas {
		list, err := s.ReadViews(c, area)
		if err != nil {
			s.Fail(c, err)
			return
		}
		for _, v := range list {
			row := views.Row{
				Name: v.Name, Href: pageui.ViewPath(v), List: listName(l, area), Query: readable(v.Query), Owner: l.ViewsMine(), By: v.User, At: view.DateTime(v.At),
				Area: area, Shared: v.Owner == "",
			}
			if row.Shared {
				row.Owner = l.ViewsEverybody()
			}
			p.Rows = append(p.Rows, row)
		}
	}
	if len(p.Rows) == 0 {
		p.Empty = &ui.Empty{Heading: l.ViewsNone(), Text: l.ViewsNoneText(), Href: "/jobs", Label: l.FrameJobs(), TestID: "views-empty"}
	}
	if typed != nil {
		asked, problems := query.ViewQuery(typed.Area, typed.Query)
		p.Frame.Ignored = append(p.Frame.Ignored, problems.In(l)...)
		if listName(l, typed.Area) != "" {
			typed.Query, typed.Selects, typed.List = asked, readable(asked), listName(l, typed.Area)
			typed.Back, typed.MaxName = pageui.ViewPath(settings.View{Area: typed.Area, Query: asked}), strconv.Itoa(settings.MaxViewName)
			typed.Curl = s.Curl(c, http.MethodPost, restRoute, nil, viewBody(api.ViewRequest{Area: typed.Area, Name: "…", Query: asked, Shared: typed.Shared}))
			p.Form = typed
		}
	}
	s.Render(c, status, views.List(p))
}

// listName is the name of a list; empty if there is none of that area.
func listName(l i18n.Lang, area string) string {
	return map[string]string{query.AreaJobs: l.FrameJobs(), query.AreaRuns: l.RunsTitle()}[area]
}

// readable is a query without the signs of addresses.
func readable(asked string) string {
	if text, err := url.QueryUnescape(asked); err == nil {
		return text
	}
	return asked
}

func viewBody(in api.ViewRequest) string {
	text, err := json.Marshal(in)
	if err != nil {
		panic(fmt.Sprintf("views: JSON of strings: %v", err)) // strings always marshal
	}
	return string(text)
}

// addFromPage is the form's target.
func (s service) addFromPage(c *gin.Context) error {
	typed := views.Form{Area: c.PostForm("area"), Query: c.PostForm("query"), Name: c.PostForm("name"), Shared: c.PostForm("shared") == "yes"}
	if app.Resumed(c) {
		s.show(c, http.StatusOK, &typed)
		return nil
	}
	l := i18n.From(c.Request.Context())
	v, err := s.add(c, api.ViewRequest{Area: typed.Area, Name: typed.Name, Query: typed.Query, Shared: typed.Shared})
	if err != nil {
		return pageui.RefuseForm(c, err, "view-refused", func(status int, notice ui.Notice) error {
			s.show(c, status, &typed, notice)
			return nil
		})
	}
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: l.ViewsDone(v.Name)})
	s.RedirectHere(c, pageui.ViewPath(v))
	return nil
}

// removeFromPage forgets one.
func (s service) removeFromPage(c *gin.Context) {
	l, name := i18n.From(c.Request.Context()), c.PostForm("name")
	f := ui.Flash{Tone: ui.ToneOK, Title: l.ViewsRemoved(view.Clip(name, settings.MaxViewName))}
	if err := s.remove(c, c.PostForm("area"), name, c.PostForm("shared") == "yes"); err != nil {
		f = pageui.FailedFlash(s.Console, c, err)
	}
	s.SetFlash(c, f)
	s.RedirectHere(c, pageui.ViewsRoute)
}
