package ui

import "context"

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

// refusedIf is the action, off if the whole page is.
func (a Action) refusedIf(why string) Action {
	if a.Refused == "" {
		a.Refused = why
	}
	return a
}

// at is how an instant is shown: on a page about the past by its date.
func (p Time) at(ctx context.Context) Time {
	if p.Form != "" && Refused(ctx) != "" {
		p.Text, p.Form, p.Countdown = p.Title, "", false
	}
	return p
}
