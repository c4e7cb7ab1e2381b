// Command bench measures what this repository promises: how much an agent asks of ZooKeeper,
// how punctual it is, how much memory it needs, and how soon it works again after a failure.
// Each group prints a Markdown table, and the command fails if a limit is missed.
//
// Agents are processes of their own, and the registry is a real ZooKeeper 3.8 that forces its
// log to the disk. Run everything with `make bench`, a group with `make bench ONLY=fire`, and
// Java's agents too with `make bench VS=java`.
//
//	bench ──starts──▶ ZooKeeper ◀── agent processes (Go, then Java)
//	  ├── counting proxy between the two: group fire
//	  ├── watcher: when did which node come and go
//	  └── reads each agent's reports: S and E, start and end of a body
//
// A group is a function in the file with its name. It starts servers and agents, collects
// values and adds figures to its [bench]. harness.go, agents.go and console.go have the steps
// that the groups share.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"slices"
	"strings"
	"time"
)

// kind is the implementation of an agent.
type kind string

const (
	ours kind = "go"
	java kind = "java"
)

// group is a set of figures that are measured together.
type group struct {
	name, about string
	limit       time.Duration // for the whole group
	measure     func(b *bench)
	parts       []string // can be measured alone, as group/part
	java        bool     // Java's agents can be measured the same way
	apart       bool     // runs only if it is named, because it has to build a cluster first
}

var groups = []group{
	{name: "fire", about: "ZooKeeper requests per fire", limit: 3 * time.Minute, measure: fire, java: true},
	{name: "late", about: "How late bodies start", limit: 8 * time.Minute, measure: late, java: true},
	{name: "scale", about: "Costs of a thousand jobs in one process", limit: 10 * time.Minute, measure: scale, parts: names(scaleParts), java: true},
	{name: "failover", about: "How soon a dead agent's shard runs elsewhere", limit: 5 * time.Minute, measure: failover, java: true},
	{name: "reshard", about: "How soon shards are assigned again", limit: 8 * time.Minute, measure: reshard, java: true},
	{name: "restart", about: "How soon jobs are back after an outage of ZooKeeper or a frozen process", limit: 11 * time.Minute, measure: restart, java: true},
	{name: "runs", about: "How soon requested runs are placed, executed and cancelled", limit: 45 * time.Minute, measure: requested, parts: names(runsParts)},
	{name: "start", about: "How soon the console answers, and its size", limit: 3 * time.Minute, measure: start},
	{name: "record", about: "How fast and how surely runs are recorded", limit: 10 * time.Minute, measure: record, parts: names(recordParts)},
	{name: "query", about: "Times of queries of a long history", limit: 3 * time.Hour, measure: query, parts: names(queryParts)},
	{name: "snapshot", about: "Costs of a console with ten thousand jobs", limit: 5 * time.Minute, measure: snapshot},
	{name: "pages", about: "Times of the pages about ten thousand jobs and a long history", limit: 2 * time.Hour, measure: pages},
	{name: "commands", about: "Times of the command line with ten thousand jobs", limit: 10 * time.Minute, measure: commands},
	{name: "cloud", about: "How soon jobs of ElasticJob-Cloud are pods of a cluster", limit: 90 * time.Minute, measure: onCluster, parts: names(cloudParts), apart: true},
}

// part is a part of a group; S is the fixture that the parts share.
type part[S any] struct {
	name    string
	measure func(S)
}

func names[S any](parts []part[S]) (list []string) {
	for _, p := range parts {
		list = append(list, p.name)
	}
	return list
}

// measureParts measures all parts of the group, or the parts named on the command line.
func measureParts[S any](b *bench, shared S, parts []part[S]) {
	for _, p := range parts {
		if len(b.parts) > 0 && !slices.Contains(b.parts, p.name) {
			continue
		}
		if err := attempt(func() { p.measure(shared) }); err != nil {
			fail("%s: %w", p.name, err)
		}
	}
}

// options are the flags that the groups read.
type options struct {
	console, agent string        // binaries
	command        string        // the binary of elasticjob
	withJava       bool          // Java is measured as well, so there are fewer rounds
	rows           int           // of the history of groups query and pages
	jobs           int           // in the registry of group pages
	load           time.Duration // of runs/rate
}

