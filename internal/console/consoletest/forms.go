package consoletest

import (
	"net/url"
	"testing"

	"github.com/PuerkitoBio/goquery"
)

// FormOf are the fields that a form sends without changes.
func FormOf(form *goquery.Selection) url.Values {
	v := url.Values{}
	for _, input := range form.Find("input, select").EachIter() {
		_, on := input.Attr("checked")
		if name := input.AttrOr("name", ""); name != "" && (input.AttrOr("type", "") != "checkbox" || on) {
			v.Add(name, input.AttrOr("value", ""))
		}
	}
	return v
}

// JobRow is the row of a job in a list.
func JobRow(t *testing.T, r Reply, name string) *goquery.Selection {
	t.Helper()
	row := r.Doc(t).Find(`tr[data-job]`).FilterFunction(func(_ int, s *goquery.Selection) bool { return s.AttrOr("data-job", "") == name })
	if row.Length() != 1 {
		t.Fatalf("%d rows for %q", row.Length(), name)
	}
	return row
}
