//go:build servers

package pages

import (
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
)

// TestThePasswordIsShownInABrowser: by a button that says whether it is, that is not there
// without scripts, and not beyond the form: what is sent is a password again.
func TestThePasswordIsShownInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	const (
		button = `[data-testid="show-password"]`
		look   = `(() => {
			const b = document.querySelector('[data-testid="show-password"]'), f = document.querySelector("input[name=password]");
			return [f.type, f.value, b.getAttribute("aria-pressed"), b.textContent, document.activeElement === f].join("|");
		})()`
	)
	must(tab.Open(b.URL+"/login"), tab.Fill("input[name=password]", "wrong"), tab.Fill("input[name=username]", "root"))
	for _, want := range []string{"text|wrong|true|Show the password|true", "password|wrong|false|Show the password|true", "text|wrong|true|Show the password|true"} {
		must(tab.Click(button))
		if got := readText(t, tab, look); got != want {
			t.Errorf("after a press %q, want %q", got, want)
		}
	}
	sent := `(() => {
		const form = document.querySelector('[data-testid="login-form"]');
		form.addEventListener("submit", (e) => e.preventDefault());
		form.requestSubmit();
		return form.password.type;
	})()`
	if got := evalText(t, tab, sent); got != "password" {
		t.Errorf("sent as %q", got)
	}
	must(tab.Scripts(false), tab.Open(b.URL+"/login"))
	if got := evalText(t, tab, `String(document.querySelector('[data-testid="show-password"]').checkVisibility())`); got != "false" {
		t.Errorf("without scripts the button is seen: %s", got)
	}
}
