package ui

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
)

// FiresBars draws the fires of a day. Jobs that fire in every column get a sentence instead,
// because the peaks would drown in them.
func FiresBars(l i18n.Lang, f view.Fires, now time.Time) (bars *chart.Bars, total string, notes []string) {
	total = l.CardsFiresTotal(f.Total)
	if f.Total == 0 && f.Uncounted == 0 {
		return nil, total, []string{l.CardsFiresNone()}
	}
	drawn := 0
	for _, n := range f.Counts {
		drawn += n
	}
	if drawn > 0 {
		bars = &chart.Bars{UpOnly: true, Axis: []chart.Tick{{At: 0, Label: l.CardsNow(Clock(now))}}}
		peak := slices.Index(f.Counts[:], slices.Max(f.Counts[:]))
		span := func(i int) (from, to string) {
			at := f.From.Add(time.Duration(i) * view.FireStep)
			return Clock(at), Clock(at.Add(view.FireStep))
		}
		for i, n := range f.Counts {
			from, to := span(i)
			column := chart.Column{OK: n}
			if n > 0 {
				column.Title = l.CardsFiresColumn(from, to, l.CardsFiresTotal(n))
			}
			bars.Columns = append(bars.Columns, column)
			if i > 0 && i%(view.FireSteps/4) == 0 {
				bars.Axis = append(bars.Axis, chart.Tick{At: float64(i) / view.FireSteps, Label: from})
			}
		}
		from, to := span(peak)
		bars.Marks = []chart.Tick{{At: (float64(peak) + 0.5) / view.FireSteps, Label: from + " · " + view.Thousands(f.Counts[peak])}}
		bars.Label = l.CardsFiresLabel(l.CardsFiresTotal(drawn), from)
		notes = append(notes, l.CardsPeak(from, to, l.CardsFiresTotal(f.Counts[peak])))
	}
	if f.Steady > 0 {
		notes = append(notes, l.CardsSteady(f.Steady, l.CardsFiresTotal((f.Total-drawn)/view.FireSteps)))
	}
	if f.Uncounted > 0 {
		notes = append(notes, l.CardsUncounted(f.Uncounted))
	}
	return bars, total, notes
}

// Clock is the time of day in UTC, in minutes.
func Clock(t time.Time) string { return t.UTC().Format("15:04") }
