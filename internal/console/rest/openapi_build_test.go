package rest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
)

// documented are the routes that the document is about: those for programs.
func documented(routes []app.Route) []app.Route {
	return slices.DeleteFunc(slices.Clone(routes), func(r app.Route) bool { return app.SurfaceOf(r.Path) != app.API })
}

// answersOf are the statuses a route can answer with and the types of their
// bodies; nil for none. A fault of the console itself, 500, is not among them.
func answersOf(r app.Route) map[int]any {
	op := operationOf(r)
	answers := map[int]any{op.Success(): op.Answer}
	if op.Also != 0 {
		answers[op.Also] = op.Answer
	}
	refuse := slices.Clone(op.Refusals)
	if r.Access >= app.SignedIn {
		refuse = append(refuse, http.StatusUnauthorized)
	}
	if r.Access >= app.Operates {
		refuse = append(refuse, http.StatusForbidden)
	}
	if r.Touches != 0 {
		refuse = append(refuse, http.StatusServiceUnavailable)
	}
	if r.Touches.Any(app.TheRegistry | app.TheHistory) { // for one that is not there
		refuse = append(refuse, http.StatusNotFound)
	}
	for _, status := range refuse {
		answers[status] = api.ErrorBody{}
	}
	if r.Path == "/readyz" {
		answers[http.StatusServiceUnavailable] = app.ReadyBody{}
	}
	return answers
}

// parameter is a part of an address that the caller fills in.
var parameter = regexp.MustCompile(`:([a-z]+)`)

// pathParameters describes the parameters of addresses.
var pathParameters = map[string]string{
	"job": "The job's name, escaped.", "ip": "The server's address.", "item": "The shard's number, from 0.",
	"port": "The port of the dump service.", "token": "The token's id.", "name": "The name of the setting, escaped.",
	"run": "The run's id.", "request": "The run's id.", "backfill": "The backfill's id.", "area": "The list: jobs or runs.",
	"app": "The application's name, escaped.", "task": "The task's uid or id, escaped.",
	"prefix": "The beginning of the name or address, escaped.", "period": "The period.",
}

// describe is one operation of a document, with the examples from the answers of its route.
func describe(r app.Route, schemas schemas, answers map[int]json.RawMessage) map[string]any {
	op := operationOf(r)
	parameters := []any{}
	sample := strings.Split(consoletest.Filled(r.Path), "/")
	for i, part := range strings.Split(r.Path, "/") {
		if name, ok := strings.CutPrefix(part, ":"); ok {
			schema := valueOf(r, name)
			var example any = sample[i]
			if n, err := strconv.Atoi(sample[i]); err == nil && schema["type"] == "integer" {
				example = n
			}
			parameters = append(parameters, map[string]any{
				"name": name, "in": "path", "required": true, "description": pathParameters[name], "schema": schema, "example": example,
			})
		}
	}
	query := op.Query
	if r.Touches.Any(app.TheRegistry) {
		query = append(slices.Clone(query), [2]string{"registry", "The registry it is about; default is that of the command line."})
	}
	if r.Touches.Any(app.TheHistory) {
		query = append(slices.Clone(query), [2]string{"dataSource", "The trace database it is about; default is that of the command line."})
	}
	for _, q := range query {
		parameters = append(parameters, map[string]any{"name": q[0], "in": "query", "description": q[1], "schema": valueOf(r, q[0])})
	}
	for _, h := range op.Headers {
		parameters = append(parameters, map[string]any{"name": h[0], "in": "header", "description": h[1], "schema": map[string]any{"type": "string"}})
	}
	responses := map[string]any{}
	for status, body := range answersOf(r) {
		response := map[string]any{"description": http.StatusText(status)}
		if text, ok := body.(string); ok && text != "" {
			response["content"] = map[string]any{"text/plain": withExample(map[string]any{"schema": map[string]any{"type": "string"}}, answers[status])}
		} else if body != nil {
			response["content"] = schemas.content(body, answers[status])
		}
		responses[strconv.Itoa(status)] = response
	}
	summary, more := cutSummary(op.Summary)
	out := map[string]any{
		"operationId": operationID(r), "summary": summary, "parameters": parameters, "responses": responses,
		"description": strings.TrimSpace(fmt.Sprintf("%s\n\nWho may: %s.", more, whoMay(r))),
		"security":    []any{},
	}
	if op.Reporter || r.Access != app.Anyone {
		out["security"] = []any{map[string]any{"bearer": []string{}}}
	}
	if op.Request != nil {
		out["requestBody"] = map[string]any{"required": true, "content": schemas.content(op.Request, json.RawMessage(op.Example))}
	}
	return out
}

// cutSummary cuts a text after its first sentence.
func cutSummary(text string) (summary, more string) {
	if at := sentence.FindStringIndex(text); at != nil {
		return text[:at[0]+1], text[at[0]+2:]
	}
	return text, ""
}

