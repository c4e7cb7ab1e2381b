package main

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
)

// stamp is a reported moment of a body.
type stamp struct {
	what byte // S, E or C, as the agent reports it
	at   time.Time
	job  int
	item int
}

// requestStamp is a reported moment of a requested run.
type requestStamp struct {
	what byte // R or K, as the agent reports it
	at   time.Time
	id   string
}

// process is an agent process of either kind.
type process struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	began   time.Time
	exited  chan struct{}
	log     bytes.Buffer
	address string

	mu      sync.Mutex
	changed chan struct{} // closed and replaced with each report
	ready   time.Time
	stamps  []stamp
	asked   []requestStamp
	answers []string
}

// jobName is what the agents' programs call their jobs.
func jobName(i int) string { return fmt.Sprintf("nightly-report-%04d", i) }

// reportDelay is how long the agents' programs keep reports back at most.
const reportDelay = 100 * time.Millisecond

// spawn starts an agent process; args are those of the programs.
func (b *bench) spawn(k kind, address string, args ...string) (*process, error) {
	args = append([]string{"--address=" + address}, args...)
	p := &process{exited: make(chan struct{}), changed: make(chan struct{}), address: address}
	if k == java {
		if err := b.buildJava(); err != nil {
			return nil, err
		}
		// It announces an address of the machine, whatever its settings say.
		p.cmd = exec.Command("java", append([]string{"-Djava.net.preferIPv4Stack=true", "-cp", b.jars, "elasticjob.interop.Bench"}, args...)...)
	} else {
		p.cmd = exec.Command(b.agent, args...)
	}
	p.cmd.Stderr = &p.log
	stdout, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	p.began = time.Now()
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			p.accept(lines.Text())
		}
		_ = p.cmd.Wait() // How it ended is no matter: agents are killed here.
		close(p.exited)
		p.mu.Lock()
		p.signal()
		p.mu.Unlock()
	}()
	return p, nil
}

// buildJava builds the Java agent once.
func (b *bench) buildJava() error {
	if b.jars != "" {
		return nil
	}
	program := javaagent.Program{Dir: filepath.Join("interop", "java"), Version: "3.0.4"}
	if err := program.Build(); err != nil {
		return err
	}
	b.jars = program.ClassPath()
	return nil
}

func (p *process) accept(line string) {
	fields := strings.Fields(line)
	if len(fields) == 0 {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	defer p.signal()
	micros := func() time.Time {
		n, _ := strconv.ParseInt(fields[1], 10, 64)
		return time.UnixMicro(n)
	}
	switch {
	case fields[0] == "READY" && len(fields) == 2:
		p.ready = micros()
	case len(fields[0]) == 1 && len(fields) == 4:
		job, _ := strconv.Atoi(fields[2])
		item, _ := strconv.Atoi(fields[3])
		p.stamps = append(p.stamps, stamp{fields[0][0], micros(), job, item})
	case len(fields[0]) == 1 && len(fields) == 3:
		p.asked = append(p.asked, requestStamp{fields[0][0], micros(), fields[2]})
	default:
		p.answers = append(p.answers, line)
	}
}

func (p *process) signal() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// await waits until done, which is called with p.mu held.
func (p *process) await(ctx context.Context, what string, limit time.Duration, done func() bool) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		p.mu.Lock()
		ok, changed := done(), p.changed
		p.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-changed:
			if p.ended() {
				return fmt.Errorf("agent ended before %s: %s", what, tail(p.log.String()))
			}
		case <-timer.C:
			return fmt.Errorf("no %s within %v: %s", what, limit, tail(p.log.String()))
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// awaitReady waits until every job is registered and returns how long that took
// from the start of the process.
func (p *process) awaitReady(ctx context.Context, limit time.Duration) (time.Duration, error) {
	err := p.await(ctx, "registration", limit, func() bool { return !p.ready.IsZero() })
	return p.ready.Sub(p.began), err
}

// starts returns what was reported since a moment of runs that start.
func (p *process) starts(since time.Time) []stamp {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.startsLocked(since)
}

func (p *process) startsLocked(since time.Time) []stamp {
	var list []stamp
	for _, s := range slices.Backward(p.stamps) {
		if s.at.Before(since.Add(-time.Second)) {
			break // Reports are in order, nearly.
		}
		if s.what == 'S' && !s.at.Before(since) {
			list = append(list, s)
		}
	}
	slices.Reverse(list)
	return list
}

// forget drops the reports so far, to keep a long measurement small.
func (p *process) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stamps = nil
}

// stats asks a Go agent for its goroutines and live heap.
func (p *process) stats(ctx context.Context) (goroutines, heap float64, err error) {
	answer, err := p.ask(ctx, "stats", "STATS")
	if err == nil {
		_, err = fmt.Sscanf(answer, "STATS %g %g", &goroutines, &heap)
	}
	return goroutines, heap, err
}

// ask sends a command and waits for its answer.
func (p *process) ask(ctx context.Context, order, reply string) (answer string, err error) {
	p.mu.Lock()
	p.answers = nil
	p.mu.Unlock()
	if _, err := io.WriteString(p.stdin, order+"\n"); err != nil {
		return "", err
	}
	err = p.await(ctx, "answer to "+order, 30*time.Second, func() bool {
		for _, a := range p.answers {
			if strings.HasPrefix(a, reply) {
				answer = a
				return true
			}
		}
		return false
	})
	return answer, err
}

// kill is kill -9; it returns when the process is ended.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // It may have ended by itself.
	<-p.exited
}

func (p *process) signalProcess(s syscall.Signal) error { return p.cmd.Process.Signal(s) }

// usage is what Linux says about a process.
type usage struct {
	resident float64 // bytes
	threads  float64
	cpu      time.Duration
}

func (p *process) usage() (usage, error) { return usageOf(p.cmd.Process.Pid) }

func usageOf(pid int) (usage, error) {
	var u usage
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return u, fmt.Errorf("memory and threads are read from Linux's /proc: %w", err)
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		key, value, _ := strings.Cut(line, ":")
		first, _, _ := strings.Cut(strings.TrimSpace(value), " ")
		number, _ := strconv.ParseFloat(first, 64)
		switch key {
		case "VmRSS":
			u.resident = number * 1024
		case "Threads":
			u.threads = number
		}
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return u, err
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	user, _ := strconv.Atoi(fields[11])
	system, _ := strconv.Atoi(fields[12])
	u.cpu = time.Duration(user+system) * time.Second / 100
	return u, nil
}

// fleet is a set of processes that end together.
type fleet struct {
	b         *bench
	processes []*process
}

func (f *fleet) spawn(k kind, address string, args ...string) (*process, error) {
	p, err := f.b.spawn(k, address, args...)
	if err == nil {
		f.processes = append(f.processes, p)
	}
	return p, err
}

func (f *fleet) end() {
	for _, p := range f.processes {
		p.kill()
	}
}
