package ui

import (
	"github.com/elasticjob-go/elasticjob/internal/console/editor"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// DiffLines are the lines in which two documents differ.
func DiffLines(before, after string) []ui.DiffLine {
	kinds := map[editor.LineKind]ui.DiffKind{
		editor.Same: ui.DiffSame, editor.Gap: ui.DiffSame, editor.Added: ui.DiffAdded, editor.Removed: ui.DiffRemoved,
	}
	var lines []ui.DiffLine
	for _, line := range editor.Lines(before, after) {
		lines = append(lines, ui.DiffLine{No: line.Number(), Kind: kinds[line.Kind], Text: line.Text})
	}
	return lines
}
