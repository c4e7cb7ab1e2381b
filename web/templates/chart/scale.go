package chart

import (
	"math"
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Linear is where value lies between low and high, 0 to 1. What lies outside is at
// the end; without a range everything is at 0.
func Linear(value, low, high float64) float64 {
	if !(high > low) || math.IsNaN(value) {
		return 0
	}
	return min(1, max(0, (value-low)/(high-low)))
}

// Root is the height of a count on a scale on which few among many are still seen:
// the square root of its share of most.
func Root(count, most float64) float64 { return math.Sqrt(Linear(count, 0, most)) }

// Percent writes a share of 1 as a coordinate: 37.5%.
func Percent(share float64) string {
	return strconv.FormatFloat(math.Round(share*10000)/100, 'f', -1, 64) + "%"
}

// pixels writes a length: 12 or 12.5.
func pixels(length float64) string {
	return strconv.FormatFloat(math.Round(length*10)/10, 'f', -1, 64)
}

// box is a rectangle as part of a path.
func box(x, y, width, height float64) string {
	return "M" + pixels(x) + " " + pixels(y) + "h" + pixels(width) + "v" + pixels(height) + "h-" + pixels(width) + "z"
}

// shapes are paths by their class, in the order in which the classes came.
type shapes struct {
	classes []string
	paths   map[string]*strings.Builder
}

func (m *shapes) add(class, d string) {
	if m.paths == nil {
		m.paths = map[string]*strings.Builder{}
	}
	if m.paths[class] == nil {
		m.paths[class] = &strings.Builder{}
		m.classes = append(m.classes, class)
	}
	m.paths[class].WriteString(d)
}

func (m *shapes) path(class string) string { return m.paths[class].String() }

// fill is the class of a solid mark of a tone.
func fill(tone ui.Tone) string { return "f-" + string(tone) }

// stroke is the class of what is drawn as a thick line: of what succeeded or failed.
func stroke(tone ui.Tone) string {
	if tone == ui.ToneBad {
		return "bar-failed"
	}
	return "bar-ok"
}

// Pixels writes a length: 12 or 12.5.
func Pixels(length float64) string { return pixels(length) }
