// Package storybook shows every component of the console's pages with sample data,
// in each tone, theme and language. Nothing is read from anywhere:
//
//	console storybook ─► Handler ─► /            components and charts
//	                                /stale       the frame during an outage
//	                                /login       signing in
//	                                /error       an error
//
// A component that is new has its story here; the test opens all pages in a
// browser, in both themes and languages, at the width of a desk and of a phone,
// and looks whether they can be read and used by everybody.
package storybook
