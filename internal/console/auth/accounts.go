package auth

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/magiconair/properties"
	"golang.org/x/crypto/bcrypt"
)

// Role is what an account may do. Each role includes the ones before it.
type Role string

const (
	// RoleGuest, the viewer, looks: the console draws no buttons for it and refuses
	// its actions with 403.
	RoleGuest Role = "guest"
	// RoleOperator also acts on runs and instances.
	RoleOperator Role = "operator"
	// RoleRoot, the admin, carries out every action.
	RoleRoot Role = "root"
)

// roles are ordered, the one with the fewest rights first.
var roles = []Role{RoleGuest, RoleOperator, RoleRoot}

// Includes reports whether r may do everything that needed may.
func (r Role) Includes(needed Role) bool {
	return slices.Index(roles, r) >= slices.Index(roles, needed)
}

// roleNames are the roles as auth.properties spells them for additional accounts.
var roleNames = map[string]Role{"viewer": RoleGuest, "operator": RoleOperator, "admin": RoleRoot}

// The keys of auth.properties, the same as in ElasticJob's 2.x console.
const (
	keyRootName      = "root.username"
	keyRootPassword  = "root.password"
	keyGuestName     = "guest.username"
	keyGuestPassword = "guest.password"
)

// The keys of additional accounts, which Java doesn't have: account.li.wei.password.
const (
	accountPrefix  = "account."
	passwordSuffix = ".password"
	roleSuffix     = ".role"
)

// maxAdditional bounds the additional accounts. Whole companies sign in by OpenID Connect.
const maxAdditional = 20

// maxPassword is the longest password bcrypt can tell apart. Longer ones are
// refused for plain accounts too, so that an account can be hashed later.
const maxPassword = 72

// maxAccountsFile bounds the file, which has a few lines.
const maxAccountsFile = 64 << 10

// Account is one login.
type Account struct {
	Name   string
	Role   Role
	secret string // plain text or a bcrypt hash
	hashed bool
}

// Accounts are the logins of a console. They are immutable; reading the file
// again makes new ones. They never print their passwords.
type Accounts struct {
	list []Account // root, guest if there is one, and the additional ones
	// additional is where those begin in list.
	additional int
	// compare is bcrypt's.
	compare func(hash, password []byte) error
	// open is the file with plain passwords that every user of the machine can
	// read; empty if there is none.
	open string
}

// LoadAccounts reads auth.properties. A file that others may write is refused:
// whoever can write it owns the console.
func LoadAccounts(path string) (*Accounts, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("console: accounts: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("console: accounts: %w", err)
	}
	if info.Mode().Perm()&0o002 != 0 {
		return nil, fmt.Errorf("console: accounts: %s can be written by every user of this machine; run chmod o-w on it", path)
	}
	if info.Size() > maxAccountsFile {
		return nil, fmt.Errorf("console: accounts: %s has %d bytes, more than %d; is it the right file?", path, info.Size(), maxAccountsFile)
	}
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(f); err != nil {
		return nil, fmt.Errorf("console: accounts: read %s: %w", path, err)
	}
	a, err := ParseAccounts(buf.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%w (in %s)", err, path)
	}
	if info.Mode().Perm()&0o004 != 0 && slices.ContainsFunc(a.list, func(acc Account) bool { return !acc.hashed }) {
		a.open = path
	}
	return a, nil
}

// keyless is a line without a key. The parser gives up at one and leaves a
// goroutine behind, at each hangup signal another.
var keyless = regexp.MustCompile(`(?:^|[\r\n])[ \t\f]*[=:]`)