var sentence = regexp.MustCompile(`\. [A-Z]`)

// whoMay names the callers of a route.
func whoMay(r app.Route) string {
	text := map[app.Access]string{
		app.Anyone:     "anyone",
		app.SignedIn:   "every account",
		app.Operates:   "operators and admins",
		app.Configures: "admins",
	}[r.Access]
	switch {
	case operationOf(r).Reporter:
		return "a process of a DAEMON job, with its own token"
	case r.Access == app.Anyone:
		return text
	case r.IsInPerson():
		return text + "; no token for programs"
	}
	scope := map[app.Access]auth.Scope{app.SignedIn: auth.ScopeRead, app.Operates: auth.ScopeOperate, app.Configures: auth.ScopeConfigure}[r.Access]
	return text + "; tokens for programs with the scope " + string(scope)
}

// operationID is a name made of verb and path, such as postJobsJobTrigger.
func operationID(r app.Route) string {
	id := strings.ToLower(r.Method)
	for _, part := range strings.FieldsFunc(r.Path, func(c rune) bool { return strings.ContainsRune("/:-.", c) }) {
		if part != "api" {
			id += strings.ToUpper(part[:1]) + part[1:]
		}
	}
	return id
}

// schemas are the named types of the document.
type schemas map[string]any

func (s schemas) content(body any, example json.RawMessage) map[string]any {
	return map[string]any{"application/json": withExample(map[string]any{"schema": s.of(reflect.TypeOf(body))}, example)}
}

func withExample(of map[string]any, example json.RawMessage) map[string]any {
	if len(example) > 0 {
		of["example"] = example
	}
	return of
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// of is the schema of a type of our bodies.
func (s schemas) of(t reflect.Type) map[string]any {
	switch t {
	case rawMessage:
		return map[string]any{}
	case reflect.TypeFor[editor.Body]():
		return s.settings()
	case reflect.TypeFor[app.OrNull]():
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "null"}}}
	case reflect.TypeFor[api.Moment]():
		return map[string]any{"anyOf": []any{instant(), number(0), oneOf("")}}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return map[string]any{"anyOf": []any{s.of(t.Elem()), map[string]any{"type": "null"}}}
	case reflect.Slice:
		return map[string]any{"type": "array", "items": s.of(t.Elem())}
	case reflect.Map:
		return map[string]any{"type": "object", "additionalProperties": s.of(t.Elem())}
	case reflect.String:
		return map[string]any{"type": "string"}
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int32, reflect.Int64:
		return map[string]any{"type": "integer"}
	case reflect.Float64:
		return map[string]any{"type": "number"}
	case reflect.Struct:
		name := schemaName(t)
		if s[name] == nil {
			properties, required := map[string]any{}, []string{}
			s[name] = map[string]any{} // ends a recursion
			s.fields(t, properties, &required)
			if only, known := requiredFields[name]; known {
				required = slices.Clone(only)
			}
			slices.Sort(required)
			s[name] = map[string]any{"type": "object", "properties": properties, "required": slices.Compact(required)}
		}
		return map[string]any{"$ref": "#/components/schemas/" + name}
	}
	return map[string]any{} // any
}

// requiredFields are the required fields of a schema whose type does not show them.
var requiredFields = map[string][]string{"cloudAppRequest": {}, "cloudJobRequest": {}}

// fields adds the fields of a struct as encoding/json writes them: those of an
// embedded struct as if they were its own, unless it has one of that name.
func (s schemas) fields(t reflect.Type, properties map[string]any, required *[]string) {
	for f := range t.Fields() {
		if f.Anonymous {
			s.fields(f.Type, properties, required)
		}
	}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if f.Anonymous || name == "" || name == "-" {
			continue
		}
		properties[name] = described(schemaName(t), name, refine(schemaName(t), name, s.of(f.Type)))
		if options != "omitempty" && t != reflect.TypeFor[api.HistoryRequest]() {
			*required = append(*required, name)
		}
	}
}

// schemaName is a type's name without what only Go knows: api.Page[…api.Execution]
// becomes executionPage.
func schemaName(t reflect.Type) string {
	outer, inner, generic := strings.Cut(strings.TrimSuffix(t.Name(), "]"), "[")
	name := strings.TrimSuffix(outer, "Body")
	if t.PkgPath() == reflect.TypeFor[cloud.App]().PkgPath() {
		name = "Cloud" + name // What our types embed has the names of theirs.
	}
	if generic {
		inner = inner[strings.LastIndex(inner, ".")+1:]
		name = strings.TrimSuffix(inner, "Body") + strings.ToUpper(name[:1]) + name[1:]
	}
	return strings.ToLower(name[:1]) + name[1:]
}
