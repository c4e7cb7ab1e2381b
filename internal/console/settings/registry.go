package settings

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/a-h/templ"
	"github.com/gin-gonic/gin"

	"github.com/elasticjob-go/elasticjob/internal/console/api"
	"github.com/elasticjob-go/elasticjob/internal/console/app"
	"github.com/elasticjob-go/elasticjob/internal/console/view"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/internal/jobtree"
	stored "github.com/elasticjob-go/elasticjob/internal/store/settings"
	"github.com/elasticjob-go/elasticjob/statistics"
	settingspage "github.com/elasticjob-go/elasticjob/web/templates/settings"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// registryEntries are the registries that users entered.
func registryEntries(s *app.Console) entries[stored.Registry, api.RegistryRequest] {
	return entries[stored.Registry, api.RegistryRequest]{s, registries{s}}
}

// registries is the [kind] of registries.
type registries struct{ *app.Console }

func (registries) words() words {
	return words{
		kind: stored.KindRegistry, api: api.RegistriesPath, page: app.RegistriesRoute, testID: "registry",
		example: `{"zkAddressList":"…","namespace":"…"}`,
		noun:    i18n.Lang.ProblemKindRegistry, wrong: i18n.Lang.ProblemWrongRegistry,
		title: func(i18n.Lang) string { return "" },
		label: i18n.Lang.FrameRegistries, sub: i18n.Lang.FrameRegistriesSub, addLabel: i18n.Lang.RegistriesAdd,
		editTitle: i18n.Lang.RegistriesEditTitle, added: i18n.Lang.RegistriesAddedFound,
		changed: func(l i18n.Lang, name, found string) string { return l.RegistriesChanged(name) + " " + found },
		problem: app.RegistryProblem, absent: app.NoSuchRegistry,
	}
}

func (s registries) fixed() []stored.Registry { return []stored.Registry{s.OwnRegistry()} }

func (registries) stored(s app.Settings) stored.Entries[stored.Registry] { return s.Registries() }

func (s registries) add(ctx context.Context, r stored.Registry) error {
	return s.Options().Settings.Add(ctx, []stored.Registry{r}, nil)
}

func (s registries) connections() connections[stored.Registry] { return s.Options().Registries }

func (registries) name(r stored.Registry) string        { return r.Name }
func (registries) named(r *api.RegistryRequest) *string { return &r.Name }

func (registries) activated(c *gin.Context, answer any) any {
	if !app.Enveloped(c) {
		return true
	}
	return answer
}

const (
	// maxPEM bounds a certificate with its chain, or a bundle of authorities.
	maxPEM = 15_000

	wantServers = "host:port, several separated by commas; behind the last one a chroot, if there is one, " +
		"such as zk1:2181,zk2:2181/elastic"
	wantDigest = "given again, or empty, because the address or the way to it changes"
)

func (s registries) check(in api.RegistryRequest, before stored.Registry) (stored.Registry, []api.FieldBody) {
	r := stored.Registry{Name: in.Name, Namespace: in.Namespace, Access: accessOf(in, before.Access)}
	var w wrongFields
	if want := app.WrongName(in.Name); want != "" {
		w.add("name", in.Name, want)
	}
	servers, err := s.Options().Registries.Servers(in.Servers)
	if err != nil || strings.ContainsFunc(in.Servers, func(r rune) bool { return !unicode.IsPrint(r) }) {
		w.add("zkAddressList", in.Servers, wantServers)
	} else {
		r.Servers = servers
	}
	if len(in.Servers) > 1000 {
		w.add("zkAddressList", in.Servers, "at most 1000 characters")
	}
	if _, err := jobtree.NewNamespace(in.Namespace); err != nil || len(in.Namespace) > 200 {
		w.add("namespace", in.Namespace, "the folder in ZooKeeper below which the agents register, such as team/billing")
	}
	moved := !slices.Equal(before.Servers, r.Servers) || before.Access != r.Access
	r.Digest = w.secret("digest", in.Digest, before.Digest, moved, wantDigest)
	if r.Digest != "" && !strings.Contains(r.Digest, ":") || len(r.Digest) > 400 {
		w.add("digest", "", "user:password, or nothing")
	}
	// Neither quotes anything, because any field of the access may be a secret.
	a := r.Access
	if len(a.CA) > maxPEM || len(a.Cert) > maxPEM || len(a.Key) > maxPEM || len(a.ServerName) > 255 {
		w.add("tls", "", "certificates of at most 15,000 bytes each")
	} else if field, want := s.Options().Registries.Check(r); want != "" {
		w.add(field, "", want)
	}
	return r, w
}

// accessOf is the access that a request asks for. It stays as before where the request has none.
func accessOf(in api.RegistryRequest, before stored.Access) stored.Access {
	a := before
	switch tls := in.TLS; {
	case tls != nil && tls.Enabled:
		a = stored.Access{TLS: true, CA: tls.CA, Cert: tls.Cert, Key: tls.Key, ServerName: tls.ServerName, ACL: before.ACL}
		if a.Key == "" && a.Cert == before.Cert {
			a.Key = before.Key
		}
	case tls != nil:
		a = stored.Access{ACL: before.ACL}
	}
	if in.ACL != nil {
		a.ACL = *in.ACL
	}
	return a
}

func (s registries) down(c *gin.Context) error {
	if h := s.Options().Health.Registry(); h.State != app.RegistryConnected {
		return s.RegistryDown(c, h.LastError)
	}
	return nil
}

