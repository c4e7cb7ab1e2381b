//go:build servers

package pages

import (
	"context"
	"sync"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
)

// shared is the browser of all tests here: one takes a second of processor time to start.
var shared struct {
	sync.Mutex
	tab  *browser.Tab
	stop func()
}

// sharedBrowser starts it for the first test that wants it.
func sharedBrowser() (tab *browser.Tab, err error) {
	shared.Lock()
	defer shared.Unlock()
	if shared.tab == nil {
		shared.tab, shared.stop, err = browser.Start(context.Background())
	}
	return shared.tab, err
}

func init() {
	AfterTests = func() {
		shared.Lock()
		defer shared.Unlock()
		if shared.tab != nil {
			shared.stop()
			shared.tab = nil
		}
	}
}

// startBrowser opens a private window for a test, with cookies and a cache of its own.
// must fails the test with the first error.
func startBrowser(t *testing.T) (tab *browser.Tab, must func(errs ...error)) {
	t.Helper()
	first, err := sharedBrowser()
	if err != nil {
		t.Fatal(err)
	}
	tab, end, err := first.Beside(true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(end)
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
