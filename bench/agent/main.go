// Command agent is the agent process that the benchmarks measure: a Go service with nothing but its
// jobs, so that it has only the costs of coreagent.
//
// It reports on standard output what it runs, as the Java program in interop/java does for the same
// arguments, and ends with its standard input:
//
//	READY <µs>              every job is registered
//	S <µs> <job> <shard>    a body starts
//	E <µs> <job> <shard>    it ends
//	C <µs> <job> <shard>    its context was cancelled
//	R <µs> <id>             a shard of a requested run starts; only in Go
//	K <µs> <id>             its context was cancelled
//
// Commands on standard input: "stats" is answered by "STATS <goroutines> <live heap bytes>", "exit"
// drains and ends.
package main

import (
	"bufio"
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

func main() {
	if err := serve(); err != nil {
		fmt.Fprintln(os.Stderr, "agent:", err)
		os.Exit(1)
	}
}

func serve() error {
	var (
		zookeeper = flag.String("zookeeper", "", "address")
		namespace = flag.String("namespace", "", "of the jobs")
		address   = flag.String("address", "127.0.0.1", "identity of the agent")
		session   = flag.Int("session-ms", 60000, "session timeout")
		jobs      = flag.Int("jobs", 1, "how many jobs to serve")
		bodies    = flag.String("body-ms", "0", "how long bodies take, by shard; the last one is for all further shards")
		monitor   = flag.Bool("monitor-execution", true, "")
		misfire   = flag.Bool("misfire", true, "")
		job       coreagent.Job
	)
	flag.StringVar(&job.Schedule.Cron, "cron", "", "")
	flag.IntVar(&job.Shards, "shards", 1, "")
	flag.StringVar((*string)(&job.Requests.Assign), "assign", "", "which shards take part in a requested run")
	flag.BoolVar(&job.Failover, "failover", false, "")
	flag.BoolVar(&job.EagerFailover, "eager-failover", false, "")
	flag.Parse()
	job.Unmonitored, job.Schedule.SkipMisfires = !*monitor, !*misfire

	var work []time.Duration
	for text := range strings.SplitSeq(*bodies, ",") {
		ms, err := strconv.Atoi(text)
		if err != nil {
			return fmt.Errorf("body-ms: %w", err)
		}
		work = append(work, time.Duration(ms)*time.Millisecond)
	}
	agent, err := coreagent.New(coreagent.Config{
		Namespace: *namespace, Address: *address, Logger: slog.New(slog.DiscardHandler),
		ZooKeeper: registry.ZooKeeper{Servers: []string{*zookeeper}, SessionTimeout: time.Duration(*session) * time.Millisecond},
	})
	if err != nil {
		return err
	}
	j := new(journal)
	for i := range *jobs {
		job.Name = fmt.Sprintf("nightly-report-%04d", i) // as the Java program does
		if err := agent.Add(job, &body{j, i, work}); err != nil {
			return err
		}
	}
	starting, cancel := context.WithTimeout(context.Background(), 5*time.Minute)
	defer cancel()
	if err := agent.Start(starting); err != nil {
		return err
	}
	j.add("READY %d\n", time.Now().UnixMicro())
	for commands := bufio.NewScanner(os.Stdin); commands.Scan(); {
		switch commands.Text() {
		case "stats":
			goroutines := runtime.NumGoroutine()
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			j.add("STATS %d %d\n", goroutines, m.HeapAlloc)
		case "exit":
			ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
			defer cancel()
			return agent.Stop(ctx)
		}
	}
	return nil // The measuring process has ended.
}

// body is the handler of a job.
type body struct {
	journal *journal
	job     int
	work    []time.Duration // by shard
}

// slice is how long a body works between two looks at its context, so that a body that was frozen
// in the middle has work left after it resumes.
const slice = 10 * time.Millisecond

// Handle reports and works on after its context was cancelled, because we measure the cancellation.
func (b *body) Handle(ctx context.Context, s *coreagent.Shard) error {
	b.report('S', s)
	if work := b.work[min(s.Item, len(b.work)-1)]; work > 0 {
		stop := context.AfterFunc(ctx, func() { b.report('C', s) })
		for range work / slice {
			if ctx.Err() != nil && work > time.Second {
				break // A long body exists to be interrupted.
			}
			time.Sleep(slice)
		}
		stop()
	}
	b.report('E', s)
	return nil
}

// report reports a moment of a shard: start, end or cancellation. The start and the cancellation
// have letters of their own in a requested run, with the run's id.
func (b *body) report(what byte, s *coreagent.Shard) {
	now := time.Now().UnixMicro()
	switch {
	case !s.Run.Requested:
		b.journal.add("%c %d %d %d\n", what, now, b.job, s.Item)
	case what == 'S':
		b.journal.add("R %d %s\n", now, s.Run.ID)
	case what == 'C':
		b.journal.add("K %d %s\n", now, s.Run.ID)
	}
}

// journalDelay is how long a report may wait for others, so that a thousand bodies that report at
// the same moment don't wait for the system. The measuring program must know it.
const journalDelay = 100 * time.Millisecond

// journal writes lines to standard output, many at a time.
type journal struct {
	mu      sync.Mutex
	lines   []byte // to be written
	armed   bool   // a flush will come
	writing sync.Mutex
}

func (j *journal) add(format string, args ...any) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.lines = fmt.Appendf(j.lines, format, args...)
	if !j.armed {
		j.armed = true
		time.AfterFunc(journalDelay, j.flush)
	}
}

func (j *journal) flush() {
	j.writing.Lock()
	defer j.writing.Unlock()
	j.mu.Lock()
	lines := j.lines
	j.lines, j.armed = nil, false
	j.mu.Unlock()
	_, _ = os.Stdout.Write(lines) // If it fails the measuring process has ended, and so will we.
}
