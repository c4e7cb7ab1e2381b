package app

import (
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// paramWants are what package runparams says of parameters, as wants are.
var paramWants = []want{
	{wanted(`is missing`), plain(i18n.Lang.WantMissing)},
	{wanted(`is unknown`), plain(i18n.Lang.WantStrange)},
	{wanted(`is unknown; did you mean (.*)\?`), one(i18n.Lang.WantStrangeLike)},
	{wanted(`the job takes none`), plain(i18n.Lang.WantNone)},
	{wanted(`and (\d+) more`), one(i18n.Lang.WantMore)},
	{wanted(`a text`), plain(i18n.Lang.WantText)},
	{wanted(`a list`), plain(i18n.Lang.WantList)},
	{wanted(`an object`), plain(i18n.Lang.WantObjectValue)},
	{wanted(`a list of (\d+) values?`), one(i18n.Lang.WantListOf)},
	{wanted(`at least (\d+) values?`), one(i18n.Lang.WantValuesLeast)},
	{wanted(`at most (\d+) values?`), one(i18n.Lang.WantValuesMost)},
	{wanted(`(\d+) to (\d+) values`), two(i18n.Lang.WantValues)},
	{wanted(`(\d+) values?`), one(i18n.Lang.WantValuesOf)},
	{wanted(`text of at least (\d+) characters?`), one(i18n.Lang.WantTextLeast)},
	{wanted(`text of at most (\d+) characters?`), one(i18n.Lang.WantTextMost)},
	{wanted(`text of (\d+) to (\d+) characters`), two(i18n.Lang.WantTextBetween)},
	{wanted(`text of (\d+) characters?`), one(i18n.Lang.WantTextOf)},
	{wanted(`text that matches (.*)`), one(i18n.Lang.WantTextLike)},
	{wanted(`a date such as (.*)`), one(i18n.Lang.WantDate)},
	{wanted(`a time such as (.*)`), one(i18n.Lang.WantTime)},
	{wanted(`an e-mail address`), plain(i18n.Lang.WantEmail)},
	{wanted(`an address such as (.*)`), one(i18n.Lang.WantLink)},
	{wanted(`one of (.*)`), one(i18n.Lang.WantOneOf)},
	{wanted(`a whole number`), plain(i18n.Lang.WantInteger)},
	{wanted(`a whole number of at least (.*)`), one(i18n.Lang.WantIntegerLeast)},
	{wanted(`a whole number of at most (.*)`), one(i18n.Lang.WantIntegerMost)},
	{wanted(`a number`), plain(i18n.Lang.WantNumber)},
	{wanted(`a number from (\S+) to (\S+)`), two(i18n.Lang.WantNumberBetween)},
	{wanted(`a number of at least (.*)`), one(i18n.Lang.WantNumberLeast)},
	{wanted(`a number of at most (.*)`), one(i18n.Lang.WantNumberMost)},
}

// refusedValue is how it says that a value is not allowed.
var refusedValue = wanted(`(.*) is not allowed; want (.*)`)

// refusedIn says in a language that a value is not allowed.
func refusedIn(l i18n.Lang, text string) (said string, ok bool) {
	values := refusedValue.FindStringSubmatch(text)
	if values == nil {
		return "", false
	}
	value, _ := wantIn(l, paramWants, values[1])
	want, ok := wantIn(l, paramWants, values[2])
	if !ok {
		want, _ = wantIn(l, wants, values[2])
	}
	return l.WantRefused(value, want), true
}
