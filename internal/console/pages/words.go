package pages

import (
	"cmp"

	"github.com/elasticjob-go/elasticjob/internal/console/cronwords"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/statistics"
)

// noFire says why a job has no next fire.
func noFire(l i18n.Lang, why view.NoFire) string {
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

// zoneLabel names the zone of a schedule.
func zoneLabel(l i18n.Lang, p view.Plan, j statistics.Job) string {
	if p.OfAgents() {
		return l.JobsZoneOfAgent()
	}
	return jobtree.Shown(j.Zone())
}

// cronWords says a schedule in words, empty where words would say no more than the
// expression.
func cronWords(l i18n.Lang, j statistics.Job) string {
	if words := cronwords.Text(l, j.Cron); words != j.Cron {
		return words
	}
	return ""
}

// cronTitle says a schedule in words, with its zone.
func cronTitle(l i18n.Lang, p view.Plan, j statistics.Job) string {
	words := cronWords(l, j)
	if zone := zoneLabel(l, p, j); zone != "" {
		return cmp.Or(words, jobtree.Shown(j.Cron)) + " · " + zone
	}
	return cmp.Or(words, jobtree.Shown(j.Cron))
}
