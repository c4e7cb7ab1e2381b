//go:build servers

package storybook

import (
	"context"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
)

// TestPictures compares each component with its committed picture. A difference is one
// of structure or of colour: see differences. Other fonts are none.
func TestPictures(t *testing.T) {
	t.Parallel()
	camera := newCamera(t)
	for _, a := range albums {
		for id, got := range camera.take(t, a, "") {
			file := filepath.Join(picturesDir, a.file(id))
			if *accept {
				store(t, file, got)
				continue
			}
			found := differences(load(t, file), got)
			if len(found) == 0 {
				continue
			}
			now := filepath.Join(os.TempDir(), "storybook-pictures", a.file(id))
			store(t, now, got)
			t.Errorf("%s is not as in %s: %q\nnow it is as in %s; if that is right, run make storybook-accept", id, file, found, now)
		}
	}
}

// TestPicturesShowWhatChanged plants changes of the style into the page, and wants the
// pictures of the components that have it to differ; what is another machine's is none.
func TestPicturesShowWhatChanged(t *testing.T) {
	t.Parallel()
	camera := newCamera(t)
	for _, c := range []struct {
		name, rule string
		differ     []string // these and maybe others; with none, none at all
	}{
		{"a colour is lost", ":root { --bad: #555; --bad-tint: #eee; }", []string{"diff", "notes", "states"}},
		{"a fill is lost", ".f-bad { fill: var(--none-fill); }", []string{"bars", "grid", "lanes", "share"}},
		{"two tones are exchanged", ":root { --warn: #1a51ab; --warn-tint: #e5eefc; }", []string{"states", "notes"}},
		{"the main button is plain", ".btn-main { background: none; border-color: #999; color: #333; }", []string{"buttons"}},
		{"a padding is doubled", ".note { padding: 0.9rem 1.5rem; }", []string{"notes"}},
		{"lines are further apart", ".lane { min-height: 2.2rem; }", []string{"lanes"}},
		{"cards have twice the padding", ".panel-body { padding: 0.2rem 2rem 1.5rem; }", []string{"buttons", "share", "strip"}},
		{"bars are cut", ".chart-svg { clip-path: inset(0 50% 0 0); }", []string{"bars", "share"}},
		{"another font", "*, *::before { font-family: 'Liberation Serif', 'DejaVu Serif', serif !important; }", nil},
		{"a narrow font", "* { letter-spacing: -0.04em; }", nil},
		{"a wide font", "* { letter-spacing: 0.03em; }", nil},
	} {
		var differ []string
		for id, got := range camera.take(t, albums[0], c.rule) {
			if found := differences(load(t, filepath.Join(picturesDir, albums[0].file(id))), got); len(found) > 0 {
				differ = append(differ, id)
				t.Logf("%s: %s: %q", c.name, id, found)
			}
		}
		if c.differ == nil && len(differ) > 0 {
			t.Errorf("%s: %q differ", c.name, differ)
		}
		for _, id := range c.differ {
			if !slices.Contains(differ, id) {
				t.Errorf("%s: %s does not differ, only %q", c.name, id, differ)
			}
		}
	}
}

func newCamera(t *testing.T) *camera {
	t.Helper()
	server := httptest.NewServer(Handler())
	t.Cleanup(server.Close)
	tab, stop, err := browser.Start(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(stop)
	return &camera{tab, server.URL}
}
