package tracing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/internal/usererror"
	"github.com/elasticjob-go/elasticjob/internal/wake"
)

// AsyncOptions tunes an [Async]. The zero value suits most processes.
type AsyncOptions struct {
	// QueueSize limits the events kept in memory while the sink is slow or unavailable. Defaults to 10,000.
	QueueSize int
	// QueueBytes limits the memory of those events, estimated from their texts. Defaults to 32 MiB.
	QueueBytes int
	// BatchSize is the largest number of events per write. A full batch doesn't wait for more.
	// Defaults to 600, which fills two statements of rdb in one commit.
	BatchSize int
	// BatchDelay is how long the first event of a batch waits for more events. Defaults to 200 ms;
	// -1 writes at once.
	BatchDelay time.Duration
	// WriteTimeout limits one call of the sink. Defaults to 15 s.
	WriteTimeout time.Duration
	// RetryMin and RetryMax limit the pause after a failed write. It starts at RetryMin and doubles
	// up to RetryMax. They default to 100 ms and 15 s.
	RetryMin, RetryMax time.Duration
	// Logger logs outages. Defaults to slog.Default().
	Logger *slog.Logger
}

func (o AsyncOptions) withDefaults() AsyncOptions {
	o.QueueSize, o.QueueBytes = positive(o.QueueSize, 10_000), positive(o.QueueBytes, 32<<20)
	o.BatchSize = min(positive(o.BatchSize, 600), o.QueueSize)
	o.BatchDelay = cmp.Or(o.BatchDelay, 200*time.Millisecond)
	o.WriteTimeout = positive(o.WriteTimeout, 15*time.Second)
	o.RetryMin = positive(o.RetryMin, 100*time.Millisecond)
	o.RetryMax = max(positive(o.RetryMax, 15*time.Second), o.RetryMin)
	o.Logger = cmp.Or(o.Logger, slog.Default())
	return o
}

// positive returns an option, or its default if it isn't positive.
func positive[T ~int | ~int64](option, otherwise T) T {
	if option <= 0 {
		return otherwise
	}
	return option
}

// Stats counts the events handed to an [Async]. Every event is in exactly one of Queued, Written,
// Dropped and Failed.
type Stats struct {
	// Queued events are in memory, including the batch being written.
	Queued  int
	Written uint64
	// Dropped events were lost because the queue was full or the recorder was closed first.
	Dropped uint64
	// Failed events were refused by the sink; see [ErrRejected].
	Failed uint64
	// Retries counts failed writes that were repeated.
	Retries uint64
	// LastError is the error of the current outage, or nil.
	LastError error
}

// Async is a [Recorder] that hands events to a [Sink] in batches, on its own goroutine. Recording never waits
// for the sink, the network or the log. Events reach the sink in the order in which they were recorded.
//
// While the sink fails, events stay in memory and Async retries the batch with growing pauses. If
// the queue is full, it drops events and counts them. The last eighth of the queue is reserved for
// the ends of executions, because an end alone still makes a complete row, while a start without
// its end looks like a run that never finishes. Log lines and progress may use only the first half,
// so they can't displace other events.
type Async struct {
	sink Sink
	opts AsyncOptions

	wake   chan struct{}      // capacity 1: there may be work
	full   chan struct{}      // capacity 1: a batch is complete, or closing
	done   chan struct{}      // closed when the worker has ended
	base   context.Context    // done when the worker must give up
	giveUp context.CancelFunc // cancels base

	mu     sync.Mutex
	queue  []Event // the batch being written stays at the front until it's done
	bytes  int
	closed bool
	stats  Stats

	outage outage // only the worker uses it
}

// outage is the worker's state between the log lines at the start and the end of an outage.
type outage struct {
	since   time.Time // zero if there's no outage
	dropped uint64    // Stats.Dropped when it began
	full    bool      // the loss of events has been logged
}

// NewAsync starts a recorder, which must be closed.
func NewAsync(sink Sink, opts AsyncOptions) *Async {
	base, giveUp := context.WithCancel(context.Background())
	a := &Async{
		sink: sink, opts: opts.withDefaults(),
		wake: make(chan struct{}, 1), full: make(chan struct{}, 1), done: make(chan struct{}),
		base: base, giveUp: giveUp,
	}
	go a.work()
	return a
}

func (a *Async) enqueue(e Event, of share) {
	size := weight(e)
	events, bytes := of(a.opts.QueueSize), of(a.opts.QueueBytes)
	a.mu.Lock()
	queued := !a.closed && len(a.queue) < events && a.bytes+size <= bytes
	if queued {
		a.queue = append(a.queue, e)
		a.bytes += size
	} else {
		a.stats.Dropped++
	}
	complete := len(a.queue) >= a.opts.BatchSize
	a.mu.Unlock()

	wake.Up(a.wake)
	if complete {
		wake.Up(a.full)
	}
}

