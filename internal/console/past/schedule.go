package past

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/jobconfig"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// schedule is the schedule of the job at the time asked for.
type schedule struct {
	// fire is the fire time that was asked for if due is set, or else the last one before it.
	fire time.Time
	due  bool
	// next is the fire time after it, zero if there is none or the zone isn't known.
	next time.Time
	// none is set if the job had no schedule; unsure is the reason if it's unknown whether it was due.
	none   bool
	unsure string
	// refused is the rule by which a time of the cron expression isn't a fire time.
	refused string
	// assumed is the zone of today's agents, if the job names none.
	assumed string
	shards  int // 0 if it isn't known

	expr *quartz.Expression
	zone *time.Location // nil if it isn't known
}

// scheduleAt finds the schedule of the time asked for, and the fire time that is meant: one within
// the minute asked for, or within its second if it has seconds.
func scheduleAt(l i18n.Lang, in *Input) (s schedule) {
	job, known := jobAt(in)
	switch {
	case in.Job.Changed.IsZero(): // There's no configuration.
		s.unsure = l.PastNoCron()
		return s
	case !known:
		if s.unsure = l.PastEditedSince(stamp(in.Job.Changed)); !in.Job.Changed.After(in.At) {
			s.unsure = l.PastEditedAbout(stamp(in.Job.Changed))
		}
		return s
	}
	s.shards = job.Shards
	if s.none = job.OneOff && job.Cron == ""; s.none {
		return s
	}
	rules := quartz.RulesOf(job.Name, job.ScheduleProps())
	expr, err := rules.Parse(job.Cron)
	if err == nil {
		s.zone, err = rules.Location(job.TimeZone)
	}
	if err != nil {
		s.unsure = l.PastNoCron()
		return s
	}
	s.expr = expr
	if job.FireRules.Zone == "" && job.TimeZone == "" {
		s.assumed = job.AgentZone
	}
	if job.Zone() == "" {
		s.zone = nil
		s.inSomeZone(l, in.At)
		return s
	}
	if next, ok := expr.Next(in.At.Add(-time.Nanosecond), s.zone); ok && next.Before(in.At.Add(within(in.At))) {
		s.due = true
		s.meant(in, next)
		return s
	}
	s.refused = s.refusal(l, in.At, job)
	if last := s.last(in.At); sameSchedule(in, job, last) {
		s.fire = last
	}
	return s
}

// refusal is the rule of the schedule by which the time asked for isn't a fire time, although it's a time of
// the cron expression; empty for none.
func (s *schedule) refusal(l i18n.Lang, at time.Time, job statistics.Job) string {
	for fire := range s.expr.Fires(at.Add(-time.Nanosecond), s.zone) {
		if !fire.Nominal.Before(at.Add(within(at))) {
			break
		}
		switch fire.Refused {
		case quartz.ExcludeProp:
			return l.PastExcluded(fire.Nominal.In(s.zone).Format(time.DateOnly), job.FireRules.Exclude)
		case quartz.FromProp:
			return l.PastBeforeFrom(job.FireRules.From)
		case quartz.UntilProp:
			return l.PastAfterUntil(job.FireRules.Until)
		}
	}
	return ""
}

// sameSchedule reports whether the job is known to have had the schedule at an earlier time as well.
func sameSchedule(in *Input, job statistics.Job, at time.Time) bool {
	earlier := *in
	earlier.At = at
	then, known := jobAt(&earlier)
	return known && then.Cron == job.Cron && then.TimeZone == job.TimeZone &&
		then.ClockChange == job.ClockChange && then.FireRules == job.FireRules
}

// meant chooses the fire time that is meant: the time asked for itself, or else the first one of its minute that
// has no run, although it should have begun. If there's none, it's the first.
func (s *schedule) meant(in *Input, first time.Time) {
	s.fire = first
	s.next, _ = s.expr.Next(first, s.zone)
	for fire, end := first, in.At.Add(within(in.At)); !first.Equal(in.At) && fire.Before(end) && !tooEarly(in, fire); {
		next, more := s.expr.Next(fire, s.zone)
		if runOf(in.Runs, fire, next) == nil {
			s.fire, s.next = fire, next
			return
		}
		if !more {
			return
		}
		fire = next
	}
}

// tooEarly reports whether the run of a fire time may still begin.
func tooEarly(in *Input, fire time.Time) bool { return in.Now.Before(fire.Add(Grace)) }

