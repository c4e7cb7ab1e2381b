package openid

import (
	"encoding/json"
	"errors"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxName is the longest name in bytes. The audit's column has room for it.
const maxName = 90

// Person is who a verified ID token is about.
type Person struct {
	// Subject is the provider's own, unchanging name of the person.
	Subject string
	// Name is the one people know: preferred_username, else a verified email
	// address, else the subject. It is printable, and at most 90 bytes long.
	Name string
	// Groups are those the provider lists.
	Groups []string
}

func newPerson(subject string, claims map[string]json.RawMessage, groupsClaim string) (Person, error) {
	p := Person{Subject: subject}
	names := []string{text(claims["preferred_username"])}
	// An address that nobody verified may be another's.
	if verified := string(claims["email_verified"]); verified == "true" || verified == `"true"` {
		names = append(names, text(claims["email"]))
	}
	for _, name := range append(names, subject) {
		if printable(name) {
			p.Name = name
			break
		}
	}
	if subject == "" || p.Name == "" {
		return Person{}, errors.New("the ID token has no name that could be shown")
	}
	if json.Unmarshal(claims[groupsClaim], &p.Groups) != nil {
		p.Groups = nil
		if one := text(claims[groupsClaim]); one != "" { // a single group need not be a list
			p.Groups = []string{one}
		}
	}
	return p, nil
}

// text is a claim that is a string, empty for any other.
func text(claim json.RawMessage) string {
	var s string
	if json.Unmarshal(claim, &s) != nil {
		return ""
	}
	return s
}

// printable reports whether a name can stand in a log, an audit and a page
// without passing for another: no control or invisible characters, and no
// spaces around it.
func printable(name string) bool {
	return name != "" && len(name) <= maxName && utf8.ValidString(name) && name == strings.TrimSpace(name) &&
		!strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
}
