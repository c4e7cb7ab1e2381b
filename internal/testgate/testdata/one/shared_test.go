// Package one tells the tests of the gate which servers its tests were given.
package one

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
	"github.com/elasticjob-go/elasticjob/internal/zk/zktest"
)

func TestServers(t *testing.T) {
	maria, postgres := storetest.StartMariaDB(t), storetest.StartPostgres(t)
	for _, dsn := range []string{maria.DSN(maria.NewDatabase(t)), postgres.DSN(postgres.NewDatabase(t))} {
		if err := storetest.Open(t, dsn).Migrate(t.Context()); err != nil {
			t.Error(err)
		}
	}
	registry := zktest.Real(t).Addr
	if reply, err := zktest.FourLetterWord(registry, "ruok"); reply != "imok" {
		t.Error(reply, err)
	}
	servers := strings.Join([]string{registry, maria.Addr, postgres.Addr}, " ")
	if err := os.WriteFile(filepath.Join(os.Getenv("GATE_TEST"), "one"), []byte(servers), 0o600); err != nil {
		t.Error(err)
	}
}
