package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/rawjson"
)

// The REST interface as a contract: docs/openapi.json has the native addresses, and
// docs/openapi-legacy.json addresses that only clients of ElasticJob's own consoles need. Both are
// made of the routes, with answers of a console as examples.
const (
	nativeDocument = "../../../docs/openapi.json"
	legacyDocument = "../../../docs/openapi-legacy.json"
)

// tags are the groups of native addresses. The last one with a matching pattern counts.
var tags = []struct{ name, about, pattern string }{
	{"Jobs", "Jobs: their state, why one doesn't run, and the actions on them.", `^/api/(jobs|bulk$|search$)`},
	{"Shards", "The shards of a job, their switches, and which of them would move.", `/sharding|/reshard-plan$`},
	{"Configuration", "The configuration of a job, its versions, and the effects of a change.", `/config|/versions$`},
	{"Requested runs", "Runs on request, with parameters, and backfills.", `/requested-runs|/backfill|/parameters$`},
	{"History", "Runs and executions that a trace database has, with their logs.", `/runs|^/api/event-trace`},
	{"Servers", "Servers with their jobs, and instances that were lost.", `^/api/servers|^/api/losses`},
	{"ElasticJob-Cloud", "Jobs whose shards are processes: their applications, jobs, runs and tasks.", `^/api/cloud`},
	{"Settings", "Registries, trace databases and saved views.", `^/api/(registry-center|data-source|settings|views)`},
	{"Accounts", "Signing in, tokens for programs and the audit.", `^/api/(login|logout|refresh|me|tokens|audit)`},
	{"Console", "The console itself.", `^/(healthz|readyz|metrics)$|^/api/(version|openapi)`},
}

// legacy are the addresses that only clients of ElasticJob's own consoles and scheduler need, each
// with the native address for it, which may be missing. The first match counts.
var legacy = []struct{ pattern, instead string }{
	{`^DELETE (/api/(jobs|servers)/.*)/disable$`, "POST $1/enable"},
	{`^PUT (/api/jobs/{job}/shutdown)$`, "POST $1"},
	{`^GET (.*)/(getAllJobsBriefInfo|getAllServersBriefInfo|count|load)$`, "GET $1"},
	{`^POST (.*)/add$`, "POST $1"},
	{`^DELETE (/api/(registry-center|data-source))$`, "DELETE $1/{name}"},
	{`/api/(registry-center|data-source)/(activated|connect|drivers)$`, ""},
	{`^POST (/api/event-trace/.*)$`, "GET $1"},
	{`^GET /api/event-trace/.*/jobNames`, "GET /api/search"},
	{`^GET /api/event-trace/execution/ip`, ""},
	{`^POST /api/(app|job)(/register)?$`, "POST /api/cloud/${1}s"},
	{`^(PUT /api/(app)|PUT /api/(job)/update|POST /api/(app|job)/update)$`, "PUT /api/cloud/$2$3${4}s/{$2$3$4}"},
	{`^GET /api/(app|job)/(list|jobs)$`, "GET /api/cloud/${1}s"},
	{`^GET /api/(app|job)/({app}|jobs/{job}|{app}/disable|{job}/disable)$`, "GET /api/cloud/${1}s/{$1}"},
	{`^POST /api/(app|job)/{\w+}/(disable|enable)$`, "POST /api/cloud/${1}s/{$1}/$2"},
	{`^DELETE /api/(app|job)/{\w+}/disable$`, "POST /api/cloud/${1}s/{$1}/enable"},
	{`^DELETE /api/(app|job)/({app}|deregister|{job}/deregister)$`, "DELETE /api/cloud/${1}s/{$1}"},
	{`^POST /api/job/trigger$`, "POST /api/cloud/jobs/{job}/trigger"},
	{`^GET /api/job/tasks/`, "GET /api/cloud/runs"},
	{`/api/job/events/executions$`, "GET /api/event-trace/execution"},
	{`/api/job/events/statusTraces$`, "GET /api/event-trace/status"},
	{`^GET /api/operate/sandbox$`, "GET /api/cloud/tasks/{task}/log"},
	{`/api/(operate/reconcile|job/statistics)/`, ""},
}

