package scenario_test

import (
	"cmp"
	"encoding/binary"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"
)

// wire listens to what the agents of a fixture say to the server, and keeps the
// changes that the server confirmed, in the order in which it made them. Both
// servers number their transactions, so the order holds across agents.
type wire struct {
	mu   sync.Mutex
	list []change
	open map[chan struct{}]bool // requests without an answer; closed when it came or never will
}

// change is one transaction of an agent.
type change struct {
	zxid  int64
	agent string
	ops   []string // "+ path", "~ path" (data) and "- path"; "+e path" for ephemeral nodes
	acls  []string // of the nodes created, "scheme:id:permissions"

	answered chan struct{}
}

func (w *wire) note(c change) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = append(w.list, c)
}

func (w *wire) asked(answered chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.open == nil {
		w.open = make(map[chan struct{}]bool)
	}
	w.open[answered] = true
}

func (w *wire) settled(answered chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.open, answered)
	close(answered)
}

// all returns the changes by now. Who sees in the tree what a request did may be
// faster than the agent that hears the answer, so those under way are waited
// for, unless they take long on purpose.
func (w *wire) all() []change {
	w.mu.Lock()
	open := slices.Collect(maps.Keys(w.open))
	w.mu.Unlock()
	enough := make(chan struct{})
	timer := time.AfterFunc(10*time.Second, func() { close(enough) })
	defer timer.Stop()
	for _, answered := range open {
		select {
		case <-answered:
		case <-enough:
		}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	list := slices.Clone(w.list)
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(a.zxid, b.zxid) })
	return list
}

// forget starts a new list.
func (w *wire) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = nil
}

// changes lists the transactions below a job, each in one line, with paths
// relative to the job. What is ours alone, below extension, is left out, and
// so are paths for which a drop returns true.
func (b *fixture) changes(job string, drops ...func(path string) bool) []string {
	root := b.tree.Job(job).Root()
	extension := strings.TrimPrefix(b.tree.Job(job).Extension(), root+"/")
	var lines []string
	for _, c := range b.wire.all() {
		var ops []string
		for _, op := range c.ops {
			sign, path, _ := strings.Cut(op, " ")
			if path == root {
				path = "/"
			} else if rest, ok := strings.CutPrefix(path, root+"/"); ok {
				path = rest
			} else {
				continue
			}
			if path == extension || strings.HasPrefix(path, extension+"/") || slices.ContainsFunc(drops, func(drop func(string) bool) bool { return drop(path) }) {
				continue
			}
			if strings.Contains(path, "latch/_c_") {
				path, _, _ = strings.Cut(path, "/_c_")
				path += "/*"
			}
			ops = append(ops, sign+" "+path)
		}
		if len(ops) > 0 {
			lines = append(lines, strings.Join(ops, ", "))
		}
	}
	return lines
}

// tap is a connection that an agent's wire listens to.
type tap struct {
	net.Conn
	wire  *wire
	agent string

	mu       sync.Mutex
	pending  map[int32]change
	out, in  frames
	multi    map[int32]bool
	greeting [2]bool // the connect request and its answer have passed
}

func (w *wire) tap(agent string, c net.Conn) net.Conn {
	return &tap{Conn: c, wire: w, agent: agent, pending: make(map[int32]change), multi: make(map[int32]bool)}
}

func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	for _, frame := range t.out.feed(p) {
		if !t.greeting[0] {
			t.greeting[0] = true
			continue
		}
		t.request(reader(frame))
	}
	t.mu.Unlock()
	return t.Conn.Write(p)
}

