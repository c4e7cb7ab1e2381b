package barrier

import (
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/coreagent/internal/nodes"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
)

// conclude notifies the listener and releases the barrier, if all instances are still there once
// this one holds the latch.
func (v *visit) conclude(run, wait context.Context) (state, error) {
	result := waiting
	err := v.nodes.Latch(wait, v.latch, func(ctx context.Context) error {
		s, err := v.look(ctx)
		if err != nil || s != complete {
			result = s
			return err
		}
		if err := v.notify(run, ctx); err != nil {
			return err
		}
		ctx, cancel := context.WithTimeout(run, nodes.StepTimeout) // no matter how long the listener took
		defer cancel()
		if v.starting {
			if err := v.sweep(ctx); err != nil {
				return err
			}
		}
		if err := v.removeBarrier(ctx); err != nil {
			return err
		}
		result = released
		return nil
	})
	return result, err
}

// notify writes a notice to the barrier and notifies the listener.
func (v *visit) notify(run, ctx context.Context) error {
	if v.notified {
		return nil // Only the removal must be repeated.
	}
	data, stat, err := v.nodes.Client.Get(ctx, v.dir)
	if err != nil {
		return err
	}
	own := v.run.Instance + " " + strconv.FormatInt(v.run.FireTime.UnixMilli(), 10) + " " + v.nonce
	switch notice := string(data); {
	case !isNotice(data):
	case strings.HasSuffix(notice, " "+v.nonce):
		// This process wrote it, for its own shards or for failover shards. If the listener was
		// called, only the removal is left.
		if v.notifiedAt.Load() == stat.Mzxid {
			v.notified = true
			return nil
		}
	default:
		id, _, _ := strings.Cut(notice, " ")
		v.notified, v.problem = true, fmt.Errorf("instance %s was lost while it notified the listener, which isn't called again", id)
		return nil
	}
	noticed, err := v.nodes.Client.Set(ctx, v.dir, []byte(own), stat.Version)
	if err != nil {
		return err
	}
	v.notified = true
	v.notifiedAt.Store(noticed.Mzxid)
	v.problem = v.run.Job.Contain(run, "listener "+v.listener.Name, v.listener.Notify)
	return nil
}

// isNotice reports whether the data of a barrier announces that its listener is being notified. It
// begins like an instance id, so other readers take the rest for the id's suffix. Java leaves it
// empty.
func isNotice(data []byte) bool { return jobtree.ValidateInstanceID(string(data)) == nil }

// noticeFor returns the fire time of a notice in milliseconds, or the largest value if it has none.
func noticeFor(notice []byte) int64 {
	parts := strings.Fields(string(notice))
	if len(parts) != 3 {
		return math.MaxInt64
	}
	at, err := strconv.ParseInt(parts[1], 10, 64)
	if err != nil {
		return math.MaxInt64
	}
	return at
}
