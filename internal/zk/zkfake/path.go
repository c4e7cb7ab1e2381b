package zkfake

import (
	"strings"
)

// parentOf returns the parent's path as the server derives it: everything before the last slash, or
// "/" for the root. ok is false if there's no slash.
func parentOf(path string) (parent string, ok bool) {
	i := strings.LastIndexByte(path, '/')
	switch {
	case i < 0:
		return "", false
	case i == 0:
		return "/", true
	default:
		return path[:i], true
	}
}

func nameOf(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}

// validPath applies the server's rules for paths: absolute, no empty or relative elements, no
// trailing slash, no refused characters. The server checks UTF-16 units, so it also refuses
// everything outside the basic plane (surrogates) and malformed UTF-8, which arrives as U+FFFD.
func validPath(path string) bool {
	if path == "" || path[0] != '/' {
		return false
	}
	if path == "/" {
		return true
	}
	for rest := path[1:]; ; {
		element, after, more := strings.Cut(rest, "/")
		if element == "" || element == "." || element == ".." || !validElement(element) {
			return false
		}
		if !more {
			return true
		}
		rest = after
	}
}

func validElement(element string) bool {
	for _, r := range element {
		switch {
		case r <= 0x1f, r >= 0x7f && r <= 0x9f, r >= 0xd800 && r <= 0xf8ff, r >= 0xfff0:
			return false
		}
	}
	return true
}

// special reports whether path is one of the server's own nodes, which can't be deleted.
func special(path string) bool {
	switch path {
	case "/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config":
		return true
	}
	return false
}
