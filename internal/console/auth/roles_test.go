package auth

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"
)

func TestAdditionalAccounts(t *testing.T) {
	t.Parallel()
	a, err := ParseAccounts([]byte(testAccounts +
		"account.li.wei.role = operator\naccount.li.wei.password = " + hash(t, "first one") + "\n" +
		"account.chen.password=s3cond one\naccount.chen.role=admin\naccount.audit.role=viewer\naccount.audit.password=th1rd one\n"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		password string
		role     Role
	}{
		"root": {"r00t-Canary-7", RoleRoot}, "guest": {"gu3st-Canary-7", RoleGuest},
		"li.wei": {"first one", RoleOperator}, "chen": {"s3cond one", RoleRoot}, "audit": {"th1rd one", RoleGuest},
	} {
		acc, ok := a.authenticate(name, want.password)
		if !ok || acc.Role != want.role || acc.Name != name {
			t.Errorf("%s: %s, %t", name, acc.Role, ok)
		}
		if _, ok := a.authenticate(name, "wrong"); ok {
			t.Errorf("%s signs in with a wrong password", name)
		}
	}
	if got := a.String(); strings.Contains(got, "one") || !strings.Contains(got, "li.wei (operator)") {
		t.Errorf("printed as %s", got)
	}
	if a.DefaultPasswords() {
		t.Error("these passwords are taken for defaults")
	}
}

func TestWrongAdditionalAccounts(t *testing.T) {
	t.Parallel()
	many := testAccounts
	for i := range maxAdditional + 1 {
		many += fmt.Sprintf("account.a%d.role=viewer\naccount.a%d.password=pw-%d-pw\n", i, i, i)
	}
	for text, want := range map[string]string{
		"account.li.role=operator":                                               "account.li.password is missing",
		"account.li.password=x-Canary":                                           `account.li.role is "", not one of viewer, operator and admin`,
		"account.li.role=root\naccount.li.password=x-Canary":                     `account.li.role is "root"`,
		"account.root.role=viewer\naccount.root.password=x-Canary":               `the account "root" exists already`,
		"account.guest.role=admin\naccount.guest.password=x-Canary":              `the account "guest" exists already`,
		"account..role=viewer\naccount..password=x-Canary":                       "is missing or empty",
		"account.oidc\\:li.role=viewer\naccount.oidc\\:li.password=x-Canary":     "OpenID Connect",
		"account.li.name=x":                                                      `unknown key "account.li.name"`,
		"account.role=x":                                                         "unknown key",
		"operator.username=li":                                                   "unknown key",
		"account." + strings.Repeat("l", 65) + ".role=viewer":                    "longer than 64 bytes",
		"account.li.role=viewer\naccount.li.password=" + strings.Repeat("x", 73): "longer than 72 bytes",
		strings.TrimPrefix(many, testAccounts):                                   "21 additional accounts, more than 20",
	} {
		_, err := ParseAccounts([]byte(testAccounts + text + "\n"))
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "Canary") {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// TestAdditionalDefaultPasswords: the name or the role as a password is none, plain or hashed.
func TestAdditionalDefaultPasswords(t *testing.T) {
	t.Parallel()
	for _, secret := range []string{"li", "operator", "changeme", hash(t, "li"), hash(t, "operator")} {
		a, err := ParseAccounts([]byte(testAccounts + "account.li.role=operator\naccount.li.password=" + secret + "\n"))
		if err != nil {
			t.Fatal(err)
		}
		if !a.DefaultPasswords() {
			t.Errorf("the password %s is taken for one", secret)
		}
	}
}

// TestAdditionalNamesCostTheSame: for every name the same number of hashes is compared, also
// with additional accounts and if some have plain passwords.
func TestAdditionalNamesCostTheSame(t *testing.T) {
	t.Parallel()
	a, err := ParseAccounts([]byte("root.username=root\nroot.password=" + hash(t, "r") + "\nguest.username=guest\nguest.password=" + hash(t, "g") + "\n" +
		"account.plain.role=viewer\naccount.plain.password=pl4in\n" +
		"account.one.role=viewer\naccount.one.password=" + hash(t, "1") + "\naccount.two.role=viewer\naccount.two.password=" + hash(t, "2") + "\n"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	a.compare = func(hash, password []byte) error {
		n++
		return bcrypt.CompareHashAndPassword(hash, password)
	}
	var counts []int
	for _, name := range []string{"root", "guest", "plain", "one", "two", "nobody", ""} {
		n = 0
		if _, ok := a.authenticate(name, "wrong"); ok {
			t.Errorf("%q is let in", name)
		}
		counts = append(counts, n)
	}
	if want := []int{3, 3, 3, 3, 3, 3, 3}; !slices.Equal(counts, want) {
		t.Errorf("hashes compared: %v, want %v", counts, want)
	}
}

func TestOperatorsOfAGroup(t *testing.T) {
	t.Parallel()
	o := &OIDC{RootGroup: "ops", OperatorGroup: "on-call", GuestGroup: "staff"}
	for group, want := range map[string]Role{"ops": RoleRoot, "on-call": RoleOperator, "staff": RoleGuest, "others": ""} {
		if role, ok := o.Role([]string{group}); role != want || ok != (want != "") {
			t.Errorf("%s: %q, %t", group, role, ok)
		}
	}
	if role, _ := o.Role([]string{"staff", "on-call"}); role != RoleOperator {
		t.Errorf("a member of two groups has the role %s", role)
	}
}
