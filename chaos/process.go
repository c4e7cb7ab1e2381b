package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// process is a child of the campaign. It leads a process group of its own, so
// that Ctrl-C is the campaign's alone, and goes with the campaign.
type process struct {
	cmd    *exec.Cmd
	leash  io.WriteCloser // the end of it ends the process
	began  time.Time
	exited chan struct{}
	ended  time.Time // once exited is closed
	err    error
}

// start starts a program. What it says goes to the end of a file, or what it
// reports, standard output, to another.
func start(cmd *exec.Cmd, logPath, reportPath string) (*process, error) {
	log, err := appendTo(logPath)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // The child has its own.
	cmd.Stderr, cmd.Stdout = log, log
	if reportPath != "" {
		report, err := appendTo(reportPath)
		if err != nil {
			return nil, err
		}
		defer func() { _ = report.Close() }()
		cmd.Stdout = report
	}
	cmd.SysProcAttr = tied()
	p := &process{cmd: cmd, exited: make(chan struct{}), began: time.Now()}
	if p.leash, err = cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start %s: %w", cmd.Path, err)
	}
	go func() {
		p.err = cmd.Wait()
		p.ended = time.Now()
		close(p.exited)
	}()
	return p, nil
}

func appendTo(path string) (*os.File, error) {
	return os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

func (p *process) pid() int { return p.cmd.Process.Pid }

func (p *process) hasEnded() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) } // It may have ended.

// kill is kill -9, of all that the process started too; it returns when the
// process has ended.
func (p *process) kill() {
	_ = syscall.Kill(-p.pid(), syscall.SIGKILL)
	<-p.exited
}

// terminate asks the process to end, and kills it if it does not in time.
func (p *process) terminate(limit time.Duration) (inTime bool) {
	p.signal(syscall.SIGTERM)
	select {
	case <-p.exited:
		return true
	case <-time.After(limit):
		p.kill()
		return false
	}
}
