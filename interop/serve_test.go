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
)

var reporting sync.Mutex

// report prints a line for the test that watches this process.
func report(format string, args ...any) {
	reporting.Lock()
	defer reporting.Unlock()
	fmt.Println(strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", " "))
}

// serve is the Go counterpart of the Java program: the same arguments, reports
// and orders. It returns when it is told to exit or terminated; when its
// standard input ends, which means that the test is gone, it dies at once.
func serve(args []string) error {
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	var (
		zookeeper = flags.String("zookeeper", "", "")
		namespace = flags.String("namespace", "", "")
		session   = flags.Int("session-ms", 4000, "")
		address   = flags.String("address", "", "")
		body      = flags.Int("body-ms", 0, "")
		digest    = flags.String("digest", "", "")
		failing   = flags.Int("fail-item", -1, "")
		reconcile = flags.Int("reconcile-minutes", 10, "")
		maxDiff   = flags.Int("max-time-diff-seconds", -1, "")
		monitor   = flags.Bool("monitor-execution", true, "")
		misfire   = flags.Bool("misfire", true, "")
		job       coreagent.Job
	)
	flags.Func("property", "", func(text string) error {
		name, value, _ := strings.Cut(text, "=")
		if job.Props == nil {
			job.Props = make(map[string]string)
		}
		job.Props[name] = value
		return nil
	})
	flags.StringVar(&job.Name, "job", "", "")
	flags.StringVar(&job.Class, "class", "", "")
	flags.StringVar(&job.Cron, "cron", "", "")
	flags.StringVar(&job.TimeZone, "time-zone", "", "")
	flags.IntVar(&job.Shards, "shards", 1, "")
	flags.StringVar(&job.ShardParameters, "item-parameters", "", "")
	flags.StringVar(&job.Parameter, "parameter", "", "")
	flags.StringVar(&job.Description, "description", "", "")
	flags.StringVar(&job.Strategy, "strategy", "", "")
	flags.BoolVar(&job.Failover, "failover", false, "")
	flags.BoolVar(&job.Disabled, "disabled", false, "")
	flags.BoolVar(&job.Overwrite, "overwrite", false, "")
	flags.BoolVar(&job.StaticSharding, "static-sharding", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	job.MonitorExecution, job.Misfire = monitor, misfire
	job.ReconcileInterval = time.Duration(*reconcile) * time.Minute
	if *maxDiff >= 0 {
		job.MaxTimeDiff = time.Duration(*maxDiff) * time.Second
	}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: *namespace, Address: *address,
		ZooKeeper: coreagent.ZooKeeper{
			Servers: []string{*zookeeper}, Digest: *digest, SessionTimeout: time.Duration(*session) * time.Millisecond,
		},
		Logger: slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	if err != nil {
		return err
	}
	if err := agent.Add(job, reportingJob(time.Duration(*body)*time.Millisecond, *failing)); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	starting, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	if err := agent.Start(starting); err != nil {
		return err
	}
	report("READY id=%s@-@%d", *address, os.Getpid())
	return obey(ctx, agent, job.Name)
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

// reportingJob reports, works for a while, and reports again.
func reportingJob(work time.Duration, failing int) coreagent.Handler {
	return coreagent.HandlerFunc(func(ctx context.Context, s *coreagent.Shard) error {
		report("START item=%d at=%d task=%s parameter=%s job=%s total=%d", s.Item, time.Now().UnixMilli(), s.TaskID, s.Parameter, s.JobParameter, s.Total)
		timer := time.NewTimer(work)
		defer timer.Stop()
		end := "END"
		select {
		case <-timer.C:
		case <-ctx.Done():
			end = "INTERRUPTED"
		}
		report("%s item=%d at=%d task=%s", end, s.Item, time.Now().UnixMilli(), s.TaskID)
		if s.Item == failing {
			return errors.New("planned failure")
		}
		return context.Cause(ctx)
	})
}
