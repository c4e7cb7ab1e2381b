package main

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/zk/wire"
)

// TestProxyCounts: a request that names the text counts whatever it does; pings are none.
func TestProxyCounts(t *testing.T) {
	t.Parallel()
	const read, write, watches = 3, 14, 101
	p := &proxy{text: []byte("/extension/runs/bell")}
	p.count(watches, []byte("\x00/billing/a/extension/runs/bell\x00/billing/a/trigger"))
	p.count(watches, []byte("/billing/a/trigger"))
	p.count(read, []byte("/billing/a/extension/runs/bell"))
	p.count(write, nil)
	p.count(wire.OpPing, nil)
	if p.reads.Load() != 1 || p.writes.Load() != 1 || p.frames.Load() != 4 || p.naming.Load() != 2 {
		t.Errorf("%d reads, %d writes, %d frames, %d that name it", p.reads.Load(), p.writes.Load(), p.frames.Load(), p.naming.Load())
	}
}
