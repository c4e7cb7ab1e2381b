package console

import (
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
)

// identifyProgram finds who a token for programs speaks for, and notes that it was used.
func (s *Console) identifyProgram(c *gin.Context, raw string) (who auth.Identity, why auth.Denial, err error) {
	id, ok := auth.ProgramTokenID(raw)
	if !ok || s.opts.Settings == nil {
		return who, auth.ProgramUnknown, nil
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := s.opts.Settings.ProgramToken(ctx, id)
	switch {
	case errors.Is(err, settings.ErrNotFound):
		return who, auth.ProgramUnknown, nil
	case err != nil:
		return who, "", err
	}
	if who, why = s.Auth.VerifyProgram(raw, stored); why == "" {
		if err := s.opts.Settings.UseProgramToken(ctx, stored, s.Now()); err != nil {
			s.outage(c, "settings_unavailable", "the last use of a token for programs could not be stored", err)
		}
	}
	return who, why, nil
}

// refusedProgram is the answer to a token for programs that may not call a route, with
// the missing scope, role or job; nil if it may, and for people.
func refusedProgram(c *gin.Context, r Route, who auth.Identity) *Problem {
	by := who.Program
	refuse := func(message, hint func(i18n.Lang) string) *Problem {
		return Problem{Kind: KindForbidden, Code: "token_scope"}.SaidAs(message, hint)
	}
	switch {
	case by.Token == "":
		return nil
	case r.inPerson:
		return refuse(i18n.Lang.TokensInPerson, i18n.Lang.TokensInPersonHint)
	case !by.Scope.Role().Includes(r.Access.role()):
		return refuse(func(l i18n.Lang) string {
			return l.TokensScopeLacks(string(by.Scope), string(r.Access.role().Scope()))
		}, i18n.Lang.TokensScopeLacksHint)
	case !who.Role.Includes(r.Access.role()):
		return refuse(func(l i18n.Lang) string {
			return l.TokensOwnerLacks(who.Name, roleName(who.Role, l), roleName(r.Access.role(), l))
		}, i18n.Lang.TokensOwnerLacksHint)
	case by.Jobs == allJobs || r.jobs != byAddress:
		return nil
	case c.Param("job") == "":
		return refuse(func(l i18n.Lang) string { return l.TokensNotOneJob(by.Jobs) }, i18n.Lang.TokensNotOneJobHint)
	}
	name, err := url.PathUnescape(c.Param("job"))
	if err != nil {
		return nil // the handler refuses the name
	}
	return MayJob(c, name)
}

// MayJob returns why the caller's token doesn't cover a job; nil if it does, and for
// people.
func MayJob(c *gin.Context, job string) *Problem {
	by := Caller(c).Program
	if by.Token == "" || auth.MatchJobs(by.Jobs, job) {
		return nil
	}
	return Problem{Kind: KindForbidden, Code: "token_scope"}.Said(func(l i18n.Lang) (string, string) {
		return l.TokensOtherJob(by.Jobs, strconv.Quote(view.Clip(job, 100))), l.TokensNotOneJobHint()
	})
}

// allJobs is the pattern of every job.
const allJobs = "*"

// ProgramTokens are the tokens for programs. Operators have their own; admins see and
// revoke everybody's.
type ProgramTokens struct{ Console *Console }

// Body is a token as callers see it.
func (p ProgramTokens) Body(t settings.ProgramToken) api.Token {
	body := api.Token{
		ID: t.ID, Name: t.Name, Scope: t.Scope, Jobs: t.Jobs, User: t.Owner, CreatedAt: view.IsoTime(t.Created),
		ExpiresAt: view.IsoTime(t.Expires), Expired: !p.Console.Now().Before(t.Expires),
	}
	if !t.Used.IsZero() {
		body.LastUsedAt = view.IsoTime(t.Used)
	}
	return body
}

// Read reads the tokens that the caller may revoke.
func (p ProgramTokens) Read(c *gin.Context) ([]settings.ProgramToken, error) {
	s := p.Console
	if s.opts.Settings == nil {
		return nil, NoSettings()
	}
	owner := Caller(c).Name
	if May(c, Configures) {
		owner = ""
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	list, err := s.opts.Settings.ProgramTokens(ctx, owner)
	if err != nil {
		return nil, SettingProblem(err, nil)
	}
	return list, nil
}

// Find reads one of the tokens that the caller may revoke.
func (p ProgramTokens) Find(c *gin.Context, id string) (settings.ProgramToken, error) {
	s := p.Console
	absent := NotFound("", "").SaidAs(i18n.Lang.TokensAbsent, i18n.Lang.ProblemNothingChanged)
	if s.opts.Settings == nil {
		return settings.ProgramToken{}, NoSettings()
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	t, err := s.opts.Settings.ProgramToken(ctx, id)
	switch {
	case err != nil:
		return t, SettingProblem(err, absent)
	case !t.RevokedAt.IsZero() || t.Owner != Caller(c).Name && !May(c, Configures):
		return t, absent
	}
	return t, nil
}

// Add makes a token for the caller. The text of it is nowhere else.
func (p ProgramTokens) Add(c *gin.Context, in api.TokenRequest) (t settings.ProgramToken, token string, err error) {
	s, who := p.Console, Caller(c)
	s.Note(c, slog.String("order", "create token"), slog.String("target", view.Clip(in.Name, 100)),
		slog.String("scope", view.Clip(in.Scope, 20)), slog.String("jobs", view.Clip(in.Jobs, settings.MaxJobsPattern)))
	if s.opts.Settings == nil {
		return t, "", NoSettings()
	}
	t, problem := p.check(in, who)
	if problem != nil {
		return t, "", problem
	}
	token, t.ID, t.Hash = auth.NewProgramToken()
	ctx, cancel := s.own(c)
	defer cancel()
	err = s.opts.Settings.AddProgramToken(ctx, t)
	switch {
	case errors.Is(err, settings.ErrExists):
		return t, "", SettingExists(i18n.Lang.TokensKind, t.Name)
	case errors.Is(err, settings.ErrTooMany):
		return t, "", Problem{Kind: KindConflict, Code: "conflict"}.Said(func(l i18n.Lang) (string, string) {
			return l.TokensTooMany(settings.MaxProgramTokens), l.TokensTooManyHint()
		})
	case err != nil:
		return t, "", SettingProblem(err, nil)
	}
	return t, token, nil
}

// check makes a token of a request, or returns everything that is wrong with it.
func (p ProgramTokens) check(in api.TokenRequest, who auth.Identity) (settings.ProgramToken, *Problem) {
	now := p.Console.Now()
	t := settings.ProgramToken{
		Name: strings.TrimSpace(in.Name), Owner: who.Name, OwnerRole: string(who.Role), Scope: in.Scope, Jobs: strings.TrimSpace(in.Jobs),
		Created: now, Expires: now.Add(auth.ProgramLifetime),
	}
	if t.Jobs == "" {
		t.Jobs = allJobs
	}
	var fields []FieldBody
	wrong := func(field, value, want string) {
		fields = append(fields, FieldBody{Field: field, Value: view.Clip(value, 200), Want: want})
	}
	if want := WrongName(t.Name); want != "" {
		wrong("name", t.Name, want)
	} else if utf8.RuneCountInString(t.Name) > settings.MaxProgramTokenName {
		wrong("name", t.Name, fmt.Sprintf("at most %d characters", settings.MaxProgramTokenName))
	}
	switch scope := auth.Scope(t.Scope); {
	case !slices.Contains(auth.Scopes, scope):
		wrong("scope", t.Scope, "read, operate or configure")
	case !who.Role.Includes(scope.Role()):
		wrong("scope", t.Scope, fmt.Sprintf("at most %s, because the account can't do more", who.Role.Scope()))
	}
	switch {
	case utf8.RuneCountInString(t.Jobs) > settings.MaxJobsPattern:
		wrong("jobs", t.Jobs, fmt.Sprintf("at most %d characters", settings.MaxJobsPattern))
	case strings.ContainsFunc(t.Jobs, func(r rune) bool { return !unicode.IsPrint(r) || r == '/' || r == unicode.ReplacementChar }):
		wrong("jobs", t.Jobs, "characters that can be printed, and no slash")
	}
	if in.ExpiresAt != "" {
		at, err := time.Parse(time.RFC3339, in.ExpiresAt)
		if err != nil || !at.After(now) || at.After(now.Add(auth.MaxProgramLifetime)) {
			wrong("expiresAt", in.ExpiresAt, fmt.Sprintf("a time such as %s, in the future and at most 366 days away", view.IsoTime(t.Expires)))
		}
		t.Expires = at.UTC()
	}
	if len(fields) == 0 {
		return t, nil
	}
	problem := InvalidAs(i18n.Lang.TokensWrong, i18n.Lang.ProblemWrongFieldsHint)
	problem.Fields = fields
	return t, problem
}

// Warning is about a token that fits no job of the registry of the command line now;
// empty if it fits some, or if that isn't known.
func (p ProgramTokens) Warning(c *gin.Context, l i18n.Lang, t settings.ProgramToken) string {
	if t.Jobs == allJobs {
		return ""
	}
	ctx, cancel := p.Console.Reading(c)
	defer cancel()
	jobs, err := p.Console.opts.Jobs.Jobs(ctx)
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

// Revoke makes a token worthless at once, also on every other console of the database.
func (p ProgramTokens) Revoke(c *gin.Context, id string) (settings.ProgramToken, error) {
	s := p.Console
	s.Note(c, slog.String("order", "revoke token"), slog.String("target", view.Clip(id, 100)))
	t, err := p.Find(c, id)
	if err != nil {
		return t, err
	}
	s.Note(c, slog.String("target", t.Name))
	ctx, cancel := s.own(c)
	defer cancel()
	if err := s.opts.Settings.RevokeProgramToken(ctx, id, s.Now()); err != nil {
		return t, SettingProblem(err, NotFound("", "").SaidAs(i18n.Lang.TokensAbsent, i18n.Lang.ProblemNothingChanged))
	}
	s.streams.endOf(id)
	return t, nil
}
