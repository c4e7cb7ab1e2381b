// Command bench measures what this repository promises and prints one line per
// figure:
//
//	figure <name> <value> <unit> target <value that must not be exceeded>
//
// Groups are fire (what one firing costs the registry), start (how soon and
// how small the console is) and scale (what a thousand idle jobs cost). Run it
// with `make bench`, one group with `make bench ONLY=fire`; `make bench-docs`
// writes the table of docs/benchmarks.md. It is a program and not a Go
// benchmark because most figures are about processes.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
)

// group is a set of figures that are measured together.
type group struct {
	name    string
	measure func(ctx context.Context, console string) ([]figure, error)
}

var groups = []group{{"fire", fire}, {"start", start}, {"scale", scale}}

func main() {
	var (
		console  = flag.String("console", "bin/console", "the console's binary")
		only     = flag.String("only", "", "one group, or several separated by commas")
		write    = flag.String("write", "", "a document whose table of figures is replaced")
		registry = flag.Bool("registry", false, "be the registry of a measurement, until standard input ends")
	)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *registry {
		err = serveRegistry()
	} else {
		err = run(ctx, *console, *only, *write)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, console, only, write string) error {
	wanted := groups
	if only != "" {
		wanted = nil
		for name := range strings.SplitSeq(only, ",") {
			i := slices.IndexFunc(groups, func(g group) bool { return g.name == name })
			if i < 0 {
				return fmt.Errorf("there is no group %q; the groups are fire, start and scale", name)
			}
			wanted = append(wanted, groups[i])
		}
	}
	var all []figure
	for _, g := range wanted {
		figures, err := g.measure(ctx, console)
		if err != nil {
			return fmt.Errorf("group %s: %w", g.name, err)
		}
		for _, f := range figures {
			fmt.Println(f)
		}
		all = append(all, figures...)
	}
	if write != "" {
		return writeTable(write, all)
	}
	return nil
}
