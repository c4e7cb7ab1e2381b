package settings

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	settingspage "github.com/elasticjob-go/elasticjob/web/templates/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// page lists the tokens.
func (s tokens) page(c *gin.Context) error { return s.show(c, http.StatusOK, nil, nil) }

// show shows the list with the values that were typed, or with the token that was just made.
func (s tokens) show(c *gin.Context, status int, typed url.Values, made templ.Component, notices ...ui.Notice) error {
	l, now := i18n.From(c.Request.Context()), s.Now()
	p := settingspage.List{
		Frame: s.Frame(c, "", app.AreaRegistries), Sub: l.TokensSub(), Tabs: tabs(s.Console, c, app.TokensRoute),
		Notices: notices,
		ID:      "tokens", Row: "token", Top: made, Add: l.TokensCreateTitle(),
		Columns: []settingspage.Column{
			{Label: l.TokensName()}, {Label: l.TokensScope()}, {Label: l.TokensJobs()}, {Label: l.TokensUser()},
			{Label: l.TokensExpires()}, {Label: l.TokensUsed()},
		},
		Empty: ui.Empty{Heading: l.TokensNone(), Text: l.TokensNoneText(), TestID: "tokens-empty"},
	}
	if app.May(c, app.Configures) {
		p.Sub = l.TokensSubAll()
	}
	if s.Options().Settings == nil {
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneQuiet, Heading: l.TokensNoneHere(), TestID: "tokens-off"})
		s.Render(c, status, settingspage.Page(p))
		return nil
	}
	list, err := s.read(c)
	if err != nil {
		return err
	}
	for _, t := range list {
		p.Rows = append(p.Rows, settingspage.Row{
			Cells: settingspage.TokenCells(s.body(t), view.NearTime(l, t.Expires, now), view.AgoTime(t.Used, now)),
			Actions: []ui.Button{{
				Small: true, Kind: ui.ButtonDanger, Label: l.TokensRevoke(),
				Href: pageui.NamedPath(app.TokensRoute, t.ID, "revoke"), Subject: t.Name, TestID: "revoke",
			}},
		})
	}
	var scopes []string
	for _, scope := range auth.Scopes {
		if app.Caller(c).Role.Includes(scope.Role()) {
			scopes = append(scopes, string(scope))
		}
	}
	curl := s.Curl(c, http.MethodPost, api.TokensPath, nil, `{"name":"…","scope":"read","jobs":"*"}`)
	p.Form = settingspage.TokenForm(typed, scopes, curl)
	p.Frame.Scripts = append(p.Frame.Scripts, "copy.js")
	s.Render(c, status, settingspage.Page(p))
	return nil
}

// addFromPage is the form's target. The token is on the page that it answers with and nowhere
// else.
func (s tokens) addFromPage(c *gin.Context) error {
	name := c.PostForm("name") // parses the form
	typed := c.Request.PostForm
	if app.Resumed(c) {
		return s.show(c, http.StatusOK, typed, nil)
	}
	in := api.TokenRequest{Name: name, Scope: typed.Get("scope"), Jobs: typed.Get("jobs")}
	in.ExpiresAt = view.Clip(cmp.Or(typed.Get("days"), settingspage.DefaultDays), 40)
	if days, err := strconv.Atoi(in.ExpiresAt); err == nil && days > -1000 && days < 1000 {
		in.ExpiresAt = s.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339)
	}
	t, token, err := s.add(c, in)
	if err != nil {
		return pageui.RefuseForm(c, err, "token-refused", func(status int, notice ui.Notice) error {
			return s.show(c, status, typed, nil, notice)
		})
	}
	var notices []ui.Notice
	if warning := s.warning(c, i18n.From(c.Request.Context()), t); warning != "" {
		notices = append(notices, ui.Notice{Tone: ui.ToneWarn, Heading: warning, TestID: "token-warning"})
	}
	try := "TOKEN=" + token + "\n" + s.Curl(c, http.MethodGet, "/api/jobs", nil, "")
	return s.show(c, http.StatusOK, nil, settingspage.NewToken(t.Name, token, try), notices...)
}

// revokePage asks before a token is revoked.
func (s tokens) revokePage(c *gin.Context) error {
	t, err := s.find(c, c.Param("token"))
	if err != nil {
		return err
	}
	l := i18n.From(c.Request.Context())
	used := l.TokensRevokeNever()
	if !t.Used.IsZero() {
		used = l.TokensRevokeUsed(view.DateTime(t.Used).Text)
	}
	f := s.Frame(c, l.TokensRevokeTitle(t.Name), app.AreaRegistries)
	list := layout.Crumb{Label: l.TokensTitle(), Href: app.TokensRoute}
	s.Render(c, http.StatusOK, layout.Confirm(f, []layout.Crumb{list}, layout.Question{
		Back:   list.Href,
		Action: pageui.NamedPath(app.TokensRoute, t.ID, "revoke"), Verb: l.TokensRevokeButton(),
		Effects: []string{l.TokensRevokeEffect(), used, l.TokensRevokeUndo()},
		Curl:    s.Curl(c, http.MethodDelete, api.TokensPath+"/"+t.ID, nil, ""),
	}))
	return nil
}

// revokeFromPage is the target of that form.
func (s tokens) revokeFromPage(c *gin.Context) error {
	if !pageui.Confirmed(c) {
		s.Note(c, slog.String("order", "revoke token"))
		return s.revokePage(c)
	}
	t, err := s.revoke(c, c.Param("token"))
	if err != nil {
		return err
	}
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).TokensRevoked(t.Name)})
	s.Redirect(c, app.TokensRoute)
	return nil
}