// ParseAccounts reads the text of an auth.properties file: the keys
// root.username, root.password, guest.username and guest.password, and two for each
// additional account, account.NAME.role and account.NAME.password. Values are UTF-8,
// passwords plain or bcrypt. Without guest keys there is no guest. All problems are
// reported at once and none quotes a password.
func ParseAccounts(text []byte) (*Accounts, error) {
	if keyless.Match(text) {
		return nil, errors.New("console: accounts: not a properties file: a line begins with = or :, without a key before it")
	}
	loader := properties.Loader{Encoding: properties.UTF8, DisableExpansion: true}
	p, err := loader.LoadBytes(text)
	if err != nil {
		// The parser's message quotes the line, which may hold a password.
		return nil, errors.New("console: accounts: not a properties file: a backslash in a value must be doubled")
	}

	var problems []error
	fail := func(format string, args ...any) { problems = append(problems, fmt.Errorf(format, args...)) }

	known := []string{keyRootName, keyRootPassword, keyGuestName, keyGuestPassword}
	var additional []string
	for _, key := range p.Keys() {
		name := strings.TrimPrefix(key, accountPrefix)
		name = strings.TrimSuffix(strings.TrimSuffix(name, passwordSuffix), roleSuffix)
		switch {
		case slices.Contains(known, key):
		case !slices.Contains([]string{accountPrefix + name + passwordSuffix, accountPrefix + name + roleSuffix}, key):
			fail("unknown key %q; the keys are %s, account.NAME.role and account.NAME.password", key, strings.Join(known, ", "))
		case !slices.Contains(additional, name):
			additional = append(additional, name)
		}
	}
	if len(additional) > maxAdditional {
		fail("there are %d additional accounts, more than %d", len(additional), maxAdditional)
	}

	a := Accounts{compare: bcrypt.CompareHashAndPassword}
	add := func(role Role, nameKey, passwordKey string) {
		name, _ := p.Get(nameKey)
		secret, _ := p.Get(passwordKey)
		acc := Account{Name: strings.TrimSpace(name), Role: role, secret: secret, hashed: isBcrypt(secret)}
		acc.check(nameKey, passwordKey, fail)
		a.list = append(a.list, acc)
	}
	add(RoleRoot, keyRootName, keyRootPassword)
	_, guestName := p.Get(keyGuestName)
	_, guestPassword := p.Get(keyGuestPassword)
	if guestName || guestPassword {
		add(RoleGuest, keyGuestName, keyGuestPassword)
		if a.list[0].Name == a.list[1].Name && a.list[0].Name != "" {
			fail("%s and %s are both %q", keyRootName, keyGuestName, a.list[0].Name)
		}
	}
	a.additional = len(a.list)
	for _, name := range additional {
		key := accountPrefix + name
		word, _ := p.Get(key + roleSuffix)
		role, ok := roleNames[strings.TrimSpace(word)]
		if !ok {
			fail("%s%s is %q, not one of viewer, operator and admin", key, roleSuffix, word)
		}
		if a.has(name) {
			fail("%s%s: the account %q exists already", key, roleSuffix, name)
		}
		secret, _ := p.Get(key + passwordSuffix)
		acc := Account{Name: name, Role: role, secret: secret, hashed: isBcrypt(secret)}
		acc.check("the NAME of "+key+passwordSuffix, key+passwordSuffix, fail)
		a.list = append(a.list, acc)
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("console: accounts: %w", errors.Join(problems...))
	}

	return &a, nil
}

// check tells fail what is wrong with an account that was given by these keys.
func (acc Account) check(nameKey, passwordKey string, fail func(format string, args ...any)) {
	switch {
	case acc.Name == "":
		fail("%s is missing or empty", nameKey)
	case strings.HasPrefix(acc.Name, ProviderPrefix):
		fail("%s begins with %s, as the names of those who sign in by OpenID Connect do", nameKey, ProviderPrefix)
	case len(acc.Name) > 64:
		fail("%s is longer than 64 bytes", nameKey)
	case acc.secret == "":
		fail("%s is missing or empty", passwordKey)
	case !acc.hashed && len(acc.secret) > maxPassword:
		fail("%s is longer than %d bytes", passwordKey, maxPassword)
	}
	if acc.hashed {
		cost, err := bcrypt.Cost([]byte(acc.secret))
		if err != nil || len(acc.secret) != 60 {
			fail("%s looks like a bcrypt hash but is not a complete one", passwordKey)
		} else if cost > 16 {
			fail("%s has bcrypt cost %d; above 16 a login takes too long", passwordKey, cost)
		}
	}
}

// isBcrypt reports whether a value is meant to be a bcrypt hash.
func isBcrypt(s string) bool {
	return strings.HasPrefix(s, "$2a$") || strings.HasPrefix(s, "$2b$") || strings.HasPrefix(s, "$2y$")
}

// DefaultPasswords reports whether an account still has the password it is
// shipped with, root for root and guest for guest, plain or hashed, or one that
// was only meant to be replaced. Such accounts must not be reachable from another
// machine; whoever binds the listener refuses to start then.
func (a *Accounts) DefaultPasswords() bool {
	return slices.ContainsFunc(a.list, func(acc Account) bool {
		return a.matches(acc, string(acc.Role)) || a.matches(acc, acc.Name) || !acc.hashed && acc.placeholder()
	})
}

