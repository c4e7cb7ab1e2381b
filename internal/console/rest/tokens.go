package rest

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

const tokensRoute = "/api/tokens"

func (s *API) programTokens() console.ProgramTokens {
	return console.ProgramTokens{Console: s.Console}
}

// tokens answers with the tokens for programs that the caller may revoke.
func (s *API) tokens(c *gin.Context) {
	list, err := s.programTokens().Read(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	bodies := []api.Token{}
	for _, t := range list {
		bodies = append(bodies, s.programTokens().Body(t))
	}
	console.WriteJSON(c, http.StatusOK, bodies)
}

// addToken makes a token for the caller.
func (s *API) addToken(c *gin.Context) {
	var in api.TokenRequest
	if err := console.ReadJSON(c, &in); err != nil {
		s.Fail(c, err)
		return
	}
	t, token, err := s.programTokens().Add(c, in)
	if err != nil {
		s.Fail(c, err)
		return
	}
	console.WriteJSON(c, http.StatusCreated, api.NewToken{
		Token: s.programTokens().Body(t), Text: token, Warning: s.programTokens().Warning(c, i18n.English, t),
	})
}

// revokeToken makes a token worthless.
func (s *API) revokeToken(c *gin.Context) {
	if _, err := s.programTokens().Revoke(c, c.Param("token")); err != nil {
		s.Fail(c, err)
		return
	}
	console.Done(c)
}
