package rest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
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
	writeModel(c, http.StatusOK, configJSON(stored.Config, console.Caller(c).Role == auth.RoleRoot))
}

// putConfig changes a job's configuration. What the body does not name stays
// as it is.
func (s *API) putConfig(c *gin.Context) {
	var body map[string]json.RawMessage
	if err := readJSON(c, &body); err != nil {
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
	name, err := textOf(body["jobName"])
	if body["jobName"] == nil || err != nil || jobtree.ValidateNodeName(name) != nil {
		// There is no job to look at; say at once what else is wrong.
		blank := jobconfig.New(name, 1)
		s.Fail(c, invalidConfig(name, errors.Join(applyConfig(blank, body), lifecycle.ValidateConfig(blank))))
		return
	}
	s.Note(c, slog.String("order", "configure"), slog.String("target", name))
	// The change outlives a browser that goes away, as actions do.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), s.Options().ActionTimeout)
	defer cancel()
	before, after, err := s.RegistryOf(c).Operator.EditConfig(ctx, name, revision, func(config *jobconfig.Config) error {
		stored := config.Clone()
		if err := errors.Join(applyConfig(config, body), unmask(stored, config)); err != nil {
			return err
		}
		return s.mayChange(stored, config)
	})
	if err != nil {
		p := s.configProblem(c, name, before, err)
		for _, f := range p.Fields {
			s.Note(c, slog.String("field", f.Field))
		}
		s.Fail(c, p)
		return
	}
	// Keys only: values may be secrets.
	s.Note(c, slog.String("before", before.Revision()), slog.String("after", after.Revision()),
		slog.Any("changed", changedKeys(before.Config, after.Config)))
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
		return "", console.Malformed("The header If-Match is not one ETag.", "Send the ETag of GET "+configRoute+"/{job} as it was, in quotes.")
	}
	return revision, nil
}

// configProblem translates an error about a configuration.
func (s *API) configProblem(c *gin.Context, job string, stored lifecycle.StoredConfig, err error) *console.Problem {
	if refused, ok := errors.AsType[*console.Problem](err); ok { // of our own, in what edited the configuration
		return refused
	}
	stale, isStale := errors.AsType[*lifecycle.StaleConfigError](err)
	switch {
	case isStale && c.GetHeader("If-Match") != "":
		p := &console.Problem{
			Kind: console.KindStale, Code: "stale_config", Cause: err,
			Message: fmt.Sprintf("Somebody changed the configuration of %s since you read it. Nothing was stored.", job),
			Hint:    "The answer has what is stored now, and its ETag. Make your change to that.",
		}
		c.Header("ETag", etag(stale.Stored))
		if stale.Stored.Config != nil {
			p.Stored = configJSON(stale.Stored.Config, console.Caller(c).Role == auth.RoleRoot)
		}
		return p
	case errors.Is(err, lifecycle.ErrInvalid) && len(lifecycle.FieldErrors(err)) > 0:
		return invalidConfig(job, err)
	case errors.Is(err, lifecycle.ErrInvalid) && stored.Raw != nil && stored.Config == nil:
		return &console.Problem{
			Kind: console.KindConflict, Code: "config_unreadable", Cause: err,
			Message: fmt.Sprintf("The configuration of %s cannot be read: %s", job, console.Because(err)),
			Hint:    fmt.Sprintf("Agents cannot read it either. GET %s shows the stored text; repair the node in ZooKeeper.", console.JobPath("/api/jobs", job)),
		}
	}
	return s.ActionProblem(c, console.Action{Verb: "configure"}, console.Target{Job: job}, err)
}

// invalidConfig names every field that cannot be taken.
func invalidConfig(job string, err error) *console.Problem {
	p := console.Invalid(fmt.Sprintf("The configuration of %q cannot be stored.", view.Clip(job, 100)), "Correct the fields named. Nothing was stored.")
	p.Cause = err
	p.Fields = console.FieldBodies(lifecycle.FieldErrors(err))
	return p
}
