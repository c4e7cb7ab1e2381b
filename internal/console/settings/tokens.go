package settings

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	stored "github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// tokens are the tokens for programs. Operators have their own; admins see and revoke all.
type tokens struct{ *app.Console }

// routes are their REST routes and their page. Tokens for programs can't call them.
func (s tokens) routes() []app.Route {
	const operates, own = app.Operates, app.TheSettings
	const rest, page = api.TokensPath, app.TokensRoute
	return []app.Route{
		app.Get(rest, operates, own, s.get).InPerson(),
		app.Post(rest, operates, own, s.post).InPerson(),
		app.Delete(rest+"/:token", operates, own, s.delete).InPerson(),

		app.Get(page, operates, own, s.page).Asks().InPerson(),
		app.Post(page, operates, own, s.addFromPage).Resumes().InPerson(),
		app.Get(page+"/:token/revoke", operates, own, s.revokePage).Asks().InPerson(),
		app.Post(page+"/:token/revoke", operates, own, s.revokeFromPage).Resumes().InPerson(),
	}
}

// get answers with the tokens that the caller may revoke.
func (s tokens) get(c *gin.Context) error {
	list, err := s.read(c)
	bodies := []api.Token{}
	for _, t := range list {
		bodies = append(bodies, s.body(t))
	}
	return app.Answer(c, bodies, err)
}

// post makes a token for the caller.
func (s tokens) post(c *gin.Context) error {
	var in api.TokenRequest
	if err := app.ReadJSON(c, &in); err != nil {
		return err
	}
	t, text, err := s.add(c, in)
	if err != nil {
		return err
	}
	warning := s.warning(c, i18n.English, t)
	app.WriteJSON(c, http.StatusCreated, api.NewToken{Token: s.body(t), Text: text, Warning: warning})
	return nil
}

// delete revokes a token.
func (s tokens) delete(c *gin.Context) error {
	if _, err := s.revoke(c, c.Param("token")); err != nil {
		return err
	}
	app.Done(c)
	return nil
}

func tokenAbsent() *app.Problem {
	return app.NotFound("", "").SaidAs(i18n.Lang.TokensAbsent, i18n.Lang.ProblemNothingChanged)
}

// body is a token as callers see it.
func (s tokens) body(t stored.ProgramToken) api.Token {
	body := api.Token{
		ID: t.ID, Name: t.Name, Scope: t.Scope, Jobs: t.Jobs, User: t.Owner, CreatedAt: view.IsoTime(t.Created),
		ExpiresAt: view.IsoTime(t.Expires), Expired: !s.Now().Before(t.Expires),
	}
	if !t.Used.IsZero() {
		body.LastUsedAt = view.IsoTime(t.Used)
	}
	return body
}

