//go:build linux

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/elasticjob-go/elasticjob/internal/cloud/local"
)

// TestW62UserOfPrograms: the console's own user has to be named, too, and only root can have
// another one.
func TestW62UserOfPrograms(t *testing.T) {
	t.Parallel()
	if a, err := localAccount(strconv.Itoa(os.Geteuid())); a != nil || err != nil {
		t.Errorf("the own user: %v, %v", a, err)
	}
	a, err := localAccount("4711:4712")
	if os.Geteuid() != 0 {
		if err == nil || !strings.Contains(err.Error(), "only root can start programs as another user") {
			t.Errorf("without root: %v, %v", a, err)
		}
		return
	}
	if diff := cmp.Diff(&local.Account{UID: 4711, GID: 4712}, a); diff != "" || err != nil {
		t.Errorf("want-, got+: %v\n%s", err, diff)
	}
	if a, err := localAccount("4711"); err == nil || !strings.Contains(err.Error(), "--cloud-local-user 4711") {
		t.Errorf("a number without a group: %v, %v", a, err)
	}
}

// TestW62DataFolder: programs of another user can pass through the data folder, and read nothing
// that lies in it.
func TestW62DataFolder(t *testing.T) {
	t.Parallel()
	data := filepath.Join(t.TempDir(), "data")
	if err := makeDataFolder(data); err != nil {
		t.Fatal(err)
	}
	base := filepath.Dir(filepath.Dir(data)) // of the test
	if err := os.Chmod(base, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := openData(data); err == nil || !strings.Contains(err.Error(), "can't pass through "+base) {
		t.Errorf("below a closed folder: %v", err)
	}
	if err := os.Chmod(base, 0o711); err != nil {
		t.Fatal(err)
	}
	database := filepath.Join(data, "console.db")
	if err := os.WriteFile(database, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := openData(data); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]os.FileMode{data: 0o711, database: 0o600} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v; want %o", path, info.Mode(), err, want)
		}
	}
}
