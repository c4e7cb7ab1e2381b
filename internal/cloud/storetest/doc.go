// Package storetest says what every store has to do, as tests: one table for all of them.
//
//	Run(t, make) ──for each case──▶ make: Store ──▶ Create, Change, Delete
//	                                         │
//	                                         └────▶ Watch: are they reported, newer ones later?
//
// A fake that passes may stand for a real store in other tests. The cases wait for events
// in real time, and never for time to pass.
package storetest
