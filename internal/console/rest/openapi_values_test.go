package rest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// checkSchema holds an answer to the schema that the document gives for it.
func checkSchema(t *testing.T, r consoletest.Reply, body any) {
	t.Helper()
	if _, text := body.(string); body == nil || text {
		return
	}
	known := schemas{}
	schema := known.of(reflect.TypeOf(body))
	var value any
	if err := json.Unmarshal([]byte(r.Body), &value); err != nil {
		t.Fatal(err)
	}
	if err := fits(known, schema, value); err != nil {
		t.Errorf("%s %s: %v", r.Request.Method, r.Request.URL, err)
	}
}

// fits says where a value does not fit a schema; a schema without a type takes
// anything.
func fits(known schemas, schema map[string]any, value any) error {
	if ref, ok := schema["$ref"].(string); ok {
		return fits(known, known[strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any), value)
	}
	if list, ok := schema["anyOf"].([]any); ok {
		var err error
		for _, one := range list {
			if err = fits(known, one.(map[string]any), value); err == nil {
				return nil
			}
		}
		return err
	}
	if list, ok := schema["enum"].([]string); ok {
		if text, ok := value.(string); !ok || !slices.Contains(list, text) {
			return fmt.Errorf("%v is none of %q", value, list)
		}
	}
	if schema["format"] == "date-time" {
		if _, err := time.Parse(time.RFC3339, fmt.Sprint(value)); err != nil {
			return fmt.Errorf("%v is no instant: %w", value, err)
		}
	}
	switch v := value.(type) {
	case map[string]any:
		return fitsObject(known, schema, v)
	case []any:
		items, _ := schema["items"].(map[string]any)
		for i, one := range v {
			if err := fits(known, items, one); err != nil {
				return fmt.Errorf("%d: %w", i, err)
			}
		}
	}
	want, ok := schema["type"].(string)
	var have string
	switch value.(type) {
	case nil:
		have = "null"
	case bool:
		have = "boolean"
	case string:
		have = "string"
	case float64:
		have = "integer"
	case []any:
		have = "array"
	case map[string]any:
		have = "object"
	}
	if ok && want != have && !(want == "number" && have == "integer") {
		return fmt.Errorf("%v is %s, want %s", value, have, want)
	}
	return nil
}

