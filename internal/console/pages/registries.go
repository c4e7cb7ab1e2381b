package pages

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	"github.com/elasticjob-go/elasticjob/web/templates/registries"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// registriesPage lists the registries.
func (s *Pages) registriesPage(c *gin.Context) {
	s.showRegistries(c, http.StatusOK, registries.Form{})
}

// keepsSettings reports whether the caller may enter registries and data sources.
func (s *Pages) keepsSettings(c *gin.Context) bool {
	return console.May(c, console.Configures) && s.KeepsSettings()
}

// showRegistries shows the list, with what was typed and what is wrong with it.
func (s *Pages) showRegistries(c *gin.Context, status int, typed registries.Form, notices ...ui.Notice) {
	list, err := s.RegistryList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	operates := s.keepsSettings(c)
	props := registries.ListProps{Frame: s.Frame(c, "", console.AreaRegistries), Notices: notices, Tabs: s.settingsTabs(c, console.RegistriesRoute)}
	for _, r := range list {
		row := registries.Row{Name: r.Name, Servers: r.Servers, Namespace: r.Namespace, Href: console.RegistryPath(r.Name) + "/jobs", Digest: l.RegistriesNo(), TLS: r.TLS != nil, Jobs: "–"}
		switch {
		case r.Fixed:
			row.Digest = "–"
		case r.HasDigest:
			row.Digest = l.RegistriesYes()
		}
		if operates && !r.Fixed {
			row.TestAction, row.EditHref, row.RemoveHref = pageui.NamedPath(console.RegistriesRoute, r.Name, "test"), pageui.NamedPath(console.RegistriesRoute, r.Name, "edit"), pageui.NamedPath(console.RegistriesRoute, r.Name, "remove")
		}
		s.addState(c, &row, l)
		props.Rows = append(props.Rows, row)
	}
	if operates {
		typed.Action, typed.TestAction = console.RegistriesRoute, console.RegistriesRoute+"/test"
		props.Form = &typed
	}
	s.Render(c, status, registries.List(props))
}

// addState says how the connection to a registry is, if there is one. None is opened
// to find out.
func (s *Pages) addState(c *gin.Context, row *registries.Row, l i18n.Lang) {
	row.State = ui.State{Tone: ui.ToneQuiet, Label: l.RegistriesUntested(), Title: l.RegistriesUntestedTitle(), TestID: "registry-row-state"}
	ctx, cancel := s.Reading(c)
	defer cancel()
	opened, release, ok := s.OpenedRegistry(ctx, row.Name)
	if !ok {
		return
	}
	defer release()
	switch opened.Health().State {
	case console.RegistryConnected:
		row.State.Tone, row.State.Label, row.State.Title = ui.ToneOK, l.RegistriesConnected(), ""
		if jobs, err := opened.Jobs.Jobs(ctx); err == nil {
			row.Jobs = view.Thousands(len(jobs))
		}
	case console.RegistrySuspended:
		row.State.Tone, row.State.Label, row.State.Title = ui.ToneWarn, l.RegistriesReconnecting(), ""
	case console.RegistryLost:
		row.State.Tone, row.State.Label, row.State.Title = ui.ToneBad, l.RegistriesDisconnected(), ""
	}
}

// typedRegistry is what a form about a registry sent, without secrets in the second.
func typedRegistry(c *gin.Context) (console.RegistryRequest, registries.Form) {
	acl := c.PostForm("acl")
	in := console.RegistryRequest{
		Name: strings.TrimSpace(c.PostForm("name")), Servers: c.PostForm("zkAddressList"), Namespace: strings.TrimSpace(c.PostForm("namespace")), ACL: &acl,
		TLS: &console.RegistryTLS{
			Enabled: c.PostForm("tls") == "yes", CA: c.PostForm("ca"), Cert: c.PostForm("cert"), Key: c.PostForm("key"), ServerName: strings.TrimSpace(c.PostForm("serverName")),
		},
	}
	digest := c.PostForm("digest")
	in.Digest = &digest
	return in, registries.Form{
		Name: in.Name, Servers: in.Servers, Namespace: in.Namespace, ACL: acl,
		TLS: in.TLS.Enabled, ServerName: in.TLS.ServerName, CA: in.TLS.CA, Cert: in.TLS.Cert,
	}
}