func main() {
	var o options
	only := flag.String("only", "", "groups or, as group/part, parts of them, separated by commas")
	vs := flag.String("vs", "", "java: measure Java's agents as well, in turn")
	flag.IntVar(&o.rows, "rows", 10_000_000, "executions in the history of groups query and pages")
	flag.IntVar(&o.jobs, "jobs", snapshotJobs, "jobs in the registry of group pages")
	flag.DurationVar(&o.load, "load", 20*time.Second, "how long runs/rate requests runs, from 5s to 10m; its goal is for 60s")
	flag.StringVar(&o.console, "console", "bin/console", "the console's binary")
	flag.StringVar(&o.command, "command", "bin/elasticjob", "the binary of the command line")
	flag.StringVar(&o.agent, "agent", "bin/bench-agent", "the binary of the agents, built from ./bench/agent")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, o, *only, *vs)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// run measures the selected groups and returns an error if one failed or missed a limit.
func run(ctx context.Context, o options, only, vs string) error {
	if vs != "" && vs != string(java) {
		return fmt.Errorf("vs: %q; only java can be measured as well", vs)
	}
	if o.load < 5*time.Second || o.load > 10*time.Minute {
		return fmt.Errorf("load: %v is not allowed; use 5s to 10m", o.load)
	}
	selected, parts, err := selectGroups(only)
	if err != nil {
		return err
	}
	o.withJava = vs != ""
	fmt.Printf("%s\nFigures of a machine that does other work at the same time are worth little.\n", machine())
	var missed []string
	for _, g := range selected {
		began, busy := time.Now(), load()
		b, err := g.run(ctx, o, ours, parts[g.name])
		if err == nil && o.withJava && g.java {
			var theirs *bench
			theirs, err = g.run(ctx, o, java, parts[g.name])
			b.compare(theirs.figures)
		}
		fmt.Printf("\n### %s\n\n%s (%v, load average at the beginning %s).\n\n%s", g.name, g.about, time.Since(began).Round(time.Second), busy, tableHeader)
		for _, f := range b.figures { // If the group failed, the figures so far may have taken an hour.
			fmt.Println(f.row())
			if !f.met() {
				missed = append(missed, f.name)
			}
		}
		if err != nil {
			return fmt.Errorf("group %s: %w", g.name, err)
		}
	}
	if len(missed) > 0 {
		return errors.New("limits were missed: " + strings.Join(missed, ", "))
	}
	return nil
}

func (g group) run(ctx context.Context, o options, k kind, parts []string) (*bench, error) {
	ctx, cancel := context.WithTimeout(ctx, g.limit)
	defer cancel()
	b := &bench{Context: ctx, options: o, kind: k, parts: parts}
	err := attempt(func() { g.measure(b) })
	return b, err
}

// selectGroups parses the list of groups and parts. If a group is named as a whole, its parts
// don't matter.
func selectGroups(only string) (selected []group, parts map[string][]string, err error) {
	if only == "" {
		return slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.apart }), nil, nil
	}
	whole := make(map[string]bool)
	parts = make(map[string][]string)
	for word := range strings.SplitSeq(only, ",") {
		name, part, hasPart := strings.Cut(word, "/")
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if i < 0 {
			var known []string
			for _, g := range groups {
				known = append(known, g.name)
			}
			return nil, nil, fmt.Errorf("unknown group %q; the groups are %s", name, strings.Join(known, ", "))
		}
		g := groups[i]
		switch {
		case !hasPart:
			whole[name] = true
		case !slices.Contains(g.parts, part):
			return nil, nil, fmt.Errorf("group %s has no part %q; its parts: %s", name, part, cmp.Or(strings.Join(g.parts, ", "), "none"))
		default:
			parts[name] = append(parts[name], part)
		}
		if !slices.ContainsFunc(selected, func(s group) bool { return s.name == name }) {
			selected = append(selected, g)
		}
	}
	for name := range whole {
		delete(parts, name)
	}
	return selected, parts, nil
}

// machine describes the computer on which the figures depend.
func machine() string {
	processor := ""
	text, _ := os.ReadFile("/proc/cpuinfo") // Only Linux has it.
	if _, rest, ok := strings.Cut(string(text), "model name"); ok {
		line, _, _ := strings.Cut(rest, "\n")
		processor = ", " + strings.TrimLeft(line, "\t: ")
	}
	return fmt.Sprintf("%s, %s on %s/%s, %d cores%s", time.Now().Format(time.DateOnly), runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), processor)
}

// load returns the load average of the last minute.
func load() string {
	text, _ := os.ReadFile("/proc/loadavg")
	first, _, _ := strings.Cut(string(text), " ")
	return first
}
