package layout

import (
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Frame is what every page shows around its content.
type Frame struct {
	Title   string
	Nav     []NavItem
	Version string

	// User is who is signed in; empty on the login page.
	User string
	// Role is the word next to it: "operator" or "guest, read only".
	Role string

	// Theme is "auto", "light" or "dark".
	Theme string
	// Here is this page's own address, to come back to.
	Here string

	Registry *Registry
	Outage   *Outage
	Flash    *ui.Flash

	// LiveSeconds makes the script fetch the page's marked parts again so
	// often. 0: the page stands still.
	LiveSeconds int
	// ReloadSeconds makes the browser load the page again, script or not. 0:
	// never.
	ReloadSeconds int
	// Rendered is when the content was read.
	Rendered ui.Time
}

// NavItem is one area.
type NavItem struct {
	Icon, Label, Href string
	Active            bool
}

// Registry is the badge in the head.
type Registry struct {
	// Name is that of the registry, unless it is the one of the command
	// line.
	Name      string
	Chip      ui.Chip
	Namespace string
}

// Outage is the banner across the page while ZooKeeper cannot be reached.
type Outage struct {
	Heading string
	Since   ui.Time
	Detail  string
	Advice  string
}

// themeChoices are the three buttons of the theme switch.
var themeChoices = []struct {
	value string
	glyph string
	label func(i18n.Lang) string
}{
	{"auto", "◐", i18n.Lang.FrameThemeAuto},
	{"light", "☀", i18n.Lang.FrameThemeLight},
	{"dark", "☾", i18n.Lang.FrameThemeDark},
}

func pressed(on bool) string {
	if on {
		return "true"
	}
	return "false"
}
