//go:build !race

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const repository = "../.."

// TestEveryCaseHasATest: a number without a test would be a line of the table
// that nothing proves.
func TestEveryCaseHasATest(t *testing.T) {
	t.Parallel()
	tests, err := scan(repository)
	if err != nil {
		t.Fatal(err)
	}
	if missing := without(tests); len(missing) > 0 {
		t.Errorf("no test bears the number of %s", strings.Join(missing, ", "))
	}
	for i, c := range cases {
		if want := fmt.Sprintf("K%02d", i+1); c.number != want || c.title == "" || strings.Contains(c.title, " | ") {
			t.Errorf("line %d of the cases is %+v", i+1, c)
		}
		delete(tests, c.number)
	}
	for _, d := range departures {
		for _, n := range d.cases {
			if !slices.ContainsFunc(cases, func(c conformanceCase) bool { return c.number == n }) {
				t.Errorf("a departure of %s, which is no case", n)
			}
		}
	}
	if len(cases) != 70 || len(tests) != 0 {
		t.Errorf("%d cases, and tests of unknown ones: %v", len(cases), tests)
	}
}

// TestDocumentAgrees: docs/conformance.md says what the sources give it to say,
// whatever the results, and none of them is a failure.
func TestDocumentAgrees(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile(filepath.Join(repository, "docs", "conformance.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests, err := scan(repository)
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	rows := judge(tests, nil)
	_, rest, _ := strings.Cut(rows.document(), "\n## Where")
	rest, _, _ = strings.Cut(rest, "\n## Tests")
	if !strings.HasPrefix(text, heading) || !strings.Contains(text, rest) {
		t.Error("heading or departures are out of date: run `make conformance`")
	}
	_, testsOf, _ := strings.Cut(text, "\n## Tests\n")
	line := func(text, start string) string {
		for line := range strings.Lines(text) {
			if rest, ok := strings.CutPrefix(line, start); ok {
				return strings.TrimSpace(rest)
			}
		}
		return ""
	}
	for _, r := range rows {
		cells := strings.Split(line(text, "| "+r.number+" | "), " | ") // Without the number.
		if len(cells) != columns-1 || cells[0] != r.title || strings.HasPrefix(cells[4], "yes") != r.differs() {
			t.Errorf("%s is out of date: run `make conformance`\n%q", r.number, cells)
		} else if cells[1] == "fails" || cells[2] == "fails" || strings.Contains(cells[3], "fails") {
			t.Errorf("%s fails, says the document: %q", r.number, cells)
		}
		// A test may be newer than the document; those that it names exist.
		names := line(testsOf, "- "+r.number+": ")
		for _, name := range strings.Split(names, ", ") {
			if !slices.Contains(r.tests, name) {
				t.Errorf("%s: there is no test %q any more: run `make conformance`", r.number, name)
			}
		}
	}
}

// TestJudge: what passes, fails, and never ends.
func TestJudge(t *testing.T) {
	t.Parallel()
	tests := map[string][]test{
		"K01": {{folder: "codec", name: "TestK01K02"}},
		"K02": {{folder: "codec", name: "TestK01K02"}, {folder: "agent", name: "TestK02"}},
		"K03": {{folder: "agent", name: "TestK03"}, {folder: "interop", name: "TestK03", java: true}},
		"K04": {{folder: "agent", name: "TestK04"}},
		"K05": {{folder: "agent", name: "TestK05"}},
	}
	r := results{}
	var events strings.Builder
	event := func(action, folder, name string) {
		fmt.Fprintf(&events, "{\"Action\":%q,\"Package\":%q,\"Test\":%q}\n", action, module+folder, name)
	}
	events.WriteString("FAIL a line of go itself\n{\"Action\":\"start\",\"Package\":\"x\"}\n")
	for _, pass := range [][2]string{
		{"codec", "TestK01K02"}, {"codec", "TestK01K02/simple"}, {"agent", "TestK02"}, {"agent", "TestK02/plain/fake"}, {"agent", "TestK02/plain/real"},
		{"agent", "TestK03/fake"}, {"interop", "TestK03/java-3.0.4"}, {"interop", "TestK03/java-3.0.4/x"}, {"agent", "TestK03/real/sub"},
	} {
		event("run", pass[0], pass[1])
		event("pass", pass[0], pass[1])
	}
	for _, fail := range [][2]string{{"agent", "TestK03"}, {"agent", "TestK03/real"}, {"interop", "TestK03"}, {"interop", "TestK03/java-3.0.5"}} {
		event("run", fail[0], fail[1])
		event("fail", fail[0], fail[1])
	}
	event("run", "agent", "TestK04") // And then the process died.
	if err := r.read(strings.NewReader(events.String())); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range judge(tests, r)[:5] {
		got = append(got, fmt.Sprintf("%s %s %s %s", row.number, row.cell(fake), row.cell(real3_8), row.java))
	}
	want := []string{"K01 no server no server –", "K02 holds holds –", "K03 holds fails 3.0.4, 3.0.5 fails", "K04 fails fails –", "K05 – – –"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if diff := cmp.Diff([]string{"agent.TestK03", "agent.TestK04", "interop.TestK03"}, r.failed()); diff != "" {
		t.Errorf("failed (-want +got)\n%s", diff)
	}
	text := judge(tests, r).document()
	if !strings.Contains(text, "70 cases: 1 hold on both servers, 1 hold and need none, 2 fail; 0 hold next to Java.") {
		t.Errorf("totals in\n%.2000s", text)
	}
	later := judge(tests, nil)
	later.copyJava(text)
	if later[2].java != "3.0.4, 3.0.5 fails" || later[0].java != "–" {
		t.Errorf("copied: %q, %q", later[2].java, later[0].java)
	}
}
