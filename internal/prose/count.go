package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"text/tabwriter"
)

// finding is a phrase in a file.
type finding struct {
	file string
	at   int // line
	rule int
}

func (f finding) folder() string { return path.Dir(f.file) }
func (f finding) place() string  { return f.file + ":" + strconv.Itoa(f.at) }

// in reports whether the finding is in the file, or below the folder.
func (f finding) in(name string) bool {
	return name == "." || name == f.file || strings.HasPrefix(f.file, name+"/")
}

// line returns the line of the finding.
func (f finding) line(root string) string {
	content, err := os.ReadFile(filepath.Join(root, f.file))
	lines := strings.Split(string(content), "\n")
	if err != nil || f.at > len(lines) {
		return ""
	}
	return strings.TrimSpace(lines[f.at-1])
}

// fileCount is the count of one file.
type fileCount struct {
	words, commentWords int
	wanted              []int // in comments
	findings            []finding
}

// counted is the count of the repository.
type counted struct {
	fileCount
	found numbers
	size  map[string]int // words, by folder
}

// count counts the files of a repository.
func count(root string) (counted, error) {
	files, err := tracked(root)
	if err != nil {
		return counted{}, err
	}
	parts := make([]fileCount, len(files))
	errs := make([]error, len(files))
	rare, frequent := newPhrasebook(rules), newPhrasebook(wanted)
	var wg sync.WaitGroup
	busy := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, file := range files {
		busy <- struct{}{}
		wg.Go(func() {
			parts[i], errs[i] = countFile(root, file, rare, frequent)
			<-busy
		})
	}
	wg.Wait()
	all := counted{fileCount: fileCount{wanted: make([]int, len(wanted))}, found: numbers{}, size: map[string]int{}}
	for i, part := range parts {
		folder := path.Dir(files[i])
		all.size[folder] += part.words
		all.words += part.words
		all.commentWords += part.commentWords
		for j, n := range part.wanted {
			all.wanted[j] += n
		}
		for _, f := range part.findings {
			all.found.add(folder, f.rule)
		}
		all.findings = append(all.findings, part.findings...)
	}
	return all, errors.Join(errs...)
}

func countFile(root, file string, rare, frequent phrasebook) (fileCount, error) {
	content, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		return fileCount{}, err
	}
	c := fileCount{wanted: make([]int, len(wanted))}
	for _, t := range textsOf(file, string(content)) {
		words := wordsOf(t.body)
		c.words += len(words)
		rare.find(words, func(rule, at int) {
			c.findings = append(c.findings, finding{file, t.at + strings.Count(t.body[:at], "\n"), rule})
		})
		if t.comment {
			c.commentWords += len(words)
			frequent.find(words, func(rule, _ int) { c.wanted[rule]++ })
		}
	}
	return c, nil
}

// tracked returns the files that git tracks; without git, the files that .gitignore allows.
func tracked(root string) ([]string, error) {
	list, err := git(root, "ls-files", "-z")
	if err != nil || list == "" {
		return walk(root)
	}
	files := slices.Compact(strings.Split(strings.TrimRight(list, "\x00"), "\x00"))
	return slices.DeleteFunc(files, func(file string) bool {
		info, err := os.Lstat(filepath.Join(root, file))
		return err != nil || !info.Mode().IsRegular()
	}), nil
}

func walk(root string) ([]string, error) {
	ignored := []string{".git", "node_modules"}
	patterns, err := os.ReadFile(filepath.Join(root, ".gitignore"))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	for line := range strings.Lines(string(patterns)) {
		if pattern := strings.TrimRight(strings.TrimSpace(line), "/"); pattern != "" && pattern[0] != '#' {
			ignored = append(ignored, pattern)
		}
	}
	var files []string
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		skip := slices.ContainsFunc(ignored, func(pattern string) bool {
			seen := path.Base(name)
			if strings.Contains(pattern, "/") {
				seen = "/" + name
			}
			match, _ := path.Match(pattern, seen)
			return match
		})
		switch {
		case skip && d.IsDir():
			return fs.SkipDir
		case !skip && d.Type().IsRegular():
			files = append(files, name)
		}
		return nil
	})
	return files, err
}

// git returns the output of a git command.
func git(root string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = root
	out, err := cmd.Output()
	return string(out), err
}

// The table shows packages of this size, at most so many of them.
const (
	leastWords = 300
	worst      = 10
)

// table prints how often the phrases are in 10,000 words: of the worst packages and of all.
func (c counted) table(w io.Writer) {
	rate := func(found, words int) float64 { return 1e4 * float64(found) / float64(max(words, 1)) }
	sum := func(folder string) float64 { return rate(c.found.in(folder), c.size[folder]) }
	folders := slices.DeleteFunc(c.found.folders(), func(f string) bool { return c.size[f] < leastWords })
	slices.SortFunc(folders, func(a, b string) int { return cmp.Compare(sum(b), sum(a)) })
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(name, words string, sum float64, cell func(rule int) float64) {
		fmt.Fprintf(t, "%s\t%.0f\t", words, sum)
		for i := range rules {
			fmt.Fprintf(t, "%.1f\t", cell(i))
		}
		fmt.Fprintln(t, "  "+name)
	}
	fmt.Fprint(t, "words\tsum\t")
	for _, r := range rules {
		fmt.Fprint(t, r.name+"\t")
	}
	fmt.Fprintln(t, "  per 10,000 words")
	for _, f := range folders[:min(worst, len(folders))] {
		row(f, fmt.Sprint(c.size[f]), sum(f), func(i int) float64 { return rate(c.found[f][i], c.size[f]) })
	}
	row("all packages", fmt.Sprint(c.words), rate(len(c.findings), c.words), func(i int) float64 { return rate(c.found.sum(i), c.words) })
	goal := 0.0
	for _, r := range rules {
		goal += r.target
	}
	row("at most", "", goal, func(i int) float64 { return rules[i].target })
	_ = t.Flush() // As for the other output, a closed pipe is no error.
	fmt.Fprint(w, "In 10,000 words of comments:")
	for i, r := range wanted {
		fmt.Fprintf(w, " %s %.1f (at least %.0f)", r.name, rate(c.wanted[i], c.commentWords), r.target)
	}
	fmt.Fprintln(w)
}
