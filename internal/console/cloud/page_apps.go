package cloud

import (
	"cmp"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/cloud"
	"github.com/elasticjob-go/elasticjob/internal/console"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/cloudui"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// appState is how an application is.
func appState(l i18n.Lang, a cloud.App) ui.State {
	if a.Disabled {
		return ui.State{Tone: ui.ToneOff, Label: l.CloudDisabled(), TestID: "cloud-app-state"}
	}
	return ui.State{Tone: ui.ToneOK, Label: l.CloudReady(), TestID: "cloud-app-state"}
}

// appNeeds are what each process takes beside what its job needs.
func appNeeds(l i18n.Lang, a cloud.App) string {
	return l.CloudNeedsValue(strconv.FormatFloat(a.CPU, 'g', -1, 64), strconv.FormatFloat(a.MemoryMB, 'g', -1, 64))
}

// appProgram is what starts a process, in one line.
func appProgram(a cloud.App) string {
	return view.Clip(cmp.Or(a.Image, strings.Join(slices.Concat(a.Command, a.Args), " "), a.BootstrapScript, a.URL), 200)
}

// appsPage lists the applications.
func (s cloudPages) appsPage(c *gin.Context, at *Cloud) error {
	l := i18n.From(c.Request.Context())
	p := cloudui.AppsProps{Head: s.head(c, at, "apps")}
	if console.May(c, console.Configures) {
		p.Head.Actions = []ui.Button{{Kind: ui.ButtonMain, Label: l.CloudAppNew(), Href: cloudAddApp, TestID: "new-app"}}
	}
	jobs := make(map[string]int)
	for _, d := range at.Seen.Jobs() {
		jobs[d.Job.AppName]++
	}
	apps := at.Seen.Apps()
	for _, a := range apps[:min(len(apps), mostCloudRows)] {
		if !console.May(c, console.Configures) {
			a = maskedApp(a)
		}
		p.Rows = append(p.Rows, cloudui.AppRow{Name: a.Name, Namespace: a.Namespace, Href: cloudPath("apps", a.Name), Program: appProgram(a), Needs: appNeeds(l, a), Jobs: view.Thousands(jobs[a.Name]), State: appState(l, a)})
	}
	if len(p.Rows) == 0 {
		p.Empty = &ui.Empty{Heading: l.CloudAppsNone(), Text: l.CloudAppsNoneText(), TestID: "cloud-apps-empty"}
	}
	s.Render(c, http.StatusOK, cloudui.Apps(p))
	return nil
}

// appPage is one application.
func (s cloudPages) appPage(c *gin.Context, at *Cloud) error {
	name, err := nameOf(c, "app")
	if err != nil {
		return err
	}
	ctx, cancel := s.Reading(c)
	defer cancel()
	app, err := at.ReadApp(ctx, name)
	if err != nil {
		seen := at.Seen.Apps()
		i := slices.IndexFunc(seen, func(a cloud.App) bool { return a.Name == name })
		if i < 0 || at.Seen.Synced() && !errors.Is(err, cloud.ErrForbidden) {
			return err
		}
		app = seen[i]
	}
	l := i18n.From(c.Request.Context())
	h := s.oneHead(c, at, name, "apps", l.CloudApps())
	h.Notices = append(h.Notices, warningNotices(l, at.Warnings(l, Document{Kind: cloud.KindApp, App: app}, false))...)
	if !console.May(c, console.Configures) {
		app = maskedApp(app)
	}
	state := appState(l, app)
	h.Mono, h.State, h.Frame.LiveSeconds = true, &ui.Chip{Tone: state.Tone, Label: state.Label, TestID: "app-state"}, cloudListSeconds
	if !console.LooksOnly(c) {
		h.Actions = appButtons(l, app, console.May(c, console.Configures))
	}
	p := cloudui.AppProps{Head: h, Facts: appFacts(l, app)}
	for _, variable := range view.SortedKeys(app.Env) {
		p.Env = append(p.Env, ui.Fact{Label: variable, Value: view.Clip(app.Env[variable], 2000), Mono: true})
	}
	for _, d := range at.JobsOf(name) {
		_, row := s.jobRow(c, jobOf(at, d, []cloud.App{app}))
		p.Jobs = append(p.Jobs, row)
	}
	p.Jobs = p.Jobs[:min(len(p.Jobs), mostCloudRows)]
	if len(p.Jobs) == 0 {
		p.JobsNone = l.CloudAppNoJobs()
	}
	s.Render(c, http.StatusOK, cloudui.App(p))
	return nil
}

// appButtons are what can be done with an application; edits adds what changes or removes it.
func appButtons(l i18n.Lang, a cloud.App, edits bool) []ui.Button {
	to := func(verb string) string { return cloudPath("apps", a.Name, verb) }
	first := ui.Button{Icon: "pause", Label: l.CloudDisable() + "…", Href: to("disable"), TestID: "disable-app"}
	if a.Disabled {
		first = ui.Button{Label: l.CloudEnable(), Post: to("enable"), TestID: "enable-app"}
	}
	if !edits {
		return []ui.Button{first}
	}
	return []ui.Button{{Label: l.CloudEdit(), Href: to("edit"), TestID: "edit-app"}, first, {Kind: ui.ButtonDanger, Label: l.CloudRemove() + "…", Href: to("remove"), TestID: "remove-app"}}
}

// appFacts are the fields of an application that are set, with the names of the REST
// interface.
func appFacts(l i18n.Lang, a cloud.App) []ui.Fact {
	list := append(namespaceFact(l, a.Namespace), ui.Fact{Label: l.CloudNeeds(), Value: appNeeds(l, a)})
	for _, f := range []ui.Fact{
		{Label: "image", Value: a.Image}, {Label: "command", Value: strings.Join(a.Command, " ")}, {Label: "args", Value: strings.Join(a.Args, " ")},
		{Label: "bootstrapScript", Value: a.BootstrapScript}, {Label: "appURL", Value: a.URL}, {Label: "appSHA256", Value: a.SHA256},
		{Label: "terminationGracePeriodSeconds", Value: strconv.Itoa(a.GraceSeconds)},
	} {
		if f.Value == "" || f.Value == "0" {
			continue
		}
		f.Mono, f.Value = true, view.Clip(f.Value, 2000)
		list = append(list, f)
	}
	return list
}
