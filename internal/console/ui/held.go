package ui

import (
	"slices"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// HeldNote is the note about a hold on the pages of a job; nil if the job isn't held.
func HeldNote(l i18n.Lang, job statistics.JobDetail, operates bool) *ui.Note {
	h := job.Held
	if !slices.Contains(app.Holds, h.What) {
		return nil
	}
	n := ui.Note{Tone: ui.ToneWarn, Title: HeldBy(l, h), Text: health.Holds(l, h.What), TestID: "held"}
	if operates {
		n.Action = &ui.Button{Label: l.HoldRelease(), Post: app.JobPath("/jobs", job.Name, app.Release.Verb), Small: true, TestID: "release"}
	}
	return &n
}

// HeldBy is who holds a job since when, and why.
func HeldBy(l i18n.Lang, h jobrun.Hold) string {
	since := view.DateTime(h.At).Text
	if h.Reason != "" {
		return l.HoldByWhy(h.By, since, strings.TrimRight(h.Reason, "."))
	}
	return l.HoldBy(h.By, since)
}

// HoldChoices are the parts of a job that can be held, one of them chosen.
func HoldChoices(l i18n.Lang, chosen jobrun.Held) (list []ui.Choice) {
	for _, what := range app.Holds {
		c := ui.Choice{Value: string(what), Selected: what == chosen}
		switch what {
		case jobrun.HeldSchedule:
			c.Label, c.Text = l.HoldSchedule(), l.HoldScheduleNote()
		case jobrun.HeldRequests:
			c.Label, c.Text = l.HoldRequests(), l.HoldRequestsNote()
		case jobrun.HeldAll:
			c.Label = l.HoldAll()
		}
		list = append(list, c)
	}
	return list
}
