// Package cloudfake has an engine, a store and an election in memory, with faults, for tests
// of what stands on package cloud.
//
//	test ──Fault──▶ Engine ──▶ runs and tasks ──┐
//	     └─Fault──▶ Store  ──▶ definitions ─────┴── feed ──▶ Watch: reset, present, synced, changes
//	     └─Freeze─▶ Election ──▶ Leadership of each member
//
// The fakes keep the promises of the interfaces: internal/cloud/enginetest and
// internal/cloud/storetest say so, as of every engine and store. All methods may be called
// at the same time.
package cloudfake
