package auth

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/elasticjob-go/elasticjob/conf"
)

func hash(t testing.TB, password string) string {
	t.Helper()
	h, err := bcrypt.GenerateFromPassword([]byte(password), bcrypt.MinCost)
	if err != nil {
		t.Fatal(err)
	}
	return string(h)
}

func TestAccountsPlainAndHashed(t *testing.T) {
	t.Parallel()
	a, err := ParseAccounts([]byte("root.username = admin\nroot.password = " + hash(t, "pa${ss}wörd") + "\nguest.username=looker\nguest.password=pl${ain} #not a comment\n"))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, password string
		role           Role
		ok             bool
	}{
		{"admin", "pa${ss}wörd", RoleRoot, true},
		{"admin", "wrong", "", false},
		{"admin", "", "", false},
		{"looker", "pl${ain} #not a comment", RoleGuest, true},
		{"looker", "pa${ss}wörd", "", false},
		{"nobody", "pa${ss}wörd", "", false},
		{"", "", "", false},
		{"admin", strings.Repeat("x", 500), "", false},
	} {
		acc, ok := a.authenticate(c.name, c.password)
		if ok != c.ok || ok && acc.Role != c.role {
			t.Errorf("authenticate(%q, %q) = %v, %v; want %v, %v", c.name, c.password, acc.Role, ok, c.role, c.ok)
		}
	}
}

// TestW64EveryNameCostsTheSame: for every name and every length of the password, each hash is
// compared once, so that the time of an answer doesn't reveal names.
func TestW64EveryNameCostsTheSame(t *testing.T) {
	t.Parallel()
	root, guest := hash(t, "first"), hash(t, "second")
	a, err := ParseAccounts([]byte("root.username=admin\nroot.password=" + root + "\nguest.username=looker\nguest.password=" + guest + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	var compared []string
	a.compare = func(hash, password []byte) error {
		compared = append(compared, string(hash))
		return bcrypt.CompareHashAndPassword(hash, password)
	}
	for _, name := range []string{"admin", "looker", "nobody", ""} {
		for _, length := range []int{0, 5, maxPassword, maxPassword + 1, 1000} {
			compared = nil
			if _, ok := a.authenticate(name, strings.Repeat("x", length)); ok {
				t.Errorf("%q is let in", name)
			}
			if !slices.Equal(compared, []string{root, guest}) {
				t.Errorf("%q with %d bytes: %d hashes are compared, want both", name, length, len(compared))
			}
		}
	}
}

func TestAccountsRefused(t *testing.T) {
	t.Parallel()
	const good = "root.username=r\nroot.password=Canary-1\n"
	for text, want := range map[string]string{
		"":                                 "root.username is missing",
		"root.username=r\n":                "root.password is missing",
		good + "guest.username=g\n":        "guest.password is missing",
		good + "guest.password=Canary-2\n": "guest.username is missing",
		good + "auth.username=x\n":         `unknown key "auth.username"`,
		"root.username=r\nroot.password=$2a$10$Canary-short\n":                    "not a complete one",
		good + "guest.username=r\nguest.password=Canary-2\n":                      `are both "r"`,
		"root.username=r\nroot.password=" + strings.Repeat("Canary-", 20) + "\n":  "longer than 72 bytes",
		"root.username=" + strings.Repeat("r", 65) + "\nroot.password=Canary-1\n": "longer than 64 bytes",
		"root.username=r\nroot.password=Canary-\\u12\n":                           "not a properties file",
		"root.username=r\nroot.password=$2a$20$" + strings.Repeat("a", 53) + "\n": "cost 20",
	} {
		_, err := ParseAccounts([]byte(text))
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want one that says %q", text, err, want)
		} else if strings.Contains(err.Error(), "Canary") {
			t.Errorf("%q: the error shows the password: %v", text, err)
		}
	}
}

// TestC10PlaceholderPasswords: the shipped ones and what was only meant to be
// replaced, however it is written; not what merely has such a word in it.
func TestC10PlaceholderPasswords(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		string(conf.AuthProperties):                                                                    true,
		"root.username=root\nroot.password=better-one\n":                                               false,
		"root.username=boss\nroot.password=root\n":                                                     true,
		"root.username=root\nroot.password=" + hash(t, "root") + "\n":                                  true,
		"root.username=root\nroot.password=better-one\nguest.username=guest\nguest.password=guest\n":   true,
		"root.username=ada\nroot.password=Change-Me\n":                                                 true,
		"root.username=ada\nroot.password=change_me\n":                                                 true,
		"root.username=ada\nroot.password=choose-one\n":                                                true,
		"root.username=ada\nroot.password=${ROOT_PASSWORD}\n":                                          true,
		"root.username=ada\nroot.password=<your password>\n":                                           true,
		"root.username=ada\nroot.password=ADA\n":                                                       true,
		"root.username=ada\nroot.password=default_token\n":                                             true,
		"root.username=ada\nroot.password=---\n":                                                       true,
		"root.username=ada\nroot.password=changeme-not-7Qx\n":                                          false,
		"root.username=ada\nroot.password=better-one\nguest.username=guest\nguest.password=password\n": true,
	} {
		a, err := ParseAccounts([]byte(text))
		if err != nil {
			t.Fatal(err)
		}
		if got := a.DefaultPasswords(); got != want {
			t.Errorf("%q: DefaultPasswords() = %v, want %v", text, got, want)
		}
	}
}

func TestAccountsNeverPrintPasswords(t *testing.T) {
	t.Parallel()
	a, err := ParseAccounts([]byte(testAccounts))
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s"} {
		if text := fmt.Sprintf(format, a); strings.Contains(text, "Canary") {
			t.Errorf("%s prints %s", format, text)
		}
	}
	if got := a.LogValue().String(); got != "root (root), guest (guest)" {
		t.Errorf("LogValue() = %q", got)
	}
}

func TestLoadAccountsChecksTheFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "auth.properties")
	if _, err := LoadAccounts(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("missing file: %v", err)
	}
	if err := os.WriteFile(path, []byte(testAccounts), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadAccounts(path); err != nil {
		t.Errorf("good file: %v", err)
	}
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := LoadAccounts(path); err == nil || !strings.Contains(err.Error(), "chmod o-w") {
		t.Errorf("file everybody can write: %v", err)
	}
}

// TestV29PlainPasswordsThatOthersCanRead are distinguished from hashes and from a file
// that only its owner and group can read.
func TestV29PlainPasswordsThatOthersCanRead(t *testing.T) {
	t.Parallel()
	const hash = "$2a$04$NEsjgA9vZ6Z9rBLD5sJWj.8UpWNYCqhYbTzE6tbpvVkWcbtTpkqye"
	for _, test := range []struct {
		mode     os.FileMode
		password string
		exposed  bool
	}{{0o644, "correct horse", true}, {0o640, "correct horse", false}, {0o600, "correct horse", false}, {0o644, hash, false}} {
		path := filepath.Join(t.TempDir(), "auth.properties")
		if err := os.WriteFile(path, []byte("root.username=ada\nroot.password="+test.password+"\n"), test.mode); err != nil {
			t.Fatal(err)
		}
		a, err := LoadAccounts(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Exposed(); (err != nil) != test.exposed || err != nil && strings.Contains(err.Error(), "horse") {
			t.Errorf("mode %o with %q: %v", test.mode, test.password, err)
		}
	}
}
