package cronwords

import (
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/quartz"
)

// Text is the expression in words, and the expression itself if it cannot be read
// or words would mislead.
func Text(l i18n.Lang, expression string) string {
	parsed, err := quartz.Parse(expression)
	if err != nil {
		return expression
	}
	if words, ok := Words(l, parsed); ok {
		return words
	}
	return expression
}

// Words says when the expression fires. ok is false where words would mislead or
// would be longer than the expression helps with.
func Words(l i18n.Lang, e *quartz.Expression) (words string, ok bool) {
	s := e.Selection()
	t := telling{l: l, Selection: s}
	days, every, ok := t.days()
	if !ok {
		return "", false
	}
	if at, ok := t.times(); ok {
		words = l.CronDaysAt(days, at)
	} else if words, ok = t.interval(); !ok {
		return "", false
	} else if !every {
		words = l.CronIntervalDays(words, days)
	}
	return t.inYears(words)
}

// telling is one expression for one reader.
type telling struct {
	l i18n.Lang
	quartz.Selection
}

// mostListed is how many values are still read as a list.
const mostListed = 12

// list joins names: "a, b and c".
func (t telling) list(names []string) string {
	switch len(names) {
	case 0:
		return ""
	case 1:
		return names[0]
	}
	head := names[0]
	for _, name := range names[1 : len(names)-1] {
		head = t.l.CronComma(head, name)
	}
	return t.l.CronAnd(head, names[len(names)-1])
}

func (t telling) inYears(words string) (string, bool) {
	if t.Years == nil {
		return words, true
	}
	if len(t.Years) == 0 {
		return "", false
	}
	first, last, step, ok := progression(t.Years)
	switch {
	case ok && step == 1 && last == t.LastYear:
		return t.l.CronYearOn(words, plain(first)), true
	case ok && step == 1 && first < last:
		return t.l.CronYears(words, plain(first), plain(last)), true
	case len(t.Years) <= mostListed:
		return t.l.CronYear(words, t.list(mapped(t.Years, plain))), true
	}
	return "", false
}

// progression tells whether the values have the same distance to each other. One
// value alone has step 1.
func progression(values []int) (first, last, step int, ok bool) {
	if len(values) == 0 {
		return 0, 0, 0, false
	}
	first, last, step = values[0], values[len(values)-1], 1
	if len(values) > 1 {
		step = values[1] - first
	}
	for i := 1; i < len(values); i++ {
		if values[i]-values[i-1] != step {
			return 0, 0, 0, false
		}
	}
	return first, last, step, true
}

func mapped[T any](values []T, name func(T) string) []string {
	names := make([]string, len(values))
	for i, v := range values {
		names[i] = name(v)
	}
	return names
}
