package ui

import (
	"slices"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// MostLanes is the number of shards up to which a timeline draws all of them. For more it
	// draws the SlowestLanes and all that did not succeed, and on request up to AllLanes.
	MostLanes    = 50
	SlowestLanes = 30
	AllLanes     = 1000
	// NarrowestBar is the width of the shortest bar of a lane.
	NarrowestBar = 0.004
	// GridShards bounds the shards of a grid, MostCells the cells of a chart of all shards.
	GridShards = 24
	MostCells  = 5000
	// StripRuns bounds the runs of a strip.
	StripRuns = 20
)

// The lines of a log on a page. For a process that goes on there are as many as fit without
// scrolling, so that the last line stays in sight.
const (
	FollowedLines = 18
	AllLines      = 5000
)

// MaxRequestForm bounds the form of a request for a run: 64 KiB of parameters, of which browsers
// write some characters as nine.
const MaxRequestForm = 256 << 10

// Cells are the shards of a run in a list, at most [runs.MaxCells]. If there are more, shards that did
// not succeed come first.
func Cells(list []ui.Tone) []ui.Tone {
	if len(list) <= runs.MaxCells {
		return list
	}
	last := map[ui.Tone]int{ui.ToneOK: 1}
	slices.SortStableFunc(list, func(a, b ui.Tone) int { return last[a] - last[b] })
	return list[:runs.MaxCells]
}

// LaneShown reports whether a timeline of so many shards draws the shard at an index, the slowest
// shards first. wanted means that it must be drawn if there is room.
func LaneShown(i, shards int, wanted bool) bool {
	return shards <= MostLanes || i < SlowestLanes || wanted
}

// TimeAxis places instants between a begin and an end. After the end there is some room.
type TimeAxis struct {
	Begin, End time.Time
	Lang       i18n.Lang
}

// At is the place of an instant.
func (a TimeAxis) At(t time.Time) float64 {
	whole := float64(a.End.Sub(a.Begin)) * 1.02
	return min(max(float64(t.Sub(a.Begin))/whole, 0), 1)
}

// tickSteps are the distances between the marks of an axis of time.
var tickSteps = []time.Duration{
	time.Millisecond, 2 * time.Millisecond, 5 * time.Millisecond, 10 * time.Millisecond, 20 * time.Millisecond, 50 * time.Millisecond,
	100 * time.Millisecond, 200 * time.Millisecond, 500 * time.Millisecond, time.Second, 2 * time.Second, 5 * time.Second, 10 * time.Second, 15 * time.Second,
	30 * time.Second, time.Minute, 2 * time.Minute, 5 * time.Minute, 10 * time.Minute, 15 * time.Minute, 30 * time.Minute, time.Hour, 2 * time.Hour,
	6 * time.Hour, 12 * time.Hour, 24 * time.Hour, 48 * time.Hour, 7 * 24 * time.Hour, 30 * 24 * time.Hour, 365 * 24 * time.Hour,
}

// Ticks are at most six marks of the axis. The first one has the begin.
func (a TimeAxis) Ticks() []chart.Tick {
	whole := a.End.Sub(a.Begin)
	step := tickSteps[len(tickSteps)-1]
	for _, s := range tickSteps {
		if whole/s <= 4 {
			step = s
			break
		}
	}
	list := []chart.Tick{{Label: a.Begin.UTC().Format("15:04:05")}}
	for after := step; after < whole && len(list) < 6; after += step {
		list = append(list, chart.Tick{At: a.At(a.Begin.Add(after)), Label: "+" + Took(a.Lang, after)})
	}
	return list
}
