package rest

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// The addresses of upstream's own scheduler, of its releases 2.x and 3.x and of its separate
// console.
const (
	upstreamAppRoute     = "/api/app"
	upstreamJobRoute     = "/api/job"
	upstreamOperateRoute = "/api/operate"
	upstreamOneApp       = upstreamAppRoute + "/:app"
	upstreamJob          = upstreamJobRoute + "/:job"
	upstreamEvents       = upstreamJobRoute + "/events"
	upstreamStatistics   = upstreamJobRoute + "/statistics"
)

// upstreamRoutes are the addresses of upstream's own scheduler, for programs that were
// written for it: bodies and answers have its field names. What it does silently, as with a
// name that is unknown, is refused with the reason.
func (s *API) upstreamRoutes() []console.Route {
	a := cloudAPI{s.Console}
	read := func(path string, handle cloudHandler) console.Route {
		return console.Get(path, signedIn, none, a.with(handle))
	}
	change := func(method func(string, console.Access, console.Touches, gin.HandlerFunc) console.Route, path string, who console.Access, handle cloudHandler) console.Route {
		return method(path, who, none, a.with(handle)).WithBody(maxCloudBody)
	}
	return []console.Route{
		change(console.Post, upstreamAppRoute, configure, a.registerApp),
		change(console.Post, upstreamAppRoute+"/register", configure, a.registerApp),
		change(console.Put, upstreamAppRoute, configure, a.updateApp),
		change(console.Post, upstreamAppRoute+"/update", configure, a.updateApp),
		read(upstreamAppRoute+"/list", a.upstreamApps),
		read(upstreamOneApp, a.upstreamAppDetail),
		read(upstreamOneApp+"/disable", a.appIsDisabled),
		change(console.Post, upstreamOneApp+"/disable", operate, a.switchedApp(true)),
		change(console.Delete, upstreamOneApp+"/disable", operate, a.switchedApp(false)),
		change(console.Post, upstreamOneApp+"/enable", operate, a.switchedApp(false)),
		change(console.Delete, upstreamOneApp, configure, a.deregisterApp),
		change(console.Post, upstreamJobRoute+"/register", configure, a.registerJob),
		change(console.Put, upstreamJobRoute+"/update", configure, a.updateJob),
		change(console.Post, upstreamJobRoute+"/update", configure, a.updateJob),
		change(console.Delete, upstreamJobRoute+"/deregister", configure, a.deregisterJob),
		change(console.Delete, upstreamJob+"/deregister", configure, a.deregisterJob),
		read(upstreamJob+"/disable", a.jobIsDisabled),
		change(console.Post, upstreamJob+"/disable", operate, a.switchedJob(true)),
		change(console.Delete, upstreamJob+"/disable", operate, a.switchedJob(false)),
		change(console.Post, upstreamJob+"/enable", operate, a.switchedJob(false)),
		change(console.Post, upstreamJobRoute+"/trigger", operate, a.triggerNamed),
		read(upstreamJobRoute+"/jobs", a.upstreamJobs),
		read(upstreamJobRoute+"/jobs/:job", a.upstreamJobDetail),
		read(upstreamJobRoute+"/tasks/running", a.runningTasks),
		read(upstreamJobRoute+"/tasks/ready", a.readyTasks),
		read(upstreamJobRoute+"/tasks/failover", a.failoverTasks),
		console.Get(upstreamEvents+"/executions", signedIn, hist, s.cloudExecutions),
		console.Post(upstreamEvents+"/executions", signedIn, hist, s.cloudExecutions),
		console.Get(upstreamEvents+"/statusTraces", signedIn, hist, s.cloudStatuses),
		console.Post(upstreamEvents+"/statusTraces", signedIn, hist, s.cloudStatuses),
		console.Get(upstreamStatistics+"/tasks/running", signedIn, hist, cloudCounts(s, tasksRunning, week, rdb.Hour)),
		console.Get(upstreamStatistics+"/jobs/running", signedIn, hist, cloudCounts(s, jobsRunning, week, rdb.Hour)),
		console.Get(upstreamStatistics+"/jobs/register", signedIn, hist, cloudCounts(s, jobsRegistered, 52*week, rdb.Day)),
		read(upstreamStatistics+"/jobs/executionType", a.executionTypes),
		read(upstreamStatistics+"/jobs/type", a.jobTypes),
		change(console.Post, upstreamOperateRoute+"/reconcile/explicit", operate, a.reconcile(false)),
		change(console.Post, upstreamOperateRoute+"/reconcile/implicit", operate, a.reconcile(true)),
		read(upstreamOperateRoute+"/sandbox", a.sandbox),
	}
}

// fromUpstream reports whether a client of upstream's scheduler asks: its header is no other
// client's.
func fromUpstream(c *gin.Context) bool { return c.GetHeader("accessToken") != "" }

