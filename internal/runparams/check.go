package runparams

import (
	"fmt"
	"math/big"
	"net/mail"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/spelling"
)

const maxChoice = 20

// Check returns all problems of parameters at once: a
// [github.com/elasticjob-go/elasticjob/jobrun.ParamsError] with a problem per value, the first
// hundred of them, or why they can't be read. No parameters are an empty object.
//
// A null counts as a missing value, as in Go's decoder, or as an empty list or object if it's an
// element of a list.
func (s *Schema) Check(params []byte) error {
	if len(params) == 0 {
		params = []byte("{}")
	}
	root, found, err := readParams(params)
	if err != nil {
		return err
	}
	switch {
	case s == nil:
	case bool(s.Closed) && len(s.Properties) == 0 && len(root.members) > 0:
		found.add(nil, "the job takes none")
	default:
		s.value(root, nil, found)
	}
	return found.err()
}

func (s *Schema) value(n node, at *path, found *problems) {
	refuse := func(want string) { s.refuse(n, at, found, want) }
	number := s.Type == Integer || s.Type == Number
	switch {
	case s.Type == Anything, s.Type == Boolean && n.kind == truth:
	case n.kind == null && (s.Type == Object || s.Type == Array):
	case s.Type == Object && n.kind == object:
		s.object(n, at, found)
	case s.Type == Array && n.kind == list:
		s.array(n, at, found)
	case s.Type == String && n.kind == text && (s.Enum == nil || s.chosen(n)):
		s.text(n, refuse)
	case number && s.number(n):
	case number:
		refuse(s.numberWant(n))
	default:
		refuse(s.phrase())
	}
}

// refuse adds a problem with the value, unless that may be secret.
func (s *Schema) refuse(n node, at *path, found *problems, want string) {
	if found.full() {
		found.more++
		return
	}
	shown := n.shown()
	if s.hides {
		shown = mask.Hidden
	}
	found.add(at, shown+" is not allowed; want "+want)
}

func (s *Schema) object(n node, at *path, found *problems) {
	given := make(map[string]node, len(n.members))
	for _, m := range n.members {
		given[m.name] = m.value
	}
	var names []string
	for _, p := range s.Properties {
		names = append(names, p.Name)
		below := &path{up: at, name: p.Name, named: true}
		value, there := given[p.Name]
		switch {
		case there && value.kind != null:
			p.Schema.value(value, below, found)
		case s.required[p.Name]:
			found.add(below, "is missing")
		}
	}
	if !s.Closed {
		return
	}
	said := make(map[string]bool)
	for _, m := range n.members {
		if s.index[m.name] != nil || said[m.name] {
			continue
		}
		said[m.name] = true
		if found.full() {
			found.more++
			continue
		}
		problem := "is unknown"
		if name := spelling.Nearest(m.name, names); name != "" {
			problem += "; did you mean " + name + "?"
		}
		found.add(&path{up: at, name: m.name, named: true}, problem)
	}
}

func (s *Schema) array(n node, at *path, found *problems) {
	count := len(n.list)
	if s.MinItems != nil && count < *s.MinItems || s.MaxItems != nil && count > *s.MaxItems {
		given := span(&count, &count, "value")
		found.add(at, "a list of "+given+" is not allowed; want "+span(s.MinItems, s.MaxItems, "value"))
	}
	if s.Items == nil {
		return
	}
	for i, value := range n.list {
		below := &path{up: at, index: i}
		s.Items.value(value, below, found)
	}
}

func (s *Schema) text(n node, refuse func(want string)) {
	if count := utf8.RuneCountInString(n.text); s.MinLength != nil && count < *s.MinLength || s.MaxLength != nil && count > *s.MaxLength {
		refuse("text of " + span(s.MinLength, s.MaxLength, "character"))
	}
	if s.Pattern != nil && !s.Pattern.MatchString(n.text) {
		refuse("text that matches " + s.Pattern.String())
	}
	if want := formatWant(s.Format, n.text); want != "" {
		refuse(want)
	}
}

// formatWant returns the expected format of a text that doesn't have it.
func formatWant(format, s string) string {
	switch format {
	case FormatDate:
		if _, err := time.Parse(time.DateOnly, s); err != nil {
			return "a date such as 2026-10-31"
		}
	case FormatDateTime:
		var t time.Time // It's stricter than [time.Parse], and handlers decode into it.
		if err := t.UnmarshalText([]byte(s)); err != nil {
			return "a time such as 2026-10-31T18:30:00Z"
		}
	case FormatEmail:
		if a, err := mail.ParseAddress(s); err != nil || a.Address != s {
			return "an e-mail address"
		}
	case FormatURI:
		if u, err := url.Parse(s); err != nil || !u.IsAbs() {
			return "an address such as https://example.com/a"
		}
	}
	return ""
}