// verdict says what a test of a registry found; ok tells that it can be used.
func verdict(l i18n.Lang, r settings.Registry, report console.RegistryReport, err error) (note ui.Note, ok bool) {
	note = ui.Note{Tone: ui.ToneBad, TestID: "verdict"}
	switch {
	case errors.Is(err, console.ErrNoSuchChroot):
		note.Title, note.Text = l.RegistriesNoChroot(), l.RegistriesNoChrootText(report.Chroot)
		return note, false
	case errors.Is(err, statistics.ErrForbidden):
		note.Title, note.Text = l.RegistriesForbidden(), l.RegistriesForbiddenText()
		return note, false
	case err != nil:
		note.Title, note.Text = l.RegistriesUnreachable(), l.RegistriesUnreachableText(view.Clip(strings.TrimRight(err.Error(), "."), 300))
		return note, false
	}
	note.Tone, note.Title = ui.ToneOK, l.RegistriesTestedOk(view.Took(report.Connected))
	trip := roundTrip(report.RoundTrip)
	switch {
	case !report.Found:
		note.Tone, note.Text = ui.ToneWarn, l.RegistriesTestedAbsent(trip, r.Namespace)
	case !report.Exact:
		note.Text = l.RegistriesTestedMany(trip, r.Namespace, report.Jobs)
	default:
		note.Text = l.RegistriesTestedFound(trip, r.Namespace, report.Jobs)
	}
	if report.Chroot != "" {
		note.Text += " " + l.RegistriesTestedChroot(report.Chroot)
	}
	if r.Digest != "" {
		note.Text += " " + l.RegistriesTestedDigest()
	}
	return note, true
}

// roundTrip is a time that is most often less than a millisecond.
func roundTrip(d time.Duration) string {
	if d < 100*time.Microsecond {
		return "< 0.1 ms"
	}
	if d < 10*time.Millisecond {
		return fmt.Sprintf("%.1f ms", float64(d)/float64(time.Millisecond))
	}
	return view.Took(d)
}

// registryForm is a form about a registry that was sent.
type registryForm struct {
	typed  registries.Form
	in     console.RegistryRequest
	before settings.Registry
	// test: nothing is to be stored. show answers with the form.
	test  bool
	show  func(status int, typed registries.Form, notices ...ui.Notice)
	store func(settings.Registry) error
	done  func(l i18n.Lang, name, found string) string
}

// submitRegistry tests a registry and, if that was asked for, stores it. One that
// fails its test is stored only if the form says so.
func (s *Pages) submitRegistry(c *gin.Context, f registryForm) {
	l := i18n.From(c.Request.Context())
	refuse := func(err error) {
		p := console.AsProblem(err)
		if p.Status() >= http.StatusInternalServerError {
			s.Fail(c, p)
			return
		}
		console.Refused(c, p.Code)
		f.show(p.Status(), f.typed, pageui.FormNotice(l, p, "registry-refused"))
	}
	if console.Resumed(c) {
		f.show(http.StatusOK, f.typed)
		return
	}
	r, err := s.RegistryFrom(f.in, f.before)
	if err != nil {
		refuse(err)
		return
	}
	report, err := s.ProbeRegistry(c, r)
	if errors.Is(err, outbound.ErrForbidden) {
		refuse(console.AddressForbidden(err))
		return
	}
	note, ok := verdict(l, r, report, err)
	f.typed.Verdict = &note
	switch {
	case f.test:
		f.show(http.StatusOK, f.typed)
		return
	case !ok && c.PostForm("anyway") != "yes":
		console.Refused(c, "test_failed")
		f.typed.Anyway = true
		f.show(http.StatusUnprocessableEntity, f.typed)
		return
	}
	if err := f.store(r); err != nil {
		refuse(err)
		return
	}
	s.SetFlash(c, ui.Flash{Tone: note.Tone, Title: f.done(l, r.Name, note.Title+" "+note.Text)})
	s.Redirect(c, console.RegistriesRoute)
}

