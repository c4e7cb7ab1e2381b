package main

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent"
	"github.com/elasticjob-go/elasticjob/coreagent/coreagenttest"
)

// TestInvoicesOfOneShard needs neither a server nor an agent: what does the
// handler do with the shard that it is given?
func TestInvoicesOfOneShard(t *testing.T) {
	s := newShop()
	if err := coreagenttest.RunShard(t, invoices, coreagent.HandlerFunc(s.sendInvoices), 1); err != nil {
		t.Fatal(err)
	}
	if s.sent["US"] != 7 || len(s.sent) != 1 {
		t.Errorf("sent %v, want those of the US", s.sent)
	}
}

// TestInvoicesObeyTheirContext: a run that must end ends.
func TestInvoicesObeyTheirContext(t *testing.T) {
	s := newShop()
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(coreagent.ErrStopping)
	if err := s.sendInvoices(ctx, &coreagent.Shard{Parameter: "EU"}); !errors.Is(err, coreagent.ErrStopping) || len(s.sent) > 0 {
		t.Errorf("%v, sent %v", err, s.sent)
	}
}

// TestShipmentsOfOneShard: the dataflow fetches until nothing of its share is
// left, and leaves the shares of others alone.
func TestShipmentsOfOneShard(t *testing.T) {
	s := newShop()
	flow := coreagent.Dataflow[order]{Streaming: true, Fetch: s.openOrders, Process: s.ship}
	if err := coreagenttest.RunShard(t, shipments, flow, 0); err != nil {
		t.Fatal(err)
	}
	if len(s.shipped) != 23 || len(s.open) != 22 || !s.shipped[44] || s.shipped[1] {
		t.Errorf("shipped %d, left %d", len(s.shipped), len(s.open))
	}
}

// TestSchedules: the jobs fire when the service's readers expect them to.
func TestSchedules(t *testing.T) {
	from := time.Date(2026, 11, 22, 10, 2, 30, 0, time.Local)
	for job, want := range map[*coreagent.Job]string{&invoices: "10:05:00", &shipments: "10:03:00", &rates: "11:00:00"} {
		fires, err := job.NextFires(from, 1)
		if err != nil || len(fires) != 1 || fires[0].Format(time.TimeOnly) != want {
			t.Errorf("%s fires at %v, %v; want %s", job.Name, fires, err, want)
		}
	}
}
