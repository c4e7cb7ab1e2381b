package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

const (
	freezePairs = 5
	freezeItems = 4
	freezeBody  = 300 * time.Millisecond
	freezeTime  = 2*sessionTime + time.Second/2 // its session has certainly expired
	settleTime  = 4 * time.Second               // for everything to be as before
)

// frozen is one try: an agent was stopped and went on.
type frozen struct {
	inFlight  int // bodies that were running
	cancelled []float64
	first     float64 // seconds from the resumption to the first start of a handler; 0 if there was none
	overlaps  int     // pairs of runs of one shard on both agents, both started after the freeze
	crossing  int     // such pairs of which one was running when it was frozen
}

// freezes stops one of two agents in the middle of whatever it does until its
// session has ended, and looks at what both did. Several pairs go on side by side.
func freezes(ctx context.Context, b *bench, k kind) (_ []figure, err error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
	defer cancel()
	server, err := startRegistry()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, server.end()) }()
	all := &fleet{b: b}
	defer all.end()
	pairs := make([][2]*process, freezePairs)
	for i := range pairs {
		namespace, err := jobtree.NewNamespace(fmt.Sprintf("freeze-%d", i))
		if err != nil {
			return nil, err
		}
		for n := range pairs[i] {
			if pairs[i][n], err = all.spawn(k, fmt.Sprintf("127.0.1.%d", n+1), "--zookeeper="+server.Addr(), "--namespace="+namespace.String(),
				fmt.Sprintf("--shards=%d", freezeItems), "--failover=true", "--cron=* * * * * ?",
				fmt.Sprintf("--body-ms=%d", freezeBody.Milliseconds()), fmt.Sprintf("--session-ms=%d", sessionTime.Milliseconds())); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range all.processes {
		if _, err := p.awaitReady(ctx, time.Minute); err != nil {
			return nil, err
		}
	}
	if err := pause(ctx, 3*time.Second); err != nil {
		return nil, err
	}
	var tries []frozen
	for i := range b.rounds(k, 4, 2) {
		results := make([]frozen, len(pairs))
		err := together(len(pairs), func(n int) error {
			pair := pairs[n]
			if i%2 == 1 {
				pair[0], pair[1] = pair[1], pair[0]
			}
			var err error
			results[n], err = freezeOne(ctx, pair, n)
			return err
		})
		if err != nil {
			return nil, err
		}
		tries = append(tries, results...)
	}
	return freezeFigures(tries), nil
}

func freezeOne(ctx context.Context, pair [2]*process, n int) (f frozen, err error) {
	victim, other := pair[0], pair[1]
	victim.forget()
	other.forget()
	// Every other pair in the middle of a body, the others at any moment.
	at := time.Now().Truncate(time.Second).Add(time.Second)
	if n%2 == 0 {
		at = at.Add(freezeBody/3 + rand.N(freezeBody/3))
	} else {
		at = at.Add(rand.N(time.Second))
	}
	if err := pauseUntil(ctx, at); err != nil {
		return f, err
	}
	if err := victim.signalProcess(syscall.SIGSTOP); err != nil {
		return f, err
	}
	froze := time.Now()
	if err := pause(ctx, freezeTime); err != nil {
		return f, err
	}
	thawed := time.Now()
	if err := victim.signalProcess(syscall.SIGCONT); err != nil {
		return f, err
	}
	if err := pause(ctx, settleTime); err != nil {
		return f, err
	}
	mine, theirs := runsOf(victim), runsOf(other)
	for _, r := range mine {
		if r.start.After(thawed) && (f.first == 0 || r.start.Sub(thawed).Seconds() < f.first) {
			f.first = r.start.Sub(thawed).Seconds()
		}
		running := r.start.Before(froze) && r.end.After(thawed)
		if running {
			f.inFlight++
			switch {
			case !r.cancel.IsZero():
				f.cancelled = append(f.cancelled, float64(r.cancel.Sub(thawed).Microseconds())/1e3)
			default: // It was never cancelled and worked on to its end.
				f.cancelled = append(f.cancelled, float64(r.end.Sub(thawed).Microseconds())/1e3)
			}
		}
		for _, s := range theirs {
			if r.item == s.item && r.start.Before(s.end) && s.start.Before(r.end) {
				if running {
					f.crossing++
				} else {
					f.overlaps++
				}
			}
		}
	}
	return f, nil
}

// ran is one run of a shard.
type ran struct {
	item               int
	start, end, cancel time.Time
}

// runsOf puts the reports of a process together. A run without an end has not
// ended yet.
func runsOf(p *process) []ran {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []ran
	open := func(item int) *ran {
		for i := range slices.Backward(list) {
			if list[i].item == item && list[i].end.IsZero() {
				return &list[i]
			}
		}
		return &ran{}
	}
	for _, s := range p.stamps {
		switch s.what {
		case 'S':
			list = append(list, ran{item: s.item, start: s.at})
		case 'C':
			open(s.item).cancel = s.at
		case 'E':
			open(s.item).end = s.at
		}
	}
	for i := range list {
		if list[i].end.IsZero() {
			list[i].end = time.Now()
		}
	}
	return list
}

func freezeFigures(tries []frozen) []figure {
	inFlight, overlaps, crossing := 0, 0.0, 0
	var cancelled, first []float64
	missing := 0.0
	for _, f := range tries {
		inFlight += f.inFlight
		crossing += f.crossing
		overlaps += float64(f.overlaps)
		cancelled = append(cancelled, f.cancelled...)
		if f.first == 0 {
			missing++
			continue
		}
		first = append(first, f.first)
	}
	how := fmt.Sprintf("two agents, one job of %d shards each second with bodies of %v; one agent is stopped (SIGSTOP) for %v and goes on, %d times", freezeItems, freezeBody, freezeTime, len(tries))
	return []figure{
		{name: "thaw-not-back", values: []float64{missing}, target: 0, how: how + fmt.Sprintf("; tries without a body within %v", settleTime)},
		{name: "thaw-first-body", unit: "s", values: first, target: 1.2, worst: true, java: 3.69, how: how},
		{name: "thaw-cancelled", unit: "ms", values: cancelled, target: 50, worst: true, how: how + fmt.Sprintf("; from the resumption until each of %d handlers in flight was cancelled (Java never cancels: until it ended)", inFlight)},
		{name: "thaw-overlaps", values: []float64{overlaps}, target: 0, how: how + fmt.Sprintf("; runs of one shard on both agents at once that started after the freeze (%d more with a body that was frozen)", crossing)},
	}
}
