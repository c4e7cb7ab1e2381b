package browser

import _ "embed"

//go:embed audit.js
var audit string

// Audit says what of the page not everybody can read or use: names and labels that
// are missing, weak contrast, small targets, a page that is wider than its window.
// None is a good page. It fails if the page is still loading, as one is that loads
// itself again. [Tab.RunAxe] finds more.
func (t *Tab) Audit() ([]string, error) { return Eval[[]string](t, audit) }
