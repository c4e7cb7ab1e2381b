package main

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// progressEvery is how often a progress line is written.
const progressEvery = 200 * time.Millisecond

// progress is a line on a terminal with how much of a long command is done. Elsewhere it's nothing.
type progress struct {
	w     io.Writer // nil without a terminal
	noun  string
	total int

	mu   sync.Mutex
	done int
	next time.Time // of the next line
}

func newProgress(w io.Writer, noun string, total int) *progress {
	p := &progress{noun: noun, total: total, next: time.Now().Add(progressEvery)}
	if fitsTerminal(w) {
		p.w = w
	}
	return p
}

// step reports that more is done.
func (p *progress) step(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.done += n
	if now := time.Now(); p.w != nil && !now.Before(p.next) {
		p.next = now.Add(progressEvery)
		fmt.Fprintf(p.w, "\r\x1b[K%d of %d %s", p.done, p.total, p.noun)
	}
}

// end removes the line.
func (p *progress) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.w != nil {
		fmt.Fprint(p.w, "\r\x1b[K")
	}
}
