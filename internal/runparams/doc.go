// Package runparams has the parameters of requested runs: checks of JSON, a job's schema, and the
// schema of a Go struct.
//
//	struct P ──Of──▶ Schema ◀──Parse── text that is stored in the tree
//	                   │
//	parameters ──Check─┼──▶ every problem at once, each with its path
//	           ──Defaults──▶ parameters with what was left out
//	           ──Mask──────▶ parameters without secrets
//
// A schema is a subset of JSON Schema 2020-12 that a form can show. [CheckJSON] is for jobs without a schema.
// Everything here is pure and has limits, because it runs while a user types, on text from any source.
package runparams
