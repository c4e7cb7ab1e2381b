package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// A gate of thousands of tests with real servers fails now and then because the
// machine was busy, and a gate that fails without a reason is soon ignored. With
// TESTGATE_RETRY=1 it tells a flake from a failure: a test that failed once and
// then passes three times in a row, by itself and with the race detector, is
// called FLAKY, by name and with its first output, and does not fail the gate.

const (
	retryTests = 2 // more failures than that are no flakes
	retryTimes = 3
)

// never are what no second run can excuse. Tests indent what they say; the
// runtime does not.
var never = []struct {
	what string
	said func(line string) bool
}{
	{"a data race", func(line string) bool {
		return strings.Contains(line, "WARNING: DATA RACE") || strings.Contains(line, "race detected")
	}},
	{"a goroutine leak", func(line string) bool { return strings.Contains(line, "found unexpected goroutines") }},
	{"a panic", func(line string) bool { return strings.HasPrefix(line, "panic: ") }},
	{"a fatal error of the runtime", func(line string) bool { return strings.HasPrefix(line, "fatal error: ") }},
}

// detectorDied reports whether what ended a package was the race detector itself.
// In a bubble of testing/synctest, goroutines that look at expired timers at the same
// moment share a state of it without a lock (golang/go#78156, open in Go 1.26): then
// one of its checks fails, or it touches memory that is not there. That says nothing
// about what was tested, and no test could have said it first.
func detectorDied(output []string) bool {
	trace := 0 // lines of a crash that are left to look at: those of the goroutine that crashed
	for _, line := range output {
		switch {
		case strings.HasPrefix(line, "ThreadSanitizer: CHECK failed"):
			return true
		case strings.HasPrefix(line, "SIGSEGV: segmentation violation"):
			trace = crashLines
		case trace > 0 && strings.HasPrefix(line, "runtime.(*timer).maybeRunChan("):
			return true
		}
		trace--
	}
	return wordless(output)
}

// wordless reports whether a package ended in the middle of its tests and said nothing
// at all, not even by which signal. So the race detector ends where a check of it fails
// while another one is being reported. A test that ends the process by itself does it
// the second time as well.
func wordless(output []string) bool {
	return slices.ContainsFunc(output, func(line string) bool { return strings.HasPrefix(line, "DIED ") }) &&
		!slices.ContainsFunc(output, func(line string) bool {
			for _, told := range []string{"DIED ", "        nothing\n", "-test.shuffle ", "FAIL", "=== "} {
				if strings.HasPrefix(line, told) {
					return false
				}
			}
			return strings.TrimSpace(line) != ""
		})
}

// crashLines are more than the runtime prints before the calls of the goroutine
// that crashed.
const crashLines = 12

// condemned says what in the output no second run can excuse; "" if nothing.
func condemned(output []string) string {
	for _, line := range output {
		for _, n := range never {
			if n.said(line) {
				return n.what
			}
		}
	}
	return ""
}

// simulations are packages whose tests judge by rules, not by the clock: each
// failure is a violation.
var simulations = []string{"fleetsim"}

// inexcusable says why a failure is none that a second run could excuse; "" if
// one could.
func inexcusable(f failure) string {
	switch said := condemned(f.output); {
	case said != "":
		return said
	case f.test == "" && detectorDied(f.output):
		return ""
	case f.test == "":
		return "the package failed as a whole"
	case slices.Contains(simulations, path.Base(f.pkg)):
		return "a violation of the simulation"
	}
	return ""
}

// suspect is a test at the top level that failed, with all its subtests that did. It
// is a whole package, without a test, if the race detector died in it.
type suspect struct{ pkg, test string }

// times is how often it must pass.
func (s suspect) times() int {
	if s.test == "" {
		return 1 // Its tests have not failed; they are to be run at all.
	}
	return retryTimes
}

func (s suspect) name() string { return fullName(s.pkg, s.test) }

