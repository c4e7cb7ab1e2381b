package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// figure is one thing that was measured, a few times. Smaller is better for
// all of them.
type figure struct {
	name       string
	unit       string
	values     []float64 // one per round
	target     float64
	reportOnly bool    // only reported: there is no target
	worst      bool    // the target is for the worst round; otherwise for the median
	java       float64 // of Java 3.0.4 on such a machine, as noted once; 0 if it was not
	// beside is what Java's agent needed for the same in this session.
	beside []float64
	// how says in a few words how it was measured, for the document.
	how string
}

// managedWithin is how long agents have for one thing that is measured, and
// unmanaged the value of a round that took them longer.
const managedWithin = time.Minute

var unmanaged = math.Inf(1)

// value is what is compared with the target.
func (f figure) value() float64 {
	if len(f.values) == 0 {
		return math.Inf(1) // What could not be measured has missed.
	}
	if f.worst {
		return slices.Max(f.values)
	}
	return median(f.values)
}

func (f figure) met() bool { return f.reportOnly || f.value() <= f.target }

func (f figure) verdict() string {
	switch {
	case f.reportOnly:
		return ""
	case f.met():
		return "ok"
	}
	return "MISSED"
}

// limit is the target as the document shows it.
func (f figure) limit() string {
	if f.reportOnly {
		return ""
	}
	return number(f.target)
}

// spread is "minimum / median / maximum", or the one value there is.
func spread(values []float64) string {
	switch len(values) {
	case 0:
		return "-"
	case 1:
		return number(values[0])
	}
	return number(slices.Min(values)) + " / " + number(median(values)) + " / " + number(slices.Max(values))
}

// ratio is how many times as much Java needed, measured now or noted before.
func (f figure) ratio() string {
	java := f.java
	if len(f.beside) > 0 {
		java = median(f.beside)
	}
	ours := f.value()
	switch {
	case java == 0 || math.IsInf(ours, 1) || math.IsInf(java, 1):
		return ""
	case ours == 0:
		return "all"
	}
	return number(java/ours) + " x"
}

func (f figure) javaText() string {
	if f.java == 0 {
		return ""
	}
	return number(f.java)
}

// header and row are the lines of the table.
func header() string {
	return fmt.Sprintf("%-32s %-28s %-9s %-7s %-22s %-10s %-10s %s", "FIGURE", "MIN / MEDIAN / MAX", "TARGET", "", "JAVA NOW", "JAVA NOTED", "JAVA/OURS", "")
}

func (f figure) row() string {
	target := "<= " + f.limit()
	switch {
	case f.reportOnly:
		target = ""
	case f.worst && len(f.values) > 1:
		target = "max " + f.limit()
	}
	now := ""
	if len(f.beside) > 0 {
		now = spread(f.beside)
	}
	return strings.TrimRight(fmt.Sprintf("%-32s %-28s %-9s %-7s %-22s %-10s %-10s", f.name, spread(f.values)+" "+f.unit, target, f.verdict(), now, f.javaText(), f.ratio()), " ")
}

// number prints as many digits as carry meaning.
func number(v float64) string {
	switch {
	case math.IsInf(v, 1):
		return fmt.Sprintf("not within %.0f s", managedWithin.Seconds())
	case v == float64(int64(v)):
		return strconv.FormatInt(int64(v), 10)
	case math.Abs(v) >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case math.Abs(v) >= 10:
		return strconv.FormatFloat(v, 'f', 1, 64)
	case math.Abs(v) >= 0.1:
		return strconv.FormatFloat(v, 'f', 2, 64)
	default:
		return strconv.FormatFloat(v, 'f', 3, 64)
	}
}

func median(values []float64) float64 { return percentile(values, 50) }

// percentile is the smallest value that so many per cent do not exceed.
func percentile[T cmp.Ordered](values []T, percent float64) T {
	sorted := slices.Sorted(slices.Values(values))
	at := int(math.Ceil(float64(len(sorted))*percent/100)) - 1
	return sorted[min(max(at, 0), len(sorted)-1)]
}
