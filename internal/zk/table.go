package zk

import (
	"bytes"
	"hash/maphash"
	"iter"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// watchTable is a compact set of watches: rows of kind, path and zero byte, in heaps by hash. The
// zero value is empty.
type watchTable struct {
	seed  maphash.Seed
	heaps [][]byte
	count int
}

// rowsPerHeap is the highest average number of rows per heap. A lookup scans its heap.
const rowsPerHeap = 16

// heapOf returns the heap for the hash of a path.
func (t *watchTable) heapOf(hash uint64) *[]byte { return &t.heaps[hash%uint64(len(t.heaps))] }

// add adds a watch. It skips a path with a zero byte, because no node has one and the watch would
// never fire.
func (t *watchTable) add(kind wire.WatchKind, path string) {
	if strings.IndexByte(path, 0) >= 0 {
		return
	}
	if t.count >= rowsPerHeap*len(t.heaps) {
		t.grow()
	}
	heap := t.heapOf(maphash.String(t.seed, path))
	if at, _ := find(*heap, kind, path); at < 0 {
		*heap = appendRow(*heap, kind, path)
		t.count++
	}
}

func (t *watchTable) remove(kind wire.WatchKind, path string) {
	if t.count == 0 {
		return
	}
	heap := t.heapOf(maphash.String(t.seed, path))
	if at, end := find(*heap, kind, path); at >= 0 {
		*heap = append((*heap)[:at], (*heap)[end:]...)
		t.count--
	}
}

func (t *watchTable) grow() {
	old := *t
	*t = watchTable{seed: maphash.MakeSeed(), heaps: make([][]byte, max(1, 2*len(old.heaps))), count: old.count}
	for kind, path := range old.all() {
		heap := t.heapOf(maphash.Bytes(t.seed, path))
		*heap = appendRow(*heap, kind, path)
	}
}

// all returns the watches in no particular order. The paths are the table's own bytes.
func (t *watchTable) all() iter.Seq2[wire.WatchKind, []byte] {
	return func(yield func(wire.WatchKind, []byte) bool) {
		for _, heap := range t.heaps {
			for len(heap) > 0 {
				kind, path, size := firstRow(heap)
				if !yield(kind, path) {
					return
				}
				heap = heap[size:]
			}
		}
	}
}

// find returns the start and end of a row in a heap; at is -1 if there is none.
func find(heap []byte, kind wire.WatchKind, path string) (at, end int) {
	for at < len(heap) {
		has, text, size := firstRow(heap[at:])
		if has == kind && string(text) == path {
			return at, at + size
		}
		at += size
	}
	return -1, -1
}

func appendRow[T string | []byte](heap []byte, kind wire.WatchKind, path T) []byte {
	return append(append(append(heap, byte(kind)), path...), 0)
}

func firstRow(heap []byte) (kind wire.WatchKind, path []byte, size int) {
	n := bytes.IndexByte(heap[1:], 0)
	return wire.WatchKind(heap[0]), heap[1 : 1+n], n + 2
}

// watchList packs watches into requests of at most [absentBytes].
type watchList struct {
	since  int64 // The server sends events for changes after this transaction.
	size   int
	next   wire.Request
	frames [][]byte
}

func (l *watchList) add(kind wire.WatchKind, path string) {
	if l.size+4+len(path) > absentBytes {
		l.cut()
	}
	l.next.Watches[kind] = append(l.next.Watches[kind], path)
	l.size += 4 + len(path)
}

func (l *watchList) cut() {
	if l.size > 0 {
		l.next.Header, l.next.Since = wire.Header{Xid: rewatchXid, Op: wire.OpSetWatches}, l.since
		l.frames = append(l.frames, l.next.Frame())
	}
	l.next, l.size = wire.Request{}, 0
}

// unknownFrames returns the requests that set the watches that the library doesn't know, as of a
// transaction.
func (c *Client) unknownFrames(since int64) [][]byte {
	list := watchList{since: since}
	c.many.mu.Lock()
	for kind, path := range c.many.set.all() {
		list.add(kind, string(path))
	}
	c.many.mu.Unlock()
	list.cut()
	c.absences.mu.Lock()
	for path := range c.absences.set {
		list.add(wire.WatchExist, c.full(path))
	}
	c.absences.mu.Unlock()
	list.cut()
	return list.frames
}