// has reports whether an instant is a fire time of the schedule.
func (s *schedule) has(at time.Time) bool {
	zone := s.zone
	if zone == nil && s.due {
		zone = time.UTC // It's due in each zone.
	}
	if s.expr == nil || zone == nil {
		return false
	}
	next, ok := s.expr.Next(at.Add(-time.Nanosecond), zone)
	return ok && next.Equal(at)
}

// inSomeZone looks in every zone: the job was due if it was in each of them.
func (s *schedule) inSomeZone(l i18n.Lang, at time.Time) {
	due, zones := 0, 0
	for quarters := -12 * 4; quarters <= 14*4; quarters++ {
		zones++
		next, ok := s.expr.Next(at.Add(-time.Nanosecond), time.FixedZone("", quarters*15*60))
		if ok && next.Before(at.Add(within(at))) {
			due++
			s.fire = next
		}
	}
	if s.due = due == zones; due > 0 && !s.due {
		s.unsure = l.PastNoZone()
	}
}

// within is how long a time asked for is: a minute, or a second if it has seconds.
func within(at time.Time) time.Duration {
	if at.Second() == 0 {
		return time.Minute
	}
	return time.Second
}

// last is the last fire time of a year until an instant, zero for none.
func (s *schedule) last(at time.Time) (last time.Time) {
	const day = 24 * time.Hour
	for _, back := range []time.Duration{time.Minute, time.Hour, day, 32 * day, 367 * day} {
		if last, ok := s.expr.Last(at.Add(-back), at, s.zone); ok {
			return last
		}
	}
	return last
}

// stray returns a run that began soon after the fire time and names none, unless it's of another
// fire time; nil for none.
func (s *schedule) stray(runs []rdb.Run) *rdb.Run {
	for i, r := range runs {
		after := r.Start.Sub(s.fire)
		if !unnamed(r) || after < 0 || after > Around {
			continue
		}
		if s.zone != nil {
			if last := s.last(r.Start.Add(early)); last.After(s.fire) && r.Start.Sub(last) <= Grace {
				continue
			}
		}
		return &runs[i]
	}
	return nil
}

// editedNear reports whether the configuration was written within minutes of the time asked for.
func editedNear(in *Input) bool {
	near := func(t time.Time) bool { return t.Sub(in.At).Abs() <= in.skew() }
	return near(in.Job.Changed) || slices.ContainsFunc(in.Versions, func(v settings.ConfigVersion) bool { return v.User != "" && near(v.At) })
}

// jobAt is the job as it was configured at the time asked for. That is known if the configuration
// wasn't written since, or if each version since then was saved here. An edit some seconds before the time,
// or minutes after it, may have been on either side, as agents and their clocks see it.
func jobAt(in *Input) (job statistics.Job, known bool) {
	job = in.Job
	if in.At.Before(job.Created) {
		return job, false
	}
	if job.Changed.Before(in.At.Add(-Grace)) {
		return job, true
	}
	made := "" // the second part of a revision: the same for all versions of one job
	for version := int64(job.ConfigVersion); version >= 0; version-- {
		found := false
		for _, v := range in.Versions {
			number, of, _ := strings.Cut(v.Revision, "-")
			if number != strconv.FormatInt(version, 10) || made != "" && of != made {
				continue
			}
			found, made = true, of
			switch saved := v.User != "" || version == 0; {
			case version == 0 && job.Created.Before(in.At.Add(-Grace)), saved && v.At.Before(in.At.Add(-Grace)):
				return as(job, v.Document)
			case !saved || !v.At.After(in.At.Add(in.skew())):
				return job, false
			}
			break
		}
		if !found {
			break
		}
	}
	return job, false
}

// as is the job with another configuration.
func as(job statistics.Job, document string) (statistics.Job, bool) {
	c, err := jobconfig.Decode([]byte(document))
	if err != nil {
		return job, false
	}
	job.OneOff = c.OneOff()
	job.Cron, job.TimeZone, job.Shards, job.ClockChange = c.Cron, c.TimeZone, c.Shards, c.Props[quartz.ClockChangeProp]
	job.FireRules = statistics.FireRules{From: c.Props[quartz.FromProp], Until: c.Props[quartz.UntilProp],
		Exclude: c.Props[quartz.ExcludeProp], Jitter: c.Props[quartz.JitterProp], Zone: c.Props[quartz.ZoneProp]}
	return job, true
}
