//go:build !servers

package zktest

import "testing"

// Without the build tag servers, tests run against the in-process server alone.

// OnReal does nothing: it needs the build tag servers.
func OnReal(*testing.T, func(*testing.T, Target)) {}

// OnOwnReal does nothing: it needs the build tag servers.
func OnOwnReal(*testing.T, func(*testing.T, *ZooKeeper)) {}
