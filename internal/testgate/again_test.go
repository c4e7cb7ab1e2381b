package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// outcomes is a run of tests that were to be run again: the next outcome, each
// time.
type outcomes struct {
	passes []bool
	asked  [][]string
}

func (o *outcomes) run(args []string, w io.Writer) (verdict, error) {
	if len(o.asked) == len(o.passes) {
		return verdict{}, errors.New("run once too often")
	}
	passed := o.passes[len(o.asked)]
	o.asked = append(o.asked, args)
	if passed {
		return verdict{passed: 1}, nil
	}
	_, err := io.WriteString(w, "wrong again\n")
	return verdict{failed: []failure{{pkg: "p", test: "TestBad"}}}, err
}

// TestRetry: a failed test that then passes three times is a flake, and its
// first output is shown; one that fails again is a failure.
func TestRetry(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		stream string
		passes []bool
		ok     bool
		shown  []string
	}{
		{"fails", []bool{true, true, true}, true, []string{"FLAKY   example.com/rec/fails.TestBad", "want 1, got 2", "ok: 2 tests passed, 0 failed"}},
		{"fails", []bool{true, true, false}, false, []string{"in run 3 of 3", "wrong again", "FAILED  example.com/rec/fails.TestBad", "FAIL: 1 tests passed, 1 failed"}},
		{"fails", []bool{false}, false, []string{"in run 1 of 3"}},
		// The parent and two subtests have failed, one test for all that.
		{"subtests", []bool{true, true, true}, true, []string{"FLAKY   example.com/rec/subtests.TestSub", "a is wrong", "c is wrong", "ok: 4 tests passed, 0 failed"}},
	} {
		v, _ := recorded(t, tt.stream)
		var out bytes.Buffer
		o := outcomes{passes: tt.passes}
		if err := v.excuse([]string{"-race", "./..."}, o.run, &out); err != nil {
			t.Fatal(err)
		}
		v.report(&out)
		if v.ok() != tt.ok || len(o.asked) != len(tt.passes) {
			t.Errorf("%s %v: ok %v after %d runs", tt.stream, tt.passes, v.ok(), len(o.asked))
		}
		for _, want := range tt.shown {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s %v: %q is not shown:\n%s", tt.stream, tt.passes, want, &out)
			}
		}
		if strings.Contains(out.String(), "FLAKY") != tt.ok {
			t.Errorf("%s %v:\n%s", tt.stream, tt.passes, &out)
		}
	}
}

// TestNeverRetried: a race, a leak, a panic and the death of a package are
// failures at once, and so is every failure in their company.
func TestNeverRetried(t *testing.T) {
	t.Parallel()
	for stream, why := range map[string]string{
		"race":      "a data race",
		"leak":      "a goroutine leak",
		"panics":    "a panic",
		"goroutine": "a panic",
		"killed":    "the package failed as a whole",
		"exits":     "the package failed as a whole",
	} {
		v, _ := recorded(t, stream)
		excusable, _ := recorded(t, "fails")
		v.failed = append(v.failed, excusable.failed...)
		var out bytes.Buffer
		if err := v.excuse(nil, new(outcomes).run, &out); err != nil {
			t.Errorf("%s: %v", stream, err)
		}
		if v.ok() || !strings.Contains(out.String(), why) {
			t.Errorf("%s: ok %v:\n%s", stream, v.ok(), &out)
		}
	}
}

// TestDetectorThatDied: a package in which the race detector died is run again as a
// whole, once; what else ends a package, and a race beside it, is not excused.
func TestDetectorThatDied(t *testing.T) {
	t.Parallel()
	check := "ThreadSanitizer: CHECK failed: tsan_rtl.cpp:346 \"((exiting || thr->fast_state.epoch() == kEpochLast)) != (0)\" (0x0, 0x0) (tid=9860)\n"
	crash := []string{
		"SIGSEGV: segmentation violation\n", "PC=0x41ca09 m=9 sigcode=1 addr=0x0\n", "\n", "goroutine 0 gp=0xc0006192c0 m=9 mp=0xc00026b808 [idle]:\n", "\n",
		"goroutine 932488 gp=0xc0004cba40 m=9 mp=0xc00026b808 [running, synctest bubble 212]:\n", "runtime.systemstack_switch()\n",
		"\t/usr/local/go/src/runtime/asm_amd64.s:516 +0x8\n", "runtime.(*timer).maybeRunChan(0xc0032b5660, 0xc0032b5570)\n",
	}
	elsewhere := append(slices.Clone(crash[:8]), "example.com/p.crash(0x0)\n", "\n", "goroutine 7 [select]:\n", "\n", "\n", crash[8])
	for name, tt := range map[string]struct {
		output  []string
		excused bool
	}{
		"check":         {[]string{"=== CONT  TestA\n", check}, true},
		"crash":         {crash, true},
		"other crash":   {elsewhere, false},
		"race as well":  {[]string{"WARNING: DATA RACE\n", check}, false},
		"panic as well": {[]string{check, "panic: no\n"}, false},
		"killed":        {[]string{"signal: killed\n"}, false},
		"wordless":      {[]string{"DIED    x/fleetsim.TestA had not ended; it said:\n", "        nothing\n", "-test.shuffle 17\n", "FAIL\tx/fleetsim\t1s\n"}, true},
		"last words":    {[]string{"DIED    x/fleetsim.TestA had not ended; it said:\n", "    a_test.go:1: odd\n", "FAIL\tx/fleetsim\t1s\n"}, false},
		"by a signal":   {[]string{"DIED    x/fleetsim.TestA had not ended; it said:\n", "        nothing\n", "signal: killed\n"}, false},
	} {
		for _, passes := range []bool{true, false} {
			v := verdict{passed: 1, failed: []failure{{pkg: "x/fleetsim", output: tt.output}}}
			o := outcomes{passes: []bool{passes}}
			var out bytes.Buffer
			if err := v.excuse([]string{"-race", "./..."}, o.run, &out); err != nil {
				t.Fatal(err)
			}
			if v.ok() != (tt.excused && passes) || len(o.asked) > 0 != tt.excused {
				t.Errorf("%s, passes %v: ok %v after %d runs:\n%s", name, passes, v.ok(), len(o.asked), &out)
			}
			if tt.excused && !slices.Equal(o.asked[0], append(detector(), "-count=1", "x/fleetsim")) {
				t.Errorf("%s: run again by %q", name, o.asked[0])
			}
		}
	}
}

