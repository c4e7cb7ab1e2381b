// Package sharedserver tells tests of the servers that all packages of a run share.
//
//	testgate ── starts one of each, sets Variable ──▶ go test ──▶ test binaries
//	                                                                  │
//	zktest.Real, storetest.StartMariaDB, StartPostgres ── Addr ◀──────┘
//
// Guarantees: a test that takes a shared server which has ended fails and says so,
// and so does a test that failed while its server ended. Without the gate there is
// none, and a fixture starts a server for its binary.
package sharedserver

import (
	"fmt"
	"net"
	"os"
	"testing"
	"time"
)

// Server is a kind of server, by the name that people read.
type Server string

// The servers that a run shares.
const (
	ZooKeeper Server = "ZooKeeper"
	MariaDB   Server = "MariaDB"
	Postgres  Server = "PostgreSQL"
)

// Variable is the environment variable that holds the server's address, host:port.
func (s Server) Variable() string {
	return map[Server]string{ZooKeeper: "TESTGATE_ZOOKEEPER", MariaDB: "TESTGATE_MARIADB", Postgres: "TESTGATE_POSTGRES"}[s]
}

// Addr returns the address of the server that the packages of this run share, ""
// if they share none. A test must not stop or freeze it, and must not look at
// what is there besides its own.
func (s Server) Addr(tb testing.TB) string {
	tb.Helper()
	addr := os.Getenv(s.Variable())
	if addr == "" {
		return ""
	}
	if err := s.Reach(addr); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if tb.Failed() {
			if err := s.Reach(addr); err != nil {
				tb.Log(err)
			}
		}
	})
	return addr
}

// Reach fails if nobody takes connections at the address.
func (s Server) Reach(addr string) error {
	conn, err := net.DialTimeout("tcp", addr, 30*time.Second)
	if err != nil {
		return fmt.Errorf("the %s that all packages of this run share has ended: %w", s, err)
	}
	return conn.Close()
}
