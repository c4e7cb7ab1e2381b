package rest

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

var update = flag.Bool("update", false, "rewrite docs/api.md, docs/openapi.json and docs/openapi-legacy.json")

const (
	apiDocument     = "../../../docs/api.md"
	operationsBegin = "<!-- operations: written by go test ./internal/console/rest -run 'APIDocument|W53Documents' -update -->\n"
	operationsEnd   = "<!-- end of operations -->"
)

// curlLine is a command that gets a route to do what it is for.
func curlLine(r app.Route, op operation) string {
	line := "curl -sS "
	if r.Method != http.MethodGet {
		line += "-X " + r.Method + " "
	}
	line += `"$CONSOLE` + consoletest.Filled(r.Path) + `"`
	if op.Reporter {
		line += ` -H "Authorization: Bearer $TASK_TOKEN"`
	}
	if r.Access != app.Anyone {
		line += ` -H "Authorization: Bearer $TOKEN"`
	}
	if op.Example != "" {
		line += " --json '" + strings.ReplaceAll(op.Example, "$PASSWORD", `'"$PASSWORD"'`) + "'"
	}
	return line
}

// legacyGroup has the addresses that only clients of ElasticJob's own consoles need.
const legacyGroup = "Legacy addresses"

// groupOf is the heading of an address.
func groupOf(name string) string {
	if _, is := isLegacy(name); is {
		return legacyGroup
	}
	return tagOf(name)
}

// writeOperation writes the paragraph about a route.
func writeOperation(w io.Writer, r app.Route) {
	op := operationOf(r)
	var statuses []string
	for status := range answersOf(r) {
		statuses = append(statuses, fmt.Sprint(status))
	}
	slices.Sort(statuses)
	who := whoMay(r)
	who = strings.ToUpper(who[:1]) + who[1:]
	fmt.Fprintf(w, "\n#### %s\n\n%s\n%s. Answers: %s.\n", nameOf(r), op.Summary, who, strings.Join(statuses, ", "))
	if instead, _ := isLegacy(nameOf(r)); instead != "" {
		fmt.Fprintf(w, "New programs use `%s`.\n", instead)
	}
	fmt.Fprintln(w)
	for _, q := range op.Query {
		fmt.Fprintf(w, "- `%s`: %s\n", q[0], q[1])
	}
	if len(op.Query) > 0 {
		fmt.Fprintln(w)
	}
	fmt.Fprintf(w, "```sh\n%s\n```\n", curlLine(r, op))
}

// TestAPIDocument compares the operations in the document with the routes.
func TestAPIDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(apiDocument)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), operationsBegin)
	got, after, closed := strings.Cut(rest, operationsEnd)
	if !ok || !closed {
		t.Fatalf("%s has no place for the operations", apiDocument)
	}
	var want strings.Builder
	routes := documented(consoletest.New(t).Console.Routes())
	for _, group := range append(tagNames(), legacyGroup) {
		fmt.Fprintf(&want, "\n### %s\n", group)
		for _, r := range routes {
			if groupOf(nameOf(r)) == group {
				writeOperation(&want, r)
			}
		}
	}
	want.WriteString("\n")
	if *update {
		if err := os.WriteFile(apiDocument, []byte(before+operationsBegin+want.String()+operationsEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want.String(), got); diff != "" {
		t.Errorf("%s is stale, run this test with -update (-want +got):\n%s", apiDocument, diff)
	}
}
