package config

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/lifecycle"
)

// get answers with a job's configuration. Its ETag names the revision; sent back as If-Match, it
// protects the change of another caller.
func (s configs) get(c *gin.Context) error {
	_, stored, err := s.read(c)
	if err != nil {
		return err
	}
	c.Header("ETag", etag(stored))
	app.WriteJSON(c, http.StatusOK, app.ConfigBody(c, stored.Config))
	return nil
}

// read reads the configuration that the address names.
func (s configs) read(c *gin.Context) (job string, stored lifecycle.StoredConfig, err error) {
	if job, err = app.JobName(c); err != nil {
		return job, stored, err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if stored, err = s.RegistryOf(c).Operator.StoredConfig(ctx, job); err != nil {
		err = s.problem(c, job, stored, err)
	}
	return job, stored, err
}

// put changes a configuration. Keys that the body doesn't have stay as they are.
func (s configs) put(c *gin.Context) error {
	var body map[string]json.RawMessage
	if err := app.ReadJSON(c, &body); err != nil {
		return err
	}
	if body == nil {
		return app.Malformed("The body is not the JSON object expected here.", "Send what GET "+apiRoute+"/{job} answers, with your changes.")
	}
	revision, err := app.IfMatch(c.GetHeader("If-Match"))
	if err != nil {
		return err
	}
	name, err := editor.TextOf(body["jobName"])
	if body["jobName"] == nil || err != nil || jobtree.ValidateNodeName(name) != nil {
		// There's no job to look at, so name all other problems at once.
		blank := jobconfig.New(name, 1)
		return app.InvalidConfig(name, errors.Join(editor.Apply(blank, body), lifecycle.ValidateConfig(blank)))
	}
	before, after, err := s.Configure(c, app.ConfigChange{Job: name, Revision: revision, Reason: reasonOf(c), Edit: func(config *jobconfig.Config) error {
		stored := config.Clone()
		return errors.Join(editor.Apply(config, body), editor.Unmask(stored, config))
	}})
	if err != nil {
		p := s.problem(c, name, before, err)
		for _, f := range p.Fields {
			s.Note(c, slog.String("field", f.Field))
		}
		return p
	}
	c.Header("ETag", etag(after))
	app.Done(c)
	return nil
}

// post stores the configuration of a job that isn't registered yet. The answer doesn't have it,
// because it may have secrets.
func (s configs) post(c *gin.Context) error {
	var body map[string]json.RawMessage
	if err := app.ReadJSON(c, &body); err != nil {
		return err
	}
	name, err := editor.TextOf(body["jobName"])
	config := jobconfig.New(name, 1)
	if err = errors.Join(err, editor.Apply(config, body)); err != nil {
		return app.InvalidConfig(name, err)
	}
	stored, err := s.CreateJob(c, config, strings.TrimSpace(c.Query("class")), reasonOf(c))
	if err != nil {
		return s.ConfigProblem(c, jobtree.Clip(name, 100), false, stored, err)
	}
	c.Header("ETag", etag(stored))
	app.WriteJSON(c, http.StatusCreated, api.CreatedJob{JobName: name})
	return nil
}

// postPreview answers with the consequences of a PUT with the same body, and stores nothing.
func (s configs) postPreview(c *gin.Context) error {
	var body map[string]json.RawMessage
	if _, err := app.JobName(c); err != nil {
		return err
	} else if err := app.ReadJSON(c, &body); err != nil {
		return err
	}
	name, stored, err := s.read(c)
	if err != nil {
		return err
	}
	after := stored.Config.Clone()
	err = errors.Join(editor.Apply(after, body), editor.Unmask(stored.Config, after))
	if err = errors.Join(err, lifecycle.ValidateChange(stored.Config, after)); err != nil {
		return app.InvalidConfig(name, err)
	}
	if err := s.MayChange(stored.Config, after); err != nil {
		return err
	}
	text, err := after.Encode()
	if err != nil {
		return app.Invalid("The configuration cannot be written: "+view.Clip(err.Error(), 200)+".", "Nothing was stored.")
	}
	answer := api.ConfigPreview{
		JobName: name, Revision: stored.Revision(), Changed: append([]string{}, editor.Changed(stored.Config, after)...),
		Document: string(text), Effects: []api.ConfigEffect{}, Schedule: s.scheduleBody(c, name, after),
	}
	for _, e := range effects(i18n.English, stored.Config, after, s.facts(c, name, stored.Config, after)) {
		answer.Effects = append(answer.Effects, api.ConfigEffect{Code: e.Code, Text: e.Text})
	}
	app.WriteJSON(c, http.StatusOK, answer)
	return nil
}

// getVersions answers with the configurations of a job that were saved in the console, newest first.
func (s configs) getVersions(c *gin.Context) error {
	name, err := app.JobName(c)
	if err != nil {
		return err
	}
	list, err := s.ReadVersions(c, name)
	if err != nil {
		return err
	}
	rows := []api.ConfigVersion{}
	for _, v := range list {
		row := api.ConfigVersion{Revision: v.Revision, At: app.OptionalTime(v.At), User: v.User, Reason: v.Reason, Document: v.Document}
		if config, err := jobconfig.Decode([]byte(v.Document)); err == nil {
			row.Config = app.ConfigBody(c, config)
		}
		rows = append(rows, row)
	}
	app.WriteJSON(c, http.StatusOK, rows)
	return nil
}

func etag(stored lifecycle.StoredConfig) string { return `"` + stored.Revision() + `"` }

func reasonOf(c *gin.Context) string { return strings.TrimSpace(c.Query("reason")) }

// problem translates an error about a configuration. The answer to a stale change has the ETag of
// the stored revision.
func (s configs) problem(c *gin.Context, job string, stored lifecycle.StoredConfig, err error) *app.Problem {
	based := c.GetHeader("If-Match") != ""
	if stale, ok := errors.AsType[*lifecycle.StaleConfigError](err); ok && based {
		c.Header("ETag", etag(stale.Stored))
	}
	return s.ConfigProblem(c, job, based, stored, err)
}
