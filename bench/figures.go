package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"
)

// figure is one measured quantity. Smaller is always better.
type figure struct {
	name, unit string
	values     []float64 // one per round
	limit      float64   // +Inf if the figure has none
	worst      bool      // the limit is for the worst round instead of the median
	how        string    // how it was measured
	noted      float64   // the value of Java 3.0.4 on such a machine, measured once; 0 if unknown
	java       []float64 // the values of Java's agent in this session
}

// atMost adds a figure whose median has a limit.
func (b *bench) atMost(name, unit string, limit float64, how string, values ...float64) *figure {
	f := &figure{name: name, unit: unit, values: values, limit: limit, how: how}
	b.figures = append(b.figures, f)
	return f
}

// worst adds a figure whose largest value has a limit.
func (b *bench) worst(name, unit string, limit float64, how string, values ...float64) *figure {
	f := b.atMost(name, unit, limit, how, values...)
	f.worst = true
	return f
}

// note adds a figure without a limit.
func (b *bench) note(name, unit, how string, values ...float64) {
	b.atMost(name, unit, math.Inf(1), how, values...)
}

// percentiles adds two figures of one list of milliseconds.
func (b *bench) percentiles(name string, p50, p99 float64, how string, took []float64) {
	b.atMost(name+"-p50", "ms", p50, how, percentile(took, 50))
	b.atMost(name+"-p99", "ms", p99, how, percentile(took, 99))
}

// compare adds the values of Java's agents to the figures with the same names.
func (b *bench) compare(theirs []*figure) {
	for _, t := range theirs {
		for _, f := range b.figures {
			if f.name == t.name {
				f.java = t.values
			}
		}
	}
}

// value is compared with the limit. If a figure could not be measured, its limit is missed.
func (f *figure) value() float64 {
	switch {
	case len(f.values) == 0:
		return math.NaN()
	case f.worst:
		return slices.Max(f.values)
	}
	return percentile(f.values, 50)
}

func (f *figure) met() bool { return f.value() <= f.limit || math.IsInf(f.limit, 1) }

const tableHeader = "| Figure | Min / median / max | At most | | Java 3.0.4 | Java/ours | How |\n|---|---:|---:|---|---:|---:|---|\n"

// row is the figure's row of the table.
func (f *figure) row() string {
	limit, verdict, theirs := number(f.limit), "ok", spread(f.java)
	switch {
	case math.IsInf(f.limit, 1):
		limit, verdict = "", ""
	case !f.met():
		verdict = "**missed**"
	}
	if f.worst && limit != "" && len(f.values) > 1 {
		limit = "max " + limit
	}
	if theirs == "" && f.noted != 0 {
		theirs = number(f.noted) + " (noted)"
	}
	return fmt.Sprintf("| %-34s | %s | %s | %s | %s | %s | %s |", "`"+f.name+"`", spread(f.values)+" "+f.unit, limit, verdict, theirs, f.ratio(), f.how)
}

// ratio compares Java with us: its values of this session, or else the noted one.
func (f *figure) ratio() string {
	java, ours := f.noted, f.value()
	if len(f.java) > 0 {
		java = percentile(f.java, 50)
	}
	switch {
	case java == 0 || math.IsNaN(ours) || math.IsInf(ours, 1) || math.IsInf(java, 1):
		return ""
	case ours == 0:
		return "all"
	}
	return number(java/ours) + " x"
}

// spread is "minimum / median / maximum", or the only value.
func spread(values []float64) string {
	switch len(values) {
	case 0:
		return ""
	case 1:
		return number(values[0])
	}
	return number(slices.Min(values)) + " / " + number(percentile(values, 50)) + " / " + number(slices.Max(values))
}

// tooLong is the time that agents get for each thing that is measured, and never is the value
// of a round in which they needed longer.
const tooLong = time.Minute

var never = math.Inf(1)

// number formats the significant digits.
func number(v float64) string {
	digits := 3
	switch size := math.Abs(v); {
	case math.IsInf(v, 1):
		return fmt.Sprintf("not within %v", tooLong)
	case v == math.Trunc(v) || size >= 100:
		digits = 0
	case size >= 10:
		digits = 1
	case size >= 0.1:
		digits = 2
	}
	return strconv.FormatFloat(v, 'f', digits, 64)
}

// percentile returns the smallest value that is not less than this percentage of the values.
func percentile[T cmp.Ordered](values []T, percent float64) T {
	sorted := slices.Sorted(slices.Values(values))
	at := int(math.Ceil(float64(len(sorted))*percent/100)) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}

func millis(d time.Duration) float64 { return float64(d.Microseconds()) / 1e3 }
