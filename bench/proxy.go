package main

import (
	"bufio"
	"bytes"
	"io"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/internal/relay"
	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// proxy passes on connections between agents and ZooKeeper and counts the requests.
type proxy struct {
	*relay.Relay
	reads, writes atomic.Int64 // a transaction is one write
	frames        atomic.Int64 // all but pings
	matches       atomic.Int64 // requests that contain text
	text          string
}

func startProxy(to, text string) *proxy {
	p := &proxy{text: text}
	p.Relay = must(relay.Start(to, relay.Options{Requests: p.forward}))
	return p
}

// forward passes on requests frame by frame. The first one is the handshake.
func (p *proxy) forward(server io.Writer, client io.Reader) error {
	frames := wire.NewReader(bufio.NewReader(client), 4<<20) // more than ZooKeeper accepts
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

// count sorts a request by its operation. Pings, credentials, watches that are set again and
// the end of a session are neither reads nor writes.
func (p *proxy) count(operation wire.Op, frame []byte) {
	if operation != wire.OpPing {
		p.frames.Add(1)
	}
	if p.text != "" && bytes.Contains(frame, []byte(p.text)) {
		p.matches.Add(1)
	}
	switch operation {
	case wire.OpPing, wire.OpAuth, wire.OpSetWatches, 105, wire.OpClose: // 105 is a later setWatches
	case wire.OpCreate, wire.OpDelete, wire.OpSetData, wire.OpSetACL, wire.OpCheck, wire.OpMulti, wire.OpCreate2,
		wire.OpReconfig, wire.OpCreateContainer, 20, wire.OpCreateTTL: // 20 deletes a container
		p.writes.Add(1)
	default:
		p.reads.Add(1)
	}
}
