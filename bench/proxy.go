package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"sync/atomic"

	"github.com/elasticjob-go/elasticjob/internal/relay"
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
	buf := make([]byte, 4, 64<<10)
	for first := true; ; first = false {
		buf = buf[:4]
		if _, err := io.ReadFull(client, buf); err != nil {
			return err
		}
		length := int(binary.BigEndian.Uint32(buf))
		if length > maxFrame {
			return errors.New("not a ZooKeeper frame")
		}
		if cap(buf) < 4+length {
			buf = append(make([]byte, 0, 4+length), buf...)
		}
		buf = buf[:4+length]
		if _, err := io.ReadFull(client, buf[4:]); err != nil {
			return err
		}
		if !first && length >= 8 {
			p.count(int32(binary.BigEndian.Uint32(buf[8:])), buf[12:])
		}
		if _, err := server.Write(buf); err != nil {
			return err
		}
	}
}

const opPing = 11

// count sorts a request by its operation. Pings, credentials, watches that are
// set again and the end of a session are neither reads nor writes.
func (p *proxy) count(operation int32, body []byte) {
	if operation != opPing {
		p.frames.Add(1)
	}
	if len(p.text) > 0 && bytes.Contains(body, p.text) {
		p.naming.Add(1)
	}
	switch operation {
	case opPing, 100, 101, 105, -11:
	case 1, 2, 5, 7, 13, 14, 15, 16, 19, 20, 21: // create, delete, set, set ACL, check, transaction and kin
		p.writes.Add(1)
	default:
		p.reads.Add(1)
	}
}
