package places_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/places"
)

type job struct {
	name   string
	called int
}

func (j *job) Name() string { return j.name }
func (j *job) PlaceIsFree() { j.called++ }

func unnoted() func() { return func() {} }

// A job that found no place is called once when one is free.
func TestReserveCallsOnce(t *testing.T) {
	t.Parallel()
	p, a, b := places.New(1), &job{name: "a"}, &job{name: "b"}
	if !p.Reserve(a) || p.Reserve(b) {
		t.Fatal("the only place was not a's")
	}
	if text := p.Full(b, []int{3}).Text; !strings.HasSuffix(text, ": a") {
		t.Errorf("obstacle of b: %q", text)
	}
	if named, own := p.Full(b, []int{3}).Shards, p.Full(a, []int{3}).Shards; named == own {
		t.Errorf("shards %q of b, %q of a, which has a place", named, own)
	}
	p.Leave(a)
	if a.called != 0 || b.called != 1 || !p.Reserve(b) {
		t.Fatalf("called a %d times and b %d times", a.called, b.called)
	}
	if p.Leave(b); b.called != 1 {
		t.Errorf("called b %d times", b.called)
	}
}

// Take waits in order of arrival, and gives up when its context ends.
func TestTakeWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p, a := places.New(1), &job{name: "a"}
		if !p.Take(t.Context(), a, unnoted) {
			t.Fatal("no place in an empty process")
		}
		waiting := 0
		ctx, cancel := context.WithCancel(t.Context())
		got := make(chan bool)
		go func() {
			got <- p.Take(ctx, a, func() func() { waiting++; return func() { waiting-- } })
		}()
		synctest.Wait()
		if waiting != 1 {
			t.Errorf("%d waits are noted", waiting)
		}
		cancel()
		if <-got || waiting != 0 {
			t.Errorf("after the end of its context a shard has a place, or waits: %d", waiting)
		}
		go func() { got <- p.Take(t.Context(), a, unnoted) }()
		synctest.Wait()
		if p.Leave(a); !<-got {
			t.Error("no place although one was given back")
		}
	})
}

// Without a limit nothing is counted.
func TestNoLimit(t *testing.T) {
	t.Parallel()
	p := places.New(0)
	if p != nil || !p.Reserve(&job{}) {
		t.Error("there is a limit")
	}
	p.Leave(&job{})
}