func (s registries) probe(ctx context.Context, l i18n.Lang, r stored.Registry) (ui.Note, error) {
	report, err := s.Options().Registries.Probe(ctx, r)
	note := ui.Note{Tone: ui.ToneBad}
	switch {
	case errors.Is(err, app.ErrNoSuchChroot):
		note.Title, note.Text = l.RegistriesNoChroot(), l.RegistriesNoChrootText(report.Chroot)
		return note, err
	case errors.Is(err, statistics.ErrForbidden):
		note.Title, note.Text = l.RegistriesForbidden(), l.RegistriesForbiddenText()
		return note, err
	case err != nil:
		cause := view.Clip(strings.TrimRight(err.Error(), "."), 300)
		note.Title, note.Text = l.RegistriesUnreachable(), l.RegistriesUnreachableText(cause)
		return note, err
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
	return note, nil
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

func (registries) answer(r stored.Registry, active bool) any {
	body := registryBody(r)
	body.Activated = active
	return body
}

// registryBody is a registry as callers see it.
func registryBody(r stored.Registry) api.Registry {
	body := api.Registry{
		Name: r.Name, Servers: strings.Join(r.Servers, ","), Namespace: r.Namespace, HasDigest: r.Digest != "",
		ACL:   r.Access.ACL,
		Fixed: r.Name == app.DefaultRegistry,
	}
	if a := r.Access; a.TLS {
		body.TLS = &api.RegistryTLS{Enabled: true, CA: a.CA, Cert: a.Cert, ServerName: a.ServerName}
	}
	return body
}

func (registries) columns(l i18n.Lang) []settingspage.Column {
	return []settingspage.Column{
		{Label: l.RegistriesName()}, {Label: "ZooKeeper"}, {Label: l.RegistriesNamespace()}, {Label: l.RegistriesDigest(), Class: "p2"},
		{Label: l.RegistriesState()}, {Label: l.RegistriesJobs(), Class: "num"},
	}
}

// row shows the state of the connection to a registry, if there is one. None is opened for it.
func (s registries) row(c *gin.Context, l i18n.Lang, r stored.Registry) templ.Component {
	state := ui.State{Tone: ui.ToneQuiet, Label: l.RegistriesUntested(), Title: l.RegistriesUntestedTitle()}
	state.TestID = "registry-row-state"
	jobs := "–"
	ctx, cancel := s.Reading(c)
	defer cancel()
	if opened, release, ok := s.opened(r); ok {
		defer release()
		state.Title = ""
		switch opened.Health().State {
		case app.RegistryConnected:
			state.Tone, state.Label = ui.ToneOK, l.RegistriesConnected()
			if list, err := opened.Jobs.Jobs(ctx); err == nil {
				jobs = view.Thousands(len(list))
			}
		case app.RegistrySuspended:
			state.Tone, state.Label = ui.ToneWarn, l.RegistriesReconnecting()
		case app.RegistryLost:
			state.Tone, state.Label = ui.ToneBad, l.RegistriesDisconnected()
		}
	}
	return settingspage.RegistryCells(registryBody(r), app.RegistryPath(r.Name)+"/jobs", state, jobs)
}

// opened is the connection to a registry, if there is one.
func (s registries) opened(r stored.Registry) (opened app.Registry, release func(), open bool) {
	switch o := s.Options(); {
	case r.Name == app.DefaultRegistry:
		return app.Registry{Jobs: o.Jobs, Health: o.Health.Registry}, func() {}, true
	case o.Registries == nil:
		return opened, nil, false
	default:
		return o.Registries.Opened(r)
	}
}

func (registries) more(*gin.Context, i18n.Lang) templ.Component { return nil }

func (registries) values(r stored.Registry) url.Values {
	v := url.Values{
		"zkAddressList": {strings.Join(r.Servers, ",")}, "namespace": {r.Namespace}, "acl": {r.Access.ACL},
		"serverName": {r.Access.ServerName}, "ca": {r.Access.CA}, "cert": {r.Access.Cert},
	}
	if r.Access.TLS {
		v.Set("tls", "yes")
	}
	return v
}

func (registries) fromForm(v url.Values, before stored.Registry) (api.RegistryRequest, error) {
	acl := v.Get("acl")
	return api.RegistryRequest{
		Name: strings.TrimSpace(v.Get("name")), Servers: v.Get("zkAddressList"),
		Namespace: strings.TrimSpace(v.Get("namespace")), ACL: &acl,
		Digest: secretIn(v, "digest", "noDigest", before.Digest),
		TLS: &api.RegistryTLS{
			Enabled: v.Get("tls") == "yes", CA: v.Get("ca"), Cert: v.Get("cert"), Key: v.Get("key"),
			ServerName: strings.TrimSpace(v.Get("serverName")),
		},
	}, nil
}

func (registries) form(f settingspage.Form, before stored.Registry) templ.Component {
	return settingspage.RegistryForm(f, before.Digest != "", before.Access.Key != "")
}

func (s registries) effects(ctx context.Context, l i18n.Lang, r stored.Registry) []string {
	first := l.RegistriesBlastClosed()
	if opened, release, ok := s.opened(r); ok {
		defer release()
		jobs, err := opened.Jobs.Jobs(ctx)
		servers, serversErr := opened.Jobs.Servers(ctx)
		if err == nil && serversErr == nil {
			first = l.RegistriesBlastOpen(len(jobs), len(servers))
		}
	}
	return []string{first, l.RegistriesBlastZookeeper(), l.RegistriesBlastSecret()}
}
