package engine

import (
	"maps"
	"sync"
	"time"
)

// reshardTask is the one resharding a leader may have under way. It runs
// beside control, because it may wait long for items that run.
type reshardTask struct {
	mu      sync.Mutex
	running bool
	err     error                // why the last one could not be done, nil for what passes
	dealt   string               // topology of the last one of this term
	dealtAt time.Time            // when that was
	stale   map[string]time.Time // running marks of absent owners, and since when they are seen
	taken   map[int]string       // whose the shards were that the one under way has taken
}

func (t *reshardTask) stuck() error {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.err
}

func (t *reshardTask) lastDealt() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.dealt
}

// justDealt reports whether the last resharding ended a moment ago.
func (t *reshardTask) justDealt() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.dealtAt) < time.Second
}

func (t *reshardTask) forget() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.dealt, t.err, t.stale, t.taken = "", nil, nil, nil
}

// take notes whose the shards are that are about to be taken. An attempt that comes
// after it finds no owner any more.
func (t *reshardTask) take(p *plan) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.taken == nil {
		t.taken = make(map[int]string)
	}
	for _, n := range p.moved {
		if owner := p.owners[n]; owner != "" {
			t.taken[n] = owner
		}
	}
	p.before = maps.Clone(t.taken)
}
