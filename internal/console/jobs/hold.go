package jobs

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// heldState says in a list that a job is held, by whom and since when; nil if it is not.
func heldState(l i18n.Lang, h jobrun.Hold, now time.Time) *ui.State {
	if !slices.Contains(app.Holds, h.What) {
		return nil
	}
	tone, label := pageui.JobState(l, query.Held)
	short := h.By
	if !h.At.IsZero() { // A stranger's node may not say.
		short = l.HoldByShort(h.By, view.NearTime(l, h.At, now).Text)
	}
	return &ui.State{
		Tone: tone, Label: label, Reason: short,
		Title: view.Clip(pageui.HeldBy(l, h), mostSentence) + "\n" + health.Holds(l, h.What), TestID: "held",
	}
}
