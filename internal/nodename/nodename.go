// Package nodename says what can be the name of a node in ZooKeeper, hence that of
// a job, a server or a segment of a namespace.
package nodename

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// ErrInvalid is what every error about a name wraps.
var ErrInvalid = errors.New("invalid name")

// Check applies ZooKeeper's rules to one path segment. The server counts in
// UTF-16, so a character outside the basic plane is two forbidden surrogates to
// it.
func Check(s string) error {
	switch {
	case s == "":
		return errors.New("empty path segment")
	case s == "." || s == "..":
		return errors.New("ZooKeeper does not allow relative path segments")
	case strings.Contains(s, "/"):
		return errors.New("a slash is not allowed")
	case !utf8.ValidString(s):
		return errors.New("not valid UTF-8")
	}
	for _, r := range s {
		switch {
		case r <= 0x1f, r >= 0x7f && r <= 0x9f, r >= 0xd800 && r <= 0xf8ff, r >= 0xfff0:
			return fmt.Errorf("ZooKeeper does not allow the character %U", r)
		}
	}
	return nil
}
