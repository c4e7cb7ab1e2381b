package storybook

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/i18n"
)

var accept = flag.Bool("accept", false, "store the pictures of the components as they are now: make storybook-accept")

const (
	picturesDir = "testdata/pictures"
	// pictureWidth is that of the window: wide enough that no sample text wraps.
	pictureWidth = 1000
)

// album is the storybook in one theme and one language.
type album struct {
	theme string
	lang  i18n.Lang
}

var albums = []album{{"light", i18n.English}, {"dark", i18n.English}, {"light", i18n.Chinese}}

func (a album) file(id string) string { return fmt.Sprintf("%s-%s-%s.png", id, a.theme, a.lang.Tag()) }

// TestNoPictureIsLeftOver: each committed picture is of a component that there is.
func TestNoPictureIsLeftOver(t *testing.T) {
	t.Parallel()
	var want []string
	for _, a := range albums {
		for _, s := range stories(a.lang) {
			want = append(want, a.file(s.id))
		}
	}
	files, err := os.ReadDir(picturesDir)
	if err != nil {
		t.Fatal(err)
	}
	size := int64(0)
	for _, f := range files {
		if !slices.Contains(want, f.Name()) {
			t.Errorf("%s is the picture of no component", f.Name())
		}
		if info, err := f.Info(); err == nil {
			size += info.Size()
		}
	}
	if len(files) != len(want) {
		t.Errorf("%d pictures of %d components; run make storybook-accept", len(files), len(want))
	}
	if size > 1<<20 {
		t.Errorf("the pictures have %d bytes: more than a megabyte", size)
	}
}

// camera photographs the storybook.
type camera struct {
	tab *browser.Tab
	url string
}

// box is where a component is on the page.
type box struct {
	ID                  string
	X, Y, Width, Height int
}

// take returns a picture of each component, with a rule added to the style sheet.
func (c *camera) take(t *testing.T, a album, rule string) map[string]image.Image {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(c.tab.Size(pictureWidth, 900))
	must(c.tab.Open(c.url + "/?" + url.Values{"theme": {a.theme}, "lang": {a.lang.Tag()}}.Encode()))
	if rule != "" {
		_, err := browser.Eval[int](c.tab, fmt.Sprintf("document.styleSheets[0].insertRule(%q, document.styleSheets[0].cssRules.length)", rule))
		must(err)
	}
	height, err := browser.Eval[int64](c.tab, "document.documentElement.scrollHeight")
	must(err)
	must(c.tab.Size(pictureWidth, height))
	// What appears after a while is there, however slow the machine is.
	_, err = browser.Eval[int](c.tab, "document.getAnimations().map((a) => a.finish()).length")
	must(err)
	boxes, err := browser.Eval[[]box](c.tab, `[...document.querySelectorAll("section.panel[aria-labelledby]")].map((e) => {
		const r = e.getBoundingClientRect();
		return { ID: e.getAttribute("aria-labelledby"), X: Math.round(r.x), Y: Math.round(r.y + scrollY), Width: Math.round(r.width), Height: Math.round(r.height) };
	})`)
	must(err)
	data, err := c.tab.Picture()
	must(err)
	page, err := png.Decode(bytes.NewReader(data))
	must(err)
	pictures := make(map[string]image.Image)
	for _, b := range boxes {
		part := image.NewRGBA(image.Rect(0, 0, b.Width, b.Height))
		draw.Draw(part, part.Bounds(), page, image.Pt(b.X, b.Y), draw.Src)
		pictures[b.ID] = fewColours(part) // as those that are stored
	}
	if want := len(stories(a.lang)); len(pictures) != want {
		t.Fatalf("%d components on the page, want %d", len(pictures), want)
	}
	return pictures
}

func load(t *testing.T, file string) image.Image {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v; run make storybook-accept", err)
	}
	picture, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return picture
}

func store(t *testing.T, file string, picture image.Image) {
	t.Helper()
	var buf bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&buf, picture); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, buf.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}
