package editor

import (
	"strconv"
	"strings"
)

// LineKind says what became of a line.
type LineKind uint8

// The kinds of lines.
const (
	Same LineKind = iota
	Added
	Removed
	// Gap stands for lines that are the same and left out.
	Gap
)

// Line is one line of a difference. No is its number: of the new text, or of the
// old one if it was removed.
type Line struct {
	Kind LineKind
	No   int
	Text string
}

// Number is No as it is printed; empty for a gap.
func (l Line) Number() string {
	if l.Kind == Gap {
		return ""
	}
	return strconv.Itoa(l.No)
}

// contextLines is how many lines that are the same stand around a change.
const contextLines = 2

// mostCompared bounds the table of a comparison. Texts that differ in more are
// shown as a whole, the old one and then the new one.
const mostCompared = 4 << 20

// Lines are the lines in which two texts differ, with a few around them; none if
// they are the same.
func Lines(before, after string) []Line {
	if before == after {
		return nil
	}
	return fold(compare(split(before), split(after)))
}

func split(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// compare finds the longest common sequence of lines.
func compare(a, b []string) []Line {
	start := 0
	for start < len(a) && start < len(b) && a[start] == b[start] {
		start++
	}
	end := 0
	for end < len(a)-start && end < len(b)-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	var list []Line
	for i := range start {
		list = append(list, Line{Same, i + 1, b[i]})
	}
	list = append(list, middle(a[start:len(a)-end], b[start:len(b)-end], start)...)
	for i := len(b) - end; i < len(b); i++ {
		list = append(list, Line{Same, i + 1, b[i]})
	}
	return list
}

// middle compares what is left between lines that are the same; offset is how many
// stand before.
func middle(a, b []string, offset int) []Line {
	var list []Line
	remove := func(i int) { list = append(list, Line{Removed, offset + i + 1, a[i]}) }
	add := func(j int) { list = append(list, Line{Added, offset + j + 1, b[j]}) }
	if len(a)*len(b) > mostCompared {
		for i := range a {
			remove(i)
		}
		for j := range b {
			add(j)
		}
		return list
	}
	// common[i][j] is the length of the longest common sequence of a[i:] and b[j:].
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			list = append(list, Line{Same, offset + j + 1, b[j]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			remove(i)
			i++
		default:
			add(j)
			j++
		}
	}
	return list
}

// fold leaves out the lines that are far from every change.
func fold(list []Line) []Line {
	near := make([]bool, len(list))
	for i, l := range list {
		if l.Kind == Same {
			continue
		}
		for k := max(0, i-contextLines); k <= min(len(list)-1, i+contextLines); k++ {
			near[k] = true
		}
	}
	var short []Line
	for i, l := range list {
		switch {
		case near[i]:
			short = append(short, l)
		case i == 0 || near[i-1]:
			short = append(short, Line{Kind: Gap, Text: "…"})
		}
	}
	return short
}
