package query

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/elasticjob-go/elasticjob/statistics/explain"

	"github.com/elasticjob-go/elasticjob/internal/console/health"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// terms are the filters in the text of a search: "state:failing zone:gmt mail" are
// two filters and the text "mail".
type terms struct {
	text                             string
	state                            explain.State
	label, server, cause, cron, zone string
	last                             string
	ran                              time.Duration // less than so long ago, or negative: longer ago
	fires                            *window
}

// termKeys are the filters there are.
var termKeys = []string{"state", "label", "server", "cause", "cron", "fires", "zone", "last", "ran"}

// lastResults are what last: can ask for.
var lastResults = []string{"failed", "lost", "ok", "running", "none"}

// word is a part of a search: "state:failing" has a key, other text none.
type word struct{ key, value string }

// String is the word as it is typed.
func (w word) String() string {
	value := w.value
	if strings.ContainsFunc(value, unicode.IsSpace) || w.key == "" && strings.Contains(value, ":") {
		value = `"` + strings.ReplaceAll(value, `"`, "") + `"`
	}
	if w.key == "" {
		return value
	}
	return w.key + ":" + value
}

// words splits a search at its spaces, but not within quotes.
func words(text string) (list []word) {
	quoted := false
	parts := strings.FieldsFunc(text, func(r rune) bool {
		if r == '"' {
			quoted = !quoted
		}
		return !quoted && unicode.IsSpace(r)
	})
	for _, part := range parts {
		key, value, found := strings.Cut(part, ":")
		key = strings.ToLower(key)
		if !found || strings.Trim(key, "abcdefghijklmnopqrstuvwxyz") != "" || key == "" {
			key, value = "", part
		}
		if value = strings.ReplaceAll(value, `"`, ""); key != "" || value != "" {
			list = append(list, word{key, value})
		}
	}
	return list
}

// noFilter says that a key is none of those there are, and which may have been meant.
func noFilter(key string, keys []string) Problem {
	for _, known := range keys {
		if strings.HasPrefix(known, key) || strings.HasPrefix(key, known) {
			return func(l i18n.Lang) string { return l.AddressNoFilterLike(view.Clip(key, 40), known) }
		}
	}
	return func(l i18n.Lang) string { return l.AddressNoFilter(view.Clip(key, 40), strings.Join(keys, ":, ")+":") }
}

// nothingAfter is the problem of a filter without a value.
func nothingAfter(key string) Problem {
	return func(l i18n.Lang) string { return l.AddressTermEmpty(key) }
}

// unknownTerm is the problem of a filter whose value is none of those that are known.
func unknownTerm(key, value, known string) Problem {
	return func(l i18n.Lang) string { return l.AddressTermUnknown(key+":"+view.Clip(value, 40), known) }
}

// noTerm is the problem of a filter that a sentence speaks of.
func noTerm(key, value string, sentence func(l i18n.Lang, term string) string) Problem {
	return func(l i18n.Lang) string { return sentence(l, key+":"+view.Clip(value, 40)) }
}

// parseTerms reads a text. What looks like a filter and is none is left out and
// named in problems.
func parseTerms(text string) (t terms, problems Problems) {
	var free []string
	for _, w := range words(text) {
		if w.key == "" {
			free = append(free, w.value)
			continue
		}
		if problem := t.set(w.key, w.value); problem != nil {
			problems = append(problems, problem)
		}
	}
	t.text = strings.Join(free, " ")
	return t, problems
}

// set sets a filter; the problem is nil if it could.
func (t *terms) set(key, value string) Problem {
	texts := map[string]*string{"label": &t.label, "server": &t.server, "cause": &t.cause, "cron": &t.cron, "zone": &t.zone}
	switch into := texts[key]; {
	case !slices.Contains(termKeys, key):
		return noFilter(key, termKeys)
	case value == "":
		return nothingAfter(key)
	case into != nil:
		*into = strings.ToLower(value)
	case key == "state":
		state, ok := parseHealth(value)
		if !ok {
			return unknownTerm(key, value, stateTexts())
		}
		t.state = state
	case key == "last":
		if !slices.Contains(lastResults, value) {
			return unknownTerm(key, value, strings.Join(lastResults, ", "))
		}
		t.last = value
	case key == "fires":
		w, ok := parseWindow(value)
		if !ok {
			return noTerm(key, value, i18n.Lang.AddressTermWindow)
		}
		t.fires = w
	default:
		ago, ok := parseAgo(value)
		if !ok {
			return noTerm(key, value, i18n.Lang.AddressTermTime)
		}
		t.ran = ago
	}
	return nil
}

