//go:build servers

package pages

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/a-h/templ"

	"github.com/elasticjob-go/elasticjob/internal/browser"
	"github.com/elasticjob-go/elasticjob/internal/console/consoletest"
	"github.com/elasticjob-go/elasticjob/web/templates/chart"
	"github.com/elasticjob-go/elasticjob/web/templates/runs"
	"github.com/elasticjob-go/elasticjob/web/templates/ui"
)

// greyMarks replaces the page by charts, in grey, and returns where the marks of each of them are.
const greyMarks = `((html) => {
	document.querySelector("main").innerHTML = html;
	document.documentElement.style.filter = "grayscale(1)";
	document.scrollingElement.scrollTop = 0;
	const at = (chart, width, count, top = 0, height = 0) => {
		const box = document.querySelectorAll("main svg:has(path)")[chart].getBoundingClientRect();
		return Array.from({ length: count }, (_, i) => [box.x + i * width, box.y + top, width, height || box.height].map(Math.round));
	};
	return { bars: at(0, 16, 5, 0, 42), grid: at(0, 16, 5, 44, 14), cells: at(1, 14, 5), strip: at(2, 6, 4), list: at(3, 7, 5) };
})`

// TestW27StatesDifferInGreyInABrowser: without colours, the states of shards and runs look different
// in the run grid, in the cells of many shards, in the strips of the job list and in the list of
// runs: in at least a fifteenth of their pixels, and clearly.
func TestW27StatesDifferInGreyInABrowser(t *testing.T) {
	t.Parallel()
	b := consoletest.New(t)
	tab, must := startBrowser(t)
	must(tab.Size(800, 900), tab.SignIn(b.URL, "guest", "gu3st-Canary-7"))
	tones := []ui.Tone{ui.ToneOK, ui.ToneBad, ui.ToneLost, ui.ToneRun, ui.ToneOff}
	grid, strip := chart.Grid{Label: "grid", Rows: []chart.GridRow{{}}}, ui.Strip{Href: "/"}
	for _, tone := range tones {
		grid.Runs = append(grid.Runs, chart.GridRun{Tone: tone, Duration: 0.6, Cells: []ui.Tone{tone}})
	}
	for _, tone := range []ui.Tone{ui.ToneOK, ui.ToneBad, ui.ToneRun, ui.ToneOff} {
		strip.Bars = append(strip.Bars, ui.Bar{Tone: tone, Height: 9})
	}
	var html strings.Builder
	for _, part := range []templ.Component{
		chart.GridView(grid), chart.CellsView(chart.Cells{Rows: []chart.CellRow{{Cells: tones}}}), templ.Raw(`<span class="runs">`), ui.StripView(strip), templ.Raw(`</span>`), runs.CellStrip(runs.Row{Cells: tones}),
	} {
		must(part.Render(t.Context(), &html))
		html.WriteString("<br>")
	}
	text, err := json.Marshal(html.String())
	must(err)
	for _, dark := range []bool{false, true} {
		must(tab.Dark(dark), tab.Open(b.URL+"/keys"))
		places, err := browser.Eval[map[string][][4]int](tab, greyMarks+"("+string(text)+")")
		must(err)
		picture, err := tab.Picture()
		must(err)
		img, err := png.Decode(bytes.NewReader(picture))
		must(err)
		for name, list := range places {
			for i := range list {
				for j := range i {
					if share := differing(img, list[i], list[j]); share < 1.0/15 {
						t.Errorf("dark %v, %s: states %d and %d differ in %.1f %% of their pixels", dark, name, j, i, 100*share)
					}
				}
			}
		}
	}
}

// differing returns the share of pixels that two parts of a grey picture clearly differ in.
func differing(img image.Image, a, b [4]int) float64 {
	n := 0
	for y := range a[3] {
		for x := range a[2] {
			p, _, _, _ := img.At(a[0]+x, a[1]+y).RGBA()
			q, _, _, _ := img.At(b[0]+x, b[1]+y).RGBA()
			if max(p, q)-min(p, q) > 0x3000 {
				n++
			}
		}
	}
	return float64(n) / float64(a[2]*a[3])
}
