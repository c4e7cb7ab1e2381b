// Package cloudfake has an engine and a store in memory, with faults, for tests of users of package
// cloud.
//
//	test ──Fault──▶ Engine ──▶ runs and tasks ──┐
//	     └─Fault──▶ Store  ──▶ definitions ─────┴──▶ Watch: reset, present, synced, changes
//
// The fakes pass the tests for every engine and store in internal/cloud/enginetest and
// internal/cloud/storetest. All methods are safe for concurrent use.
package cloudfake
