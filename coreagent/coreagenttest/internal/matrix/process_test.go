//go:build servers

package matrix_test

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/waittest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
	"github.com/elasticjob-go/elasticjob/registry"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// processEnv makes the test binary an agent instead of running tests; see serve.
const processEnv = "MATRIX_TEST_AGENT"

func TestMain(m *testing.M) {
	if text := os.Getenv(processEnv); text != "" {
		var o processOptions
		if _, err := fmt.Sscan(text, &o.server, &o.namespace, &o.number, &o.shards, &o.second); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(2)
		}
		os.Exit(serve(o))
	}
	os.Exit(m.Run())
}

// processOptions configure an agent process.
type processOptions struct {
	server, namespace      string
	number, shards, second int
}

const (
	processSession = 4 * time.Second
	processBody    = 2 * time.Second
	processPeriod  = 20 * time.Second // longer than losing a session and failing over three shards takes
)

// serve is the main function of an agent process. It prints a line when a handler begins, and
// another when it has finished.
func serve(o processOptions) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: o.namespace, Address: fmt.Sprintf("10.0.0.%d", o.number), InstanceSuffix: strconv.Itoa(o.number),
		ZooKeeper: registry.ZooKeeper{Servers: []string{o.server}, SessionTimeout: processSession, ACL: "open"},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	job := failingOver("report", o.shards)
	job.Schedule.Cron = fmt.Sprintf("%d/%d * * * * ?", o.second, int(processPeriod.Seconds()))
	var mu sync.Mutex
	report := func(what string, s *coreagent.Shard) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Println(what, s.Item, s.Source, s.ScheduledAt.UnixMilli())
	}
	agent.HandleFunc(job, func(ctx context.Context, s *coreagent.Shard) error {
		report("began", s)
		select {
		case <-time.After(processBody):
			report("completed", s)
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	})
	if err := agent.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// report is a line that an agent process printed.
type report struct {
	process int
	what    string
	shard   int
	source  tracing.Source
	at      int64 // ScheduledAt in milliseconds
}

// processes are the agents of a test and their reports.
type processes struct {
	t *testing.T

	mu      sync.Mutex
	reports []report
}

func (p *processes) start(o processOptions) *exec.Cmd {
	p.t.Helper()
	cmd := exec.CommandContext(p.t.Context(), os.Args[0]) // It ends with the test.
	text := fmt.Sprintln(o.server, o.namespace, o.number, o.shards, o.second)
	cmd.Env = append(os.Environ(), processEnv+"="+text)
	cmd.Stderr = p.t.Output()
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		p.t.Fatal(err)
	}
	read := make(chan struct{})
	go func() {
		defer close(read)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			r := report{process: o.number}
			if _, err := fmt.Sscan(lines.Text(), &r.what, &r.shard, &r.source, &r.at); err == nil {
				p.mu.Lock()
				p.reports = append(p.reports, r)
				p.mu.Unlock()
			}
		}
	}()
	p.t.Cleanup(func() {
		<-read
		_ = cmd.Wait() // It was killed, so we expect an error.
	})
	return cmd
}

// count returns how many shards have a report of this kind for a fire time.
func (p *processes) count(what string, at int64) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	shards := make(map[int]bool)
	for _, r := range p.reports {
		if r.what == what && r.at == at {
			shards[r.shard] = true
		}
	}
	return len(shards)
}

// sharedFire returns the first fire time at which each process has begun so many shards, or 0
// before that. Fire times before that don't count because some processes weren't there.
func (p *processes) sharedFire(agents, each int) int64 {
	p.mu.Lock()
	defer p.mu.Unlock()
	begun := make(map[int64][]int)
	for _, r := range p.reports {
		if begun[r.at] == nil {
			begun[r.at] = make([]int, agents)
		}
		if r.what == "began" {
			begun[r.at][r.process-1]++
		}
		if !slices.ContainsFunc(begun[r.at], func(n int) bool { return n != each }) {
			return r.at
		}
	}
	return 0
}

// judge checks that each shard has completed each of these fire times once.
func (p *processes) judge(shards int, fires ...int64) {
	p.t.Helper()
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, at := range fires {
		completed := make([]int, shards)
		for _, r := range p.reports {
			if r.what == "completed" && r.at == at {
				completed[r.shard]++
			}
		}
		if slices.ContainsFunc(completed, func(n int) bool { return n != 1 }) {
			fire := time.UnixMilli(at).UTC().Format(time.TimeOnly)
			p.t.Errorf("fire time %s: completions of the shards %v, want 1 each", fire, completed)
		}
	}
	for _, r := range p.reports {
		if r.at > fires[0] && !slices.Contains(fires, r.at) {
			p.t.Errorf("ScheduledAt is not a fire time: %+v", r)
		}
	}
	if p.t.Failed() {
		for _, r := range p.reports {
			p.t.Logf("%+v", r)
		}
	}
}

// TestW73RealProcesses kills processes with SIGKILL while their handlers work, on a real ZooKeeper.
// More shards are interrupted than agents survive.
func TestW73RealProcesses(t *testing.T) {
	t.Parallel()
	server := zktest.Real(t).Addr
	for _, c := range []struct{ agents, killed, each int }{{2, 1, 3}, {3, 2, 2}} {
		t.Run(fmt.Sprintf("%d of %d agents killed with %d shards each", c.killed, c.agents, c.each), func(t *testing.T) {
			t.Parallel()
			shards := c.agents * c.each
			p := &processes{t: t}
			o := processOptions{server: server, namespace: zktest.Namespace(t), shards: shards}
			o.second = time.Now().Add(6*time.Second).Second() % int(processPeriod.Seconds()) // Fire soon.
			agents := make([]*exec.Cmd, c.agents)
			for i := range agents {
				o.number = i + 1
				agents[i] = p.start(o)
			}
			var fire int64
			waittest.Until(t, "all shards at work", func() bool {
				fire = p.sharedFire(c.agents, c.each)
				return fire != 0
			})
			for _, victim := range agents[:c.killed] {
				if err := victim.Process.Kill(); err != nil {
					t.Fatal(err)
				}
			}
			next := fire + processPeriod.Milliseconds()
			waittest.Until(t, "the next fire time completed", func() bool { return p.count("completed", next) == shards })
			p.judge(shards, fire, next)
		})
	}
}
