package rest

import (
	"encoding/json"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
)

// parametersBody is what parameters a job takes, and the agent that said so.
type parametersBody struct {
	Schema json.RawMessage `json:"schema"`
	By     string          `json:"by"`
	At     string          `json:"at,omitempty"`
}

// parameters answers with the schema of a job's parameters; 204 if nobody has said.
func (s requestAPI) parameters(c *gin.Context) {
	job, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	schema, err := s.Schema(c, job)
	switch {
	case err != nil:
		s.Fail(c, err)
	case len(schema.Text) == 0:
		c.Status(http.StatusNoContent)
	default:
		console.WriteJSON(c, http.StatusOK, parametersBody{Schema: schema.Text, By: schema.By, At: optionalTime(schema.At)})
	}
}
