//go:build interop

package interop

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

var reporting sync.Mutex

// report prints a line for the test that watches this process.
func report(format string, args ...any) {
	reporting.Lock()
	defer reporting.Unlock()
	fmt.Println(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
}

// options are the arguments of an agent process; the Java program takes the
// same ones, but for the databases, which each side names in its own way.
type options struct {
	agent     coreagent.Config
	job       coreagent.Job
	kind      string
	work      time.Duration
	failing   int
	failWords int
	tracing   string
}

func parseOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	agent, job := &o.agent, &o.job
	var session, body, reconcile, maxDiff int
	var monitor, misfire bool
	list := func(name string, add func(text string)) {
		flags.Func(name, "", func(text string) error { add(text); return nil })
	}
	list("zookeeper", func(text string) { agent.ZooKeeper.Servers = []string{text} })
	flags.StringVar(&agent.ZooKeeper.Digest, "digest", "", "")
	flags.StringVar(&agent.Namespace, "namespace", "", "")
	flags.StringVar(&agent.Address, "address", "", "")
	flags.IntVar(&agent.Dump.Port, "dump-port", 0, "")
	flags.IntVar(&session, "session-ms", 12000, "")
	flags.StringVar(&o.kind, "type", "", "")
	flags.StringVar(&o.tracing, "tracing", "", "")
	flags.IntVar(&body, "body-ms", 0, "")
	flags.IntVar(&o.failing, "fail-item", -1, "")
	flags.IntVar(&o.failWords, "fail-words", 0, "")
	flags.StringVar(&job.Name, "job", "", "")
	flags.StringVar(&job.Class, "class", "", "")
	flags.StringVar(&job.Schedule.Cron, "cron", "", "")
	flags.StringVar(&job.Schedule.Zone, "time-zone", "", "")
	flags.IntVar(&job.Shards, "shards", 1, "")
	flags.StringVar(&job.ShardParameters, "item-parameters", "", "")
	flags.StringVar(&job.Parameter, "parameter", "", "")
	flags.StringVar(&job.Description, "description", "", "")
	flags.StringVar(&job.Strategy.Name, "strategy", "", "")
	flags.StringVar(&job.ErrorHandler.Name, "error-handler", "", "")
	flags.StringVar(&job.Executor.Name, "pool", "", "")
	flags.IntVar(&reconcile, "reconcile-minutes", 10, "")
	flags.IntVar(&maxDiff, "max-time-diff-seconds", 0, "")
	flags.BoolVar(&monitor, "monitor-execution", true, "")
	flags.BoolVar(&misfire, "misfire", true, "")
	flags.BoolVar(&job.Failover, "failover", false, "")
	flags.BoolVar(&job.Disabled, "disabled", false, "")
	flags.BoolVar(&job.Overwrite, "overwrite", false, "")
	flags.BoolVar(&job.StaticSharding, "static-sharding", false, "")
	list("listener", func(text string) { job.Listeners = append(job.Listeners, coreagent.Listener{Name: text}) })
	list("property", func(text string) {
		if job.Props == nil {
			job.Props = make(map[string]string)
		}
		name, value, _ := strings.Cut(text, "=")
		job.Props[name] = value
	})
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.work = time.Duration(body) * time.Millisecond
	agent.ZooKeeper.SessionTimeout = time.Duration(session) * time.Millisecond
	agent.Logger = slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	agent.Listeners = []coreagent.Listener{{
		Name: "ONCE", Before: onceReporter{}.Started, After: onceReporter{}.Completed, Once: true,
		BeforeTimeout: 5 * time.Second, AfterTimeout: 5 * time.Second,
	}}
	job.Unmonitored, job.Schedule.SkipMisfires = !monitor, !misfire
	job.ReconcileInterval = time.Duration(reconcile) * time.Minute
	job.MaxTimeDiff = time.Duration(maxDiff) * time.Second
	return o, nil
}

// serve is the Go counterpart of the Java program. It returns when it is asked
// to exit or terminated; when its standard input ends, which means that the
// test has ended, it dies at once.
func serve(args []string) error {
	o, err := parseOptions(args)
	if err != nil {
		return err
	}
	handler := o.handler()
	if o.tracing != "" {
		recorder, flush, err := o.recorder()
		if err != nil {
			return err
		}
		o.agent.Tracing = recorder
		defer flush()
	}
	agent, err := coreagent.New(o.agent)
	if err != nil {
		return err
	}
	if err := agent.Add(o.job, handler); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := agent.Start(starting); err != nil {
		return err
	}
	report("READY id=%s@-@%d", o.agent.Address, os.Getpid())
	return obey(ctx, agent, o.job.Name)
}

// recorder opens the database that the agent records its runs in.
func (o options) recorder() (recorder tracing.Recorder, flush func(), err error) {
	db, err := store.Open(context.Background(), o.tracing, o.agent.Logger)
	if err != nil {
		return nil, nil, err
	}
	async := tracing.NewAsync(rdb.NewSink(db.Database), tracing.AsyncOptions{Logger: o.agent.Logger})
	return async, func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		if err := errors.Join(async.Close(ctx), db.Close()); err != nil {
			o.agent.Logger.Error("records are lost", "err", err)
		}
	}, nil
}

func obey(ctx context.Context, agent *coreagent.Agent, job string) error {
	lines := make(chan string)
	go func() {
		input := bufio.NewScanner(os.Stdin)
		for input.Scan() {
			lines <- input.Text()
		}
		os.Exit(1)
	}()
	stop := func() error {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 30*time.Second)
		defer cancel()
		return agent.Stop(ctx)
	}
	for {
		select {
		case <-ctx.Done():
			return stop()
		case line := <-lines:
			switch line {
			case "trigger":
				if err := agent.Trigger(ctx, job); err != nil {
					return err
				}
				report("TRIGGERED")
			case "shutdown":
				if err := stop(); err != nil {
					return err
				}
				report("STOPPED")
			case "exit":
				return stop()
			default:
				return errors.New("unknown order " + line)
			}
		}
	}
}
