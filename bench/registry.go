package main

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// registry is a real ZooKeeper server in a process of its own.
type registry struct {
	*zktest.ZooKeeper
	dir string
}

func startRegistry() (*registry, error) {
	dir, err := os.MkdirTemp("", "bench-zookeeper-")
	if err != nil {
		return nil, err
	}
	server, err := zktest.Launch(dir, zktest.Options{Durable: true})
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	return &registry{server, dir}, nil
}

func (r *registry) end() error {
	r.Kill()
	return os.RemoveAll(r.dir)
}

// watcher notes when nodes come and go. Its own session outlives the
// measurement.
type watcher struct {
	client *zk.Client

	mu    sync.Mutex
	waits map[string]chan time.Time
}

func newWatcher(ctx context.Context, addr string) (*watcher, error) {
	client, err := zk.Connect(ctx, zk.Config{Servers: []string{addr}, SessionTimeout: time.Minute})
	if err != nil {
		return nil, err
	}
	w := &watcher{client: client, waits: make(map[string]chan time.Time)}
	client.Route("/", w.onEvent)
	return w, nil
}

func (w *watcher) close() error { return w.client.Close() }

func (w *watcher) onEvent(path string) {
	now := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	if wait, ok := w.waits[path]; ok {
		select {
		case wait <- now:
		default:
		}
	}
}

// next watches a node from now on; the function waits for its next event and
// returns when that reached this process, and at once, with the present, if the
// node is already as wanted.
func (w *watcher) next(ctx context.Context, path string, exists bool) (func(context.Context) (time.Time, error), error) {
	events := make(chan time.Time, 1)
	w.mu.Lock()
	w.waits[path] = events
	w.mu.Unlock()
	_, is, err := w.client.ExistsWatch(ctx, path)
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context) (time.Time, error) {
		at := time.Now()
		for is != exists {
			select {
			case at = <-events:
			case <-ctx.Done():
				return at, context.Cause(ctx)
			}
			if _, is, err = w.client.ExistsWatch(ctx, path); err != nil {
				return at, err
			}
		}
		return at, nil
	}, nil
}

// killed kills an agent and returns when its session ended, as the watcher sees
// it.
func (w *watcher) killed(ctx context.Context, job jobtree.Job, victim *process) (time.Time, error) {
	node, err := instanceNode(ctx, w, job, victim)
	if err != nil {
		return time.Time{}, err
	}
	expired, err := w.next(ctx, node, false)
	if err != nil {
		return time.Time{}, err
	}
	victim.kill()
	return expired(ctx)
}

// scene is what rounds take place in: a server, a watcher and agents.
type scene struct {
	server *registry
	w      *watcher
	fleet  *fleet
}

func (b *bench) newScene(ctx context.Context) (*scene, error) {
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	w, err := newWatcher(ctx, server.Addr())
	if err != nil {
		return nil, errors.Join(err, server.end())
	}
	return &scene{server, w, &fleet{b: b}}, nil
}

func (s *scene) end() error {
	s.fleet.end()
	return errors.Join(s.w.close(), s.server.end())
}

// pause waits unless ctx ends.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// pauseUntil waits for a wall-clock moment.
func pauseUntil(ctx context.Context, at time.Time) error { return pause(ctx, time.Until(at)) }

// packets is how many requests a server has received, from its own counter.
func packets(addr string) (float64, error) {
	text, err := zktest.FourLetterWord(addr, "mntr")
	if err != nil {
		return 0, err
	}
	for line := range strings.SplitSeq(text, "\n") {
		if value, ok := strings.CutPrefix(line, "zk_packets_received\t"); ok {
			return strconv.ParseFloat(strings.TrimSpace(value), 64)
		}
	}
	return 0, errors.New("mntr does not tell the packets received")
}
