package demo

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"
)

// stopPatience is how long an agent may take to end after its standard input
// was closed, before it is killed: longer than its own limits together.
const stopPatience = stopLimit + flushLimit + 2*time.Second

// Event is something that happened to an agent process.
type Event struct {
	Kind EventKind
	// Address is the agent's; it outlives its process.
	Address string
	PID     int
	// Err is why it ended or could not start.
	Err error
}

// EventKind says what happened.
type EventKind int

// What happens to agents.
const (
	// AgentStarted: the process serves its jobs.
	AgentStarted EventKind = iota
	// AgentEnded: the process ended although nobody asked it to.
	AgentEnded
	// AgentFailed: the process could not be started.
	AgentFailed
)

// FleetOptions configures a [Fleet]. All fields are required.
type FleetOptions struct {
	// Addresses are what the agents announce, one process for each.
	Addresses []string
	// Command is the program and its arguments for the agent of an address.
	Command func(address string) []string
	// LogFolder takes the processes' output, in agent-<address>.log.
	LogFolder string
	// RestartAfter is how long a killed agent stays away. 0: for good.
	RestartAfter time.Duration
	// Report is notified of what happens, from several goroutines but never twice at
	// a time.
	Report func(Event)
}

// Fleet is the demo's agent processes. It is safe for concurrent use.
type Fleet struct {
	opts   FleetOptions
	ctx    context.Context
	end    context.CancelFunc
	agents sync.WaitGroup

	reporting sync.Mutex
}

// StartFleet starts one process per address and watches over them until
// [Fleet.Stop]. A process that cannot be started is reported like one that
// ended.
func StartFleet(opts FleetOptions) *Fleet {
	f := &Fleet{opts: opts}
	f.ctx, f.end = context.WithCancel(context.Background())
	for _, address := range opts.Addresses {
		f.agents.Go(func() { f.keep(address) })
	}
	return f
}

// Stop ends all processes and returns when the last has ended: asked first,
// killed if need be.
func (f *Fleet) Stop() {
	f.end()
	f.agents.Wait()
}

func (f *Fleet) report(e Event) {
	f.reporting.Lock()
	defer f.reporting.Unlock()
	if f.ctx.Err() == nil {
		f.opts.Report(e)
	}
}

// keep runs the agent of an address, again and again.
func (f *Fleet) keep(address string) {
	for f.ctx.Err() == nil {
		pid, err := f.runOnce(address)
		kind := AgentEnded
		if pid == 0 {
			kind = AgentFailed
		}
		f.report(Event{Kind: kind, Address: address, PID: pid, Err: err})
		if f.opts.RestartAfter <= 0 {
			return
		}
		select {
		case <-time.After(f.opts.RestartAfter):
		case <-f.ctx.Done():
		}
	}
}

// runOnce runs one process to its end. The pid is 0 if there was none.
func (f *Fleet) runOnce(address string) (pid int, err error) {
	output, err := os.OpenFile(filepath.Join(f.opts.LogFolder, "agent-"+address+".log"), os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o640)
	if err != nil {
		return 0, err
	}
	defer output.Close()

	args := f.opts.Command(address)
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = output
	detach(cmd)
	life, err := cmd.StdinPipe()
	if err != nil {
		return 0, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return 0, err
	}
	if err := cmd.Start(); err != nil {
		return 0, fmt.Errorf("start %s: %w", args[0], err)
	}
	pid = cmd.Process.Pid

	// Asked to end by closing its input; killed if it does not.
	ended := make(chan struct{})
	var stopper sync.WaitGroup
	stopper.Go(func() {
		select {
		case <-ended:
			return
		case <-f.ctx.Done():
		}
		life.Close()
		select {
		case <-ended:
		case <-time.After(stopPatience):
			// An error means that it has ended in this very moment.
			_ = cmd.Process.Kill()
		}
	})

	// The agent prints one line when it serves its jobs.
	lines := bufio.NewReader(stdout)
	if _, err := lines.ReadString('\n'); err == nil {
		f.report(Event{Kind: AgentStarted, Address: address, PID: pid})
		_, _ = io.Copy(io.Discard, lines) // until the process closes it, by ending
	}
	err = cmd.Wait()
	close(ended)
	stopper.Wait()
	life.Close()
	return pid, err
}
