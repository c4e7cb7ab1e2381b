package main

import (
	"bufio"
	"bytes"
	"io"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/internal/relay"
	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// proxy stands between agents and ZooKeeper and counts the requests that pass.
type proxy struct {
	relay  *relay.Relay
	reads  atomic.Int64
	writes atomic.Int64 // a transaction is one write
	frames atomic.Int64 // whatever was sent but for pings
	naming atomic.Int64 // those that have the text, if one is looked for
	text   []byte
}

func startProxy(to string) (*proxy, error) { return startNamingProxy(to, "") }

// startNamingProxy starts one that also counts the requests that have a text.
func startNamingProxy(to, text string) (*proxy, error) {
	p := &proxy{text: []byte(text)}
	var err error
	p.relay, err = relay.Start(to, relay.Options{Requests: p.forward})
	return p, err
}

func (p *proxy) addr() string { return p.relay.Addr() }

func (p *proxy) close() { p.relay.Close() }

// maxFrame is more than ZooKeeper takes.
const maxFrame = 4 << 20

// forward hands on requests frame by frame. The first one is the handshake.
func (p *proxy) forward(server io.Writer, client io.Reader) error {
	frames := wire.NewReader(bufio.NewReader(client), maxFrame)
	for first := true; ; first = false {
		frame, err := frames.Next()
		if err != nil {
			return err
		}
		if header, err := wire.ParseHeader(frame); err == nil && !first {
			p.count(header.Op, frame)
		}
		if _, err := server.Write(frame); err != nil {
			return err
		}
	}
}

// count sorts a request by its operation. Pings, credentials, watches that are
// set again and the end of a session are neither reads nor writes.
func (p *proxy) count(operation wire.Op, frame []byte) {
	if operation != wire.OpPing {
		p.frames.Add(1)
	}
	if len(p.text) > 0 && bytes.Contains(frame, p.text) {
		p.naming.Add(1)
	}
	switch operation {
	case wire.OpPing, wire.OpAuth, wire.OpSetWatches, 105, wire.OpClose:
	case wire.OpCreate, wire.OpDelete, wire.OpSetData, wire.OpSetACL, wire.OpCheck, wire.OpMulti, wire.OpCreate2,
		wire.OpReconfig, wire.OpCreateContainer, 20, wire.OpCreateTTL: // 20 deletes a container, 105 is a later setWatches
		p.writes.Add(1)
	default:
		p.reads.Add(1)
	}
}
