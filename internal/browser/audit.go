package browser

import (
	_ "embed"
	"fmt"
	"os"
	"time"
)

//go:embed audit.js
var audit string

// Audit says what of the page not everybody can read or use: names and labels that
// are missing, weak contrast, small targets, a page that is wider than its window.
// None is a good page. A file with axe-core, which finds more, is run too if axe
// names it; see make axe.
func (t *Tab) Audit(axe string) ([]string, error) {
	found, err := Eval[[]string](t, audit)
	if err != nil || axe == "" {
		return found, err
	}
	script, err := os.ReadFile(axe)
	if err != nil {
		return nil, fmt.Errorf("%w; run make axe", err)
	}
	const start = `;axe.run().then((r) => { window.axeFound = r.violations.map((v) => v.id + ": " + v.help + ": " + v.nodes.map((n) => n.html.slice(0, 160)).join(" | ")); }); true`
	if _, err := Eval[bool](t, string(script)+start); err != nil {
		return nil, err
	}
	for deadline := time.Now().Add(stepLimit); ; time.Sleep(20 * time.Millisecond) {
		switch done, err := Eval[bool](t, "Boolean(window.axeFound)"); {
		case err != nil:
			return nil, err
		case done:
			more, err := Eval[[]string](t, "window.axeFound")
			return append(found, more...), err
		case time.Now().After(deadline):
			return nil, fmt.Errorf("axe did not end within %v", stepLimit)
		}
	}
}