// read reads the tokens that the caller may revoke.
func (s tokens) read(c *gin.Context) ([]stored.ProgramToken, error) {
	if s.Options().Settings == nil {
		return nil, app.NoSettings()
	}
	owner := app.Caller(c).Name
	if app.May(c, app.Configures) {
		owner = ""
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.Options().Settings.ProgramTokens(ctx, owner)
	if err != nil {
		return nil, app.SettingProblem(err, nil)
	}
	return list, nil
}

// find reads one of the tokens that the caller may revoke.
func (s tokens) find(c *gin.Context, id string) (stored.ProgramToken, error) {
	absent := tokenAbsent()
	if s.Options().Settings == nil {
		return stored.ProgramToken{}, app.NoSettings()
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	t, err := s.Options().Settings.ProgramToken(ctx, id)
	switch {
	case err != nil:
		return t, app.SettingProblem(err, absent)
	case !t.RevokedAt.IsZero() || t.Owner != app.Caller(c).Name && !app.May(c, app.Configures):
		return t, absent
	}
	return t, nil
}

// add makes a token for the caller. Its text is returned here and nowhere else.
func (s tokens) add(c *gin.Context, in api.TokenRequest) (t stored.ProgramToken, token string, err error) {
	who := app.Caller(c)
	s.Note(c, slog.String("order", "create token"), slog.String("target", view.Clip(in.Name, 100)),
		slog.String("scope", view.Clip(in.Scope, 20)), slog.String("jobs", view.Clip(in.Jobs, stored.MaxJobsPattern)))
	if s.Options().Settings == nil {
		return t, "", app.NoSettings()
	}
	t, problem := s.check(in, who)
	if problem != nil {
		return t, "", problem
	}
	token, t.ID, t.Hash = auth.NewProgramToken()
	ctx, cancel := s.Storing(c)
	defer cancel()
	err = s.Options().Settings.AddProgramToken(ctx, t)
	switch {
	case errors.Is(err, stored.ErrExists):
		return t, "", app.SettingExists(i18n.Lang.TokensKind, t.Name)
	case errors.Is(err, stored.ErrTooMany):
		return t, "", app.Problem{Kind: app.KindConflict, Code: "conflict"}.Said(func(l i18n.Lang) (string, string) {
			return l.TokensTooMany(stored.MaxProgramTokens), l.TokensTooManyHint()
		})
	case err != nil:
		return t, "", app.SettingProblem(err, nil)
	}
	return t, token, nil
}

// check makes a token of a request, or returns everything that is wrong with it.
func (s tokens) check(in api.TokenRequest, who auth.Identity) (stored.ProgramToken, *app.Problem) {
	now := s.Now()
	t := stored.ProgramToken{
		Name: strings.TrimSpace(in.Name), Owner: who.Name, OwnerRole: string(who.Role), Scope: in.Scope,
		Jobs:    strings.TrimSpace(in.Jobs),
		Created: now, Expires: now.Add(auth.ProgramLifetime),
	}
	if t.Jobs == "" {
		t.Jobs = auth.AllJobs
	}
	var wrong wrongFields
	if want := app.WrongName(t.Name); want != "" {
		wrong.add("name", t.Name, want)
	} else if utf8.RuneCountInString(t.Name) > stored.MaxProgramTokenName {
		wrong.add("name", t.Name, fmt.Sprintf("at most %d characters", stored.MaxProgramTokenName))
	}
	switch scope := auth.Scope(t.Scope); {
	case !slices.Contains(auth.Scopes, scope):
		wrong.add("scope", t.Scope, "read, operate or configure")
	case !who.Role.Includes(scope.Role()):
		wrong.add("scope", t.Scope, fmt.Sprintf("at most %s, because the account can't do more", who.Role.Scope()))
	}
	switch {
	case utf8.RuneCountInString(t.Jobs) > stored.MaxJobsPattern:
		wrong.add("jobs", t.Jobs, fmt.Sprintf("at most %d characters", stored.MaxJobsPattern))
	case strings.ContainsFunc(t.Jobs, app.NotInName):
		wrong.add("jobs", t.Jobs, "characters that can be printed, and no slash")
	}
	if in.ExpiresAt != "" {
		at, err := time.Parse(time.RFC3339, in.ExpiresAt)
		if err != nil || !at.After(now) || at.After(now.Add(auth.MaxProgramLifetime)) {
			example := view.IsoTime(t.Expires)
			wrong.add("expiresAt", in.ExpiresAt, "a time such as "+example+", in the future and at most 366 days away")
		}
		t.Expires = at.UTC()
	}
	if len(wrong) == 0 {
		return t, nil
	}
	problem := app.InvalidAs(i18n.Lang.TokensWrong, i18n.Lang.ProblemWrongFieldsHint)
	problem.Fields = wrong
	return t, problem
}

// warning is about a token that covers no job of the registry of the command line now; empty if it
// covers some, or if that isn't known.
func (s tokens) warning(c *gin.Context, l i18n.Lang, t stored.ProgramToken) string {
	if t.Jobs == auth.AllJobs {
		return ""
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	jobs, err := s.Options().Jobs.Jobs(ctx)
	if err != nil {
		return ""
	}
	for _, job := range jobs {
		if auth.MatchJobs(t.Jobs, job.Name) {
			return ""
		}
	}
	return l.TokensMatchNothing(t.Jobs)
}

// revoke makes a token worthless at once, also on every other console of the database.
func (s tokens) revoke(c *gin.Context, id string) (stored.ProgramToken, error) {
	s.Note(c, slog.String("order", "revoke token"), slog.String("target", view.Clip(id, 100)))
	t, err := s.find(c, id)
	if err != nil {
		return t, err
	}
	s.Note(c, slog.String("target", t.Name))
	ctx, cancel := s.Storing(c)
	defer cancel()
	if err := s.Options().Settings.RevokeProgramToken(ctx, id, s.Now()); err != nil {
		return t, app.SettingProblem(err, tokenAbsent())
	}
	s.EndStreamsOf(id)
	return t, nil
}
