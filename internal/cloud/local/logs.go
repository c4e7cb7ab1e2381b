package local

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/elasticjob-go/elasticjob/cloud"
)

func (e *Engine) Logs(ctx context.Context, t cloud.TaskRef, o cloud.LogOptions) (io.ReadCloser, error) {
	if err := e.usable(ctx); err != nil {
		return nil, fmt.Errorf("log of shard %d of %s: %w", t.Shard, t.Run, err)
	}
	a, err := e.find(t)
	if err != nil {
		return nil, fmt.Errorf("log of shard %d of %s: %w", t.Shard, t.Run, err)
	}
	limit := o.MaxBytes
	if limit <= 0 || limit > cloud.MaxLogBytes {
		limit = cloud.MaxLogBytes
	}
	ctx, cancel := context.WithCancel(ctx)
	unfollow := context.AfterFunc(e.ctx, cancel)
	r := &logReader{
		ctx: ctx, cancel: func() { unfollow(); cancel() }, folder: a.folder, follow: o.Follow,
		// There may be a note between head and tail.
		limit: MaxLog + 1<<10,
		ended: func() bool {
			e.mu.Lock()
			defer e.mu.Unlock()
			return a.phase == over
		},
	}
	if o.Tail > 0 {
		if err := r.skipTo(o.Tail); err != nil {
			return nil, errors.Join(fmt.Errorf("log of shard %d of %s: %w", t.Shard, t.Run, err), r.Close())
		}
	}
	r.limit = min(r.limit, limit)
	if o.Follow && o.MaxBytes <= 0 {
		r.limit = 1 << 62 // The caller decides when to stop following.
	}
	return r, nil
}

// find returns the attempt for a log: by UID, else by number, else the last one.
func (e *Engine) find(t cloud.TaskRef) (*attempt, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[t.Run]
	if r == nil {
		return nil, cloud.ErrNotFound
	}
	for _, s := range r.shards {
		if s.number != t.Shard {
			continue
		}
		at := len(s.attempts) - 1
		for i, a := range s.attempts {
			if t.UID != "" && a.task.UID == t.UID || t.UID == "" && t.Attempt == a.task.Attempt {
				at = i
			}
		}
		if at < 0 || t.UID != "" && s.attempts[at].task.UID != t.UID {
			return nil, cloud.ErrNotFound
		}
		return s.attempts[at], nil
	}
	return nil, cloud.ErrNotFound
}

// skipTo reads the existing log and keeps its last lines to return first.
func (r *logReader) skipTo(lines int) error {
	var there bytes.Buffer
	present := &logReader{ctx: r.ctx, folder: r.folder, limit: r.limit, ended: func() bool { return true }, cancel: func() {}}
	if _, err := io.Copy(&there, present); err != nil {
		return err
	}
	r.number, r.offset = present.number, present.offset
	r.pending = bytes.Clone(lastLines(there.Bytes(), lines))
	return present.Close()
}
