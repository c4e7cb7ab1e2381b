//go:build interop

package interop

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/waittest"
)

// javaClass is the class of the job, and with it what both kinds of agents
// write into the job's node.
const javaClass = "elasticjob.interop.ReportingJob"

// patience bounds each wait for something that takes a second on an idle
// machine.
const patience = waittest.Patience

// run is one execution of a shard, as its process reported it.
type run struct {
	agent *process
	item  int
	task  string
	start time.Time
	end   time.Time // zero while it runs, and for ever if its process died
	clean bool      // ended by itself
	line  string
}

func (r *run) String() string {
	end := "-"
	if !r.end.IsZero() {
		end = r.end.Format("05.000")
	}
	return fmt.Sprintf("shard %d on %s %s..%s %s", r.item, r.agent.name, r.start.Format("15:04:05.000"), end, r.task)
}

// process is an agent of either kind.
type process struct {
	fleet  *fleet
	name   string
	java   bool
	id     string // instance id, once ready
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	log    safeBuffer
	exited chan struct{}

	mayComplain bool // the test makes it log errors
}

// ip is the address part of the instance id.
func (p *process) ip() string {
	ip, _, _ := strings.Cut(p.id, "@-@")
	return ip
}

// startJava starts a Java agent and waits until it serves.
func (f *fleet) startJava(name string, args ...string) *process {
	f.t.Helper()
	p := f.launchJava(name, args...)
	f.awaitReady(p)
	return p
}

func (f *fleet) launchJava(name string, args ...string) *process {
	f.t.Helper()
	java := []string{
		"-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-Xmx128m", "-Djava.net.preferIPv4Stack=true",
		"-cp", program(f.version).ClassPath(), "elasticjob.interop.Agent",
	}
	return f.launch(&process{name: name, java: true, cmd: exec.Command("java", append(java, f.arguments(args)...)...)})
}

// Addresses for Go agents: text that sorts before, or after, any address that
// the Java agents of this machine may have. Instances get shards in
// descending order of their ids.
const (
	lowAddress  = "1.0.0.1"
	highAddress = "99.99.99.99"
)

// startGo starts a Go agent and waits until it serves.
func (f *fleet) startGo(name, address string, args ...string) *process {
	f.t.Helper()
	p := f.launchGo(name, address, args...)
	f.awaitReady(p)
	return p
}

func (f *fleet) launchGo(name, address string, args ...string) *process {
	f.t.Helper()
	self, err := os.Executable()
	if err != nil {
		f.t.Fatal(err)
	}
	// Later arguments count, so a test may say another class.
	args = append([]string{"--address=" + address, "--class=" + javaClass}, f.arguments(args)...)
	p := &process{name: name, cmd: exec.Command(self, args...)}
	p.cmd.Env = append(os.Environ(), agentVariable+"=1")
	return f.launch(p)
}

func (f *fleet) arguments(args []string) []string {
	all := []string{"--zookeeper=" + f.addr, "--namespace=" + f.namespace, "--job=" + f.job.Name()}
	return slices.Concat(all, f.common, args)
}

func (f *fleet) launch(p *process) *process {
	f.t.Helper()
	p.fleet, p.exited = f, make(chan struct{})
	p.cmd.Stderr = &p.log
	stdout, err := p.cmd.StdoutPipe()
	if err == nil {
		p.stdin, err = p.cmd.StdinPipe()
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		f.t.Fatalf("start %s: %v", p.name, err)
	}
	f.mu.Lock()
	f.processes = append(f.processes, p)
	f.mu.Unlock()
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			f.accept(p, lines.Text())
		}
		_ = p.cmd.Wait() // How it ended is no matter: tests kill processes.
		close(p.exited)
		f.signal()
	}()
	return p
}

func (f *fleet) awaitReady(p *process) {
	f.t.Helper()
	f.await(patience, p.name+" to serve", func() bool { return p.id != "" || p.ended() })
	if f.read(func() bool { return p.id == "" }) {
		f.t.Fatalf("%s did not start: %v\n%s", p.name, f.linesOf(p, "REFUSED"), p.log.String())
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

// order sends a command and waits for its confirmation.
func (p *process) order(command, confirmation string) {
	p.fleet.t.Helper()
	before := len(p.fleet.linesOf(p, confirmation))
	if _, err := io.WriteString(p.stdin, command+"\n"); err != nil {
		p.fleet.t.Fatalf("tell %s to %s: %v", p.name, command, err)
	}
	p.fleet.await(patience, p.name+" to "+command, func() bool { return len(p.fleet.confirmed(p, confirmation)) > before })
}

// kill is kill -9.
func (p *process) kill() { p.end(syscall.SIGKILL) }

// terminate is an orderly end.
func (p *process) terminate() { p.end(syscall.SIGTERM) }

func (p *process) end(signal syscall.Signal) {
	p.fleet.t.Helper()
	p.signal(signal)
	p.fleet.await(patience, p.name+" to end", p.ended)
}

// freeze and resume stop a process in the middle of whatever it does, for less
// than its session lasts.
func (p *process) freeze() { p.signal(syscall.SIGSTOP) }
func (p *process) resume() { p.signal(syscall.SIGCONT) }

func (p *process) signal(signal syscall.Signal) {
	p.fleet.t.Helper()
	if err := p.cmd.Process.Signal(signal); err != nil && !errors.Is(err, os.ErrProcessDone) {
		p.fleet.t.Fatalf("%v to %s: %v", signal, p.name, err)
	}
}

// awaitRefused waits until an agent has ended by itself and returns why.
func (f *fleet) awaitRefused(p *process) string {
	f.t.Helper()
	p.mayComplain = true
	f.await(patience, p.name+" to be refused", p.ended)
	lines := f.linesOf(p, "REFUSED")
	if len(lines) != 1 {
		f.t.Fatalf("%s was not refused: %v", p.name, lines)
	}
	return lines[0]
}

var field = regexp.MustCompile(`(\w+)=(\S*)`)

// accept takes a report of a process.
func (f *fleet) accept(p *process, line string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.lines = append(f.lines, reported{p, line})
	values := make(map[string]string)
	for _, match := range field.FindAllStringSubmatch(line, -1) {
		values[match[1]] = match[2]
	}
	item, _ := strconv.Atoi(values["item"])
	millis, _ := strconv.ParseInt(values["at"], 10, 64)
	switch word, _, _ := strings.Cut(line, " "); word {
	case "READY":
		p.id = values["id"]
	case "START":
		f.runs = append(f.runs, &run{agent: p, item: item, task: values["task"], start: time.UnixMilli(millis), line: line})
	case "END", "INTERRUPTED":
		for _, r := range slices.Backward(f.runs) {
			if r.agent == p && r.item == item && r.end.IsZero() {
				r.end, r.clean = time.UnixMilli(millis), word == "END"
				break
			}
		}
	}
	f.signalLocked()
}

// safeBuffer collects what a process logs.
type safeBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *safeBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *safeBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}
