package rest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
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
func (s *API) login(c *gin.Context) {
	var in loginRequest
	if err := readJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	acc, wait, ok := s.SignIn(c, in.Username, in.Password)
	if wait > 0 {
		s.Fail(c, console.TooMany(auth.RetryAfter(wait)))
		return
	}
	if !ok {
		s.Fail(c, console.WrongPasswordProblem())
		return
	}
	token, expires, err := s.Auth.Issue(acc, auth.ForAPI)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteBare(c, http.StatusOK, newLoginResponse(acc.Name, acc.Role, token, expires))
}

// readJSON reads a request's body into v. Fields v does not have are ignored:
// ElasticJob's clients send more than we use.
func readJSON(c *gin.Context, v any) error {
	d := json.NewDecoder(c.Request.Body)
	var value json.RawMessage
	err := d.Decode(&value)
	if err == nil && string(value) != "null" {
		err = json.Unmarshal(value, v)
	}
	limit, exceeded := errors.AsType[*http.MaxBytesError](err)
	switch {
	case exceeded:
		return console.TooLarge(limit.Limit)
	case errors.Is(err, io.EOF):
		return console.Malformed("The request has no body.", "Send a JSON object.")
	case string(value) == "null":
		return console.Malformed("The body is null.", "Send a JSON object.")
	case err != nil:
		return console.Malformed("The body is not the JSON object expected here.", err.Error())
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return console.Malformed("There is more than one JSON value in the body.", "Send one object.")
	}
	return nil
}

// logout is the same for a bearer token.
func (s *API) logout(c *gin.Context) {
	if err := s.GiveUp(c, console.Caller(c)); err != nil {
		s.Fail(c, err)
		return
	}
	console.Done(c)
}
