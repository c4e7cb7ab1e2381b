package javayaml

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer writes YAML block mappings the way ElasticJob's emitter does: plain
// text where a YAML 1.1 reader takes it for text, single quotes where it would
// not, a literal block for several lines, folding beyond 80 columns.
type Writer struct {
	buf []byte
	bad error // the first text that no document can hold
}

// Bytes is what was written.
func (w *Writer) Bytes() []byte { return w.buf }

// Err tells of the first text that no document can hold.
func (w *Writer) Err() error { return w.bad }

// Entry writes a key of the top level with a text.
func (w *Writer) Entry(key, value string) {
	w.buf = append(w.buf, key...)
	w.buf = append(w.buf, ':')
	w.value(key, value, 2, len(key)+1)
}

// Boolean writes a key with true or false.
func (w *Writer) Boolean(key string, value bool) {
	w.buf = fmt.Appendf(w.buf, "%s: %t\n", key, value)
}

// Integer writes a key with a number.
func (w *Writer) Integer(key string, value int) {
	w.buf = fmt.Appendf(w.buf, "%s: %d\n", key, value)
}

// List writes a key with a list of texts, nothing if the list is empty.
func (w *Writer) List(key string, values []string) {
	if len(values) == 0 {
		return
	}
	w.buf = append(w.buf, key...)
	w.buf = append(w.buf, ":\n"...)
	for _, value := range values {
		w.buf = append(w.buf, '-')
		w.value(key, value, 2, 1)
	}
}

// Mapping writes a key with a map of texts, nothing if the map is empty.
func (w *Writer) Mapping(key string, order []string, values map[string]string) {
	if len(order) == 0 {
		return
	}
	w.buf = append(w.buf, key...)
	w.buf = append(w.buf, ":\n"...)
	for _, k := range order {
		w.check(key, k)
		text, simple := scalarKey(k)
		if simple {
			w.buf = append(w.buf, "  "+text+":"...)
			w.value(key+"."+k, values[k], 4, 3+utf16Len(text))
			continue
		}
		// A key that is empty, long or has several lines needs the explicit form.
		w.buf = append(w.buf, "  ? "+text+"\n  :"...)
		w.value(key+"."+k, values[k], 4, 3)
	}
}

func (w *Writer) check(field, value string) {
	if w.bad == nil && !utf8.ValidString(value) {
		w.bad = fmt.Errorf("encode configuration: %s is not valid UTF-8", field)
	}
}

// value writes a text after a key or a dash, and the line end. indent is that
// of continuation lines, column the number of characters already on the line.
func (w *Writer) value(field, value string, indent, column int) {
	w.check(field, value)
	switch analyze(value) {
	case literal:
		w.literal(value, indent)
		return
	case plain:
		w.buf = append(w.buf, ' ')
		w.folded(value, indent, column+1, false)
	case singleQuoted:
		w.buf = append(w.buf, " '"...)
		w.folded(value, indent, column+2, true)
		w.buf = append(w.buf, '\'')
	default:
		w.buf = append(w.buf, ' ')
		w.buf = append(w.buf, quote(value)...)
	}
	w.buf = append(w.buf, '\n')
}

// foldColumn is the column beyond which the next single blank becomes a line
// end.
const foldColumn = 80

// folded writes text of one line, broken at single blanks. Columns count UTF-16
// units because Java's do.
func (w *Writer) folded(text string, indent, column int, quoted bool) {
	for i, word := range splitWords(text) {
		if i > 0 {
			// The blanks before the word belong to it.
			blanks := len(word) - len(strings.TrimLeft(word, " "))
			// Inside quotes the very first and last blank must stay on the line.
			fold := blanks == 1 && column > foldColumn
			if fold && quoted && len(word) == 1 {
				fold = false
			}
			if fold {
				w.buf = append(w.buf, '\n')
				w.buf = append(w.buf, strings.Repeat(" ", indent)...)
				column = indent
				word = word[1:]
			}
		}
		if quoted {
			word = strings.ReplaceAll(word, "'", "''")
		}
		w.buf = append(w.buf, word...)
		column += utf16Len(word)
	}
}

// splitWords cuts text before every run of blanks that follows a non-blank; the
// first piece starts the text.
func splitWords(text string) []string {
	var words []string
	start := 0
	for i := 1; i < len(text); i++ {
		if text[i] == ' ' && text[i-1] != ' ' {
			words = append(words, text[start:i])
			start = i
		}
	}
	return append(words, text[start:])
}

