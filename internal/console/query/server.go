package query

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// Server is what the page of a server is asked for.
type Server struct {
	IP string
	// At is the instant whose executions are asked for; zero for none.
	At time.Time
	// Span is how much time is drawn, one of [ServerSpans].
	Span string
	// Page is that of the server's jobs, from 1.
	Page int
}

// ServerSpans are the lengths of time that the page of a server draws.
var ServerSpans = []string{"1h", "6h", "24h"}

// mostPages bounds the number of a page.
const mostPages = 1_000_000

// ParseServer reads a query string. What it does not understand is left out and
// named in problems. An instant may be a time of day alone: the last such one up to
// now, in UTC.
func ParseServer(ip string, v url.Values, now time.Time) (q Server, problems Problems) {
	q = Server{IP: ip, Span: ServerSpans[0]}
	if text := v.Get("at"); text != "" {
		at, ok := ParseMoment(text, now.UTC())
		if !ok {
			problems = append(problems, About(text, i18n.Lang.AddressMoment))
		}
		q.At = at
	}
	if text := v.Get("span"); text != "" {
		if slices.Contains(ServerSpans, text) {
			q.Span = text
		} else {
			problems = append(problems, unknown("span", text, strings.Join(ServerSpans, ", ")))
		}
	}
	q.Page, problems = ParsePage(v, problems)
	return q, problems
}

// ParsePage reads the number of a page; 1 if it's absent or wrong.
func ParsePage(v url.Values, problems Problems) (int, Problems) {
	text := v.Get("page")
	if text == "" {
		return 1, problems
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 || n > mostPages {
		return 1, append(problems, About(text, i18n.Lang.AddressPage))
	}
	return n, problems
}

// ParseMoment reads an instant, or a time of day up to now. The zone of now counts if the text has
// none.
func ParseMoment(text string, now time.Time) (time.Time, bool) {
	text = strings.TrimSpace(text)
	for _, form := range []string{"15:04", "15:04:05"} {
		clock, err := time.Parse(form, text)
		if err != nil {
			continue
		}
		at := time.Date(now.Year(), now.Month(), now.Day(), clock.Hour(), clock.Minute(), clock.Second(), 0, now.Location())
		if at.After(now) {
			at = at.AddDate(0, 0, -1)
		}
		return at.UTC(), true
	}
	return parseTimeIn(text, now.Location())
}

// Window is the time that is drawn: up to now, or around an instant that lies
// before that.
func (q Server) Window(now time.Time) (from, to time.Time) {
	span, _ := time.ParseDuration(q.Span)
	to = now
	if !q.At.IsZero() && q.At.Before(now.Add(-span)) {
		to = q.At.Add(span / 2)
	}
	if !q.At.IsZero() && q.At.After(now) { // of a clock that is fast
		to = q.At
	}
	return to.Add(-span), to
}

// Href is the page of the server.
func (q Server) Href() string {
	v := url.Values{}
	if !q.At.IsZero() {
		v.Set("at", InputTime(q.At))
	}
	if q.Span != "" && q.Span != ServerSpans[0] {
		v.Set("span", q.Span)
	}
	if q.Page > 1 {
		v.Set("page", strconv.Itoa(q.Page))
	}
	return WithQuery(ServerPath(q.IP), v)
}

// ServerPath is the address of a server's page, or of one below it.
func ServerPath(ip string, more ...string) string {
	escaped := strings.ReplaceAll(url.PathEscape(ip), "+", "%2B")
	if ip == "cleanup" { // the page of that name
		escaped = "%63leanup"
	}
	return strings.Join(append([]string{"/servers/" + escaped}, more...), "/")
}
