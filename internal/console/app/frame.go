package app

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/auth"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// How often pages read again: by script while all is well, by the browser
// itself while the registry is away.
const (
	LiveSeconds   = 10
	ReloadSeconds = 5
)

// EventsRoute is where a page learns which of its regions changed.
const EventsRoute = "/events"

// Area is an entry of the navigation, by its icon.
type Area string

const (
	AreaOverview   Area = "overview"
	AreaJobs       Area = "jobs"
	AreaServers    Area = "fleet"
	AreaExecutions Area = "runs"
	AreaCloud      Area = "cloud"
	AreaAudit      Area = "audit"
	AreaRegistries Area = "settings"
)

// areas is the navigation. The audit is there for admins only, ElasticJob-Cloud where it is on.
var areas = []struct {
	area  Area
	href  string
	label func(i18n.Lang) string
}{
	{AreaOverview, "/", i18n.Lang.FrameOverview},
	{AreaJobs, "/jobs", i18n.Lang.FrameJobs},
	{AreaExecutions, "/runs", i18n.Lang.FrameRuns},
	{AreaServers, "/servers", i18n.Lang.FrameFleet},
	{AreaCloud, "/cloud", i18n.Lang.FrameCloud},
	{AreaAudit, "/audit", i18n.Lang.FrameAudit},
	{AreaRegistries, RegistriesRoute, i18n.Lang.FrameSettings},
}

// areaOf is the area a path belongs to, empty if to none.
func areaOf(path string) Area {
	switch {
	case path == "/executions": // a level of the runs
		return AreaExecutions
	case path == SourcesRoute || strings.HasPrefix(path, SourcesRoute+"/"), // a part of the settings
		path == TokensRoute || strings.HasPrefix(path, TokensRoute+"/"),
		path == ReferenceRoute || strings.HasPrefix(path, ReferenceRoute+"/"):
		return AreaRegistries
	}
	for _, a := range areas {
		if path == a.href || a.href != "/" && strings.HasPrefix(path, a.href+"/") {
			return a.area
		}
	}
	return ""
}

// labelOf is the name of an area.
func labelOf(in Area, l i18n.Lang) string {
	for _, a := range areas {
		if a.area == in {
			return a.label(l)
		}
	}
	return ""
}

// Frame is what goes around a page: who reads it, and how the registry is. The page
// of an area itself has no other title than its name: "".
func (s *Console) Frame(c *gin.Context, title string, in Area) layout.Frame {
	who, l := Caller(c), i18n.From(c.Request.Context())
	f := layout.Frame{
		Title:    title,
		Version:  s.opts.Version,
		User:     who.Name,
		Role:     roleLabel(who.Role, l),
		Theme:    theme(c),
		Zone:     zoneChoice(c.Request),
		Here:     here(c),
		Rendered: view.ClockTime(s.opts.Clock()),
		KeysOff:  KeysOff(c),
		Ignored:  ignored(c, l),
		Events:   EventsRoute + "?path=" + url.QueryEscape(c.Request.URL.RequestURI()),
	}
	noteRendered(c, f.Rendered)
	if title == "" {
		f.Title = labelOf(in, l)
	}
	if who.Name == "" {
		return f
	}
	for _, item := range areas {
		if item.area == AreaAudit && (!May(c, Configures) || s.opts.Settings == nil) || item.area == AreaCloud && s.opts.Cloud == nil {
			continue
		}
		entry := layout.NavItem{Icon: string(item.area), Label: item.label(l), Href: item.href, Active: item.area == in, Manage: item.area == AreaAudit || item.area == AreaRegistries}
		if item.area == AreaJobs {
			if n := s.FailingJobs(c); n > 0 {
				entry.Badge, entry.BadgeTitle = view.Thousands(n), l.FrameFailing(n)
			}
		}
		f.Nav = append(f.Nav, entry)
	}
	at := s.RegistryOf(c)
	health := at.Health()
	f.Registry = registryBadge(health, l)
	if at.name != DefaultRegistry {
		f.Registry.Name = at.name
	}
	if f.Outage = outageBanner(health, l, s.Now()); f.Outage != nil {
		if _, stale := SnapshotOf(c); stale && in != AreaExecutions { // what the history says is current
			f.Snapshot, f.Outage.Snapshot, f.Outage.Advice = f.Outage.Since, true, l.OutageAdviceSnapshot()
		}
		if isRead(c) {
			f.ReloadSeconds = ReloadSeconds
		}
	}
	if c.GetHeader(RegionHeader) == "" { // the script has no place to show it
		f.Flash = s.takeFlash(c)
	}
	if Resumed(c) {
		f.Flash = &ui.Flash{Tone: ui.ToneWarn, Title: l.SignInResumed(), Lines: []string{l.SignInResumedSecrets()}}
	}
	return f
}

