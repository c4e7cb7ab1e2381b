package jobfile

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/spelling"
)

var update = flag.Bool("update", false, "rewrite the table of keys in docs/agent.md")

// The manual's table is between these lines.
const (
	manual     = "../../docs/agent.md"
	keysBegin  = "<!-- keys: written by go test ./coreagent/jobfile -run Manual -update -->\n"
	keysEnd    = "<!-- end of keys -->"
	noEffect   = "No effect. "
	ownKeyMark = "Go only. "
)

// TestManual compares the table of keys with the reader's keys.
func TestManual(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(manual)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), keysBegin)
	table, after, closed := strings.Cut(rest, keysEnd)
	if !ok || !closed {
		t.Fatalf("%s has no place for the keys", manual)
	}
	var b strings.Builder
	for _, part := range []struct {
		title string
		keys  []key
	}{
		{"`elasticjob`", elasticjob}, {"`elasticjob.regCenter`", regCenter}, {"`elasticjob.jobs.<name>`", job}, {"`elasticjob.tracing`", tracingKeys},
		{"`elasticjob.tracing.dataSource`, else `spring.datasource`", dataSource}, {"`elasticjob.dump`", dump},
		{"`elasticjob.worker`", worker}, {"`elasticjob.runLog`", runLog},
	} {
		fmt.Fprintf(&b, "\n### %s\n\n| Key | Value | Default | |\n|---|---|---|---|\n", part.title)
		for _, k := range part.keys {
			def, doc := k.def, k.doc
			switch {
			case k.required:
				def = "required"
			case def == "":
				def = "none"
			case !strings.Contains(def, " "):
				def = "`" + def + "`"
			}
			if k.ignored {
				def, doc = "", noEffect+doc
			}
			if k.foreign {
				doc = ownKeyMark + doc
			}
			if doc == "" && (k.kind == section || k.kind == jobs) {
				doc = "See below."
			}
			fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.name, k.kind, def, strings.ReplaceAll(doc, "|", `\|`))
		}
	}
	b.WriteString("\n")
	want := b.String()
	if *update {
		if err := os.WriteFile(manual, []byte(before+keysBegin+want+keysEnd+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(want, table); diff != "" {
		t.Errorf("%s is stale, run this test with -update (-want +got):\n%s", manual, diff)
	}
}

// TestKeysAreDistinct: no two keys of a section are equal for Spring.
func TestKeysAreDistinct(t *testing.T) {
	t.Parallel()
	for _, keys := range [][]key{document, elasticjob, regCenter, job, tracingKeys, dataSource, dump} {
		seen := map[string]string{}
		for _, k := range keys {
			if other, twice := seen[canon(k.name)]; twice {
				t.Errorf("%s and %s", k.name, other)
			}
			seen[canon(k.name)] = k.name
		}
	}
}

func TestSuggest(t *testing.T) {
	t.Parallel()
	for written, want := range map[string]string{
		"corn": "cron", "shardingTotalcount": "shardingTotalCount", "sharding-total-cout": "shardingTotalCount", "fail-over": "failover",
		"prop": "props", "colour": "", "x": "", "jobErrorHandler": "jobErrorHandlerType", "monitorExcution": "monitorExecution",
	} {
		if got := spelling.Nearest(written, names(job)); got != want {
			t.Errorf("%s: suggests %q, want %q", written, got, want)
		}
	}
}
