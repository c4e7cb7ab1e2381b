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
	"iter"
	"regexp"
	"slices"
	"strings"
)

// Hidden stands where a secret was.
const Hidden = "***"

// bodyName is the property with the body of an HTTP job's request.
const bodyName = "http.data"

// Parts of the rules.
const (
	// value is what follows: quoted, quoted within a text that is quoted itself, or
	// up to the next blank.
	value = `(?:\\+"[^\n]*?\\+"|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|[“‘「][^”’」\n]*[”’」]?|` +
		`&(?:quot|#3[49]);[^&\n]*(?:&(?:quot|#3[49]);)?|[^\s"'&]+)+`
	// toLineEnd is what follows a colon: quoted, or up to the end of the line.
	toLineEnd = `(?:\\+"[^\n]*?\\+"|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|&(?:quot|#3[49]);[^&\n]*|[^\s"'][^\n]*)`
	// quote may end a name.
	quote = `(?:\\*["'”’」]|&(?:quot|#3[49]);|%22|\\u0022)?`
	// chineseName goes on as far as a separator.
	chineseName = `(` + chinese + `[\p{Han}\w.\-()（）]{0,20}?` + quote + `\s*`
	// options are programs with an option for a password: mysql -p, redis-cli -a, unzip -P, ldapsearch -w.
	options = `(\b(?:(?:mysql|mariadb|sshpass|redis-cli|mongo|7z|cqlsh|(?:docker|podman|helm\s+registry)\s+login)` +
		`[\w.\-]*\s(?:[^\n]*?\s)??-(?:p|a)\s?|` +
		`(?-i:(?:sqlcmd|bcp|isql|tsql|zip|unzip|mosquitto_|ldap)[\w.\-]*\s(?:[^\n]*?\s)??-[PwW]\s?)))`
)

// rule finds one kind of secret.
type rule struct {
	on   []string // one of these is in every text it finds something in, in lower case
	find *regexp.Regexp
	with string // $1 and $2 stay; if empty, $1 stays, and $2 in it is the secret's name
}

// after is a rule that keeps the first group of an expression.
func after(expression string, on ...string) rule {
	return rule{on, regexp.MustCompile(`(?i)` + expression), "${1}" + Hidden}
}

// pair is a rule for the name of a secret and its value.
func pair(expression string) rule { return rule{named, regexp.MustCompile(`(?i)` + expression), ""} }

