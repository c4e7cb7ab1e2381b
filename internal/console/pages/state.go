package pages

import (
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// stateLook is how the state of a job appears.
func stateLook(l i18n.Lang, s health.State) (ui.Tone, string) {
	switch s {
	case health.Healthy:
		return ui.ToneOK, l.HealthHealthy()
	case health.Running:
		return ui.ToneRun, l.HealthRunning()
	case health.Disabled:
		return ui.ToneOff, l.HealthDisabled()
	case health.Resharding:
		return ui.ToneWarn, l.HealthResharding()
	case health.Late:
		return ui.ToneWarn, l.HealthLate()
	case health.Failing:
		return ui.ToneBad, l.HealthFailing()
	case health.Down:
		return ui.ToneBad, l.HealthDown()
	case health.Unreadable:
		return ui.ToneBad, l.HealthUnreadable()
	case health.Reading:
		return ui.ToneWarn, l.HealthReading()
	case query.Held:
		return ui.ToneOff, l.HoldHeld()
	}
	return ui.ToneQuiet, string(s)
}

// healthChip is the state in the head of a job's page. Its title says what the
// registry alone tells.
func healthChip(l i18n.Lang, h health.Health, j statistics.Job) ui.Chip {
	tone, label := stateLook(l, h.State)
	title := string(j.Status)
	if j.Reason != "" {
		title += ": " + j.Reason
	}
	return ui.Chip{Tone: tone, Label: label, Title: title, TestID: "status"}
}