// TestRetryIsForFewFailures: more than two failed tests, a skipped one and a
// violation of the simulation are no flakes.
func TestRetryIsForFewFailures(t *testing.T) {
	t.Parallel()
	two := verdict{failed: []failure{{pkg: "p", test: "TestA"}, {pkg: "p", test: "TestA/x"}, {pkg: "q", test: "TestA"}}}
	if list, why := two.suspects(); why != "" || len(list) != 2 {
		t.Errorf("two tests failed: %v, %q", list, why)
	}
	for want, v := range map[string]verdict{
		"3 tests failed":       {failed: append(slices.Clone(two.failed), failure{pkg: "q", test: "TestB"})},
		"tests were skipped":   {failed: two.failed, skipped: []string{"p.TestC"}},
		"violation":            {failed: []failure{{pkg: "x/fleetsim", test: "TestSimFleets"}}},
		"the package failed":   {failed: []failure{{pkg: "p"}}},
		"a fatal error":        {failed: []failure{{pkg: "p", test: "TestA", output: []string{"fatal error: concurrent map writes\n"}}}},
		"goroutine leak":       {failed: []failure{{pkg: "p", test: "TestA", output: []string{"    x_test.go:3: found unexpected goroutines:\n"}}}},
		"p.TestA: a data race": {failed: []failure{{pkg: "p", test: "TestA", output: []string{"    testing.go:1712: race detected during execution of test\n"}}}},
	} {
		if list, why := v.suspects(); !strings.Contains(why, want) || len(list) > 0 {
			t.Errorf("want %q: %v, %q", want, list, why)
		}
	}
}

// TestArgumentsOfARetry: the test alone, built as before, and with the detector as it is built
// with it elsewhere.
func TestArgumentsOfARetry(t *testing.T) {
	t.Setenv("TESTGATE_RACE", "")
	args := []string{"-race", "-gcflags=modernc.org/...=-race=false", "-tags", "interop", "-shuffle=on", "-count", "2", "-p=4",
		"-parallel=3", "-timeout=15m", "./interop", "./..."}
	want := []string{"-race", "-count=1", `-run=^TestA\.b$`, "-gcflags=modernc.org/...=-race=false", "-tags", "interop", "-parallel=3", "-timeout=15m", "x/p"}
	if diff := cmp.Diff(want, suspect{"x/p", "TestA.b"}.arguments(args)); diff != "" {
		t.Error(diff)
	}
	t.Setenv("TESTGATE_RACE", "-race '-gcflags=all=-d=checkptr=0 -dwarf=false' -gcflags=modernc.org/...=-race=false")
	want = []string{"-race", "-gcflags=all=-d=checkptr=0 -dwarf=false", "-gcflags=modernc.org/...=-race=false", "-count=1", `-run=^TestA\.b$`, "-tags", "interop", "-parallel=3", "-timeout=15m", "x/p"}
	for _, args := range [][]string{args, slices.Concat(args[:1], args[2:]), args[2:]} {
		if diff := cmp.Diff(want, suspect{"x/p", "TestA.b"}.arguments(args)); diff != "" {
			t.Error(diff)
		}
	}
}

// TestGateWithAFlake runs the whole gate on a test that fails the first time: it
// fails, and with TESTGATE_RETRY=1 it passes and says so.
func TestGateWithAFlake(t *testing.T) {
	t.Chdir(t.TempDir())
	for name, text := range map[string]string{
		"go.mod": "module example.com/flake\n\ngo 1.26\n",
		"flake_test.go": `package flake

import (
	"os"
	"testing"
)

func TestGood(t *testing.T) {}

func TestFlake(t *testing.T) {
	if os.Mkdir("seen", 0o755) == nil {
		t.Error("the first time it fails")
	}
}
`,
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for retry, want := range map[string]int{"": 1, "1": 0} {
		closing := map[int]string{0: "ok: 2 tests passed, 0 failed", 1: "FAIL: 1 tests passed, 1 failed"}[want]
		if err := os.RemoveAll("seen"); err != nil {
			t.Fatal(err)
		}
		t.Setenv("TESTGATE_RETRY", retry)
		var out, stderr bytes.Buffer
		if got := run(t.Context(), []string{"-vet=off", "-count=1", "./..."}, &out, &stderr); got != want || strings.Contains(out.String(), "FLAKY") != (want == 0) || !strings.Contains(out.String(), closing) {
			t.Errorf("TESTGATE_RETRY=%q: exit code %d, want %d:\n%s%s", retry, got, want, &out, &stderr)
		}
	}
}
