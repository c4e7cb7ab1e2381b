package ui

import (
	"cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
)

// NoFire is the reason why a job has no next fire time.
func NoFire(l i18n.Lang, why view.NoFire) string {
	switch why {
	case view.NoFireUnknown:
		return l.JobsNoFireUnknown()
	case view.NoFireNoCron:
		return l.JobsNoFireNoCron()
	case view.NoFireBadCron:
		return l.JobsNoFireBadCron()
	case view.NoFireBadZone:
		return l.JobsNoFireBadZone()
	case view.NoFireNever:
		return l.JobsNoFireNever()
	case view.NoFireNoInstances:
		return l.JobsNoFireNoInstance()
	case view.NoFireDisabled:
		return l.JobsNoFireDisabled()
	case view.NoFireHeld:
		return l.JobsNoFireHeld()
	}
	return string(why)
}

// Zone is the zone of a schedule.
func Zone(l i18n.Lang, p view.Plan, j statistics.Job) string {
	if p.OfAgents() {
		return l.JobsZoneOfAgent()
	}
	return jobtree.Shown(j.Zone())
}

// CronWords is a schedule in words, empty if they add nothing to the expression.
func CronWords(l i18n.Lang, j statistics.Job) string {
	if words := cronwords.Text(l, j.Cron); words != j.Cron {
		return words
	}
	return ""
}

// CronTitle is a schedule in words, or its expression, with its zone.
func CronTitle(l i18n.Lang, p view.Plan, j statistics.Job) string {
	words := CronWords(l, j)
	if zone := Zone(l, p, j); zone != "" {
		return cmp.Or(words, jobtree.Shown(j.Cron)) + " · " + zone
	}
	return cmp.Or(words, jobtree.Shown(j.Cron))
}

// RefusedWords is the reason why times of a schedule aren't fire times, with the number of several times.
func RefusedWords(l i18n.Lang, u quartz.Upcoming) string {
	why := jobs.RefusedWhy(l, u.Refused)
	switch {
	case u.Count < 2:
		return why
	case u.Last.IsZero():
		return l.JobRefusedMore(u.Count, why)
	}
	return l.JobRefusedMany(u.Count, why)
}
