//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/elasticjob-go/elasticjob/internal/cloud/daemon"
	"github.com/elasticjob-go/elasticjob/internal/cloud/event"
	"github.com/elasticjob-go/elasticjob/internal/cloud/task"
	"github.com/elasticjob-go/elasticjob/internal/mask"
)

// daemon starts the program at each fire time, until a signal asks for the end. An error says
// why no run could ever begin. Orphans that end between two runs are reaped with the next.
func (w *wrapper) daemon(args, env []string, t task.Task, signals <-chan os.Signal) (code int, err error) {
	if _, err := lookPath(args[0]); err != nil {
		return startCode(err), startError(args[0], err)
	}
	if _, err := t.ContextJSON(); err != nil {
		return task.ExitCode(err), err
	}
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	c := newConductor(signals, stop)
	defer c.end()
	err = daemon.Loop(ctx, daemon.Config{
		Task: t, Log: slog.New(mask.NewHandler(slog.NewTextHandler(io.MultiWriter(os.Stderr, w.tail), nil))),
		Work: func(_ context.Context, t task.Task) error {
			c.runs.Store(true)
			defer c.runs.Store(false)
			one := wrapper{tail: new(task.Tail)}
			code, err := one.shard(args, env, t, c.forward)
			if err != nil || code == 0 {
				return err
			}
			return failure(code, one.tail.String())
		},
	})
	if err != nil {
		return task.ExitCode(err), err
	}
	return 0, nil
}

// failure is the exit code with the last lines, of which the first give way.
func failure(code int, lines string) error {
	text := fmt.Sprintf("exit code %d", code)
	if lines == "" {
		return errors.New(text)
	}
	const missing = "…"
	text += ": "
	if over := len(text) + len(lines) - event.MaxCause; over > 0 {
		lines = missing + strings.ToValidUTF8(lines[over+len(missing):], "")
	}
	return errors.New(text + lines)
}

// conductor takes the signals of a process that starts one program after the other.
type conductor struct {
	// forward are those for the program. One that asks for the end waits in it if the program
	// is just about to start.
	forward chan os.Signal
	runs    atomic.Bool // a program
	ended   chan struct{}
	done    sync.WaitGroup
}

// newConductor calls stop for a signal that asks for the end.
func newConductor(signals <-chan os.Signal, stop func()) *conductor {
	c := &conductor{forward: make(chan os.Signal, cap(signals)+1), ended: make(chan struct{})}
	c.done.Go(func() {
		for {
			select {
			case s := <-signals:
				if s != syscall.SIGHUP {
					stop()
				} else if !c.runs.Load() {
					continue // It says nothing to us.
				}
				select {
				case c.forward <- s:
				default: // Many wait already.
				}
			case <-c.ended:
				return
			}
		}
	})
	return c
}

func (c *conductor) end() {
	close(c.ended)
	c.done.Wait()
}
