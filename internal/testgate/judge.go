package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// event is one line of `go test -json`, as far as it matters here.
type event struct {
	Action      string
	Package     string
	ImportPath  string // of build output, which comes before the package's own events
	Test        string
	Elapsed     float64
	Output      string
	FailedBuild string
}

// verdict is what a whole run came to.
type verdict struct {
	packages, passed int
	failed           []failure
	skipped          []string
	elapsed          time.Duration
}

// failure is a test that failed, or a package that failed as a whole.
type failure struct {
	pkg, test string // test is "" for a package
	output    []string
}

// name is "package.Test", or that of a package.
func (f failure) name() string { return fullName(f.pkg, f.test) }

func fullName(pkg, test string) string {
	if test == "" {
		return pkg
	}
	return pkg + "." + test
}

func (v verdict) ok() bool { return len(v.failed) == 0 && len(v.skipped) == 0 && v.passed > 0 }

// report names what went wrong and ends with the closing line.
func (v verdict) report(w io.Writer) {
	for _, f := range v.failed {
		fmt.Fprintf(w, "FAILED  %s\n", f.name())
	}
	for _, name := range v.skipped {
		fmt.Fprintf(w, "SKIPPED %s (skips are failures here: install what it needs or delete the test)\n", name)
	}
	if v.passed == 0 {
		fmt.Fprintln(w, "no test ran")
	}
	result := "ok"
	if !v.ok() {
		result = "FAIL"
	}
	fmt.Fprintf(w, "%s: %d tests passed, %d failed, %d skipped in %d packages, %v\n",
		result, v.passed, len(v.failed), len(v.skipped), v.packages, v.elapsed.Round(time.Second))
}

// judge reads the events of a run, prints them for people and sums them up.
// Output of a test is kept until the test ends and shown only if it did not
// pass; lines that are not events (a crash of go itself) are passed on.
func judge(events io.Reader, w io.Writer) (verdict, error) {
	started := time.Now()
	j := judgement{w: w, build: map[string][]string{}, open: map[string]map[string]*record{}}
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				if _, werr := w.Write(line); werr != nil {
					return j.verdict, werr
				}
			} else {
				j.add(e)
			}
		}
		if err == io.EOF {
			j.elapsed = time.Since(started)
			slices.Sort(j.skipped)
			return j.verdict, nil
		}
		if err != nil {
			return j.verdict, err
		}
	}
}

// judgement is a verdict that is being made.
type judgement struct {
	verdict
	w     io.Writer
	build map[string][]string           // compiler messages by import path
	open  map[string]map[string]*record // by package, and by test or "" for the package's own
}

// record is what was heard of a test that has not ended.
type record struct {
	order  int // tests of a package in the order in which they were first heard of
	output []string
}

// record returns that of the event's test, or of its package.
func (j *judgement) record(e event) *record {
	tests := j.open[e.Package]
	if tests == nil {
		tests = map[string]*record{}
		j.open[e.Package] = tests
	}
	r := tests[e.Test]
	if r == nil {
		r = &record{order: len(tests)}
		tests[e.Test] = r
	}
	return r
}

func (j *judgement) show(lines []string) {
	for _, text := range lines {
		fmt.Fprint(j.w, text)
	}
}

func (j *judgement) add(e event) {
	switch e.Action {
	case "build-output":
		j.build[e.ImportPath] = append(j.build[e.ImportPath], e.Output)
	case "run":
		j.record(e)
	case "output":
		r := j.record(e)
		r.output = append(r.output, e.Output)
	case "pass":
		if e.Test != "" {
			j.passed++
			delete(j.open[e.Package], e.Test)
			return
		}
		j.packages++
		fmt.Fprintf(j.w, "ok      %s  %.1fs\n", e.Package, e.Elapsed)
		delete(j.open, e.Package)
	case "skip":
		if e.Test != "" { // A package without tests is reported as skipped too.
			j.skipped = append(j.skipped, fullName(e.Package, e.Test))
			j.show(j.record(e).output)
		}
		delete(j.open[e.Package], e.Test)
	case "fail":
		if e.Test == "" {
			j.failPackage(e)
			return
		}
		output := j.record(e).output
		j.show(output)
		j.failed = append(j.failed, failure{e.Package, e.Test, output})
		delete(j.open[e.Package], e.Test)
	}
}

// failPackage is about the end of a package that failed, because its tests did
// or by itself: a race or a leak found between tests, a compile error, or a
// death in the middle of its tests by a panic, a time-out, or a signal. What it
// said last is then kept under the tests that ran.
func (j *judgement) failPackage(e event) {
	j.packages++
	fmt.Fprintf(j.w, "FAIL    %s  %.1fs\n", e.Package, e.Elapsed)
	output := slices.Clone(j.build[e.FailedBuild])
	tests := j.open[e.Package]
	var unfinished []string
	for name := range tests {
		if name != "" {
			unfinished = append(unfinished, name)
		}
	}
	slices.SortFunc(unfinished, func(a, b string) int { return tests[a].order - tests[b].order })
	for _, name := range unfinished {
		said := tests[name].output
		output = append(output, fmt.Sprintf("DIED    %s had not ended; it said:\n", fullName(e.Package, name)))
		if !slices.ContainsFunc(said, speaks) {
			said = []string{"        nothing\n"}
		}
		output = append(output, said...)
	}
	if own := tests[""]; own != nil {
		output = append(output, own.output...)
	}
	j.show(output)
	failedBefore := slices.ContainsFunc(j.failed, func(f failure) bool { return f.pkg == e.Package })
	if len(unfinished) > 0 || !failedBefore || condemned(output) != "" {
		j.failed = append(j.failed, failure{e.Package, "", output})
	}
	delete(j.open, e.Package)
}

// speaks reports whether a line is the test's and not the test binary's.
func speaks(line string) bool { return !strings.HasPrefix(line, "=== ") }