// addRegistryFromPage is the form's target: it tests and adds, or only tests.
func (s *Pages) addRegistryFromPage(testOnly bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		in, typed := typedRegistry(c)
		s.Note(c, slog.String("order", "enter registry"), slog.String("target", view.Clip(in.Name, 100)))
		if !s.KeepsSettings() {
			s.Fail(c, console.NoSettings())
			return
		}
		s.submitRegistry(c, registryForm{
			typed: typed, in: in, test: testOnly,
			show: func(status int, typed registries.Form, notices ...ui.Notice) {
				s.showRegistries(c, status, typed, notices...)
			},
			store: func(settings.Registry) error { _, err := s.AddRegistry(c, in); return err },
			done:  i18n.Lang.RegistriesAddedFound,
		})
	}
}

// enteredRegistry is the registry in the address.
func (s *Pages) enteredRegistry(c *gin.Context, doing string) (settings.Registry, error) {
	name, err := s.AddressedSetting(c, doing)
	if err != nil {
		return settings.Registry{}, err
	}
	return s.EnteredRegistry(c, name)
}

// testRegistryFromPage tests a registry that was entered.
func (s *Pages) testRegistryFromPage(c *gin.Context) {
	r, err := s.enteredRegistry(c, "test registry")
	if err != nil {
		s.Fail(c, err)
		return
	}
	report, err := s.ProbeRegistry(c, r)
	note, ok := verdict(i18n.From(c.Request.Context()), r, report, err)
	if !ok {
		console.Refused(c, "test_failed")
	}
	s.SetFlash(c, ui.Flash{Tone: note.Tone, Title: r.Name + ": " + note.Title, Lines: pageui.NonEmpty(note.Text)})
	s.Redirect(c, console.RegistriesRoute)
}

// editRegistryPage is the form to change a registry.
func (s *Pages) editRegistryPage(c *gin.Context) {
	r, err := s.enteredRegistry(c, "change registry")
	if err != nil {
		s.Fail(c, err)
		return
	}
	a := r.Access
	s.showEditRegistry(c, r, http.StatusOK, registries.Form{
		Servers: strings.Join(r.Servers, ","), Namespace: r.Namespace, ACL: a.ACL, TLS: a.TLS, ServerName: a.ServerName, CA: a.CA, Cert: a.Cert,
	})
}

func (s *Pages) showEditRegistry(c *gin.Context, r settings.Registry, status int, typed registries.Form, notices ...ui.Notice) {
	l := i18n.From(c.Request.Context())
	typed.Name, typed.Editing, typed.HasDigest, typed.HasKey = r.Name, true, r.Digest != "", r.Access.Key != ""
	typed.Action, typed.TestAction = pageui.NamedPath(console.RegistriesRoute, r.Name, "edit"), pageui.NamedPath(console.RegistriesRoute, r.Name, "edit")+"?test=yes"
	s.Render(c, status, registries.Edit(registries.EditProps{
		Frame: s.Frame(c, l.RegistriesEditTitle(r.Name), console.AreaRegistries), Notices: notices, Form: typed,
		Curl: s.Curl(c, http.MethodPut, "/api/registry-center/"+url.PathEscape(r.Name), nil, `{"zkAddressList":"…","namespace":"…"}`),
	}))
}

