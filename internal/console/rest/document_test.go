package rest

import (
	"flag"
	"fmt"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

var update = flag.Bool("update", false, "rewrite the operations in docs/api.md")

const (
	apiDocument     = "../../../docs/api.md"
	operationsBegin = "<!-- operations: written by go test ./internal/console/rest -run APIDocument -update -->\n"
	operationsEnd   = "<!-- end of operations -->"
)

// curlLine is a command that gets a route to do what it is for.
func curlLine(r console.Route, op operation) string {
	line := "curl -sS "
	if r.Method != http.MethodGet {
		line += "-X " + r.Method + " "
	}
	line += `"$CONSOLE` + consoletest.Filled(r.Path) + `"`
	if op.Reporter {
		line += ` -H "Authorization: Bearer $TASK_TOKEN"`
	}
	if r.Access != console.Anyone {
		line += ` -H "Authorization: Bearer $TOKEN"`
	}
	if op.Example != "" {
		line += " --json '" + strings.ReplaceAll(op.Example, "$PASSWORD", `'"$PASSWORD"'`) + "'"
	}
	return line
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
	for _, r := range documented(consoletest.New(t).Console.Routes()) {
		op := operationOf(r)
		var statuses []string
		for status := range answersOf(r) {
			statuses = append(statuses, fmt.Sprint(status))
		}
		slices.Sort(statuses)
		who := whoMay(r)
		who = strings.ToUpper(who[:1]) + who[1:]
		if op.Reporter {
			who = "A process of a DAEMON job, with its token"
		}
		fmt.Fprintf(&want, "\n### %s %s\n\n%s\n%s. Answers: %s.\n\n", r.Method, parameter.ReplaceAllString(r.Path, "{$1}"), op.Summary, who, strings.Join(statuses, ", "))
		for _, q := range op.Query {
			fmt.Fprintf(&want, "- `%s`: %s\n", q[0], q[1])
		}
		if len(op.Query) > 0 {
			want.WriteString("\n")
		}
		fmt.Fprintf(&want, "```sh\n%s\n```\n", curlLine(r, op))
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
