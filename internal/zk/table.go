package zk

import (
	"encoding/binary"
	"hash/maphash"
	"iter"
)

// watchKind is what a watch is for.
type watchKind uint8

// The kinds, in the order of their lists in a setWatches request.
const (
	watchData  watchKind = iota // of a node that exists: changed, deleted
	watchExist                  // of one that does not: created
	watchChild                  // children come and go, deleted
	watchKinds
)

// watchTable is a set of watches in few bytes: rows of kind, length and path behind one
// another, in heaps by their hash. The zero value is empty.
type watchTable struct {
	seed  maphash.Seed
	heaps [][]byte
	count int
}

// rowsPerHeap is how many rows a heap has on average at most; they are looked through.
const rowsPerHeap = 16

// heapOf is where the watches of a path are, by its hash.
func (t *watchTable) heapOf(hash uint64) *[]byte { return &t.heaps[hash%uint64(len(t.heaps))] }

// add has the table contain a watch.
func (t *watchTable) add(kind watchKind, path string) {
	if t.count >= rowsPerHeap*len(t.heaps) {
		t.grow()
	}
	heap := t.heapOf(maphash.String(t.seed, path))
	if at, _ := find(*heap, kind, path); at < 0 {
		*heap = appendRow(*heap, kind, path)
		t.count++
	}
}

// remove has the table not contain a watch.
func (t *watchTable) remove(kind watchKind, path string) {
	if t.count == 0 {
		return
	}
	heap := t.heapOf(maphash.String(t.seed, path))
	if at, end := find(*heap, kind, path); at >= 0 {
		*heap = append((*heap)[:at], (*heap)[end:]...)
		t.count--
	}
}

// grow doubles the heaps.
func (t *watchTable) grow() {
	old := *t
	*t = watchTable{seed: maphash.MakeSeed(), heaps: make([][]byte, max(1, 2*len(old.heaps))), count: old.count}
	for kind, path := range old.all() {
		heap := t.heapOf(maphash.Bytes(t.seed, path))
		*heap = appendRow(*heap, kind, path)
	}
}

// all are the watches, in no particular order. The paths are the table's own bytes.
func (t *watchTable) all() iter.Seq2[watchKind, []byte] {
	return func(yield func(watchKind, []byte) bool) {
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

// find is where a row of a heap begins and ends; at is -1 if there is none.
func find(heap []byte, kind watchKind, path string) (at, end int) {
	for at < len(heap) {
		has, text, size := firstRow(heap[at:])
		if has == kind && string(text) == path {
			return at, at + size
		}
		at += size
	}
	return -1, -1
}

func appendRow[T string | []byte](heap []byte, kind watchKind, path T) []byte {
	return append(binary.AppendUvarint(append(heap, byte(kind)), uint64(len(path))), path...)
}

func firstRow(heap []byte) (kind watchKind, path []byte, size int) {
	length, n := binary.Uvarint(heap[1:])
	size = 1 + n + int(length)
	return watchKind(heap[0]), heap[1+n : size], size
}

// watchList gathers what a setWatches request asks for.
type watchList struct {
	count [watchKinds]uint32
	text  [watchKinds][]byte
	size  int
}

// addTo is a function since a method cannot have a type parameter.
func addTo[T string | []byte](l *watchList, kind watchKind, path T) {
	l.count[kind]++
	l.text[kind] = append(binary.BigEndian.AppendUint32(l.text[kind], uint32(len(path))), path...)
	l.size += 4 + len(path)
}

// frame is the request: whatever has changed since a transaction is announced.
func (l *watchList) frame(xid int32, since int64) []byte {
	b := make([]byte, 4, 4+4+4+8+int(watchKinds)*4+l.size)
	b = binary.BigEndian.AppendUint32(b, uint32(xid))
	b = binary.BigEndian.AppendUint32(b, opSetWatches)
	b = binary.BigEndian.AppendUint64(b, uint64(since))
	for kind := range watchKinds {
		b = append(binary.BigEndian.AppendUint32(b, l.count[kind]), l.text[kind]...)
	}
	binary.BigEndian.PutUint32(b, uint32(len(b)-4))
	return b
}

// watchFrames are requests for watches that may be more than one holds.
func watchFrames[T string | []byte](since int64, watches iter.Seq2[watchKind, T]) (frames [][]byte) {
	var list watchList
	for kind, path := range watches {
		if list.size > 0 && list.size+4+len(path) > absentBytes {
			frames = append(frames, list.frame(rewatchXid, since))
			list = watchList{}
		}
		addTo(&list, kind, path)
	}
	if list.size > 0 {
		frames = append(frames, list.frame(rewatchXid, since))
	}
	return frames
}
