package main

import (
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// numbers are findings by folder and rule.
type numbers map[string][]int

func (n numbers) add(folder string, rule int) {
	if n[folder] == nil {
		n[folder] = make([]int, len(rules))
	}
	n[folder][rule]++
}

func (n numbers) folders() []string { return slices.Sorted(maps.Keys(n)) }

// in returns the findings of a folder.
func (n numbers) in(folder string) int {
	sum := 0
	for _, found := range n[folder] {
		sum += found
	}
	return sum
}

// sum returns the findings of a rule.
func (n numbers) sum(rule int) int {
	sum := 0
	for _, found := range n {
		sum += found[rule]
	}
	return sum
}

func (n numbers) total() int {
	sum := 0
	for folder := range n {
		sum += n.in(folder)
	}
	return sum
}

const storedHead = "# Written by make prose ARGS=--update. Don't raise a number: write the text in another way.\n"

func (n numbers) write(file string) error {
	var b strings.Builder
	b.WriteString(storedHead + "package")
	for _, r := range rules {
		b.WriteString(" " + r.name)
	}
	for _, folder := range n.folders() {
		b.WriteString("\n" + folder)
		for _, found := range n[folder] {
			fmt.Fprintf(&b, " %d", found)
		}
	}
	return os.WriteFile(file, []byte(b.String()+"\n"), 0o644)
}

// readNumbers reads what write has written. A rule that the file doesn't know has no findings allowed.
func readNumbers(file string) (numbers, error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var columns []string
	n := numbers{}
	for i, line := range strings.Split(string(content), "\n") {
		cells := strings.Fields(line)
		switch {
		case len(cells) == 0 || cells[0] == "#":
		case columns == nil:
			columns = cells
		case len(cells) != len(columns):
			return nil, fmt.Errorf("%s:%d has %d cells, want %d", file, i+1, len(cells), len(columns))
		default:
			n[cells[0]] = make([]int, len(rules))
			for j, cell := range cells[1:] {
				rule := slices.IndexFunc(rules, func(r rule) bool { return r.name == columns[j+1] })
				number, err := strconv.Atoi(cell)
				if err != nil || rule < 0 {
					return nil, fmt.Errorf("%s:%d: the column %s with %q can't be read", file, i+1, columns[j+1], cell)
				}
				n[cells[0]][rule] = number
			}
		}
	}
	return n, nil
}

var hunk = regexp.MustCompile(`^@@ \S+ \+(\d+)(?:,(\d+))? @@`)

// newerLines returns the lines of a folder that are newer than the stored numbers, as file:line, or
// nil without git.
func newerLines(root, folder string) map[string]bool {
	base, err := git(root, "log", "-1", "--format=%H", "--", storedFile)
	if err != nil || base == "" {
		return nil
	}
	diff, err := git(root, "diff", "-U0", "--no-color", "--no-ext-diff", "--relative", "--src-prefix=a/", "--dst-prefix=b/", strings.TrimSpace(base), "--", folder)
	if err != nil {
		return nil
	}
	lines, file := map[string]bool{}, ""
	for line := range strings.Lines(diff) {
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file = strings.TrimSpace(name)
		}
		if m := hunk.FindStringSubmatch(line); m != nil {
			from, _ := strconv.Atoi(m[1])
			many := 1
			if m[2] != "" {
				many, _ = strconv.Atoi(m[2])
			}
			for i := range many {
				lines[file+":"+strconv.Itoa(from+i)] = true
			}
		}
	}
	return lines
}
