// Package commandline has the command lines of script jobs: their words, and the sharding context that
// follows them.
package commandline

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Split splits a line at blanks outside quotes. Single or double quotes group words. There
// is no shell, so nothing is expanded.
func Split(line string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote rune
	inWord := false
	for _, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(r)
		case r == '\'' || r == '"':
			quote, inWord = r, true
		case r == ' ' || r == '\t':
			if inWord {
				words = append(words, word.String())
				word.Reset()
				inWord = false
			}
		default:
			word.WriteRune(r)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("unbalanced %c", quote)
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// shells are programs that understand what Split doesn't.
var shells = []string{"sh", "bash", "dash", "zsh", "ksh", "cmd", "cmd.exe", "powershell", "pwsh"}

// operator matches words that mean something to a shell alone.
var operator = regexp.MustCompile("^(\\|\\|?|&&?|;|.+;|\\d?[<>].*|&>.*|\\$[A-Z_{(].*|`.*|~/.*)$")

// ShellWord returns the first word that only a shell understands, empty if there is none or the
// program is a shell.
func ShellWord(words []string) string {
	if len(words) == 0 || slices.Contains(shells, path.Base(words[0])) {
		return ""
	}
	if at := slices.IndexFunc(words, operator.MatchString); at >= 0 {
		return words[at]
	}
	return ""
}
