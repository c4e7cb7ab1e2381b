package pages

import (
	"context"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
)

// startBrowser starts a browser for a test. must fails the test with the first error.
func startBrowser(t *testing.T) (tab *browser.Tab, must func(errs ...error)) {
	t.Helper()
	tab, stop, err := browser.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return tab, mustOf(t)
}

// mustOf is what fails the test with the first error.
func mustOf(t *testing.T) func(errs ...error) {
	return func(errs ...error) {
		t.Helper()
		for _, err := range errs {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
}

// readText is evalText of a script that changes nothing, on a page that another one may
// take the place of.
func readText(t *testing.T, tab *browser.Tab, script string) string {
	t.Helper()
	text, err := browser.Read[string](tab, script)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// evalText runs a script in the page, and returns the text that it makes.
func evalText(t *testing.T, tab *browser.Tab, script string) string {
	t.Helper()
	text, err := browser.Eval[string](tab, script)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
