package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/sleep"
	"github.com/elasticjob-go/elasticjob/internal/zk"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

// bench is a group that is being measured, and the context that limits its time.
//
// An error ends the group: [check], [must] and [fail] panic with it, [attempt] recovers it, and
// deferred calls end the processes on the way. So a group's code shows only its steps.
type bench struct {
	context.Context
	options
	kind    kind
	parts   []string // to measure; all if empty
	figures []*figure
}

// failure is the panic of an error that ends a group.
type failure struct{ error }

func check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

func fail(format string, args ...any) { check(fmt.Errorf(format, args...)) }

func must[T any](value T, err error) T {
	check(err)
	return value
}

// attempt returns the error with which do failed.
func attempt(do func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case failure:
			err = r.error
		default:
			panic(r)
		}
	}()
	do()
	return nil
}

// closing ends a fixture, for defer. An error doesn't spoil the figures.
func closing(end func() error) {
	if err := end(); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
	}
}

// tempFolder makes a folder, and returns a function that removes it.
func tempFolder() (dir string, remove func() error) {
	dir = must(os.MkdirTemp("", "bench-"))
	return dir, func() error { return os.RemoveAll(dir) }
}

// together calls do for 0 to n-1, some at once, in this order.
func together(atOnce, n int, do func(i int)) {
	errs := make([]error, n)
	var workers errgroup.Group
	workers.SetLimit(atOnce)
	for i := range n {
		workers.Go(func() error {
			errs[i] = attempt(func() { do(i) })
			return nil
		})
	}
	_ = workers.Wait() // The errors are in the list.
	check(errors.Join(errs...))
}

// pause waits unless the group's time is over.
func (b *bench) pause(d time.Duration) {
	check(sleep.For(b, d))
}

func (b *bench) pauseUntil(at time.Time) { b.pause(time.Until(at)) }

var errTooLate = errors.New("not in time")

// poll calls done from time to time until it returns true.
func (b *bench) poll(what string, limit, every time.Duration, done func() bool) {
	for deadline := time.Now().Add(limit); !done(); b.pause(every) {
		if time.Now().After(deadline) {
			fail("%s: %w, within %v", what, errTooLate, limit)
		}
	}
}

// rounds is the number of times to measure something: few if Java is measured as well, because
// its rounds are long.
func (b *bench) rounds(many, few int) int {
	if b.withJava {
		return few
	}
	return many
}

// scene is a ZooKeeper with agents, and a client that watches it.
type scene struct {
	*bench
	*zktest.ZooKeeper
	client *zk.Client
	agents []*process

	mu    sync.Mutex
	waits map[string]chan time.Time
}

func (b *bench) newScene() *scene {
	dir, _ := tempFolder() // End removes it.
	server := must(zktest.Launch(dir, zktest.Options{Durable: true}))
	s := &scene{bench: b, ZooKeeper: server, waits: make(map[string]chan time.Time)}
	client, err := zk.Connect(b, zk.Config{Servers: []string{s.Addr()}, SessionTimeout: time.Minute, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		check(errors.Join(err, s.End()))
	}
	s.client = client
	client.Route("/", func(path string) {
		now := time.Now()
		s.mu.Lock()
		defer s.mu.Unlock()
		select {
		case s.waits[path] <- now: // A nil channel is never ready.
		default:
		}
	})
	return s
}

// end ends the agents and the server.
func (s *scene) end() {
	for _, p := range s.agents {
		p.kill()
	}
	closing(s.client.Close)
	closing(s.End)
}

func namespace(name string) jobtree.Namespace { return must(jobtree.NewNamespace(name)) }

// watch watches a node. The returned function waits until the node exists, or doesn't, and
// returns when this process learned it.
func (s *scene) watch(path string, exists bool) func() time.Time {
	events := make(chan time.Time, 1)
	s.mu.Lock()
	s.waits[path] = events
	s.mu.Unlock()
	_, is, err := s.client.ExistsWatch(s, path)
	check(err)
	return func() time.Time {
		at := time.Now()
		limit := time.After(tooLong)
		for is != exists {
			select {
			case at = <-events:
			case <-limit:
				fail("node %s: %w, within %v", path, errTooLate, tooLong)
			case <-s.Done():
				check(context.Cause(s))
			}
			_, is, err = s.client.ExistsWatch(s, path)
			check(err)
		}
		return at
	}
}

// requests returns the number of requests that the server has received.
func (s *scene) requests() float64 {
	_, rest, ok := strings.Cut(must(zktest.FourLetterWord(s.Addr(), "mntr")), "zk_packets_received\t")
	if !ok {
		fail("the answer to mntr has no zk_packets_received")
	}
	value, _, _ := strings.Cut(rest, "\n")
	return must(strconv.ParseFloat(strings.TrimSpace(value), 64))
}

// awaitQuiet waits for a second in which the server receives only pings, because agents are
// registered before they have set all their watches. It returns when that second began.
func (s *scene) awaitQuiet() time.Time {
	const pings = 5 // more than an idle agent and this question cause in a second
	for {
		from, before := time.Now(), s.requests()
		s.pause(time.Second)
		if s.requests()-before <= pings {
			return from
		}
	}
}
