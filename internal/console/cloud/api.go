package cloud

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
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

const (
	apiRoute = "/api/cloud"
	apiApp   = apiRoute + "/apps/:app"
	apiJob   = apiRoute + "/jobs/:job"
	apiRun   = apiRoute + "/runs/:run"
	// maxCloudBody is the most that an application, a job or a request may have: their
	// texts have bounds of their own, of at most 96 KiB each.
	maxBody = 512 << 10
)

// cloudAPI answers the routes of ElasticJob-Cloud.
type cloudAPI struct{ *console.Console }

// cloudHandler answers a request about ElasticJob-Cloud, or says why not.
type handler func(c *gin.Context, at *Cloud) error

// cloudRoutes are about the applications and jobs of ElasticJob-Cloud, whose shards are
// processes.
func (a cloudAPI) routes() []console.Route {

	read := func(path string, handle handler) console.Route {
		return console.Get(path, console.SignedIn, 0, a.with(handle))
	}
	change := func(method func(string, console.Access, console.Touches, gin.HandlerFunc) console.Route, path string, who console.Access, handle handler) console.Route {
		return method(path, who, 0, a.with(handle)).WithBody(maxBody)
	}
	return []console.Route{
		read(apiRoute, a.overview),
		read(apiRoute+"/apps", a.apps),
		change(console.Post, apiRoute+"/apps", console.Configures, a.createApp),
		read(apiApp, a.app),
		change(console.Put, apiApp, console.Configures, a.changeApp),
		change(console.Post, apiApp+"/disable", console.Operates, a.disableApp),
		change(console.Post, apiApp+"/enable", console.Operates, a.enableApp),
		change(console.Delete, apiApp, console.Configures, a.deleteApp),
		read(apiRoute+"/jobs", a.jobs),
		change(console.Post, apiRoute+"/jobs", console.Configures, a.createJob),
		read(apiJob, a.job),
		read(apiJob+"/manifest", a.manifest),
		change(console.Put, apiJob, console.Configures, a.changeJob),
		change(console.Post, apiJob+"/trigger", console.Operates, a.trigger),
		change(console.Post, apiJob+"/disable", console.Operates, a.disableJob),
		change(console.Post, apiJob+"/enable", console.Operates, a.enableJob),
		change(console.Delete, apiJob, console.Configures, a.deleteJob),
		console.Post(apiRoute+"/apply", console.Configures, 0, a.with(a.apply)).WithBody(maxDocumentsBody),
		console.Post(apiRoute+"/import", console.Configures, 0, a.with(a.importTree)).WithBody(maxDocumentsBody),
		read(apiRoute+"/runs", a.runs),
		read(apiRun, a.run),
		read(apiRoute+"/tasks/:task/log", a.log),
		change(console.Post, apiRun+"/suspend", console.Operates, a.suspendRun),
		change(console.Post, apiRun+"/resume", console.Operates, a.resumeRun),
		change(console.Post, apiRun+"/kill", console.Operates, a.killRun),
		change(console.Post, apiRun+"/items/:item/kill", console.Operates, a.killShard),
		change(console.Post, apiRun+"/rerun", console.Operates, a.rerun),
		console.Post(event.Path, console.Anyone, 0, a.with(a.events(newReportLimits()))).WithBody(event.MaxBytes),
	}
}

// with is a handler that is answered with 404 where ElasticJob-Cloud is off, and for its
// error otherwise.
func (a cloudAPI) with(handle handler) gin.HandlerFunc {
	return func(c *gin.Context) {
		at, err := cloudOf(a.Console)
		if err == nil {
			err = a.inNamespace(c, at)
		}
		if err == nil {
			err = handle(c, at)
		}
		if err != nil {
			p := problemOf(err)
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

// overview answers with what there is.
func (a cloudAPI) overview(c *gin.Context, at *Cloud) error {
	can, trouble := at.Engine.Capabilities(), ""
	if _, err := at.Seen.Health(); err != nil {
		trouble = mask.Text(err.Error())
	}
	var namespaces []string
	if at.Several() {
		namespaces = at.Namespaces
	}
	console.WriteJSON(c, http.StatusOK, api.Cloud{
		Namespaces: namespaces,
		Engine:     can.Engine, Version: can.Version, Leader: at.Seen.Leads(), Synced: at.Seen.Synced(), Trouble: trouble,
		Capabilities: api.CloudCapabilities{Suspend: can.Suspend, Daemons: can.Daemons, Logs: can.Logs, MaxShards: can.MaxShards},
		Apps:         len(at.Seen.Apps()), Jobs: len(at.Seen.Jobs()), Runs: len(at.Seen.Runs("")),
	})
	return nil
}

// wayOff is what becomes of runs that go on when something is switched off; the audit has it.
func (a cloudAPI) wayOff(c *gin.Context, at *Cloud, disabled bool) (cloud.Way, error) {
	if !disabled {
		return "", nil
	}
	way, err := at.Way(c.DefaultQuery("running", "kill"), ways)
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
		return 0, invalid(console.FieldBody{Field: name, Value: view.Clip(text, 60), Want: fmt.Sprintf("a whole number from %d to %d", least, most)})
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
		return invalid(wrong[:min(len(wrong), 50)]...)
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
	revision, err := console.IfMatch(c.GetHeader("If-Match"))
	if err != nil || revision == "" || revision == revisionOf(stored) {
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
	c.Header("ETag", `"`+revisionOf(stored)+`"`)
}

// rename refuses a document whose name is another one than that of the address.
func rename(field, name, address string) error {
	if strings.TrimSpace(name) == address {
		return nil
	}
	return invalid(console.FieldBody{Field: field, Value: view.Clip(name, 100), Want: strconv.Quote(address) + ", as in the address: names never change"})
}
