// Package places limits how many handlers run at once in a process (Config.MaxParallel).
//
//	free ──Reserve, Take──▶ held ──Leave──▶ free, for the next shard that waits in Take
//
// # Guarantees
//
//   - Shards that wait for a place get one in the order in which they came.
//   - A job that found no place in Reserve is called once when one is free.
package places

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// Holder is a job with places.
type Holder interface {
	Name() string
	PlaceIsFree() // a place that Reserve didn't give is free now
}

// Places are the places of a process. A nil *Places means no limit.
type Places struct {
	taken chan struct{}

	mu      sync.Mutex
	holders map[Holder]int
	wants   map[Holder]bool
}

// New returns places for a limit, or nil if there is none.
func New(most int) *Places {
	if most <= 0 {
		return nil
	}
	return &Places{taken: make(chan struct{}, most), holders: make(map[Holder]int), wants: make(map[Holder]bool)}
}

// Reserve takes a place for a run before the run is claimed. If there is none, the job is called
// once there is one.
func (p *Places) Reserve(h Holder) bool {
	if p == nil {
		return true
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	select {
	case p.taken <- struct{}{}:
		p.holders[h]++
		return true
	default:
		p.wants[h] = true
		return false
	}
}

// Take waits for a place. It returns false if ctx ends first. It calls waits when it begins to
// wait, and over afterwards.
func (p *Places) Take(ctx context.Context, h Holder, waits func() (over func())) bool {
	select {
	case p.taken <- struct{}{}:
	default:
		defer waits()()
		select {
		case p.taken <- struct{}{}:
		case <-ctx.Done():
			return false
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.holders[h]++
	return true
}

func (p *Places) Leave(h Holder) {
	if p == nil {
		return
	}
	<-p.taken
	p.mu.Lock()
	if p.holders[h]--; p.holders[h] == 0 {
		delete(p.holders, h)
	}
	wants := p.wants
	p.wants = make(map[Holder]bool)
	p.mu.Unlock()
	for h := range wants {
		h.PlaceIsFree()
	}
}

// Full returns the obstacle of shards that wait for a place. If the job itself holds one, some of
// its shards run, and the obstacle doesn't name the others.
func (p *Places) Full(h Holder, shards []int) jobtree.Obstacle {
	p.mu.Lock()
	defer p.mu.Unlock()
	const most = 5
	var jobs []string
	for h := range p.holders {
		jobs = append(jobs, h.Name())
	}
	slices.Sort(jobs)
	if len(jobs) > most {
		jobs = append(jobs[:most], fmt.Sprintf("%d more jobs", len(jobs)-most))
	}
	obstacle := jobtree.NewObstacle(jobtree.ObstacleNoPlace,
		"a shard waits for a place: MaxParallel allows no more handlers in the process, where these jobs run: "+strings.Join(jobs, ", "))
	if p.holders[h] > 0 {
		return obstacle
	}
	return obstacle.For(shards)
}
