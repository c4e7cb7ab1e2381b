package storybook

import (
	"bytes"
	"net/http"

	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/static"
	"github.com/elasticjob-go/elasticjob/web/templates/auth"
	"github.com/elasticjob-go/elasticjob/web/templates/layout"
	"github.com/elasticjob-go/elasticjob/web/templates/system"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// Paths are the pages of the storybook.
var Paths = []string{"/", "/stale", "/login", "/error"}

// contentPolicy is that of the console: no page may need more.
const contentPolicy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
	"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// Handler serves the storybook. Theme and language are chosen by the switches of
// the frame, or by ?theme=dark and ?lang=zh.
func Handler() http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET "+static.Prefix, static.Handler())
	mux.HandleFunc("GET /{$}", show(func(f layout.Frame, l i18n.Lang) templ.Component { return components(f, stories(l)) }))
	mux.HandleFunc("GET /stale", show(func(f layout.Frame, l i18n.Lang) templ.Component {
		f.Outage = &layout.Outage{Since: at("02:38:52 UTC"), Detail: "dial tcp 10.0.0.4:2181: connect: connection refused", Advice: l.OutageAdvice()}
		f.Snapshot = f.Outage.Since
		f.Registry.Chip = ui.Chip{Tone: ui.ToneWarn, Label: l.FrameReconnecting()}
		return components(f, stories(l)[:2])
	}))
	mux.HandleFunc("GET /login", show(func(f layout.Frame, l i18n.Lang) templ.Component {
		f.User, f.Title, f.Scripts = "", l.SignInTitle(), []string{"show.js"}
		return auth.Login(auth.LoginProps{
			Frame: f, Notice: &ui.Notice{Tone: ui.ToneBad, Heading: l.SignInWrong()}, Username: "li.wei", Next: "/jobs/invoices",
			Elsewhere: &auth.Elsewhere{Name: "Bookshop SSO", Href: "/login"},
		})
	}))
	mux.HandleFunc("GET /error", show(func(f layout.Frame, l i18n.Lang) templ.Component {
		return system.Problem(system.ProblemProps{
			Frame: f, Status: http.StatusNotFound, Code: "not_found", Heading: l.ProblemNoJob(`"invioces"`), Hint: l.ProblemNoJobHint(),
			Asked: "GET /jobs/invioces", RequestID: "55KJUGEAIPPIJVKD", Href: "/", HrefLabel: l.ProblemToJobs(),
		})
	}))
	for _, choice := range []string{"theme", "language"} {
		mux.HandleFunc("POST /"+choice, func(w http.ResponseWriter, r *http.Request) {
			http.SetCookie(w, &http.Cookie{Name: choice, Value: offered(choice, r.PostFormValue(choice)), Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode})
			back := "/"
			for _, path := range Paths {
				if r.PostFormValue("return") == path {
					back = path
				}
			}
			http.Redirect(w, r, back, http.StatusSeeOther)
		})
	}
	return mux
}

// offered is a value that a choice has, empty for any other: a cookie cannot have every
// character that a form can.
func offered(choice, value string) string {
	if _, known := i18n.Parse(value); choice == "language" && known || choice == "theme" && (value == "light" || value == "dark") {
		return value
	}
	return ""
}

// chosen is a choice of the reader: in the address, else in the cookie.
func chosen(r *http.Request, query, cookie string) string {
	if value := r.URL.Query().Get(query); value != "" {
		return value
	}
	if c, err := r.Cookie(cookie); err == nil {
		return c.Value
	}
	return ""
}

func show(page func(f layout.Frame, l i18n.Lang) templ.Component) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		l, ok := i18n.Parse(chosen(r, "lang", "language"))
		if !ok {
			l = i18n.Negotiate(r.Header.Get("Accept-Language"))
		}
		f := frame(l, r.URL.Path)
		if theme := chosen(r, "theme", "theme"); theme == "light" || theme == "dark" {
			f.Theme = theme
		}
		var buf bytes.Buffer
		if err := page(f, l).Render(i18n.With(r.Context(), l), &buf); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Header().Set("Content-Security-Policy", contentPolicy)
		_, _ = w.Write(buf.Bytes()) // the browser went away; nobody is left to tell
	}
}

// frame is that of an operator on a console with every area.
func frame(l i18n.Lang, here string) layout.Frame {
	return layout.Frame{
		Title: "Storybook", Version: "1.9.0", User: "root", Role: l.FrameOperator(), Theme: "auto", Here: here,
		Nav: []layout.NavItem{
			{Icon: "overview", Label: l.FrameOverview(), Href: "/", Active: true},
			{Icon: "jobs", Label: l.FrameJobs(), Href: "/"},
			{Icon: "runs", Label: l.FrameRuns(), Href: "/"},
			{Icon: "fleet", Label: l.FrameFleet(), Href: "/"},
			{Icon: "audit", Label: l.FrameAudit(), Href: "/", Manage: true},
			{Icon: "settings", Label: l.FrameSettings(), Href: "/", Manage: true},
		},
		Registry: &layout.Registry{Name: "prod-eu", Namespace: "bookshop", Chip: ui.Chip{Tone: ui.ToneOK, Label: l.FrameConnected()}},
		Rendered: at("02:41:07 UTC"),
	}
}

// at is a moment of the night of the samples.
func at(clock string) ui.Time {
	return ui.Time{ISO: "2026-11-22T" + clock[:8] + "Z", Text: clock, Title: "2026-11-22 " + clock}
}
