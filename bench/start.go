package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

const (
	startRounds = 5
	// idleFor is how long the console is left alone before its memory is read.
	idleFor = 10 * time.Second
)

// start measures the binary: how soon its demo shows a page, how large it is,
// and what the console holds in memory when nothing happens.
func start(ctx context.Context, b *bench, _ kind) ([]figure, error) {
	console := b.console
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	var seconds []float64
	for range startRounds {
		took, err := firstPage(ctx, console)
		if err != nil {
			return nil, fmt.Errorf("first page: %w", err)
		}
		seconds = append(seconds, took.Seconds())
	}
	info, err := os.Stat(console)
	if err != nil {
		return nil, err
	}
	resident, err := idleMemory(ctx, console)
	if err != nil {
		return nil, fmt.Errorf("idle memory: %w", err)
	}
	return []figure{
		{name: "first-page", unit: "s", values: seconds, target: 3, how: "from starting `console demo` with an empty data folder to the first 200 of /login"},
		{name: "binary-size", unit: "MB", values: []float64{float64(info.Size()) / 1e6}, target: 62, how: "`make build`; the goal of ElasticJob-Cloud, 40 without its client of Kubernetes"},
		{name: "console-rss-idle", unit: "MB", values: []float64{resident / 1e6}, target: 60, how: fmt.Sprintf("resident memory of `console serve` with an empty registry and SQLite, %v after its first page", idleFor)},
	}, nil
}

// child is a process of the console.
type child struct {
	cmd  *exec.Cmd
	site string
	data string
}

// launch starts the console on a free port with a data folder of its own.
func launch(ctx context.Context, console string, args ...string) (*child, error) {
	free, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	listen := free.Addr().String()
	if err := free.Close(); err != nil {
		return nil, err
	}
	data, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return nil, err
	}
	cmd := exec.CommandContext(ctx, console, append(args, "--listen="+listen, "--data="+data, "--log-level=error")...)
	cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
	cmd.WaitDelay = 30 * time.Second
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(fmt.Errorf("%w; run make build first", err), os.RemoveAll(data))
	}
	return &child{cmd, "http://" + listen, data}, nil
}

// end stops the console as Ctrl-C does.
func (c *child) end() error {
	return errors.Join(c.cmd.Cancel(), c.cmd.Wait(), os.RemoveAll(c.data))
}

// page waits for the first answer of the login page.
func (c *child) page(ctx context.Context) error {
	for {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.site+"/login", nil)
		if err != nil {
			return err
		}
		if resp, err := http.DefaultClient.Do(req); err == nil {
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return nil
			}
		}
		if err := pause(ctx, 5*time.Millisecond); err != nil {
			return err
		}
	}
}

func firstPage(ctx context.Context, console string) (took time.Duration, err error) {
	began := time.Now()
	c, err := launch(ctx, console, "demo")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	if err := c.page(ctx); err != nil {
		return 0, err
	}
	return time.Since(began), nil
}

func idleMemory(ctx context.Context, console string) (bytes float64, err error) {
	server := zkfake.New(zkfake.Options{})
	defer func() { err = errors.Join(err, server.Close()) }()
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	c, err := launch(ctx, console, "serve", "--zookeeper="+addr.String(), "--namespace=bench")
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, c.end()) }()
	if err := c.page(ctx); err != nil {
		return 0, err
	}
	if err := pause(ctx, idleFor); err != nil {
		return 0, err
	}
	return residentMemory(ctx, c.cmd.Process.Pid)
}

// residentMemory asks ps, which every Unix has in this form, or Linux itself.
func residentMemory(ctx context.Context, pid int) (bytes float64, err error) {
	var field string
	if status, readErr := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid)); readErr == nil {
		_, rest, _ := strings.Cut(string(status), "VmRSS:")
		field, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
	} else {
		out, psErr := exec.CommandContext(ctx, "ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
		if psErr != nil {
			return 0, fmt.Errorf("ps: %w", psErr)
		}
		field = strings.TrimSpace(string(out))
	}
	kib, err := strconv.ParseFloat(field, 64)
	return kib * 1024, err
}
