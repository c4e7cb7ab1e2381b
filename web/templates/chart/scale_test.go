package chart

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestScales(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"the middle", Linear(5, 0, 10), 0.5},
		{"below", Linear(-1, 0, 10), 0},
		{"above", Linear(11, 0, 10), 1},
		{"no range", Linear(5, 5, 5), 0},
		{"nothing known", Linear(math.NaN(), 0, 1), 0},
		{"nine of 1,600 is seen", Root(9, 1600), 0.075},
		{"none", Root(0, 1600), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

// Whatever the numbers, a scale stays within its axis and keeps their order.
func TestScalesOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.Float64Range(0, 1e9).Draw(rt, "a"), rapid.Float64Range(0, 1e9).Draw(rt, "b")
		low, high := rapid.Float64Range(0.001, 1e6).Draw(rt, "low"), rapid.Float64Range(0.001, 1e9).Draw(rt, "high")
		for name, scale := range map[string]func(float64) float64{
			"linear": func(v float64) float64 { return Linear(v, low, high) },
			"root":   func(v float64) float64 { return Root(v, high) },
		} {
			x, y := scale(min(a, b)), scale(max(a, b))
			if x < 0 || y > 1 || x > y {
				rt.Fatalf("%s: %v and %v of %v..%v lie at %v and %v", name, a, b, low, high, x, y)
			}
		}
	})
}
