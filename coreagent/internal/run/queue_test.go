package run

import (
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/view"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/tracing"
)

// Failover shards come first, then fire times, triggers and misfires. Requested runs have their
// turn between two others. Requests of one kind that wait together are one run.
func TestQueueOrder(t *testing.T) {
	t.Parallel()
	now := time.Now()
	fire, interrupted := now.Add(-time.Second), now.Add(-time.Minute)
	shard := &takenShard{Shard: view.Shard{Number: 3}, due: jobtree.Due{At: interrupted}}
	q := queue{fire: fire, trigger: true, triggered: now, placed: 7, misfire: true, requested: true, taken: []*takenShard{shard}}
	for _, want := range []struct {
		kind   kind
		at     time.Time
		source tracing.Source
		due    jobtree.Due
	}{
		{failedOver, interrupted, tracing.SourceFailover, jobtree.Due{At: interrupted}},
		{claimed, now, tracing.SourceNormal, jobtree.Due{At: now, Trigger: true}},
		{fireTime, fire, tracing.SourceNormal, jobtree.Due{At: fire}},
		{claimed, now, tracing.SourceNormal, jobtree.Due{At: now, Trigger: true}},
		{trigger, now, tracing.SourceNormal, jobtree.Due{At: now, Trigger: true}},
		{misfired, now, tracing.SourceMisfire, jobtree.Due{At: now}},
	} {
		r, ok := q.next(now)
		b := &batch{request: r}
		if !ok || r.kind != want.kind || !r.at.Equal(want.at) || r.kind.source() != want.source || b.due() != want.due {
			t.Fatalf("next is %+v (%v, due %+v), want %+v", r, ok, b.due(), want)
		}
		q.requested = r.kind != claimed && r.kind != trigger && r.kind != misfired
	}
	if r, ok := q.next(now); ok || !q.empty() {
		t.Errorf("an empty queue has %+v", r)
	}
}

// No two batches of a process hold the same shard. A claim that has reserved its shard hands it to
// its batch.
func TestShardHasOneBatch(t *testing.T) {
	t.Parallel()
	w := NewWorker(&Parts{Latest: view.NewLatest()}, job{t})
	reserved := new(batch)
	if !w.reserveShard(1, reserved) || w.reserveShard(1, new(batch)) {
		t.Fatal("a shard isn't held, or is held twice")
	}
	own := &takenShard{Shard: view.Shard{Number: 1}, reserved: reserved}
	other := &batch{shards: []view.Shard{{Number: 0}, {Number: 1}}}
	if elsewhere, any := w.queue.occupy(other); !any || elsewhere[0] || !elsewhere[1] {
		t.Errorf("held elsewhere: %v", elsewhere)
	}
	b := &batch{request: request{failover: own}, shards: []view.Shard{own.Shard}}
	if _, any := w.queue.occupy(b); any || w.queue.held[1] != b {
		t.Error("the batch of the claim doesn't get its shard")
	}
	if w.releaseShard(1, own.reserved); w.queue.held[1] != b {
		t.Error("the end of the reservation takes the shard from its batch")
	}
}

// A run with markers that outlive the session keeps its instance, and so does a requested run even
// before its claim is confirmed. Other runs don't.
func TestInstanceStaysForItsRuns(t *testing.T) {
	t.Parallel()
	plain := &view.View{Settings: view.Settings{Config: &jobconfig.Config{}}}
	failover := &view.View{Settings: view.Settings{Config: &jobconfig.Config{Failover: true}}}
	for name, c := range map[string]struct {
		b     *batch
		stays bool
	}{
		"fire time":            {&batch{request: request{kind: fireTime}, view: plain}, false},
		"with failover":        {&batch{request: request{kind: fireTime}, view: failover}, true},
		"claimed shard":        {&batch{request: request{kind: failedOver, failover: &takenShard{}}, view: plain}, true},
		"claim of every shard": {&batch{request: request{kind: claimed}, view: plain}, true},
		"claim of one shard":   {&batch{request: request{kind: slotted}, view: plain}, true},
	} {
		w := NewWorker(&Parts{Latest: view.NewLatest()}, job{t})
		w.queue.add(c.b)
		if _, stays := w.Close(); stays != c.stays {
			t.Errorf("%s: the instance stays: %v", name, stays)
		}
	}
}

// A closed worker takes nothing into its queue, and is idle if nothing runs.
func TestWorkerCloses(t *testing.T) {
	t.Parallel()
	w := NewWorker(&Parts{Latest: view.NewLatest()}, job{t})
	taken := func() bool {
		return w.enqueue(func(q *queue) { q.taken = append(q.taken, &takenShard{Shard: view.Shard{Number: 2}}) })
	}
	if taken() {
		t.Error("a worker that isn't open takes a shard")
	}
	w.mu.Lock()
	w.open, w.queue.looping, w.queue.idle = true, true, make(chan struct{}) // a run is under way
	w.mu.Unlock()
	if !taken() || !w.Busy() {
		t.Error("an open worker takes no shard")
	}
	idle, stays := w.Close()
	if claimed := w.Drain(); stays || taken() || len(claimed) != 1 || claimed[0] != 2 {
		t.Errorf("claimed and not begun: %v", claimed)
	}
	select {
	case <-idle:
		t.Error("idle while a run is under way")
	default:
	}
}
