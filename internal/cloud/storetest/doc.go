// Package storetest has tests that every store must pass.
//
//	Run(t, make) ──for each case──▶ make: Store ──▶ Create, Change, Delete
//	                                         │
//	                                         └────▶ Watch: are they reported, newer ones later?
//
// A fake that passes can replace a real store in other tests. The cases wait for events in real time, and
// never for time to pass.
package storetest