// Stats returns the counters.
func (a *Async) Stats() Stats {
	a.mu.Lock()
	defer a.mu.Unlock()
	stats := a.stats
	stats.Queued = len(a.queue)
	return stats
}

// Close stops accepting events, writes the queued ones and returns. If ctx ends first, it drops the
// rest and returns an error with their number; without a deadline ctx gets one of 30 seconds.
// Events recorded after Close are dropped and counted. Close may be called repeatedly and
// concurrently; every call waits until writing has ended.
func (a *Async) Close(ctx context.Context) error {
	if _, bounded := ctx.Deadline(); !bounded {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, 30*time.Second)
		defer cancel()
	}
	a.mu.Lock()
	a.closed = true
	a.mu.Unlock()
	wake.Up(a.wake)
	wake.Up(a.full)

	select {
	case <-a.done:
		return nil
	case <-ctx.Done():
	}
	a.giveUp()
	// The sink promised to return when its context ends. If it doesn't, leave it behind.
	grace := time.NewTimer(time.Second)
	defer grace.Stop()
	select {
	case <-a.done:
	case <-grace.C:
	}
	a.mu.Lock()
	lost, cause := len(a.queue), a.stats.LastError
	a.stats.Dropped += uint64(lost)
	a.queue, a.bytes = nil, 0
	a.mu.Unlock()
	if lost == 0 {
		return nil
	}
	if cause == nil {
		cause = context.Cause(ctx)
	}
	return fmt.Errorf("close trace recorder: %d events could not be stored in time and are lost: %w", lost, cause)
}

// work runs until the recorder is closed and the queue is empty, or until it must give up.
func (a *Async) work() {
	defer close(a.done)
	defer a.giveUp()
	pause := time.Duration(0)
	for {
		batch, closed := a.next(pause == 0)
		if a.base.Err() != nil {
			return
		}
		if len(batch) == 0 {
			a.settle()
			if closed {
				return
			}
			continue
		}
		written, failed, err := deliver(a.base, a.sink, a.opts.WriteTimeout, a.opts.Logger, batch)
		a.mu.Lock()
		// Close may have dropped the queue while the sink ignored its context.
		taken := min(written+failed, len(a.queue))
		for _, event := range a.queue[:taken] {
			a.bytes -= weight(event)
		}
		a.queue = slices.Delete(a.queue, 0, taken)
		if len(a.queue) == 0 && cap(a.queue) > 4*a.opts.BatchSize {
			a.queue = nil // release the memory of a long outage
		}
		if taken == written+failed {
			a.stats.Written += uint64(written)
			a.stats.Failed += uint64(failed)
		}
		stopped := a.base.Err() != nil // then we caused the error ourselves
		if err == nil || !stopped {
			a.stats.LastError = err
		}
		if err != nil {
			a.stats.Retries++
		}
		a.mu.Unlock()
		if err == nil {
			pause = 0
			a.settle()
			continue
		}
		if stopped {
			return
		}
		a.recordFailure(err)
		pause = min(max(2*pause, a.opts.RetryMin), a.opts.RetryMax)
		if !a.pauseBeforeRetry(pause) {
			return
		}
	}
}

// next returns a copy of the events at the front of the queue and leaves them there. It waits until there
// is an event and, if gather is set, until the batch is full or its first event has waited BatchDelay.
func (a *Async) next(gather bool) (batch []Event, closed bool) {
	look := func() ([]Event, bool) {
		a.mu.Lock()
		defer a.mu.Unlock()
		// Copy, because recording appends to the queue while the sink reads the batch.
		return slices.Clone(a.queue[:min(len(a.queue), a.opts.BatchSize)]), a.closed
	}
	batch, closed = look()
	if len(batch) == 0 && !closed {
		select {
		case <-a.wake:
		case <-a.base.Done():
		}
		if batch, closed = look(); len(batch) == 0 {
			return nil, closed
		}
	}
	if closed || !gather || a.opts.BatchDelay < 0 || len(batch) >= a.opts.BatchSize {
		return batch, closed
	}
	timer := time.NewTimer(a.opts.BatchDelay)
	defer timer.Stop()
	for len(batch) < a.opts.BatchSize && !closed {
		select {
		case <-a.full: // may be left over from the previous batch
			batch, closed = look()
		case <-timer.C:
			return look()
		case <-a.base.Done():
			return batch, closed
		}
	}
	return batch, closed
}

