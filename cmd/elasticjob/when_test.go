package main

import (
	"fmt"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/cli"
)

// TestInstants: times as people write them are in the zone of the machine, days are days of the calendar.
func TestInstants(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 3, 29, 12, 30, 15, 0, berlin) // The clock went from 02:00 to 03:00 today.
	for text, want := range map[string]string{
		"now": "2026-03-29T12:30:15+02:00", "-1h": "2026-03-29T11:30:15+02:00", "+30m": "2026-03-29T13:00:15+02:00", "-1h30m": "2026-03-29T11:00:15+02:00",
		"-1d": "2026-03-28T12:30:15+01:00", "-1w": "2026-03-22T12:30:15+01:00", "-1d1h": "2026-03-28T11:30:15+01:00", "03:00": "2026-03-29T03:00:00+02:00", "23:59:58": "2026-03-29T23:59:58+02:00",
		"today": "2026-03-29T00:00:00+01:00", "yesterday": "2026-03-28T00:00:00+01:00", "yesterday 03:00": "2026-03-28T03:00:00+01:00", "tomorrow 18:15:30": "2026-03-30T18:15:30+02:00",
		"2026-11-30": "2026-11-30T00:00:00+01:00", "2026-11-30 03:00": "2026-11-30T03:00:00+01:00", "2026-11-30T03:00": "2026-11-30T03:00:00+01:00", "2026-11-30 03:00:05": "2026-11-30T03:00:05+01:00",
		"2026-11-30T03:00:00Z": "2026-11-30T03:00:00Z", "2026-11-30T03:00:00-05:00": "2026-11-30T03:00:00-05:00", "2026-11-30 03:00Z": "2026-11-30T03:00:00Z",
	} {
		if got, err := parseInstant(text, now); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: %s, %v, want %s", text, got.Format(time.RFC3339), err, want)
		}
	}
	for _, text := range []string{"", "-", "+", "1h", "-1x", "someday", "25:00", "yesterday noon", "2026-13-01", "2026-11-30 03", "-99999999999h", "03:00 today"} {
		if got, err := parseInstant(text, now); err == nil {
			t.Errorf("%q: %s", text, got)
		}
	}
}

// TestTimesOnTheCommandLine: a time before now needs no equals sign, and a flag in place of a time is a mistake.
func TestTimesOnTheCommandLine(t *testing.T) {
	t.Parallel()
	d := answering(t, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "{}") })
	for _, from := range [][]string{{"--from", "-1h"}, {"--from=-1h"}, {"--from", "yesterday 03:00"}, {"--from", "2026-11-30"}} {
		d.asks(t, 0, "", append([]string{"run", "list"}, from...)...)
	}
	asked := d.requests()
	for _, r := range asked[:2] {
		at, err := url.QueryUnescape(after(r.URI, "from="))
		if began, wrong := time.Parse(time.RFC3339, at); err != nil || wrong != nil || time.Since(began) < time.Hour {
			t.Errorf("%s: %v, %v", r.URI, err, wrong)
		}
	}
	for _, from := range [][]string{{"--from"}, {"--from", "--limit=3"}, {"--from", "-o", "json"}, {"--from="}, {"--from", "soon"}} {
		d.asks(t, cli.ExitUsage, "", append([]string{"run", "list"}, from...)...)
	}
	if n := len(d.requests()); n != 4 {
		t.Errorf("%d requests", n)
	}
}
