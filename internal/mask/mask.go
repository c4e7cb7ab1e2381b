// Package mask hides secrets in what is shown to somebody who may not read
// them, or written to a log or a history: one rule for every place.
//
//	name and value ─▶ Value ────┐
//	free text ──────▶ Text ─────┼─▶ the same with *** in place of secrets
//	stored document ▶ Document ─┤
//	database's name ▶ DSN ──────┘
//
// # Guarantees
//
//   - A value whose name speaks of a secret is hidden whole; so is a request's
//     body (http.data), whose form nobody knows.
//   - In a text, whatever its name, these are hidden: what follows a secret's
//     name (password=…, --token …, "secret": "…"), accounts in addresses
//     (https://user:password@host), Authorization and bearer tokens, private keys
//     in PEM, and tokens that are known by their form.
//   - What is masked stays so when it is masked again.
//   - When in doubt more is hidden.
//
// # Not guaranteed
//
//   - That a secret without a name and without a known form is found: a
//     parameter that is nothing but a password looks like any other word.
package mask

import (
	"regexp"
	"slices"
	"strings"
)

// Hidden stands where a secret was.
const Hidden = "***"

// words are in the names of secrets. The address of a robot is one: whoever has
// it can write in its name.
const words = `passw|pwd|passphrase|secret|token|webhook|credential|digest|signature|cookie|authorization|` +
	`api[_.\-]?key|access[_.\-]?key|private[_.\-]?key|account[_.\-]?key|sas[_.\-]?key`

// bodyName is the property with the body of an HTTP job's request.
const bodyName = "http.data"

// name is one with such a word in it.
const name = `[\w.\-]*(?:` + words + `)[\w.\-]*`

// value is what follows: quoted, quoted within a text that is quoted itself, or
// up to the next blank.
const value = `(?:\\+"[^\n]*?\\+"|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s"'&]+)+`

// named are pieces of words, one of which is in every name; the rules about
// names need not be tried without.
var named = []string{"passw", "pwd", "passphrase", "secret", "token", "webhook", "credential", "digest", "signature", "cookie", "authorization", "key"}

// rule finds one kind of secret.
type rule struct {
	on   []string // one of these is in every text it finds something in, in lower case
	find *regexp.Regexp
	with string
}

var (
	secretName = regexp.MustCompile(`(?i)` + words)
	pem        = rule{[]string{"private key-----"}, regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`), Hidden}
	// rules are applied one after the other; what $1 and $2 are stays.
	rules = []rule{
		pem,
		{[]string{"authorization"}, regexp.MustCompile(`(?i)(\bauthorization["'\\]*\s*[:=]\s*["'\\]*)(?:(?:basic|bearer|digest|token|negotiate|apikey)\s+)?[^\s"'\\]+`), "${1}" + Hidden},
		{[]string{"bearer"}, regexp.MustCompile(`(?i)(\bbearer\s+)[\w.~+/=\-]+`), "${1}" + Hidden},
		{[]string{"://"}, regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.\-]*://)[^/\s"'?#]*@`), "${1}" + Hidden + "@"},
		{[]string{"@tcp", "@unix"}, regexp.MustCompile(`([\w.\-]+):[^\s"']*@((?:tcp|unix)\d?\()`), "${1}:" + Hidden + "@${2}"},
		// A chat robot's address: the path is the key.
		{[]string{"services/", "hook"}, regexp.MustCompile(`(?i)(https?://[^\s"'/]+/(?:[\w\-]+/)*(?:services|\w*webhooks?|hooks?)/)[^\s"'?]+`), "${1}" + Hidden},
		{[]string{"key", "sig", "auth=", "code=", "pass=", "pw="}, regexp.MustCompile(`(?i)([?&](?:key|sig|sign|auth|code|pass|pw|access_key_id)=)[^&\s"']*`), "${1}" + Hidden},
		// Options of programs: --password x, -u user:password, mysql -px.
		{named, regexp.MustCompile(`(?i)((?:^|[\s"'])--?` + name + `\s+)` + value), "${1}" + Hidden},
		{[]string{"-u", "--proxy-user"}, regexp.MustCompile(`((?:^|\s)(?:-u|--user|--proxy-user|-U)[ =]*["']?[^\s:"']+:)[^\s"']+`), "${1}" + Hidden},
		{[]string{"mysql", "mariadb", "sshpass", "redis-cli"}, regexp.MustCompile(`(?i)(\b(?:mysql|mariadb|sshpass|redis-cli)[\w.\-]*\s(?:[^\n]*?\s)??-(?:p|a)\s?)` + value), "${1}" + Hidden},
		{named, regexp.MustCompile(`(?i)(` + name + `(?:\\*["'])?\s*(?:=|%3d)\s*)` + value), "${1}" + Hidden},
		{named, regexp.MustCompile(`(?i)(` + name + `\\*["']?\s*:\s*)(?:\\+"[^\n]*?\\+"|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s"'][^\n]*)`), "${1}" + Hidden},
		{
			[]string{"eyj", "akia", "asia", "gho_", "ghp_", "ghu_", "ghs_", "ghr_", "xox", "sk-"},
			regexp.MustCompile(`\beyJ[\w\-]{8,}\.[\w\-]+\.?[\w\-]*|\bA(?:KI|SI)A[0-9A-Z]{16}\b|\bgh[pousr]_\w{20,}|\bxox[abprs]-[\w\-]{8,}|\bsk-[\w\-]{20,}`), Hidden,
		},
	}
)

// concerns reports whether the rule may find something in a text, which is given
// in lower case. Most texts concern no rule, and expressions are slow.
func (r rule) concerns(lower string) bool {
	return slices.ContainsFunc(r.on, func(piece string) bool { return strings.Contains(lower, piece) })
}

// suspicious reports whether any rule may find something.
func suspicious(lower string) bool {
	return slices.ContainsFunc(rules, func(r rule) bool { return r.concerns(lower) })
}

// Key reports whether the name of a property says that its value is a secret.
func Key(name string) bool { return secretName.MatchString(name) }

// Text hides the secrets in a text of any kind.
func Text(text string) string {
	lower := strings.ToLower(text)
	for _, r := range rules {
		if r.concerns(lower) {
			text = r.find.ReplaceAllString(text, r.with)
		}
	}
	return text
}

// Value hides the secrets in the value of a named property.
func Value(name, value string) string {
	switch {
	case value == "":
		return ""
	case Key(name), name == bodyName:
		return Hidden
	}
	return Text(value)
}

// Values is a copy of properties with [Value] for each.
func Values(props map[string]string) map[string]string {
	shown := make(map[string]string, len(props))
	for key, value := range props {
		shown[key] = Value(key, value)
	}
	return shown
}

// Kept is what is meant by a value that was written by somebody who may have
// been shown the masked one: the stored value, if it is just its mask. ok is
// false for a value that has a mask in it and is not that: nobody knows what it
// should be.
func Kept(name, stored, written string) (meant string, ok bool) {
	switch {
	case written == stored:
		return stored, true
	case stored != "" && written == Value(name, stored):
		return stored, true
	case strings.Contains(written, Hidden) && !strings.Contains(stored, Hidden):
		return "", false
	}
	return written, true
}