func (s *Schema) number(n node) bool {
	if n.kind != number || s.Type == Integer && !whole(n.text) || s.Type == Number && !finite(n.text) {
		return false
	}
	if _, ok := exact(n.text); !ok || s.Enum != nil && !s.chosen(n) {
		return false
	}
	low, high := string(s.Minimum), string(s.Maximum)
	if s.Type == Integer {
		low, high = s.wholeBounds()
	}
	return (low == "" || !less(n.text, low)) && (high == "" || !less(high, n.text))
}

func (s *Schema) chosen(n node) bool {
	key, ok := n.key()
	return ok && s.choices[key]
}

// numberWant is the phrase for a number, including the implicit limits if the number exceeds them.
func (s *Schema) numberWant(n node) string {
	if s.Type == Integer && s.Enum == nil && n.kind == number && whole(n.text) {
		_, ok := exact(n.text)
		if !ok || s.Minimum == "" && less(n.text, leastWhole) || s.Maximum == "" && less(mostWhole, n.text) {
			low, high := s.wholeBounds()
			return fmt.Sprintf("a whole number from %s to %s", low, high)
		}
	}
	return s.phrase()
}

// phrase describes the allowed values.
func (s *Schema) phrase() string {
	if s.Enum != nil {
		return "one of " + s.choiceList()
	}
	switch s.Type {
	case Object:
		return object.String()
	case Array:
		return list.String()
	case String:
		return text.String()
	case Boolean:
		return "true or false"
	case Integer:
		return "a whole number" + s.numberRange()
	case Number:
		return "a number" + s.numberRange()
	case Anything:
	}
	return "anything"
}

func (s *Schema) choiceList() string {
	var shown []string
	for _, raw := range s.Enum[:min(len(s.Enum), maxChoice)] {
		shown = append(shown, shorten(string(raw), maxShown))
	}
	if len(s.Enum) > maxChoice {
		shown = append(shown, "…")
	}
	return strings.Join(shown, ", ")
}

func (s *Schema) numberRange() string {
	switch {
	case s.Minimum != "" && s.Maximum != "":
		return fmt.Sprintf(" from %s to %s", s.Minimum, s.Maximum)
	case s.Minimum != "":
		return fmt.Sprintf(" of at least %s", s.Minimum)
	case s.Maximum != "":
		return fmt.Sprintf(" of at most %s", s.Maximum)
	}
	return ""
}

// span returns for example "3 to 5 values" or "at least 1 value".
func span(low, high *int, unit string) string {
	count := func(n int) string {
		if n == 1 {
			return "1 " + unit
		}
		return strconv.Itoa(n) + " " + unit + "s"
	}
	switch {
	case low == nil:
		return "at most " + count(*high)
	case high == nil:
		return "at least " + count(*low)
	case *low == *high:
		return count(*low)
	}
	return strconv.Itoa(*low) + " to " + count(*high)
}

// Limits of number literals that we compare, because exact arithmetic has no limit of its own.
const (
	maxLiteral  = 100
	maxExponent = 400
)

// The limits of a whole number without its own: 64 bits with a sign, as in Go.
const (
	leastWhole = "-9223372036854775808"
	mostWhole  = "9223372036854775807"
)

func exact(literal string) (*big.Rat, bool) {
	if len(literal) > maxLiteral {
		return nil, false
	}
	if i := strings.IndexAny(literal, "eE"); i >= 0 {
		if e, err := strconv.Atoi(literal[i+1:]); err != nil || e < -maxExponent || e > maxExponent {
			return nil, false
		}
	}
	return new(big.Rat).SetString(literal)
}

// whole reports whether every language reads a literal as a whole number.
func whole(literal string) bool { return !strings.ContainsAny(literal, ".eE") && literal != "-0" }

// less compares two literals that exact accepts.
func less(a, b string) bool {
	x, ok := exact(a)
	y, fine := exact(b)
	return ok && fine && x.Cmp(y) < 0
}

// finite reports whether a literal fits a 64-bit float.
func finite(literal string) bool {
	_, err := strconv.ParseFloat(literal, 64)
	return err == nil
}
