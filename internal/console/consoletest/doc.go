// Package consoletest is what tests of the console share: a console on fakes behind
// a real listener, a console over a tree in both ZooKeeper servers, an OpenID
// Connect provider that can lie, and what callers send.
//
//	Parts (set by TestMain) ──► New ──► Bench: As, Call, Surfer ──► Reply: Doc, Text, Into
//	                                      └── FakeRegistry, FakeSettings, a clock, the log
//
// Which parts a console has is left to the packages of the tests, so that those
// inside package rest and package pages can use it too.
package consoletest
