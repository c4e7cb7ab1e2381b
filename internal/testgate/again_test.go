package main

import (
	"bytes"
	"os"
	"strings"
	"testing"
)

// TestGateWithAFlake runs the whole gate on a test that fails the first time: it
// fails, and with TESTGATE_RETRY=1 it passes and says so.
func TestGateWithAFlake(t *testing.T) {
	inModule(t, `
func TestGood(t *testing.T) {}

func TestFlake(t *testing.T) {
	if os.Mkdir("seen", 0o755) == nil {
		t.Error("the first time it fails")
	}
}
`)
	for retry, want := range map[string]bool{"": false, "1": true} {
		if err := os.RemoveAll("seen"); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TESTGATE_RETRY", retry)
		var out bytes.Buffer
		ok, err := run(t.Context(), []string{"-vet=off", "-count=1", "--", "./..."}, &out)
		if ok != want || err != nil || strings.Contains(out.String(), "FLAKY   example.com/p.TestFlake") != want || !strings.Contains(out.String(), "the first time it fails") {
			t.Errorf("TESTGATE_RETRY=%q: passed %v, %v:\n%s", retry, ok, err, &out)
		}
	}
}

// inModule makes a module of the test, with its functions, the current folder.
func inModule(t *testing.T, functions string) {
	t.Helper()
	t.Chdir(t.TempDir())
	t.Setenv("GOFLAGS", "")
	for name, text := range map[string]string{
		"go.mod":    "module example.com/p\n\ngo 1.26\n",
		"p_test.go": "package p\n\nimport (\n\t\"os\"\n\t\"testing\"\n)\n\nvar _ = os.Exit\n" + functions,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// TestNeverRetried: a panic, the death of a package, a package that does not compile and
// too many failures are failures at once.
func TestNeverRetried(t *testing.T) {
	t.Setenv("TESTGATE_RETRY", "1")
	for why, functions := range map[string]string{
		"p.TestA: a panic":                       `func TestA(t *testing.T) { panic("no") }`,
		"p: the package failed as a whole":       `func TestMain(m *testing.M) { m.Run(); os.Exit(3) }`,
		"p: a goroutine leak":                    `func TestMain(m *testing.M) { println("goleak: Errors on successful test run: found unexpected goroutines:"); os.Exit(1) }`,
		"3 failed, more than 2":                  `func TestA(t *testing.T) { t.Error() }; func TestB(t *testing.T) { t.Error() }; func TestC(t *testing.T) { t.Error() }`,
		"example.com/p: the package failed as":   `func TestA(t *testing.T) { undefined() }`,
		"AGAIN   example.com/p.TestA fails by i": `func TestA(t *testing.T) { t.Run("part", func(t *testing.T) { t.Error("always") }) }`,
	} {
		inModule(t, functions+"\n")
		var out bytes.Buffer
		if ok, err := run(t.Context(), []string{"-vet=off", "-count=1", "--", "./..."}, &out); ok || err != nil || !strings.Contains(out.String(), why) {
			t.Errorf("want %q: passed %v, %v:\n%s", why, ok, err, &out)
		}
	}
}

// TestDetectorThatDied: a package in which the race detector dies once is run again as a
// whole, however many of its tests had not ended.
func TestDetectorThatDied(t *testing.T) {
	t.Setenv("TESTGATE_RETRY", "1")
	for words, want := range map[string]bool{"ThreadSanitizer: CHECK failed: tsan_rtl.cpp:346": true, "out of order": false} {
		functions := ""
		for _, name := range []string{"A", "B", "C"} {
			functions += "func Test" + name + "(t *testing.T) { t.Parallel(); dies() }\n"
		}
		inModule(t, functions+`
// again is an error in the second process, in which no test dies.
var again = os.Mkdir("seen", 0o755)

func dies() {
	if again == nil {
		os.Stderr.WriteString("`+words+`\n")
		os.Exit(66)
	}
}
`)
		var out bytes.Buffer
		ok, err := run(t.Context(), []string{"-vet=off", "-count=1", "--", "./..."}, &out)
		if ok != want || err != nil || strings.Contains(out.String(), "FLAKY   example.com/p failed once") != want {
			t.Errorf("%q: passed %v, %v:\n%s", words, ok, err, &out)
		}
	}
}

// TestNothingRan: a run without a test proves nothing, so it fails.
func TestNothingRan(t *testing.T) {
	inModule(t, "func TestA(t *testing.T) {}\n")
	var out bytes.Buffer
	if ok, err := run(t.Context(), []string{"-vet=off", "-run=TestOfAnotherName", "--", "./..."}, &out); ok || err != nil || !strings.Contains(out.String(), "no test ran") {
		t.Errorf("passed %v, %v:\n%s", ok, err, &out)
	}
}

// TestInexcusable: what a failed test or package has said decides.
func TestInexcusable(t *testing.T) {
	t.Parallel()
	check := "ThreadSanitizer: CHECK failed: tsan_rtl.cpp:346\n"
	crash := "SIGSEGV: segmentation violation\nPC=0x41ca09 m=9 sigcode=1 addr=0x0\n\ngoroutine 0 gp=0xc0006192c0 [idle]:\n\n" +
		"goroutine 932488 gp=0xc0004cba40 [running, synctest bubble 212]:\nruntime.systemstack_switch()\n"
	for _, tt := range []struct {
		s    suspect
		want string
	}{
		{suspect{pkg: "x/p", test: "TestA", said: "    a_test.go:1: odd\n"}, ""},
		{suspect{pkg: "x/p", test: "TestA", said: "    a_test.go:1: want panic: no\n"}, ""},
		{suspect{pkg: "x/p", test: "TestA", said: "WARNING: DATA RACE\n"}, "a data race"},
		{suspect{pkg: "x/p", test: "TestA", said: "fatal error: concurrent map writes\n"}, "a fatal error of the runtime"},
		{suspect{pkg: "x/fleetsim", test: "TestSimFleets", said: "odd\n"}, "a violation of the simulation"},
		{suspect{pkg: "x/p", said: "signal: killed\n"}, "the package failed as a whole"},
		{suspect{pkg: "x/p", said: check}, ""},
		{suspect{pkg: "x/p", said: crash}, ""},
		{suspect{pkg: "x/p", said: "the address of SIGSEGV: segmentation violation\n"}, "the package failed as a whole"},
		{suspect{pkg: "x/p", said: "panic: nil\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4f]\n"}, "a panic"},
		{suspect{pkg: "x/p", said: "=== RUN   TestA\n-test.shuffle 17\nFAIL\tx/p\t1s\n", died: true}, ""},
		{suspect{pkg: "x/p", said: "=== RUN   TestA\n    a_test.go:1: odd\nFAIL\tx/p\t1s\n", died: true}, "the package failed as a whole"},
		{suspect{pkg: "x/p", said: "=== RUN   TestA\nsignal: killed\nFAIL\tx/p\t1s\n", died: true}, "the package failed as a whole"},
		{suspect{pkg: "x/p", said: check + "panic: no\n"}, "a panic"},
	} {
		if got := tt.s.inexcusable(); got != tt.want {
			t.Errorf("%s %q: %q, want %q", tt.s, tt.s.said, got, tt.want)
		}
	}
}
