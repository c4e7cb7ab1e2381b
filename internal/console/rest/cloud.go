package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

const (
	cloudRoute = "/api/cloud"
	cloudApp   = cloudRoute + "/apps/:app"
	cloudJob   = cloudRoute + "/jobs/:job"
	cloudRun   = cloudRoute + "/runs/:run"
	// maxCloudBody is the most that an application, a job or a request may have: their
	// texts have bounds of their own, of at most 96 KiB each.
	maxCloudBody = 512 << 10
)

// cloudAPI answers the routes of ElasticJob-Cloud.
type cloudAPI struct{ *console.Console }

// cloudHandler answers a request about ElasticJob-Cloud, or says why not.
type cloudHandler func(c *gin.Context, at *console.Cloud) error

// cloudRoutes are about the applications and jobs of ElasticJob-Cloud, whose shards are
// processes.
func (s *API) cloudRoutes() []console.Route {
	a := cloudAPI{s.Console}
	read := func(path string, handle cloudHandler) console.Route {
		return console.Get(path, signedIn, none, a.with(handle))
	}
	change := func(method func(string, console.Access, console.Touches, gin.HandlerFunc) console.Route, path string, who console.Access, handle cloudHandler) console.Route {
		return method(path, who, none, a.with(handle)).WithBody(maxCloudBody)
	}
	return []console.Route{
		read(cloudRoute, a.overview),
		read(cloudRoute+"/apps", a.apps),
		change(console.Post, cloudRoute+"/apps", configure, a.createApp),
		read(cloudApp, a.app),
		change(console.Put, cloudApp, configure, a.changeApp),
		change(console.Post, cloudApp+"/disable", operate, a.disableApp),
		change(console.Post, cloudApp+"/enable", operate, a.enableApp),
		change(console.Delete, cloudApp, configure, a.deleteApp),
		read(cloudRoute+"/jobs", a.jobs),
		change(console.Post, cloudRoute+"/jobs", configure, a.createJob),
		read(cloudJob, a.job),
		read(cloudJob+"/manifest", a.manifest),
		change(console.Put, cloudJob, configure, a.changeJob),
		change(console.Post, cloudJob+"/trigger", operate, a.trigger),
		change(console.Post, cloudJob+"/disable", operate, a.disableJob),
		change(console.Post, cloudJob+"/enable", operate, a.enableJob),
		change(console.Delete, cloudJob, configure, a.deleteJob),
		console.Post(cloudRoute+"/apply", configure, none, a.with(a.apply)).WithBody(maxDocumentsBody),
		console.Post(cloudRoute+"/import", configure, none, a.with(a.importTree)).WithBody(maxDocumentsBody),
		read(cloudRoute+"/runs", a.runs),
		read(cloudRun, a.run),
		read(cloudRoute+"/tasks/:task/log", a.log),
		change(console.Post, cloudRun+"/suspend", operate, a.suspendRun),
		change(console.Post, cloudRun+"/resume", operate, a.resumeRun),
		change(console.Post, cloudRun+"/kill", operate, a.killRun),
		change(console.Post, cloudRun+"/items/:item/kill", operate, a.killShard),
		change(console.Post, cloudRun+"/rerun", operate, a.rerun),
		console.Post(event.Path, anyone, none, a.with(a.events(newReportLimits()))).WithBody(event.MaxBytes),
	}
}

// with is a handler that is answered with 404 where ElasticJob-Cloud is off, and for its
// error otherwise.
func (a cloudAPI) with(handle cloudHandler) gin.HandlerFunc {
	return func(c *gin.Context) {
		at, err := console.CloudOf(a.Console)
		if err == nil {
			err = a.inNamespace(c, at)
		}
		if err == nil {
			err = handle(c, at)
		}
		if err != nil {
			p := console.CloudProblem(err)
			for _, f := range p.Fields {
				a.Note(c, slog.String("field", f.Field))
			}
			a.Fail(c, p)
		}
	}
}

// hidesSecrets reports whether an answer hides what may be a secret: from whoever only looks,
// and where something was sent, which comes back in no form.
func hidesSecrets(c *gin.Context) bool {
	return !console.May(c, console.Configures) || c.Request.Method != http.MethodGet
}

// errNotSynced is why a list is not answered.
var errNotSynced = console.ErrCloudNotSynced

// cloudBody says what schedules and what it can do.
type cloudBody struct {
	Engine       string                `json:"engine"`
	Version      string                `json:"version,omitempty"`
	Leader       bool                  `json:"leader"`
	Synced       bool                  `json:"synced"`
	Trouble      string                `json:"trouble,omitempty"`
	Capabilities cloudCapabilitiesBody `json:"capabilities"`
	// Namespaces are those of a cluster that are served, if there are several: that of what is
	// made without naming one first.
	Namespaces []string `json:"namespaces,omitempty"`
	Apps       int      `json:"apps"`
	Jobs       int      `json:"jobs"`
	Runs       int      `json:"runs"`
}

