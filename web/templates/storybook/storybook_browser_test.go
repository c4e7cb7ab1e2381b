//go:build servers

package storybook

import (
	"context"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

// TestEverybodyCanReadAndUseIt opens every page in both themes and languages, on a
// desk, on a small screen and on a phone, and wants no finding.
func TestEverybodyCanReadAndUseIt(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(Handler())
	t.Cleanup(server.Close)
	tab, stop, err := browser.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	rules, err := browser.ReadAxe(*axe)
	if err != nil {
		t.Fatal(err)
	}
	for _, width := range []int64{1440, 1000, 390} {
		if err := tab.Size(width, 900); err != nil {
			t.Fatal(err)
		}
		for _, l := range i18n.Languages {
			for _, theme := range []string{"light", "dark"} {
				for _, path := range append(Paths, "/#menu") {
					page, fragment, _ := strings.Cut(path, "#")
					address := server.URL + page + "?" + url.Values{"theme": {theme}, "lang": {l.Tag()}}.Encode() + "#" + fragment
					if err := tab.Open(address); err != nil {
						t.Fatal(err)
					}
					found, err := tab.Audit()
					if err != nil {
						t.Fatal(err)
					}
					more, err := tab.RunAxe(rules, false)
					if err != nil {
						t.Fatal(err)
					}
					for _, finding := range append(found, more...) {
						t.Errorf("%s, %s, %s, %d px: %s", path, theme, l.Tag(), width, finding)
					}
				}
			}
		}
	}
}
