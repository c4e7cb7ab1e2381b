package query

import (
	"net/url"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

func TestParseServer(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 2, 41, 7, 0, time.UTC)
	for text, want := range map[string]time.Time{
		"02:00": time.Date(2026, 11, 22, 2, 0, 0, 0, time.UTC), "02:41:08": time.Date(2026, 11, 21, 2, 41, 8, 0, time.UTC),
		"2026-11-20T02:00": time.Date(2026, 11, 20, 2, 0, 0, 0, time.UTC), "2026-11-20 02:00:05": time.Date(2026, 11, 20, 2, 0, 5, 0, time.UTC),
	} {
		q, problems := ParseServer("10.0.0.1", url.Values{"at": {text}}, now)
		if len(problems) > 0 || !q.At.Equal(want) {
			t.Errorf("at %s: %s, %q", text, q.At, problems.In(i18n.English))
		}
		u, err := url.Parse(q.Href())
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := ParseServer("10.0.0.1", u.Query(), now); again != q {
			t.Errorf("%s leads to %+v, not %+v", q.Href(), again, q)
		}
		from, to := q.Window(now)
		if from.After(q.At) || to.Before(q.At) || to.Sub(from) != time.Hour {
			t.Errorf("at %s: from %s to %s", text, from, to)
		}
	}
	q, problems := ParseServer("a+b", url.Values{"at": {"two"}, "span": {"2h"}, "page": {"0"}}, now)
	if len(problems) != 3 || q != (Server{IP: "a+b", Span: "1h", Page: 1}) || q.Href() != "/servers/a%2Bb" {
		t.Errorf("%+v, %q, %s", q, problems.In(i18n.English), q.Href())
	}
	if from, to := q.Window(now); !to.Equal(now) || to.Sub(from) != time.Hour {
		t.Errorf("from %s to %s", from, to)
	}
	if got := ServerPath("cleanup", "jobs"); got != "/servers/%63leanup/jobs" {
		t.Errorf("the server called cleanup is at %s", got)
	}
}
