package matrix_test

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/tracing"
)

// history is a fleet's runs in the order of their start.
type history []*run

// bounds limit how often a shard may complete a fire time.
type bounds struct{ least, most int }

var (
	once  = bounds{1, 1}
	never = bounds{0, 0}
	may   = bounds{0, 1} // neither promised nor forbidden
)

// expected holds the expected completions of a fire time.
type expected struct {
	at time.Time
	// slack is how much later than at ScheduledAt may be. For a trigger ScheduledAt is its arrival.
	slack time.Duration
	want  func(shard int) bounds
}

func every(b bounds) func(int) bounds { return func(int) bounds { return b } }

// onceAt expects each shard to complete each of some fire times once.
func onceAt(times ...time.Time) []expected {
	var list []expected
	for _, at := range times {
		list = append(list, expected{at: at, want: every(once)})
	}
	return list
}

// contention is how long a record may take if handlers of a requested run end on three agents at
// the same moment, because an agent pauses for some milliseconds if its write was refused.
const contention = 10 * time.Millisecond

// excused reports whether a completion doesn't count as a repetition. docs/guarantees.md, "Missed
// fire times": if a run ends while its process can't record it, it "is repeated only if another
// instance has begun the shard before that, because it saw the first one's session end, or if the
// process ends before it could record". An instance with an intact session has no excuse, and
// neither has a repetition that begins after the instance is back.
//
// A run may also end shortly before the absence, up to the time of contention, because the two jobs
// of a backfill begin some microseconds apart. TestW73SourcesAndMoments fails without that.
func (h history) excused(r *run) bool {
	return slices.ContainsFunc(r.member.absent, func(a absence) bool {
		returned := func(at time.Time) bool { return !a.to.IsZero() && at.After(a.to) }
		return !r.end.Before(a.from.Add(-contention)) && !returned(r.end) &&
			!slices.ContainsFunc(h, func(other *run) bool { return other != r && returned(other.start) })
	})
}

// judge compares the runs of a job with the expectations for each fire time, and checks the rules
// that hold for every run.
func (h history) judge(t *testing.T, job string, shards int, list []expected) {
	t.Helper()
	for shard := range shards {
		var runs history
		for _, r := range h {
			if r.job == job && r.shard == shard {
				runs = append(runs, r)
			}
		}
		var wrong []string
		for _, e := range list {
			var of history
			for _, r := range runs {
				if nearest(list, r).Equal(e.at) {
					of = append(of, r)
				}
			}
			wrong = append(wrong, of.count(shard, e)...)
		}
		wrong = append(wrong, runs.check(list)...)
		if len(wrong) > 0 {
			t.Errorf("shard %d:\n  %s\n%s", shard, strings.Join(wrong, "\n  "), runs.describe())
		}
	}
}

func (e expected) covers(r *run) bool { return !r.at.Before(e.at) && !r.at.After(e.at.Add(e.slack)) }

// nearest returns the expected fire time that a run belongs to: the last one up to its ScheduledAt.
func nearest(list []expected, r *run) time.Time {
	var at time.Time
	for _, e := range list {
		if !e.at.After(r.at) && e.at.After(at) {
			at = e.at
		}
	}
	return at
}

// count compares the completions of one fire time with the expectations.
func (h history) count(shard int, e expected) []string {
	all, excused := 0, 0
	for _, r := range h {
		if !r.end.IsZero() && r.err == nil {
			all++
			if h.excused(r) {
				excused++
			}
		}
	}
	b := e.want(shard)
	if all >= b.least && all-excused <= b.most {
		return nil
	}
	return []string{fmt.Sprintf("%s completed %d times (%d of them unseen by the others), want %d to %d",
		e.at.UTC().Format("15:04:05"), all, excused, b.least, b.most)}
}

// ordered returns the runs by their start. If two runs began at the same moment of virtual time and
// one of them ended right then, it comes first, because its session had expired when its handler
// was called.
func (h history) ordered() history {
	h = slices.Clone(h)
	ended := func(r *run) time.Time {
		if r.end.IsZero() {
			return r.start.AddDate(1, 0, 0)
		}
		return r.end
	}
	slices.SortStableFunc(h, func(a, b *run) int {
		return cmp.Or(a.start.Compare(b.start), ended(a).Compare(ended(b)))
	})
	return h
}

// check looks for runs without a fire time, before their time, or overlapping another run of the
// same shard, and for a fencing token that doesn't grow with the owner.
func (h history) check(list []expected) []string {
	var wrong []string
	h = h.ordered()
	for i, r := range h {
		switch {
		case !slices.ContainsFunc(list, func(e expected) bool { return e.covers(r) }):
			wrong = append(wrong, fmt.Sprintf("ScheduledAt of this run is not a fire time: %v", r))
		case r.start.Before(r.at):
			wrong = append(wrong, fmt.Sprintf("begins before its fire time: %v", r))
		}
		if i == 0 {
			continue
		}
		before := h[i-1]
		if before.end.IsZero() || before.end.After(r.start) {
			wrong = append(wrong, fmt.Sprintf("begins during the run before it: %v", r))
		}
		if before.member != r.member && before.token >= r.token {
			wrong = append(wrong, fmt.Sprintf("fencing token %d after %d: %v", r.token, before.token, r))
		}
	}
	return wrong
}

func (h history) describe() string {
	var b strings.Builder
	for _, r := range h {
		fmt.Fprintf(&b, "    %v\n", r)
	}
	return b.String()
}

// failedOver reports whether the history has a failover of a shard. Without one, a case should
// count as a failure because it doesn't test enough.
func (h history) failedOver() bool {
	return slices.ContainsFunc(h, func(r *run) bool { return r.source == tracing.SourceFailover })
}