const (
	nativeText = "Programs send a token of their own as `Authorization: Bearer`; POST /api/login answers with " +
		"one for eight hours. Errors are {code, message, hint, requestId} under a true status code. Examples are " +
		"answers of a console, with lists cut to their first two entries. A job whose name is a fixed word of a " +
		"path, such as config, is reached by escaping a letter of it: /api/jobs/%63onfig. Addresses that only " +
		"clients of ElasticJob's own consoles need are in the document of legacy addresses, /api/openapi-legacy.json."
	legacyText = "Addresses that clients of ElasticJob's own consoles and scheduler call. New programs don't need " +
		"them; they go on working. Those clients also call addresses of /api/openapi.json. If they send Access-Token " +
		"instead of Authorization, every answer comes under status 200 in the envelope of ElasticJob's 3.x console: " +
		"success, errorCode, errorMsg, model."
)

// newDocument is a document without addresses. The console that serves it adds its version.
func newDocument(title, text string) map[string]any {
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title":       title,
			"version":     "dev",
			"description": text,
			"license":     map[string]any{"name": "Apache-2.0", "identifier": "Apache-2.0"},
		},
		"paths": map[string]map[string]any{},
		"components": map[string]any{
			"schemas": schemas{},
			"securitySchemes": map[string]any{
				"bearer": map[string]any{"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
			},
		},
	}
}

// nameOf names a route as the documents do.
func nameOf(r app.Route) string {
	return r.Method + " " + parameter.ReplaceAllString(r.Path, "{$1}")
}

// isLegacy reports whether an address is only for clients of ElasticJob's own consoles, and names
// the native one.
func isLegacy(name string) (instead string, is bool) {
	for _, rule := range legacy {
		pattern := regexp.MustCompile(rule.pattern)
		if at := pattern.FindStringSubmatchIndex(name); at != nil {
			return string(pattern.ExpandString(nil, rule.instead, name, at)), true
		}
	}
	return "", false
}

// tagNames are the names of the groups.
func tagNames() (names []string) {
	for _, tag := range tags {
		names = append(names, tag.name)
	}
	return names
}

// tagOf is the group of an address.
func tagOf(name string) string {
	_, path, _ := strings.Cut(name, " ")
	for _, tag := range slices.Backward(tags) {
		if regexp.MustCompile(tag.pattern).MatchString(path) {
			return tag.name
		}
	}
	return ""
}

// documents builds both documents from the routes, so they can't be about others. The answers of a
// route are its examples.
func documents(routes []app.Route, answers map[string]map[int]json.RawMessage) (native, old map[string]any) {
	native = newDocument("ElasticJob console", nativeText)
	old = newDocument("ElasticJob console: legacy addresses", legacyText)
	list := []any{}
	for _, tag := range tags {
		list = append(list, map[string]any{"name": tag.name, "description": tag.about})
	}
	native["tags"] = list
	old["tags"] = []any{
		map[string]any{"name": "Console", "description": "Addresses of the consoles of ElasticJob 2.x and 3.x."},
		map[string]any{"name": "Scheduler", "description": "Addresses of the scheduler of ElasticJob-Cloud."},
	}
	old["components"].(map[string]any)["securitySchemes"].(map[string]any)["accessToken"] = map[string]any{
		"type": "apiKey",
		"in":   "header",
		"name": "Access-Token",
	}
	for _, r := range documented(routes) {
		name, document := nameOf(r), native
		instead, isOld := isLegacy(name)
		if isOld {
			document = old
		}
		op := describe(r, document["components"].(map[string]any)["schemas"].(schemas), answers[name])
		op["tags"] = []string{tagOf(name)}
		if isOld {
			op["deprecated"] = true
			if security := op["security"].([]any); len(security) > 0 {
				op["security"] = append(security, map[string]any{"accessToken": []string{}})
			}
			op["tags"] = []string{"Console"}
			if isUpstream(r) || strings.HasPrefix(r.Path, "/api/job/") {
				op["tags"] = []string{"Scheduler"}
			}
			if instead != "" {
				op["summary"] = strings.Replace(op["summary"].(string), "The same", "The same as "+instead, 1)
				op["description"] = "Use " + instead + " in new programs. " + op["description"].(string)
			}
		}
		_, path, _ := strings.Cut(name, " ")
		paths := document["paths"].(map[string]map[string]any)
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path][strings.ToLower(r.Method)] = op
	}
	return native, old
}

// fieldTexts describes the fields of bodies, by name or by schema and name: a line each.
var fieldTexts = sync.OnceValue(func() map[string]string {
	text, err := os.ReadFile("testdata/fields.txt")
	if err != nil {
		panic(err)
	}
	texts := map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, about, _ := strings.Cut(strings.TrimSpace(line), " ")
		texts[name] = strings.TrimSpace(about)
	}
	return texts
})

