package query

import (
	"strconv"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// Problem says in a reader's language what of an address is not understood.
type Problem func(i18n.Lang) string

// Problems are those of one address.
type Problems []Problem

// In are they in a language.
func (p Problems) In(l i18n.Lang) []string {
	list := make([]string, len(p))
	for i, problem := range p {
		list[i] = problem(l)
	}
	return list
}

// quoted is what somebody wrote, short enough for a sentence.
func quoted(text string) string { return strconv.Quote(view.Clip(text, 40)) }

// unknown is the problem of a parameter that is none of those that are known.
func unknown(name, text, known string) Problem {
	return func(l i18n.Lang) string { return l.AddressUnknown(name, quoted(text), known) }
}

// noNumber is the problem of one that is not a number from 1 to most.
func noNumber(name, text string, most int) Problem {
	return func(l i18n.Lang) string { return l.AddressNumber(name, quoted(text), strconv.Itoa(most)) }
}

// Neither is the problem of a parameter that has neither of two values.
func Neither(name, text, one, other string) Problem {
	return func(l i18n.Lang) string { return l.AddressNeither(name, quoted(text), one, other) }
}

// About is the problem of one that a sentence speaks of.
func About(text string, sentence func(l i18n.Lang, quoted string) string) Problem {
	return func(l i18n.Lang) string { return sentence(l, quoted(text)) }
}

// InEnglish is a problem of the REST interface, which speaks English alone.
func InEnglish(sentence string) Problem { return func(i18n.Lang) string { return sentence } }
