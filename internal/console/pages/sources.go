package pages

import (
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/outbound"
	"github.com/elasticjob-go/elasticjob/internal/store"
	"github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	"github.com/elasticjob-go/elasticjob/web/templates/registries"
	"github.com/elasticjob-go/elasticjob/web/templates/sources"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// sourcesPage lists the data sources.
func (s *Pages) sourcesPage(c *gin.Context) { s.showSources(c, http.StatusOK, sources.Form{}) }

// showSources shows the list, with what was typed and what is wrong with it.
func (s *Pages) showSources(c *gin.Context, status int, typed sources.Form, notices ...ui.Notice) {
	list, err := s.SourceList(c)
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	operates := s.keepsSettings(c)
	p := sources.ListProps{Frame: s.Frame(c, l.SourcesTitle(), console.AreaRegistries), Notices: notices, Tabs: s.settingsTabs(c, console.SourcesRoute)}
	for _, d := range list {
		p.Rows = append(p.Rows, s.sourceRow(c, d, operates, l))
	}
	if len(p.Rows) == 0 {
		p.Empty = &ui.Empty{Heading: l.SourcesNone(), Text: l.SourcesNoneText(), TestID: "sources-empty"}
	}
	if s.Options().History != nil {
		p.Own = s.describeOwn(c, l)
	}
	if operates {
		typed.Action, typed.TestAction = console.SourcesRoute, console.SourcesRoute+"/test"
		typed.Types = sourceTypes(typed.Type)
		p.Form = &typed
	}
	s.Render(c, status, sources.List(p))
}

// sourceTypes are the kinds of databases that can be entered.
func sourceTypes(chosen string) []ui.Choice {
	var list []ui.Choice
	for _, kind := range []string{store.MySQL, store.Postgres, store.SQLite} {
		list = append(list, ui.Choice{Value: kind, Label: kind, Selected: kind == chosen})
	}
	return list
}

func (s *Pages) sourceRow(c *gin.Context, d console.SourceBody, operates bool, l i18n.Lang) sources.Row {
	r := sources.Row{Name: d.Name, Type: d.Type, User: d.Username, Password: l.RegistriesNo()}
	if d.Fixed {
		r.Password, r.Address, r.UsedBy = "–", l.RegistriesFixed(), l.SourcesUsedByPages()
		return r
	}
	r.Address = strings.TrimPrefix(d.URL, "jdbc:")
	if d.HasPassword {
		r.Password = l.RegistriesYes()
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	if n, err := s.Options().Settings.ChosenBy(ctx, settings.KindDataSource, d.Name, s.Now()); err == nil {
		r.UsedBy = l.SourcesUsedByRequests(d.Name, n)
	}
	if operates {
		r.TestAction, r.EditHref, r.RemoveHref = pageui.NamedPath(console.SourcesRoute, d.Name, "test"), pageui.NamedPath(console.SourcesRoute, d.Name, "edit"), pageui.NamedPath(console.SourcesRoute, d.Name, "remove")
	}
	return r
}

// describeOwn says what the trace database of the command line has.
func (s *Pages) describeOwn(c *gin.Context, l i18n.Lang) *sources.Described {
	d, err := s.DescribeHistory(c)
	if err != nil {
		p := console.AsProblem(err)
		s.LogFailure(c, p)
		return &sources.Described{Problem: &ui.Problem{Title: l.SourcesUnread(), Text: pageui.ProblemText(l, p), Again: l.ProblemTryNow(), Href: console.SourcesRoute}}
	}
	count := view.Thousands(d.Executions)
	if !d.Exact {
		count = l.SourcesMoreThan(d.Executions)
	}
	facts := []ui.Fact{{Label: l.SourcesKind(), Value: d.Dialect}, {Label: l.SourcesTrip(), Value: roundTrip(d.RoundTrip)}, {Label: l.SourcesExecutions(), Value: count}}
	if !d.Oldest.IsZero() {
		facts = append(facts, ui.Fact{Label: l.SourcesOldest(), Value: view.DateTime(d.Oldest).Text}, ui.Fact{Label: l.SourcesNewest(), Value: view.DateTime(d.Newest).Text})
	}
	described := &sources.Described{Facts: append(facts,
		ui.Fact{Label: l.SourcesColumns(), Value: presence(l, d.Lacks)}, ui.Fact{Label: l.SourcesIndexes(), Value: presence(l, d.LacksIndexes)})}
	if len(d.Lacks)+len(d.LacksIndexes) > 0 {
		described.Advice = l.SourcesAdvice()
	}
	return described
}

func presence(l i18n.Lang, lacks []string) string {
	if len(lacks) == 0 {
		return l.SourcesAllThere()
	}
	return l.SourcesLacking(strings.Join(lacks, ", "))
}

// sourceVerdict says what a test of a data source found; ok tells that it can be used.
func sourceVerdict(l i18n.Lang, d rdb.Description, err error) (note ui.Note, ok bool) {
	if err != nil {
		cause := view.Clip(strings.TrimRight(err.Error(), "."), 400)
		return ui.Note{Tone: ui.ToneBad, Title: l.SourcesUnreachable(), Text: l.SourcesUnreachableText(cause), TestID: "verdict"}, false
	}
	note = ui.Note{Tone: ui.ToneOK, Title: l.SourcesTestedOk(roundTrip(d.RoundTrip)), Text: l.SourcesTestedRows(d.Executions), TestID: "verdict"}
	if !d.Exact {
		note.Text = l.SourcesTestedMany(d.Executions)
	}
	if !d.Newest.IsZero() {
		note.Text += " " + l.SourcesTestedNewest(view.DateTime(d.Newest).Text)
	}
	if lacks := slices.Concat(d.Lacks, d.LacksIndexes); len(lacks) > 0 {
		note.Tone = ui.ToneWarn
		note.Text += " " + l.SourcesTestedLacks(strings.Join(lacks, ", "))
	}
	return note, true
}

// typedSource is what a form about a data source sent, without the password in the
// second.
func typedSource(c *gin.Context) (console.SourceRequest, sources.Form, error) {
	password := c.PostForm("password")
	typed := sources.Form{
		Name: strings.TrimSpace(c.PostForm("name")), Type: c.PostForm("type"), Host: strings.TrimSpace(c.PostForm("host")), Port: strings.TrimSpace(c.PostForm("port")),
		Database: strings.TrimSpace(c.PostForm("database")), User: c.PostForm("username"), Options: strings.TrimSpace(c.PostForm("options")),
	}
	in := console.SourceRequest{Name: typed.Name, Type: typed.Type, Host: typed.Host, Database: typed.Database, Username: typed.User, Password: &password}
	if typed.Port != "" {
		port, err := strconv.Atoi(typed.Port)
		if err != nil {
			return in, typed, console.InvalidAs(i18n.Lang.ProblemPort, i18n.Lang.ProblemPortHint)
		}
		in.Port = port
	}
	for _, word := range strings.Fields(typed.Options) {
		name, value, found := strings.Cut(word, "=")
		if !found {
			return in, typed, console.InvalidAs(i18n.Lang.ProblemOption, i18n.Lang.ProblemOptionHint)
		}
		if in.Options == nil {
			in.Options = map[string]string{}
		}
		in.Options[name] = value
	}
	return in, typed, nil
}

// sourceForm is a form about a data source that was sent.
type sourceForm struct {
	before settings.DataSource
	// test: nothing is to be stored. show answers with the form.
	test  bool
	show  func(status int, typed sources.Form, notices ...ui.Notice)
	store func(settings.DataSource) error
	done  func(l i18n.Lang, name, found string) string
}

// submitSource tests a data source and, if that was asked for, stores it. One that
// fails its test is stored only if the form says so.
func (s *Pages) submitSource(c *gin.Context, f sourceForm) {
	l := i18n.From(c.Request.Context())
	in, typed, err := typedSource(c)
	refuse := func(err error) {
		p := console.AsProblem(err)
		if p.Status() >= http.StatusInternalServerError {
			s.Fail(c, p)
			return
		}
		console.Refused(c, p.Code)
		f.show(p.Status(), typed, pageui.FormNotice(l, p, "source-refused"))
	}
	if f.before.Name != "" {
		in.Name = f.before.Name
		if *in.Password == "" && c.PostForm("noPassword") != "yes" && f.before.Password != "" {
			in.Password = nil // as it is
		}
	}
	if console.Resumed(c) {
		f.show(http.StatusOK, typed)
		return
	}
	var d settings.DataSource
	if err == nil {
		d, err = s.SourceFrom(in, f.before)
	}
	if err != nil {
		refuse(err)
		return
	}
	found, err := s.ProbeSource(c, d)
	if errors.Is(err, outbound.ErrForbidden) {
		refuse(console.AddressForbidden(err))
		return
	}
	note, ok := sourceVerdict(l, found, err)
	typed.Verdict = &note
	switch {
	case f.test:
		f.show(http.StatusOK, typed)
		return
	case !ok && c.PostForm("anyway") != "yes":
		console.Refused(c, "test_failed")
		typed.Anyway = true
		f.show(http.StatusUnprocessableEntity, typed)
		return
	}
	if err := f.store(d); err != nil {
		refuse(err)
		return
	}
	s.SetFlash(c, ui.Flash{Tone: note.Tone, Title: f.done(l, d.Name, note.Title+" "+note.Text)})
	s.Redirect(c, console.SourcesRoute)
}

// addSourceFromPage is the form's target: it tests and adds, or only tests.
func (s *Pages) addSourceFromPage(testOnly bool) gin.HandlerFunc {
	return func(c *gin.Context) {
		s.Note(c, slog.String("order", "enter data source"), slog.String("target", view.Clip(strings.TrimSpace(c.PostForm("name")), 100)))
		if !s.KeepsSettings() {
			s.Fail(c, console.NoSettings())
			return
		}
		s.submitSource(c, sourceForm{
			test: testOnly,
			show: func(status int, typed sources.Form, notices ...ui.Notice) {
				s.showSources(c, status, typed, notices...)
			},
			store: func(d settings.DataSource) error { return s.AddSource(c, d) },
			done:  i18n.Lang.SourcesAdded,
		})
	}
}

// enteredSource is the data source in the address.
func (s *Pages) enteredSource(c *gin.Context, doing string) (settings.DataSource, error) {
	name, err := s.AddressedSetting(c, doing)
	if err != nil {
		return settings.DataSource{}, err
	}
	return s.EnteredSource(c, name)
}

// testSourceFromPage tests a data source that was entered.
func (s *Pages) testSourceFromPage(c *gin.Context) {
	d, err := s.enteredSource(c, "test data source")
	if err != nil {
		s.Fail(c, err)
		return
	}
	found, err := s.ProbeSource(c, d)
	note, ok := sourceVerdict(i18n.From(c.Request.Context()), found, err)
	if !ok {
		console.Refused(c, "test_failed")
	}
	s.SetFlash(c, ui.Flash{Tone: note.Tone, Title: d.Name + ": " + note.Title, Lines: pageui.NonEmpty(note.Text)})
	s.Redirect(c, console.SourcesRoute)
}

// editSourcePage is the form to change a data source.
func (s *Pages) editSourcePage(c *gin.Context) {
	d, err := s.enteredSource(c, "change data source")
	if err != nil {
		s.Fail(c, err)
		return
	}
	typed := sources.Form{Type: d.Type, Host: d.Host, Database: d.Database, User: d.User}
	if d.Port != 0 {
		typed.Port = strconv.Itoa(d.Port)
	}
	var options []string
	for _, name := range view.SortedKeys(d.Options) {
		options = append(options, name+"="+d.Options[name])
	}
	typed.Options = strings.Join(options, " ")
	s.showEditSource(c, d, http.StatusOK, typed)
}

func (s *Pages) showEditSource(c *gin.Context, d settings.DataSource, status int, typed sources.Form, notices ...ui.Notice) {
	l := i18n.From(c.Request.Context())
	typed.Name, typed.Editing, typed.HasPassword, typed.Types = d.Name, true, d.Password != "", sourceTypes(typed.Type)
	typed.Action = pageui.NamedPath(console.SourcesRoute, d.Name, "edit")
	typed.TestAction = typed.Action + "?test=yes"
	s.Render(c, status, sources.Edit(sources.EditProps{
		Frame: s.Frame(c, l.SourcesEditTitle(d.Name), console.AreaRegistries), Notices: notices, Form: typed,
		Curl: s.Curl(c, http.MethodPut, "/api/data-source/"+url.PathEscape(d.Name), nil, `{"type":"…","host":"…","database":"…","username":"…"}`),
	}))
}

// changeSourceFromPage is the target of that form.
func (s *Pages) changeSourceFromPage(c *gin.Context) {
	d, err := s.enteredSource(c, "change data source")
	if err != nil {
		s.Fail(c, err)
		return
	}
	s.submitSource(c, sourceForm{
		before: d, test: c.Query("test") == "yes",
		show: func(status int, typed sources.Form, notices ...ui.Notice) {
			s.showEditSource(c, d, status, typed, notices...)
		},
		store: func(d settings.DataSource) error { return s.ChangeSource(c, d) },
		done:  i18n.Lang.SourcesChanged,
	})
}

// removeSourcePage asks before a data source is removed.
func (s *Pages) removeSourcePage(c *gin.Context) { s.showRemoveSource(c, http.StatusOK, "", false) }

func (s *Pages) showRemoveSource(c *gin.Context, status int, typed string, wrong bool) {
	d, err := s.enteredSource(c, "remove data source")
	if err != nil {
		s.Fail(c, err)
		return
	}
	l := i18n.From(c.Request.Context())
	ctx, cancel := s.Reading(c)
	defer cancel()
	p := registries.RemoveProps{
		Frame: s.Frame(c, l.FrameRemoveRegistry(d.Name), console.AreaRegistries), Name: d.Name, Action: pageui.NamedPath(console.SourcesRoute, d.Name, "remove"),
		ListLabel: l.SourcesTitle(), ListHref: console.SourcesRoute, Heading: l.FrameRemoveRegistry(d.Name), Verb: l.RegistriesRemoveButton(d.Name), Cancel: l.RegistriesCancel(),
		Effects:  append([]string{l.SourcesBlastRequests()}, s.afterRemoval(ctx, settings.KindDataSource, d.Name, l, l.SourcesBlastDatabase(), l.RegistriesBlastSecret())...),
		TypeName: l.RegistriesTypeName(d.Name), Curl: s.Curl(c, http.MethodDelete, "/api/data-source/"+url.PathEscape(d.Name), nil, ""),
	}
	if wrong {
		p.Wrong, p.Error = typed, l.RegistriesWrongName(d.Name)
	}
	s.Render(c, status, registries.Remove(p))
}
