package app

import (
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"
)

// Curl is the request to the REST interface that does what a page's form does, for
// a shell: the token is taken from the variable TOKEN. The query gets the registry
// that the page is about.
func (s *Console) Curl(c *gin.Context, method, path string, query url.Values, body string) string {
	asked := url.Values{}
	for name, values := range query {
		asked[name] = values
	}
	if at := PlaceOf(c); at.name != "" {
		asked.Set("registry", at.name)
	}
	scheme := "http"
	if Secure(c) {
		scheme = "https"
	}
	address := scheme + "://" + c.Request.Host + s.opts.BasePath + path
	if len(asked) > 0 {
		address += "?" + asked.Encode()
	}
	parts := []string{"curl -X " + method + " " + shellQuoted(address), `-H "Authorization: Bearer $TOKEN"`}
	if body != "" {
		parts = append(parts, "-H 'Content-Type: application/json'", "-d "+shellQuoted(body))
	}
	return strings.Join(parts, " \\\n  ")
}

// shellQuoted is one word for a POSIX shell, whatever it contains.
func shellQuoted(word string) string { return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'" }