type cloudCapabilitiesBody struct {
	Suspend   bool `json:"suspend"`
	Daemons   bool `json:"daemons"`
	Logs      bool `json:"logs"`
	MaxShards int  `json:"maxShards"`
}

// overview answers with what there is.
func (a cloudAPI) overview(c *gin.Context, at *console.Cloud) error {
	can, trouble := at.Engine.Capabilities(), ""
	if _, err := at.Seen.Health(); err != nil {
		trouble = mask.Text(err.Error())
	}
	var namespaces []string
	if at.Several() {
		namespaces = at.Namespaces
	}
	console.WriteJSON(c, http.StatusOK, cloudBody{
		Namespaces: namespaces,
		Engine:     can.Engine, Version: can.Version, Leader: at.Seen.Leads(), Synced: at.Seen.Synced(), Trouble: trouble,
		Capabilities: cloudCapabilitiesBody{Suspend: can.Suspend, Daemons: can.Daemons, Logs: can.Logs, MaxShards: can.MaxShards},
		Apps:         len(at.Seen.Apps()), Jobs: len(at.Seen.Jobs()), Runs: len(at.Seen.Runs("")),
	})
	return nil
}

// wayOff is what becomes of runs that go on when something is switched off; the audit has it.
func (a cloudAPI) wayOff(c *gin.Context, at *console.Cloud, disabled bool) (cloud.Way, error) {
	if !disabled {
		return "", nil
	}
	way, err := at.Way(c.DefaultQuery("running", "kill"), console.CloudWays)
	if err == nil {
		a.Note(c, slog.String("running", string(way)))
	}
	return way, err
}

// boundedQuery is a whole number of the query.
func boundedQuery(c *gin.Context, name string, otherwise, least, most int) (int, error) {
	return boundedIn(c.Request.URL.Query(), name, otherwise, least, most)
}

// boundedIn is a whole number of a query string.
func boundedIn(v url.Values, name string, otherwise, least, most int) (int, error) {
	text := v.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, console.CloudInvalid(console.FieldBody{Field: name, Value: view.Clip(text, 60), Want: fmt.Sprintf("a whole number from %d to %d", least, most)})
	}
	return n, nil
}

// decodeFields reads a document over what into has already: fields that are absent stay.
// forget is called with each field before it is read, so that a map is replaced and not
// merged. The error names every field that is wrong.
func decodeFields(c *gin.Context, into any, forget func(field string)) error {
	var document map[string]json.RawMessage
	if err := console.ReadJSON(c, &document); err != nil {
		return err
	}
	return putFields(document, into, forget)
}

// putFields is decodeFields of a document that was read.
func putFields(document map[string]json.RawMessage, into any, forget func(field string)) error {
	var wrong []console.FieldBody
	for _, field := range view.SortedKeys(document) {
		forget(field)
		one, err := json.Marshal(map[string]json.RawMessage{field: document[field]})
		if err != nil {
			return console.Internal(err)
		}
		d := json.NewDecoder(bytes.NewReader(one))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			// Not its value: that may be a secret of the environment.
			wrong = append(wrong, console.FieldBody{Field: view.Clip(field, 100), Want: wantedOf(err)})
		}
	}
	if len(wrong) > 0 {
		return console.CloudInvalid(wrong[:min(len(wrong), 50)]...)
	}
	return nil
}

// wantedOf says what a field that cannot be decoded should be.
func wantedOf(err error) string {
	wrongType, ok := errors.AsType[*json.UnmarshalTypeError](err)
	if !ok {
		return "no field of this name: it is unknown here"
	}
	switch wrongType.Type.Kind() {
	case reflect.Bool:
		return "true or false"
	case reflect.Int:
		return "a whole number"
	case reflect.Float64:
		return "a number"
	case reflect.Slice:
		return "a list of texts"
	case reflect.Map:
		return "an object of texts"
	}
	return "a text"
}

// basedOn refuses a change that is based on something else than what is stored, as its header
// If-Match says.
func basedOn(c *gin.Context, stored any) error {
	revision, err := ifMatch(c.GetHeader("If-Match"))
	if err != nil || revision == "" || revision == console.CloudRevision(stored) {
		return err
	}
	tagCloud(c, stored)
	return &console.Problem{
		Kind: console.KindStale, Code: "stale_config", Message: "Something else is stored than what this change is based on.",
		Hint: "The header ETag names it: read it again, and make the change to that.",
	}
}

// tagCloud names what is stored, for If-Match. Whoever only looks changes nothing, and gets
// nothing by which a secret could be guessed.
func tagCloud(c *gin.Context, stored any) {
	if !console.May(c, console.Configures) {
		return
	}
	c.Header("ETag", `"`+console.CloudRevision(stored)+`"`)
}

// rename refuses a document whose name is another one than that of the address.
func rename(field, name, address string) error {
	if strings.TrimSpace(name) == address {
		return nil
	}
	return console.CloudInvalid(console.FieldBody{Field: field, Value: view.Clip(name, 100), Want: strconv.Quote(address) + ", as in the address: names never change"})
}
