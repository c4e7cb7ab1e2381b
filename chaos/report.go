package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/judge"
)

// shown is how many violations are reported with their timeline.
const shown = 10

// report prints counts and violations, and writes the violations to a file.
func (c *campaign) report(violations []judge.Violation) {
	var text strings.Builder
	fmt.Fprintf(&text, "\nseed %d, %g minutes\n", c.opts.seed, c.opts.minutes)
	for _, line := range c.countLines() {
		fmt.Fprintf(&text, "  %8d %s\n", line.n, line.what)
	}
	for i, v := range violations {
		fmt.Fprintf(&text, "VIOLATION %s\n", v)
		if i < shown {
			text.WriteString(judge.Timeline(c.History, v))
		}
	}
	fmt.Fprintf(&text, "%d violations\n", len(violations))
	fmt.Print(text.String())
	if err := os.WriteFile(filepath.Join(c.dir, "report.txt"), []byte(text.String()), 0o600); err != nil {
		c.tell("%v", err)
	}
}

type count struct {
	n    int
	what string
}

func (c *campaign) countLines() []count {
	executions := make(map[string]int)
	processes := make(map[string]bool)
	for _, e := range c.History.Runs {
		source := string(e.Source)
		if source == "" {
			source = "by Java agents"
		}
		executions["executions "+source]++
		switch e.Outcome {
		case "", judge.Died:
			executions["executions that died with their process"]++
		case judge.Cancelled:
			executions["executions cancelled"]++
		}
		processes[e.Process] = true
	}
	list := []count{{len(c.History.Runs), "executions in all"}}
	for _, what := range slices.Sorted(maps.Keys(executions)) {
		list = append(list, count{executions[what], what})
	}
	list = append(list, count{len(c.History.Machine.Rows), "rows of executions"}, count{len(processes), "processes that ran something"},
		count{len(c.History.Machine.Answers), "answers of the console"}, count{c.faults(), "faults"})
	for _, what := range slices.Sorted(maps.Keys(c.Counts)) {
		list = append(list, count{c.Counts[what], what})
	}
	return list
}

func (c *campaign) faults() int { return len(c.Faults) }

// tooLittle finds kinds of faults and executions that were too rare to prove anything. In a short
// campaign we can't expect every kind.
func (c *campaign) tooLittle() []judge.Violation {
	var list []judge.Violation
	want := func(what string, n, least int) {
		if n < least {
			list = append(list, judge.Violation{Rule: "traffic", Item: -1, At: c.History.End, Text: fmt.Sprintf("only %d of %s, at least %d expected: the campaign proves nothing", n, what, least)})
		}
	}
	each := int(c.opts.minutes / 5)
	for _, sequence := range c.sequences() {
		for _, k := range sequence {
			least := each
			if strings.HasSuffix(k.name, "-minute") {
				least = each / 4 // they take two minutes each
			}
			want(k.name, c.Counts[k.name], least)
		}
	}
	if c.operated {
		for _, kind := range []string{"disable-job", "enable-job", "disable-shard", "enable-shard", "disable-server", "enable-server", "edit-cron", "edit-shards", "edit-parameter", trigger, requestRun} {
			want("command-"+kind, c.Counts["command-"+kind], each)
		}
	}
	want("all faults", c.faults(), int(c.opts.minutes*4))
	running := c.History.End.Sub(c.History.Begin)
	want("executions", len(c.History.Runs), int(running.Seconds()*c.opts.rate*0.6))
	want("answers of the console", len(c.History.Machine.Answers), int(running.Seconds()/3))
	return list
}
