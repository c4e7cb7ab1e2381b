package settings

import (
	"context"
	"maps"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	pageui "github.com/elasticjob-go/elasticjob/internal/console/ui"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/store"
	stored "github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/tracing/rdb"
	settingspage "github.com/elasticjob-go/elasticjob/web/templates/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// sourceEntries are the data sources that users entered.
func sourceEntries(s *app.Console) entries[stored.DataSource, api.DataSourceRequest] {
	return entries[stored.DataSource, api.DataSourceRequest]{s, sources{s}}
}

// sources is the [kind] of data sources.
type sources struct{ *app.Console }

func (sources) words() words {
	return words{
		kind: stored.KindDataSource, api: api.DataSourcesPath, page: app.SourcesRoute, testID: "source",
		touches: app.TheHistory,
		example: `{"type":"…","host":"…","database":"…","username":"…"}`,
		noun:    i18n.Lang.ProblemKindSource, wrong: i18n.Lang.ProblemWrongSource, title: i18n.Lang.SourcesTitle,
		label: i18n.Lang.SourcesTitle, sub: i18n.Lang.SourcesSub, addLabel: i18n.Lang.SourcesAdd,
		editTitle: i18n.Lang.SourcesEditTitle, added: i18n.Lang.SourcesAdded, changed: i18n.Lang.SourcesChanged,
		problem: app.SourceProblem, absent: app.NoSuchSource,
	}
}

func (s sources) fixed() []stored.DataSource {
	if s.Options().History == nil {
		return nil
	}
	return []stored.DataSource{{Name: app.DefaultRegistry}}
}

func (sources) stored(s app.Settings) stored.Entries[stored.DataSource] { return s.DataSources() }

func (s sources) add(ctx context.Context, d stored.DataSource) error {
	return s.Options().Settings.Add(ctx, nil, []stored.DataSource{d})
}

func (s sources) connections() connections[stored.DataSource] { return s.Options().Sources }

func (sources) name(d stored.DataSource) string          { return d.Name }
func (sources) named(r *api.DataSourceRequest) *string   { return &r.Name }
func (sources) activated(_ *gin.Context, answer any) any { return answer != nil }
func (sources) down(*gin.Context) error                  { return nil }

func (sources) check(in api.DataSourceRequest, before stored.DataSource) (stored.DataSource, []api.FieldBody) {
	d := stored.DataSource{Name: in.Name, Fields: store.Fields{
		Type: in.Type, Host: in.Host, Port: in.Port, Database: in.Database, User: in.Username, Options: in.Options,
	}}
	var w wrongFields
	if in.URL != "" {
		var err error
		if d.Fields, _, err = store.FromJDBC(in.URL, in.Username, ""); err != nil {
			w.add("url", "", err.Error())
		}
	}
	if want := app.WrongName(in.Name); want != "" {
		w.add("name", in.Name, want)
	}
	if len(w) > 0 {
		return d, w
	}
	moved := before.Address() != d.Address() || before.Type != d.Type
	const want = "given again, or empty, because the address changes"
	d.Password = w.secret("password", in.Password, before.Password, moved, want)
	for _, p := range d.Problems() {
		w.add(p.Field, p.Value, p.Want)
	}
	if d.Port == 0 && len(w) == 0 && d.Type != store.SQLite { // the usual port of its type
		_, port, _ := net.SplitHostPort(d.Address())
		d.Port, _ = strconv.Atoi(port)
	}
	return d, w
}

// drivers answers with the drivers that ElasticJob's page offers.
func drivers(c *gin.Context) {
	app.WriteJSON(c, http.StatusOK, []string{driverOf[store.MySQL], driverOf[store.Postgres], driverOf[store.SQLite]})
}

// driverOf are the names that ElasticJob's consoles have for the databases.
var driverOf = map[string]string{
	store.MySQL: "com.mysql.cj.jdbc.Driver", store.Postgres: "org.postgresql.Driver", store.SQLite: "org.sqlite.JDBC",
}

func (sources) answer(d stored.DataSource, active bool) any {
	body := sourceBody(d)
	body.Activated = active
	return body
}

// sourceBody is a data source as callers see it. Only the name of the command line's is shown.
func sourceBody(d stored.DataSource) api.DataSource {
	body := api.DataSource{
		Name: d.Name, Type: d.Type, Host: d.Host, Port: d.Port, Database: d.Database, Username: d.User,
		HasPassword: d.Password != "",
		Options:     map[string]string{}, Driver: driverOf[d.Type], Fixed: d.Name == app.DefaultRegistry,
	}
	maps.Copy(body.Options, d.Options)
	switch d.Type {
	case "":
	case store.SQLite:
		body.URL = "jdbc:sqlite:" + d.Database
	default:
		scheme := map[string]string{store.MySQL: "mysql", store.Postgres: "postgresql"}[d.Type]
		body.URL = "jdbc:" + (&url.URL{Scheme: scheme, Host: d.Address(), Path: "/" + d.Database}).String()
	}
	return body
}

func (s sources) probe(ctx context.Context, l i18n.Lang, source stored.DataSource) (ui.Note, error) {
	d, err := s.Options().Sources.Probe(ctx, source)
	if err != nil {
		cause := view.Clip(strings.TrimRight(err.Error(), "."), 400)
		return ui.Note{Tone: ui.ToneBad, Title: l.SourcesUnreachable(), Text: l.SourcesUnreachableText(cause)}, err
	}
	note := ui.Note{Tone: ui.ToneOK, Title: l.SourcesTestedOk(roundTrip(d.RoundTrip))}
	note.Text = l.SourcesTestedRows(d.Executions)
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
	return note, nil
}

func (sources) columns(l i18n.Lang) []settingspage.Column {
	return []settingspage.Column{
		{Label: l.RegistriesName()}, {Label: l.SourcesType(), Class: "p1"}, {Label: l.SourcesAddress()},
		{Label: l.SourcesUser(), Class: "p2"}, {Label: l.SignInPassword(), Class: "p2"},
		{Label: l.SourcesUsedBy(), Class: "wide p2"},
	}
}

func (s sources) row(c *gin.Context, l i18n.Lang, d stored.DataSource) templ.Component {
	used := l.SourcesUsedByPages()
	if d.Name != app.DefaultRegistry {
		used = ""
		ctx, cancel := s.Reading(c)
		defer cancel()
		if n, err := s.Options().Settings.ChosenBy(ctx, stored.KindDataSource, d.Name, s.Now()); err == nil {
			used = l.SourcesUsedByRequests(d.Name, n)
		}
	}
	return settingspage.SourceCells(sourceBody(d), used)
}

// more describes the trace database of the command line.
func (s sources) more(c *gin.Context, l i18n.Lang) templ.Component {
	if s.Options().History == nil {
		return nil
	}
	d, err := app.ReadHistory(s.Console, c, func(ctx context.Context, h app.History) (rdb.Description, error) {
		return h.Describe(ctx)
	})
	if err != nil {
		p := app.AsProblem(err)
		s.LogFailure(c, p)
		return settingspage.OwnSource(&ui.Problem{
			Title: l.SourcesUnread(), Text: pageui.ProblemText(l, p), Again: l.ProblemTryNow(), Href: app.SourcesRoute,
		}, nil, "")
	}
	count := view.Thousands(d.Executions)
	if !d.Exact {
		count = l.SourcesMoreThan(d.Executions)
	}
	facts := []ui.Fact{
		{Label: l.SourcesKind(), Value: d.Dialect}, {Label: l.SourcesTrip(), Value: roundTrip(d.RoundTrip)},
		{Label: l.SourcesExecutions(), Value: count},
	}
	if !d.Oldest.IsZero() {
		facts = append(facts, ui.Fact{Label: l.SourcesOldest(), Value: view.DateTime(d.Oldest).Text},
			ui.Fact{Label: l.SourcesNewest(), Value: view.DateTime(d.Newest).Text})
	}
	facts = append(facts, ui.Fact{Label: l.SourcesColumns(), Value: presence(l, d.Lacks)},
		ui.Fact{Label: l.SourcesIndexes(), Value: presence(l, d.LacksIndexes)})
	advice := ""
	if len(d.Lacks)+len(d.LacksIndexes) > 0 {
		advice = l.SourcesAdvice()
	}
	return settingspage.OwnSource(nil, facts, advice)
}

func presence(l i18n.Lang, lacks []string) string {
	if len(lacks) == 0 {
		return l.SourcesAllThere()
	}
	return l.SourcesLacking(strings.Join(lacks, ", "))
}

func (sources) values(d stored.DataSource) url.Values {
	v := url.Values{"type": {d.Type}, "host": {d.Host}, "database": {d.Database}, "username": {d.User}}
	if d.Port != 0 {
		v.Set("port", strconv.Itoa(d.Port))
	}
	var options []string
	for _, name := range view.SortedKeys(d.Options) {
		options = append(options, name+"="+d.Options[name])
	}
	v.Set("options", strings.Join(options, " "))
	return v
}

func (sources) fromForm(v url.Values, before stored.DataSource) (api.DataSourceRequest, error) {
	field := func(name string) string { return strings.TrimSpace(v.Get(name)) }
	in := api.DataSourceRequest{
		Name: field("name"), Type: v.Get("type"), Host: field("host"), Database: field("database"),
		Username: v.Get("username"),
		Password: secretIn(v, "password", "noPassword", before.Password),
	}
	if port := field("port"); port != "" {
		var err error
		if in.Port, err = strconv.Atoi(port); err != nil {
			return in, app.InvalidAs(i18n.Lang.ProblemPort, i18n.Lang.ProblemPortHint)
		}
	}
	for _, word := range strings.Fields(v.Get("options")) {
		name, value, found := strings.Cut(word, "=")
		if !found {
			return in, app.InvalidAs(i18n.Lang.ProblemOption, i18n.Lang.ProblemOptionHint)
		}
		if in.Options == nil {
			in.Options = map[string]string{}
		}
		in.Options[name] = value
	}
	return in, nil
}

func (sources) form(f settingspage.Form, before stored.DataSource) templ.Component {
	return settingspage.SourceForm(f, before.Password != "")
}

func (sources) effects(_ context.Context, l i18n.Lang, _ stored.DataSource) []string {
	return []string{l.SourcesBlastRequests(), l.SourcesBlastDatabase(), l.RegistriesBlastSecret()}
}
