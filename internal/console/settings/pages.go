package settings

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	settingspage "github.com/elasticjob-go/elasticjob/web/templates/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// draft is a form with the values that were typed, and the result of its test.
type draft struct {
	values  url.Values
	verdict *ui.Note
	// anyway offers to store the entry although its test failed.
	anyway bool
}

// listPage lists the entries.
func (k entries[E, R]) listPage(c *gin.Context) error {
	var none E
	return k.show(c, http.StatusOK, none, draft{})
}

// show shows a form again: on the page of the entry that it changes, or on the list.
func (k entries[E, R]) show(c *gin.Context, status int, before E, d draft, notices ...ui.Notice) error {
	w, l := k.words(), i18n.From(c.Request.Context())
	f := settingspage.Form{
		Values: d.values, Verdict: d.verdict, Anyway: d.anyway, Action: w.page, TestAction: w.page + "/test",
		Verb: w.addLabel(l),
	}
	if name := k.name(before); name != "" {
		f.Editing, f.Verb, f.Action = true, l.RegistriesSave(), pageui.NamedPath(w.page, name, "edit")
		f.TestAction = f.Action + "?test=yes"
		k.Render(c, status, settingspage.Edit(
			k.Frame(c, w.editTitle(l, name), app.AreaRegistries), layout.Crumb{Label: w.label(l), Href: w.page}, notices,
			k.form(f, before),
			k.Curl(c, http.MethodPut, api.Path(w.api, name), nil, w.example),
		))
		return nil
	}
	list, err := k.list(c)
	if err != nil {
		return err
	}
	p := settingspage.List{
		Frame: k.Frame(c, w.title(l), app.AreaRegistries), Sub: w.sub(l), Tabs: tabs(k.Console, c, w.page),
		Notices: notices,
		ID:      w.page[1:], Row: w.testID, Columns: k.columns(l), Add: w.addLabel(l), Bottom: k.more(c, l),
		Empty: ui.Empty{Heading: l.SourcesNone(), Text: l.SourcesNoneText(), TestID: w.page[1:] + "-empty"},
	}
	configures := app.May(c, app.Configures) && k.KeepsSettings()
	for _, entry := range list {
		row := settingspage.Row{Cells: k.row(c, l, entry), Fixed: k.name(entry) == app.DefaultRegistry}
		if configures && !row.Fixed {
			row.Actions = k.buttons(l, k.name(entry))
		}
		p.Rows = append(p.Rows, row)
	}
	if configures {
		p.Form = k.form(f, before)
	}
	k.Render(c, status, settingspage.Page(p))
	return nil
}

// buttons are the actions on an entry.
func (k entries[E, R]) buttons(l i18n.Lang, name string) []ui.Button {
	at := func(verb string) string { return pageui.NamedPath(k.words().page, name, verb) }
	return []ui.Button{
		{Small: true, Label: l.RegistriesTest(), Post: at("test"), Return: k.words().page, Subject: name, TestID: "test"},
		{Small: true, Label: l.RegistriesEdit(), Href: at("edit"), Subject: name, TestID: "edit"},
		{
			Small: true, Kind: ui.ButtonDanger, Label: l.RegistriesRemove(), Href: at("remove"), Subject: name, TestID: "remove",
		},
	}
}

// addFromPage is the target of the form on the list. It tests an entry and adds it, or only tests.
func (k entries[E, R]) addFromPage(testOnly bool) func(*gin.Context) error {
	return func(c *gin.Context) error {
		note(k.Console, c, k.doing("enter"), strings.TrimSpace(c.PostForm("name")))
		if !k.KeepsSettings() {
			return app.NoSettings()
		}
		var none E
		return k.submit(c, none, testOnly)
	}
}

// submit tests an entry and, unless the form is only a test, stores it. An entry that fails its
// test is stored only on demand.
func (k entries[E, R]) submit(c *gin.Context, before E, testOnly bool) error {
	l, w := i18n.From(c.Request.Context()), k.words()
	c.PostForm("") // parses the form
	d := draft{values: c.Request.PostForm}
	refuse := func(err error) error {
		return pageui.RefuseForm(c, err, w.testID+"-refused", func(status int, notice ui.Notice) error {
			return k.show(c, status, before, d, notice)
		})
	}
	if app.Resumed(c) {
		return k.show(c, http.StatusOK, before, d)
	}
	r, err := k.fromForm(d.values, before)
	if err != nil {
		return refuse(err)
	}
	save, done := k.insert, w.added
	if name := k.name(before); name != "" {
		*k.named(&r) = name
		save, done = k.update, w.changed
	}
	entry, err := k.make(r, before)
	if err != nil {
		return refuse(err)
	}
	found, err := k.found(c, l, entry)
	if errors.Is(err, outbound.ErrForbidden) {
		return refuse(app.AddressForbidden(err))
	}
	d.verdict = &found
	switch {
	case testOnly:
		return k.show(c, http.StatusOK, before, d)
	case err != nil && c.PostForm("anyway") != "yes":
		app.Refused(c, "test_failed")
		d.anyway = true
		return k.show(c, http.StatusUnprocessableEntity, before, d)
	}
	if err := save(c, entry); err != nil {
		return refuse(err)
	}
	k.SetFlash(c, ui.Flash{Tone: found.Tone, Title: done(l, k.name(entry), found.Title+" "+found.Text)})
	k.Redirect(c, w.page)
	return nil
}

