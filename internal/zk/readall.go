package zk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// A large tree has hundreds of thousands of nodes. A request for each costs the server
// more than the reading does, so [Many.ReadAll] asks for many by one multiRead request.
// The library doesn't know that request, and a multiRead sets no watches. So it goes past the
// library, and a setWatches request follows, as of what was seen before the multiRead.
//
// The server announces what has changed between both requests: an event too many, at
// most, and none too few.

// Reading is what [Many.ReadAll] is to read.
type Reading struct {
	Path     string
	Children bool // the names below the node, not its data
	// Optional: if the node is absent, nobody wants to know of its coming.
	Optional bool
	// Once: nobody wants to know of what becomes of the node.
	Once bool
}

// Read is what [Many.ReadAll] has read of a node.
type Read struct {
	Data     []byte
	Children []string
	Stat     Stat // of a node whose data was read
	// Err is nil, [ErrNoNode], or why this node could not be read; then it is not watched.
	Err error
}

// ErrUnsupported says that the server does not know the request. ZooKeeper knows
// multiRead from 3.6 on.
var ErrUnsupported = errors.New("the ZooKeeper server does not know this request")

// ReadAll reads nodes by few requests, and watches each that is not read but once: its next
// change is announced as that of [Client.GetWatch] and its siblings is. Of an absent node that is its coming.
// A server before ZooKeeper 3.6 answers the first such request by ending the
// connection: the error is [ErrUnsupported] then, and from then on at once.
func (m Many) ReadAll(ctx context.Context, list []Reading) ([]Read, error) {
	results := make([]Read, 0, len(list))
	for len(list) > 0 {
		n := m.fits(list)
		some, err := m.readSome(ctx, list[:n])
		if err != nil {
			return nil, err
		}
		results, list = append(results, some...), list[n:]
	}
	return results, nil
}

const (
	// readAtOnce bounds the nodes of a request, which may hold a megabyte each.
	readAtOnce = 50
	// maxBroken is how many connections may break under such a request before it is
	// taken for the reason, as long as none was answered.
	maxBroken = 3
)

// fits is how many of the readings go into one request.
func (m Many) fits(list []Reading) (n int) {
	for size := 0; n < min(len(list), readAtOnce); n++ {
		if size += 4 + len(m.c.chroot) + len(list[n].Path); n > 0 && size > absentBytes {
			break
		}
	}
	return n
}

func (m Many) readSome(ctx context.Context, list []Reading) ([]Read, error) {
	c := m.c
	unsupported := &Error{Op: "multiRead", Path: list[0].Path, Err: ErrUnsupported}
	since := c.seen.Load()
	watched := slices.ContainsFunc(list, func(r Reading) bool { return !r.Once })
	if c.many.unsupported.Load() || watched && since == 0 { // The server would announce each node as changed since then.
		return nil, unsupported
	}
	if watched {
		c.watched.Store(true)
	}
	results, err := do(ctx, c, "multiRead", list[0].Path, func() ([]Read, error) {
		request := &wire.Request{Header: wire.Header{Op: wire.OpMultiRead}, Steps: make([]wire.Request, len(list))}
		for i, r := range list {
			step := &request.Steps[i]
			if step.Op, step.Path = wire.OpGetData, c.full(r.Path); r.Children {
				step.Op = wire.OpGetChildren
			}
		}
		conn := c.current.Load()
		answer, err := conn.call(request, c.many.learn)
		if err != nil {
			c.many.failed(conn, err)
			return nil, err
		}
		results, err := readsOf(request, answer)
		if err != nil || !watched {
			return results, err
		}
		return results, m.watch(list, results, since)
	})
	if err != nil && c.many.unsupported.Load() {
		c.many.logged.Do(func() {
			c.log.InfoContext(ctx, "ZooKeeper cannot read many nodes by one request, which it learned in 3.6; they are read one by one")
		})
		return nil, unsupported
	}
	return results, err
}

// learn takes in whether the server knows multiRead.
func (w *many) learn(code wire.Code) {
	switch code {
	case wire.CodeOK:
		w.supported.Store(true)
	case wire.CodeUnimplemented:
		w.unsupported.Store(true)
	}
}

// failed takes in that a request on a connection was not answered. A server may end each
// connection on which it is asked, without a word.
func (w *many) failed(conn *contactConn, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if conn == w.broken || w.supported.Load() || !errors.Is(err, gozk.ErrConnectionClosed) {
		return
	}
	w.broken = conn
	if w.breaks++; w.breaks >= maxBroken {
		w.unsupported.Store(true)
	}
}

// watch has the server announce what changes of nodes that were read after a
// transaction. It returns when what has changed already was announced.
func (m Many) watch(list []Reading, results []Read, since int64) error {
	c := m.c
	request := &wire.Request{Header: wire.Header{Op: wire.OpSetWatches}, Since: since}
	c.many.mu.Lock()
	for i, r := range list {
		kind := wire.WatchData
		switch {
		case r.Once:
			continue
		case results[i].Err == nil && r.Children:
			kind = wire.WatchChild
		case results[i].Err == nil:
		case errors.Is(results[i].Err, ErrNoNode) && !r.Optional:
			kind = wire.WatchExist
		default:
			continue
		}
		path := c.full(r.Path)
		request.Watches[kind] = append(request.Watches[kind], path)
		c.many.set.add(kind, path) // A connection that begins meanwhile sets it as well.
	}
	c.many.mu.Unlock()
	_, err := c.current.Load().call(request, nil)
	return err
}

var errMultiRead = errors.New("the answer to a multiRead cannot be understood")

// readsOf are the readings in the answer to a multiRead.
func readsOf(request *wire.Request, answer wire.Result) ([]Read, error) {
	if len(answer.Results) < len(request.Steps) {
		return nil, fmt.Errorf("%w: it has %d results for %d nodes", errMultiRead, len(answer.Results), len(request.Steps))
	}
	results := make([]Read, len(request.Steps))
	for i, r := range answer.Results {
		switch r.Op {
		case wire.OpError:
			results[i].Err = translate(codeError(r.Code))
		case request.Steps[i].Op:
			results[i].Data, results[i].Children = r.Data, r.Children
			if r.Op == wire.OpGetData {
				results[i].Stat = statOf((*gozk.Stat)(&r.Stat))
			}
		default:
			return nil, fmt.Errorf("%w: operation %d", errMultiRead, r.Op)
		}
	}
	return results, nil
}
