package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// places bound how many handlers run at once in a process. Those that wait for one get
// it in the order of their arrival. A nil places is no limit.
type places struct {
	taken chan struct{}

	mu    sync.Mutex
	wants map[*Job]bool // jobs that look again for requested runs when a place is free
}

func newPlaces(most int) *places {
	if most <= 0 {
		return nil
	}
	return &places{taken: make(chan struct{}, most), wants: make(map[*Job]bool)}
}

// reserve takes a place for a run before it is claimed, and leave gives it back. If there
// is none, the job is asked to look again when there is one.
func (p *places) reserve(j *Job) bool {
	if p == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.taken <- struct{}{}:
		return true
	default:
		p.wants[j] = true
		return false
	}
}

// take waits for a place, and reports false if ctx ends before there is one.
func (p *places) take(ctx context.Context, j *Job) bool {
	select {
	case p.taken <- struct{}{}:
		return true
	default:
	}
	defer j.standInLine(cap(p.taken))()
	select {
	case p.taken <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

func (p *places) leave() {
	if p == nil {
		return
	}
	<-p.taken
	p.mu.Lock()
	wants := p.wants
	p.wants = make(map[*Job]bool)
	p.mu.Unlock()
	for j := range wants {
		j.requested.kick()
	}
}

// takePlace waits for a place for a handler. The wait does not count for the time-out,
// which begins with the handler then. Without a place ctx has ended.
func (b *batch) takePlace(ctx context.Context) (_ context.Context, release func()) {
	p := b.job.env.places
	if p == nil {
		return ctx, func() {}
	}
	b.gate.Leave() // Others at the gate are not to wait for this one.
	if b.hasPlace {
		b.hasPlace = false
	} else if !p.take(ctx, b.job) {
		return ctx, func() {}
	}
	cancel := context.CancelFunc(func() {})
	if limit := b.timeout(); limit > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, ErrTimeout)
	}
	return ctx, func() {
		cancel()
		p.leave()
	}
}

// errNoPlace is the obstacle of a shard that waits for a place for long.
type errNoPlace struct{ most int }

func (e errNoPlace) Error() string {
	return fmt.Sprintf("a shard waits for a place: %d handlers run in the process, and MaxParallel allows no more", e.most)
}

// standInLine notes that a shard waits for a place. The wait is an obstacle when it is long,
// until over is called.
func (j *Job) standInLine(most int) (over func()) {
	var ended, long bool // Guarded by Job.mu.
	timer := time.AfterFunc(longPlace, func() {
		j.mu.Lock()
		if !ended {
			long = true
			j.obstacles.inLine++
			j.obstacles.set(stagePlace, obstacleOf(stagePlace, errNoPlace{most}))
		}
		j.mu.Unlock()
		j.kick()
	})
	return func() {
		timer.Stop()
		j.mu.Lock()
		ended = true
		last := false
		if long {
			j.obstacles.inLine--
			last = j.obstacles.inLine == 0 && j.obstacles.set(stagePlace, jobtree.Obstacle{})
		}
		j.mu.Unlock()
		if last {
			j.kick()
		}
	}
}
