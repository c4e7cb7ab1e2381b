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

const maxHeadline = 160

// Headline returns the first line of a failure that isn't blank, cut off if it's too long.
func Headline(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	line = strings.Join(strings.Fields(line), " ")
	if utf8.RuneCountInString(line) > maxHeadline {
		line = string([]rune(line)[:maxHeadline-1]) + "…"
	}
	return line
}

const shortWords = 3

// Short returns up to three words from the end of a headline, because programs usually put the
// reason there.
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
	// ids matches words that contain a digit: numbers, addresses, ports, identifiers of all kinds.
	// Blanks and brackets separate words.
	ids = regexp.MustCompile(`[^\s()\[\]{}<>,;]*[0-9][^\s()\[\]{}<>,;]*`)
)

// Normal returns the first line of a failure without the parts that vary: digits, addresses, ports,
// identifiers and quoted text.
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

// Fingerprint returns the same short string for all failures with the same text, for use in URLs.
// All lost runs share a fingerprint.
func Fingerprint(text string, lost bool) string {
	if lost {
		return "lost"
	}
	h := fnv.New64a()
	_, _ = h.Write([]byte(Normal(text)))
	return strconv.FormatUint(h.Sum64()>>16, 16)
}

// Cause is the common failure of some jobs.
type Cause struct {
	Fingerprint string
	// Text is the failure of the job that failed first, and may contain secrets. It's empty for
	// lost runs.
	Text string
	// Jobs are the names of the jobs, sorted.
	Jobs []string
	// Since is when the first of the jobs began to fail; zero if unknown.
	Since time.Time
}

// Causes groups failing jobs by their failure. The cause with the most jobs comes first, and for
// equal numbers the oldest cause.
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

func words(text string, n int) string {
	list := strings.Fields(text)
	return strings.Join(list[:min(n, len(list))], " ")
}
