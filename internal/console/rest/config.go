package rest

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// maxConfigBody is the most a configuration may have: what fits a node.
const maxConfigBody = 1 << 20

// configRoute is where configurations are written to.
const configRoute = "/api/jobs/config"

// config answers with a job's configuration. Its ETag names this state of
// it; sent back as If-Match, it keeps a change from undoing somebody else's.
func (s *API) config(c *gin.Context) {
	name, err := console.JobName(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	stored, err := s.RegistryOf(c).Operator.StoredConfig(ctx, name)
	if err != nil {
		s.Fail(c, s.configProblem(c, name, stored, err))
		return
	}
	c.Header("ETag", etag(stored))
	console.WriteJSON(c, http.StatusOK, console.ConfigBody(c, stored.Config))
}

// putConfig changes a job's configuration. What the body does not name stays
// as it is.
func (s *API) putConfig(c *gin.Context) {
	var body map[string]json.RawMessage
	if err := console.ReadJSON(c, &body); err != nil {
		s.Fail(c, err)
		return
	}
	if body == nil {
		s.Fail(c, console.Malformed("The body is not the JSON object expected here.", "Send what GET "+configRoute+"/{job} answers, with your changes."))
		return
	}
	revision, err := ifMatch(c.GetHeader("If-Match"))
	if err != nil {
		s.Fail(c, err)
		return
	}
	name, err := editor.TextOf(body["jobName"])
	if body["jobName"] == nil || err != nil || jobtree.ValidateNodeName(name) != nil {
		// There is no job to look at; say at once what else is wrong.
		blank := jobconfig.New(name, 1)
		s.Fail(c, console.InvalidConfig(name, errors.Join(editor.Apply(blank, body), lifecycle.ValidateConfig(blank))))
		return
	}
	before, after, err := s.Configure(c, console.ConfigChange{Job: name, Revision: revision, Reason: strings.TrimSpace(c.Query("reason")), Edit: func(config *jobconfig.Config) error {
		stored := config.Clone()
		return errors.Join(editor.Apply(config, body), editor.Unmask(stored, config))
	}})
	if err != nil {
		p := s.configProblem(c, name, before, err)
		for _, f := range p.Fields {
			s.Note(c, slog.String("field", f.Field))
		}
		s.Fail(c, p)
		return
	}
	c.Header("ETag", etag(after))
	console.Done(c)
}

func etag(stored lifecycle.StoredConfig) string { return `"` + stored.Revision() + `"` }

// ifMatch reads an If-Match header: the revision it names, "" for any.
func ifMatch(header string) (string, error) {
	header = strings.TrimSpace(header)
	if header == "" || header == "*" {
		return "", nil
	}
	revision := strings.Trim(header, `"`)
	if len(revision) != len(header)-2 || revision == "" || strings.ContainsAny(revision, `",`) {
		return "", console.Malformed("The header If-Match is not one ETag.", "Send the ETag of the GET that it is based on as it was, in quotes.")
	}
	return revision, nil
}

// configProblem translates an error about a configuration; the answer to a stale
// change has the ETag of what is stored.
func (s *API) configProblem(c *gin.Context, job string, stored lifecycle.StoredConfig, err error) *console.Problem {
	based := c.GetHeader("If-Match") != ""
	if stale, ok := errors.AsType[*lifecycle.StaleConfigError](err); ok && based {
		c.Header("ETag", etag(stale.Stored))
	}
	return s.ConfigProblem(c, job, based, stored, err)
}
