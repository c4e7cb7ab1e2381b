package zk

import (
	"context"
	"errors"
	"fmt"
	"slices"

	gozk "github.com/go-zookeeper/zk"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// A large tree has hundreds of thousands of nodes, and a request for each costs the server more
// than reading it. So [Many.ReadAll] reads many with one multiRead request. A multiRead doesn't set
// watches, and the library doesn't know it. We therefore send it past the library, and then a
// setWatches request as of the newest transaction before the multiRead.
//
// The server sends events for changes between the two requests: at most one event too many, and
// never one too few.

// Reading is one node to read with [Many.ReadAll].
type Reading struct {
	Path     string
	Children bool // the names of the children instead of the data
	// Optional: don't watch the node if it's absent.
	Optional bool
	// Once: don't watch the node at all.
	Once bool
}

// Read is the result of one [Reading].
type Read struct {
	Data     []byte
	Children []string
	Stat     Stat // only with Data
	// Err is nil, [ErrNoNode] or the reason why the node couldn't be read. After any other error it
	// isn't watched.
	Err error
}

// ErrUnsupported means that the server doesn't know the request. multiRead needs ZooKeeper 3.6.
var ErrUnsupported = errors.New("the ZooKeeper server does not support this request")

// ReadAll reads nodes with few requests and watches each of them unless Once is set. Events arrive
// as for [Client.GetWatch] and its siblings; for an absent node, when it's created. A server before
// ZooKeeper 3.6 ends the connection at the first such request. Then, and at once from then on, the
// error is [ErrUnsupported].
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
	// readAtOnce bounds the nodes per request, because each may hold a megabyte.
	readAtOnce = 50
	// maxBroken is the number of connections that may break under such a request before we blame
	// the request. One answer is enough to clear it.
	maxBroken = 3
)

// fits returns how many of the readings go into one request.
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
	if c.many.unsupported.Load() || watched && since == 0 { // The server would send an event for every node.
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
			c.log.InfoContext(ctx, "ZooKeeper before 3.6 cannot read many nodes in one request; reading them one by one")
		})
		return nil, unsupported
	}
	return results, err
}

func (w *many) learn(code wire.Code) {
	switch code {
	case wire.CodeOK:
		w.supported.Store(true)
	case wire.CodeUnimplemented:
		w.unsupported.Store(true)
	}
}

// failed records a broken connection. An old server may end each connection that carries the
// request, without any reply.
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

// watch makes the server watch nodes that were read after a transaction. When it returns, the
// events of earlier changes have arrived.
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
		c.many.set.add(kind, path) // So that a new connection also sets it.
	}
	c.many.mu.Unlock()
	_, err := c.current.Load().call(request, nil)
	return err
}

var errMultiRead = errors.New("invalid answer to a multiRead")

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
