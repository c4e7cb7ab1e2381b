package firetime

import (
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/jobconfig"
)

// MisfireWindow is how far back a fleet looks that returns after nobody has
// served the job for a while: what it missed earlier is not made up for. The
// window is counted from the moment at which a leader announces the first
// resharding.
const MisfireWindow = time.Hour

// MostLead is how far the clock of another instance may be ahead for its records
// to count. A clock that is off by hours must not silence a job for hours.
const MostLead = time.Minute

// NewEra is the era that begins with a configuration. version and written are
// those of its node.
func NewEra(config *jobconfig.Config, version int32, written time.Time) jobtree.FireEra {
	h := fnv.New64a()
	parts := []string{
		config.Cron, config.TimeZone, config.Props[quartz.ClockChangeProp],
		strconv.FormatBool(config.Misfire), strconv.FormatBool(config.MonitorExecution),
	}
	// What a job does not have is no part: versions that do not know these properties
	// have the same era.
	for _, name := range []string{quartz.FromProp, quartz.UntilProp, quartz.ExcludeProp, quartz.JitterProp, quartz.ZoneProp} {
		if value := config.Props[name]; value != "" {
			parts = append(parts, name, value)
		}
	}
	for _, part := range parts {
		_, _ = h.Write(append([]byte(part), 0)) // A hash never fails to write.
	}
	return jobtree.FireEra{Since: written, Version: version, Settings: h.Sum64()}
}

// Continue returns the era of a configuration that was read after noted was
// written. The era goes on if the same version was read, or one edit was made
// that leaves its settings alone. Of several edits that nobody has looked at in
// between, one may have changed the settings and the next one changed them back:
// then the last of them begins an era.
func Continue(noted jobtree.FireEra, config *jobconfig.Config, version int32, written time.Time) jobtree.FireEra {
	era := NewEra(config, version, written)
	if noted.Settings == era.Settings && (version == noted.Version || version == noted.Version+1) {
		era.Since = noted.Since
	}
	era.Since = latest(era.Since, noted.Since) // The schedule was released after the edit.
	return era
}

// Believable reports whether a moment that another instance has recorded can be
// right by the own clock.
func Believable(recorded, now time.Time) bool { return recorded.Sub(now) <= MostLead }

// Sound returns a record as far as it can be believed. One from the future was
// written by a clock that is off: nobody knows what was completed, and nothing
// counts as missed.
func Sound(r jobtree.FireRecord, now time.Time) jobtree.FireRecord {
	if !Believable(r.Completed, now) {
		r.Completed, r.Through = time.Time{}, now
	}
	if !Believable(r.Through, now) {
		r.Through = now
	}
	if !Believable(r.Begun.At, now) {
		r.Begun = jobtree.Due{}
	}
	return r
}

// Complete returns a record after a run for the fire time at.
func Complete(r jobtree.FireRecord, at time.Time) jobtree.FireRecord {
	r.Completed = latest(r.Completed, at)
	r.Through = latest(r.Through, at)
	if !r.Begun.At.After(at) {
		r.Begun = jobtree.Due{}
	}
	return r
}

// Settled reports whether a record shows that nobody has to run a shard for due any
// more. A trigger is never settled by a fire time.
func Settled(r jobtree.FireRecord, due jobtree.Due) bool {
	return due.Known() && !due.Trigger && Done(r, due.At)
}

// Done reports whether a shard was run for a fire time, or for a later one.
func Done(r jobtree.FireRecord, at time.Time) bool { return !r.Completed.Before(at) }

// oldest is how many years Missed looks back. The rarest fire times, those of 29
// February, are eight years apart at most.
const oldest = 10

// Missed returns the newest fire time in (after, now], where after is the latest
// of the moments given; false if there is none.
func Missed(schedule *quartz.Expression, zone *time.Location, now time.Time, after ...time.Time) (time.Time, bool) {
	from := latest(append(after, now.AddDate(-oldest, 0, 0))...)
	first, ok := schedule.Next(from, zone)
	if !ok || first.After(now) {
		return time.Time{}, false
	}
	// Walk back from now in growing strides instead of forward from after,
	// which may be years ago.
	for stride := time.Minute; now.Add(-stride).After(first); stride *= 4 {
		if t, ok := schedule.Next(now.Add(-stride), zone); ok && !t.After(now) {
			first = t
			break
		}
	}
	last := first
	for {
		next, ok := schedule.Next(last, zone)
		if !ok || next.After(now) {
			return last, true
		}
		last = next
	}
}

func latest(moments ...time.Time) time.Time { return slices.MaxFunc(moments, time.Time.Compare) }

// Later is the later of two moments.
func Later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
