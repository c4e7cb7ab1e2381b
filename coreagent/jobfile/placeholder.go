package jobfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// maxSecretFile is the maximum size of a file with one value, in bytes.
const maxSecretFile = 64 << 10

// maxDepth limits placeholders in defaults and in values of other keys.
const maxDepth = 8

// placeholders replaces ${…} in values.
type placeholders struct {
	env  func(name string) (string, bool)
	file func(name string) (string, bool) // a value of the same file, as written
}

// expand returns the text without placeholders, and whether there were any. Errors never contain a
// looked-up value.
func (p placeholders) expand(s string) (text string, found bool, err error) {
	return p.replace(s, nil)
}

func (p placeholders) replace(s string, within []string) (text string, found bool, err error) {
	if len(within) > maxDepth {
		return "", true, fmt.Errorf("placeholders refer to each other: %s", strings.Join(within, ", "))
	}
	var b strings.Builder
	for {
		at := strings.Index(s, "${")
		if at < 0 {
			b.WriteString(s)
			return b.String(), found, nil
		}
		if at > 0 && s[at-1] == '\\' {
			b.WriteString(s[:at-1] + "${")
			s = s[at+2:]
			continue
		}
		b.WriteString(s[:at])
		inner, rest, ok := closing(s[at+2:])
		if !ok {
			// As in Spring, an unclosed placeholder is text.
			b.WriteString(s[at:])
			return b.String(), found, nil
		}
		value, err := p.value(inner, within)
		if err != nil {
			return "", true, err
		}
		b.WriteString(value)
		s, found = rest, true
	}
}

func closing(s string) (inner, rest string, ok bool) {
	depth := 1
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '}':
			depth--
			if depth == 0 {
				return s[:i], s[i+1:], true
			}
		case s[i] == '{' && i > 0 && s[i-1] == '$':
			depth++
		}
	}
	return "", "", false
}

func (p placeholders) value(inner string, within []string) (string, error) {
	name, otherwise, hasDefault := strings.Cut(inner, ":")
	name = strings.TrimSpace(name)
	deeper := append(slices.Clip(within), "${"+name+"}")
	for _, variable := range []string{name, variableName(name)} {
		if value, ok := p.env(variable); ok {
			return value, nil
		}
		if path, ok := p.env(variable + "_FILE"); ok && path != "" {
			return readSecret(variable+"_FILE", path)
		}
	}
	if raw, ok := p.file(name); ok {
		value, _, err := p.replace(raw, deeper)
		return value, err
	}
	if hasDefault {
		value, _, err := p.replace(otherwise, deeper)
		return value, err
	}
	return "", fmt.Errorf("${%s} is set neither in the environment nor in the file; set the variable %s, or %[2]s_FILE to the name of a file, or give a default: ${%[1]s:value}", name, variableName(name))
}

// variableName returns the environment's spelling of a property's name.
func variableName(name string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '.' || r == '-':
			return '_'
		case 'a' <= r && r <= 'z':
			return r - 'a' + 'A'
		}
		return r
	}, name)
}

// readSecret returns the content of the file named by a variable, without the final line break.
func readSecret(variable, path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", variable, err)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxSecretFile+1))
	if err = errors.Join(err, file.Close()); err != nil {
		return "", fmt.Errorf("%s: %w", variable, err)
	}
	if len(text) > maxSecretFile {
		return "", fmt.Errorf("%s: %s has more than %d bytes", variable, path, maxSecretFile)
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}
