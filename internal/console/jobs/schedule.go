package jobs

import (
	"slices"
	"strings"
	"time"

	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/jobs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// upcomingRows is how many times to come the box of a schedule has.
const upcomingRows = 10

// shownExclusions is how many of the days on which nothing fires the box has.
const shownExclusions = 12

// jobSchedule is when a job fires, and which times its schedule leaves out.
func jobSchedule(l i18n.Lang, j statistics.Job, now time.Time) jobs.Schedule {
	p := view.PlanOf(j, now, view.PlannedFires)
	s := jobs.Schedule{Cron: jobtree.Shown(j.Cron), Words: pageui.CronWords(l, j), Zone: pageui.Zone(l, p, j)}
	if j.Cron == "" {
		s.Note = l.JobNoSchedule()
		if j.Status == statistics.StatusBroken {
			s.Note = l.JobScheduleUnknown()
		}
		return s
	}
	s.Rules = scheduleRules(l, j.FireRules.From, j.FireRules.Until, j.FireRules.Exclude, j.FireRules.Jitter)
	if p.Err != nil {
		s.Error = jobtree.Shown(p.Err.Error())
		return s
	}
	expr, rows := view.UpcomingOf(j, now, upcomingRows)
	for _, u := range rows {
		f := jobs.Fire{At: view.NearTime(l, u.At, now), In: view.InTime(u.At, now), Local: p.Local(u.At)}
		if u.Refused != "" {
			f.Refused = pageui.RefusedWords(l, u)
			if u.Count > 1 && !u.Last.IsZero() {
				last := view.NearTime(l, u.Last, now)
				f.Last = &last
			}
		}
		s.Fires = append(s.Fires, f)
	}
	s.Note = scheduleNote(l, p, expr, now)
	return s
}

// scheduleNote says what becomes of the fire times.
func scheduleNote(l i18n.Lang, p view.Plan, expr *quartz.Expression, now time.Time) string {
	switch p.Why {
	case "":
		if zone := p.Assumed(); zone != "" {
			return l.JobZoneAssumed(zone)
		}
		return ""
	case view.NoFireDisabled:
		return l.JobFiresDisabled()
	case view.NoFireHeld:
		return l.JobFiresHeld()
	case view.NoFireNever:
		if expr != nil {
			if _, until := expr.Window(); !until.IsZero() && !until.After(now) {
				return l.JobFiresEnded(until.UTC().Format(ui.FullTime))
			}
		}
		return l.JobFiresOver()
	}
	return l.JobFiresNobody()
}

// scheduleRules are the properties that say which times are fire times, those that are
// set.
func scheduleRules(l i18n.Lang, from, until, exclude, jitter string) (list []ui.Fact) {
	add := func(label, value, note string) {
		if value != "" {
			list = append(list, ui.Fact{Label: label, Value: jobtree.Shown(value), Note: note, Mono: true})
		}
	}
	add(l.JobRuleFrom(), from, "")
	add(l.JobRuleUntil(), until, "")
	if days := strings.FieldsFunc(exclude, func(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }); len(days) > shownExclusions {
		rest := len(days) - shownExclusions
		add(l.JobRuleExclude(), l.JobRuleExcludeMore(strings.Join(days[:shownExclusions], ", "), rest), "")
	} else {
		add(l.JobRuleExclude(), strings.Join(days, ", "), "")
	}
	add(l.JobRuleJitter(), jitter, l.JobRuleJitterNote())
	return slices.Clip(list)
}
