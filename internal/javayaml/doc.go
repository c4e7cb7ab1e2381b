// Package javayaml reads and writes the YAML of Java's ElasticJob agents, which
// is YAML 1.1: on, 1:30 and 0x1F are not text there.
//
//	document ──Parse──▶ node ──Flatten──▶ entries ──Text, Bool, Int──▶ values
//	values ──Writer──▶ document, quoted and folded as ElasticJob does
//
// What cannot be read is a [SyntaxError] with line and field. Nothing here knows
// what a document is about.
package javayaml