func fitsObject(known schemas, schema map[string]any, value map[string]any) error {
	properties, _ := schema["properties"].(map[string]any)
	more, _ := schema["additionalProperties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(value)) {
		of, ok := properties[name].(map[string]any)
		if !ok && more != nil {
			of, ok = more, true
		}
		if !ok && properties != nil {
			return fmt.Errorf("%s is not in the schema", name)
		}
		if err := fits(known, of, value[name]); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	required, _ := schema["required"].([]string)
	for _, name := range required {
		if _, ok := value[name]; !ok {
			return fmt.Errorf("%s is required and absent", name)
		}
	}
	return nil
}

// TestV32SchemasSayMore: every field and parameter that the tables name exists,
// and what is an instant, a number or one of a few is said so.
func TestV32SchemasSayMore(t *testing.T) {
	t.Parallel()
	native, old := documents(consoletest.New(t).Console.Routes(), nil)
	known, paths := schemas{}, map[string]map[string]any{}
	for _, document := range []map[string]any{native, old} {
		maps.Copy(known, document["components"].(map[string]any)["schemas"].(schemas))
		for path, methods := range document["paths"].(map[string]map[string]any) {
			if paths[path] == nil {
				paths[path] = map[string]any{}
			}
			maps.Copy(paths[path], methods)
		}
	}
	property := func(schema, field string) map[string]any {
		t.Helper()
		s, _ := known[schema].(map[string]any)
		properties, _ := s["properties"].(map[string]any)
		p, ok := properties[field].(map[string]any)
		if !ok {
			t.Errorf("there is no field %s of %s", field, schema)
		}
		if items, ok := p["items"].(map[string]any); ok {
			return items
		}
		return p
	}
	for schema, fields := range instants {
		for _, field := range fields {
			if p := property(schema, field); p["format"] != "date-time" || p["type"] != "string" {
				t.Errorf("%s of %s: %v", field, schema, p)
			}
		}
	}
	for name := range choices {
		schema, field, _ := strings.Cut(name, ".")
		p := property(schema, field)
		if list, _ := p["enum"].([]string); len(list) < 2 {
			t.Errorf("%s of %s: %v", field, schema, p)
		}
	}
	// The other way round: nothing is called a time and said to be any text.
	for name, schema := range known {
		properties, _ := schema.(map[string]any)["properties"].(map[string]any)
		for field, of := range properties {
			p := of.(map[string]any)
			if (strings.HasSuffix(field, "Time") || strings.HasSuffix(field, "Since") || strings.HasSuffix(field, "At")) && p["type"] == "string" && p["format"] == nil {
				t.Errorf("%s of %s is an instant and said to be any text", field, name)
			}
		}
	}
	used := map[string]bool{}
	for _, methods := range paths {
		for _, operation := range methods {
			for _, p := range operation.(map[string]any)["parameters"].([]any) {
				p := p.(map[string]any)
				used[p["name"].(string)] = true
				if name := p["name"]; (name == "page" || name == "item" || name == "port") && p["schema"].(map[string]any)["type"] != "integer" {
					t.Errorf("the parameter %s is %v", name, p["schema"])
				}
			}
		}
	}
	for name := range values {
		if !used[name[strings.LastIndex(name, " ")+1:]] {
			t.Errorf("no parameter is called %s", name)
		}
	}
	if p := property("settings", "shardingTotalCount"); p["type"] != "integer" {
		t.Errorf("shardingTotalCount of a configuration is %v", p)
	}
}

// TestV32NullBodies: null is no request: it would be one with every field absent.
func TestV32NullBodies(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	for _, r := range documented(b.Console.Routes()) {
		if operationOf(r).Request == nil {
			continue
		}
		var headers []string
		if operationOf(r).Reporter {
			headers = []string{asProcess(0)}
		}
		for _, body := range []string{"null", " null\n"} {
			got := b.Call(t, r.Method, consoletest.Filled(r.Path), body, headers...)
			if got.StatusCode != http.StatusBadRequest || !strings.Contains(got.Body, "malformed") {
				t.Errorf("%s %s takes %q: %d %s", r.Method, r.Path, body, got.StatusCode, got.Body)
			}
		}
	}
	if given := b.Registry.Given(); len(given) > 0 {
		t.Errorf("carried out: %q", given)
	}
}

// TestV32Allow: the header Allow lists the methods of the route and no other, and
// each of them is one.
func TestV32Allow(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	methods := map[string][]string{}
	for _, r := range b.Console.Routes() {
		methods[r.Path] = append(methods[r.Path], r.Method)
		if r.Method == http.MethodGet {
			methods[r.Path] = append(methods[r.Path], http.MethodHead)
		}
	}
	asked := 0
	for path, have := range methods {
		if strings.Contains(path, "*") {
			continue
		}
		if one, isBatch := strings.CutSuffix(path, "/batch"); isBatch { // It may be the id of one run.
			have = append(have, methods[one+"/:request"]...)
		}
		slices.Sort(have)
		have = slices.Compact(have)
		got := b.Call(t, http.MethodPatch, consoletest.Filled(path), "")
		consoletest.WantStatus(t, got, http.StatusMethodNotAllowed)
		asked++
		list := strings.Split(got.Header.Get("Allow"), ", ")
		slices.Sort(list)
		if !slices.Equal(list, have) {
			t.Errorf("%s: Allow is %q, want %q", path, list, have)
		}
	}
	if asked < 80 {
		t.Errorf("only %d routes", asked)
	}
}
