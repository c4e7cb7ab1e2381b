//go:build !servers

package zktest

import "testing"

// Without the build tag servers, tests run against the in-process server alone.

// OnReal needs the build tag servers. Without it, it does nothing.
func OnReal(*testing.T, func(*testing.T, Target)) {}

// OnOwnReal needs the build tag servers. Without it, it does nothing.
func OnOwnReal(*testing.T, func(*testing.T, *ZooKeeper)) {}
