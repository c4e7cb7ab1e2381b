package app

import (
	"log/slog"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

// WrongPassword is the one answer to a wrong name and to a wrong password.
const WrongPassword = "Wrong username or password."

// WrongPasswordProblem is the answer of the API to a wrong name or password.
func WrongPasswordProblem() *Problem {
	return &Problem{Kind: KindUnauthorized, Code: "wrong_password", Message: WrongPassword, Hint: "The accounts are those of auth.properties."}
}

// SignIn tries a password with which a session is to begin: one more than an
// account may begin has to wait.
func (s *Console) SignIn(c *gin.Context, username, password string) (acc auth.Account, wait time.Duration, ok bool) {
	acc, wait, ok = s.checkPassword(c, username, password)
	if !ok {
		return acc, wait, false
	}
	if wait = s.Auth.Admit(acc.Name); wait > 0 {
		Refused(c, "too_many_attempts")
		return auth.Account{}, wait, false
	}
	return acc, 0, true
}

// checkPassword is the one place where passwords are tried: throttled, logged,
// and with the same answer for an unknown account and a wrong password.
func (s *Console) checkPassword(c *gin.Context, username, password string) (acc auth.Account, wait time.Duration, ok bool) {
	s.Note(c, slog.String("account", view.Clip(username, 64)))
	ctx, cancel := s.Reading(c)
	defer cancel()
	acc, verdict, wait := s.Auth.Check(ctx, username, password, Remote(c))
	switch verdict {
	case auth.Right:
		s.LogSignIn(c, acc.Name)
		return acc, 0, true
	case auth.Throttled:
		s.Log.WarnContext(c, "login throttled", slog.Bool("authentication_failed", true),
			slog.String("remote", Remote(c)), slog.String("user", view.Clip(username, 64)))
		Refused(c, "too_many_attempts")
	case auth.Busy:
		Refused(c, "too_many_attempts")
	default:
		s.Log.WarnContext(c, "login failed", slog.Bool("authentication_failed", true),
			slog.String("remote", Remote(c)), slog.String("user", view.Clip(username, 64)))
		Refused(c, "wrong_password")
	}
	return auth.Account{}, wait, false
}
