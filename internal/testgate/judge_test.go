package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name            string
		events          []string
		ok              bool
		passed          int
		failed, skipped []string
		shown           []string
		hidden          []string
	}{
		{
			name: "everything passed",
			events: []string{
				`{"Action":"output","Package":"p","Test":"TestA","Output":"chatter\n"}`,
				`{"Action":"pass","Package":"p","Test":"TestA"}`,
				`{"Action":"pass","Package":"p","Elapsed":1.5}`,
				`{"Action":"skip","Package":"q"}`,
			},
			ok: true, passed: 1, shown: []string{"ok      p  1.5s"}, hidden: []string{"chatter"},
		},
		{
			name: "a skipped test fails the run",
			events: []string{
				`{"Action":"pass","Package":"p","Test":"TestA"}`,
				`{"Action":"output","Package":"p","Test":"TestB","Output":"no server here\n"}`,
				`{"Action":"skip","Package":"p","Test":"TestB"}`,
				`{"Action":"pass","Package":"p"}`,
			},
			passed: 1, skipped: []string{"p.TestB"}, shown: []string{"no server here"},
		},
		{
			name: "a failed test is counted once",
			events: []string{
				`{"Action":"output","Package":"p","Test":"TestA","Output":"want 1, got 2\n"}`,
				`{"Action":"fail","Package":"p","Test":"TestA"}`,
				`{"Action":"fail","Package":"p"}`,
			},
			failed: []string{"p.TestA"}, shown: []string{"want 1, got 2", "FAIL    p"},
		},
		{
			name: "a package that does not compile",
			events: []string{
				`{"ImportPath":"p","Action":"build-output","Output":"p/x.go:1: syntax error\n"}`,
				`{"Action":"fail","Package":"p","FailedBuild":"p"}`,
			},
			failed: []string{"p"}, shown: []string{"syntax error"},
		},
		{
			name:   "lines that are not events are passed on",
			events: []string{`go: cannot find main module`},
			shown:  []string{"cannot find main module"},
		},
	} {
		var out bytes.Buffer
		v, err := judge(strings.NewReader(strings.Join(tt.events, "\n")), &out)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		v.report(&out)
		if v.ok() != tt.ok || v.passed != tt.passed {
			t.Errorf("%s: ok %v, passed %d; want %v, %d", tt.name, v.ok(), v.passed, tt.ok, tt.passed)
		}
		if diff := cmp.Diff(tt.failed, v.failed); diff != "" {
			t.Errorf("%s: failed (-want +got):\n%s", tt.name, diff)
		}
		if diff := cmp.Diff(tt.skipped, v.skipped); diff != "" {
			t.Errorf("%s: skipped (-want +got):\n%s", tt.name, diff)
		}
		for _, want := range tt.shown {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: output lacks %q:\n%s", tt.name, want, &out)
			}
		}
		for _, not := range tt.hidden {
			if strings.Contains(out.String(), not) {
				t.Errorf("%s: output shows %q:\n%s", tt.name, not, &out)
			}
		}
	}
}
