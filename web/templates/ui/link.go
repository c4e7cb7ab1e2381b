package ui

import (
	"context"

	"github.com/a-h/templ"
)

type linkKey struct{}

// WithLinks is the context of a page whose links are written by prefix: it gets
// the path of each link, form and file, and returns the path as the browser has
// to ask for it. It is called with each link of the page, one at a time.
func WithLinks(ctx context.Context, prefix func(path string) string) context.Context {
	return context.WithValue(ctx, linkKey{}, prefix)
}

// Link is the address of a link, form or file as the browser has to ask for it.
// Every component writes its addresses with it; a scheme that could run a script
// is replaced.
func Link(ctx context.Context, path string) templ.SafeURL {
	safe := templ.URL(path)
	if prefix, ok := ctx.Value(linkKey{}).(func(string) string); ok {
		return templ.SafeURL(prefix(string(safe)))
	}
	return safe
}

// External is an address outside of the console that the operator has configured.
func External(address string) templ.SafeURL { return templ.SafeURL(address) }
