package engine

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// places bound how many handlers run at once in a process. Those that wait for one get
// it in the order of their arrival. A nil places is no limit.
type places struct {
	taken chan struct{}

	mu      sync.Mutex
	holders map[*Job]int  // places that each job has
	wants   map[*Job]bool // jobs that look again for requested runs when a place is free
}

func newPlaces(most int) *places {
	if most <= 0 {
		return nil
	}
	return &places{taken: make(chan struct{}, most), holders: make(map[*Job]int), wants: make(map[*Job]bool)}
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
		p.holders[j]++
		return true
	default:
		p.wants[j] = true
		return false
	}
}

// held notes that a job has taken a place.
func (p *places) held(by *Job) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holders[by]++
}

// take waits for a place for a shard, and reports false if ctx ends before there is one.
func (p *places) take(ctx context.Context, j *Job, shard int) bool {
	select {
	case p.taken <- struct{}{}:
		p.held(j)
		return true
	default:
	}
	defer j.standInLine(shard)()
	select {
	case p.taken <- struct{}{}:
		p.held(j)
		return true
	case <-ctx.Done():
		return false
	}
}

func (p *places) leave(j *Job) {
	if p == nil {
		return
	}
	<-p.taken
	p.mu.Lock()
	if p.holders[j]--; p.holders[j] == 0 {
		delete(p.holders, j)
	}
	wants := p.wants
	p.wants = make(map[*Job]bool)
	p.mu.Unlock()
	for j := range wants {
		j.requested.kick()
	}
}

// takePlace waits for a place for the handler of a shard. The wait does not count for the time-out,
// which begins with the handler then. Without a place ctx has ended.
func (b *batch) takePlace(ctx context.Context, shard int) (_ context.Context, release func()) {
	p := b.job.env.places
	if p == nil {
		return ctx, func() {}
	}
	b.place.Leave() // The others don't wait for a batch that waits for MaxParallel.
	if b.hasPlace {
		b.hasPlace = false
	} else if !p.take(ctx, b.job, shard) {
		return ctx, func() {}
	}
	cancel := context.CancelFunc(func() {})
	if limit := b.timeout(); limit > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, limit, ErrTimeout)
	}
	return ctx, func() {
		cancel()
		p.leave(b.job)
	}
}

// full is the obstacle of shards that wait for a place. If the job itself has one, some of its
// shards run, and the obstacle doesn't name the others.
func (p *places) full(j *Job, shards []int) jobtree.Obstacle {
	p.mu.Lock()
	defer p.mu.Unlock()
	const most = 5
	var jobs []string
	for j := range p.holders {
		jobs = append(jobs, j.Name())
	}
	slices.Sort(jobs)
	if len(jobs) > most {
		jobs = append(jobs[:most], fmt.Sprintf("%d more jobs", len(jobs)-most))
	}
	obstacle := jobtree.NewObstacle(jobtree.ObstacleNoPlace,
		"a shard waits for a place: MaxParallel allows no more handlers in the process, where these jobs run: "+strings.Join(jobs, ", "))
	if p.holders[j] > 0 {
		return obstacle
	}
	return obstacle.For(shards)
}

// standInLine notes that shards wait for a place. The wait is an obstacle when it is long,
// until over is called.
func (j *Job) standInLine(shards ...int) (over func()) {
	return j.watchSlow(&slow{at: stagePlace, shards: shards, obstacle: func(shards []int) jobtree.Obstacle { return j.env.places.full(j, shards) }}, longPlace)
}
