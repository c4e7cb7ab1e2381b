package main

import (
	"encoding/binary"
	"errors"
	"io"
	"net"
	"sync"
	"sync/atomic"
)

// proxy stands between agents and ZooKeeper and counts the requests that pass.
type proxy struct {
	listener net.Listener
	to       string
	reads    atomic.Int64
	writes   atomic.Int64 // a transaction is one write
	tasks    sync.WaitGroup

	mu     sync.Mutex
	conns  []net.Conn
	closed bool
}

func startProxy(to string) (*proxy, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	p := &proxy{listener: listener, to: to}
	p.tasks.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			p.tasks.Go(func() { p.serve(conn) })
		}
	})
	return p, nil
}

func (p *proxy) addr() string { return p.listener.Addr().String() }

func (p *proxy) close() {
	_ = p.listener.Close() // Ends the accepting.
	p.mu.Lock()
	p.closed = true
	for _, conn := range p.conns {
		_ = conn.Close()
	}
	p.mu.Unlock()
	p.tasks.Wait()
}

func (p *proxy) serve(client net.Conn) {
	server, err := net.Dial("tcp", p.to)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.conns = append(p.conns, client, server)
	closed := p.closed
	p.mu.Unlock()
	if closed {
		_, _ = client.Close(), server.Close()
		return
	}
	p.tasks.Go(func() {
		_, _ = io.Copy(client, server) // Ends with either connection.
		_ = client.Close()
	})
	_ = p.forward(server, client)
	_ = server.Close()
}

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
			p.count(int32(binary.BigEndian.Uint32(buf[8:])))
		}
		if _, err := server.Write(buf); err != nil {
			return err
		}
	}
}

// count sorts a request by its operation. Pings, credentials, watches that are
// set again and the end of a session are neither reads nor writes.
func (p *proxy) count(operation int32) {
	switch operation {
	case 11, 100, 101, 105, -11:
	case 1, 2, 5, 7, 13, 14, 15, 16, 19, 20, 21: // create, delete, set, set ACL, check, transaction and kin
		p.writes.Add(1)
	default:
		p.reads.Add(1)
	}
}
