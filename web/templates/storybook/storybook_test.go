package storybook

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/i18n"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// axe is a file with axe-core, which finds more than the script here: make axe.
var axe = flag.String("axe", "", "the file axe.min.js, to run it on every page")

// TestChoices: theme and language are chosen by forms, without a script, and the
// page is the same as with the choice in the address.
func TestChoices(t *testing.T) {
	t.Parallel()
	get := func(target string, cookies ...*http.Cookie) string {
		t.Helper()
		r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, target, nil)
		for _, c := range cookies {
			r.AddCookie(c)
		}
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Fatalf("%s: %d", target, w.Code)
		}
		return w.Body.String()
	}
	choose := func(what, value, back string) *http.Cookie {
		t.Helper()
		form := strings.NewReader(url.Values{what: {value}, "return": {back}}.Encode())
		r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "/"+what, form)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		w := httptest.NewRecorder()
		Handler().ServeHTTP(w, r)
		want := back
		if !strings.HasPrefix(back, "/") {
			want = "/"
		}
		if w.Code != http.StatusSeeOther || w.Header().Get("Location") != want {
			t.Fatalf("%s: %d to %q", what, w.Code, w.Header().Get("Location"))
		}
		return w.Result().Cookies()[0]
	}
	for _, path := range Paths {
		dark, chinese := choose("theme", "dark", path), choose("language", "zh-CN", path)
		page := get(path, dark, chinese)
		if want := get(path + "?theme=dark&lang=zh"); page != want || !strings.Contains(page, `<html lang="zh-CN" data-theme="dark">`) {
			t.Errorf("%s: the choice by form and by address differ", path)
		}
	}
	choose("theme", "dark", "https://evil.example/")
	if page := get("/?theme=purple&lang=tlh"); !strings.Contains(page, `<html lang="en" data-theme="auto">`) {
		t.Error("a theme and a language that nobody knows were taken")
	}
}

// TestStripsStaySmall: a strip of twenty runs is a path for each tone.
func TestStripsStaySmall(t *testing.T) {
	t.Parallel()
	for _, strip := range stripList(i18n.English) {
		var page strings.Builder
		if err := ui.StripView(strip).Render(t.Context(), &page); err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(page.String(), "<path"); n > 5 {
			t.Errorf("%s: %d paths", strip.Label, n)
		}
	}
}
