package rest

import (
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
)

type loginRequest struct {
	Username string `json:"username"`
	Password string `json:"password"`
}

type loginResponse struct {
	Username    string `json:"username"`
	AccessToken string `json:"accessToken"`
	ExpiresAt   string `json:"expiresAt"`
	// The rest is for clients of ElasticJob's 3.x console, which sign in without
	// a sign of who they are and look for an envelope: a success is both.
	Success   bool       `json:"success"`
	ErrorCode int        `json:"errorCode"`
	ErrorMsg  *string    `json:"errorMsg"`
	Model     loginModel `json:"model"`
}

type loginModel struct {
	Username    string `json:"username"`
	AccessToken string `json:"accessToken"`
	IsGuest     bool   `json:"isGuest"`
}

func newLoginResponse(name string, role auth.Role, token string, expires time.Time) loginResponse {
	return loginResponse{
		Username: name, AccessToken: token, ExpiresAt: view.IsoTime(expires), Success: true,
		Model: loginModel{Username: name, AccessToken: token, IsGuest: role == auth.RoleGuest},
	}
}

// login gives a token for a name and a password.
func (s *API) login(c *gin.Context) error {
	var in loginRequest
	if err := app.ReadJSON(c, &in); err != nil {
		return err
	}
	acc, wait, ok := s.SignIn(c, in.Username, in.Password)
	if wait > 0 {
		return app.TooMany(auth.RetryAfter(wait))
	}
	if !ok {
		return app.WrongPasswordProblem()
	}
	token, expires, err := s.Auth.Issue(acc, auth.ForAPI)
	if err != nil {
		return err
	}
	app.WriteBare(c, http.StatusOK, newLoginResponse(acc.Name, acc.Role, token, expires))
	return nil
}

// logout is the same for a bearer token.
func (s *API) logout(c *gin.Context) error {
	if err := s.GiveUp(c, app.Caller(c)); err != nil {
		return err
	}
	app.Done(c)
	return nil
}
