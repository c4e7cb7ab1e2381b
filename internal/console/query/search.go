package query

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/statistics"
)

// MaxSearch bounds what is looked for, in bytes; more is cut off.
const MaxSearch = 100

// Hit is a job that a search found.
type Hit struct {
	Job statistics.Job
	// Parts is the name, cut so that every second part, from the second on, is what
	// was looked for.
	Parts []string
}

// SearchJobs finds the jobs whose name has the letters of text in their order, in
// capitals or not, the best first: the name itself, names that begin with it, that
// have it at the start of a word, that have it, then those that have its letters.
func SearchJobs(jobs []statistics.Job, text string, most int) []Hit {
	text = strings.ToLower(strings.TrimSpace(text))
	text = text[:min(len(text), MaxSearch)]
	if text == "" || most <= 0 {
		return nil
	}
	type found struct{ job, score, at, size int }
	var all []found
	for i := range jobs {
		if score, at, size := rate(strings.ToLower(jobs[i].Name), text); score > 0 {
			all = append(all, found{i, score, at, size})
		}
	}
	slices.SortFunc(all, func(a, b found) int {
		x, y := jobs[a.job].Name, jobs[b.job].Name
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
	})
	hits := make([]Hit, 0, most)
	for _, f := range all[:min(len(all), most)] {
		name := jobs[f.job].Name
		parts := []string{name}
		if f.at >= 0 && f.at+f.size <= len(name) {
			parts = []string{name[:f.at], name[f.at : f.at+f.size], name[f.at+f.size:]}
		}
		hits = append(hits, Hit{Job: jobs[f.job], Parts: parts})
	}
	return hits
}

// rate says how well a name fits: 0 not at all. at is where the text stands as a
// whole, -1 if it does not.
func rate(name, text string) (score, at, size int) {
	switch at := strings.Index(name, text); {
	case name == text:
		return 5, 0, len(text)
	case at == 0:
		return 4, 0, len(text)
	case at > 0:
		for from := at; from >= 0; { // the start of a word is better
			if strings.ContainsRune("-_. /:", rune(name[from-1])) {
				return 3, from, len(text)
			}
			next := strings.Index(name[from+1:], text)
			if next < 0 {
				break
			}
			from += 1 + next
		}
		return 2, at, len(text)
	}
	for _, letter := range text {
		next := strings.IndexRune(name, letter)
		if next < 0 {
			return 0, -1, 0
		}
		name = name[next+utf8.RuneLen(letter):]
	}
	return 1, -1, 0
}
