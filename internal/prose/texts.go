package main

import (
	"go/scanner"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// text is a piece of prose that begins at a line of its file and keeps the line breaks.
type text struct {
	at      int
	body    string
	comment bool
}

var (
	chinese     = regexp.MustCompile(`\bzh(-CN)?\.\w+$`)
	goGenerated = regexp.MustCompile(`^// Code generated .* DO NOT EDIT\.$`)
	mdGenerated = regexp.MustCompile(`(?s)<!-- [\w ]+: written by .*?<!-- end of`)
	mdWritten   = regexp.MustCompile(`writes\s+this\s+file`) // of a page that a program writes
	mdCode      = regexp.MustCompile("(?ms)^ *```.*?^ *```|`[^`]+`|~~.*?~~|\\]\\([^)]*\\)|https?://\\S+")
	codeSpan    = regexp.MustCompile("`[^`]+`")
	messageLine = regexp.MustCompile(`(?m)^\w+ = "(.*)"$`)
	slashes     = regexp.MustCompile(`/\*((?s:.*?))\*/|(?m:(?:^|\s)// (.*))`)
	hashes      = regexp.MustCompile(`(?m)(?:^|\s)##? (.*)`)
	dashes      = regexp.MustCompile(`(?m)(?:^|\s)-- (.*)`)
	escapes     = strings.NewReplacer(`\n`, "| ", `\t`, "| ", `\"`, "| ")
)

// comments are the comments of files that aren't Go, by the ends of their names.
var comments = map[string]*regexp.Regexp{
	".templ": slashes, ".js": slashes, ".css": slashes, ".java": slashes, ".sql": dashes,
	".yaml": hashes, ".yml": hashes, ".sh": hashes, ".toml": hashes, "Makefile": hashes, "Dockerfile": hashes,
}

// textsOf returns the prose of a file.
func textsOf(name, content string) []text {
	if strings.Contains("/"+name, "/testdata/") || chinese.MatchString(name) {
		return nil
	}
	var texts []text
	if path.Base(name) == "en.toml" {
		texts = append(texts, text{at: 1, body: only(content, messageLine)})
	}
	switch ext := path.Ext(name); ext {
	case ".go":
		return goTexts(name, content)
	case ".md":
		if !mdWritten.MatchString(content) {
			texts = append(texts, text{at: 1, body: without(without(content, mdGenerated), mdCode)})
		}
	default:
		marks := comments[ext]
		if ext == "" {
			marks = comments[path.Base(name)]
		}
		if ext == "" && strings.HasPrefix(content, "#!") {
			marks = hashes
		}
		if marks != nil {
			texts = append(texts, text{1, without(only(content, marks), codeSpan), true})
		}
	}
	return texts
}

// goTexts returns the comments of a Go file and, if it isn't a test, its strings of several words.
func goTexts(name, content string) []text {
	var texts []text
	var scan scanner.Scanner
	file := token.NewFileSet().AddFile(name, -1, len(content))
	scan.Init(file, []byte(content), nil, scanner.ScanComments)
	next, declared := 0, false // the line after a comment; after the package clause
	for {
		pos, tok, lit := scan.Scan()
		line := file.Line(pos)
		switch {
		case tok == token.EOF:
			return texts
		case tok == token.COMMENT && !declared && goGenerated.MatchString(lit):
			return nil
		case tok == token.COMMENT:
			body := without(commentText(lit), codeSpan)
			if line == next { // The comment goes on.
				texts[len(texts)-1].body += "\n" + body
			} else {
				texts = append(texts, text{line, body, true})
			}
			next = line + strings.Count(lit, "\n") + 1
			continue
		case tok == token.SEMICOLON && lit == "\n":
			continue // It's added at the end of a line, after a comment.
		case tok == token.PACKAGE:
			declared = true
		case tok == token.STRING && strings.Contains(lit, " ") && !strings.HasSuffix(name, "_test.go"):
			if lit[0] == '"' {
				lit = escapes.Replace(lit)
			}
			texts = append(texts, text{at: line, body: lit})
		}
		next = 0
	}
}

// commentText returns a comment without its marks. A line that doesn't begin with a blank is a
// directive, a picture or code.
func commentText(lit string) string {
	if body, ok := strings.CutPrefix(lit, "// "); ok {
		return body
	}
	if strings.HasPrefix(lit, "/*") {
		return lit[2 : len(lit)-2]
	}
	return "|"
}

// without replaces each match of the expression by a mark, and keeps the line breaks.
func without(content string, expr *regexp.Regexp) string {
	return expr.ReplaceAllStringFunc(content, func(m string) string { return "|" + strings.Repeat("\n", strings.Count(m, "\n")) })
}

// only keeps the groups of the expression's matches, and the line breaks.
func only(content string, expr *regexp.Regexp) string {
	var b strings.Builder
	end := 0
	skip := func(to int) { // Nothing but blanks between two comments joins them.
		gap := content[end:to]
		if strings.TrimSpace(gap) != "" {
			b.WriteString("|")
		}
		b.WriteString(strings.Repeat("\n", strings.Count(gap, "\n")))
		end = to
	}
	for _, m := range expr.FindAllStringSubmatchIndex(content, -1) {
		skip(m[0])
		for g := 2; g < len(m); g += 2 {
			if m[g] >= 0 {
				b.WriteString(strings.Repeat("\n", strings.Count(content[end:m[g]], "\n")) + " " + content[m[g]:m[g+1]])
				end = m[g+1]
			}
		}
	}
	skip(len(content))
	return b.String()
}
