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
	failed           []string // "package.Test", or a package that failed as a whole
	skipped          []string
	elapsed          time.Duration
}

func (v verdict) ok() bool { return len(v.failed) == 0 && len(v.skipped) == 0 && v.passed > 0 }

func (v verdict) report(w io.Writer) {
	for _, name := range v.failed {
		fmt.Fprintf(w, "FAILED  %s\n", name)
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
	var v verdict
	output := map[string][]string{} // by package and test
	build := map[string][]string{}  // compiler messages by import path
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			var e event
			if json.Unmarshal(line, &e) != nil || e.Action == "" {
				if _, werr := w.Write(line); werr != nil {
					return v, werr
				}
			} else {
				v.add(e, output, build, w)
			}
		}
		if err == io.EOF {
			v.elapsed = time.Since(started)
			slices.Sort(v.skipped)
			return v, nil
		}
		if err != nil {
			return v, err
		}
	}
}

func (v *verdict) add(e event, output, build map[string][]string, w io.Writer) {
	key := e.Package + "\x00" + e.Test
	name := e.Package
	if e.Test != "" {
		name += "." + e.Test
	}
	show := func() {
		for _, text := range output[key] {
			fmt.Fprint(w, text)
		}
	}
	switch e.Action {
	case "build-output":
		build[e.ImportPath] = append(build[e.ImportPath], e.Output)
	case "output":
		output[key] = append(output[key], e.Output)
	case "pass":
		if e.Test != "" {
			v.passed++
		} else {
			v.packages++
			fmt.Fprintf(w, "ok      %s  %.1fs\n", e.Package, e.Elapsed)
		}
		delete(output, key)
	case "skip":
		if e.Test != "" { // A package without tests is reported as skipped too.
			v.skipped = append(v.skipped, name)
			show()
		}
		delete(output, key)
	case "fail":
		if e.Test == "" {
			v.packages++
			fmt.Fprintf(w, "FAIL    %s  %.1fs\n", e.Package, e.Elapsed)
			for _, text := range build[e.FailedBuild] {
				fmt.Fprint(w, text)
			}
		}
		// A package fails because its tests do, or by itself: a race found
		// between tests, a crash, a time-out, a compile error.
		show()
		if e.Test != "" || !slices.ContainsFunc(v.failed, func(f string) bool { return strings.HasPrefix(f, e.Package+".") }) {
			v.failed = append(v.failed, name)
		}
		delete(output, key)
	}
}
