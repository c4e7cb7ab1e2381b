package ui

import (
	"context"
	"strings"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

type snapshotKey struct{}

// WithSnapshot is the context of a page about the past: times are absolute, and
// buttons are off with this reason.
func WithSnapshot(ctx context.Context, refused string) context.Context {
	return context.WithValue(ctx, snapshotKey{}, refused)
}

// Refused is why nothing can be done on this page; empty if it can.
func Refused(ctx context.Context) string {
	why, _ := ctx.Value(snapshotKey{}).(string)
	return why
}

// at is how an instant is shown: on a page about the past by its time, with as much
// date as that needs. The zone stands in the title, where there is room.
func (p Time) at(ctx context.Context) Time {
	if p.Form == "" || Refused(ctx) == "" {
		return p
	}
	p.Text = p.Title
	if !p.At.IsZero() {
		now := p.At.Add(p.Span)
		if p.Form == TimeIn {
			now = p.At.Add(-p.Span)
		}
		t := p.At.In(ZoneOf(ctx))
		p.Text = t.Format(strings.TrimSuffix(NearLayout(i18n.From(ctx), t, now.In(t.Location())), " MST"))
	}
	p.Form, p.Countdown = "", false
	return p
}
