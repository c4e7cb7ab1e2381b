package errorhandler

import (
	"cmp"
	"context"
	"maps"
	"sync"
	"time"
)

const closeTimeout = 5 * time.Second

// JobHandler is one job's handler, kept in sync with the job's configuration. It's safe for
// concurrent use.
type JobHandler struct {
	set *Set
	job string

	mu       sync.Mutex
	typeName string
	props    map[string]string
	handler  Handler // nil before the first Update and after Close, which means LOG
}

// ForJob returns the handler of a job. Until its first Update it behaves like LOG.
func (s *Set) ForJob(job string) *JobHandler { return &JobHandler{set: s, job: job} }

// Update creates a new handler if the type or any property has changed since the last call, as
// ElasticJob does at each trigger. After an error, which comes from [Set.New], the handler stays
// the same.
func (k *JobHandler) Update(ctx context.Context, typeName string, props map[string]string) error {
	k.mu.Lock()
	same := k.handler != nil && typeName == k.typeName && maps.Equal(props, k.props)
	k.mu.Unlock()
	if same {
		return nil
	}
	made, err := k.set.New(typeName, props)
	if err != nil {
		return err
	}
	k.mu.Lock()
	old := k.handler
	k.handler, k.typeName, k.props = made, typeName, maps.Clone(props)
	k.mu.Unlock()
	k.discard(ctx, old)
	return nil
}

// Type returns the type of the handler.
func (k *JobHandler) Type() string {
	k.mu.Lock()
	defer k.mu.Unlock()
	return cmp.Or(k.typeName, TypeLog)
}

// Handle passes an error of the job to its handler. A non-nil result stops the run.
func (k *JobHandler) Handle(ctx context.Context, err error) error {
	if err == nil {
		return nil
	}
	k.mu.Lock()
	h := k.handler
	k.mu.Unlock()
	if h == nil {
		h = logHandler{k.set.opts.Log}
	}
	return h.Handle(ctx, k.job, err)
}

// Close closes the handler. Pending notifications belong to the [Set] and are still delivered.
func (k *JobHandler) Close(ctx context.Context) {
	k.mu.Lock()
	old := k.handler
	k.handler = nil
	k.mu.Unlock()
	k.discard(ctx, old)
}

// discard closes a user's handler that was replaced. ElasticJob's own handlers have nothing to
// close.
func (k *JobHandler) discard(ctx context.Context, h Handler) {
	closer, ok := h.(interface{ Close(context.Context) error })
	if !ok {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, closeTimeout)
	defer cancel()
	if err := closer.Close(ctx); err != nil {
		k.set.opts.Log.WarnContext(ctx, "could not close a replaced error handler", "job", k.job, "err", err)
	}
}
