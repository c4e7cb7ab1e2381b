package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// process is a child of the campaign. It leads its own process group, so that Ctrl-C only reaches
// the campaign, and it ends with the campaign.
type process struct {
	cmd    *exec.Cmd
	leash  io.WriteCloser // its end ends the process
	began  time.Time
	exited chan struct{}
	ended  time.Time // valid once exited is closed
	err    error
}

// start starts a program. Its output is appended to a log file. With reportPath, its standard
// output goes there instead.
func start(cmd *exec.Cmd, logPath, reportPath string) (*process, error) {
	log, err := appendTo(logPath)
	if err != nil {
		return nil, err
	}
	defer func() { _ = log.Close() }() // the child has its own
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

func (p *process) signal(s syscall.Signal) { _ = p.cmd.Process.Signal(s) } // it may have ended

// kill sends kill -9 to the process and everything that it started. It returns when the process has
// ended.
func (p *process) kill() {
	_ = syscall.Kill(-p.pid(), syscall.SIGKILL)
	<-p.exited
}

// terminate sends SIGTERM to the process, and kills it if it doesn't end in time.
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
