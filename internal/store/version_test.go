//go:build servers

package store_test

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

// V43: a server that says that it is too old is refused by name and number
// before the first statement; the database stays empty. The number is the only
// thing about this server that is old.
func TestV43TooOldServersAreRefusedWhole(t *testing.T) {
	t.Parallel()
	for says, want := range map[string]string{
		"5.6.51-log":       "it is MySQL 5.6.51",
		"10.1.48-MariaDB":  "it is MariaDB 10.1.48",
		"5.7.44":           "",
		"8.4.0":            "",
		"10.2.3-MariaDB-1": "",
	} {
		t.Run(says, func(t *testing.T) {
			server, err := storetest.LaunchMariaDB("--version=" + says)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() {
				if err := server.End(); err != nil {
					t.Error(err)
				}
			})
			db, err := store.Open(t.Context(), server.DSN(server.NewDatabase(t)), slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			err = errors.Join(db.Migrate(t.Context()), db.MigrateConsole(t.Context()))
			var tables int
			if err := db.Raw("SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = DATABASE()").Scan(&tables).Error; err != nil {
				t.Fatal(err)
			}
			if want == "" {
				if err != nil || tables == 0 {
					t.Errorf("%d tables, %v", tables, err)
				}
				return
			}
			if !errors.Is(err, store.ErrTooOld) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "is the oldest that is supported") || tables != 0 {
				t.Errorf("%d tables, %v", tables, err)
			}
		})
	}
}
