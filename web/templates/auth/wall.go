package auth

import (
	"fmt"
	"strings"
)

// The wall beside the form: a grid of cells, one path for each kind of cell.
const (
	wallColumns = 12
	wallRows    = 11
	wallStep    = 84
	wallCell    = 58
)

var wallClasses = []string{"wall-1", "wall-2", "wall-3", "wall-own", "wall-run"}

// wallClass spreads the kinds over the grid without a visible pattern.
func wallClass(column, row int) string {
	n := (column*7919 + row*104729 + column*row*31) % 97
	switch {
	case n < 4:
		return "wall-run"
	case n < 11:
		return "wall-own"
	}
	return wallClasses[n%3]
}

// wallPath draws the cells of a kind as rounded squares.
func wallPath(class string) string {
	var d strings.Builder
	for row := range wallRows {
		for column := range wallColumns {
			if wallClass(column, row) == class {
				fmt.Fprintf(&d, "M%d %dh%da10 10 0 0 1 10 10v%da10 10 0 0 1-10 10h-%da10 10 0 0 1-10-10v-%da10 10 0 0 1 10-10z",
					column*wallStep+10-wallCell/2, row*wallStep-wallCell/2, wallCell-20, wallCell-20, wallCell-20, wallCell-20)
			}
		}
	}
	return d.String()
}
