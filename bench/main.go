// Command bench measures what this repository promises: how much an agent asks
// of ZooKeeper, how punctual it is, what it holds in memory, and how soon it is
// back after a failure. Each group prints a table:
//
//	FIGURE   MIN / MEDIAN / MAX   TARGET   verdict   JAVA NOW   JAVA NOTED   JAVA/OURS
//
// Agents are processes of their own, and the registry is a real ZooKeeper 3.8
// that forces its log to the disk. Run everything with `make bench`, one group
// with `make bench ONLY=fire`, beside Java's agents with `make bench VS=java`;
// CHECK=1 makes a missed target an error, and `make bench-docs` writes
// docs/benchmarks.md.
//
//	bench ──starts──▶ ZooKeeper ◀── agent processes (Go, then Java)
//	  ├── counting proxy between the two: group fire
//	  ├── watcher: when did which node come and go
//	  └── reads each agent's reports: S and E, start and end of a body
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/signal"
	"slices"
	"strings"
	"time"
)

// kind is who implements an agent.
type kind string

const (
	ours kind = "go"
	java kind = "java"
)

// group is a set of figures that are measured together.
type group struct {
	name    string
	about   string
	measure func(ctx context.Context, b *bench, k kind) ([]figure, error)
	java    bool     // Java's agents can be measured the same way
	parts   []string // what can be measured alone, as group/part; none: the group as a whole
	apart   bool     // measured only if it is named: it has to build a cluster first
}

var groups = []group{
	{"fire", "What one fire asks of ZooKeeper", fire, true, nil, false},
	{"late", "How late bodies start", late, true, nil, false},
	{"scale", "What a thousand jobs in one process cost", scale, true, scaleParts, false},
	{"failover", "How soon a dead agent's shard runs elsewhere", failover, true, nil, false},
	{"reshard", "How soon shards are assigned anew", reshard, true, nil, false},
	{"restart", "How soon jobs are back after an outage of ZooKeeper or a frozen process", restart, true, nil, false},
	{"runs", "How soon requested runs are placed, executed and cancelled", requested, false, runsPartNames(), false},
	{"start", "How soon and how small the console is", start, false, nil, false},
	{"record", "How fast and how surely runs are recorded", record, false, recordParts, false},
	{"query", "What questions to a long history take", query, false, queryParts, false},
	{"snapshot", "What a console with ten thousand jobs asks and holds", snapshot, false, nil, false},
	{"pages", "What the pages about ten thousand jobs and a long history take", pages, false, nil, false},
	{"cloud", "How soon jobs of ElasticJob-Cloud are pods of a cluster", onCluster, false, cloudPartNames(), true},
}

// result is a measured group.
type result struct {
	group   group
	figures []figure
	load    string
}

// bench is what the groups share.
type bench struct {
	console string              // the console's binary
	agent   string              // the binary of our agents
	beside  bool                // Java is measured as well: fewer rounds, so that it stays bearable
	jars    string              // class path of the Java agent, once built
	rows    int                 // of the history that questions are asked about
	jobs    int                 // of the registry that pages are about
	cache   string              // the folder of fixtures that are kept, "" for the user's
	outage  time.Duration       // of a database, besides the short one
	load    time.Duration       // how long part rate of group runs asks for runs
	parts   map[string][]string // by group: what alone is measured of it
}

// Bounds of how long part rate asks for runs; the goal holds for a minute.
const (
	loadLeast = 5 * time.Second
	loadMost  = 10 * time.Minute
)

// wants reports whether a part of a group is to be measured: all are unless some were named.
func (b *bench) wants(group, part string) bool {
	named := b.parts[group]
	return len(named) == 0 || slices.Contains(named, part)
}

