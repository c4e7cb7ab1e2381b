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

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
)

// openapiRoute is where the document is served.
const openapiRoute = "/api/openapi.json"

// document answers with the OpenAPI document of this interface.
func (s *API) document(c *gin.Context) {
	document := openapi(s.Routes(), s.Options().Version)
	if s.Options().BasePath != "" {
		document["servers"] = []any{map[string]any{"url": s.Options().BasePath}}
	}
	console.WriteBare(c, http.StatusOK, document)
}

// documented are the routes that the document is about: those for programs.
func documented(routes []console.Route) []console.Route {
	return slices.DeleteFunc(slices.Clone(routes), func(r console.Route) bool { return console.SurfaceOf(r.Path) != console.API })
}

// answersOf are the statuses a route can answer with and the types of their
// bodies; nil for none. A fault of the console itself, 500, is not among them.
func answersOf(r console.Route) map[int]any {
	op := operations[r.Method+" "+r.Path]
	answers := map[int]any{op.success(): op.answer}
	if op.also != 0 {
		answers[op.also] = op.answer
	}
	refuse := slices.Clone(op.refusals)
	if r.Access >= console.SignedIn {
		refuse = append(refuse, http.StatusUnauthorized)
	}
	if r.Access >= console.Operates {
		refuse = append(refuse, http.StatusForbidden)
	}
	if r.Touches != 0 {
		refuse = append(refuse, http.StatusServiceUnavailable)
	}
	if r.Touches.Any(console.TheRegistry | console.TheHistory) { // for one that is not there
		refuse = append(refuse, http.StatusNotFound)
	}
	for _, status := range refuse {
		answers[status] = api.ErrorBody{}
	}
	if r.Path == "/readyz" {
		answers[http.StatusServiceUnavailable] = console.ReadyBody{}
	}
	return answers
}

// openapi builds the document from the routes, so that it cannot be about
// others.
func openapi(routes []console.Route, version string) map[string]any {
	schemas := schemas{}
	paths := map[string]map[string]any{}
	for _, r := range documented(routes) {
		path := parameter.ReplaceAllString(r.Path, "{$1}")
		if paths[path] == nil {
			paths[path] = map[string]any{}
		}
		paths[path][strings.ToLower(r.Method)] = describe(r, schemas)
	}
	return map[string]any{
		"openapi": "3.1.0",
		"info": map[string]any{
			"title": "ElasticJob console", "version": version,
			"description": "Clients that send Access-Token instead of Authorization get every answer under status 200 in the envelope of ElasticJob's 3.x console: success, errorCode, errorMsg, model. " +
				"A job whose name is a fixed word of a path, such as count, is reached by escaping a letter of it: /api/jobs/%63ount.",
		},
		"paths": paths,
		"components": map[string]any{
			"schemas": schemas,
			"securitySchemes": map[string]any{
				"bearer":      map[string]any{"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
				"accessToken": map[string]any{"type": "apiKey", "in": "header", "name": "Access-Token"},
			},
		},
	}
}

// parameter is a part of an address that the caller fills in.
var parameter = regexp.MustCompile(`:([a-z]+)`)

// describe is one operation of the document.
func describe(r console.Route, schemas schemas) map[string]any {
	op := operations[r.Method+" "+r.Path]
	parameters := []any{}
	for _, m := range parameter.FindAllStringSubmatch(r.Path, -1) {
		about := map[string]string{"job": "The job's name, escaped.", "ip": "The server's address.", "item": "The shard's number, from 0.", "port": "The port of the dump service.", "token": "The token's id.", "name": "The name of the setting, escaped.", "run": "The run's id.", "request": "The run's id.", "app": "The application's name, escaped.", "task": "The task's uid or id, escaped."}[m[1]]
		parameters = append(parameters, map[string]any{"name": m[1], "in": "path", "required": true, "description": about, "schema": valueOf(r, m[1])})
	}
	query := op.query
	if r.Touches.Any(console.TheRegistry) {
		query = append(slices.Clone(query), [2]string{"registry", "The registry it is about; default is that of the command line."})
	}
	if r.Touches.Any(console.TheHistory) {
		query = append(slices.Clone(query), [2]string{"dataSource", "The trace database it is about; default is that of the command line."})
	}
	for _, q := range query {
		parameters = append(parameters, map[string]any{"name": q[0], "in": "query", "description": q[1], "schema": valueOf(r, q[0])})
	}
	for _, h := range op.headers {
		parameters = append(parameters, map[string]any{"name": h[0], "in": "header", "description": h[1], "schema": map[string]any{"type": "string"}})
	}
	responses := map[string]any{}
	for status, body := range answersOf(r) {
		response := map[string]any{"description": http.StatusText(status)}
		if text, ok := body.(string); ok && text != "" {
			response["content"] = map[string]any{"text/plain": map[string]any{"schema": map[string]any{"type": "string"}}}
		} else if body != nil {
			response["content"] = schemas.content(body)
		}
		responses[strconv.Itoa(status)] = response
	}
	out := map[string]any{
		"operationId": operationID(r), "summary": op.summary, "parameters": parameters, "responses": responses,
		"description": fmt.Sprintf("Who may: %s.", whoMay(r)),
		"security":    []any{},
	}
	if op.reporter {
		out["description"], out["security"] = "Who may: a process of a DAEMON job, with its own token.", []any{map[string]any{"bearer": []string{}}}
	}
	if r.Access != console.Anyone {
		out["security"] = []any{map[string]any{"bearer": []string{}}, map[string]any{"accessToken": []string{}}}
	}
	if op.request != nil {
		out["requestBody"] = map[string]any{"required": true, "content": schemas.content(op.request)}
	}
	return out
}

// whoMay names the callers of a route.
func whoMay(r console.Route) string {
	text := map[console.Access]string{
		console.Anyone:     "anyone",
		console.SignedIn:   "every account",
		console.Operates:   "operators and admins",
		console.Configures: "admins",
	}[r.Access]
	switch {
	case r.Access == console.Anyone:
		return text
	case r.IsInPerson():
		return text + "; no token for programs"
	}
	scope := map[console.Access]auth.Scope{console.SignedIn: auth.ScopeRead, console.Operates: auth.ScopeOperate, console.Configures: auth.ScopeConfigure}[r.Access]
	return text + "; tokens for programs with the scope " + string(scope)
}

// operationID is a name made of verb and path, such as postJobsJobTrigger.
func operationID(r console.Route) string {
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

func (s schemas) content(body any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": s.of(reflect.TypeOf(body))}}
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// of is the schema of a type of our bodies.
func (s schemas) of(t reflect.Type) map[string]any {
	switch t {
	case rawMessage:
		return map[string]any{}
	case reflect.TypeFor[editor.Body]():
		return s.settings()
	case reflect.TypeFor[console.OrNull]():
		return map[string]any{"anyOf": []any{map[string]any{"type": "string"}, map[string]any{"type": "null"}}}
	case reflect.TypeFor[moment]():
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
		properties[name] = refine(schemaName(t), name, s.of(f.Type))
		if options != "omitempty" && t != reflect.TypeFor[historyRequest]() {
			*required = append(*required, name)
		}
	}
}

// schemaName is a type's name without what only Go knows: pageBody[…api.Execution]
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
