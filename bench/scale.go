package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
)

const scaleJobs = 1000

// serveRegistry is the registry in a process of its own, so that its memory
// does not count.
func serveRegistry() error {
	server := zkfake.New(zkfake.Options{})
	addr, err := server.Listen("127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Println(addr)
	_, err = io.Copy(io.Discard, os.Stdin)
	return errors.Join(err, server.Close())
}

// startRegistry runs this program again as the registry.
func startRegistry(ctx context.Context) (addr string, stop func() error, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", nil, err
	}
	cmd := exec.CommandContext(ctx, self, "-registry")
	cmd.Stderr = os.Stderr
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	stdout, err := cmd.StdoutPipe()
	if err != nil {
		return "", nil, err
	}
	if err := cmd.Start(); err != nil {
		return "", nil, err
	}
	stop = func() error { return errors.Join(stdin.Close(), cmd.Wait()) }
	line, err := bufio.NewReader(stdout).ReadString('\n')
	if err != nil {
		return "", nil, errors.Join(fmt.Errorf("the registry did not say where it listens: %w", err), stop())
	}
	return strings.TrimSpace(line), stop, nil
}

// scale measures what a scheduled job costs an agent that has a thousand of
// them and nothing to do: the difference between one job and a thousand more.
func scale(ctx context.Context, _ string) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Minute)
	defer cancel()
	addr, stopRegistry, err := startRegistry(ctx)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, stopRegistry()) }()

	heap := [2]float64{}
	goroutines := [2]float64{}
	for i, n := range []int{1, 1 + scaleJobs} {
		if heap[i], goroutines[i], err = agentWith(ctx, addr, fmt.Sprintf("bench%d", n), n); err != nil {
			return nil, err
		}
	}
	how := fmt.Sprintf("an agent with %d scheduled jobs of one item against one with a single job, all registered and idle, the registry in another process", 1+scaleJobs)
	return []figure{
		{"heap-per-job-1k", (heap[1] - heap[0]) / scaleJobs / 1e3, "KB", 20, how},
		{"goroutines-per-job-1k", (goroutines[1] - goroutines[0]) / scaleJobs, "goroutines", 0, how},
	}, nil
}

// agentWith returns the live heap and the number of goroutines of this process
// while an agent serves n jobs that will not fire for a long time.
func agentWith(ctx context.Context, addr, namespace string, n int) (heap, goroutines float64, err error) {
	agent, err := coreagent.New(coreagent.Config{
		Namespace: namespace, ZooKeeper: coreagent.ZooKeeper{Servers: []string{addr}},
		Address: "127.0.0.11", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return 0, 0, err
	}
	for i := range n {
		agent.HandleFunc(coreagent.Job{Name: fmt.Sprintf("nightly-report-%04d", i), Cron: fmt.Sprintf("%d %d 3 1 1 ?", i%60, i/60), Shards: 1},
			func(context.Context, *coreagent.Shard) error { return nil })
	}
	if err := agent.Start(ctx); err != nil {
		return 0, 0, err
	}
	defer func() { err = errors.Join(err, agent.Stop(context.WithoutCancel(ctx))) }()

	// What registration started dies down within seconds; the lowest of a few
	// looks is the idle state.
	for range 10 {
		if err := pause(ctx, time.Second); err != nil {
			return 0, 0, err
		}
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if g := float64(runtime.NumGoroutine()); goroutines == 0 || g < goroutines {
			goroutines = g
		}
		if h := float64(m.HeapAlloc); heap == 0 || h < heap {
			heap = h
		}
	}
	runtime.KeepAlive(agent)
	return heap, goroutines, nil
}
