package settings_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/internal/store/storetest"
)

const canary = "ops:Canary-7-作业"

func TestRegistries(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		ctx := t.Context()
		a := settings.Registry{Name: "a", Servers: []string{"zk1:2181", "zk2:2181"}, Namespace: "team/a", Digest: canary, Access: settings.Access{TLS: true, CA: "ca", Cert: "cert", Key: canary, ServerName: "zk", ACL: "x509"}}
		b := settings.Registry{Name: "B 作业", Servers: []string{"[::1]:2181"}, Namespace: "b"}
		for _, r := range []settings.Registry{a, b} {
			if err := one.Add(ctx, []settings.Registry{r}, nil); err != nil {
				t.Fatal(err)
			}
			if err := other.Add(ctx, []settings.Registry{r}, nil); !errors.Is(err, settings.ErrExists) {
				t.Errorf("twice: %v", err)
			}
		}
		list, err := other.Registries().List(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]settings.Registry{b, a}, list, cmpopts.IgnoreFields(settings.Registry{}, "Revision")); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		before, err := other.Registries().Get(ctx, "a")
		if err != nil || before.Digest != canary {
			t.Fatal(before, err)
		}
		a.Namespace, a.Digest, a.Access = "elsewhere", "", settings.Access{ACL: "open"}
		if err := one.Registries().Change(ctx, a); err != nil {
			t.Fatal(err)
		}
		after, err := other.Registries().Get(ctx, "a")
		if err != nil || after.Revision == before.Revision || after.Namespace != "elsewhere" || after.Digest != "" || after.Access != a.Access {
			t.Errorf("%+v, %v", after, err)
		}
		if err := other.Registries().Remove(ctx, "a"); err != nil {
			t.Fatal(err)
		}
		for name, err := range map[string]error{"change": one.Registries().Change(ctx, a), "remove": one.Registries().Remove(ctx, "a"), "other case": one.Registries().Remove(ctx, "b 作业")} {
			if !errors.Is(err, settings.ErrNotFound) {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}

func TestChoices(t *testing.T) {
	each(t, func(t *testing.T, one, other *settings.Store) {
		for _, name := range []string{"a", "b"} {
			if err := one.Choose(t.Context(), "token", noon.Add(time.Hour), noon, settings.KindRegistry, name); err != nil {
				t.Fatal(err)
			}
			if got, err := other.Chosen(t.Context(), "token", settings.KindRegistry); err != nil || got != name {
				t.Errorf("%q, %v", got, err)
			}
		}
		if err := one.Choose(t.Context(), "later", noon.Add(9*time.Hour), noon.Add(8*time.Hour), settings.KindDataSource, "x"); err != nil {
			t.Fatal(err)
		}
		got := fmt.Sprint(one.Chosen(t.Context(), "token", settings.KindRegistry))
		kept := fmt.Sprint(one.Chosen(t.Context(), "later", settings.KindDataSource))
		if none := fmt.Sprint(one.Chosen(t.Context(), "later", settings.KindRegistry)); got != "<nil>" || kept != "x<nil>" || none != "<nil>" {
			t.Errorf("expired %q, kept %q, none %q", got, kept, none)
		}
	})
}

// TestSecretsAreEncrypted: neither in the file, nor readable with another key,
// nor of use in another row.
func TestSecretsAreEncrypted(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "own.db")
	db := storetest.Open(t, path)
	if err := db.MigrateConsole(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := settings.New(db, testKey(t, "k"))
	for _, name := range []string{"a", "b"} {
		if err := s.Add(t.Context(), []settings.Registry{{Name: name, Servers: []string{"x:1"}, Namespace: "n", Digest: canary + name, Access: settings.Access{TLS: true, Key: canary + name}}}, nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.CheckKey(t.Context()); err != nil {
		t.Error(err)
	}
	for _, file := range []string{path, path + "-wal"} {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(content, []byte("Canary")) {
			t.Errorf("the secret is in %s", file)
		}
	}
	if err := settings.New(db, testKey(t, "x")).CheckKey(t.Context()); !errors.Is(err, settings.ErrWrongKey) || strings.Contains(err.Error(), "Canary") {
		t.Errorf("another key: %v", err)
	}
	if err := db.Exec("UPDATE elasticjob_registry SET digest = (SELECT digest FROM elasticjob_registry WHERE name = 'b')").Error; err != nil {
		t.Fatal(err)
	}
	if _, err := s.Registries().Get(t.Context(), "a"); !errors.Is(err, settings.ErrWrongKey) {
		t.Errorf("another's secret: %v", err)
	}
}

// TestC10KeyFile: the key is made at random, its owner's alone, and none of the
// placeholders that are as long as one.
func TestC10KeyFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.key")
	made, err := settings.KeyFile(path)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatal(info.Mode(), err)
	}
	read, err := settings.KeyFile(path)
	if err != nil || !cmp.Equal(made, read, cmp.AllowUnexported(settings.Key{})) {
		t.Errorf("the key is another: %v", err)
	}
	if text := fmt.Sprintf("%v %+v %#v %s", made, made, made, made); strings.Trim(text, "* ") != "" {
		t.Errorf("printed as %s", text)
	}
	for mode, ok := range map[os.FileMode]bool{0o644: false, 0o604: false, 0o660: false, 0o640: true, 0o440: true} {
		if err := os.Chmod(path, mode); err != nil {
			t.Fatal(err)
		}
		if _, err := settings.KeyFile(path); ok != (err == nil) || err != nil && !strings.Contains(err.Error(), "chmod 600") {
			t.Errorf("mode %o: %v", mode, err)
		}
	}
	for _, text := range []string{"", "short", strings.Repeat("z", 44), strings.Repeat("0", 64), strings.Repeat("0b", 32), strings.Repeat("A", 43) + "="} {
		if _, err := settings.ParseKey(text); err == nil {
			t.Errorf("%q is a key", text)
		}
	}
	if _, err := settings.ParseKey("f3dc426d8b565130e6c463f0c58f9454a3e5d84242755c5048d794f365e1ff17\n"); err != nil {
		t.Error(err)
	}
}

// TestW64GuessableKeys: a pattern, a sequence and an encoded password are no keys.
func TestW64GuessableKeys(t *testing.T) {
	t.Parallel()
	sequence, down := make([]byte, 32), make([]byte, 32)
	for i := range sequence {
		sequence[i], down[i] = byte(i), byte(250-3*i)
	}
	for _, key := range []string{
		string(sequence), string(down), strings.Repeat("\x00\x11\x22\x33\x44\x55\x66\x77\x88\x99\xaa\xbb\xcc\xdd\xee\xff", 2), strings.Repeat("\x01\x92\x13\x44\xf5\x86\x77\xa8", 4),
		"correct horse battery staple 123", "0123456789abcdef0123456789abcdee",
	} {
		if _, err := settings.ParseKey(base64.StdEncoding.EncodeToString([]byte(key))); err == nil {
			t.Errorf("%q is a key", key)
		}
	}
}

// Programs that start at the same moment get one key, and nobody half of it.
func TestKeyFileIsMadeWhole(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "settings.key")
	const starters = 50
	keys := make(chan settings.Key, starters)
	for range starters {
		go func() {
			key, err := settings.KeyFile(path)
			if err != nil {
				t.Error(err)
			}
			keys <- key
		}()
	}
	first := <-keys
	for range starters - 1 {
		if key := <-keys; !cmp.Equal(first, key, cmp.AllowUnexported(settings.Key{})) {
			t.Error("two keys")
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
