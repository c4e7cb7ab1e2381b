package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/javaagent"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// process is an agent process of either kind.
type process struct {
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	began  time.Time
	exited chan struct{}
	log    bytes.Buffer

	mu      sync.Mutex
	ready   time.Time
	reports []report
	answer  string // the last line that is no report
}

// report is a reported moment: S, E or C of a shard, R or K of a requested run. bench/agent
// explains them.
type report struct {
	what      byte
	at        time.Time
	job, item int
	id        string // of a requested run
}

// jobName is the name that the agents' programs give their first job.
const jobName = "nightly-report-0000"

const (
	// neverFires is a schedule in the far future.
	neverFires   = "--cron=0 0 0 1 1 ? 2099"
	everySecond  = "--cron=* * * * * ?"
	reportsDelay = 100 * time.Millisecond // by which agents delay their reports at most
	// sessionTime of agents that are killed. The measurement begins when the session has expired.
	sessionTime  = 2 * time.Second
	shortSession = "--session-ms=2000"
)

// spawn starts an agent that uses the registry at addr; n makes its address unique.
func (s *scene) spawn(addr string, n int, namespace string, args ...string) *process {
	args = append([]string{"--zookeeper=" + addr, "--namespace=" + namespace, fmt.Sprintf("--address=127.0.1.%d", n)}, args...)
	p := &process{cmd: exec.Command(s.agent, args...), exited: make(chan struct{})}
	if s.kind == java {
		program := javaagent.Program{Dir: filepath.Join("interop", "java"), Version: "3.0.4"}
		check(program.Build()) // It is built only once.
		p.cmd = exec.Command("java", append([]string{"-Djava.net.preferIPv4Stack=true", "-cp", program.ClassPath(), "elasticjob.interop.Bench"}, args...)...)
	}
	p.cmd.Stderr = &p.log
	stdout := must(p.cmd.StdoutPipe())
	p.stdin = must(p.cmd.StdinPipe())
	p.began = time.Now()
	check(p.cmd.Start())
	go func() {
		defer close(p.exited)
		for lines := bufio.NewScanner(stdout); lines.Scan(); {
			p.accept(lines.Text())
		}
		_ = p.cmd.Wait() // Agents are killed here.
	}()
	s.agents = append(s.agents, p)
	return p
}

// accept parses a line: READY with microseconds, a report, or an answer.
func (p *process) accept(line string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	fields := strings.Fields(line)
	if len(fields) < 2 || len(fields[0]) > 1 && fields[0] != "READY" {
		p.answer = line
		return
	}
	micros, _ := strconv.ParseInt(fields[1], 10, 64)
	r := report{what: fields[0][0], at: time.UnixMicro(micros)}
	switch {
	case len(fields) == 2:
		p.ready = r.at
		return
	case len(fields) == 3:
		r.id = fields[2]
	default:
		r.job, _ = strconv.Atoi(fields[2])
		r.item, _ = strconv.Atoi(fields[3])
	}
	p.reports = append(p.reports, r)
}

// since returns the reports of a kind since a moment.
func (p *process) since(from time.Time, what byte) (list []report) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, r := range p.reports {
		if r.what == what && !r.at.Before(from) {
			list = append(list, r)
		}
	}
	return list
}

// forget drops the reports so far.
func (p *process) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.reports = nil
}

// await polls a condition that the process will fulfil.
func (p *process) await(b *bench, what string, limit time.Duration, done func() bool) {
	err := attempt(func() {
		b.poll(what, limit, 10*time.Millisecond, func() bool {
			ended := p.ended() // Before the last reports are looked at.
			if done() {
				return true
			}
			if ended {
				fail("the agent ended before: %s", what)
			}
			return false
		})
	})
	if err != nil {
		text := p.log.String()
		fail("%w: %s", err, text[max(0, len(text)-2000):])
	}
}

// awaitReport returns the moment of the first matching report since a moment.
func (p *process) awaitReport(b *bench, limit time.Duration, from time.Time, what byte, match func(report) bool) (at time.Time) {
	p.await(b, "report "+string(what), limit, func() bool {
		for _, r := range p.since(from, what) {
			if match(r) {
				at = r.at
				return true
			}
		}
		return false
	})
	return at
}

// awaitReady waits until all agents have registered their jobs.
func (s *scene) awaitReady(limit time.Duration) {
	for _, p := range s.agents {
		p.await(s.bench, "registration", limit, func() bool {
			p.mu.Lock()
			defer p.mu.Unlock()
			return !p.ready.IsZero()
		})
	}
}

func (p *process) ended() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// stats asks a Go agent for its goroutines and live heap.
func (p *process) stats(b *bench) (goroutines, heap float64) {
	p.mu.Lock()
	p.answer = ""
	p.mu.Unlock()
	must(io.WriteString(p.stdin, "stats\n"))
	p.await(b, "answer to stats", 30*time.Second, func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		n, _ := fmt.Sscanf(p.answer, "STATS %g %g", &goroutines, &heap)
		return n == 2
	})
	return goroutines, heap
}

// kill is kill -9; it returns when the process has ended.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // It may have ended by itself.
	<-p.exited
}

func (p *process) pid() int { return p.cmd.Process.Pid }

// is reports whether an instance id, which ends with a process id, is the agent's.
func (p *process) is(instance string) bool {
	return strings.HasSuffix(instance, fmt.Sprintf("@-@%d", p.pid()))
}

// instance returns the node of an agent in a job.
func (s *scene) instance(job jobtree.Job, p *process) string {
	ids, _, err := s.client.Children(s, job.Instances())
	check(err)
	for _, id := range ids {
		if p.is(id) {
			return job.Instance(id)
		}
	}
	fail("process %d is not among the instances %v", p.pid(), ids)
	return ""
}

// kill kills an agent and returns when its session ended, as the client sees it.
func (s *scene) kill(job jobtree.Job, victim *process) time.Time {
	expired := s.watch(s.instance(job, victim), false)
	victim.kill()
	return expired()
}

// usage is the consumption of a process.
type usage struct {
	resident, threads float64 // bytes, number
	cpu               time.Duration
}

// usageOf reads Linux's /proc.
func usageOf(pid int) (u usage) {
	status := string(must(os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))))
	field := func(name string) float64 {
		_, rest, _ := strings.Cut(status, name+":")
		return must(strconv.ParseFloat(strings.Fields(rest)[0], 64))
	}
	stat := string(must(os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))))
	_, rest, _ := strings.Cut(stat, ") ") // The name of the program may have spaces.
	ticks := strings.Fields(rest)
	user, system := must(strconv.Atoi(ticks[11])), must(strconv.Atoi(ticks[12]))
	return usage{field("VmRSS") * 1024, field("Threads"), time.Duration(user+system) * time.Second / 100}
}
