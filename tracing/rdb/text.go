package rdb

import (
	"database/sql"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Widths of text columns in characters. Wider texts are cut, because a database in strict mode
// would refuse them with the whole batch.
const (
	widthLong  = 255 // host names
	widthShort = 50  // the status source
	widthEnum  = 20  // execution source, execution type, state
	widthItems = 100

	widthRunState = 12 // state and origin of a requested run
	widthLevel    = 5
)

// charset is the set of characters that a table can hold. Tables created by ElasticJob have the
// server's default character set, which may be narrower than Unicode; such a table refuses a row
// instead of replacing characters.
type charset int

const (
	charsetUnicode charset = iota
	charsetText            // PostgreSQL's: all except the character zero
	charsetBMP             // MySQL's three-byte utf8
	charsetASCII           // anything else, such as latin1
)

// text makes a value fit a column: valid UTF-8, only characters of the set, and at most width
// characters. It never splits a character.
func (c charset) text(s string, width int) string {
	s = strings.ToValidUTF8(s, string(utf8.RuneError))
	if len(s) > width { // bytes; there are at most as many characters
		count := 0
		for at := range s {
			if count == width {
				s = s[:at]
				break
			}
			count++
		}
	}
	if c != charsetUnicode {
		s = strings.ReplaceAll(s, "\x00", string(utf8.RuneError))
	}
	switch c {
	case charsetBMP:
		return strings.Map(func(r rune) rune {
			if r > 0xFFFF {
				return utf8.RuneError
			}
			return r
		}, s)
	case charsetASCII:
		return strings.Map(func(r rune) rune {
			if r > 0x7F {
				return '?'
			}
			return r
		}, s)
	}
	return s
}

// encodeItems writes shard numbers as ElasticJob does: "[0, 1, 2]". A list wider than its column
// ends with "...]" after the last number that fits.
func encodeItems(items []int) string {
	const more = "...]"
	out := []byte{'['}
	for i, item := range items {
		if i > 0 {
			out = append(out, ", "...)
		}
		begin := len(out)
		out = strconv.AppendInt(out, int64(item), 10)
		room := len(", ") + len(more)
		if i == len(items)-1 {
			room = len("]")
		}
		if len(out)+room > widthItems { // never for the first one
			return string(append(out[:begin], more...))
		}
	}
	return string(append(out, ']'))
}

// decodeItems parses the lists of encodeItems and ElasticJob. It skips unreadable parts, because
// half a list is more useful than an error.
func decodeItems(s string) []int {
	s = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(s), "["), "]")
	if s == "" {
		return nil
	}
	var items []int
	for part := range strings.SplitSeq(s, ",") {
		item, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil {
			break
		}
		items = append(items, item)
	}
	return items
}

// timeLayout is the form of times in SQLite, which has no type for them. Because of the fixed width
// and UTC, comparing texts compares times.
const timeLayout = "2006-01-02 15:04:05.000"

// bind returns the parameter for a time: UTC, in milliseconds like the columns, or NULL if it's
// zero. It rounds down, because MySQL would round up and an execution would end before it started.
func (s shape) bind(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	t = t.UTC().Truncate(time.Millisecond)
	if s.dialect == "sqlite" {
		return t.Format(timeLayout)
	}
	return t
}

// bindSecond is [shape.bind] for a full second. In SQLite it sorts before all times of that second,
// with or without a fraction.
func (s shape) bindSecond(t time.Time) any {
	if s.dialect == "sqlite" {
		return t.UTC().Format(time.DateTime)
	}
	return s.bind(t)
}

// moment scans a nullable time column of any dialect into UTC.
type moment time.Time

func (m *moment) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*m = moment{}
	case time.Time:
		*m = moment(v.UTC())
	case []byte:
		return m.parse(string(v))
	case string:
		return m.parse(v)
	default:
		return fmt.Errorf("time column holds %T", value)
	}
	return nil
}

// textLayouts are the forms of times as text. Each form with seconds also accepts a fraction.
var textLayouts = []string{
	"2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", time.RFC3339, "2006-01-02T15:04:05",
	"2006-01-02 15:04", "2006-01-02T15:04", time.DateOnly, "2006-01-02 15:04:05 -0700 MST",
}

func (m *moment) parse(s string) error {
	if len(s) == len(timeLayout) { // a page may read ten thousand, and time.Parse has a fast way for this form only
		if t, err := time.Parse(time.RFC3339, s[:10]+"T"+s[11:]+"Z"); err == nil && s[10] == ' ' {
			*m = moment(t)
			return nil
		}
	}
	for _, layout := range textLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			*m = moment(t.UTC())
			return nil
		}
	}
	return fmt.Errorf("time column holds %q", s)
}

// flag scans is_success, which is a number, a boolean or a bit, depending on the table's creator.
type flag bool

func (f *flag) Scan(value any) error {
	switch v := value.(type) {
	case nil:
		*f = false
	case bool:
		*f = flag(v)
	case int64:
		*f = v != 0
	case []byte:
		*f = len(v) > 0 && v[len(v)-1] != 0 && v[len(v)-1] != '0'
	case string:
		*f = v == "1" || v == "true"
	default:
		return fmt.Errorf("flag column holds %T", value)
	}
	return nil
}

// word scans a nullable text column. NULL is empty.
type word string

func (w *word) Scan(value any) error {
	var text sql.NullString
	err := text.Scan(value)
	*w = word(text.String)
	return err
}
