//go:build !servers

package storetest

import "testing"

// onServers does nothing without the build tag servers: tests have SQLite alone.
func onServers(*testing.T, func(t *testing.T, dsn string)) {}
