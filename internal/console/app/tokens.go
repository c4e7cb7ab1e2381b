package app

import (
	"errors"
	"net/url"
	"strconv"

	"github.com/gin-gonic/gin"

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
	case by.Jobs == auth.AllJobs || r.jobs != byAddress:
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
