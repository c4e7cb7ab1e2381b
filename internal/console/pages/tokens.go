package pages

import (
	"cmp"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/tokens"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

func (s *Pages) programTokens() console.ProgramTokens {
	return console.ProgramTokens{Console: s.Console}
}

// tokensPage lists the tokens for programs.
func (s *Pages) tokensPage(c *gin.Context) { s.showTokens(c, http.StatusOK, tokens.Form{}, nil) }

// showTokens shows the list, with the values that were typed and their problems, or with
// the token that was made.
func (s *Pages) showTokens(c *gin.Context, status int, typed tokens.Form, made *tokens.Made, notices ...ui.Notice) {
	l, now := i18n.From(c.Request.Context()), s.Now()
	p := tokens.ListProps{Frame: s.Frame(c, "", console.AreaRegistries), Notices: notices, Made: made, Everyone: console.May(c, console.Configures)}
	if s.Options().Settings == nil {
		p.Tabs = s.settingsTabs(c, console.TokensRoute)
		p.Notices = append(p.Notices, ui.Notice{Tone: ui.ToneQuiet, Heading: l.TokensNoneHere(), TestID: "tokens-off"})
		s.Render(c, status, tokens.List(p))
		return
	}
	list, err := s.programTokens().Read(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	p.Tabs = s.settingsTabs(c, console.TokensRoute)
	for _, t := range list {
		p.Rows = append(p.Rows, tokens.Row{
			Name: t.Name, Scope: t.Scope, Jobs: t.Jobs, User: t.Owner, Created: view.DateTime(t.Created), Expires: view.NearTime(l, t.Expires, now),
			Used: view.AgoTime(t.Used, now), Expired: !now.Before(t.Expires), Unused: t.Used.IsZero(), RevokeHref: pageui.NamedPath(console.TokensRoute, t.ID, "revoke"),
		})
	}
	role := console.Caller(c).Role
	for _, scope := range auth.Scopes {
		if role.Includes(scope.Role()) {
			typed.Scopes = append(typed.Scopes, string(scope))
		}
	}
	typed.Scope, typed.Days = cmp.Or(typed.Scope, string(auth.ScopeRead)), cmp.Or(typed.Days, tokens.DefaultDays)
	typed.Curl = s.Curl(c, http.MethodPost, "/api/tokens", nil, `{"name":"…","scope":"read","jobs":"*"}`)
	p.Form = &typed
	p.Frame.Scripts = append(p.Frame.Scripts, "copy.js")
	s.Render(c, status, tokens.List(p))
}

// addTokenFromPage is the form's target. The token is on the page that it answers with
// and nowhere else.
func (s *Pages) addTokenFromPage(c *gin.Context) {
	typed := tokens.Form{Name: c.PostForm("name"), Scope: c.PostForm("scope"), Jobs: c.PostForm("jobs"), Days: c.PostForm("days")}
	if console.Resumed(c) {
		s.showTokens(c, http.StatusOK, typed, nil)
		return
	}
	in := api.TokenRequest{Name: typed.Name, Scope: typed.Scope, Jobs: typed.Jobs}
	if days, err := strconv.Atoi(cmp.Or(typed.Days, tokens.DefaultDays)); err == nil && days > -1000 && days < 1000 {
		in.ExpiresAt = s.Now().AddDate(0, 0, days).UTC().Format(time.RFC3339)
	} else {
		in.ExpiresAt = view.Clip(typed.Days, 40)
	}
	l := i18n.From(c.Request.Context())
	t, token, err := s.programTokens().Add(c, in)
	if err != nil {
		p := console.AsProblem(err)
		if p.Status() >= http.StatusInternalServerError {
			s.Fail(c, p)
			return
		}
		console.Refused(c, p.Code)
		s.showTokens(c, p.Status(), typed, nil, pageui.FormNotice(l, p, "token-refused"))
		return
	}
	var notices []ui.Notice
	if warning := s.programTokens().Warning(c, l, t); warning != "" {
		notices = append(notices, ui.Notice{Tone: ui.ToneWarn, Heading: warning, TestID: "token-warning"})
	}
	try := "TOKEN=" + token + "\n" + s.Curl(c, http.MethodGet, "/api/jobs", nil, "")
	s.showTokens(c, http.StatusOK, tokens.Form{}, &tokens.Made{Name: t.Name, Token: token, Try: try}, notices...)
}

// revokeTokenPage asks before a token is revoked.
func (s *Pages) revokeTokenPage(c *gin.Context) {
	t, err := s.programTokens().Find(c, c.Param("token"))
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	used := l.TokensRevokeNever()
	if !t.Used.IsZero() {
		used = l.TokensRevokeUsed(view.DateTime(t.Used).Text)
	}
	s.Render(c, http.StatusOK, tokens.Revoke(tokens.RevokeProps{
		Frame: s.Frame(c, l.TokensRevokeTitle(t.Name), console.AreaRegistries), Name: t.Name, Action: pageui.NamedPath(console.TokensRoute, t.ID, "revoke"),
		Effects: []string{l.TokensRevokeEffect(), used, l.TokensRevokeUndo()},
		Curl:    s.Curl(c, http.MethodDelete, "/api/tokens/"+t.ID, nil, ""),
	}))
}

// revokeTokenFromPage is the target of that form.
func (s *Pages) revokeTokenFromPage(c *gin.Context) {
	if c.PostForm("confirm") != "yes" || console.Resumed(c) {
		s.Note(c, slog.String("order", "revoke token"))
		console.Refused(c, "not_confirmed")
		s.revokeTokenPage(c)
		return
	}
	t, err := s.programTokens().Revoke(c, c.Param("token"))
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).TokensRevoked(t.Name)})
	s.Redirect(c, console.TokensRoute)
}
