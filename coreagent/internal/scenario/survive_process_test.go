package scenario_test

import (
	"bufio"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/registry"
)

// processEnv makes the test binary an agent; see agentProcess.
const processEnv = "COREAGENT_TEST_PROCESS"

func TestMain(m *testing.M) {
	if os.Getenv(processEnv) != "" {
		os.Exit(agentProcess(strings.Fields(os.Getenv(processEnv))))
	}
	os.Exit(atOnce(m))
}

// atOnce runs at least six tests in parallel. The tests with real servers mostly wait for expiring
// sessions and for fire times, so with fewer tests we'd leave two processors idle half of the time.
func atOnce(m *testing.M) int {
	flag.Parse()
	parallel := flag.Lookup("test.parallel")
	if n, err := strconv.Atoi(parallel.Value.String()); err == nil && n < 6 {
		_ = parallel.Value.Set("6") // This flag accepts any number.
	}
	return m.Run()
}

// agentProcess serves "job" until SIGTERM. Its arguments are the server, namespace, address,
// suffix, session timeout, and the duration of a handler. It prints a line with the time of day
// whenever a handler begins or ends.
func agentProcess(args []string) int {
	durations := make([]time.Duration, 2)
	for i := range durations {
		var err error
		if durations[i], err = time.ParseDuration(args[4+i]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	agent, err := coreagent.New(coreagent.Config{
		Namespace: args[1], Address: args[2], InstanceSuffix: args[3], DrainTimeout: patience,
		ZooKeeper: registry.ZooKeeper{Servers: []string{args[0]}, SessionTimeout: durations[0]},
		Logger:    slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	var mu sync.Mutex
	say := func(what string, s *coreagent.Shard) {
		mu.Lock()
		defer mu.Unlock()
		fmt.Println(what, s.Item, s.FencingToken, time.Now().UnixNano())
	}
	agent.HandleFunc(processJob(), func(ctx context.Context, s *coreagent.Shard) error {
		say("begun", s)
		select {
		case <-time.After(durations[1]):
			say("done", s)
			return nil
		case <-ctx.Done():
			say("cancelled", s)
			return context.Cause(ctx)
		}
	})
	if err := agent.Run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

func processJob() coreagent.Job {
	return coreagent.Job{Name: "job", Schedule: coreagent.Schedule{Cron: "* * * * * ?"}, Shards: 2, Failover: true}
}

// child is an agent in its own process.
type child struct {
	fixture *fixture
	cmd     *exec.Cmd
	id      string
	ended   chan struct{}
	err     error // result of Wait, once ended is closed
	stderr  *lockedBuffer

	mu    sync.Mutex
	lines []utterance
}

// utterance is a line printed by a process's handler.
type utterance struct {
	what  string
	shard int
	token int64
	at    time.Time
}

type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

// process starts the agent 10.0.0.n@-@n as a process with handlers that take d.
func (b *fixture) process(n int, d time.Duration) *child {
	b.Helper()
	p := &child{fixture: b, id: fmt.Sprintf("10.0.0.%d@-@%d", n, n), ended: make(chan struct{}), stderr: &lockedBuffer{}}
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%s %s 10.0.0.%d %d %v %v", processEnv, b.addr, b.tree.String(), n, n, b.session, d))
	p.cmd.Stderr = p.stderr
	out, err := p.cmd.StdoutPipe()
	b.must(err)
	b.must(p.cmd.Start())
	go func() {
		p.read(out)
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	b.Cleanup(func() {
		p.signal(syscall.SIGKILL)
		<-p.ended
		if b.Failed() {
			b.Logf("process %s:\n%s", p.id, p.stderr.String())
		}
	})
	return p
}

func (p *child) read(out io.Reader) {
	for scan := bufio.NewScanner(out); scan.Scan(); {
		var l utterance
		var nanos int64
		if _, err := fmt.Sscan(scan.Text(), &l.what, &l.shard, &l.token, &nanos); err != nil {
			continue
		}
		l.at = time.Unix(0, nanos)
		p.mu.Lock()
		p.lines = append(p.lines, l)
		p.mu.Unlock()
	}
}

func (p *child) signal(s os.Signal) { _ = p.cmd.Process.Signal(s) } // The process may already have ended.

// said returns the handlers' lines of one kind.
func (p *child) said(what string) []utterance {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []utterance
	for _, l := range p.lines {
		if l.what == what {
			list = append(list, l)
		}
	}
	return list
}

// TestMS18FrozenOwnerIsCancelled: a process is stopped for longer than its session while it runs
// both shards. Another agent takes them over with larger tokens. When the process continues, it
// should end its contexts first, and start nothing before it has registered again.
func TestMS18FrozenOwnerIsCancelled(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		b.session = shortSession
		frozen := b.process(2, time.Hour)
		b.await("the process runs both shards", func() bool { return len(frozen.said("begun")) == 2 })
		b.agent(1, lasting).serve(processJob(), nil).start()
		frozen.signal(syscall.SIGSTOP)
		// By a failover, or because it already owns the shards and runs a newer fire time, which
		// settles the interrupted one.
		b.await("another agent has taken both over", func() bool { return b.runs.count("job", 0) > 0 && b.runs.count("job", 1) > 0 })
		began := len(frozen.said("begun"))
		resumed := time.Now()
		frozen.signal(syscall.SIGCONT)
		b.await("the contexts have ended", func() bool { return len(frozen.said("cancelled")) >= 2 })
		for _, l := range frozen.said("cancelled") {
			taken := b.nthRun("job", l.shard, 0).shard.FencingToken
			b.Logf("shard %d: cancelled %v after it was resumed, token %d, then %d", l.shard, l.at.Sub(resumed).Round(time.Millisecond), l.token, taken)
			if l.token >= taken {
				b.Errorf("shard %d: token %d of the frozen one, %d of its successor", l.shard, l.token, taken)
			}
		}
		if n := len(frozen.said("done")); n > 0 || began != 2 {
			b.Errorf("%d handlers went on to their end, %d had begun", n, began)
		}
		b.await("it is back and owns a shard", func() bool { return len(frozen.said("begun")) > 2 })
		again := frozen.said("begun")[2]
		if !again.at.After(frozen.said("cancelled")[1].at) {
			b.Error("a handler began before the old ones were cancelled")
		}
	})
}

// TestMS06MS13KilledProcess: a leader that runs both shards is killed with kill -9 and restarted at
// once with the same identity. One of the two agents should run the shards again, and one should be
// the leader.
func TestMS06MS13KilledProcess(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		b.session = shortSession
		tree := b.tree.Job("job")
		killed := b.process(1, time.Hour)
		b.await("the process runs both shards", func() bool { return len(killed.said("begun")) == 2 })
		before := b.stat(tree.LeaderInstance())
		survivor := b.agent(2, lasting).serve(processJob(), nil).start()
		killed.signal(syscall.SIGKILL)
		<-killed.ended
		at := time.Now()
		returned := b.process(1, 0)
		b.await("another session leads", func() bool { return b.stat(tree.LeaderInstance()).Czxid > before.Czxid })
		b.Logf("led again after %v", time.Since(at).Round(time.Millisecond))
		b.await("both shards were run again", func() bool {
			ran := make(map[int]bool)
			for _, r := range b.runs.of("job", -1) {
				ran[r.shard.Item] = true
			}
			for _, l := range returned.said("done") {
				ran[l.shard] = true
			}
			return len(ran) == 2
		})
		b.await("each owns a shard, and one leads", func() bool {
			ids := b.children(tree.Instances())
			owners := b.owners("job")
			leader, _ := b.get(tree.LeaderInstance())
			return len(ids) == 2 && owners[0] != owners[1] && strings.Contains(strings.Join(ids, " "), leader) &&
				strings.Contains(strings.Join(owners, " "), survivor.id)
		})
	})
}

// TestMS43TerminatedUnderLoad: a process gets SIGTERM while its shards run. It should start nothing
// new, finish its shards, remove its nodes and exit with 0. Another agent should run the shards
// before the session would have expired.
func TestMS43TerminatedUnderLoad(t *testing.T) {
	onBothServersOverTCP(t, func(b *fixture) {
		b.session = 30 * time.Second
		tree := b.tree.Job("job")
		leaver := b.process(1, 700*time.Millisecond)
		b.await("the process has run both shards", func() bool { return len(leaver.said("done")) >= 2 })
		stayer := b.agent(2).serve(processJob(), nil).start()
		b.await("both agents serve", func() bool { return b.runs.count("job", -1) > 0 })
		n := len(leaver.said("begun"))
		b.await("it runs a shard", func() bool { return len(leaver.said("begun")) > n })
		leaver.signal(syscall.SIGTERM)
		at := time.Now()
		<-leaver.ended
		b.Logf("removed after %v", time.Since(at).Round(time.Millisecond))
		if leaver.err != nil {
			b.Errorf("exit: %v", leaver.err)
		}
		if begun, done := leaver.said("begun"), leaver.said("done"); len(begun) != len(done) || len(leaver.said("cancelled")) > 0 {
			b.Errorf("%d handlers began, %d finished", len(begun), len(done))
		}
		if b.exists(tree.Instance(leaver.id)) {
			b.Error("the instance is still there")
		}
		b.awaitOwners("job", stayer.id, stayer.id)
		b.await("the other agent runs both", func() bool { return b.ranOn(stayer, 0, at) && b.ranOn(stayer, 1, at) })
	})
}

// ranOn reports whether an agent began a shard after a given time.
func (b *fixture) ranOn(m *member, shard int, after time.Time) bool {
	for _, r := range b.runs.of("job", shard) {
		if r.agent == m.id && r.start.After(after) {
			return true
		}
	}
	return false
}
