package cloud

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

func jobConfigBody(j cloud.Job) api.CloudJobConfig {
	if j.Props == nil {
		j.Props = map[string]string{}
	}
	return api.CloudJobConfig{Job: j, Cron: j.Cron, ShardParameters: j.ShardParameters, Parameter: j.Parameter, StrategyType: j.StrategyType, ExecutorType: j.ExecutorType, ErrorHandlerType: j.ErrorHandlerType, Description: j.Description, Props: j.Props}
}

// registerJob stores a job of upstream's document.
func (a cloudAPI) registerJob(c *gin.Context, at *Cloud) error {
	document, err := upstreamDocument(c, cloud.Job{})
	if err != nil {
		return err
	}
	job := cloud.NewJob("", "", 0)
	keepUnknown(document, &job)
	if err := putFields(document, &job, func(string) {}); err != nil {
		return err
	}
	if app, err := a.readApp(c, at, job.AppName); err == nil && app.Disabled {
		return fmt.Errorf("application %q is disabled; enable it first: %w", app.Name, cloud.ErrRefused)
	}
	made, err := a.addJob(c, at, job)
	if err != nil {
		return err
	}
	return yes(c, a.jobJSON(c, at, made).Warnings...)
}

// updateJob changes the job that the document names.
func (a cloudAPI) updateJob(c *gin.Context, at *Cloud) error {
	document, err := upstreamDocument(c, cloud.Job{})
	if err != nil {
		return err
	}
	withoutSwitches(document)
	name, err := namedIn(document, "jobName")
	if err != nil {
		return err
	}
	a.Note(c, slog.String("target", name))
	whole, err := replaces(c)
	if err != nil {
		return err
	}
	stored, err := a.readJob(c, at, name)
	if err != nil {
		return err
	}
	wanted := stored.Job.Clone()
	if whole {
		wanted = cloud.NewJob(name, "", 0)
		wanted.Disabled = stored.Job.Disabled
	}
	keepUnknown(document, &wanted)
	if err := putFields(document, &wanted, func(field string) {
		switch field {
		case "props":
			wanted.Props = nil
		case "compat":
			wanted.Compat = nil
		}
	}); err != nil {
		return err
	}
	changed, err := a.storeJob(c, at, stored.Job, wanted)
	if err != nil {
		return err
	}
	return yes(c, a.jobJSON(c, at, changed).Warnings...)
}

// deregisterJob removes the job that the address or, as with 2.x, the body names.
func (a cloudAPI) deregisterJob(c *gin.Context, at *Cloud) error {
	var name string
	if c.Param("job") != "" {
		var err error
		if name, err = nameOf(c, "job"); err != nil {
			return err
		}
	} else {
		body, err := readBody(c)
		if err != nil {
			return err
		}
		if name, err = nameInBody(body); err != nil {
			return err
		}
		if err := a.known(c, at, name); err != nil {
			return err
		}
	}
	if err := a.remove(c, at, cloud.KindJob, name); err != nil {
		return err
	}
	return yes(c)
}

// known makes sure that there is a job of a name that a body has. The audit has the name
// then, and neither it nor the answer has another body: that may be anything.
func (a cloudAPI) known(c *gin.Context, at *Cloud, name string) error {
	err := jobtree.ValidateNodeName(name)
	if err == nil {
		_, err = a.readJob(c, at, name)
	} else {
		err = cloud.ErrNotFound
	}
	switch {
	case errors.Is(err, cloud.ErrNotFound):
		return fmt.Errorf("the job that the body names: %w", cloud.ErrNotFound)
	case err == nil:
		a.Note(c, slog.String("target", name))
	}
	return err
}

func (a cloudAPI) jobIsDisabled(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "job")
	if err != nil {
		return err
	}
	d, err := a.readJob(c, at, name)
	if err != nil {
		return orNothing(c, err, true) // Upstream takes an unknown job for a disabled one.
	}
	console.WriteJSON(c, http.StatusOK, d.Job.Disabled)
	return nil
}

// switchedJob switches a job and answers as upstream does.
func (a cloudAPI) switchedJob(disabled bool) handler {
	return func(c *gin.Context, at *Cloud) error {
		if _, err := a.switchJob(c, at, disabled); err != nil {
			return err
		}
		return yes(c)
	}
}

// triggerNamed runs the job that the body names once. A body that is a name is answered as
// upstream does, an object with the run that will be.
func (a cloudAPI) triggerNamed(c *gin.Context, at *Cloud) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	var in api.NamedTriggerRequest
	object := bytes.HasPrefix(bytes.TrimSpace(body), []byte("{"))
	if object {
		var document map[string]json.RawMessage
		if err := json.Unmarshal(body, &document); err != nil {
			return console.Malformed("The body is not the JSON object expected here.", err.Error())
		}
		if err := putFields(document, &in, func(string) {}); err != nil {
			return err
		}
	} else if in.JobName, err = nameInBody(body); err != nil {
		return err
	}
	if err := a.known(c, at, in.JobName); err != nil {
		return err
	}
	if in.Shards == nil {
		in.Shards = in.Items
	}
	r, err := a.requestIn(c, in.CloudTriggerRequest)
	if err != nil {
		return err
	}
	run, err := a.ask(c, at, in.JobName, r)
	switch {
	case err != nil:
		return err
	case object:
		console.WriteJSON(c, http.StatusAccepted, api.CloudTrigger{Run: run})
		return nil
	}
	return yes(c)
}

func (a cloudAPI) upstreamJobs(c *gin.Context, at *Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []api.CloudJobConfig{}
	for _, d := range at.Seen.Jobs() {
		if !hidden(c, at, d.Job.Namespace) {
			list = append(list, jobConfigBody(a.jobJSON(c, at, d).Job))
		}
	}
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

func (a cloudAPI) upstreamJobDetail(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "job")
	if err != nil {
		return err
	}
	d, err := a.readJob(c, at, name)
	if err != nil {
		return orNothing(c, err, nil)
	}
	console.WriteJSON(c, http.StatusOK, jobConfigBody(a.jobJSON(c, at, d).Job))
	return nil
}
