package explain

import (
	"cmp"
	"hash/fnv"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// maxHeadline is how many characters of a failure's first line are shown.
const maxHeadline = 160

// Headline returns the first line of a failure that isn't blank.
func Headline(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) > maxHeadline {
		line = string([]rune(line)[:maxHeadline-1]) + "…"
	}
	return line
}

// shortWords is how many words of a failure are in a reason.
const shortWords = 3

// Short returns a failure in up to three words: the end of its first line, because
// programs put the reason there.
func Short(headline string) string {
	parts := strings.Split(headline, ": ")
	for _, part := range slices.Backward(parts) {
		if part = strings.TrimRight(words(part, shortWords), ",.;:"); part != "" {
			return part
		}
	}
	return ""
}

var (
	quoted = regexp.MustCompile("\"[^\"]*\"|'[^']*'|`[^`]*`|«[^»]*»|“[^”]*”")
	// ids matches words with a digit, between blanks and brackets: numbers,
	// addresses, ports, identifiers of all kinds.
	ids = regexp.MustCompile(`[^\s()\[\]{}<>,;]*[0-9][^\s()\[\]{}<>,;]*`)
)

// Normal returns a failure without the parts that differ from one to the next: digits,
// addresses, ports, identifiers and quoted text.
func Normal(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = quoted.ReplaceAllString(line, "#")
	line = ids.ReplaceAllString(line, "#")
	line = strings.ToLower(strings.Join(strings.FieldsFunc(line, unicode.IsSpace), " "))
	for strings.Contains(line, "# #") {
		line = strings.ReplaceAll(line, "# #", "#")
	}
	return line
}

// Fingerprint returns a name for all failures with the same text, for use in addresses. Lost
// runs have a fingerprint too.
func Fingerprint(text string, lost bool) string {
	if lost {
		return "lost"
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(Normal(text)))
	return strconv.FormatUint(h.Sum64()>>16, 16)
}

// Cause is why jobs fail alike.
type Cause struct {
	Fingerprint string
	// Text is the failure of the job that failed first; it may hold secrets. It is
	// empty for runs that were lost.
	Text string
	// Jobs are the names of the jobs, sorted.
	Jobs []string
	// Since is when the first of them began to fail; zero if that isn't known.
	Since time.Time
}

// Causes groups failing jobs by their cause. The cause with the most jobs is the first; of
// two with as many jobs, the older one.
func Causes(names []string, of []Judgement) []Cause {
	by := map[string]*Cause{}
	var list []*Cause
	for i, h := range of {
		fingerprint := h.Fingerprint()
		if fingerprint == "" {
			continue
		}
		c := by[fingerprint]
		if c == nil {
			c = &Cause{Fingerprint: fingerprint, Text: h.Runs.Cause, Since: h.Since}
			by[fingerprint] = c
			list = append(list, c)
		}
		c.Jobs = append(c.Jobs, names[i])
		if h.Since.Before(c.Since) {
			c.Since, c.Text = h.Since, h.Runs.Cause
		}
	}
	causes := make([]Cause, len(list))
	for i, c := range list {
		slices.Sort(c.Jobs)
		causes[i] = *c
	}
	slices.SortStableFunc(causes, func(a, b Cause) int {
		return cmp.Or(cmp.Compare(len(b.Jobs), len(a.Jobs)), a.Since.Compare(b.Since), cmp.Compare(a.Fingerprint, b.Fingerprint))
	})
	return causes
}

// words are the first n words of a text.
func words(text string, n int) string {
	list := strings.Fields(text)
	return strings.Join(list[:min(n, len(list))], " ")
}
