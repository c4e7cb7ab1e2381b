package scheduler

import (
	"container/heap"
	"time"
)

// lane lets so many calls be under way; the others wait by their rank. It belongs to the
// loop's goroutine.
type lane struct {
	width, busy int
	timeout     time.Duration // of each call
	waiting     callHeap
	count       uint64
}

// call is one call to make, on a goroutine of its own.
type call struct {
	priority int
	name     string // of the job
	number   uint64
	do       func()
}

type callHeap []call

func (h callHeap) Len() int { return len(h) }

func (h callHeap) Less(i, j int) bool {
	switch a, b := h[i], h[j]; {
	case a.priority != b.priority:
		return a.priority > b.priority
	case a.name != b.name:
		return a.name < b.name
	default:
		return a.number < b.number
	}
}

func (h callHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *callHeap) Push(x any)   { *h = append(*h, x.(call)) }

func (h *callHeap) Pop() any {
	last := (*h)[len(*h)-1]
	(*h)[len(*h)-1] = call{}
	*h = (*h)[:len(*h)-1]
	return last
}

func (l *lane) add(c call) {
	l.count++
	c.number = l.count
	heap.Push(&l.waiting, c)
}

// next returns a call that may begin.
func (l *lane) next() (call, bool) {
	if l.busy >= l.width || len(l.waiting) == 0 {
		return call{}, false
	}
	l.busy++
	return heap.Pop(&l.waiting).(call), true
}
