package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// createdBody names what was created: what was sent is not sent back, for it may
// hold secrets.
type createdBody struct {
	JobName string `json:"jobName"`
}

// createConfig stores the configuration of a job that nobody has registered yet.
func (s *API) createConfig(c *gin.Context) {
	var body map[string]json.RawMessage
	if err := console.ReadJSON(c, &body); err != nil {
		s.Fail(c, err)
		return
	}
	name, err := editor.TextOf(body["jobName"])
	config := jobconfig.New(name, 1)
	if err = errors.Join(err, editor.Apply(config, body)); err != nil {
		s.Fail(c, console.InvalidConfig(name, err))
		return
	}
	stored, err := s.CreateJob(c, config, strings.TrimSpace(c.Query("class")), strings.TrimSpace(c.Query("reason")))
	if err != nil {
		s.Fail(c, s.ConfigProblem(c, jobtree.Clip(name, 100), false, stored, err))
		return
	}
	c.Header("ETag", etag(stored))
	console.WriteJSON(c, http.StatusCreated, createdBody{JobName: name})
}
