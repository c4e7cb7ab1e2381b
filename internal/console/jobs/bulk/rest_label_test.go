package bulk_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestLabelByREST: the order label goes with a label, writes it where it is another, and
// with preview nothing.
func TestLabelByREST(t *testing.T) {
	consoletest.EachTree(t, consoletest.Plain("a")+consoletest.Plain("b"), func(t *testing.T, b consoletest.TreeBench) {
		ask := func(preview, label string) consoletest.Reply {
			t.Helper()
			return b.Call(t, http.MethodPost, "/api/bulk", `{"order":"label","jobs":["a","b"],"preview":`+preview+label+`}`)
		}
		for _, wrong := range []consoletest.Reply{
			ask("false", ""), ask("false", `,"label":"a\u0000b"`), ask("false", `,"label":"`+strings.Repeat("x", 101)+`"`),
			b.Call(t, http.MethodPost, "/api/bulk", `{"order":"disable","jobs":["a"],"preview":true,"label":"x"}`),
		} {
			consoletest.WantStatus(t, wrong, http.StatusUnprocessableEntity)
		}
		if r := ask("true", `,"label":"billing"`); !strings.Contains(r.Body, `"done":2`) || strings.Contains(b.Node(t, "a/config"), "billing") {
			t.Errorf("preview: %s", r.Body)
		}
		if r := ask("false", `,"label":"billing"`); !strings.Contains(r.Body, `"affected":["a"]`) || !strings.Contains(b.Node(t, "b/config"), "label: billing") {
			t.Errorf("labelled: %s, %s", r.Body, b.Node(t, "b/config"))
		}
		if r := ask("false", `,"label":"billing"`); !strings.Contains(r.Body, `"affected":[]`) {
			t.Errorf("again: %s", r.Body)
		}
		if r := ask("false", `,"label":""`); r.StatusCode != http.StatusOK || strings.Contains(b.Node(t, "a/config"), "billing") {
			t.Errorf("removed: %s, %s", r.Body, b.Node(t, "a/config"))
		}
	})
}
