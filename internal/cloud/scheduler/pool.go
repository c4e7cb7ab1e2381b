package scheduler

import (
	"cmp"
	"container/heap"
	"time"
)

// pool limits the number of calls under way. The others wait, ordered by priority, job and number.
// Only the loop's goroutine uses it.
type pool struct {
	width, busy int
	timeout     time.Duration // of each call
	waiting     heapOf[request]
	count       int
}

// request is a call to make on its own goroutine.
type request struct {
	priority int
	name     string // of the job
	number   int
	do       func()
}

func (r request) before(o request) bool {
	return cmp.Or(o.priority-r.priority, cmp.Compare(r.name, o.name), r.number-o.number) < 0
}

func (p *pool) add(r request) {
	p.count++
	r.number = p.count
	heap.Push(&p.waiting, r)
}

func (p *pool) next() (request, bool) {
	if p.busy >= p.width || len(p.waiting) == 0 {
		return request{}, false
	}
	p.busy++
	return heap.Pop(&p.waiting).(request), true
}

// heapOf is a heap of items by their order.
type heapOf[T interface{ before(than T) bool }] []T

func (h heapOf[T]) Len() int           { return len(h) }
func (h heapOf[T]) Less(i, j int) bool { return h[i].before(h[j]) }
func (h heapOf[T]) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *heapOf[T]) Push(x any)        { *h = append(*h, x.(T)) }

func (h *heapOf[T]) Pop() any {
	at := len(*h) - 1
	last := (*h)[at]
	clear((*h)[at:])
	*h = (*h)[:at]
	return last
}
