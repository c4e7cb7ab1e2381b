package auth

import (
	"strings"
	"testing"
)

// FuzzAccounts: any text is a file of accounts or is refused, and neither what
// is taken nor what is wrong with it shows a password.
func FuzzAccounts(f *testing.F) {
	for _, seed := range []string{
		testAccounts, "", "root.username=r\nroot.password=p", "root.username=r\\\n  s\nroot.password=\\u0000", "root.username : r\nroot.password Canary", "\xff=\xfe", "!#\r\n=\r:",
		"root.username=${root.password}\nroot.password=Canary", "root.username=r\nroot.username=r\nroot.password=p\nroot.password=Canary\n", "a\\", "\\u12", strings.Repeat("=", 70_000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "$2") {
			return // a hash takes its time, on purpose
		}
		a, err := ParseAccounts([]byte(text))
		if err != nil {
			if p := err.Error(); strings.Contains(p, "Canary") && !strings.Contains(p, "unknown key") && !strings.Contains(p, "are both") {
				t.Errorf("%q: the error shows a password: %v", text, err)
			}
			return
		}
		a.DefaultPasswords()
		for _, acc := range a.list {
			if acc.Name == "" || acc.secret == "" || len(acc.secret) > maxPassword {
				t.Errorf("%q: account %+v", text, acc)
			}
			if got, ok := a.authenticate(acc.Name, acc.secret); !ok || got.Role != acc.Role {
				t.Errorf("%q: %s cannot sign in", text, acc.Name)
			}
			if _, ok := a.authenticate(acc.Name, acc.secret+"x"); ok {
				t.Errorf("%q: a longer password is taken", text)
			}
		}
	})
}
