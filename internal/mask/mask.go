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

var (
	secretName = regexp.MustCompile(`(?i)` + words)
	// rules are applied one after the other; what $1 and $2 are stays.
	rules = []struct {
		find *regexp.Regexp
		with string
	}{
		{regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`), Hidden},
		{regexp.MustCompile(`(?i)(\bauthorization["'\\]*\s*[:=]\s*["'\\]*)(?:(?:basic|bearer|digest|token|negotiate|apikey)\s+)?[^\s"'\\]+`), "${1}" + Hidden},
		{regexp.MustCompile(`(?i)(\bbearer\s+)[\w.~+/=\-]+`), "${1}" + Hidden},
		{regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.\-]*://)[^/\s"'?#]*@`), "${1}" + Hidden + "@"},
		{regexp.MustCompile(`([\w.\-]+):[^\s"']*@((?:tcp|unix)\d?\()`), "${1}:" + Hidden + "@${2}"},
		// A chat robot's address: the path is the key.
		{regexp.MustCompile(`(?i)(https?://[^\s"'/]+/(?:[\w\-]+/)*(?:services|\w*webhooks?|hooks?)/)[^\s"'?]+`), "${1}" + Hidden},
		{regexp.MustCompile(`(?i)([?&](?:key|sig|sign|auth|code|pass|pw|access_key_id)=)[^&\s"']*`), "${1}" + Hidden},
		// Options of programs: --password x, -u user:password, mysql -px.
		{regexp.MustCompile(`(?i)((?:^|[\s"'])--?` + name + `\s+)` + value), "${1}" + Hidden},
		{regexp.MustCompile(`((?:^|\s)(?:-u|--user|--proxy-user|-U)[ =]*["']?[^\s:"']+:)[^\s"']+`), "${1}" + Hidden},
		{regexp.MustCompile(`(?i)(\b(?:mysql|mariadb|sshpass|redis-cli)[\w.\-]*\s(?:[^\n]*?\s)??-(?:p|a)\s?)` + value), "${1}" + Hidden},
		{regexp.MustCompile(`(?i)(` + name + `(?:\\*["'])?\s*(?:=|%3d)\s*)` + value), "${1}" + Hidden},
		{regexp.MustCompile(`(?i)(` + name + `\\*["']?\s*:\s*)(?:\\+"[^\n]*?\\+"|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[^\s"'][^\n]*)`), "${1}" + Hidden},
		{regexp.MustCompile(`\beyJ[\w\-]{8,}\.[\w\-]+\.?[\w\-]*|\bA(?:KI|SI)A[0-9A-Z]{16}\b|\bgh[pousr]_\w{20,}|\bxox[abprs]-[\w\-]{8,}|\bsk-[\w\-]{20,}`), Hidden},
	}
	// hint is in every text that a rule could find something in.
	hint = regexp.MustCompile(`(?i)` + words + `|http\.data|bearer|://|BEGIN|@(?:tcp|unix)|\s-|^-|[?&]|eyJ|AKIA|ASIA|gh[pousr]_|xox|sk-`)
)

// Key reports whether the name of a property says that its value is a secret.
func Key(name string) bool { return secretName.MatchString(name) }

// Text hides the secrets in a text of any kind.
func Text(text string) string {
	if !hint.MatchString(text) {
		return text
	}
	for _, r := range rules {
		text = r.find.ReplaceAllString(text, r.with)
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
