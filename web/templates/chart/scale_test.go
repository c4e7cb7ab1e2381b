package chart

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		{"ten between 1 and 100", Log(10, 1, 100), 0.5},
		{"zero has no logarithm", Log(0, 1, 100), 0},
		{"nor has a range from zero", Log(5, 0, 100), 0},
	} {
		if math.Abs(c.got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}

func TestTicks(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		high float64
		n    int
		want []float64
	}{
		{100, 6, []float64{0, 20, 40, 60, 80, 100}},
		{93, 4, []float64{0, 50}},
		{7, 5, []float64{0, 2, 4, 6}},
		{0, 5, []float64{0}},
		{math.Inf(1), 5, []float64{0}},
	} {
		if diff := cmp.Diff(c.want, Ticks(c.high, c.n)); diff != "" {
			t.Errorf("Ticks(%v, %d) (-want +got):\n%s", c.high, c.n, diff)
		}
	}
}

// Whatever the numbers, a scale stays within its axis and keeps their order, and
// ticks are few and within the range.
func TestScalesOfAnything(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a, b := rapid.Float64Range(0, 1e9).Draw(rt, "a"), rapid.Float64Range(0, 1e9).Draw(rt, "b")
		low, high := rapid.Float64Range(0.001, 1e6).Draw(rt, "low"), rapid.Float64Range(0.001, 1e9).Draw(rt, "high")
		for name, scale := range map[string]func(float64) float64{
			"linear": func(v float64) float64 { return Linear(v, low, high) },
			"root":   func(v float64) float64 { return Root(v, high) },
			"log":    func(v float64) float64 { return Log(v, low, high) },
		} {
			x, y := scale(min(a, b)), scale(max(a, b))
			if x < 0 || y > 1 || x > y {
				rt.Fatalf("%s: %v and %v of %v..%v lie at %v and %v", name, a, b, low, high, x, y)
			}
		}
		n := rapid.IntRange(2, 8).Draw(rt, "n")
		if ticks := Ticks(high, n); len(ticks) > n || ticks[len(ticks)-1] > high*1.001 {
			rt.Fatalf("Ticks(%v, %d) = %v", high, n, ticks)
		}
	})
}

func TestPercent(t *testing.T) {
	t.Parallel()
	for share, want := range map[float64]string{0: "0%", 0.375: "37.5%", 1.0 / 3: "33.33%", 1: "100%"} {
		if got := Percent(share); got != want {
			t.Errorf("Percent(%v) = %s, want %s", share, got, want)
		}
	}
}
