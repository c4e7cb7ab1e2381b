package main

import (
	"strings"
	"unicode"
)

// rule is a row of the table in docs/style.md.
type rule struct {
	name string
	// Commas separate phrases, + the words of a phrase, slashes alternatives. * matches any word, n't
	// any word with this ending. A word with a capital letter must begin a sentence.
	phrases string
	target  float64 // findings in 10,000 words
	instead string
}

// rules are the phrases that should be rare.
var rules = []rule{
	{"what-is", "what+is/was/has/it/they/a/the/of/every/each/nobody/others", 3, "a noun: the columns read per row"},
	{"says", "say/says/said/saying", 3, "a verb for the action: returns, reports, shows, names, means"},
	{"nobody", "nobody/somebody/anybody/everybody", 1, "a role: the user, the caller, no agent, every operator"},
	{"whoever", "whoever/whatever/whose/whom", 3, "the role or the noun: the user, if the user may not"},
	{"one-that", "one/ones/those+that/who", 1, "the noun: the job that, users who"},
	{"that-of", "that/those+of", 1, "the noun again: the pods of a Job"},
	{"tells", "tell/tells/told", 1, "a verb for the action: reports, notifies, shows, distinguishes"},
	{"stands", "stand/stands/stood", 0.5, "is, exists or applies"},
	{"beside", "beside/besides/meanwhile/anew,by+now", 1, "next to, also, for now, again or already"},
	{"is-to", "is/are/was/were+to+*", 3, "must, should or will with the verb"},
	{"of-a", "Of+a/an/one/the/those/what/several/some/its/jobs/shards/each", 0.5, "the subject first: a job without a schedule has no next fire time"},
}

// wanted are words that should be frequent. They are counted over all comments, and not compared:
// the place where such a word is missing has no line.
var wanted = []rule{
	{name: "can't", phrases: "n't/it's/that's/there's/we're/they're/you're/we've/they've/you've/we'll/they'll/you'll/it'll", target: 25},
	{name: "should", phrases: "should", target: 20},
	{name: "we", phrases: "we/our/us", target: 15},
	{name: "because", phrases: "because", target: 10},
}

// phrase is one of a rule's phrases: the words that are allowed at each of its places.
type phrase struct {
	rule   int
	places []map[string]bool
	begins bool // begins a sentence
}

// phrasebook finds phrases by their first word.
type phrasebook map[string][]phrase

func newPhrasebook(rules []rule) phrasebook {
	book := phrasebook{}
	for i, r := range rules {
		for _, text := range strings.Split(r.phrases, ",") {
			p := phrase{rule: i, begins: text != strings.ToLower(text)}
			for _, place := range strings.Split(strings.ToLower(text), "+") {
				words := map[string]bool{}
				for _, w := range strings.Split(place, "/") {
					words[w] = true
				}
				p.places = append(p.places, words)
			}
			for first := range p.places[0] {
				book[first] = append(book[first], p)
			}
		}
	}
	return book
}

// word is a word of a text.
type word struct {
	text   string // in lower case
	at     int    // where it begins in the text
	joined bool   // only blanks are between it and the word before
	begins bool   // begins a sentence, with a capital letter
}

// wordsOf splits a text.
func wordsOf(text string) []word {
	var words []word
	start, blank, sentence := -1, true, true
	for i, r := range text + " " {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '\'' && start >= 0
		switch {
		case letter && start < 0:
			start = i
		case !letter && start >= 0:
			w := strings.TrimRight(text[start:i], "'")
			words = append(words, word{strings.ToLower(w), start, blank, sentence && w[0] >= 'A' && w[0] <= 'Z'})
			start, blank, sentence = -1, true, false
		}
		if !letter && !unicode.IsSpace(r) {
			blank, sentence = false, sentence || strings.ContainsRune(".;:", r)
		}
	}
	return words
}

// find calls found for each phrase in the words.
func (b phrasebook) find(words []word, found func(rule, at int)) {
	for i, w := range words {
		first := w.text
		if strings.HasSuffix(first, "n't") {
			first = "n't"
		}
		for _, p := range b[first] {
			if (!p.begins || w.begins) && p.continues(words[i+1:]) {
				found(p.rule, w.at)
			}
		}
	}
}

// continues reports whether the next words match the phrase after its first word.
func (p phrase) continues(words []word) bool {
	rest := p.places[1:]
	if len(words) < len(rest) {
		return false
	}
	for i, place := range rest {
		if !words[i].joined || !place[words[i].text] && !place["*"] {
			return false
		}
	}
	return true
}
