// Package ends stops a server that it shares, as no test may.
package ends

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

func TestStopsTheServer(t *testing.T) {
	storetest.StartMariaDB(t).Exec(t, "", "SHUTDOWN")
	for server := storetest.StartMariaDB(t); ; server.Exec(t, "", "SELECT 1") {
		// until the server has ended, which fails the test
	}
}

func TestComesAfter(t *testing.T) { storetest.StartMariaDB(t) }
