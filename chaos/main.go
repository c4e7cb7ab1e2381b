// Command chaos runs a fleet of real processes, disturbs everything around it for some minutes, and
// judges whether the fleet kept its promises.
//
//	            ┌── relays ──▶ three ZooKeepers ◀── sampler of the tree
//	five agents ┤                    ▲
//	 (ledgers)  └── traces ─▶ MariaDB│◀── rows
//	                                 console ◀── operator (REST)
//	chaos ── faults, commands ──▶ all of them; afterwards ── judge ──▶ verdict
//
// Run it with `make chaos`. CHAOS_MINUTES, CHAOS_SEED, CHAOS_RATE and CHAOS_JAVA set the duration,
// the faults, the executions per second, and whether Java agents take part. docs/chaos.md lists the
// rules.
//
// All servers listen on 127.0.0.1, and every started process ends with this one.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"
)

type options struct {
	minutes  float64
	seed     uint64
	rate     float64
	java     string
	agent    string
	console  string
	dir      string
	hog      string
	duration time.Duration
}

func main() {
	var o options
	flag.Float64Var(&o.minutes, "minutes", 10, "how long faults are at work, 0.5 to 600")
	flag.Uint64Var(&o.seed, "seed", 0, "of the faults and commands; 0 derives one from the time")
	flag.Float64Var(&o.rate, "rate", 150, "executions a second, up to 2,000")
	flag.StringVar(&o.java, "java", "", "version of two Java agents that take part, such as 3.0.4; none if empty")
	flag.StringVar(&o.agent, "agent", "bin/chaos-agent", "the Go agent's program")
	flag.StringVar(&o.console, "console", "bin/console", "the console's program")
	flag.StringVar(&o.dir, "dir", "", "where to keep ledgers and logs; a temporary folder that is removed unless something is wrong")
	again := flag.String("judge", "", "judge what an earlier campaign kept in this folder, by the rules of now")
	flag.StringVar(&o.hog, "hog", "", "only for the campaign itself: keep the processor or the disk busy")
	flag.DurationVar(&o.duration, "hog-for", 0, "and for how long")
	flag.Parse()
	if o.hog != "" {
		hog(o.hog, o.duration)
		return
	}
	if *again != "" {
		if err := judgeAgain(*again); err != nil {
			fmt.Fprintln(os.Stderr, "chaos:", err)
			os.Exit(1)
		}
		return
	}
	if err := o.check(); err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(2)
	}
	if err := enterNamespace(); err != nil {
		fmt.Println("chaos: packet-loss is not available here:", strings.TrimSpace(err.Error()))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, o)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "chaos:", err)
		os.Exit(1)
	}
}

func (o *options) check() error {
	if o.seed == 0 {
		o.seed = uint64(time.Now().UnixNano() / int64(time.Millisecond))
	}
	if o.minutes < 0.5 || o.minutes > 600 {
		return fmt.Errorf("-minutes is %g, want 0.5 to 600", o.minutes)
	}
	if o.rate < 1 || o.rate > 2000 {
		return fmt.Errorf("-rate is %g, want 1 to 2000", o.rate)
	}
	return nil
}

// errViolated is the error of a campaign with a fleet that broke a promise.
var errViolated = errors.New("the fleet broke promises, see above")

// run runs a campaign from the start of its servers to its verdict.
func run(ctx context.Context, o options) (err error) {
	dir, temporary := o.dir, o.dir == ""
	if temporary {
		if dir, err = os.MkdirTemp("", "chaos-"); err != nil {
			return err
		}
	} else if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	fmt.Printf("chaos: seed %d, %g minutes, %g executions a second, files in %s\n", o.seed, o.minutes, o.rate, dir)
	c := newCampaign(o, dir)
	limit := time.Duration(o.minutes*float64(time.Minute)) + 10*time.Minute
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("the campaign did not end within %v", limit))
	defer cancel()
	err = c.perform(ctx)
	c.close()
	if interrupted := ctx.Err() != nil; temporary && (err == nil || interrupted) {
		return errors.Join(err, os.RemoveAll(dir))
	}
	fmt.Println("chaos: ledgers and logs are kept in", dir)
	return err
}
