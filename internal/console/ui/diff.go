package ui

import (
	"strconv"
	"strings"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

const (
	// diffContext is the number of equal lines around a change.
	diffContext = 2
	// mostCompared bounds the table of a comparison. Longer texts are shown as a whole, the old one
	// and then the new one.
	mostCompared = 4 << 20
)

// DiffLines are the lines in which two texts differ, by their longest common sequence of lines, with
// a few lines around them. It returns nothing for equal texts.
func DiffLines(before, after string) []ui.DiffLine {
	if before == after {
		return nil
	}
	a, b := textLines(before), textLines(after)
	start, end := 0, 0 // equal lines at both ends
	for start < min(len(a), len(b)) && a[start] == b[start] {
		start++
	}
	for end < min(len(a), len(b))-start && a[len(a)-1-end] == b[len(b)-1-end] {
		end++
	}
	common := commonLines(a[start:len(a)-end], b[start:len(b)-end])
	var list []ui.DiffLine
	add := func(no int, kind ui.DiffKind, text string) {
		list = append(list, ui.DiffLine{No: strconv.Itoa(no + 1), Kind: kind, Text: text})
	}
	for i, j := 0, 0; i < len(a) || j < len(b); {
		inside := i >= start && i < len(a)-end || j >= start && j < len(b)-end
		switch {
		case !inside || common != nil && i < len(a)-end && j < len(b)-end && a[i] == b[j]:
			add(j, ui.DiffSame, b[j])
			i, j = i+1, j+1
		case j == len(b)-end || i < len(a)-end && (common == nil || common[i-start+1][j-start] >= common[i-start][j-start+1]):
			add(i, ui.DiffRemoved, a[i])
			i++
		default:
			add(j, ui.DiffAdded, b[j])
			j++
		}
	}
	return foldLines(list)
}

func textLines(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(strings.TrimSuffix(text, "\n"), "\n")
}

// commonLines has at [i][j] the length of the longest common sequence of a[i:] and b[j:]; nil if the
// texts are too long.
func commonLines(a, b []string) [][]int32 {
	if len(a)*len(b) > mostCompared {
		return nil
	}
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
	return common
}

// foldLines leaves out the lines that are far from every change.
func foldLines(list []ui.DiffLine) (short []ui.DiffLine) {
	near := make([]bool, len(list))
	for i, l := range list {
		for k := max(0, i-diffContext); l.Kind != ui.DiffSame && k <= min(len(list)-1, i+diffContext); k++ {
			near[k] = true
		}
	}
	for i, l := range list {
		switch {
		case near[i]:
			short = append(short, l)
		case i == 0 || near[i-1]:
			short = append(short, ui.DiffLine{Text: "…"})
		}
	}
	return short
}