// changeRegistryFromPage is the target of that form.
func (s *Pages) changeRegistryFromPage(c *gin.Context) {
	r, err := s.enteredRegistry(c, "change registry")
	if err != nil {
		s.Fail(c, err)
		return
	}
	in, typed := typedRegistry(c)
	in.Name = r.Name
	if *in.Digest == "" && c.PostForm("noDigest") != "yes" && r.Digest != "" {
		in.Digest = nil // as it is
	}
	s.submitRegistry(c, registryForm{
		typed: typed, in: in, before: r, test: c.Query("test") == "yes",
		show: func(status int, typed registries.Form, notices ...ui.Notice) {
			s.showEditRegistry(c, r, status, typed, notices...)
		},
		store: func(r settings.Registry) error { return s.ChangeRegistry(c, r) },
		done:  func(l i18n.Lang, name, found string) string { return l.RegistriesChanged(name) + " " + found },
	})
}

// removeRegistryPage asks before a registry is removed.
func (s *Pages) removeRegistryPage(c *gin.Context) {
	s.showRemoveRegistry(c, http.StatusOK, "", false)
}

func (s *Pages) showRemoveRegistry(c *gin.Context, status int, typed string, wrong bool) {
	name, err := console.SettingName(c)
	var r settings.Registry
	if err == nil {
		r, err = s.EnteredRegistry(c, name)
	}
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	p := registries.RemoveProps{
		Frame: s.Frame(c, l.FrameRemoveRegistry(r.Name), console.AreaRegistries), Name: r.Name, Action: pageui.NamedPath(console.RegistriesRoute, r.Name, "remove"),
		ListLabel: l.FrameRegistries(), ListHref: console.RegistriesRoute, Heading: l.FrameRemoveRegistry(r.Name), Verb: l.RegistriesRemoveButton(r.Name), Cancel: l.RegistriesCancel(),
		Effects: s.registryBlast(c, r, l), TypeName: l.RegistriesTypeName(r.Name),
		Curl: s.Curl(c, http.MethodDelete, "/api/registry-center/"+url.PathEscape(r.Name), nil, ""),
	}
	if wrong {
		p.Wrong, p.Error = typed, l.RegistriesWrongName(r.Name)
	}
	s.Render(c, status, registries.Remove(p))
}

// registryBlast says in numbers what stops working with a registry.
func (s *Pages) registryBlast(c *gin.Context, r settings.Registry, l i18n.Lang) []string {
	ctx, cancel := s.Reading(c)
	defer cancel()
	effects := []string{l.RegistriesBlastClosed()}
	if opened, release, ok := s.OpenedRegistry(ctx, r.Name); ok {
		jobs, err := opened.Jobs.Jobs(ctx)
		servers, serversErr := opened.Jobs.Servers(ctx)
		if err == nil && serversErr == nil {
			effects[0] = l.RegistriesBlastOpen(len(jobs), len(servers))
		}
		release()
	}
	return append(effects, s.afterRemoval(ctx, settings.KindRegistry, r.Name, l, l.RegistriesBlastZookeeper(), l.RegistriesBlastSecret())...)
}

// afterRemoval counts the sessions that have something connected, and adds what else
// is to be said.
func (s *Pages) afterRemoval(ctx context.Context, kind settings.Kind, name string, l i18n.Lang, more ...string) []string {
	var effects []string
	if n, err := s.Options().Settings.ChosenBy(ctx, kind, name, s.Now()); err == nil && n > 0 {
		effects = append(effects, l.RegistriesBlastSessions(n))
	}
	return append(effects, more...)
}

// removeSetting is the target of the form that asks to remove a registry or a data source; ask
// shows it again.
func (s *Pages) removeSetting(doing, back string, ask func(c *gin.Context, status int, typed string, wrong bool), remove func(*gin.Context, string) error) gin.HandlerFunc {
	return func(c *gin.Context) {
		name, err := s.AddressedSetting(c, doing)
		if err == nil && (c.PostForm("confirm") != "yes" || !pageui.SameName(c.PostForm("name"), name)) {
			console.Refused(c, "not_confirmed")
			ask(c, console.FormStatus(c), c.PostForm("name"), c.PostForm("confirm") == "yes")
			return
		}
		if err == nil {
			err = remove(c, name)
		}
		if err != nil {
			s.Fail(c, err)
			return
		}
		s.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).RegistriesRemoved(name)})
		s.Redirect(c, back)
	}
}
