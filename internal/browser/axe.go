package browser

import (
	"fmt"
	"os"
	"strings"

	"github.com/chromedp/chromedp"
)

// Axe is axe-core, which finds more than [Tab.Audit] does; see make axe. The zero value
// finds nothing.
type Axe struct {
	script string
}

// ReadAxe reads the file axe.min.js; of an empty name it is the zero value.
func ReadAxe(file string) (Axe, error) {
	if file == "" {
		return Axe{}, nil
	}
	script, err := os.ReadFile(file)
	if err != nil {
		return Axe{}, fmt.Errorf("%w; run make axe", err)
	}
	return Axe{script: string(script)}, nil
}

// axeRun runs it with all its rules, those of WCAG 2.2 too, or with those that a theme
// can break, and says one sentence for each finding.
const axeRun = `axe.run(document, { resultTypes: ["violations"], %s }).then((r) => r.violations.map((v) => v.id + ": " + v.help + ": " +
  v.nodes.slice(0, 5).map((n) => n.target + " " + n.html.slice(0, 160) + " " + (n.any[0]?.message ?? "")).join(" | ")))`

const (
	axeRules   = `rules: { "target-size": { enabled: true } }`
	axeColours = `runOnly: ["color-contrast", "link-in-text-block"]`
)

// RunAxe says what axe-core finds on the page that is open, once it is put into it.
func (t *Tab) RunAxe(axe Axe, coloursOnly bool) ([]string, error) {
	if axe.script == "" {
		return nil, nil
	}
	if there, err := Eval[bool](t, "Boolean(window.axe)"); err != nil {
		return nil, err
	} else if !there {
		if _, err := Eval[bool](t, axe.script+";true"); err != nil {
			return nil, err
		}
	}
	rules := axeRules
	if coloursOnly {
		rules = axeColours
	}
	found, err := run(t, "run axe", chromedp.Evaluate[[]string](fmt.Sprintf(axeRun, rules), chromedp.EvalAwaitPromise))
	for i, finding := range found {
		found[i] = "axe: " + strings.Join(strings.Fields(finding), " ")
	}
	return found, err
}