// found connects to an entry and describes it, or returns why it can't be used.
func (k entries[E, R]) found(c *gin.Context, l i18n.Lang, entry E) (ui.Note, error) {
	ctx, cancel := context.WithTimeout(c.Request.Context(), k.Options().ActionTimeout)
	defer cancel()
	note, err := k.probe(ctx, l, entry)
	note.TestID = "verdict"
	return note, err
}

// inAddress is the stored entry that the address names.
func (k entries[E, R]) inAddress(c *gin.Context, verb string) (entry E, err error) {
	name, err := k.addressed(c, verb)
	if err != nil {
		return entry, err
	}
	return k.entered(c, name)
}

// testFromPage tests a stored entry.
func (k entries[E, R]) testFromPage(c *gin.Context) error {
	entry, err := k.inAddress(c, "test")
	if err != nil {
		return err
	}
	found, err := k.found(c, i18n.From(c.Request.Context()), entry)
	if err != nil {
		app.Refused(c, "test_failed")
	}
	title := k.name(entry) + ": " + found.Title
	k.SetFlash(c, ui.Flash{Tone: found.Tone, Title: title, Lines: pageui.NonEmpty(found.Text)})
	k.Redirect(c, k.words().page)
	return nil
}

// editPage is the form to change an entry.
func (k entries[E, R]) editPage(c *gin.Context) error {
	entry, err := k.inAddress(c, "change")
	if err != nil {
		return err
	}
	return k.show(c, http.StatusOK, entry, draft{values: k.values(entry)})
}

// editFromPage is the target of that form.
func (k entries[E, R]) editFromPage(c *gin.Context) error {
	before, err := k.inAddress(c, "change")
	if err != nil {
		return err
	}
	return k.submit(c, before, c.Query("test") == "yes")
}

// removePage asks before an entry is removed.
func (k entries[E, R]) removePage(c *gin.Context) error { return k.askRemove(c, http.StatusOK, nil) }

// askRemove asks for the name of the entry; typed is another name that was typed instead.
func (k entries[E, R]) askRemove(c *gin.Context, status int, typed *string) error {
	entry, err := k.inAddress(c, "remove")
	if err != nil {
		return err
	}
	w, l, name := k.words(), i18n.From(c.Request.Context()), k.name(entry)
	ctx, cancel := k.Reading(c)
	defer cancel()
	effects := k.effects(ctx, l, entry)
	if n, err := k.Options().Settings.ChosenBy(ctx, w.kind, name, k.Now()); err == nil && n > 0 {
		effects = slices.Insert(effects, 1, l.RegistriesBlastSessions(n))
	}
	q := layout.Question{
		Action: pageui.NamedPath(w.page, name, "remove"), Verb: l.RegistriesRemoveButton(name), Effects: effects,
		Back: w.page, TypeName: name, Curl: k.Curl(c, http.MethodDelete, api.Path(w.api, name), nil, ""),
	}
	if typed != nil {
		q.Typed, q.Error = *typed, l.RegistriesWrongName(name)
	}
	f := k.Frame(c, l.FrameRemoveRegistry(name), app.AreaRegistries)
	k.Render(c, status, layout.Confirm(f, []layout.Crumb{{Label: w.label(l), Href: w.page}}, q))
	return nil
}

// removeFromPage is the target of the form that asks.
func (k entries[E, R]) removeFromPage(c *gin.Context) error {
	name, err := k.addressed(c, "remove")
	if err != nil {
		return err
	}
	typed := c.PostForm("name")
	switch confirmed := c.PostForm("confirm") == "yes"; {
	case confirmed && pageui.SameName(typed, name):
	case confirmed:
		app.Refused(c, "not_confirmed")
		return k.askRemove(c, app.FormStatus(c), &typed)
	default:
		app.Refused(c, "not_confirmed")
		return k.askRemove(c, app.FormStatus(c), nil)
	}
	if err := k.drop(c, name); err != nil {
		return err
	}
	k.SetFlash(c, ui.Flash{Tone: ui.ToneOK, Title: i18n.From(c.Request.Context()).RegistriesRemoved(name)})
	k.Redirect(c, k.words().page)
	return nil
}
