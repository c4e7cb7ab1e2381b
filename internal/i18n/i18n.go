package i18n

import (
	"context"
	"strconv"
	"strings"
)

//go:generate go run ./generate

// Lang is a language of the pages. Its methods are the messages. The zero value
// is English.
type Lang uint8

// The languages.
const (
	English Lang = iota
	Chinese
)

// Languages are all of them, in the order in which they are offered.
var Languages = []Lang{English, Chinese}

// Tag is the language as HTML and HTTP write it: "en", "zh-CN".
func (l Lang) Tag() string {
	if l == Chinese {
		return "zh-CN"
	}
	return "en"
}

// Name is what the language calls itself.
func (l Lang) Name() string {
	if l == Chinese {
		return "中文"
	}
	return "English"
}

// Short is the language in a switch: "EN", "中".
func (l Lang) Short() string {
	if l == Chinese {
		return "中"
	}
	return "EN"
}

// List joins names or numbers: "0, 1, 2".
func (l Lang) List(names []string) string {
	if l == Chinese {
		return strings.Join(names, "、")
	}
	return strings.Join(names, ", ")
}

// Parse reads a tag such as "zh", "zh-Hans-CN" or "en-GB". ok is false for a
// language that the console does not speak.
func Parse(tag string) (l Lang, ok bool) {
	primary, _, _ := strings.Cut(strings.ReplaceAll(tag, "_", "-"), "-")
	switch strings.ToLower(strings.TrimSpace(primary)) {
	case "en":
		return English, true
	case "zh":
		return Chinese, true
	}
	return English, false
}

// Negotiate chooses the language that the header Accept-Language prefers among
// ours, English if it names none.
func Negotiate(accept string) Lang {
	best, weight := English, 0.0
	for part := range strings.SplitSeq(accept, ",") {
		tag, params, _ := strings.Cut(part, ";")
		l, ok := Parse(tag)
		if !ok {
			continue
		}
		q := 1.0
		if value, found := strings.CutPrefix(strings.TrimSpace(params), "q="); found {
			parsed, err := strconv.ParseFloat(value, 64)
			if err != nil {
				continue
			}
			q = parsed
		}
		if q > weight {
			best, weight = l, q
		}
	}
	return best
}

type langKey struct{}

// With is the context of a request whose reader reads l.
func With(ctx context.Context, l Lang) context.Context { return context.WithValue(ctx, langKey{}, l) }

// From is the language of the reader, English if the context says none.
func From(ctx context.Context) Lang {
	l, _ := ctx.Value(langKey{}).(Lang)
	return l
}

// pick returns the text in the language.
func (l Lang) pick(english, chinese string) string {
	if l == Chinese {
		return chinese
	}
	return english
}

// plural returns the text for n of something. Chinese has one form.
func (l Lang) plural(n int, one, other, chinese string) string {
	if n == 1 {
		return l.pick(one, chinese)
	}
	return l.pick(other, chinese)
}

// fill puts values into a text: the first one for {0}. Braces in values mean nothing.
func fill(text string, values ...string) string {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		b.WriteString(before)
		if !found {
			return b.String()
		}
		place, after, _ := strings.Cut(rest, "}")
		n, _ := strconv.Atoi(place)
		b.WriteString(values[n])
		text = after
	}
}

// number writes n with a comma between thousands, as both languages do.
func number(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return sign + digits
}
