package main

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/judge"
	"github.com/elasticjob-go/elasticjob/internal/relay"
)

// agent is a place in the fleet for a sequence of processes.
type agent struct {
	name    string
	address string // the address it announces; empty for a Java agent, which finds its own
	java    bool
	links   []*relay.Relay // one to each ZooKeeper
	command func() *exec.Cmd
	log     string
	ledger  string // the output file of a Java agent
	steady  bool   // it's never ended, so that its memory can be compared over the whole campaign

	mu      sync.Mutex
	process *process
	ending  bool // the process is being ended, and another one will be started
	lives   []life
}

func (c *campaign) addAgents() error {
	for i := range goAgents {
		a := &agent{
			name: fmt.Sprintf("go-%d", i+1), address: fmt.Sprintf("127.0.1.%d", i+1), steady: i == goAgents-1,
			log: filepath.Join(c.dir, fmt.Sprintf("go-%d.log", i+1)), ledger: filepath.Join(c.dir, fmt.Sprintf("go-%d.ledger", i+1)),
		}
		a.command = func() *exec.Cmd {
			return exec.Command(c.opts.agent, "-zookeeper", a.servers(), "-namespace", namespace, "-address", a.address,
				"-session", sessionTimeout.String(), "-jobs", c.jobsFile(), "-ledger", a.ledger, "-dsn", c.dsn,
				"-spool", filepath.Join(c.dir, a.name+".spool"))
		}
		c.agents = append(c.agents, a)
	}
	for _, a := range c.agents {
		for _, server := range c.zookeeper.Servers() {
			link, err := relay.Start(server, relay.Options{})
			if err != nil {
				return err
			}
			a.links = append(a.links, link)
		}
	}
	return nil
}

func (a *agent) servers() string {
	var list []string
	for _, link := range a.links {
		list = append(list, link.Addr())
	}
	return strings.Join(list, ",")
}

func (a *agent) start() error {
	report := ""
	if a.java {
		report = a.ledger
	}
	p, err := start(a.command(), a.log, report)
	if err != nil {
		return err
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.process, a.ending = p, false
	a.lives = append(a.lives, life{Agent: a.name, PID: p.pid(), Span: judge.Span{From: p.began}})
	return nil
}

// claim reserves the agent for ending its process, until the next one is started. It returns false
// if it's reserved already.
func (a *agent) claim() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ending {
		return false
	}
	a.ending = true
	return true
}

// end ends the process of a claimed agent. With drain it sends SIGTERM and reports whether the
// process ended in time.
func (a *agent) end(drain bool) (inTime bool) {
	a.mu.Lock()
	p := a.process
	a.mu.Unlock()
	inTime = true
	if drain {
		inTime = p.terminate(40 * time.Second)
	} else {
		p.kill()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	last := &a.lives[len(a.lives)-1]
	last.To, last.Killed = p.ended, !drain || !inTime
	return inTime
}

func (a *agent) signal(s syscall.Signal) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.process.signal(s)
}

// cut applies a fault to the agent's connections to all servers.
func (a *agent) cut(f relay.Fault) {
	for _, link := range a.links {
		link.Set(f)
	}
}

func (a *agent) close() {
	if a.process != nil {
		a.process.kill()
	}
	for _, link := range a.links {
		link.Close()
	}
}

// current returns the current process, or nil before the first one.
func (a *agent) current() *process {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.process
}

// crashed reports whether the process ended on its own.
func (a *agent) crashed() (pid int, crashed bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.process == nil || a.ending || !a.process.hasEnded() {
		return 0, false
	}
	return a.process.pid(), true
}
