// Package runparams has the parameters of requested runs: what is JSON, what a job's
// schema says of it, and the schema of a Go struct.
//
//	struct P ──Of──▶ Schema ◀──Parse── text that is stored in the tree
//	                   │
//	parameters ──Check─┼──▶ every problem at once, each with its path
//	           ──Defaults──▶ parameters with what was left out
//	           ──Mask──────▶ parameters without secrets
//
// A schema is a subset of JSON Schema 2020-12: what a form can show. [CheckJSON] is for
// jobs without one. Everything here is pure and bounded: it is asked while somebody types,
// about text that anybody may have written.
package runparams
