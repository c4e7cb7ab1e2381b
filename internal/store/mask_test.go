package store_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/elasticjob-go/elasticjob/internal/mask"
	"github.com/elasticjob-go/elasticjob/internal/store"
)

// TestNoPasswordIsShown makes data source names of all forms, well-formed and
// not, around a password, and looks for it in every text that comes back.
func TestNoPasswordIsShown(t *testing.T) {
	gone, cancel := context.WithCancel(t.Context())
	cancel() // nothing is dialled
	noise := rapid.StringOfN(rapid.RuneFrom([]rune(`aZ9:@/?#%&=()[]\ "'é😀`)), 0, 6, -1)
	rapid.Check(t, func(rt *rapid.T) {
		password := noise.Draw(rt, "before") + "hunter2" + noise.Draw(rt, "after")
		form := rapid.SampledFrom([]string{
			"mysql://user:PW@127.0.0.1:1/db", "mysql://user:PW@127.0.0.1:1", "mysql://user:PW@/db", "postgres://user:PW@h/db",
			"user:PW@tcp(127.0.0.1:1)/db", "user:PW@tcp(127.0.0.1:1)", "user:PW@unix(/nowhere)/db", "user:PW@/db", "user:PW@h/db",
			"mysql://user:PW@127.0.0.1:1/db?readTimeout=x", "postgres://user:PW@127.0.0.1:1/db", "postgresql://user:PW@/db?host=/nowhere",
		}).Draw(rt, "form")
		dsn := strings.Replace(form, "PW", password, 1)
		if shown := mask.DSN(dsn); strings.Contains(shown, "hunter2") {
			rt.Fatalf("Mask(%s) = %s", dsn, shown)
		}
		db, err := store.Open(gone, dsn, slog.New(slog.DiscardHandler))
		if err == nil {
			_ = db.Close()
			rt.Fatalf("%s was opened", dsn)
		}
		if strings.Contains(err.Error(), "hunter2") {
			rt.Fatalf("%s: %v", dsn, err)
		}
	})
}
