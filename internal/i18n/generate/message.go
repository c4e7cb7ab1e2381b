package main

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// part is a piece of a message: text as it is, a placeholder, or the forms of a
// number.
type part struct {
	text  string
	name  string            // of the placeholder, empty for text
	kind  string            // "", "number" or "plural"
	forms map[string][]part // of a plural
}

// param is a parameter of the message's method.
type param struct{ name, goType string }

var placeholderName = regexp.MustCompile(`^[a-z][A-Za-z0-9]*$`)

// parse reads a message.
func parse(message string) ([]part, error) {
	var parts []part
	for message != "" {
		open := strings.IndexAny(message, "{}")
		if open < 0 {
			return append(parts, part{text: message}), nil
		}
		if message[open] == '}' {
			return nil, fmt.Errorf("a } without its { in %q", message)
		}
		if open > 0 {
			parts = append(parts, part{text: message[:open]})
		}
		inner, rest, err := braces(message[open:])
		if err != nil {
			return nil, err
		}
		p, err := placeholder(inner)
		if err != nil {
			return nil, err
		}
		parts = append(parts, p)
		message = rest
	}
	return parts, nil
}

// braces splits what stands between the first brace and its partner from what
// follows.
func braces(text string) (inner, rest string, err error) {
	depth := 0
	for i, r := range text {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		if depth == 0 {
			return text[1:i], text[i+1:], nil
		}
	}
	return "", "", fmt.Errorf("a { without its } in %q", text)
}

// placeholder reads what stands between two braces.
func placeholder(inner string) (part, error) {
	fields := strings.SplitN(inner, ",", 3)
	p := part{name: strings.TrimSpace(fields[0])}
	if !placeholderName.MatchString(p.name) || p.name == "l" {
		return p, fmt.Errorf("%q is no name for a placeholder", p.name)
	}
	if len(fields) == 1 {
		return p, nil
	}
	p.kind = strings.TrimSpace(fields[1])
	switch {
	case p.kind == "number" && len(fields) == 2:
		return p, nil
	case p.kind != "plural" || len(fields) != 3:
		return p, fmt.Errorf("{%s}: only number and plural are known", inner)
	}
	p.forms = map[string][]part{}
	for rest := strings.TrimSpace(fields[2]); rest != ""; rest = strings.TrimSpace(rest) {
		open := strings.IndexByte(rest, '{')
		if open < 0 {
			return p, fmt.Errorf("the form %q has no text", rest)
		}
		form := strings.TrimSpace(rest[:open])
		text, after, err := braces(rest[open:])
		if err != nil {
			return p, err
		}
		if p.forms[form], err = parse(strings.ReplaceAll(text, "#", "{"+p.name+", number}")); err != nil {
			return p, err
		}
		rest = after
	}
	return p, nil
}

// placeholders are the parameters of a message, in the order in which they first
// stand in it.
func placeholders(parts []part) []param {
	var params []param
	add := func(p param) {
		if !slices.ContainsFunc(params, func(q param) bool { return q.name == p.name }) {
			params = append(params, p)
		}
	}
	for _, p := range parts {
		switch {
		case p.name == "":
		case p.kind == "":
			add(param{p.name, "string"})
		default:
			add(param{p.name, "int"})
		}
		for _, form := range slices.Sorted(maps.Keys(p.forms)) {
			for _, inner := range placeholders(p.forms[form]) {
				add(inner)
			}
		}
	}
	return params
}

func sameParams(a, b []param) bool {
	order := func(x, y param) int { return strings.Compare(x.name+x.goType, y.name+y.goType) }
	return slices.Equal(slices.SortedFunc(slices.Values(a), order), slices.SortedFunc(slices.Values(b), order))
}

// templates returns the texts of a message, one for each form of a language, with {0} for the first
// parameter. number is the parameter that chooses the form, or "" for a message with one text. A
// message has at most one plural.
func templates(parts []part, forms []string, params []param) (number string, texts []string, err error) {
	at := slices.IndexFunc(parts, func(p part) bool { return p.kind == "plural" })
	if at < 0 {
		return "", []string{template(parts, params)}, nil
	}
	plural := parts[at]
	if got := slices.Sorted(maps.Keys(plural.forms)); !slices.Equal(got, forms) {
		return "", nil, fmt.Errorf("the forms of {%s, plural} are %v, want %v", plural.name, got, forms)
	}
	for _, form := range forms {
		whole := slices.Concat(parts[:at], plural.forms[form], parts[at+1:])
		if slices.ContainsFunc(whole, func(p part) bool { return p.kind == "plural" }) {
			return "", nil, fmt.Errorf("there's a second plural next to {%s, plural}: make two messages", plural.name)
		}
		texts = append(texts, template(whole, params))
	}
	return plural.name, texts, nil
}

// template returns the text of parts without a plural.
func template(parts []part, params []param) string {
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.text)
		if p.name != "" {
			fmt.Fprintf(&text, "{%d}", slices.IndexFunc(params, func(q param) bool { return q.name == p.name }))
		}
	}
	return text.String()
}
