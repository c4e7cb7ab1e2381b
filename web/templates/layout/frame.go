package layout

import (
	"strconv"
	"strings"

	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Frame is what every page shows around its content.
type Frame struct {
	// Title is that of the browser's tab, and the heading unless Head has one.
	Title   string
	Head    Head
	Nav     []NavItem
	Version string

	// User is who is signed in; empty on the login page.
	User string
	// Role is the word next to it: "operator" or "viewer, read only".
	Role string

	// Theme is "auto", "light" or "dark".
	Theme string
	// Zone is the reader's choice of the time zone of pages: empty for UTC, "job" for
	// each job's, else the name of a zone.
	Zone string
	// Here is this page's own address, to come back to.
	Here string

	Registry *Registry
	Outage   *Outage
	Flash    *ui.Flash

	// Ignored is what the page left out of its address, and why.
	Ignored []string

	// Scripts are the modules that the page needs besides those of every page, such
	// as "brush.js"; see package static.
	Scripts []string
	// LiveSeconds makes the script fetch the page's marked parts again so
	// often. 0: the page stands still.
	LiveSeconds int
	// KeysOff: the reader has switched keys off.
	KeysOff bool
	// Events is where the page learns which of its regions changed.
	Events string
	// ReloadSeconds makes the browser load the page again, script or not. 0:
	// never.
	ReloadSeconds int
	// Rendered is when the content was read; Snapshot is of when it is, if that was
	// before the connection was lost.
	Rendered, Snapshot ui.Time
}

// Head is the head of a page: where the reader is, and what can be done.
type Head struct {
	// Crumbs lead from the area to the page, without the page itself.
	Crumbs []Crumb
	// Heading is the page's; empty for the frame's title.
	Heading string
	// Mono: the heading is a name, such as a job's.
	Mono bool
	// Beside stands beside the heading, such as the state of a job; nil for nothing.
	Beside templ.Component
	// Sub is one line about the page.
	Sub string
	// Actions stand at the end of the head, the main one first; nil for none.
	Actions templ.Component
	// Hidden: the page brings a heading of its own, as an error does.
	Hidden bool
}

// Crumb is a page above this one.
type Crumb struct {
	Label, Href string
	Mono        bool
}

// With is the frame with another head.
func (p Frame) With(h Head) Frame {
	p.Head = h
	return p
}

func (p Frame) heading() string {
	if p.Head.Heading != "" {
		return p.Head.Heading
	}
	return p.Title
}

// ignored is what the page left out of its address as one sentence.
func (p Frame) ignored() string {
	parts := make([]string, len(p.Ignored))
	for i, text := range p.Ignored {
		parts[i] = strings.TrimRight(text, ".。")
	}
	return strings.Join(parts, "; ") + "."
}

// tabs are the areas of the bottom bar; the others are behind its last entry.
func (p Frame) tabs() []NavItem {
	const most = 4
	return p.Nav[:min(most, len(p.Nav))]
}

// NavItem is one area.
type NavItem struct {
	Icon, Label, Href string
	Active            bool
	// Badge is a count of what needs a look, empty for none; BadgeTitle says it in
	// words.
	Badge, BadgeTitle string
	// Manage: it is about the console itself.
	Manage bool
}

// Registry is the badge in the head.
type Registry struct {
	// Name is that of the registry, unless it is the one of the command
	// line.
	Name      string
	Chip      ui.Chip
	Namespace string
	// Address is the list of servers, such as zk1:2181,zk2:2181; empty if it isn't known.
	Address string
}

// Outage is the banner across the page while ZooKeeper cannot be reached.
type Outage struct {
	Since  ui.Time
	Detail string
	// Snapshot: the page shows what was known then.
	Snapshot bool
	Advice   string
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

// mine is the zone of the reader's own, which the script fills in; empty if it was
// not chosen.
func (p Frame) mine() string {
	if p.Zone == "job" {
		return ""
	}
	return p.Zone
}

func (p Outage) heading(l i18n.Lang) string {
	if p.Since.ISO == "" {
		return l.OutageHeading()
	}
	return l.OutageHeadingSince(p.Since.Text)
}

func pressed(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// snapshot tells the script what the page shows, if that is not the present.
func (p Outage) snapshot(l i18n.Lang) templ.Attributes {
	if !p.Snapshot {
		return nil
	}
	return templ.Attributes{"data-snapshot": l.FrameSnapshotOf(p.Since.Text)}
}

// ageState is how old the page is, in the word that styles know.
func (p Frame) ageState() string {
	if p.Snapshot.ISO != "" {
		return "stale"
	}
	return "read"
}

// reloads is after how many seconds the script loads the page again; one that is live
// looks itself.
func (p Frame) reloads() int {
	if p.LiveSeconds > 0 {
		return 0
	}
	return p.ReloadSeconds
}

// reloadWithoutScript is for browsers that run none; templ does not look into it.
func reloadWithoutScript(seconds int) string {
	return `<noscript><meta http-equiv="refresh" content="` + strconv.Itoa(seconds) + `"/></noscript>`
}
