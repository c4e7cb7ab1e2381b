package ui

import (
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// JobState is the tone and the label of a job's state.
func JobState(l i18n.Lang, s explain.State) (ui.Tone, string) {
	switch s {
	case explain.Healthy:
		return ui.ToneOK, l.HealthHealthy()
	case explain.Running:
		return ui.ToneRun, l.HealthRunning()
	case explain.Disabled:
		return ui.ToneOff, l.HealthDisabled()
	case explain.Resharding:
		return ui.ToneWarn, l.HealthResharding()
	case explain.Late:
		return ui.ToneWarn, l.HealthLate()
	case explain.Partial:
		return ui.ToneWarn, l.HealthPartial()
	case explain.Unstable:
		return ui.ToneWarn, l.HealthUnstable()
	case explain.Unknown:
		return ui.ToneQuiet, l.HealthUnknown()
	case explain.Blocked:
		return ui.ToneBad, l.HealthBlocked()
	case explain.Ended:
		return ui.ToneOff, l.HealthEnded()
	case explain.Failing:
		return ui.ToneBad, l.HealthFailing()
	case explain.Down:
		return ui.ToneBad, l.HealthDown()
	case explain.Unreadable:
		return ui.ToneBad, l.HealthUnreadable()
	case explain.Reading:
		return ui.ToneWarn, l.HealthReading()
	case explain.Held:
		return ui.ToneOff, l.HoldHeld()
	}
	return ui.ToneQuiet, string(s)
}

// HealthChip is the state in the head of a job's page. Its title is the status in the registry.
func HealthChip(l i18n.Lang, h health.Health, j statistics.Job) ui.Chip {
	tone, label := JobState(l, h.State)
	title := string(j.Status)
	if j.Reason != "" {
		title += ": " + j.Reason
	}
	return ui.Chip{Tone: tone, Label: label, Title: title, TestID: "status"}
}
