package pages

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/query"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/jobrun"
	"github.com/elasticjob-go/elasticjob/web/templates/overview"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// heldState says in a list that a job is held, by whom and since when; nil if it is not.
func heldState(l i18n.Lang, h jobrun.Hold, now time.Time) *ui.State {
	if !slices.Contains(console.Holds, h.What) {
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

// heldTiles is the tile of the jobs that are held, none if none is: it stands beside those
// of their states, in which they are counted as well.
func heldTiles(l i18n.Lang, held int) []overview.Tile {
	if held == 0 {
		return nil
	}
	asked, _ := query.ParseJobsPage(nil)
	tone, label := pageui.JobState(l, query.Held)
	return []overview.Tile{{Label: label, Count: view.Thousands(held), Href: asked.WithState(query.Held).Href(), Tone: tone, TestID: "tile-held"}}
}