// described adds the description of a field to its schema.
func described(schema, field string, of map[string]any) map[string]any {
	about := fieldTexts()[schema+"."+field]
	if about == "" {
		about = fieldTexts()[field]
	}
	if about == "" {
		return of
	}
	of = maps.Clone(of)
	of["description"] = about
	return of
}

// answersOfRoutes are the successes of every route: the golden answers that the documents have as
// examples.
func answersOfRoutes(t *testing.T) map[string]map[int]json.RawMessage {
	t.Helper()
	answers := map[string]map[int]json.RawMessage{}
	for _, r := range documented(consoletest.New(t).Console.Routes()) {
		op := operationOf(r)
		if op.Answer == nil {
			continue
		}
		answers[nameOf(r)] = map[int]json.RawMessage{}
		for _, status := range []int{op.Success(), op.Also} {
			if status == 0 || status == http.StatusNoContent {
				continue
			}
			got := askFor(r, op, status).send(t, consoletest.New(t), r.Method)
			consoletest.WantStatus(t, got, status)
			body := []byte(got.Body)
			if _, text := op.Answer.(string); text {
				body, _ = json.Marshal(got.Body)
			}
			if strings.Contains(r.Path, "openapi") { // the document itself
				body = []byte(`{"openapi":"3.1.0"}`)
			}
			answers[nameOf(r)][status] = shortened(t, body)
		}
	}
	return answers
}

// changing are texts of answers that differ each time, with their texts in examples.
var changing = []struct {
	pattern *regexp.Regexp
	fixed   string
}{
	{regexp.MustCompile(`^eyJ`), "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.…"},
	{regexp.MustCompile(`^ejt_`), "ejt_edqnmv2l6okf4cxw_…"},
	{regexp.MustCompile(`^[a-z2-7]{16}$`), "edqnmv2l6okf4cxw"},
	{regexp.MustCompile(`^invoices-x[0-9a-f]{10}$`), "invoices-x028d7d5ffd"},
	{regexp.MustCompile(`^01[0-9a-f]{6}-[0-9a-f]{4}-7[0-9a-f-]{21}$`), "01a22e6a-79e7-7fed-81ed-0118a369cf20"},
}

// fixed is a text of an example: its start, with a fixed value if it differs each time.
func fixed(text string) string {
	for _, c := range changing {
		if c.pattern.MatchString(text) && !slices.Contains(samples, text) {
			return c.fixed
		}
	}
	if at, err := time.Parse(time.RFC3339, text); err == nil && time.Since(at).Abs() < time.Hour {
		return consoletest.Noon.Format(time.RFC3339)
	}
	if runes := []rune(text); len(runes) > 400 {
		return string(runes[:400]) + "…"
	}
	return text
}

// samples are ids of the sample, which stay.
var samples = []string{consoletest.SampleRequest, consoletest.SampleActive, consoletest.SampleEnded}

