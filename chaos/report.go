package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/chaos/judge"
	"github.com/elasticjob-go/elasticjob/chaos/ledger"
)

// shown is how many violations are reported with their timeline.
const shown = 10

// report prints counts and violations, and keeps the latter in a file.
func (c *campaign) report(violations []judge.Violation) {
	var text strings.Builder
	fmt.Fprintf(&text, "\nseed %d, %g minutes\n", c.opts.seed, c.opts.minutes)
	for _, line := range c.countLines() {
		fmt.Fprintf(&text, "  %8d %s\n", line.n, line.what)
	}
	for i, v := range violations {
		fmt.Fprintf(&text, "VIOLATION %s\n", v)
		if i < shown {
			text.WriteString(judge.Timeline(&c.history, v, time.Minute))
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
	processes := make(map[int]bool)
	for _, e := range c.history.Executions {
		source := e.Source
		if e.Java {
			source = "by Java agents"
		}
		executions["executions "+source]++
		switch e.Outcome {
		case "":
			executions["executions that died with their process"]++
		case ledger.Cancelled, ledger.Failed:
			executions["executions "+e.Outcome]++
		}
		processes[e.PID] = true
	}
	list := []count{{len(c.history.Executions), "executions in all"}}
	for _, what := range slices.Sorted(maps.Keys(executions)) {
		list = append(list, count{executions[what], what})
	}
	list = append(list, count{len(c.history.Rows), "rows of executions"}, count{len(processes), "processes that ran something"},
		count{len(c.history.Answers), "answers of the console"}, count{c.faults(), "faults"})
	for _, what := range slices.Sorted(maps.Keys(c.counts)) {
		list = append(list, count{c.counts[what], what})
	}
	return list
}

// faults counts the faults of all kinds.
func (c *campaign) faults() int { return len(c.history.Faults) }

// tooLittle finds kinds of faults and executions of which there was so little
// that the campaign proves nothing about them. In a short campaign not every
// kind has its turn.
func (c *campaign) tooLittle() []judge.Violation {
	var list []judge.Violation
	want := func(what string, n, least int) {
		if n < least {
			list = append(list, judge.Violation{Rule: "traffic", Item: -1, At: c.history.End, Text: fmt.Sprintf("only %d of %s, at least %d expected: the campaign proves nothing", n, what, least)})
		}
	}
	each := int(c.opts.minutes / 5)
	for _, lane := range c.lanes() {
		for _, k := range lane {
			least := each
			if strings.HasSuffix(k.name, "-minute") {
				least = each / 4 // They take two minutes each.
			}
			want(k.name, c.counts[k.name], least)
		}
	}
	if c.operated {
		for _, kind := range []string{"disable-job", "enable-job", "disable-shard", "enable-shard", "disable-server", "enable-server", "edit-cron", "edit-shards", "edit-parameter", judge.Trigger, requestRun} {
			want("command-"+kind, c.counts["command-"+kind], each)
		}
	}
	want("all faults", c.faults(), int(c.opts.minutes*4))
	running := c.history.End.Sub(c.history.Begin)
	want("executions", len(c.history.Executions), int(running.Seconds()*c.opts.rate*0.6))
	want("answers of the console", len(c.history.Answers), int(running.Seconds()/3))
	return list
}