func (t *tap) Read(p []byte) (int, error) {
	n, err := t.Conn.Read(p)
	t.mu.Lock()
	defer t.mu.Unlock()
	defer func() {
		if err != nil {
			t.giveUp()
		}
	}()
	for _, frame := range t.in.feed(p[:n]) {
		if !t.greeting[1] {
			t.greeting[1] = true
			continue
		}
		r := reader(frame)
		xid, zxid, code := r.int32(), r.int64(), r.int32()
		c, known := t.pending[xid]
		if !known {
			continue
		}
		delete(t.pending, xid)
		refused := t.multi[xid] && r.int32() == opError
		delete(t.multi, xid)
		if code == 0 && !refused {
			c.zxid, c.agent = zxid, t.agent
			t.wire.note(c)
		}
		t.wire.settled(c.answered)
	}
	return n, err
}

// Close gives up what has no answer.
func (t *tap) Close() error {
	t.mu.Lock()
	t.giveUp()
	t.mu.Unlock()
	return t.Conn.Close()
}

// giveUp is called with mu held.
func (t *tap) giveUp() {
	for xid, c := range t.pending {
		delete(t.pending, xid)
		t.wire.settled(c.answered)
	}
}

// The requests that change something.
const (
	opCreate, opDelete, opSet, opMulti       = 1, 2, 5, 14
	opCheck, opCreate2, opContainer, opClose = 13, 15, 19, -11
	opError                                  = -1
)

func (t *tap) request(r reader) {
	xid, op := r.int32(), r.int32()
	var c change
	switch op {
	case opMulti:
		t.multi[xid] = true
		for {
			op, done := r.int32(), r.bool()
			r.int32()
			if done {
				break
			}
			c.add(op, &r)
		}
	default:
		c.add(op, &r)
	}
	if len(c.ops) > 0 {
		c.answered = make(chan struct{})
		t.wire.asked(c.answered)
		t.pending[xid] = c
	}
}

func (c *change) add(op int32, r *reader) {
	switch op {
	case opCreate, opCreate2, opContainer:
		path := r.text()
		r.text()
		for range r.int32() {
			permissions, scheme, id := r.int32(), r.text(), r.text()
			c.acls = append(c.acls, scheme+":"+id+":"+permissionText(permissions))
		}
		sign := "+"
		if flags := r.int32(); op != opContainer && flags&1 != 0 {
			sign = "+e"
		}
		c.ops = append(c.ops, sign+" "+path)
	case opDelete:
		path := r.text()
		r.int32()
		c.ops = append(c.ops, "- "+path)
	case opSet:
		path := r.text()
		r.text()
		r.int32()
		c.ops = append(c.ops, "~ "+path)
	case opCheck:
		r.text()
		r.int32()
	case opClose:
		c.ops = append(c.ops, "close session")
	}
}

func permissionText(p int32) string {
	text := ""
	for i, letter := range "rwcda" {
		if p&(1<<i) != 0 {
			text += string(letter)
		}
	}
	return text
}

// frames cuts a stream into what its length prefixes say.
type frames []byte

func (f *frames) feed(p []byte) [][]byte {
	*f = append(*f, p...)
	var list [][]byte
	for len(*f) >= 4 {
		n := int(binary.BigEndian.Uint32(*f))
		if len(*f) < 4+n {
			break
		}
		list = append(list, slices.Clone((*f)[4:4+n]))
		*f = (*f)[4+n:]
	}
	return list
}

// reader takes one frame apart; what is missing reads as zero.
type reader []byte

func (r *reader) take(n int) []byte {
	if n < 0 || n > len(*r) {
		n = len(*r)
	}
	head := (*r)[:n]
	*r = (*r)[n:]
	return head
}

func (r *reader) int32() int32 {
	var b [4]byte
	copy(b[:], r.take(4))
	return int32(binary.BigEndian.Uint32(b[:]))
}

func (r *reader) int64() int64 {
	var b [8]byte
	copy(b[:], r.take(8))
	return int64(binary.BigEndian.Uint64(b[:]))
}

func (r *reader) bool() bool { b := r.take(1); return len(b) > 0 && b[0] != 0 }

func (r *reader) text() string { return string(r.take(max(0, int(r.int32())))) }
