// Package places bounds how many handlers run at once in a process (Config.MaxParallel).
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

// Holder is a job, which has places.
type Holder interface {
	Name() string
	PlaceIsFree() // a place that Reserve has not given is free
}

// Places are the places of a process. A nil *Places is no limit.
type Places struct {
	taken chan struct{}

	mu      sync.Mutex
	holders map[Holder]int
	wants   map[Holder]bool
}

// New returns as many places as most, nil if that's no limit.
func New(most int) *Places {
	if most <= 0 {
		return nil
	}
	return &Places{taken: make(chan struct{}, most), holders: make(map[Holder]int), wants: make(map[Holder]bool)}
}

// Reserve takes a place for a run before the run is claimed. If there is none, the job is asked
// to look again when there is one.
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

// Take waits for a place, and reports false if ctx ends before there is one. A wait is noted by
// waits, until over is called.
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

// Leave gives a place back.
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

// Full is the obstacle of shards that wait for a place. If the job itself has one, some of its
// shards run, and the obstacle doesn't name the others.
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
