package rest

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
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// cloudJobConfigBody is the configuration of a job alone. It has all of upstream's fields,
// with the empty ones.
type cloudJobConfigBody struct {
	cloud.Job
	Cron             string            `json:"cron"`
	ShardParameters  string            `json:"shardingItemParameters"`
	Parameter        string            `json:"jobParameter"`
	StrategyType     string            `json:"jobShardingStrategyType"`
	ExecutorType     string            `json:"jobExecutorServiceHandlerType"`
	ErrorHandlerType string            `json:"jobErrorHandlerType"`
	Description      string            `json:"description"`
	Props            map[string]string `json:"props"`
}

func jobConfigBody(j cloud.Job) cloudJobConfigBody {
	if j.Props == nil {
		j.Props = map[string]string{}
	}
	return cloudJobConfigBody{j, j.Cron, j.ShardParameters, j.Parameter, j.StrategyType, j.ExecutorType, j.ErrorHandlerType, j.Description, j.Props}
}

// registerJob stores a job of upstream's document.
func (a cloudAPI) registerJob(c *gin.Context, at *console.Cloud) error {
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
func (a cloudAPI) updateJob(c *gin.Context, at *console.Cloud) error {
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
func (a cloudAPI) deregisterJob(c *gin.Context, at *console.Cloud) error {
	var name string
	if c.Param("job") != "" {
		var err error
		if name, err = console.CloudName(c, "job"); err != nil {
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
func (a cloudAPI) known(c *gin.Context, at *console.Cloud, name string) error {
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

func (a cloudAPI) jobIsDisabled(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "job")
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
func (a cloudAPI) switchedJob(disabled bool) cloudHandler {
	return func(c *gin.Context, at *console.Cloud) error {
		if _, err := a.switchJob(c, at, disabled); err != nil {
			return err
		}
		return yes(c)
	}
}

// namedTriggerRequest asks for a run of the job that it names.
type namedTriggerRequest struct {
	JobName string `json:"jobName"`
	cloudTriggerRequest
	// Items are the shards, in upstream's word.
	Items []int `json:"items,omitempty"`
}

// triggerNamed runs the job that the body names once. A body that is a name is answered as
// upstream does, an object with the run that will be.
func (a cloudAPI) triggerNamed(c *gin.Context, at *console.Cloud) error {
	body, err := readBody(c)
	if err != nil {
		return err
	}
	var in namedTriggerRequest
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
	r, err := a.requestIn(c, in.cloudTriggerRequest)
	if err != nil {
		return err
	}
	run, err := a.ask(c, at, in.JobName, r)
	switch {
	case err != nil:
		return err
	case object:
		console.WriteJSON(c, http.StatusAccepted, cloudTriggerBody{run})
		return nil
	}
	return yes(c)
}

func (a cloudAPI) upstreamJobs(c *gin.Context, at *console.Cloud) error {
	if !at.Seen.Synced() {
		return errNotSynced
	}
	list := []cloudJobConfigBody{}
	for _, d := range at.Seen.Jobs() {
		if !hidden(c, at, d.Job.Namespace) {
			list = append(list, jobConfigBody(a.jobJSON(c, at, d).Job))
		}
	}
	console.WriteJSON(c, http.StatusOK, list)
	return nil
}

func (a cloudAPI) upstreamJobDetail(c *gin.Context, at *console.Cloud) error {
	name, err := console.CloudName(c, "job")
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