// literal writes a block of lines that stand as they are.
func (w *Writer) literal(text string, indent int) {
	w.buf = append(w.buf, " |"...)
	if text[0] == ' ' || text[0] == '\n' {
		// The first line cannot show the indentation, so it is stated.
		w.buf = append(w.buf, '2')
	}
	body := strings.TrimSuffix(text, "\n")
	switch {
	case body == text:
		w.buf = append(w.buf, '-')
	case body == "" || strings.HasSuffix(body, "\n"):
		w.buf = append(w.buf, '+')
	}
	w.buf = append(w.buf, '\n')
	pad := strings.Repeat(" ", indent)
	for _, line := range strings.Split(body, "\n") {
		if line != "" {
			w.buf = append(w.buf, pad...)
			w.buf = append(w.buf, line...)
		}
		w.buf = append(w.buf, '\n')
	}
}

// scalarKey renders a key of a map and tells whether it fits before a colon.
func scalarKey(key string) (text string, simple bool) {
	switch analyze(key) {
	case plain:
		text = key
	case singleQuoted:
		text = "'" + strings.ReplaceAll(key, "'", "''") + "'"
	default:
		text = quote(key)
	}
	return text, key != "" && utf16Len(key) < 128 && !strings.Contains(key, "\n")
}

type scalarStyle int

const (
	plain scalarStyle = iota
	singleQuoted
	doubleQuoted
	literal
)

// Texts that a YAML 1.1 reader takes for something else than text.
var resolvers = regexp.MustCompile(`^(?:` + strings.Join([]string{
	`yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF`,
	`~|null|Null|NULL`,
	`<<`,
	// integers
	`[-+]?0b_*[0-1][0-1_]*`,
	`[-+]?0_*[0-7][0-7_]*`,
	`[-+]?(?:0|[1-9][0-9_]*)`,
	`0[0-9_]+`, // not a number, but quoted all the same
	`[-+]?0x_*[0-9a-fA-F][0-9a-fA-F_]*`,
	`[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+`,
	// floats
	`[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+]?[0-9]+)?`,
	`[-+]?[0-9][0-9_]*[eE][-+]?[0-9]+`,
	`[-+]?\.[0-9_]+(?:[eE][-+]?[0-9]+)?`,
	`[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*`,
	`[-+]?\.(?:inf|Inf|INF)`,
	`\.(?:nan|NaN|NAN)`,
	// dates
	`[0-9]{4}-[0-9]{2}-[0-9]{2}`,
	`[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?`,
}, "|") + `)$`)

// analyze chooses the style of a text outside flow collections.
func analyze(s string) scalarStyle {
	if s == "" {
		return singleQuoted
	}
	var (
		lines   = strings.Contains(s, "\n")
		special bool // needs escapes
		quotes  = strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") || resolvers.MatchString(s)
		prev    rune
	)
	runes := []rune(s)
	for i, r := range runes {
		last := i == len(runes)-1
		// Behind the end counts as a blank, as does any blank or line end.
		blankNext := last || isBlank(runes[i+1])
		switch {
		case i == 0 && strings.ContainsRune("#,[]{}&*!|>'\"%@`", r),
			i == 0 && strings.ContainsRune("?:-", r) && blankNext,
			i > 0 && r == ':' && blankNext,
			i > 0 && r == '#' && isBlank(prev),
			(i == 0 || last) && r == ' ':
			quotes = true
		case r == '\n' && prev == ' ':
			special = true
		}
		if !printable(r) {
			special = true
		}
		prev = r
	}
	switch {
	case special:
		return doubleQuoted
	case lines && prev == ' ':
		return doubleQuoted
	case lines:
		return literal
	case quotes:
		return singleQuoted
	}
	return plain
}

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == 0 }

// printable reports whether r may stand unescaped. Line separators other than
// the line feed may not: readers turn them into line feeds.
func printable(r rune) bool {
	switch {
	case r == '\n', r >= 0x20 && r <= 0x7e:
		return true
	case r == 0x2028, r == 0x2029, r == 0xfeff:
		return false
	}
	return r >= 0xa0 && r <= 0xd7ff || r >= 0xe000 && r <= 0xfffd || r >= 0x10000
}

var escapes = map[rune]string{
	0: `\0`, 7: `\a`, 8: `\b`, '\t': `\t`, '\n': `\n`, 0x0b: `\v`, '\f': `\f`, '\r': `\r`, 0x1b: `\e`,
	'"': `\"`, '\\': `\\`, 0x85: `\N`, 0x2028: `\L`, 0x2029: `\P`,
}

// quote writes a text in double quotes with escapes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch escape, ok := escapes[r]; {
		case ok:
			b.WriteString(escape)
		case printable(r):
			b.WriteRune(r)
		case r <= 0xff:
			b.WriteString(`\x` + hex(r, 2))
		default:
			b.WriteString(`\u` + hex(r, 4))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func hex(r rune, digits int) string {
	s := strconv.FormatInt(int64(r), 16)
	return strings.Repeat("0", digits-len(s)) + s
}

func utf16Len(s string) int {
	n := 0
	for _, r := range s {
		n++
		if r >= 0x10000 {
			n++
		}
	}
	return n
}
