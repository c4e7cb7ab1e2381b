package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"time"
)

// restart measures how soon everything runs again after an outage of ZooKeeper or of a process.
func restart(b *bench) {
	outages(b)
	freezes(b)
}

// outages stops the server and starts it again, many times, while an agent runs a hundred jobs.
func outages(b *bench) {
	const jobs = 100
	s := b.newScene()
	defer s.end()
	p := s.spawn(s.Addr(), 1, "restart", fmt.Sprintf("--jobs=%d", jobs), everySecond, "--failover=true", "--session-ms=4000")
	s.awaitReady(time.Minute)
	// back returns how many jobs start a body within 15 s, and the seconds until the last one.
	back := func(from time.Time) (n int, last float64) {
		first := make(map[int]time.Time)
		_ = attempt(func() { // Missing jobs are counted.
			b.poll("bodies of all jobs", 15*time.Second, 20*time.Millisecond, func() bool {
				for _, r := range slices.Backward(p.since(from, 'S')) {
					first[r.job] = r.at
				}
				return len(first) == jobs
			})
		})
		for _, at := range first {
			last = max(last, at.Sub(from).Seconds())
		}
		return len(first), last
	}
	back(time.Now())
	var missing, last []float64
	rounds := b.rounds(20, 4)
	for i := range rounds {
		// Most outages are short, so that the session survives; some last longer.
		away := time.Duration(i%4) * 200 * time.Millisecond
		if i%10 == 9 || b.kind == java || b.withJava && i == 1 {
			away = 6 * time.Second
		}
		p.forget()
		s.Stop()
		b.pause(away)
		check(s.Relaunch())
		n, seconds := back(time.Now())
		missing, last = append(missing, float64(jobs-n)), append(last, seconds)
	}
	how := fmt.Sprintf("one agent, %d one-second jobs of one shard; the server is stopped, %d times, for up to 6 s (Java noted: 10 s), and started again with its data; ", jobs, rounds)
	b.worst("restart-jobs-not-back", "", 0, how+"within 15 s", missing...)
	b.worst("restart-last-job-back", "s", 1.2, how+"from the server's first answer to the first body of the last job", last...).noted = 2.4
}

const (
	freezeBody = 300 * time.Millisecond
	freezeTime = 2*sessionTime + time.Second/2 // Its session has certainly expired.
	settleTime = 4 * time.Second
)

// frozen is the result of freezing an agent once.
type frozen struct {
	cancelled []float64 // milliseconds from the resumption, of each handler that was running
	first     float64   // seconds from the resumption to the first start of a handler; 0 if none
	overlaps  int       // runs of one shard on both agents at once that started after the freeze
	crossing  int       // the same, but one of the two was running when it was frozen
}

// freezes stops one of two agents in the middle of its work until its session has ended. Several
// pairs do so at the same time.
func freezes(b *bench) {
	const items = 4
	s := b.newScene()
	defer s.end()
	pairs := make([][2]*process, 5)
	for i := range pairs {
		for n := range pairs[i] {
			pairs[i][n] = s.spawn(s.Addr(), n+1, fmt.Sprintf("freeze-%d", i), fmt.Sprintf("--shards=%d", items), "--failover=true", everySecond,
				fmt.Sprintf("--body-ms=%d", freezeBody.Milliseconds()), shortSession)
		}
	}
	s.awaitReady(time.Minute)
	b.pause(3 * time.Second)
	rounds := b.rounds(4, 2)
	tries := make([]frozen, rounds*len(pairs))
	for i := range rounds {
		together(len(pairs), len(pairs), func(n int) {
			tries[i*len(pairs)+n] = freeze(b, pairs[n][i%2], pairs[n][1-i%2], n%2 == 0)
		})
	}
	var cancelled, first []float64
	missing, overlaps, crossing := 0, 0, 0
	for _, f := range tries {
		cancelled = append(cancelled, f.cancelled...)
		overlaps, crossing = overlaps+f.overlaps, crossing+f.crossing
		if f.first == 0 {
			missing++
		} else {
			first = append(first, f.first)
		}
	}
	how := fmt.Sprintf("two agents, one job of %d shards each second with bodies of %v; one agent is stopped (SIGSTOP) for %v and goes on, %d times; ", items, freezeBody, freezeTime, len(tries))
	b.atMost("thaw-not-back", "", 0, how+fmt.Sprintf("tries without a body within %v", settleTime), float64(missing))
	b.worst("thaw-first-body", "s", 1.2, how+"until its first body", first...).noted = 3.69
	b.worst("thaw-cancelled", "ms", 50, how+"from the resumption until each running handler was cancelled (Java never cancels: until it ended)", cancelled...)
	b.atMost("thaw-overlaps", "", 0, how+fmt.Sprintf("runs of one shard on both agents at once that started after the freeze (%d more with a frozen body)", crossing), float64(overlaps))
}

func freeze(b *bench, victim, other *process, inBody bool) (f frozen) {
	victim.forget()
	other.forget()
	at := time.Now().Truncate(time.Second).Add(time.Second)
	if inBody {
		at = at.Add(freezeBody/3 + rand.N(freezeBody/3))
	} else {
		at = at.Add(rand.N(time.Second))
	}
	b.pauseUntil(at)
	check(victim.cmd.Process.Signal(syscall.SIGSTOP))
	froze := time.Now()
	b.pause(freezeTime)
	thawed := time.Now()
	check(victim.cmd.Process.Signal(syscall.SIGCONT))
	b.pause(settleTime)
	theirs := other.executions()
	for _, r := range victim.executions() {
		if r.start.After(thawed) && (f.first == 0 || r.start.Sub(thawed).Seconds() < f.first) {
			f.first = r.start.Sub(thawed).Seconds()
		}
		running := r.start.Before(froze) && r.end.After(thawed)
		if running {
			ended := r.cancel
			if ended.IsZero() { // It wasn't cancelled and worked on to its end.
				ended = r.end
			}
			f.cancelled = append(f.cancelled, millis(ended.Sub(thawed)))
		}
		for _, t := range theirs {
			switch {
			case r.item != t.item || !r.start.Before(t.end) || !t.start.Before(r.end):
			case running:
				f.crossing++
			default:
				f.overlaps++
			}
		}
	}
	return f
}

// execution is one execution of a shard.
type execution struct {
	item               int
	start, end, cancel time.Time
}

// executions combines the reports of a process. An execution without an end hasn't ended yet.
func (p *process) executions() (list []execution) {
	p.mu.Lock()
	defer p.mu.Unlock()
	running := make(map[int]int) // index in list, by shard
	for _, r := range p.reports {
		i, ok := running[r.item]
		switch {
		case r.what == 'S':
			running[r.item] = len(list)
			list = append(list, execution{item: r.item, start: r.at, end: time.Now()})
		case ok && r.what == 'C':
			list[i].cancel = r.at
		case ok && r.what == 'E':
			list[i].end = r.at
			delete(running, r.item)
		}
	}
	return list
}