// parseAgo reads "<1d" and, as a negative duration, ">12h".
func parseAgo(text string) (time.Duration, bool) {
	units := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}
	if len(text) < 3 || text[0] != '<' && text[0] != '>' {
		return 0, false
	}
	n, err := strconv.Atoi(text[1 : len(text)-1])
	unit := units[text[len(text)-1]]
	if err != nil || unit == 0 || n < 1 || n > 100_000 {
		return 0, false
	}
	ago := time.Duration(n) * unit
	if text[0] == '>' {
		ago = -ago
	}
	return ago, true
}

// Token is a filter in the text of a search, and the search without it.
type Token struct {
	Text    string
	Without Jobs
}

// Tokens are the filters in the text, also those that are none of those there are: they
// can be taken out as well.
func (q Jobs) Tokens() (list []Token) {
	all := words(q.Text)
	for i, w := range all {
		if w.key == "" {
			continue
		}
		var rest []string
		for j, other := range all {
			if j != i {
				rest = append(rest, other.String())
			}
		}
		list = append(list, Token{w.String(), q.WithText(strings.Join(rest, " "))})
	}
	return list
}

// Server is the server whose jobs the text asks for, empty for every one.
func (q Jobs) Server() string {
	t, _ := parseTerms(q.Text)
	return t.server
}

// match reports whether a job is one of those that the text asks for.
func (t *terms) match(j *PlannedJob, seen Seen, now time.Time) bool {
	has := func(text, part string) bool { return part == "" || strings.Contains(strings.ToLower(text), part) }
	switch {
	case t.text != "" && !has(j.Name, t.text) && !has(j.Title, t.text) && !has(j.Description, t.text):
		return false
	case t.state != "" && !j.isIn(t.state),
		!has(j.Label, t.label), !has(j.Cron, t.cron), !has(j.Zone(), t.zone),
		t.server != "" && !seen.OnServer[j.Name],
		t.cause != "" && (j.State != explain.Failing || !fails(seen.Health(j.Job, j.Digest), t.cause)):
		return false
	}
	return t.matchRuns(j.Digest, now) && (t.fires == nil || t.fires.has(*j.Job, now))
}

// fails reports whether a job fails for a cause, by its fingerprint or a part of its
// text in small letters.
func fails(h health.Health, cause string) bool {
	return h.Fingerprint != "" && (h.Fingerprint == cause || strings.Contains(strings.ToLower(h.Cause), cause))
}

// matchRuns looks at when and how a job ran last.
func (t *terms) matchRuns(d *explain.Digest, now time.Time) bool {
	never := d.LastStart.IsZero()
	ago := now.Sub(d.LastStart)
	if t.ran > 0 && (never || ago >= t.ran) || t.ran < 0 && !never && ago <= -t.ran {
		return false
	}
	switch t.last {
	case "failed":
		return len(d.Failed) > 0
	case "lost":
		return len(d.Lost) > 0
	case "running":
		return d.Running > 0
	case "none":
		return never
	case "ok":
		return !never && !d.Bad() && !d.EndedAt.IsZero()
	}
	return true
}

// JobSuggestions are searches that go on from a text. A state is suggested if jobs have it.
func JobSuggestions(text string, states map[explain.State]int) []string {
	list := []string{"fires:02:00-03:00", "ran:<1h", "ran:<1d", "ran:>7d"}
	for _, s := range jobStates {
		if states[s] > 0 {
			list = append(list, "state:"+stateText(s))
		}
	}
	for _, last := range lastResults {
		list = append(list, "last:"+last)
	}
	return suggestions(text, termKeys, list)
}

// suggestions are a text with one more of the words, of whose keys it has none yet.
func suggestions(text string, keys, more []string) (list []string) {
	has := map[string]bool{}
	for _, w := range words(text) {
		has[w.key] = true
	}
	for _, one := range more {
		if key, _, _ := strings.Cut(one, ":"); !has[key] {
			list = append(list, strings.TrimSpace(text+" "+one))
		}
	}
	for _, key := range keys {
		if !has[key] && !slices.ContainsFunc(more, func(one string) bool { return strings.HasPrefix(one, key+":") }) {
			list = append(list, strings.TrimSpace(text+" "+key+":"))
		}
	}
	return list
}
