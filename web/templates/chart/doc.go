// Package chart draws the console's charts as SVG on the server.
//
//	values ─► scale.go (pure) ─► props ─► component ─► SVG with coordinates in per cent
//
// A chart as wide as its card has coordinates in per cent, so its text is never
// distorted and it needs neither a script nor a style attribute, which the
// console's content policy forbids. A chart of fixed cells, such as [GridView],
// has one path for each tone, so that it stays small. Each has one sentence for those who do not see it; the table below it is
// the accessible form. Failures hang below the line on a scale of their own. A gap
// in the record is hatched, never zero.
//
// A page that shows hatched marks has [Defs] once; the frame brings it.
package chart
