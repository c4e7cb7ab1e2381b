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

// MisfireWindow is how far a fleet looks back for missed fire times when it returns after a while
// without any agent. It ends when a leader announces the first resharding.
const MisfireWindow = time.Hour

// MostLead is how far ahead another instance's clock may be for its records to count. A clock that
// is hours ahead must not silence a job for hours.
const MostLead = time.Minute

// NewEra returns the era that begins with a configuration. version and written are from its node.
func NewEra(config *jobconfig.Config, version int32, written time.Time) jobtree.FireEra {
	h := fnv.New64a()
	parts := []string{
		config.Cron, config.TimeZone, config.Props[quartz.ClockChangeProp],
		strconv.FormatBool(config.Misfire), strconv.FormatBool(config.MonitorExecution),
	}
	// Unset properties are left out, so that versions without them get the same era.
	for _, name := range []string{quartz.FromProp, quartz.UntilProp, quartz.ExcludeProp, quartz.JitterProp, quartz.ZoneProp} {
		if value := config.Props[name]; value != "" {
			parts = append(parts, name, value)
		}
	}
	for _, part := range parts {
		_, _ = h.Write(append([]byte(part), 0)) // a hash never fails
	}
	return jobtree.FireEra{Since: written, Version: version, Settings: h.Sum64()}
}

// Continue returns the era of a configuration that was read after noted was written. The era
// continues if the version is the same, or if one edit has left its settings alone. If no leader
// has seen several edits in between, one may have changed the settings and the next changed them
// back, so the last edit begins an era.
func Continue(noted jobtree.FireEra, config *jobconfig.Config, version int32, written time.Time) jobtree.FireEra {
	era := NewEra(config, version, written)
	if noted.Settings == era.Settings && (version == noted.Version || version == noted.Version+1) {
		era.Since = noted.Since
	}
	era.Since = Later(era.Since, noted.Since) // The schedule was released after the edit.
	return era
}

// Believable reports whether a time recorded by another instance can be right, given our clock.
func Believable(recorded, now time.Time) bool { return recorded.Sub(now) <= MostLead }

// Sound returns the credible part of a record. A record from the future was written by a wrong
// clock. The completed fire times are unknown, so no fire time counts as missed.
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

func Complete(r jobtree.FireRecord, at time.Time) jobtree.FireRecord {
	r.Completed = Later(r.Completed, at)
	r.Through = Later(r.Through, at)
	if !r.Begun.At.After(at) {
		r.Begun = jobtree.Due{}
	}
	return r
}

// Settled reports whether a record shows that a shard no longer has to run for due. A fire time
// never settles a trigger.
func Settled(r jobtree.FireRecord, due jobtree.Due) bool {
	return due.Known() && !due.Trigger && Done(r, due.At)
}

// Done reports whether a shard has run for a fire time or a later one.
func Done(r jobtree.FireRecord, at time.Time) bool { return !r.Completed.Before(at) }

// oldest is how many years Missed looks back. The rarest fire times, on 29 February, are at most
// eight years apart.
const oldest = 10

// Missed returns the newest fire time in (after, now], or false if there is none. after is the
// latest of the given times.
func Missed(schedule *quartz.Expression, zone *time.Location, now time.Time, after ...time.Time) (time.Time, bool) {
	from := Later(append(after, now.AddDate(-oldest, 0, 0))...)
	first, ok := schedule.Next(from, zone)
	if !ok || first.After(now) {
		return time.Time{}, false
	}
	// Walk back from now in growing strides, not forward from after, which may be years ago.
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

// Later returns the latest of several times.
func Later(times ...time.Time) time.Time { return slices.MaxFunc(times, time.Time.Compare) }
