package ui_test

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

func TestLink(t *testing.T) {
	t.Parallel()
	ctx := ui.WithLinks(t.Context(), func(path string) string { return "/ops" + path })
	for _, test := range []struct {
		ctx        context.Context
		path, want string
	}{
		{t.Context(), "/jobs?q=a&b=c", "/jobs?q=a&b=c"},
		{ctx, "/jobs?q=a&b=c", "/ops/jobs?q=a&b=c"},
		{t.Context(), "javascript:alert(1)", "about:invalid#TemplFailedSanitizationURL"},
	} {
		if got := ui.Link(test.ctx, test.path); string(got) != test.want {
			t.Errorf("Link(%q) = %q, want %q", test.path, got, test.want)
		}
	}
}

// address is an attribute with an address, and how it is written.
var address = regexp.MustCompile(`\s(href|action|formaction|src|srcset|poster|data)=(\{ (string\()?(ui\.)?Link\(ctx, |\{ ui\.External\(|"#)?`)

// TestEveryLinkIsWrittenWithLink: an address that a component writes by itself
// would lead out of the console's path, or to another registry.
func TestEveryLinkIsWrittenWithLink(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../*/*.templ")
	if err != nil || len(files) == 0 {
		t.Fatalf("no templates: %v", err)
	}
	seen := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range address.FindAllSubmatch(text, -1) {
			seen++
			if len(m[2]) == 0 {
				t.Errorf("%s: %s is not written with ui.Link", name, m[0])
			}
		}
	}
	if seen == 0 {
		t.Error("no address found: the test checks nothing")
	}
}
