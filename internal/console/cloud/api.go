package cloud

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// call is a request about ElasticJob-Cloud.
type call struct {
	*service
	s   *app.Console
	c   *gin.Context
	ctx context.Context // ends when the time for store and engine is over
	l   i18n.Lang
	now time.Time
	// kind and name identify the document that the address names. kind is empty for a run.
	kind cloud.Kind
	name string
}

// handler answers a request about ElasticJob-Cloud, or returns the reason why it can't.
type handler func(r *call) error

// handle runs a handler. The answer is 404 if ElasticJob-Cloud is off.
func handle(s *app.Console, c *gin.Context, answer handler) error {
	at, err := serviceOf(s)
	if err != nil {
		return err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	r := &call{service: at, s: s, c: c, ctx: ctx, l: i18n.From(c.Request.Context()), now: s.Now()}
	r.kind = map[bool]cloud.Kind{true: cloud.KindApp, false: cloud.KindJob}[strings.Contains(c.FullPath(), "/app")]
	for _, of := range []string{"app", "job", "run"} {
		if c.Param(of) == "" {
			continue
		}
		if r.name, err = nameOf(c, of); err != nil {
			return err
		}
		r.kind = map[string]cloud.Kind{"app": cloud.KindApp, "job": cloud.KindJob}[of]
	}
	return answer(r)
}

// nameOf is a name in an address. One that nothing can have is answered like an unknown one.
func nameOf(c *gin.Context, of string) (string, error) {
	name, err := url.PathUnescape(c.Param(of))
	if err != nil {
		return "", app.Malformed("The name in the address is not escaped as addresses are.", "Escape it, such as %20 for a blank.")
	}
	if err := jobtree.ValidateNodeName(name); err != nil {
		return "", fmt.Errorf("%s %q: %w", of, view.Clip(name, 100), cloud.ErrNotFound)
	}
	return name, nil
}

// note adds to the audit record of the request.
func (r *call) note(attrs ...slog.Attr) { r.s.Note(r.c, attrs...) }

// dropped names the dropped runs of a job in the audit record.
func (r *call) dropped(job string, list []cloud.Request) {
	if len(list) == 0 {
		return
	}
	runs := make([]string, len(list))
	for i, one := range list {
		runs[i] = cloud.ManualRunName(job, one.Key)
	}
	r.note(slog.Int("cancelled_runs", len(runs)), slog.String("runs", strings.Join(runs, ", ")))
}

// text is a text from an engine or a program, without secrets for callers who only look.
func (r *call) text(text string) string {
	if app.LooksOnly(r.c) {
		return mask.Text(text)
	}
	return text
}

func (r *call) answer(status int, body any) error {
	app.WriteJSON(r.c, status, body)
	return nil
}

// plain answers with a text.
func (r *call) plain(text string, err error) error {
	if err == nil {
		r.c.Data(http.StatusOK, "text/plain; charset=utf-8", []byte(text))
	}
	return err
}

// namespace is the namespace of a cluster that a request is about, "" for all.
func (r *call) namespace() string { return r.c.Query("namespace") }

// hidden reports whether a document is in another namespace than the request is about.
func (r *call) hidden(namespace string) bool {
	return r.several() && r.namespace() != "" && r.namespace() != namespace
}

// inNamespace refuses a namespace that isn't served, and a document in another one.
func (r *call) inNamespace() error {
	err := r.checkNamespace(r.namespace())
	if err == nil && r.namespace() != "" && r.several() && r.name != "" && r.kind != "" {
		_, err = r.stored(r.kind, r.name)
	}
	return err
}

// stored reads a document from the store. In another namespace it isn't found.
func (r *call) stored(kind cloud.Kind, name string) (document, error) {
	d, err := r.read(r.ctx, kind, name)
	if err == nil && r.hidden(d.namespace()) {
		err = fmt.Errorf("%s %q in namespace %s: %w; namespace %s has it", kind, name, r.namespace(), cloud.ErrNotFound, d.namespace())
	}
	return d, err
}

// hidesSecrets reports whether an answer hides possible secrets: from callers who may only read, and
// from everyone after a change, because we don't send secrets back.
func (r *call) hidesSecrets() bool {
	return !app.May(r.c, app.Configures) || r.c.Request.Method != http.MethodGet
}

// warningsOf are the warnings of a document in an answer.
func (r *call) warningsOf(d document) []string {
	return r.warnings(i18n.English, d, app.May(r.c, app.Configures))
}

// shown is a document as the caller may see it.
func (r *call) shown(d document) document {
	if r.hidesSecrets() {
		return d.masked()
	}
	return d
}

func appBody(r *call, d document) api.CloudApp {
	application := r.shown(d).app
	return api.CloudApp{App: application, Namespace: application.Namespace, Warnings: r.warningsOf(d)}
}

func jobBody(r *call, d document) api.CloudJob {
	warnings := r.warningsOf(d)
	d = r.shown(d)
	st := d.Status
	body := api.CloudJob{
		Job: d.Job, Namespace: d.Job.Namespace, CreatedAt: app.OptionalTime(d.Created), Pending: len(st.Pending), Requested: len(st.Requests),
		Missed: st.Missed, Merged: st.Merged, Conditions: []api.CloudCondition{}, Warnings: warnings,
	}
	if schedule, err := r.schedule(d.Job); err == nil {
		if last, ok := schedule.Fired(d.Definition); ok {
			body.LastFireTime = app.OptionalTime(last)
		}
		if next, ok := schedule.Next(r.now); ok && !d.Job.Disabled {
			body.NextFireTime = app.OptionalTime(next)
		}
	}
	if last := st.LastRun; last.Name != "" {
		state := jobtree.Known(string(last.State), cloud.RunSucceeded, cloud.RunFailed, cloud.RunKilled)
		body.LastRun = &api.CloudLastRun{Name: last.Name, State: string(state), At: app.OptionalTime(last.Ended)}
	}
	for _, one := range st.Conditions {
		body.Conditions = append(body.Conditions, api.CloudCondition{Type: one.Type, OK: one.OK, Reason: one.Reason, Message: one.Message, Since: app.OptionalTime(one.Since)})
	}
	return body
}

// write answers with a document.
func (r *call) write(status int, d document) error {
	if d.isApp() {
		return r.answer(status, appBody(r, d))
	}
	return r.answer(status, jobBody(r, d))
}

// overview answers with the engine and the numbers of documents and runs.
func overview(r *call) error {
	can := r.Engine.Capabilities()
	body := api.Cloud{
		Engine: can.Engine, Version: can.Version, Leader: r.Seen.Leads(), Synced: r.Seen.Synced(),
		Capabilities: api.CloudCapabilities{Suspend: can.Suspend, Daemons: can.Daemons, Logs: can.Logs, MaxShards: can.MaxShards},
		Apps:         len(r.Seen.Apps()), Jobs: len(r.Seen.Jobs()), Runs: len(r.Seen.Runs("")),
	}
	if _, err := r.Seen.Health(); err != nil {
		body.Trouble = mask.Text(err.Error())
	}
	if r.several() {
		body.Namespaces = r.Namespaces
	}
	return r.answer(http.StatusOK, body)
}

// list answers with the documents of the kind.
func list[T any](body func(*call, document) T) handler {
	return func(r *call) error {
		if !r.Seen.Synced() {
			return errNotSynced
		}
		all := []T{}
		for _, d := range r.reported(r.kind) {
			if !r.hidden(d.namespace()) {
				all = append(all, body(r, d))
			}
		}
		return r.answer(http.StatusOK, all)
	}
}

func show(r *call) error {
	d, err := r.stored(r.kind, r.name)
	if err != nil {
		return err
	}
	r.tag(d)
	return r.write(http.StatusOK, d)
}

func create(r *call) error {
	d := newDocument(r.kind)
	if err := r.decode(d.config()); err != nil {
		return err
	}
	made, err := r.add(d)
	if err != nil {
		return err
	}
	return r.write(http.StatusCreated, made)
}

// add stores a new document in the namespace of the request.
func (r *call) add(d document) (document, error) {
	r.note(slog.String("target", d.name()))
	d.put(r.place(r.namespace()))
	return r.create(r.ctx, d)
}

func change(r *call) error {
	stored, err := r.stored(r.kind, r.name)
	if err != nil {
		return err
	}
	revision, err := app.IfMatch(r.c.GetHeader("If-Match"))
	if err != nil {
		return err
	}
	if revision != "" && revision != stored.revision() {
		r.tag(stored)
		return &app.Problem{
			Kind: app.KindStale, Code: "stale_config", Message: "Something else is stored than what this change is based on.",
			Hint: "The header ETag names it: read it again, and make the change to that.",
		}
	}
	wanted := stored.clone()
	if err := r.decode(wanted.config()); err != nil {
		return err
	}
	if strings.TrimSpace(wanted.name()) != r.name {
		return invalid(app.FieldBody{Field: string(r.kind) + "Name", Value: view.Clip(wanted.name(), 100), Want: strconv.Quote(r.name) + ", as in the address: names never change"})
	}
	changed, err := r.replace(r.ctx, stored, wanted)
	if err != nil {
		return err
	}
	r.tag(changed)
	return r.write(http.StatusOK, changed)
}

// tag names the stored revision for If-Match. Callers who only look don't get it, because it would
// let them guess secrets.
func (r *call) tag(d document) {
	if app.May(r.c, app.Configures) {
		r.c.Header("ETag", `"`+d.revision()+`"`)
	}
}

// switched disables or enables the document in the address.
func (r *call) switched(disabled bool) (document, error) {
	var way cloud.Way
	if disabled {
		var err error
		if way, err = r.way(r.c.DefaultQuery("running", "kill")); err != nil {
			return document{}, err
		}
		r.note(slog.String("running", string(way)))
	}
	return r.setDisabled(r.ctx, r.kind, r.name, disabled, way, r.now, r.dropped)
}

// ways decide about runs that go on when their job or application is disabled.
var ways = []string{"kill", "suspend", "finish"}

// way reads one of the [ways].
func (at *service) way(word string) (cloud.Way, error) {
	switch {
	case word == string(cloud.EndSuspend) && !at.Engine.Capabilities().Suspend:
		return "", fmt.Errorf("running=suspend needs the capability suspend of the engine: %w", cloud.ErrUnsupported)
	case word == "kill" || word == "suspend":
		return cloud.Way(word), nil
	case word == "finish":
		return "", nil
	}
	return "", invalid(app.FieldBody{Field: "running", Value: view.Clip(word, 60), Want: "one of " + strings.Join(ways, ", ")})
}

// turn disables or enables a document and answers with it.
func turn(disabled bool) handler {
	return func(r *call) error {
		d, err := r.switched(disabled)
		if err != nil {
			return err
		}
		return r.write(http.StatusOK, d)
	}
}

func remove(r *call) error {
	var err error
	if r.kind == cloud.KindApp {
		err = r.withoutJobs(r.name)
	}
	if err == nil {
		err = r.remove(r.ctx, r.kind, r.name, r.dropped)
	}
	if err == nil {
		app.Done(r.c)
	}
	return err
}

func triggerJob(r *call) error {
	var in api.CloudTriggerRequest
	if err := r.decodeOptional(&in); err != nil {
		return err
	}
	run, err := r.ask(r.name, in)
	if err != nil {
		return err
	}
	return r.answer(http.StatusAccepted, api.CloudTrigger{Run: run})
}

// ask requests a run of a job and returns the name of the run.
func (r *call) ask(job string, in api.CloudTriggerRequest) (run string, err error) {
	asked, err := r.request(in)
	if err != nil {
		return "", err
	}
	if run, err = r.trigger(r.ctx, job, asked); err == nil {
		r.note(slog.String("run", run))
	}
	return run, err
}

// request adds the caller, the time and the key to a request for a run.
func (r *call) request(in api.CloudTriggerRequest) (cloud.Request, error) {
	key, err := app.IdempotencyKey(r.c)
	asked := cloud.Request{Key: key, Asked: r.now, Shards: in.Shards, Parameters: in.Parameters, By: app.Caller(r.c).Name}
	if key == "" {
		asked.Key = rand.Text()
	}
	if err == nil && in.NotBefore != "" {
		if asked.NotBefore, err = time.Parse(time.RFC3339, in.NotBefore); err != nil {
			err = invalid(app.FieldBody{Field: "notBefore", Value: view.Clip(in.NotBefore, 60), Want: "a moment as of RFC 3339, such as 2026-11-26T08:00:00Z"})
		}
	}
	return asked, err
}

// boundedIn is a whole number of a query string.
func boundedIn(v url.Values, name string, otherwise, least, most int) (int, error) {
	text := v.Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, invalid(app.FieldBody{Field: name, Value: view.Clip(text, 60), Want: fmt.Sprintf("a whole number from %d to %d", least, most)})
	}
	return n, nil
}

