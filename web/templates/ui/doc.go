// Package ui is the alphabet of the console's pages: chips, times, run strips,
// buttons, pagers. Every component takes one plain struct, does no I/O and
// knows nothing about jobs; the areas' packages compose them.
//
//	handler ─► view function ─► Props (plain struct) ─► component ─► HTML
//
// A state is never shown by colour alone: each [Tone] has its own glyph, and the
// glyph stands next to a word.
package ui
