// Package enginetest has tests that every engine must pass.
//
//	Run(t, make) ──for each case──▶ make: Fixture ──▶ calls of the Engine
//	                                    │                  │
//	                                    └── Finish ──▶ tasks end ──▶ Watch: are they reported?
//
// A fake that passes can replace a real engine in other tests. The cases wait for events in real time, and
// never for time to pass.
package enginetest