var (
	pem = rule{[]string{"private key"}, regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----.*?` +
		`(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)`), Hidden}
	// rules are applied one after the other.
	rules = []rule{
		pem,
		after(`(\bauthorization["'\\]*\s*[:=]\s*["'\\]*)`+
			`(?:(?:basic|bearer|digest|token|negotiate|apikey)\s+)?[^\s"'\\]+`, "authorization"),
		after(`(\bbearer\s+)[\w.~+/=\-]+`, "bearer"),
		after(`(\bbasic\s+)(?:[a-z0-9+/]{6,}={1,2}|[a-z0-9+/]{24,})`, "basic"),
		{[]string{"://"}, regexp.MustCompile(`(?i)(\b[a-z][a-z0-9+.\-]*://)[^/\s"'?#]*@`), "${1}" + Hidden + "@"},
		{[]string{"@tcp", "@unix"}, regexp.MustCompile(`([\w.\-]+):[^\s"']*@((?:tcp|unix)\d?\()`), "${1}:" + Hidden + "@${2}"},
		// A chat robot's address: the path is the key.
		after(`(https?://[^\s"'/]+/(?:[\w\-]+/)*(?:services|\w*webhook\w*|hooks?)/)[^\s"'?]+`, "services/", "hook"),
		after(`(https?://(?:api\.telegram\.org/(?:file/)?bot|sctapi\.ftqq\.com/))[^\s"'/?]+`,
			"api.telegram.org", "sctapi.ftqq.com"),
		after(`([?&;](?:key|sig|sign|auth|code|pass|pw|sid|session_?id|access_key_id)=)[^&\s"']*`,
			"key", "sig", "auth=", "code=", "pass=", "pw=", "sid=", "session"),
		// Options of programs: --password x, -u user:password, mysql -px.
		pair(`((?:^|[\s"'])--?(` + name + `)\s+)` + value),
		after(`((?:^|\s)(?:-u|--user|--proxy-user)[ =]*["']?[^\s:,%"']+[:,%])[^\s"']+`, "-u", "--proxy-user"),
		after(options+value, "mysql", "mariadb", "sshpass", "redis-cli", "mongo", "7z", "cqlsh", "login", "sqlcmd", "bcp",
			"isql", "tsql", "zip", "mosquitto", "ldap"),
		after(`(\b(?:sqlplus|expdp|impdp|sqlldr)\s(?:[^\n]*?\s)??(?:userid=)?[\w$#]+/)[^\s@"']+`,
			"sqlplus", "expdp", "impdp", "sqlldr"),
		after(`(-pass(?:in|out)?\s+pass:)\S+`, "pass:"),
		// Statements and files of configuration: a value after a blank.
		after(`(\b(?:identified\s+(?:with\s+\S+\s+)?by|(?:with|encrypted|set)\s+password(?:\s*=)?|`+
			`login\s+\S+\s+password|password\s*\()\s*(?:password\s+)?)`+value, "identified", "password"),
		after(`(\b(?:requirepass|masterauth|auth_pass)\s+)`+value, "requirepass", "masterauth", "auth_pass"),
		pair(`((\b[\w.\-]*(?:passw|pwd|secret|pass)[\w.\-]*)\s+)(?:"[^"\n]+"|'[^'\n]+'|“[^”\n]+”)`),
		pair(`((` + name + `)\s+(?:is|was)\s+)["']?[^\s"']*\d[^\s"']*`),
		// {"name": "DB_PASS", "value": "x"}, <property name="password" value="x"/>, <password>x</password>,
		// password=x, password: x.
		pair(`(\b(?:name|key|id)["'\\]*\s*[:=]\s*["'\\]*(` + name + `)["'\\]*[\s,;]+` +
			`(?:[^<>{}\n]*?\s)?["'\\]*val(?:ue)?["'\\]*\s*[:=]\s*)` + value),
		pair(`(<(` + name + `)(?:\s[^<>]*)?>\s*)[^<]+`),
		pair(`((` + name + `)` + quote + `\s*(?::=|=>?|%3d|＝)\s*)` + value),
		pair(`((` + name + `)` + quote + `\s*(?::|：|%3a)\s*)` + toLineEnd),
		after(chineseName+`[:：]\s*)`+toLineEnd, namedInChinese...),
		after(chineseName+`(?:[=＝]|是|为|為)\s*)(?:"[^"\n]*"?|'[^'\n]*'?|“[^”\n]*”?|[^\s，。；、"']+)`, namedInChinese...),
		after(`(`+chinese+`\s*)(?:["'“「][^"'”」\n]+["'”」]|[\w!@#$%^&*+./~\-]{3,})`, namedInChinese...),
		{tokenStarts, tokens, Hidden},
		{[]string{"sec"}, regexp.MustCompile(`\bSEC[0-9a-f]{60,}`), Hidden}, // DingTalk
	}
)

// concerned are the rules that may find something in a text. Most texts concern no rule, and
// expressions are slow.
func concerned(text string) iter.Seq[rule] {
	lower := strings.ToLower(text)
	return func(yield func(rule) bool) {
		var asked *string // Rules with the same pieces are next to each other.
		var found bool
		for _, r := range rules {
			if asked != &r.on[0] {
				asked = &r.on[0]
				found = slices.ContainsFunc(r.on, func(piece string) bool { return strings.Contains(lower, piece) })
			}
			if found && !yield(r) {
				return
			}
		}
	}
}

// suspicious reports whether any rule may find something.
func suspicious(text string) bool {
	for range concerned(text) {
		return true
	}
	return false
}

// Text hides the secrets in a text of any kind.
func Text(text string) string {
	for r := range concerned(text) {
		text = r.apply(text)
	}
	return text
}

func (r rule) apply(text string) string {
	if r.with != "" {
		return r.find.ReplaceAllString(text, r.with)
	}
	var shown strings.Builder
	for {
		at := r.find.FindStringSubmatchIndex(text)
		if at == nil {
			return shown.String() + text
		}
		if end := at[5]; harmless.MatchString(text[at[4]:end]) || isError(text, at[4], end) {
			shown.WriteString(text[:end])
			text = text[end:]
			continue
		}
		shown.WriteString(text[:at[3]] + Hidden)
		text = text[at[1]:]
	}
}

// complaint is the start of an error about a secret or its file. The error is no secret.
var complaint = regexp.MustCompile(`^: (?:is (?:missing|required|unknown|empty|not |too )|want |must |cannot |` +
	`no such file|permission denied|context (?:canceled|deadline)|unexpected |invalid |unknown |not found)`)

// isError reports whether a name begins an error, as in "open /run/secrets/token: permission denied".
func isError(text string, from, end int) bool {
	return complaint.MatchString(text[end:]) || strings.HasPrefix(text[end:], ": ") && from > 0 && text[from-1] == '/'
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
