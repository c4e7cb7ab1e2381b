package kubetest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"
)

type process struct {
	name string
	log  string
	cmd  *exec.Cmd
	done chan struct{} // closed when it has ended
}

// run starts a server. It ends with this process, even if that crashes.
func run(name, file, dir string, args ...string) (*process, error) {
	p := &process{name: name, log: filepath.Join(dir, name+".log"), done: make(chan struct{})}
	log, err := os.OpenFile(p.log, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	p.cmd = exec.Command(file, args...)
	p.cmd.Dir, p.cmd.Stdout, p.cmd.Stderr, p.cmd.SysProcAttr = dir, log, log, attributes()
	started := make(chan error, 1)
	go func() {
		// It ends with the thread that started it, so that thread must stay.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer log.Close()
		err := p.cmd.Start()
		if started <- err; err == nil {
			_ = p.cmd.Wait() // Its log has the result.
			close(p.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, fmt.Errorf("start %s: %w", name, err)
	}
	return p, nil
}

func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.done:
	case <-time.After(10 * time.Second):
		p.kill()
	}
}

func (p *process) kill() {
	_ = p.cmd.Process.Kill()
	<-p.done
}

func (p *process) tail() string {
	text, err := os.ReadFile(p.log)
	if err != nil {
		return err.Error()
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// answerTimeout is the time limit for a server's answer.
const answerTimeout = 2 * time.Minute

// until repeats ready until it returns nil. It fails at once if the server has ended.
func (p *process) until(ctx context.Context, what string, ready func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, answerTimeout)
	defer cancel()
	for {
		try, end := context.WithTimeout(ctx, 5*time.Second)
		err := ready(try)
		if end(); err == nil {
			return nil
		}
		select {
		case <-p.done:
			return fmt.Errorf("%s ended while waiting for %s; its log:\n%s", p.name, what, p.tail())
		case <-ctx.Done():
			return fmt.Errorf("waited in vain for %s: %w; the log of %s:\n%s", what, err, p.name, p.tail())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