// yes is upstream's answer to a request that was carried out. It has no room for warnings about the
// document, so the header Warning has them.
func yes(c *gin.Context, warnings ...string) error {
	for _, text := range warnings {
		c.Writer.Header().Add("Warning", "299 - "+strconv.QuoteToASCII(text))
	}
	console.WriteJSON(c, http.StatusOK, true)
	return nil
}

// orNothing answers a client of upstream that asks for something unknown as it expects:
// with null. Everybody else gets 404.
func orNothing(c *gin.Context, err error, otherwise any) error {
	if !fromUpstream(c) || !errors.Is(err, cloud.ErrNotFound) {
		return err
	}
	console.WriteJSON(c, http.StatusOK, otherwise)
	return nil
}

// nameInBody is a body that is a name, as it is or as a JSON text.
func nameInBody(body []byte) (string, error) {
	name := strings.TrimSpace(string(body))
	var text *string
	if err := json.Unmarshal([]byte(name), &text); err == nil {
		name = ""
		if text != nil {
			name = *text
		}
	}
	if name == "" || strings.HasPrefix(name, "{") || strings.HasPrefix(name, "[") {
		return "", console.Malformed("The body is not the name of a job.", "Send the name alone, as it is or as a JSON text.")
	}
	return name, nil
}

// readBody reads a whole body that need not be JSON.
func readBody(c *gin.Context) ([]byte, error) {
	body, err := io.ReadAll(c.Request.Body)
	if limit, exceeded := errors.AsType[*http.MaxBytesError](err); exceeded {
		return nil, console.TooLarge(limit.Limit)
	}
	if err != nil {
		return nil, console.Malformed("The body cannot be read.", err.Error())
	}
	if len(body) == 0 && len(c.Request.PostForm) == 1 {
		// A name that was sent as a form, as curl does by itself, has been
		// read as the name of a field.
		for name, values := range c.Request.PostForm {
			if len(values) == 1 && values[0] == "" {
				return []byte(name), nil
			}
		}
	}
	return body, nil
}

// upstreamDocument reads a document that a client of upstream has written: null is a field
// that is absent, and forms send numbers and switches as texts.
func upstreamDocument(c *gin.Context, of any) (map[string]json.RawMessage, error) {
	var document map[string]json.RawMessage
	if err := console.ReadJSON(c, &document); err != nil {
		return nil, err
	}
	kinds := fieldKinds(of)
	for field, value := range document {
		if string(value) == "null" {
			delete(document, field)
			continue
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			continue
		}
		_, notNumber := strconv.ParseFloat(text, 64)
		_, notSwitch := strconv.ParseBool(text)
		switch kind := kinds[field]; {
		case (kind == reflect.Int || kind == reflect.Float64) && notNumber == nil, kind == reflect.Bool && notSwitch == nil:
			document[field] = json.RawMessage(strings.ToLower(text))
		}
	}
	return document, nil
}

// fieldKinds are the kinds of the fields of a struct, by their JSON names.
func fieldKinds(of any) map[string]reflect.Kind {
	kinds := make(map[string]reflect.Kind)
	for f := range reflect.TypeOf(of).Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue // It is no part of the document.
		}
		kinds[name] = f.Type.Kind()
	}
	return kinds
}

// textOf is a field of a document as a text; empty if it is none.
func textOf(document map[string]json.RawMessage, field string) string {
	var text string
	_ = json.Unmarshal(document[field], &text) // What is no text is refused when the document is read.
	return text
}

// namedIn is the name that a document must have.
func namedIn(document map[string]json.RawMessage, field string) (string, error) {
	name := textOf(document, field)
	if name == "" {
		return "", console.CloudInvalid(console.FieldBody{Field: field, Want: "the name of what is to be changed"})
	}
	return name, nil
}

// replaces reports whether fields that are absent fall back to their defaults, as upstream
// has it, instead of staying.
func replaces(c *gin.Context) (bool, error) {
	switch text := c.Query("replace"); text {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	default:
		return false, console.CloudInvalid(console.FieldBody{Field: "replace", Value: view.Clip(text, 60), Want: "true or false"})
	}
}

// keepUnknown moves the fields of a job that have no effect here into compat, where the
// store keeps them: those of 2.x, such as jobClass.
func keepUnknown(document map[string]json.RawMessage, job *cloud.Job) {
	known := fieldKinds(cloud.Job{})
	for field, value := range document {
		if _, ok := known[field]; ok {
			continue
		}
		delete(document, field)
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = string(value)
		}
		if job.Compat == nil {
			job.Compat = make(map[string]string)
		}
		job.Compat[field] = text
	}
}

// switchesOf are fields of documents that say what a switch of an operator says; upstream
// has them beside the document.
var switchesOf = []string{"disabled", "disabledRuns"}

// withoutSwitches removes them: a client that reads, changes and writes a whole document
// means none of them.
func withoutSwitches(document map[string]json.RawMessage) {
	for field := range document {
		if slices.Contains(switchesOf, field) {
			delete(document, field)
		}
	}
}