// decodeOptional is decode of a body that may be absent.
func (r *call) decodeOptional(into any) error {
	if r.c.Request.ContentLength == 0 {
		return nil
	}
	return r.decode(into)
}

// decode reads the body over the current values. Absent fields stay, and maps are replaced. The
// error names every wrong field.
func (r *call) decode(into any) error {
	var body map[string]json.RawMessage
	if err := app.ReadJSON(r.c, &body); err != nil {
		return err
	}
	return putFields(body, into)
}

// putFields is decode for a body that was read.
func putFields(body map[string]json.RawMessage, into any) error {
	maps := make(map[string]reflect.Value)
	for _, f := range reflect.VisibleFields(reflect.TypeOf(into).Elem()) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); f.Type.Kind() == reflect.Map {
			maps[strings.ToLower(name)] = reflect.ValueOf(into).Elem().FieldByIndex(f.Index)
		}
	}
	var wrong []app.FieldBody
	for _, field := range view.SortedKeys(body) {
		if old, is := maps[strings.ToLower(field)]; is {
			old.SetZero() // Otherwise it would be merged.
		}
		one, err := json.Marshal(map[string]json.RawMessage{field: body[field]})
		if err != nil {
			return app.Internal(err)
		}
		d := json.NewDecoder(bytes.NewReader(one))
		d.DisallowUnknownFields()
		if err := d.Decode(into); err != nil {
			// Without its value, which may be a secret of the environment.
			wrong = append(wrong, app.FieldBody{Field: view.Clip(field, 100), Want: wantedOf(err)})
		}
	}
	if len(wrong) > 0 {
		return invalid(wrong[:min(len(wrong), 50)]...)
	}
	return nil
}

// wantedOf describes the right values of a field that can't be decoded.
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

// textOf is a field of a body as a text, empty if it isn't one.
func textOf(body map[string]json.RawMessage, field string) string {
	var text string
	_ = json.Unmarshal(body[field], &text) // A value that isn't a text is refused when the fields are read.
	return text
}
