package pages

import (
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// stateLook is how the state of a job appears.
func stateLook(s health.State) (ui.Tone, string) {
	switch s {
	case health.Healthy:
		return ui.ToneOK, "Healthy"
	case health.Running:
		return ui.ToneRun, "Running"
	case health.Disabled:
		return ui.ToneOff, "Disabled"
	case health.Resharding:
		return ui.ToneWarn, "Resharding"
	case health.Late:
		return ui.ToneWarn, "Late"
	case health.Failing:
		return ui.ToneBad, "Failing"
	case health.Down:
		return ui.ToneBad, "Down"
	case health.Unreadable:
		return ui.ToneBad, "Unreadable"
	case health.Reading:
		return ui.ToneWarn, "Still reading"
	}
	return ui.ToneQuiet, string(s)
}

// healthChip is the state in the head of a job's page. Its title says what the
// registry alone tells.
func healthChip(h health.Health, j statistics.Job) ui.Chip {
	tone, label := stateLook(h.State)
	title := string(j.Status)
	if j.Reason != "" {
		title += ": " + j.Reason
	}
	return ui.Chip{Tone: tone, Label: label, Title: title, TestID: "status"}
}