// suspects returns the tests to run again, or why none is.
func (v verdict) suspects() (list []suspect, why string) {
	if len(v.skipped) > 0 {
		return nil, "tests were skipped"
	}
	for _, f := range v.failed {
		if reason := inexcusable(f); reason != "" {
			return nil, f.name() + ": " + reason
		}
		top, _, _ := strings.Cut(f.test, "/")
		if s := (suspect{f.pkg, top}); !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if len(list) > retryTests {
		return nil, fmt.Sprintf("%d tests failed, more than %d", len(list), retryTests)
	}
	return list, ""
}

// again is a run of `go test -json` with these arguments; it fails only if that
// could not be run.
type again func(args []string, w io.Writer) (verdict, error)

// excuse runs failed tests again, each three times in a row, and takes those
// that pass out of the failures. It prints what it does.
func (v *verdict) excuse(args []string, run again, w io.Writer) error {
	list, why := v.suspects()
	if why != "" {
		fmt.Fprintf(w, "no failed test is run again: %s\n", why)
		return nil
	}
	var flaky []suspect
	for _, s := range list {
		passed, err := s.passes(args, run, w)
		if err != nil {
			return err
		}
		if passed {
			flaky = append(flaky, s)
		}
	}
	for _, s := range flaky {
		what := "failed once"
		if s.test == "" {
			what = "saw the race detector die, which is a bug of Go (golang/go#78156),"
		}
		fmt.Fprintf(w, "FLAKY   %s %s and passed %d times in a row; what it said at first:\n", s.name(), what, s.times())
		v.failed = slices.DeleteFunc(v.failed, func(f failure) bool {
			own := f.pkg == s.pkg && (f.test == s.test || s.test != "" && strings.HasPrefix(f.test, s.test+"/"))
			if own {
				fmt.Fprint(w, strings.Join(f.output, ""))
				v.passed++
			}
			return own
		})
	}
	return nil
}

// passes reports whether a test passes each of the times that it is run again.
func (s suspect) passes(args []string, run again, w io.Writer) (bool, error) {
	for i := range s.times() {
		var said bytes.Buffer
		result, err := run(s.arguments(args), &said)
		if err != nil {
			return false, err
		}
		if !result.ok() {
			fmt.Fprintf(w, "AGAIN   %s fails by itself as well, in run %d of %d:\n%s", s.name(), i+1, s.times(), &said)
			return false, nil
		}
	}
	return true, nil
}

// booleans are flags of `go test` whose value is never an argument of its own.
var booleans = []string{"a", "asan", "benchmem", "cover", "failfast", "fullpath", "json", "msan", "n", "race", "short", "trimpath", "v", "x"}

// argument is a flag of `go test` with its value, or a package.
type argument struct {
	flag string // its name; "" for a package
	text []string
}

func split(args []string) (list []argument) {
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			list = append(list, argument{"", args[i : i+1]})
			continue
		}
		flag, _, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		end := i + 1
		if !hasValue && !slices.Contains(booleans, flag) && end < len(args) {
			end++
		}
		list = append(list, argument{flag, args[i:end]})
		i = end - 1
	}
	return list
}

// detector are the flags that build with the race detector: those of `make race`, which the
// Makefile puts into TESTGATE_RACE, as what is built with them is compiled once for both. One
// with spaces stands in single quotes, as for the shell.
func detector() []string {
	flags := raceFlag.FindAllString(os.Getenv("TESTGATE_RACE"), -1)
	if len(flags) == 0 {
		return []string{"-race"}
	}
	for i, f := range flags {
		flags[i] = strings.Trim(f, "'")
	}
	return flags
}

var raceFlag = regexp.MustCompile(`'[^']*'|[^' ]+`)

// arguments are those of `go test` for this test alone: how to build it, without
// which tests of which packages, in which order and how often.
func (s suspect) arguments(args []string) []string {
	kept := append(detector(), "-count=1")
	if s.test != "" {
		kept = append(kept, "-run=^"+regexp.QuoteMeta(s.test)+"$")
	}
	for _, a := range split(args) {
		if !slices.Contains([]string{"", "race", "count", "run", "skip", "shuffle", "p"}, a.flag) && !slices.Contains(kept, a.text[0]) {
			kept = append(kept, a.text...)
		}
	}
	return append(kept, s.pkg)
}
