package runs

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/zk/zkfake"
	"github.com/elasticjob-go/elasticjob/jobrun"
)

func fakeServer(t *testing.T) (*zkfake.Server, string) {
	t.Helper()
	srv := zkfake.New(zkfake.Options{})
	t.Cleanup(func() { srv.Close() })
	addr, err := srv.Listen("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return srv, addr.String()
}

// manyRequests returns numbered, delayed requests. Some have a key and some are due at once.
func manyRequests(n int) []jobrun.Request {
	list := make([]jobrun.Request, n)
	for i := range list {
		list[i] = jobrun.Request{Delay: time.Hour + time.Duration(i)*time.Second, Params: fmt.Appendf(nil, `{"n":%d}`, i)}
		switch i % 60 {
		case 7:
			list[i].Key = fmt.Sprintf("key %d", i)
		case 31:
			list[i].Delay = 0
		}
	}
	return list
}

// placedOnce checks that each ticket belongs to its own request, and that nothing else waits.
func placedOnce(t *testing.T, b *bundle, list []jobrun.Request, tickets []jobrun.Ticket) {
	t.Helper()
	seen := make(map[string]bool)
	for i, ticket := range tickets {
		run, err := b.Get(t.Context(), ticket.ID)
		if err != nil || string(run.Params) != string(list[i].Params) || !run.Due.Equal(ticket.Due) || seen[ticket.ID] {
			t.Fatalf("request %d: %+v, %v, ticket %+v", i, run.Run, err, ticket)
		}
		seen[ticket.ID] = true
	}
	if all, err := b.List(t.Context(), 1); err != nil || all.WaitingCount != len(tickets) {
		t.Errorf("%d runs wait after %d tickets, %v", all.WaitingCount, len(tickets), err)
	}
}

// TestSubmitMany: many requests are placed with few transactions, each once and in order.
func TestSubmitMany(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		list := manyRequests(400)
		tickets, err := b.SubmitMany(t.Context(), list)
		if err != nil || len(tickets) != len(list) {
			t.Fatalf("%d tickets, %v", len(tickets), err)
		}
		placedOnce(t, b, list, tickets)
	})
}

// TestSubmitManyStopsAtARefusal: the requests before the first refused one are placed.
func TestSubmitManyStopsAtARefusal(t *testing.T) {
	eachServer(t, func(t *testing.T, b *bundle) {
		list := manyRequests(200)
		list[150].Shards = []int{7}
		tickets, err := b.SubmitMany(t.Context(), list)
		if len(tickets) != 150 || !errors.Is(err, jobrun.ErrOptions) || !strings.Contains(err.Error(), "Shards: 7 is not one of 0 to 1") {
			t.Fatalf("%d tickets, %v", len(tickets), err)
		}
		placedOnce(t, b, list, tickets)
	})
}

// TestSubmitManyWithoutAReply: unanswered requests aren't placed twice.
func TestSubmitManyWithoutAReply(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]zkfake.Fault{"lost reply": zkfake.LoseReply, "lost request": zkfake.LoseRequest} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			srv, addr := fakeServer(t)
			b := newBundle(t, addr, nil)
			list := manyRequests(150)
			if _, err := b.Submit(t.Context(), jobrun.Request{Delay: 2 * time.Hour}); err != nil {
				t.Fatal(err)
			}
			var once sync.Once
			srv.SetFault(func(r zkfake.Request) (f zkfake.Fault) {
				if r.Op == "multi" && strings.Contains(r.Path, "/config") {
					once.Do(func() { f = fault })
				}
				return f
			})
			tickets, err := b.SubmitMany(t.Context(), list)
			if err != nil || len(tickets) != len(list) {
				t.Fatalf("%d tickets, %v", len(tickets), err)
			}
			if all, err := b.List(t.Context(), 1); err != nil || all.WaitingCount != len(tickets)+1 {
				t.Errorf("%d runs wait, %v", all.WaitingCount, err)
			}
		})
	}
}

// TestSubmitManyFull: the remaining room is filled, then the next request is refused.
func TestSubmitManyFull(t *testing.T) {
	t.Parallel()
	_, addr := fakeServer(t)
	b := newBundle(t, addr, nil)
	list := make([]jobrun.Request, 40*maxLarge)
	for i := range list {
		list[i] = jobrun.Request{Delay: time.Hour, Params: []byte(`{"text":"` + strings.Repeat("x", 9<<10) + `"}`)}
	}
	tickets, err := b.SubmitMany(t.Context(), list)
	if !errors.Is(err, jobrun.ErrQueueFull) || len(tickets) < 4*maxLarge { // A request's bucket is random.
		t.Fatalf("%d tickets, %v", len(tickets), err)
	}
	placedOnce(t, b, list, tickets)
}
