// Command prose counts phrases that make English hard to read, per package, in comments, documents,
// messages of the pages, log lines and errors. Each package has a line of numbers in stored.txt that
// may only go down. The rules, with better wordings, are in docs/style.md.
//
//	tracked files ──▶ texts ──▶ findings ──┬──▶ table of the worst packages
//	                                       └──▶ compared with stored.txt
//
//	go run ./internal/prose                  compare, and fail if a number is higher than stored
//	go run ./internal/prose --update         store lower numbers
//	go run ./internal/prose FOLDER ...       list every finding in these folders
//
// A package that is missing from stored.txt has no findings allowed, unless its text came from
// another package: then no total rises, and --update accepts its numbers.
//
// Generated files, test data, code in documents, `code` in comments and text ~~struck out~~ in
// documents don't count.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// storedFile has the numbers; it belongs to the repository.
const storedFile = "internal/prose/stored.txt"

// mostPlaces is how many places a complaint names.
const mostPlaces = 10

func main() { os.Exit(run(".", os.Args[1:], os.Stdout, os.Stderr)) }

// run returns the exit code: 1 if a number is too high, 2 if the command can't do its work.
func run(root string, args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("prose", flag.ContinueOnError)
	flags.SetOutput(errs)
	update := flags.Bool("update", false, "store lower numbers in "+storedFile)
	if flags.Parse(args) != nil {
		return 2
	}
	c, err := count(root)
	if err != nil {
		fmt.Fprintln(errs, "prose:", err)
		return 2
	}
	if flags.NArg() > 0 {
		c.list(root, flags.Args(), out)
		return 0
	}
	stored, err := readNumbers(filepath.Join(root, storedFile))
	if errors.Is(err, fs.ErrNotExist) && *update { // The first time.
		stored, err = c.found, nil
	}
	if err != nil {
		fmt.Fprintln(errs, "prose:", err)
		return 2
	}
	c.table(out)
	over := c.over(stored, *update)
	for _, o := range over {
		c.complain(root, o, errs)
	}
	now, then := len(c.findings), stored.total()
	switch {
	case len(over) > 0:
		fmt.Fprintf(errs, "prose: %d numbers are higher than stored; docs/style.md has the rules\n", len(over))
		return 1
	case *update:
		if err := c.found.write(filepath.Join(root, storedFile)); err != nil {
			fmt.Fprintln(errs, "prose:", err)
			return 2
		}
		fmt.Fprintf(out, "prose: stored %d findings, %d fewer than before\n", now, then-now)
	default:
		fmt.Fprintf(out, "prose: %d findings, %d stored\n", now, then)
	}
	return 0
}

// excess is a number that is too high.
type excess struct {
	folder       string
	rule         int
	found, limit int
	moved        bool // the text may have come from another package
}

// over returns the numbers that are higher than stored. If moves are accepted, a package that isn't
// stored may have findings of a rule as long as the rule's total doesn't rise.
func (c counted) over(stored numbers, moves bool) []excess {
	var found []excess
	for _, folder := range c.found.folders() {
		limits, known := stored[folder]
		for rule, n := range c.found[folder] {
			limit := 0
			if known {
				limit = limits[rule]
			}
			moved := !known && c.found.sum(rule) <= stored.sum(rule)
			if n > limit && !(moved && moves) {
				found = append(found, excess{folder: folder, rule: rule, found: n, limit: limit, moved: moved})
			}
		}
	}
	return found
}

// complain prints where the findings are, if possible those in lines that are newer than the numbers.
func (c counted) complain(root string, o excess, w io.Writer) {
	r := rules[o.rule]
	fmt.Fprintf(w, "%s: %d × %q, stored are %d. Write %s.\n", o.folder, o.found, r.name, o.limit, r.instead)
	if o.moved {
		fmt.Fprintln(w, "  If this text came from another package, run: make prose ARGS=--update")
	}
	places := slices.DeleteFunc(slices.Clone(c.findings), func(f finding) bool { return f.folder() != o.folder || f.rule != o.rule })
	if newer := newerLines(root, o.folder); newer != nil {
		recent := slices.DeleteFunc(slices.Clone(places), func(f finding) bool { return !newer[f.place()] })
		if len(recent) > 0 {
			places = recent
		}
	}
	for i, f := range places {
		if i == mostPlaces {
			fmt.Fprintf(w, "  … and %d more: make prose ARGS=%s\n", len(places)-i, o.folder)
			break
		}
		fmt.Fprintf(w, "  %s: %s\n", f.place(), f.line(root))
	}
}

// list prints every finding in some files, or below some folders.
func (c counted) list(root string, names []string, w io.Writer) {
	listed := 0
	for _, f := range c.findings {
		if slices.ContainsFunc(names, func(name string) bool { return f.in(filepath.ToSlash(filepath.Clean(name))) }) {
			listed++
			fmt.Fprintf(w, "%s: %s: write %s: %s\n", f.place(), rules[f.rule].name, rules[f.rule].instead, f.line(root))
		}
	}
	fmt.Fprintf(w, "prose: %d findings in %s\n", listed, strings.Join(names, ", "))
}