// deliver hands a batch to a sink. If the sink rejects it, deliver halves it until the faulty event is alone.
// It returns how many events at the front were stored and how many refused, and the error that stopped it.
func deliver(
	base context.Context, sink Sink, timeout time.Duration, log *slog.Logger, batch []Event,
) (written, failed int, err error) {
	ctx, cancel := context.WithTimeout(base, timeout)
	err = call(ctx, sink, batch)
	cancel()
	switch {
	case err == nil:
		return len(batch), 0, nil
	case !errors.Is(err, ErrRejected):
		return 0, 0, err
	case len(batch) == 1:
		job, _ := batch[0].texts()
		log.LogAttrs(base, slog.LevelError,
			"dropped a trace event that the database refused; check its text and the table, because the connection works",
			slog.String("job", job), slog.Any("err", err))
		return 0, 1, nil
	}
	half := len(batch) / 2
	for _, part := range [][]Event{batch[:half], batch[half:]} {
		w, f, err := deliver(base, sink, timeout, log, part)
		written, failed = written+w, failed+f
		if err != nil {
			return written, failed, err
		}
	}
	return written, failed, nil
}

// call protects our worker from a sink that panics or ends its goroutine. Otherwise one bad event
// would end the whole process, or the recorder.
func call(ctx context.Context, sink Sink, batch []Event) error {
	err := fmt.Errorf("%w: the sink ended its goroutine instead of returning", ErrRejected)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() {
			if p := recover(); p != nil {
				err = fmt.Errorf("%w: sink panicked: %s", ErrRejected, usererror.PanicText(p))
			}
		}()
		err = usererror.Freeze("the trace sink", sink.Write(ctx, batch))
	}()
	<-done
	return err
}

// pauseBeforeRetry waits between two tries. Close cuts it short for one last try. It returns false if there is
// no point in trying again.
func (a *Async) pauseBeforeRetry(pause time.Duration) bool {
	a.mu.Lock()
	closing := a.closed
	a.mu.Unlock()
	if closing {
		pause = min(pause, time.Second) // Close has little time left
	}
	pause -= rand.N(pause/4 + 1) // agents that lost the same database shouldn't all return at once
	timer := time.NewTimer(pause)
	defer timer.Stop()
	for {
		select {
		case <-timer.C:
			return true
		case <-a.base.Done():
			return false
		case <-a.wake:
			a.noticeLoss()
			a.mu.Lock()
			now := a.closed
			a.mu.Unlock()
			if now && !closing {
				return true
			}
		}
	}
}

func (a *Async) recordFailure(err error) {
	if a.outage.since.IsZero() {
		a.begin()
		a.opts.Logger.LogAttrs(a.base, slog.LevelWarn,
			"trace events can't be stored and wait in memory; jobs continue; check the tracing database",
			slog.Int("queue_size", a.opts.QueueSize), slog.Any("err", err))
	}
	a.noticeLoss()
}

func (a *Async) begin() {
	a.outage = outage{since: time.Now(), dropped: a.outage.dropped}
}

// noticeLoss logs, once per outage, that events are being lost.
func (a *Async) noticeLoss() {
	a.mu.Lock()
	dropped, closed := a.stats.Dropped, a.closed
	a.mu.Unlock()
	if dropped == a.outage.dropped || a.outage.full || closed {
		return
	}
	if a.outage.since.IsZero() {
		a.begin()
	}
	a.outage.full = true
	a.opts.Logger.LogAttrs(a.base, slog.LevelError,
		"trace queue is full and new events are dropped; bring the tracing database back or enlarge the queue",
		slog.Int("queue_size", a.opts.QueueSize), slog.Int("queue_bytes", a.opts.QueueBytes))
}

// settle runs after every successful write. Once the queue is half empty it ends the outage with
// one log line about the losses.
func (a *Async) settle() {
	a.noticeLoss()
	if a.outage.since.IsZero() {
		return
	}
	a.mu.Lock()
	dropped, waiting, closed := a.stats.Dropped, len(a.queue), a.closed
	a.mu.Unlock()
	if waiting > a.opts.QueueSize/2 && !closed {
		return
	}
	level, text := slog.LevelInfo, "trace events are stored again; none was lost"
	if dropped > a.outage.dropped {
		level, text = slog.LevelWarn, "trace events are stored again; some were lost and the history has a gap"
	}
	a.opts.Logger.LogAttrs(a.base, level, text, slog.Uint64("dropped", dropped-a.outage.dropped), //nolint:sloglint // one of the two above
		slog.Duration("outage", time.Since(a.outage.since)))
	a.outage = outage{dropped: dropped}
}

var _ RunRecorder = (*Async)(nil)

