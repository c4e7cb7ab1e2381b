package explain_test

import (
	"slices"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/statistics/explain"
)

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

func TestFingerprint(t *testing.T) {
	t.Parallel()
	for _, alike := range [][]string{
		{"dial tcp 10.0.9.14:3306: connect: connection refused", "dial tcp 10.0.9.15:13306: connect: connection refused"},
		{`job "invoices" of run 17: no space`, `job "ledger" of run 9: no space`},
		{"request 3f2504e0-4f89-11d3-9a0c-0305e82c3301 failed", "request 1b4e28ba-2fa1-11d2-883f-0016d3cca427 failed\n\tat x.y(Z.java:71)"},
		{"Boom", "boom "},
	} {
		if a, b := explain.Fingerprint(alike[0], false), explain.Fingerprint(alike[1], false); a != b {
			t.Errorf("%q and %q differ: %q, %q", alike[0], alike[1], explain.Normal(alike[0]), explain.Normal(alike[1]))
		}
	}
	if explain.Fingerprint("connection refused", false) == explain.Fingerprint("connection reset", false) {
		t.Error("two failures are one cause")
	}
}

func TestShort(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"mail answered 421: too many connections, try later":          "too many connections",
		"POST https://mail.internal/v2/send: 503 Service Unavailable": "503 Service Unavailable",
		"exit status 3: No space left on device":                      "No space left",
		"java.lang.IllegalStateException: boom":                       "boom",
		"boom: ":                                                      "boom", "": "",
	} {
		if got := explain.Short(text); got != want {
			t.Errorf("explain.Short(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestCauses(t *testing.T) {
	t.Parallel()
	fail := func(cause string, ago time.Duration) explain.Judgement {
		return explain.Judgement{
			State: explain.Failing, Finding: &statistics.Finding{Code: statistics.CodeFailing}, Since: noon.Add(-ago),
			Runs: &explain.Digest{Cause: cause, Fingerprint: explain.Fingerprint(cause, false)},
		}
	}
	got := explain.Causes([]string{"d", "c", "b", "a"}, []explain.Judgement{
		fail("no space on disk 7", time.Minute), fail("refused by 10.0.0.1:80", time.Minute), {State: explain.Healthy}, fail("refused by 10.0.0.2:80", time.Hour),
	})
	if len(got) != 2 || !slices.Equal(got[0].Jobs, []string{"a", "c"}) || !got[0].Since.Equal(noon.Add(-time.Hour)) ||
		got[0].Text != "refused by 10.0.0.2:80" || !slices.Equal(got[1].Jobs, []string{"d"}) {
		t.Errorf("causes %+v", got)
	}
}
