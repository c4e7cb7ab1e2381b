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

// conclude notifies the listener and releases the barrier, if everybody is still
// there when it is this instance's turn.
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
		ctx, cancel := context.WithTimeout(run, nodes.StepTimeout) // However long the listener took.
		defer cancel()
		if v.starting {
			if err := v.sweep(ctx); err != nil {
				return err
			}
		}
		if err := v.takeDown(ctx); err != nil {
			return err
		}
		result = released
		return nil
	})
	return result, err
}

// notify writes into the barrier that this instance notifies the listener, and
// notifies it.
func (v *visit) notify(run, ctx context.Context) error {
	if v.notified {
		return nil // Only the removal is to be made again.
	}
	data, stat, err := v.nodes.Client.Get(ctx, v.dir)
	if err != nil {
		return err
	}
	own := v.run.Instance + " " + strconv.FormatInt(v.run.FireTime.UnixMilli(), 10) + " " + v.nonce
	switch notice := string(data); {
	case !isNotice(data):
	case strings.HasSuffix(notice, " "+v.nonce):
		// By this process: for its own shards, or for those that failed over to it. Only
		// the removal is to be made, if the listener was called.
		if v.notifiedAt.Load() == stat.Mzxid {
			v.notified = true
			return nil
		}
	default:
		id, _, _ := strings.Cut(notice, " ")
		v.notified, v.problem = true, fmt.Errorf("instance %s was lost while it notified the listener; nobody is notified again", id)
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

// isNotice reports whether the data of a barrier says that its listener is
// notified: it names an instance, and what follows belongs to the suffix for those
// who do not know it. Java leaves it empty.
func isNotice(data []byte) bool { return jobtree.ValidateInstanceID(string(data)) == nil }

// noticeFor is the fire time, in milliseconds, for which a notice says that the
// listener is notified; the largest for a notice that does not say.
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
