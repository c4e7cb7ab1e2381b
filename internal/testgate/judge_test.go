package main

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// names are those of what failed.
func names(v verdict) []string {
	var list []string
	for _, f := range v.failed {
		list = append(list, f.name())
	}
	return list
}

// verdicts are outputs of go test -json and what is made of them.
var verdicts = []struct {
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
}

func TestJudge(t *testing.T) {
	t.Parallel()
	for _, tt := range verdicts {
		var out bytes.Buffer
		v, err := judge(strings.NewReader(strings.Join(tt.events, "\n")), &out)
		if err != nil {
			t.Fatalf("%s: %v", tt.name, err)
		}
		v.report(&out)
		if v.ok() != tt.ok || v.passed != tt.passed {
			t.Errorf("%s: ok %v, passed %d; want %v, %d", tt.name, v.ok(), v.passed, tt.ok, tt.passed)
		}
		if diff := cmp.Diff(tt.failed, names(v)); diff != "" {
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

// recorded is what `go test -json` said of one of the packages in testdata.
func recorded(t *testing.T, name string) (v verdict, shown string) {
	t.Helper()
	stream, err := os.Open("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	var out bytes.Buffer
	v, err = judge(stream, &out)
	if err != nil {
		t.Fatal(err)
	}
	v.report(&out)
	return v, out.String()
}

// TestV44LastWordsOfAPackage: whatever ends a package in the middle, all that
// its tests have said and the end of its output are shown, and the failure is
// the package's.
func TestV44LastWordsOfAPackage(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"goroutine": {"TestWaits had not ended", "waiting", "TestStarts had not ended", "starting", "panic: in the background", "TestStarts.func1()"},
		"killed":    {"TestKilled had not ended", "the last word", "signal: killed"},
		"exits":     {"TestExits had not ended", "the last word", "FAIL\texample.com/rec/exits"},
	} {
		v, shown := recorded(t, name)
		if got := names(v); !slices.Equal(got, []string{"example.com/rec/" + name}) {
			t.Errorf("%s: failed %q, want the package alone", name, got)
		}
		for _, text := range append(want, "FAIL: 1 tests passed, 1 failed, 0 skipped in 1 packages") {
			if !strings.Contains(shown, text) {
				t.Errorf("%s: %q is not shown:\n%s", name, text, shown)
			}
		}
	}
}

// TestSilentTestOfADeadPackage: a test that had said nothing is named.
func TestSilentTestOfADeadPackage(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if _, err := judge(strings.NewReader(`{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
{"Action":"fail","Package":"p","Elapsed":10.9}`), &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"p.TestA had not ended", "nothing"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not shown:\n%s", want, &out)
		}
	}
}
