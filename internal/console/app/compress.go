package app

import (
	"fmt"
	"net/http"
	"strings"

	"github.com/klauspost/compress/gzhttp"
)

const (
	// compressedFrom is how long a page must be, in bytes, for compression to pay off.
	compressedFrom = 512
	// mostPadding is how many bytes are added at most, so the length of a page does not
	// give away how well it was compressed.
	mostPadding = 64
)

// compressing wraps a handler so that browsers get pages and regions compressed.
//
// Compression lets an attacker guess the content of a page from its length (BREACH) if the page
// also shows text that the attacker chose, such as a search. The attack needs thousands of
// requests that another site makes the browser send. Requests from other sites get
// pages as they are, and the padding blurs the length for browsers that don't name the origin of a
// request.
func compressing(next http.Handler) (http.Handler, error) {
	wrap, err := gzhttp.NewWrapper(gzhttp.ContentTypes([]string{"text/html"}), gzhttp.MinSize(compressedFrom),
		gzhttp.EnableZstd(false), gzhttp.RandomJitter(mostPadding, 0, true))
	if err != nil {
		return nil, fmt.Errorf("console: %w", err)
	}
	compressed := wrap(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		site := r.Header.Get("Sec-Fetch-Site")
		if site == "cross-site" || site == "same-site" || !asksForPage(r) {
			next.ServeHTTP(w, r)
			return
		}
		compressed.ServeHTTP(w, r)
	}), nil
}

// asksForPage reports whether a request is for a page or its regions. The wrapper must not see
// streams of events and logs, because it holds back the first bytes of each answer.
func asksForPage(r *http.Request) bool {
	return r.Header.Get(RegionHeader) != "" || strings.Contains(r.Header.Get("Accept"), "text/html")
}
