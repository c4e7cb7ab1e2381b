// Package enginetest says what every engine has to do, as tests: one table for all of them.
//
//	Run(t, make) ──for each case──▶ make: Fixture ──▶ calls of the Engine
//	                                    │                  │
//	                                    └── Finish ──▶ tasks end ──▶ Watch: are they reported?
//
// A fake that passes may stand for a real engine in other tests. The cases wait for events
// in real time, and never for time to pass.
package enginetest