// isRead reports whether loading the page again is harmless.
func isRead(c *gin.Context) bool {
	return c.Request.Method == http.MethodGet || c.Request.Method == http.MethodHead
}

// here is the page's own address, to come back to.
func here(c *gin.Context) string {
	if !isRead(c) {
		return "/"
	}
	if strings.HasPrefix(c.FullPath(), OIDCRoute) { // what the provider sent is good once
		return "/login"
	}
	return outside(c, c.Request.URL.RequestURI())
}

// roleName is what pages call a role; empty for none.
func roleName(r auth.Role, l i18n.Lang) string {
	switch r {
	case auth.RoleRoot:
		return l.FrameAdmin()
	case auth.RoleOperator:
		return l.FrameOperator()
	case auth.RoleGuest:
		return l.FrameRoleViewer()
	}
	return ""
}

// roleLabel is the role in the page's head.
func roleLabel(r auth.Role, l i18n.Lang) string {
	if r == auth.RoleGuest {
		return l.FrameViewer()
	}
	return roleName(r, l)
}

// registryBadge is the state of the connection in the page's head.
func registryBadge(h RegistryHealth, l i18n.Lang) *layout.Registry {
	var chip ui.Chip
	switch h.State {
	case RegistryConnected:
		chip.Tone, chip.Label = ui.ToneOK, l.FrameConnected()
	case RegistrySuspended:
		chip.Tone, chip.Label = ui.ToneWarn, l.FrameReconnecting()
	default:
		chip.Tone, chip.Label = ui.ToneBad, l.FrameDisconnected()
	}
	chip.Title = "ZooKeeper " + h.Address + ", " + string(h.State) + " since " + view.DateTime(h.Since).Text
	return &layout.Registry{Chip: chip, Namespace: h.Namespace, Address: h.Address}
}

// outageBanner is shown while the registry is not connected.
func outageBanner(h RegistryHealth, l i18n.Lang, now time.Time) *layout.Outage {
	if h.State == RegistryConnected {
		return nil
	}
	o := &layout.Outage{
		Since:  view.NearTime(l, h.Since, now),
		Advice: l.OutageAdvice(),
	}
	if h.LastError != nil {
		o.Detail = view.Clip(h.LastError.Error(), 300)
	}
	return o
}

// KeysCookie says that the reader has switched keys off.
const KeysCookie = "elasticjob_keys"

// KeysOff reports whether the reader has switched keys off.
func KeysOff(c *gin.Context) bool {
	cookie, err := c.Request.Cookie(KeysCookie)
	return err == nil && cookie.Value == "off"
}

// ThemeCookie has the reader's choice of light or dark.
const ThemeCookie = "elasticjob_theme"

// theme is the reader's choice: "light", "dark", or "auto" for the system's.
func theme(c *gin.Context) string {
	if cookie, err := c.Request.Cookie(ThemeCookie); err == nil && (cookie.Value == "light" || cookie.Value == "dark") {
		return cookie.Value
	}
	return "auto"
}

// The pages of the settings.
const (
	// RegistriesRoute is the page of the registries.
	RegistriesRoute = "/registries"
	// SourcesRoute is the page of the data sources.
	SourcesRoute = "/sources"
	// TokensRoute is the page of the tokens for programs.
	TokensRoute = "/tokens"
	// ReferenceRoute is the page of the REST interface.
	ReferenceRoute = "/reference"
)
