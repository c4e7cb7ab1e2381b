package ui_test

import (
	"strings"
	"testing"
	"time"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// TestTimesOfASnapshot: on a page about the past a distance is a time, with a date only
// if it is another day's, in the page's zone and language.
func TestTimesOfASnapshot(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 23, 41, 7, 0, time.UTC)
	berlin := time.FixedZone("Berlin", 3600)
	for _, c := range []struct {
		form             ui.TimeForm
		span             time.Duration
		zone             *time.Location
		english, chinese string
	}{
		{ui.TimeAgo, 133 * time.Second, time.UTC, "23:41:07", "23:41:07"},
		{ui.TimeAgo, 20 * time.Minute, time.UTC, "22 Nov 23:41", "11-22 23:41"},
		{ui.TimeAgo, 20 * time.Minute, berlin, "00:41:07", "00:41:07"},
		{ui.TimeIn, 24 * time.Hour, time.UTC, "22 Nov 23:41", "11-22 23:41"},
		{ui.TimeAgo, 400 * 24 * time.Hour, time.UTC, "2026-11-22 23:41", "2026-11-22 23:41"},
	} {
		for l, want := range map[i18n.Lang]string{i18n.English: c.english, i18n.Chinese: c.chinese} {
			var page strings.Builder
			ctx := ui.WithSnapshot(ui.WithZone(i18n.With(t.Context(), l), c.zone), "not now")
			if err := ui.TimeView(ui.Time{ISO: at.Format(time.RFC3339), At: at, Form: c.form, Span: c.span}).Render(ctx, &page); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(page.String(), ">"+want+"</time>") {
				t.Errorf("%s: %s, want %s", l.Tag(), page.String(), want)
			}
		}
	}
}

// TestTimesInBothLanguages: a distance is written in the language of the page, with
// its two largest units.
func TestTimesInBothLanguages(t *testing.T) {
	t.Parallel()
	const iso = "2026-11-22T02:41:07Z"
	for _, c := range []struct {
		time             ui.Time
		english, chinese string
	}{
		{ui.Time{ISO: iso, Text: "02:41:07 UTC"}, "02:41:07 UTC", "02:41:07 UTC"},
		{ui.Time{ISO: iso, Form: ui.TimeAgo, Span: 133 * time.Second}, "2 min 13 s ago", "2 分 13 秒 前"},
		{ui.Time{ISO: iso, Form: ui.TimeAgo, Span: 100 * time.Millisecond}, "just now", "刚刚"},
		{ui.Time{ISO: iso, Form: ui.TimeFor, Span: 76 * time.Hour}, "for 3 d 4 h", "已持续 3 天 4 小时"},
		{ui.Time{ISO: iso, Form: ui.TimeIn, Span: time.Hour}, "in 1 h", "1 小时 后"},
		{ui.Time{ISO: iso, Form: ui.TimeIn, Span: -time.Second}, "in 0 s", "0 秒 后"},
		{ui.Time{ISO: iso, Form: ui.TimeIn, Span: 25*time.Hour - time.Second}, "in 1 d", "1 天 后"},
	} {
		for l, want := range map[i18n.Lang]string{i18n.English: c.english, i18n.Chinese: c.chinese} {
			var page strings.Builder
			if err := ui.TimeView(c.time).Render(i18n.With(t.Context(), l), &page); err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(page.String(), ">"+want+"</time>") {
				t.Errorf("%s: %s, want %s", l.Tag(), page.String(), want)
			}
		}
	}
}
