// Command agent is the agent process that the benchmarks measure: a Go service
// with nothing but its jobs, so that its costs are those of coreagent.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

// serve is an agent process: it serves jobs, reports what it runs, and
// ends with its standard input. The Java program of interop/java takes the same
// arguments and makes the same reports:
//
//	READY <µs>                    every job is registered
//	S <µs> <job> <shard>           a body starts
//	E <µs> <job> <shard>           it ends
//	C <µs> <job> <shard>           its context was cancelled
//	R <µs> <id>                    a shard of a requested run starts; ours alone
//	K <µs> <id>                    its context was cancelled
//
// Commands on standard input: "stats" is answered by "STATS <goroutines> <live
// heap bytes>", "exit" drains and ends.
func serve(args []string) error {
	flags := flag.NewFlagSet("agent", flag.ContinueOnError)
	var (
		zookeeper = flags.String("zookeeper", "", "address")
		namespace = flags.String("namespace", "", "of the jobs")
		address   = flags.String("address", "127.0.0.1", "identity of the agent")
		session   = flags.Int("session-ms", 60000, "session timeout")
		jobs      = flags.Int("jobs", 1, "how many jobs to serve")
		bodies    = flags.String("body-ms", "0", "how long bodies take, by shard; the last one holds for the rest")
		monitor   = flags.Bool("monitor-execution", true, "")
		misfire   = flags.Bool("misfire", true, "")
		job       coreagent.Job
	)
	flags.StringVar(&job.Schedule.Cron, "cron", "", "")
	flags.IntVar(&job.Shards, "shards", 1, "")
	flags.StringVar((*string)(&job.Requests.Assign), "assign", "", "who takes part in a requested run")
	flags.BoolVar(&job.Failover, "failover", false, "")
	flags.BoolVar(&job.EagerFailover, "eager-failover", false, "")
	if err := flags.Parse(args); err != nil {
		return err
	}
	work, err := parseBodies(*bodies)
	if err != nil {
		return err
	}
	job.Unmonitored, job.Schedule.SkipMisfires = !*monitor, !*misfire
	agent, err := coreagent.New(coreagent.Config{
		Namespace: *namespace, Address: *address, Logger: slog.New(slog.DiscardHandler),
		ZooKeeper: registry.ZooKeeper{Servers: []string{*zookeeper}, SessionTimeout: time.Duration(*session) * time.Millisecond},
	})
	if err != nil {
		return err
	}
	reports := new(journal)
	for i := range *jobs {
		job.Name = jobName(i)
		if err := agent.Add(job, &body{reports, i, work}); err != nil {
			return err
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	starting, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	if err := agent.Start(starting); err != nil {
		return err
	}
	reports.line("READY " + strconv.FormatInt(time.Now().UnixMicro(), 10))
	return obeyCommands(ctx, agent, reports)
}

// parseBodies reads how long bodies take, by shard.
func parseBodies(text string) ([]time.Duration, error) {
	var work []time.Duration
	for one := range strings.SplitSeq(text, ",") {
		ms, err := strconv.Atoi(one)
		if err != nil {
			return nil, fmt.Errorf("body-ms: %w", err)
		}
		work = append(work, time.Duration(ms)*time.Millisecond)
	}
	return work, nil
}

// jobName is the name that the Java program gives its jobs, too.
func jobName(i int) string { return fmt.Sprintf("nightly-report-%04d", i) }

func obeyCommands(ctx context.Context, agent *coreagent.Agent, reports *journal) error {
	lines := make(chan string)
	go func() {
		input := bufio.NewScanner(os.Stdin)
		for input.Scan() {
			lines <- input.Text()
		}
		os.Exit(1) // The measuring process has ended.
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
			case "stats":
				goroutines := runtime.NumGoroutine()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				reports.line(fmt.Sprintf("STATS %d %d", goroutines, m.HeapAlloc))
			case "exit":
				return stop()
			default:
				return errors.New("unknown order " + line)
			}
		}
	}
}

// body is the handler of one job.
type body struct {
	reports *journal
	job     int
	work    []time.Duration // by shard
}

// slice is how long a body works between two looks at the clock, so that one
// that was frozen in the middle has work left after it resumes.
const slice = 10 * time.Millisecond

// Handle reports and works on, whatever happens to its context: that it was
// asked to end is what is measured.
func (b *body) Handle(ctx context.Context, s *coreagent.Shard) error {
	b.start(s)
	work := b.work[min(s.Item, len(b.work)-1)]
	if work > 0 {
		stop := context.AfterFunc(ctx, func() { b.cancelled(s) })
		for range work / slice {
			if ctx.Err() != nil && work > time.Second {
				break // A long body is there to be interrupted.
			}
			time.Sleep(slice)
		}
		stop()
	}
	b.reports.stamp('E', b.job, s.Item)
	return nil
}

func (b *body) start(s *coreagent.Shard) {
	if s.Run.Requested {
		b.reports.requested('R', s.Run.ID)
		return
	}
	b.reports.stamp('S', b.job, s.Item)
}

func (b *body) cancelled(s *coreagent.Shard) {
	if s.Run.Requested {
		b.reports.requested('K', s.Run.ID)
		return
	}
	b.reports.stamp('C', b.job, s.Item)
}

// journalDelay is how long a report may wait for others, so that reporting a
// thousand starts does not delay them. Who measures requests knows of it.
const journalDelay = 100 * time.Millisecond

// journal writes reports to standard output, many at a time, so that a thousand bodies that report
// at one moment don't wait for the system.
type journal struct {
	mu      sync.Mutex
	reports []report // that wait
	armed   bool     // a flush will come
	writing sync.Mutex
}

// report is one line: of a body of a job, or of a requested run.
type report struct {
	what      byte
	at        time.Time
	job, item int
	id        string // of a requested run
}

func (r *journal) stamp(what byte, job, item int) {
	r.take(report{what: what, at: time.Now(), job: job, item: item})
}

func (r *journal) requested(what byte, id string) {
	r.take(report{what: what, at: time.Now(), id: id})
}

func (r *journal) take(one report) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reports = append(r.reports, one)
	if !r.armed {
		r.armed = true
		time.AfterFunc(journalDelay, r.flush)
	}
}

// flush writes the reports that wait.
func (r *journal) flush() { r.line("") }

// line writes the reports that wait, and a line after them unless that is empty.
func (r *journal) line(text string) {
	r.writing.Lock()
	defer r.writing.Unlock()
	r.mu.Lock()
	reports := r.reports
	r.reports, r.armed = nil, false
	r.mu.Unlock()
	var lines []byte
	for _, one := range reports {
		lines = one.append(lines)
	}
	if text != "" {
		lines = append(append(lines, text...), '\n')
	}
	_, _ = os.Stdout.Write(lines) // If it fails the measuring process has ended, and so will we.
}

func (one *report) append(lines []byte) []byte {
	lines = append(lines, one.what, ' ')
	lines = append(strconv.AppendInt(lines, one.at.UnixMicro(), 10), ' ')
	if one.id != "" {
		return append(append(lines, one.id...), '\n')
	}
	lines = append(strconv.AppendInt(lines, int64(one.job), 10), ' ')
	return append(strconv.AppendInt(lines, int64(one.item), 10), '\n')
}
