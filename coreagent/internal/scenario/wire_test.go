package scenario_test

import (
	"cmp"
	"maps"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	zkwire "github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// wire records the changes that the server confirmed to the agents of a fixture, in the order in
// which it made them. Both servers number their transactions, so the order is the same across
// agents.
type wire struct {
	mu   sync.Mutex
	list []change
	open map[chan struct{}]bool // requests without an answer; closed when the answer came or never will
}

// change is one transaction of an agent.
type change struct {
	zxid  int64
	agent string
	ops   []string // "+ path", "~ path" (data) and "- path"; "+e path" for ephemeral nodes
	acls  []string // of the created nodes, "scheme:id:permissions"

	request  *zkwire.Request
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

// all returns the changes so far. A change may be visible in the tree before the agent gets the
// answer. So it waits for pending answers, unless a test delays them for long.
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

func (w *wire) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.list = nil
}

// changes lists the transactions below a job, one per line, with paths relative to the job. It
// leaves out the nodes below extension, which only we use, and paths for which a drop returns true.
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

// tap is an agent's connection that the wire listens to.
type tap struct {
	net.Conn
	wire  *wire
	agent string

	mu       sync.Mutex
	pending  map[int32]change
	out, in  frames
	greeting [2]bool // the connect request and its answer are over
}

func (w *wire) tap(agent string, c net.Conn) net.Conn {
	return &tap{Conn: c, wire: w, agent: agent, pending: make(map[int32]change)}
}

func (t *tap) Write(p []byte) (int, error) {
	t.mu.Lock()
	for _, frame := range t.out.feed(p) {
		if !t.greeting[0] {
			t.greeting[0] = true
			continue
		}
		if request, err := zkwire.ParseRequest(frame); err == nil {
			t.request(request)
		}
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
		reply, body, err := zkwire.ParseReply(frame)
		c, known := t.pending[reply.Xid]
		if err != nil || !known {
			continue
		}
		delete(t.pending, reply.Xid)
		if reply.Code == zkwire.CodeOK && !refused(c.request, body) {
			c.zxid, c.agent = reply.Zxid, t.agent
			t.wire.note(c)
		}
		t.wire.settled(c.answered)
	}
	return n, err
}

// refused reports whether a multi was refused, according to its reply.
func refused(request *zkwire.Request, body []byte) bool {
	result, err := zkwire.ParseResult(request, body)
	return err == nil && len(result.Results) > 0 && result.Results[0].Op == zkwire.OpError
}

// Close drops the requests without an answer.
func (t *tap) Close() error {
	t.mu.Lock()
	t.giveUp()
	t.mu.Unlock()
	return t.Conn.Close()
}

// giveUp must be called with mu held.
func (t *tap) giveUp() {
	for xid, c := range t.pending {
		delete(t.pending, xid)
		t.wire.settled(c.answered)
	}
}

func (t *tap) request(r zkwire.Request) {
	c := change{request: &r}
	for _, step := range append(r.Steps, r) {
		c.add(step)
	}
	if len(c.ops) > 0 {
		c.answered = make(chan struct{})
		t.wire.asked(c.answered)
		t.pending[r.Xid] = c
	}
}

// add records a request or step if it changes something.
func (c *change) add(r zkwire.Request) {
	switch r.Op {
	case zkwire.OpCreate, zkwire.OpCreate2, zkwire.OpCreateContainer:
		for _, a := range r.ACL {
			c.acls = append(c.acls, a.Scheme+":"+a.ID+":"+permissionText(a.Perms))
		}
		sign := "+"
		if r.Op != zkwire.OpCreateContainer && r.Flags&1 != 0 {
			sign = "+e"
		}
		c.ops = append(c.ops, sign+" "+r.Path)
	case zkwire.OpDelete:
		c.ops = append(c.ops, "- "+r.Path)
	case zkwire.OpSetData:
		c.ops = append(c.ops, "~ "+r.Path)
	case zkwire.OpClose:
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

// frames holds the beginning of an incomplete frame.
type frames []byte

// feed returns the frames that p completes.
func (f *frames) feed(p []byte) (list [][]byte) {
	*f = append(*f, p...)
	for {
		frame, rest := zkwire.Cut(*f)
		if frame == nil {
			return list
		}
		list, *f = append(list, slices.Clone(frame)), rest
	}
}
