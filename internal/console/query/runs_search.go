package query

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/tracing"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
)

// runKeys are the filters that the text of a search of runs can have.
var runKeys = []string{"job", "label", "server", "cause", "state", "trigger", "ran", "took"}

// SpreadRuns takes the filters out of the text of a search (q) and makes parameters of
// them, in place of those of the same name. What is not understood stays in q, and is
// named in problems. changed tells that the address is another one now.
func SpreadRuns(v url.Values, now time.Time) (spread url.Values, problems Problems, changed bool) {
	text := strings.TrimSpace(v.Get("q"))
	if text == "" {
		return v, nil, false
	}
	spread = url.Values{}
	for name, values := range v {
		if !slices.Contains([]string{"q", "cursor"}, name) {
			spread[name] = values
		}
	}
	var left, free []string
	for _, w := range words(text) {
		if w.key == "" {
			free = append(free, w.value)
			continue
		}
		if problem := spreadWord(spread, w, now); problem != nil {
			problems, left = append(problems, problem), append(left, w.String())
		} else {
			changed = true
		}
	}
	if len(free) > 0 {
		spread.Set("name", strings.Join(free, " "))
		changed = true
	}
	if len(left) > 0 {
		spread.Set("q", strings.Join(left, " "))
	}
	return spread, problems, changed
}

// spreadWord makes a parameter of a filter; the problem is nil if it could.
func spreadWord(v url.Values, w word, now time.Time) Problem {
	lowered := strings.ToLower(w.value)
	names := map[string]string{"server": "ip", "cause": "failure", "label": "label"}
	switch {
	case !slices.Contains(runKeys, w.key):
		return noFilter(w.key, runKeys)
	case w.value == "":
		return nothingAfter(w.key)
	case names[w.key] != "":
		v.Set(names[w.key], w.value)
	case w.key == "job":
		name, prefix := strings.CutSuffix(w.value, "*")
		v.Set("job", name)
		if v.Del("match"); prefix {
			v.Set("match", "prefix")
		}
	case w.key == "state":
		if lowered == "succeeded" {
			lowered = string(rdb.RunSuccess)
		}
		if !slices.Contains(RunStates, rdb.RunState(lowered)) {
			return unknownTerm(w.key, w.value, view.Join(RunStates))
		}
		v.Set("state", lowered)
	case w.key == "trigger":
		if !slices.Contains(Triggers, tracing.Trigger(lowered)) {
			return unknownTerm(w.key, w.value, view.Join(Triggers))
		}
		v.Set("trigger", lowered)
	case w.key == "took":
		if _, ok := parseSpan(strings.TrimPrefix(w.value, ">")); !ok {
			return noTerm(w.key, w.value, i18n.Lang.AddressTermSpan)
		}
		v.Set("took", strings.TrimPrefix(w.value, ">"))
	default:
		return spreadRan(v, w.value, now)
	}
	return nil
}

// spreadRan makes a span of time of how long ago something ran.
func spreadRan(v url.Values, value string, now time.Time) Problem {
	ago, ok := parseAgo(value)
	if !ok {
		return noTerm("ran", value, i18n.Lang.AddressTermTime)
	}
	for _, name := range []string{"from", "to", "last"} {
		v.Del(name)
	}
	span := strings.TrimLeft(value, "<")
	if span == "1d" {
		span = "24h"
	}
	switch {
	case ago < 0:
		v.Set("to", InputTime(now.Add(ago).Truncate(time.Second)))
	case slices.Contains(Spans, span):
		v.Set("last", span)
	default:
		v.Set("from", InputTime(now.Add(-ago).Truncate(time.Second)))
	}
	return nil
}

// RunSearch is a filter as the text of a search; label and name are those of its jobs,
// left is what the text had besides.
func RunSearch(f rdb.RunFilter, label, name, left string) string {
	var list []string
	for _, w := range []word{
		{"", name}, {"job", f.JobName}, {"label", label}, {"server", f.IP}, {"state", string(f.State)}, {"trigger", string(f.Trigger)}, {"cause", f.FailureText},
	} {
		if w.value != "" {
			list = append(list, w.String())
		}
	}
	if f.JobPrefix != "" {
		list = append(list, word{"job", f.JobPrefix + "*"}.String())
	}
	if f.MinDuration > 0 {
		list = append(list, word{"took", ">" + SpanText(f.MinDuration)}.String())
	}
	if left != "" {
		list = append(list, left)
	}
	return strings.Join(list, " ")
}

// RunSuggestions are searches that go on from a text.
func RunSuggestions(text string) []string {
	list := []string{"ran:<1h", "ran:<1d", "took:>1m"}
	for _, s := range RunStates {
		list = append(list, "state:"+string(s))
	}
	for _, t := range Triggers {
		list = append(list, "trigger:"+string(t))
	}
	return suggestions(text, runKeys, list)
}