// shortened is an answer with the first two entries of its lists and with [fixed] texts.
func shortened(t *testing.T, answer json.RawMessage) json.RawMessage {
	t.Helper()
	var short any = answer
	switch answer = bytes.TrimSpace(answer); answer[0] {
	case '{':
		object, err := rawjson.Parse(answer)
		if err != nil {
			t.Fatal(err)
		}
		for i, member := range object {
			object[i].Value = shortened(t, member.Value)
		}
		return object.Encode()
	case '[':
		list := []json.RawMessage{}
		if err := json.Unmarshal(answer, &list); err != nil {
			t.Fatal(err)
		}
		list = list[:min(2, len(list))]
		for i := range list {
			list[i] = shortened(t, list[i])
		}
		short = list
	case '"':
		var text string
		if err := json.Unmarshal(answer, &text); err != nil {
			t.Fatal(err)
		}
		short = fixed(text)
	}
	text, err := json.Marshal(short)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestW53Documents compares both documents with the routes and with the answers of a console.
func TestW53Documents(t *testing.T) {
	t.Parallel()
	native, old := documents(consoletest.New(t).Console.Routes(), answersOfRoutes(t))
	for file, document := range map[string]map[string]any{nativeDocument: native, legacyDocument: old} {
		want, err := json.MarshalIndent(document, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, '\n')
		if *update {
			if err := os.WriteFile(file, want, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		got, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(want), "\n"), strings.Split(string(got), "\n")); diff != "" {
			t.Errorf("%s is stale, run this test with -update (-want +got):\n%s", file, diff)
		}
	}
}

// TestW53Contract: every native operation has a group, a summary, examples, and a description of
// each parameter and field; every legacy one is deprecated. No table has an entry that nothing uses.
func TestW53Contract(t *testing.T) {
	t.Parallel()
	unusedTags, unusedRules, unusedTexts := map[string]bool{}, map[string]bool{}, maps.Clone(fieldTexts())
	for _, tag := range tags {
		unusedTags[tag.name] = true
	}
	for _, rule := range legacy {
		unusedRules[rule.pattern] = true
	}
	names := map[string]bool{}
	routes := documented(consoletest.New(t).Console.Routes())
	for _, r := range routes {
		names[nameOf(r)] = true
	}
	for name := range names {
		if instead, is := isLegacy(name); !is {
			delete(unusedTags, tagOf(name))
			if tagOf(name) == "" {
				t.Errorf("%s has no group", name)
			}
		} else {
			for _, rule := range legacy {
				if regexp.MustCompile(rule.pattern).MatchString(name) {
					delete(unusedRules, rule.pattern)
					break
				}
			}
			if _, oldToo := isLegacy(instead); instead != "" && (!names[instead] || oldToo) {
				t.Errorf("%s: %s is no native address", name, instead)
			}
		}
	}
	ids := map[string]bool{"": true}
	for _, file := range []string{nativeDocument, legacyDocument} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var d contract
		if err := json.Unmarshal(text, &d); err != nil {
			t.Fatal(err)
		}
		for _, piece := range strings.Split(string(text), `"$ref": "#/components/schemas/`)[1:] {
			if name, _, _ := strings.Cut(piece, `"`); d.Components.Schemas[name].Type == nil {
				t.Errorf("%s has no schema %q", file, name)
			}
		}
		for path, methods := range d.Paths {
			for method, op := range methods {
				if ids[op.OperationID] {
					t.Errorf("%s %s: another operation has the id %q", method, path, op.OperationID)
				}
				ids[op.OperationID] = true
				if problem := op.problem(file == legacyDocument); problem != "" {
					t.Errorf("%s %s: %s", method, path, problem)
				}
			}
		}
		for schema, of := range d.Components.Schemas {
			for field, p := range of.Properties {
				delete(unusedTexts, field)
				delete(unusedTexts, schema+"."+field)
				if p.Description == "" {
					t.Errorf("testdata/fields.txt doesn't describe %s of %s", field, schema)
				}
			}
		}
	}
	for what, unused := range map[string][]string{
		"groups": slices.Collect(maps.Keys(unusedTags)), "rules": slices.Collect(maps.Keys(unusedRules)),
		"texts": slices.Collect(maps.Keys(unusedTexts)),
	} {
		if len(unused) > 0 {
			t.Errorf("%s that nothing uses: %q", what, unused)
		}
	}
}

// contract is the part of a document that a test looks at.
type contract struct {
	Paths      map[string]map[string]contractOperation
	Components struct {
		Schemas map[string]struct {
			Type       any
			Properties map[string]struct{ Description string }
		}
	}
}

type contractOperation struct {
	OperationID string
	Summary     string
	Tags        []string
	Deprecated  bool
	Parameters  []struct {
		Name, In, Description string
		Example               any
	}
	RequestBody struct{ Content contractContent }
	Responses   map[string]struct{ Content contractContent }
}

type contractContent map[string]struct{ Example any }

// problem is the first thing that is missing in an operation.
func (o contractOperation) problem(isOld bool) string {
	switch {
	case o.Summary == "" || len([]rune(o.Summary)) > 250:
		return fmt.Sprintf("the summary %q is empty or long", o.Summary)
	case len(o.Tags) != 1:
		return fmt.Sprintf("it has the groups %q", o.Tags)
	case o.Deprecated != isOld:
		return fmt.Sprintf("deprecated is %t", o.Deprecated)
	}
	for _, p := range o.Parameters {
		if p.Description == "" || p.In == "path" && p.Example == nil {
			return "the parameter " + p.Name + " has no description or example"
		}
	}
	for _, content := range o.RequestBody.Content {
		if content.Example == nil {
			return "its request has no example"
		}
	}
	for status, answer := range o.Responses {
		for _, content := range answer.Content {
			if status < "203" && content.Example == nil {
				return "its answer " + status + " has no example"
			}
		}
	}
	return ""
}
