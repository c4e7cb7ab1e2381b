package events

import (
	"slices"
	"sync"
)

// Kind is a kind of change; a set of them is their sum.
type Kind uint8

// The kinds of changes.
const (
	// Jobs: what the registry says of a job, or of which there are.
	Jobs Kind = 1 << iota
	// Runs: what ran, or what that says of how a job is.
	Runs
	// Connection: that with the registry broke, or is there again.
	Connection
)

// Change is something that changed.
type Change struct {
	Kind Kind
	// Job is the job that it is about; empty for all of them.
	Job string
}

// Topic is a region of a page and the changes that it may show.
type Topic struct {
	Region string
	On     Kind
	// Job: only those of this job; empty for every job's.
	Job string
}

func (t Topic) concerns(c Change) bool {
	return t.On&c.Kind != 0 && (t.Job == "" || c.Job == "" || t.Job == c.Job)
}

// Box gathers the regions of one page that changed. It is safe for concurrent use.
type Box struct {
	topics []Topic
	wake   chan struct{}

	mu      sync.Mutex
	changed map[string]bool
}

// NewBox returns an empty box of a page with these topics.
func NewBox(topics []Topic) *Box {
	return &Box{topics: topics, wake: make(chan struct{}, 1), changed: make(map[string]bool)}
}

// Note notes a change. It does not wait.
func (b *Box) Note(c Change) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, t := range b.topics {
		if !t.concerns(c) {
			continue
		}
		b.changed[t.Region] = true
		select {
		case b.wake <- struct{}{}:
		default:
		}
	}
}

// Wake has a value when something was noted since the last Take.
func (b *Box) Wake() <-chan struct{} { return b.wake }

// Take empties the box: the regions that changed, by name.
func (b *Box) Take() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case <-b.wake:
	default:
	}
	list := make([]string, 0, len(b.changed))
	for region := range b.changed {
		list = append(list, region)
	}
	slices.Sort(list)
	clear(b.changed)
	return list
}
