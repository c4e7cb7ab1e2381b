// Package events tells a page which of its regions have changed. It says no more
// than that: what they show now, the page asks for at its own address, so that
// permission, filter and language have one path.
//
//	registry, history ──Change──▶ Box of an open page ──names of regions──▶ its stream
//	                              topics: what each region is about
//
// A Box gathers; whoever empties it decides how often, see package console.
package events
