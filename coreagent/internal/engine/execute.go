package engine

import (
	"context"
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// PanicError is a panic of user code, recovered.
type PanicError struct {
	Value any
	Stack []byte
}

// Error returns the panic's value and stack, for the trace row.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack) }

// executeItems runs every item of the batch and returns the errors by item.
func (j *Job) executeItems(b *batch) map[int]error {
	ctx, cancel := b.ctx, context.CancelFunc(func() {})
	if j.def.Timeout > 0 {
		ctx, cancel = context.WithTimeoutCause(ctx, j.def.Timeout, ErrTimeout)
	}
	defer cancel()
	var mu sync.Mutex
	failures := make(map[int]error)
	var group errgroup.Group
	group.SetLimit(b.parallel)
	for _, i := range b.items {
		group.Go(func() error {
			if err := j.executeItem(ctx, b, i); err != nil {
				mu.Lock()
				defer mu.Unlock()
				failures[i.number] = err
			}
			return nil
		})
	}
	_ = group.Wait() // The functions return nil: failures are kept by item.
	return failures
}

func (j *Job) executeItem(ctx context.Context, b *batch, i item) error {
	param, has := b.params[i.number]
	event := tracing.Execution{
		ID: rowID(), JobName: j.Name(), TaskID: b.taskID, Hostname: j.env.Hostname, IP: j.env.IP,
		Source: b.source, Item: i.number, StartTime: time.Now(),
	}
	j.env.Recorder.RecordExecution(event)
	err := j.call(ctx, Shard{
		Job: j.Name(), TaskID: b.taskID, JobParameter: b.view.config.Parameter,
		Parameter: param, HasParameter: has, Item: i.number, Total: b.view.config.Shards,
		ScheduledAt: b.at, Source: b.source, FencingToken: i.token, Props: b.view.config.Props,
		Resharding: j.reshardingAnnounced,
	})
	event.CompleteTime, event.Success = time.Now(), err == nil
	if err != nil {
		event.FailureCause = err.Error()
		j.log.Error(fmt.Sprintf("Job '%s' exception occur in job processing", j.Name()), "item", i.number, "err", err)
	}
	j.env.Recorder.RecordExecution(event)
	return err
}

// call runs user code and turns its panic into an error.
func (j *Job) call(ctx context.Context, s Shard) (err error) {
	defer func() {
		if value := recover(); value != nil {
			err = &PanicError{Value: value, Stack: debug.Stack()}
		}
	}()
	return j.def.Execute(ctx, s)
}

// reshardingAnnounced tells a streaming job to end its loop.
func (j *Job) reshardingAnnounced() bool {
	v, _ := j.snapshot()
	return v == nil || !v.settled
}

func (j *Job) postStatus(b *batch, state tracing.State, message string) {
	j.env.Recorder.RecordStatus(tracing.Status{
		ID: rowID(), JobName: j.Name(), TaskID: b.taskID, SlaveID: j.env.IP,
		Source: tracing.StatusSourceLite, ExecutionType: tracing.ExecutionTypeReady,
		Items: b.numbers(), State: state, Message: message, CreationTime: time.Now(),
	})
}

// rowID returns a UUID of version 7: unique, and ordered by time, which keeps
// the unique index of a large trace table local.
func rowID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // Never fails; see crypto/rand.
	binary.BigEndian.PutUint64(b[:], uint64(time.Now().UnixMilli())<<16|uint64(b[6])<<8|uint64(b[7]))
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// failureText lists the failed items in Java's form for a map.
func failureText(failures map[int]error) string {
	numbers := make([]int, 0, len(failures))
	for n := range failures {
		numbers = append(numbers, n)
	}
	slices.Sort(numbers)
	parts := make([]string, len(numbers))
	for i, n := range numbers {
		parts[i] = fmt.Sprintf("%d=%v", n, failures[n])
	}
	return "{" + strings.Join(parts, ", ") + "}"
}
