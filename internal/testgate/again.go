package main

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"gotest.tools/gotestsum/testjson"
)

const (
	retryTests = 2 // more failures than that are no flakes
	retryTimes = 3
)

// never lists the failures that no second run can excuse, with the words that show them.
var never = []struct{ what, words string }{
	{"a data race", "WARNING: DATA RACE\n"},
	{"a goroutine leak", "found unexpected goroutines"},
	{"a panic", "\npanic: "},
	{"a fatal error of the runtime", "\nfatal error: "},
}

// suspect is a failed test at the top level, with all that it said. It has no test if its
// package failed as a whole, and died if that ended in the middle of its tests.
type suspect struct {
	pkg, test, said string
	died            bool
}

func (s suspect) String() string { return strings.TrimSuffix(s.pkg+"."+s.test, ".") }

// inexcusable says why no second run could excuse s; "" if one could.
func (s suspect) inexcusable() string {
	for _, n := range never {
		if strings.Contains("\n"+s.said, n.words) {
			return n.what
		}
	}
	switch {
	case s.test == "" && !detectorDied(s.said) && !(s.died && wordless(s.said)):
		return "the package failed as a whole"
	case path.Base(s.pkg) == "fleetsim": // Its tests judge by rules, not by the clock.
		return "a violation of the simulation"
	}
	return ""
}

// detectorDied reports whether the race detector itself ended a package. In a bubble of
// testing/synctest, goroutines that look at expired timers at the same moment share a
// state of it without a lock (golang/go#78156, open in Go 1.26): then one of its checks
// fails, or it touches memory that is not there. No test could have said that first.
func detectorDied(said string) bool {
	return strings.Contains(said, "ThreadSanitizer: CHECK failed") || detectorCrash.MatchString("\n"+said)
}

// detectorCrash is how the runtime reports a fault outside of Go code: a fault in Go code is
// a panic or a fatal error instead. The detector is the only such code that tests call, and
// the goroutine that called it need not be the first in the list.
var detectorCrash = regexp.MustCompile(`\nSIG(SEGV|BUS): .*\nPC=0x[0-9a-f]+ m=[0-9]+ sigcode=`)

// wordless reports whether a package ended in the middle of its tests and said nothing at
// all, not even by which signal. So the race detector ends where a check of it fails while
// another one is being reported. A test that ends the process by itself does it again.
func wordless(said string) bool {
	for line := range strings.Lines(said) {
		known := func(word string) bool { return strings.HasPrefix(line, word) }
		if strings.TrimSpace(line) != "" && !slices.ContainsFunc([]string{"=== ", "-test.shuffle ", "FAIL"}, known) {
			return false
		}
	}
	return true
}

// suspects are the failed tests of a run, each with its subtests. Of a package that ended
// in the middle of its tests, gotestsum counts all that had not ended: they are one suspect.
func (r result) suspects() (list []suspect) {
	died := map[string]bool{}
	for _, failed := range r.Failed() {
		died[failed.Package] = died[failed.Package] || failed.Elapsed < 0
	}
	add := func(pkg, test, said string) {
		if i := slices.IndexFunc(list, func(s suspect) bool { return s.pkg == pkg && s.test == test }); i >= 0 {
			list[i].said += said
			return
		}
		list = append(list, suspect{pkg, test, said, died[pkg]})
	}
	for _, failed := range r.Failed() {
		pkg := r.Package(failed.Package)
		root, _ := failed.Test.Split()
		said := strings.Join(pkg.OutputLines(failed), "")
		if root == "" || died[failed.Package] && !slices.ContainsFunc(list, func(s suspect) bool { return s.pkg == failed.Package }) {
			var whole strings.Builder
			_ = pkg.WriteOutputTo(&whole, 0) // A builder takes everything.
			said += whole.String()
		}
		if died[failed.Package] {
			root = ""
		}
		add(failed.Package, root, said)
	}
	return list
}

// again runs the failed tests of a run again, unless one of them is inexcusable, and
// reports whether all of them pass now.
func (t toolchain) again(r result, flags []string) (ok bool, err error) {
	list := r.suspects()
	why := ""
	switch {
	case len(list) == 0:
		why = fmt.Sprint("go test: ", r.exit)
	case len(list) > retryTests:
		why = fmt.Sprintf("%d failed, more than %d", len(list), retryTests)
	}
	for _, s := range list {
		if reason := s.inexcusable(); reason != "" {
			why = fmt.Sprintf("%s: %s", s, reason)
		}
	}
	if why != "" {
		fmt.Fprintf(t.w, "no failed test is run again: %s\n", why)
		return false, nil
	}
	for _, s := range list {
		// Of flags that are given twice, go test takes the last.
		own := append(slices.Clone(flags), fmt.Sprintf("-count=%d", retryTimes), "-failfast", "-run=^"+regexp.QuoteMeta(s.test)+"$")
		if s.test == "" {
			own = append(slices.Clone(flags), "-count=1") // Its tests have not failed; they are to be run at all.
		}
		second, err := t.test(own, []string{s.pkg})
		if err != nil {
			return false, err
		}
		if !second.ok() {
			testjson.PrintSummary(t.w, second.Execution, testjson.SummarizeFailed|testjson.SummarizeErrors|testjson.SummarizeOutput)
			fmt.Fprintf(t.w, "AGAIN   %s fails by itself as well\n", s)
			return false, nil
		}
		fmt.Fprintf(t.w, "FLAKY   %s failed once and then passed; what it said at first:\n%s", s, s.said)
	}
	fmt.Fprintf(t.w, "%d passed, 0 failed\n", r.Total())
	return true, nil
}