// Exposed says that the file of the accounts holds plain passwords and can be
// read by every user of the machine. Like [Accounts.DefaultPasswords], such
// accounts must not be reachable from another machine.
func (a *Accounts) Exposed() error {
	if a.open == "" {
		return nil
	}
	return fmt.Errorf("console: accounts: %s holds plain passwords and can be read by every user of this machine", a.open)
}

// placeholders are the passwords of samples and manuals, ours and others'.
var placeholders = []string{
	"root", "guest", "admin", "administrator", "password", "passwd", "passw0rd", "p@ssw0rd", "pass", "secret", "changeme", "changeit", "chooseone",
	"replaceme", "fillmein", "todo", "xxx", "example", "sample", "default", "defaulttoken", "yourpassword", "mypassword", "newpassword", "thepassword",
	"rootpassword", "guestpassword", "elasticjob", "test", "123456", "12345678", "123456789", "1234", "111111", "qwerty",
}

// placeholder reports whether a plain password is no password: a word that
// everybody tries first, the name of the account, or a variable that nobody
// filled in.
func (acc Account) placeholder() bool {
	text := strings.TrimSpace(acc.secret)
	if strings.HasPrefix(text, "${") || strings.HasPrefix(text, "{{") || strings.HasPrefix(text, "<") && strings.HasSuffix(text, ">") {
		return true
	}
	word := strings.ToLower(strings.NewReplacer("-", "", "_", "", " ", "", ".", "").Replace(text))
	return word == "" || strings.EqualFold(text, acc.Name) || slices.Contains(placeholders, word)
}

// String names the accounts and their roles, never their passwords.
func (a *Accounts) String() string {
	names := make([]string, len(a.list))
	for i, acc := range a.list {
		names[i] = fmt.Sprintf("%s (%s)", acc.Name, acc.Role)
	}
	return strings.Join(names, ", ")
}

// GoString is String: %#v must not print passwords either.
func (a *Accounts) GoString() string { return a.String() }

// LogValue is what slog prints.
func (a *Accounts) LogValue() slog.Value { return slog.StringValue(a.String()) }

// matches compares a password with the account's, in time that does not depend
// on how much of it is right, nor on its length.
func (a *Accounts) matches(acc Account, password string) bool {
	if acc.hashed {
		same := a.compare([]byte(acc.secret), []byte(password[:min(len(password), maxPassword)])) == nil
		return same && len(password) <= maxPassword
	}
	want, got := sha256.Sum256([]byte(acc.secret)), sha256.Sum256([]byte(password))
	return subtle.ConstantTimeCompare(want[:], got[:]) == 1
}

// authenticate returns the account if name and password are right. For every name it
// compares the password with the passwords of root and guest, and with one hash of the
// additional accounts, because bcrypt takes so long that the time would otherwise reveal which names
// exist.
func (a *Accounts) authenticate(name, password string) (found Account, ok bool) {
	candidates := slices.Clone(a.list[:a.additional])
	compared := false
	for _, acc := range a.list[a.additional:] {
		if acc.Name == name {
			candidates = append(candidates, acc)
			compared = acc.hashed
		}
	}
	if i := slices.IndexFunc(a.list[a.additional:], func(acc Account) bool { return acc.hashed }); i >= 0 && !compared {
		candidates = append(candidates, a.list[a.additional+i])
	}
	for _, acc := range candidates {
		right := a.matches(acc, password)
		if subtle.ConstantTimeCompare([]byte(acc.Name), []byte(name)) == 1 {
			found, ok = acc, right
		}
	}
	return found, ok
}

// find returns the account of that name and role.
func (a *Accounts) find(name string, role Role) (Account, bool) {
	for _, acc := range a.list {
		if acc.Name == name && acc.Role == role {
			return acc, true
		}
	}
	return Account{}, false
}

// has reports whether there is an account of that name.
func (a *Accounts) has(name string) bool {
	_, ok := a.named(name)
	return ok
}

// named returns the account of that name.
func (a *Accounts) named(name string) (Account, bool) {
	i := slices.IndexFunc(a.list, func(acc Account) bool { return acc.Name == name })
	if i < 0 {
		return Account{}, false
	}
	return a.list[i], true
}

// mark is a fingerprint of the account's name, role and password under the
// console's key. A token carries it, so that a changed password ends the
// sessions made with the old one.
func (acc Account) mark(key []byte) string {
	mac := hmac.New(sha256.New, key)
	for _, part := range []string{"account", acc.Name, string(acc.Role), acc.secret} {
		fmt.Fprintf(mac, "%d:%s", len(part), part)
	}
	return hex.EncodeToString(mac.Sum(nil)[:12])
}
