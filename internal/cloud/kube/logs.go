package kube

import (
	"context"
	"fmt"
	"io"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/elasticjob-go/elasticjob/cloud"
)

// maxTail is the largest number of last lines.
const maxTail = 1_000_000

// Logs implements [cloud.Engine] with the cluster's log of the pod.
func (e *Engine) Logs(ctx context.Context, t cloud.TaskRef, o cloud.LogOptions) (io.ReadCloser, error) {
	what := fmt.Sprintf("log of shard %d of %s", t.Shard, t.Run)
	if err := e.usable(ctx); err != nil {
		return nil, fmt.Errorf("%s: %w", what, err)
	}
	pod, earlier := e.podOf(t)
	if pod == "" {
		return nil, fmt.Errorf("%s: %w", what, cloud.ErrNotFound)
	}
	limit := o.MaxBytes
	if limit <= 0 || limit > cloud.MaxLogBytes {
		limit = cloud.MaxLogBytes
	}
	options := &corev1.PodLogOptions{Container: container, Follow: o.Follow, Previous: earlier}
	if o.Follow && o.MaxBytes <= 0 {
		limit = 1 << 62 // The caller decides when to stop following.
	} else {
		options.LimitBytes = new(limit)
	}
	if o.Tail > 0 {
		options.TailLines = new(int64(min(o.Tail, maxTail)))
	}
	ctx, cancel := context.WithCancel(ctx)
	unfollow := context.AfterFunc(e.ctx, cancel)
	stream, err := e.pods.read(pod, "log", options).Stream(ctx)
	if err != nil {
		unfollow()
		cancel()
		if apierrors.IsBadRequest(err) { // Its container has not started.
			return nil, fmt.Errorf("%s: %w: %w", what, cloud.ErrNotFound, err)
		}
		return nil, Translate(what, err)
	}
	// The server limits it, too, but we don't rely on that.
	return &logReader{Reader: io.LimitReader(stream, limit), stream: stream, end: func() { unfollow(); cancel() }}, nil
}

type logReader struct {
	io.Reader

	stream io.Closer
	end    func()
}

func (r *logReader) Close() error {
	err := r.stream.Close()
	r.end()
	return err
}

// podOf returns the name of the pod for a log, or "": by UID, else by number, else the last one.
// earlier means the log of the pod's previous container.
func (e *Engine) podOf(t cloud.TaskRef) (name string, earlier bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r := e.runs[e.names[t.Run]]
	if r == nil {
		return "", false
	}
	list := r.byShard[t.Shard]
	at := len(list) - 1
	for i, a := range list {
		if t.UID != "" && a.current.UID == t.UID || t.UID == "" && t.Attempt == a.current.Attempt {
			at = i
		}
	}
	if at >= 0 && t.UID != "" && list[at].current.UID != t.UID {
		return "", false
	}
	switch {
	case at < 0 || !list[at].vanished.IsZero():
		return "", false
	case r.set != nil:
		return r.container(list[at])
	}
	return list[at].pod.Name, false
}
