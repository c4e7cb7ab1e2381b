package sqlite

import (
	"context"
	"database/sql/driver"
	"errors"
	"path/filepath"
	"testing"

	gosqlite "github.com/glebarez/go-sqlite"
)

// TestStatementOfAnEndedContextIsNoSuccess: the driver answers without an error when it
// has not begun a statement because the context had ended. The writer would take
// the row for written.
func TestStatementOfAnEndedContextIsNoSuccess(t *testing.T) {
	conn, err := patientConnector{new(gosqlite.Driver), "file://" + filepath.Join(t.TempDir(), "a.db")}.Connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	exec := conn.(driver.ExecerContext).ExecContext
	if _, err := exec(t.Context(), "CREATE TABLE x (n INTEGER)", nil); err != nil {
		t.Fatal(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	for range 200 { // The driver learns of it sooner or later.
		if _, err := exec(ended, "INSERT INTO x VALUES (1)", nil); !errors.Is(err, context.Canceled) {
			t.Fatalf("insert: %v, want context.Canceled", err)
		}
	}
}
