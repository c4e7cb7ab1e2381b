package mask

import (
	"regexp"
	"strings"
)

var (
	// keyed is a line of a document that begins with a key, also as an element of
	// a list or in a comment.
	keyed = regexp.MustCompile(`^([ \t]*(?:-[ \t]+|#[ \t]*)*["']?[\w.\-\p{Han}]+["']?[ \t]*[:：][ \t]*)(.*)$`)
	// followed is a secret's name whose value follows.
	followed = regexp.MustCompile(`(?i)(` + name + `)\\*["']?[ \t]*[:=]`)
	// asking is an option, or the name of a pair, whose secret follows in the next line.
	asking = regexp.MustCompile(`(?i)(?:^|[\s"'])(?:--?|(?:name|key)["']?[ \t]*:[ \t]*["']?)` + name +
		`["']?,?[ \t]*\\?$`)
)

// Document hides the secrets in a stored configuration, which need not be in a
// form that can be read: of a line with a secret only the key is left, and the
// deeper lines below are taken for the secret.
func Document(data []byte) []byte {
	text := string(data)
	if !suspicious(text) && !strings.Contains(strings.ToLower(text), bodyName) {
		return data
	}
	var shown strings.Builder
	below := -1     // how deep the secret before is indented
	listed := false // and whether its value may be a list
	asked := false  // whether the line before ended in an option
	for line := range strings.Lines(pem.find.ReplaceAllString(text, Hidden)) {
		content := strings.TrimRight(line, "\r\n")
		rest := strings.TrimLeft(content, " \t")
		depth := len(content) - len(rest)
		if below >= 0 && (depth > below || strings.TrimSpace(content) == "" || depth == below && listed && strings.HasPrefix(rest, "- ")) {
			continue
		}
		below = -1
		wasAsked := asked
		if !wasAsked && !suspicious(content) && !strings.Contains(strings.ToLower(content), bodyName) {
			asked = false
		} else if asked = asking.MatchString(content); wasAsked || asked {
			below, content = depth, content[:depth]+Hidden
		} else if masked, secret := hide(content, depth); secret {
			// A list may stand as deep as the key that it belongs to.
			listed = strings.HasSuffix(strings.TrimSpace(masked), ":") && !strings.HasPrefix(rest, "-")
			below, content = depth, masked
		}
		shown.WriteString(content + line[len(strings.TrimRight(line, "\r\n")):])
	}
	return []byte(shown.String())
}

// hide returns a line as it may be shown, and whether a secret was in it.
func hide(line string, depth int) (string, bool) {
	match := keyed.FindStringSubmatch(line)
	switch {
	case match != nil && (Key(match[1]) || strings.Contains(match[1], bodyName)):
		if strings.TrimSpace(match[2]) == "" && !strings.Contains(match[1], "#") {
			return line, true // The value follows in deeper lines.
		}
		return match[1] + Hidden, true
	case !follows(line) && Text(line) == line:
		return line, false
	case match != nil:
		return match[1] + Hidden, true
	}
	return line[:depth] + Hidden, true
}

// follows reports whether the value of a secret follows in a line.
func follows(line string) bool {
	at := followed.FindStringSubmatchIndex(line)
	return at != nil && !harmless.MatchString(line[at[2]:at[3]]) && !isError(line, at[2], at[3])
}
