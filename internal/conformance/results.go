package main

import (
	"bufio"
	"encoding/json"
	"io"
	"slices"
	"strings"
)

// results has what became of each test and subtest, by folder and name.
type results map[[2]string]bool

const module = "github.com/elasticjob-go/elasticjob/"

// read collects the events of `go test -json`.
func (r results) read(events io.Reader) error {
	lines := bufio.NewScanner(events)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e struct{ Action, Package, Test string }
		if json.Unmarshal(lines.Bytes(), &e) != nil || e.Test == "" {
			continue // Not about a test: a build's output, a package.
		}
		switch e.Action {
		case "run":
			r[key(e.Package, e.Test)] = false // Until it passes; a crash ends it without a word.
		case "pass":
			r[key(e.Package, e.Test)] = true
		}
	}
	return lines.Err()
}

func key(pkg, name string) [2]string { return [2]string{strings.TrimPrefix(pkg, module), name} }

// failed lists the tests, not the subtests, that did not pass.
func (r results) failed() []string {
	var list []string
	for k, passed := range r {
		if !passed && !strings.Contains(k[1], "/") {
			list = append(list, k[0]+"."+k[1])
		}
	}
	slices.Sort(list)
	return list
}

// verdict is what a case came to in one place.
type verdict int

const (
	notRun verdict = iota
	holds
	broken
)

func (v verdict) and(passed bool) verdict {
	switch {
	case v == broken || !passed:
		return broken
	default:
		return holds
	}
}

// place is where a case was tried.
type place string

const (
	anywhere place = ""     // no server takes part
	fake     place = "fake" // the in-process server
	real3_8  place = "real" // ZooKeeper 3.8
)

// of returns the verdict on a test at each place where it ran, Java's releases
// as "java-3.0.4".
func (r results) of(t test) map[place]verdict {
	own, known := r[[2]string{t.folder, t.name}]
	if !known {
		return nil
	}
	verdicts := map[place]verdict{}
	for k, passed := range r {
		if k[0] != t.folder || !strings.HasPrefix(k[1], t.name+"/") {
			continue
		}
		for _, part := range strings.Split(k[1], "/")[1:] {
			if p := place(part); p == fake || p == real3_8 || strings.HasPrefix(part, "java-") {
				verdicts[p] = verdicts[p].and(passed)
				break
			}
		}
	}
	passed := func(v verdict) bool { return v == holds }
	if len(verdicts) == 0 || !own && allOf(verdicts, passed) { // It failed outside its subtests.
		verdicts[anywhere] = notRun.and(own)
	}
	return verdicts
}

func allOf(verdicts map[place]verdict, ok func(verdict) bool) bool {
	for _, v := range verdicts {
		if !ok(v) {
			return false
		}
	}
	return true
}
