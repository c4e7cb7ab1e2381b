// Package static holds the files of the console's pages: one style sheet, small
// scripts and the icon. They are part of the binary.
//
//	css/1-tokens.css … css/7-phone.css ─► app.css ──(SHA-256)──► /static/app.4f9c2a71b03e.css   kept for ever by browsers
//	js/NAME.js ───────────────────────► NAME.js ─(SHA-256)─► /static/NAME.90c1f2aa57d1.js
//
// Each script is a module of its own that needs no other: app.js is on every page,
// and a page names those it needs besides (Frame.Scripts of package layout). They
// meet in attributes and events of the page.
//
// A page names a file by [Path], which puts a fingerprint of the content into
// the address: a new version has a new address, so browsers may keep what they
// have without asking again. Comments and indentation stay here, and what is sent
// is compressed where the browser takes it.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

//go:embed css/*.css js/*.js icon.svg
var files embed.FS

// Prefix is where [Handler] has to be mounted.
const Prefix = "/static/"

// asset is one file, ready to be sent.
type asset struct {
	content     []byte
	zipped      func() []byte // made when somebody asks for it first
	contentType string
	etag        string
}

// table is all files.
type table struct {
	paths  map[string]string // app.css -> /static/app.<hash>.css
	assets map[string]asset  // app.<hash>.css -> content
}

// ready is the table. It is made when the first page is: an agent and the command line
// need none, and a start is not to wait for it.
var ready = sync.OnceValue(func() table {
	t := table{make(map[string]string), make(map[string]asset)}
	types := map[string]string{
		".css": "text/css; charset=utf-8",
		".js":  "text/javascript; charset=utf-8",
		".svg": "image/svg+xml",
	}
	for name, content := range served() {
		sum := sha256.Sum256(content)
		hash := hex.EncodeToString(sum[:6])
		ext := path.Ext(name)
		hashed := strings.TrimSuffix(name, ext) + "." + hash + ext
		t.paths[name] = Prefix + hashed
		t.assets[hashed] = asset{
			content: content, contentType: types[ext], etag: `"` + hash + `"`,
			zipped: sync.OnceValue(func() []byte { return zip(content) }),
		}
	}
	return t
})

// served are the files by name. The style sheet is made of its parts in the order of
// their names, because what stands later wins.
func served() map[string][]byte {
	list := map[string][]byte{"icon.svg": read("icon.svg")}
	for _, part := range glob("css/*.css") {
		text := spaces.ReplaceAll(short(read(part)), []byte("$1$2"))
		text = fractions.ReplaceAll(text, []byte("$1."))
		text = quotes.ReplaceAll(text, []byte("=$1]"))
		list["app.css"] = append(list["app.css"], bytes.ReplaceAll(text, []byte(";}"), []byte("}"))...)
	}
	for _, script := range glob("js/*.js") {
		list[path.Base(script)] = short(read(script))
	}
	return list
}

func glob(pattern string) []string {
	names, err := fs.Glob(files, pattern)
	if err != nil {
		panic(fmt.Sprintf("static: %v", err)) // the pattern is written above
	}
	return names
}

// spaces are those of a style sheet that mean nothing. No text of ours has one there.
var spaces = regexp.MustCompile(`\s*([{},;>])\s*|(:) `)

// fractions begin with a zero that means nothing.
var fractions = regexp.MustCompile(`([ :,(-])0\.`)

// quotes are those of a selector around a word, which needs none.
var quotes = regexp.MustCompile(`="([a-z-]+)"\]`)

var comment = regexp.MustCompile(`(?m)^\s*/\*(?s:.*?)\*/\s*$`)

// short is a style sheet or a script without indentation and without the comments
// that have lines of their own.
func short(content []byte) []byte {
	content = comment.ReplaceAll(content, nil)
	var lines [][]byte
	for line := range bytes.Lines(content) {
		if line = bytes.TrimSpace(line); len(line) > 0 && !bytes.HasPrefix(line, []byte("//")) {
			lines = append(lines, line)
		}
	}
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

func zip(content []byte) []byte {
	var buf bytes.Buffer
	w, err := gzip.NewWriterLevel(&buf, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(content)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("static: %v", err)) // a buffer takes everything
	}
	return buf.Bytes()
}

func read(name string) []byte {
	content, err := files.ReadFile(name)
	if err != nil {
		panic(fmt.Sprintf("static: %v", err)) // the files are in the binary
	}
	return content
}

// Path returns the address of a file. It panics if there is no such file: that
// is a mistake in a template, which the first test of the page finds.
func Path(name string) string {
	p, ok := ready().paths[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return p
}

// Handler serves the files below [Prefix]. An address without the right
// fingerprint is not found.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := ready().assets[strings.TrimPrefix(r.URL.Path, Prefix)]
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
		h.Set("ETag", a.etag)
		if r.Header.Get("If-None-Match") == a.etag {
			w.WriteHeader(http.StatusNotModified)
			return
		}
		content := a.content
		h.Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			content = a.zipped()
			h.Set("Content-Encoding", "gzip")
		}
		h.Set("Content-Type", a.contentType)
		h.Set("Content-Length", strconv.Itoa(len(content)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(content) // the browser went away; nobody is left to tell
		}
	})
}