func main() {
	var (
		b     bench
		only  = flag.String("only", "", "groups or, as group/part, parts of them, separated by commas")
		write = flag.String("write", "", "a document whose tables of figures are replaced")
		vs    = flag.String("vs", "", "java: measure Java's agents as well, in turn")
		check = flag.Bool("check", false, "fail when a target is missed")
	)
	flag.IntVar(&b.rows, "rows", 10_000_000, "executions in the history of groups query and pages")
	flag.IntVar(&b.jobs, "jobs", snapshotJobs, "jobs in the registry of group pages")
	flag.StringVar(&b.cache, "cache", "", "the folder that keeps the history of group pages; default: elasticjob-bench in the user's cache folder")
	flag.DurationVar(&b.outage, "outage", 0, "a second, longer outage of the database in group record, for instance 10m")
	flag.DurationVar(&b.load, "load", 20*time.Second, "how long runs/rate asks for runs, from 5s to 10m; its goal holds for 60s")
	flag.StringVar(&b.console, "console", "bin/console", "the console's binary")
	flag.StringVar(&b.agent, "agent", "bin/bench-agent", "the binary of the agents, built from ./bench/agent")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := b.run(ctx, *only, *vs, *write, *check)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func (b *bench) run(ctx context.Context, only, vs, write string, check bool) (err error) {
	if vs != "" && vs != string(java) {
		return fmt.Errorf("vs: %q; only java can be measured as well", vs)
	}
	if b.load < loadLeast || b.load > loadMost {
		return fmt.Errorf("load: %v is not allowed; want %v to %v", b.load, loadLeast, loadMost)
	}
	wanted, parts, err := selected(only)
	if err != nil {
		return err
	}
	if write != "" && len(parts) > 0 {
		return fmt.Errorf("write: %q names parts of groups, and a table of the document has all of a group's; name the groups alone", only)
	}
	b.parts = parts
	b.beside = vs != ""
	fmt.Printf("%s\nload average %s; figures of a machine that does other work are worth little\n", machine(), load())
	var results []result
	missed := 0
	for _, g := range wanted {
		r := result{group: g, load: load()}
		began := time.Now()
		if r.figures, err = g.measure(ctx, b, ours); err != nil {
			r.print(time.Since(began)) // What was measured before it failed may have taken an hour.
			return fmt.Errorf("group %s: %w", g.name, err)
		}
		if b.beside && g.java {
			theirs, err := g.measure(ctx, b, java)
			if err != nil {
				return fmt.Errorf("group %s, Java: %w", g.name, err)
			}
			r.beside(theirs)
		}
		missed += r.print(time.Since(began))
		results = append(results, r)
	}
	if write != "" {
		err = writeDocument(write, results)
	}
	if check && missed > 0 {
		err = errors.Join(err, fmt.Errorf("%d targets were missed", missed))
	}
	return err
}

// print writes the figures of a group, and returns how many of them miss their target.
func (r *result) print(took time.Duration) (missed int) {
	fmt.Printf("\n%s: %s (%v, load average %s)\n%s\n", r.group.name, r.group.about, took.Round(time.Second), r.load, header())
	for _, f := range r.figures {
		fmt.Println(f.row())
		if !f.met() {
			missed++
		}
	}
	return missed
}

// beside puts Java's figures beside ours.
func (r *result) beside(theirs []figure) {
	for _, t := range theirs {
		for i := range r.figures {
			if r.figures[i].name == t.name {
				r.figures[i].beside = t.values
			}
		}
	}
}

// selected are the groups that were asked for, and which parts alone of which of them.
func selected(only string) (wanted []group, parts map[string][]string, err error) {
	if only == "" {
		return slices.DeleteFunc(slices.Clone(groups), func(g group) bool { return g.apart }), nil, nil
	}
	whole := make(map[string]bool)
	parts = make(map[string][]string)
	for word := range strings.SplitSeq(only, ",") {
		name, part, some := strings.Cut(word, "/")
		i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
		if i < 0 {
			var names []string
			for _, g := range groups {
				names = append(names, g.name)
			}
			return nil, nil, fmt.Errorf("there is no group %q; the groups are %s", name, strings.Join(names, ", "))
		}
		g := groups[i]
		switch {
		case some && len(g.parts) == 0:
			return nil, nil, fmt.Errorf("group %s has no parts; ask for %q as a whole", name, name)
		case some && !slices.Contains(g.parts, part):
			return nil, nil, fmt.Errorf("group %s has no part %q; its parts are %s", name, part, strings.Join(g.parts, ", "))
		case some:
			parts[name] = append(parts[name], part)
		default:
			whole[name] = true
		}
		if !slices.ContainsFunc(wanted, func(w group) bool { return w.name == name }) {
			wanted = append(wanted, g)
		}
	}
	maps.DeleteFunc(parts, func(name string, _ []string) bool { return whole[name] })
	return wanted, parts, nil
}

// rounds is how often a thing is measured: often, or a few times when Java's
// turn comes as well and for Java itself, whose rounds are long.
func (b *bench) rounds(k kind, often, few int) int {
	if b.beside || k == java {
		return few
	}
	return often
}
