package console

import (
	"log/slog"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/gin-gonic/gin"
)

// wrongPassword is the one answer to a wrong name and to a wrong password.
const wrongPassword = "Wrong username or password."

func wrongPasswordProblem() *problem {
	return &problem{kind: kindUnauthorized, code: "wrong_password", message: wrongPassword, hint: "The accounts are those of auth.properties."}
}

// signIn tries a password with which a session is to begin: one more than an
// account may begin has to wait.
func (s *Console) signIn(c *gin.Context, username, password string) (acc auth.Account, wait time.Duration, ok bool) {
	acc, wait, ok = s.checkPassword(c, username, password)
	if !ok {
		return acc, wait, false
	}
	if wait = s.auth.Admit(acc.Name); wait > 0 {
		refused(c, "too_many_attempts")
		return auth.Account{}, wait, false
	}
	return acc, 0, true
}

// checkPassword is the one place where passwords are tried: throttled, logged,
// and with the same answer for an unknown account and a wrong password.
func (s *Console) checkPassword(c *gin.Context, username, password string) (acc auth.Account, wait time.Duration, ok bool) {
	s.note(c, slog.String("account", view.Clip(username, 64)))
	ctx, cancel := s.reading(c)
	defer cancel()
	acc, verdict, wait := s.auth.Check(ctx, username, password, remote(c))
	switch verdict {
	case auth.Right:
		s.log.InfoContext(c, "login", slog.String("remote", remote(c)), slog.String("user", acc.Name))
		return acc, 0, true
	case auth.Throttled:
		s.log.WarnContext(c, "login throttled", slog.Bool("authentication_failed", true),
			slog.String("remote", remote(c)), slog.String("user", view.Clip(username, 64)))
		refused(c, "too_many_attempts")
	case auth.Busy:
		refused(c, "too_many_attempts")
	default:
		s.log.WarnContext(c, "login failed", slog.Bool("authentication_failed", true),
			slog.String("remote", remote(c)), slog.String("user", view.Clip(username, 64)))
		refused(c, "wrong_password")
	}
	return auth.Account{}, wait, false
}
