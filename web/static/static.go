// Package static holds the files of the console's pages: one style sheet, one
// small script and the icon. They are part of the binary.
//
//	css/1-tokens.css … css/7-phone.css ─► app.css ──(SHA-256)──► /static/app.4f9c2a71b03e.css   kept for ever by browsers
//
// A page names a file by [Path], which puts a fingerprint of the content into
// the address: a new version has a new address, so browsers may keep what they
// have without asking again.
package static

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

//go:embed css/*.css app.js icon.svg
var files embed.FS

// Prefix is where [Handler] has to be mounted.
const Prefix = "/static/"

// asset is one file, ready to be sent.
type asset struct {
	content     []byte
	contentType string
	etag        string
}

var (
	paths  = make(map[string]string) // app.css -> /static/app.<hash>.css
	assets = make(map[string]asset)  // app.<hash>.css -> content
)

func init() {
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
		paths[name] = Prefix + hashed
		assets[hashed] = asset{content: content, contentType: types[ext], etag: `"` + hash + `"`}
	}
}

// served are the files by name. The style sheet is made of its parts in the order of
// their names, because what stands later wins.
func served() map[string][]byte {
	parts, err := fs.Glob(files, "css/*.css")
	if err != nil {
		panic(fmt.Sprintf("static: %v", err)) // the pattern is written above
	}
	list := make(map[string][]byte)
	for _, part := range parts {
		list["app.css"] = append(list["app.css"], read(part)...)
	}
	for _, name := range []string{"app.js", "icon.svg"} {
		list[name] = read(name)
	}
	return list
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
	p, ok := paths[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return p
}

// Handler serves the files below [Prefix]. An address without the right
// fingerprint is not found.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, ok := assets[strings.TrimPrefix(r.URL.Path, Prefix)]
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
		h.Set("Content-Type", a.contentType)
		h.Set("Content-Length", strconv.Itoa(len(a.content)))
		if r.Method != http.MethodHead {
			_, _ = w.Write(a.content) // the browser went away; nobody is left to tell
		}
	})
}
