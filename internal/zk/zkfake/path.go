package zkfake

import (
	"strings"
)

// parentOf returns the path of the parent as the server derives it: all
// before the last slash, with the root spelled "/". ok is false if the path
// has no slash at all.
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

// nameOf returns the last element of a valid path.
func nameOf(path string) string {
	return path[strings.LastIndexByte(path, '/')+1:]
}

// validPath applies the server's rules for paths: absolute, no empty and no
// relative elements, no trailing slash, none of the characters the server
// refuses. The server looks at UTF-16 units, so everything outside the basic
// plane is refused together with the surrogates, and malformed UTF-8 arrives
// there as U+FFFD, which is refused too.
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

// special tells whether path is one of the nodes that the server itself owns
// and does not let anyone delete.
func special(path string) bool {
	switch path {
	case "/", "/zookeeper", "/zookeeper/quota", "/zookeeper/config":
		return true
	}
	return false
}
