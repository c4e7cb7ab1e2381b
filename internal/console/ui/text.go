package ui

import (
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/console/query"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// FirstNames lists the first names of a list and the number of the others.
func FirstNames(l i18n.Lang, names []string, most int) string {
	if len(names) <= most {
		return l.List(names)
	}
	return l.OverviewNamesMore(l.List(names[:most]), len(names)-most)
}

// NonEmpty returns the lines that have text.
func NonEmpty(lines ...string) []string {
	var kept []string
	for _, l := range lines {
		if l != "" {
			kept = append(kept, l)
		}
	}
	return kept
}

// JoinNotes puts the notes that have text on one line.
func JoinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), " · ")
}

// maxShardRanges bounds the ranges in a short list of shards.
const maxShardRanges = 20

// ShardList is a short list of shards, such as "shards 0–3, 7".
func ShardList(l i18n.Lang, items []int) string {
	if len(items) == 0 {
		return l.JobNoShards()
	}
	return l.JobShardList(len(items), ShardRanges(l, items))
}

// ShardRanges are the numbers of shards, such as "0–3, 7". A long list has the first ranges and
// the number of the other shards.
func ShardRanges(l i18n.Lang, items []int) string {
	items = slices.Sorted(slices.Values(items))
	var parts []string
	for i := 0; i < len(items); {
		if len(parts) == maxShardRanges {
			parts = append(parts, l.JobMore(len(items)-i))
			break
		}
		j := i
		for j+1 < len(items) && items[j+1] == items[j]+1 {
			j++
		}
		switch j {
		case i:
			parts = append(parts, strconv.Itoa(items[i]))
		default:
			parts = append(parts, fmt.Sprintf("%d–%d", items[i], items[j]))
		}
		i = j + 1
	}
	return l.List(parts)
}

// Took is a duration in the reader's language.
func Took(l i18n.Lang, d time.Duration) string {
	if d < 10*time.Second {
		return view.Took(d)
	}
	return ui.Span(l, d)
}

// RangeLabel is the range of time in an address, such as 24h, in words.
func RangeLabel(l i18n.Lang, text string) string {
	if text == "all" {
		return l.RunsRangeAll()
	}
	units := strings.Fields(l.TimeUnits())
	if days, ok := strings.CutSuffix(text, "d"); ok {
		return days + " " + units[0]
	}
	return strings.TrimSuffix(text, "h") + " " + units[1]
}

// NamedPath is the address of a page below a list about the entry of a name.
func NamedPath(list, name, verb string) string {
	return list + "/" + strings.ReplaceAll(url.PathEscape(name), "+", "%2B") + "/" + verb
}

// PageSizes are the choices of how many rows a page has.
func PageSizes(current int) []ui.Choice {
	var list []ui.Choice
	found := false
	for _, n := range query.PageSizes {
		list = append(list, ui.Choice{Value: strconv.Itoa(n), Label: strconv.Itoa(n), Selected: n == current})
		found = found || n == current
	}
	if !found {
		list = append(list, ui.Choice{Value: strconv.Itoa(current), Label: strconv.Itoa(current), Selected: true})
	}
	return list
}

// mostCurls is how many requests are shown of an action that takes several.
const mostCurls = 10

// Curls shows the first of several requests.
func Curls(l i18n.Lang, list []string) string {
	text := strings.Join(list[:min(mostCurls, len(list))], "\n")
	if n := len(list) - mostCurls; n > 0 {
		text += "\n# " + l.ServerAndMore(n)
	}
	return text
}