// share returns how much of the queue a kind of event may use.
type share func(queue int) int

func shareMost(queue int) int { return queue - queue/8 } // the rest is for the ends
func shareAll(queue int) int  { return queue }           // the end of an execution or a run
func shareHalf(queue int) int { return queue / 2 }       // events that may come in a flood

// RecordExecution queues the start or the end of an execution.
func (a *Async) RecordExecution(e Execution) {
	e.FailureCause = bounded(e.FailureCause)
	a.enqueue(Event{Execution: &e}, shareOf(!e.Running()))
}

// RecordStatus queues a step of a task. It keeps no reference to Items.
func (a *Async) RecordStatus(s Status) {
	s.Message = bounded(s.Message)
	s.Items = slices.Clone(s.Items)
	a.enqueue(Event{Status: &s}, shareMost)
}

// RecordRun queues the state of a requested run.
func (a *Async) RecordRun(r RunRecord) {
	if len(r.Params) > MaxParams {
		r.Params = "" // a part of a JSON document is useless
	}
	r.Reason, r.Key, r.Note = cut(r.Reason, MaxReason), cut(r.Key, MaxNote), cut(r.Note, MaxNote)
	r.OriginName, r.Error, r.Result = cut(r.OriginName, MaxActor), bounded(r.Error), cutBytes(r.Result, MaxResult)
	a.enqueue(Event{Run: &r}, shareOf(r.Rank() == endRank))
}

// RecordRunStep queues a change of a requested run's state.
func (a *Async) RecordRunStep(s RunStep) {
	s.Actor, s.Message = cut(s.Actor, MaxActor), bounded(s.Message)
	a.enqueue(Event{Step: &s}, shareMost)
}

// RecordLogLine queues a log line of a handler.
func (a *Async) RecordLogLine(l LogLine) {
	l.Message = cut(l.Message, MaxLogLine)
	a.enqueue(Event{Log: &l}, shareHalf)
}

// RecordProgress queues a shard's progress. An invalid fraction counts as 0.
func (a *Async) RecordProgress(p Progress) {
	if math.IsNaN(p.Fraction) {
		p.Fraction = 0
	}
	p.Fraction, p.Message = min(max(p.Fraction, 0), 1), cut(p.Message, MaxReason)
	a.enqueue(Event{Progress: &p}, shareHalf)
}

func shareOf(end bool) share {
	if end {
		return shareAll
	}
	return shareMost
}

// bounded cuts a text to the width of its column, so a huge failure text doesn't fill the memory.
func bounded(s string) string { return cut(s, MaxText) }

// cut returns at most the given number of characters. If it shortens the text it returns a copy, so
// the rest can be freed.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	count := 0
	for at := range s {
		if count == most {
			return strings.Clone(s[:at])
		}
		count++
	}
	return s
}

// cutBytes is cut by bytes. It doesn't split a character.
func cutBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return strings.Clone(s[:most])
}

func weight(e Event) int {
	size := 256
	if e.Status != nil {
		size += 8 * len(e.Status.Items)
	}
	if e.Run != nil {
		size += 256
	}
	job, texts := e.texts()
	for _, s := range texts {
		size += len(s)
	}
	return size + len(job)
}

// texts returns the job of an event, and its other texts that may be long.
func (e Event) texts() (job string, others [10]string) {
	switch {
	case e.Execution != nil:
		x := e.Execution
		return x.JobName, [10]string{x.ID, x.TaskID, x.Hostname, x.IP, x.FailureCause, x.RunID, string(x.Trigger)}
	case e.Status != nil:
		s := e.Status
		return s.JobName, [10]string{s.ID, s.TaskID, s.SlaveID, s.Message}
	case e.Run != nil:
		r := e.Run
		return r.JobName, [10]string{
			r.ID, r.Reason, r.OriginName, r.ParentID, r.BackfillID, r.Key, r.Note, r.Params, r.Error, r.Result,
		}
	case e.Step != nil:
		s := e.Step
		return s.JobName, [10]string{s.ID, s.RunID, s.Actor, s.Message}
	case e.Log != nil:
		l := e.Log
		return l.JobName, [10]string{l.ExecutionID, l.RunID, l.Message}
	case e.Progress != nil:
		p := e.Progress
		return p.JobName, [10]string{p.ExecutionID, p.RunID, p.Message}
	}
	return "", others
}

// one reports whether exactly one field of the event is set.
func (e Event) one() bool {
	set := 0
	for _, is := range []bool{e.Execution != nil, e.Status != nil, e.Run != nil, e.Step != nil, e.Log != nil, e.Progress != nil} {
		if is {
			set++
		}
	}
	return set == 1
}
